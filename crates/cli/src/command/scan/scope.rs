//! From the command line and the environment to what is scanned.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use tracehound_collect::Stamp;
use tracehound_collect::local::{Request, Root};
use tracehound_collect::place::{Home, Layout, System, tidy};

use crate::args::Scan;
use crate::clock;
use crate::settings::Settings;

/// What is scanned.
pub(super) struct Scope {
    pub(super) root: Root,
    pub(super) request: Request,
    /// Whether files are read at all.
    pub(super) is_local: bool,
}

/// Puts together what is asked for. Without `--path` and `--dir` that is the whole machine.
pub(super) fn read(arguments: &Scan, settings: &Settings) -> anyhow::Result<Scope> {
    let (root, mut layout) = match &arguments.root {
        Some(folder) => {
            let failed = || format!("cannot read the root `{}`", folder.display());
            Root::mounted(folder).with_context(failed)?
        }
        None => {
            let root = Root::machine();
            let layout = Layout::of_machine(root.host(), own_home());
            (root, layout)
        }
    };
    let absolute = |path: &PathBuf| absolute(path, arguments.root.is_some());
    if !arguments.home.is_empty() {
        let given = arguments.home.iter().map(absolute).collect::<anyhow::Result<Vec<_>>>()?;
        choose(&mut layout, &given);
    }
    let is_machine = (arguments.path.is_empty() && arguments.dir.is_empty()) || !arguments.home.is_empty();
    let is_here = is_machine && arguments.root.is_none() && arguments.home.is_empty();
    let origin = match &arguments.origin {
        Some(origin) => origin.clone(),
        None => origin(&root, arguments.root.as_deref()),
    };
    let (time, timestamp) = clock::stamp()?;
    let scan_id = arguments.scan_id.clone().unwrap_or_else(|| clock::scan_id(&time));
    ensure!(!scan_id.trim().is_empty(), "the id of a scan can't be empty");
    let request = Request {
        layout: is_machine.then_some(layout),
        projects: if is_here { enclosing_projects(&settings.data) } else { Vec::new() },
        trees: arguments.dir.iter().map(absolute).collect::<anyhow::Result<_>>()?,
        files: arguments.path.iter().map(absolute).collect::<anyhow::Result<_>>()?,
        known: None,
        is_fleet: arguments.fleet,
        asks: arguments.live.mcp,
        stamp: Stamp { scan_id, timestamp, origin },
    };
    let names_files = !(arguments.path.is_empty() && arguments.dir.is_empty() && arguments.home.is_empty());
    let has_given = arguments.live.has_given() || arguments.network.is_any();
    // With targets, `--mcp` is about them.
    let asks_machine = arguments.live.mcp && !arguments.network.is_any();
    let is_local = names_files || arguments.root.is_some() || asks_machine || !has_given;
    Ok(Scope { root, request, is_local })
}

/// Whether a path of a report is one that was given.
pub(super) fn is_same(given: &Path, reported: &str, is_mounted: bool) -> bool {
    let Ok(absolute) = absolute(given, is_mounted) else { return false };
    let text = absolute.to_string_lossy();
    // With --fleet the machine's name stands before it, on Windows a drive.
    reported == text || reported.ends_with(text.as_ref()) || reported.replace('\\', "/").ends_with(text.as_ref())
}

/// A path as it is on the scanned machine, without `.` and `..`.
fn absolute(path: &Path, is_mounted: bool) -> anyhow::Result<PathBuf> {
    let path = if is_mounted { Path::new("/").join(path) } else { std::path::absolute(path)? };
    Ok(tidy(&path))
}

/// Keeps the given homes; one that was not found on its own is taken all the same.
fn choose(layout: &mut Layout, given: &[PathBuf]) {
    let system = layout.systems.first().copied().unwrap_or(System::here());
    let mut homes = Vec::new();
    for path in given {
        let found = layout.homes.iter().find(|home| home.path == *path).cloned();
        let own = own_home().filter(|home| home.path == *path);
        homes.push(found.or(own).unwrap_or_else(|| Home { path: path.clone(), system, variables: Default::default() }));
    }
    homes.sort_by(|a, b| a.path.cmp(&b.path));
    homes.dedup_by(|a, b| a.path == b.path);
    layout.homes = homes;
}

/// The home of whoever runs us, with the variables that move folders in it.
fn own_home() -> Option<Home> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let path = PathBuf::from(std::env::var_os(variable)?);
    // Values that are not text can't be paths that anybody set on purpose.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    path.is_absolute().then(|| Home { path, system: System::here(), variables: variables.collect() })
}

/// The working directory and the folders around it, up to the root of its repository.
fn enclosing_projects(data: &Path) -> Vec<PathBuf> {
    let Ok(here) = std::env::current_dir() else { return Vec::new() };
    let mut folders = Vec::new();
    for folder in here.ancestors().filter(|folder| folder.parent().is_some() && *folder != data) {
        folders.push(folder.to_owned());
        if folder.join(".git").exists() {
            return folders;
        }
    }
    // Without a repository only the working directory itself is a project.
    folders.truncate(1);
    folders
}

/// The name of the scanned machine: its own, or that of the folder that it is mounted at.
fn origin(root: &Root, folder: Option<&Path>) -> String {
    let name = match folder {
        None => own_name(),
        Some(folder) => host_file(root).or_else(|| {
            let folder = folder.canonicalize().ok()?;
            folder.file_name().map(|name| name.to_string_lossy().into_owned())
        }),
    };
    let plain: String = name
        .unwrap_or_default()
        .chars()
        .map(|character| if character.is_alphanumeric() || "-_.".contains(character) { character } else { '-' })
        .collect();
    if plain.is_empty() { "unknown".to_owned() } else { plain }
}

fn own_name() -> Option<String> {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_str().ok().map(str::to_owned);
    #[cfg(not(unix))]
    return std::env::var("COMPUTERNAME").ok();
}

/// The name in `/etc/hostname`.
fn host_file(root: &Root) -> Option<String> {
    use std::io::Read as _;
    let file = root.host().open(Path::new("/etc/hostname")).ok()?;
    let mut text = String::new();
    file.take(256).read_to_string(&mut text).ok()?;
    text.lines().next().map(|line| line.trim().to_owned()).filter(|name| !name.is_empty())
}
