//! The home folders of a machine and the systems whose places apply to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{System, tidy};
use crate::host::{Host, Kind, read};

/// Environment variables that move folders.
pub type Variables = BTreeMap<String, String>;

/// A home folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The folder.
    pub path: PathBuf,
    /// The system whose customs apply to it.
    pub system: System,
    /// The variables of its user that we know.
    pub variables: Variables,
}

/// What there is to look at on a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The home folders, sorted by path.
    pub homes: Vec<Home>,
    /// The systems whose machine-wide places apply.
    pub systems: Vec<System>,
}

/// Home folders of one machine that are looked into.
pub(crate) const HOMES: usize = 10_000;
/// Names among which homes are looked for.
const NAMES: usize = 1_000_000;
/// Largest list of users that is read.
const PASSWD_BYTES: u64 = 16 << 20;
/// Folders among the users' that are nobody's home.
const NOBODY: &[&str] =
    &["Shared", "Public", "Default", "Default User", "All Users", "Guest", "lost+found", "desktop.ini", ".localized"];

impl Layout {
    /// The homes of this machine; `own` is that of whoever runs us, with the variables of our own environment.
    #[must_use]
    pub fn of_machine(host: &dyn Host, own: Option<Home>) -> Self {
        let mut layout = Self { homes: Vec::new(), systems: vec![System::here()] };
        let own_path = own.as_ref().map(|home| home.path.clone());
        layout.homes.extend(own);
        for home in found(host, System::here()) {
            if Some(&home.path) != own_path.as_ref() {
                layout.homes.push(home);
            }
        }
        if System::here() == System::Linux {
            // The Windows side of a Linux that runs within it.
            layout.homes.extend(below(host, Path::new("/mnt/c/Users"), System::Windows));
        }
        layout.tidy()
    }

    /// The homes of a mounted file system, whose system is told from what is there.
    #[must_use]
    pub fn of_root(host: &dyn Host) -> Self {
        let mut layout = Self { homes: found(host, System::Linux), systems: vec![System::Linux] };
        let users = below(host, Path::new("/Users"), System::Macos);
        let has = |path: &str| host.kind(Path::new(path)).is_ok_and(|kind| kind == Kind::Folder);
        let has_in_homes = |folder: &str| {
            users.iter().any(|home| host.kind(&home.path.join(folder)).is_ok_and(|kind| kind == Kind::Folder))
        };
        let is_windows = has("/Windows") || has("/ProgramData") || has("/Program Files") || has_in_homes("AppData");
        let is_macos = has("/System") || has("/Library") || has("/Applications") || has_in_homes("Library");
        if is_windows {
            layout.systems.push(System::Windows);
        }
        if is_macos {
            layout.systems.push(System::Macos);
        }
        for home in users {
            let has = |folder: &str| host.kind(&home.path.join(folder)).is_ok_and(|kind| kind == Kind::Folder);
            let is_windows = has("AppData") || (is_windows && !has("Library"));
            layout.homes.push(Home { system: if is_windows { System::Windows } else { System::Macos }, ..home });
        }
        layout.tidy()
    }

    fn tidy(mut self) -> Self {
        self.homes.sort_by(|a, b| a.path.cmp(&b.path));
        self.homes.dedup_by(|a, b| a.path == b.path);
        self.homes.truncate(HOMES);
        self
    }
}

/// The homes at the places that are usual for a system, and those that the list of users names.
fn found(host: &dyn Host, system: System) -> Vec<Home> {
    let folder = if system == System::Linux { "/home" } else { "/Users" };
    let mut homes = below(host, Path::new(folder), system);
    if system == System::Linux {
        let named = read(host, Path::new("/etc/passwd"), PASSWD_BYTES).unwrap_or_default();
        let named = String::from_utf8_lossy(&named).into_owned();
        homes.extend(named.lines().filter_map(person).filter_map(|path| home(host, path, system)));
    }
    homes
}

/// The home of a line of the list of users, if it is a person's or the administrator's.
fn person(line: &str) -> Option<PathBuf> {
    let mut fields = line.split(':');
    let id: u32 = fields.nth(2)?.parse().ok()?;
    let home = tidy(Path::new(fields.nth(2)?));
    let is_person = id == 0 || (1000..65534).contains(&id);
    (is_person && home.is_absolute() && home != Path::new("/")).then_some(home)
}

/// The homes below a folder.
fn below(host: &dyn Host, folder: &Path, system: System) -> Vec<Home> {
    let entries = host.list(folder, NAMES).ok().flatten().unwrap_or_default();
    let names = entries.into_iter().filter(|entry| matches!(entry.kind, Kind::Folder | Kind::Link));
    let names = names.map(|entry| entry.name).filter(|name| name.to_str().is_none_or(|name| !NOBODY.contains(&name)));
    names.filter_map(|name| home(host, folder.join(name), system)).collect()
}

fn home(host: &dyn Host, path: PathBuf, system: System) -> Option<Home> {
    // One that can't be looked at is still a home, and is reported as such.
    let is_home = host
        .kind(&path)
        .map_or_else(|error| error.kind() == std::io::ErrorKind::PermissionDenied, |kind| kind == Kind::Folder);
    is_home.then(|| Home { path, system, variables: Variables::new() })
}
