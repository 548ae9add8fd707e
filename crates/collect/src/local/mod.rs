//! Reads what agents are given on a machine: configurations and instruction files. Starts nothing, contacts nobody.
//!
//! Three steps: find the files, read each on its own (in parallel, and each secret is dropped with its file), and put
//! what was read together in the order of the paths, so that the same files always give the same document.

mod emit;
mod find;
mod rows;
mod work;

use std::path::{Path, PathBuf};

use crate::builder::Stamp;
use crate::detection::{Detection, DetectionError};
use crate::host::{Host, Machine, Mounted};
use crate::place::{Layout, System, path_text, tidy};
use crate::report::Report;

/// What to scan.
#[derive(Debug, Default)]
pub struct Request {
    /// The places of the tables are looked at in these homes, and machine-wide.
    pub layout: Option<Layout>,
    /// Project folders in which the projects' places are looked at, but not below.
    pub projects: Vec<PathBuf>,
    /// Source trees that are walked.
    pub trees: Vec<PathBuf>,
    /// Files that are read whatever they are called.
    pub files: Vec<PathBuf>,
    /// Paths, as in earlier documents, of files that the estate knows. Those that are gone are told. `None`: every
    /// place that was looked at in vain is told instead.
    pub known: Option<Vec<String>>,
    /// Write paths and commands as the machine's own, `//origin/...`.
    pub is_fleet: bool,
    /// The servers of configurations are to be asked, so what is needed to reach them is kept.
    pub asks: bool,
    /// The scan, its time and its machine.
    pub stamp: Stamp,
}

/// The file system that is scanned.
#[derive(Debug)]
pub enum Root {
    /// That of this machine.
    Machine(Machine),
    /// Another's, at a folder of this one.
    Mounted {
        /// The file system.
        host: Mounted,
        /// The folder.
        folder: PathBuf,
        /// Whether its paths are those of Windows.
        is_windows: bool,
    },
}

impl Root {
    /// This machine.
    #[must_use]
    pub fn machine() -> Self {
        Self::Machine(Machine)
    }

    /// A file system below a folder, with its homes.
    ///
    /// # Errors
    ///
    /// When it is not a folder that can be read.
    pub fn mounted(folder: &Path) -> std::io::Result<(Self, Layout)> {
        let folder = folder.canonicalize()?;
        let host = Mounted::open(&folder)?;
        let layout = Layout::of_root(&host);
        let is_windows = layout.systems.contains(&System::Windows);
        Ok((Self::Mounted { host, folder, is_windows }, layout))
    }

    /// The file system to read from.
    #[must_use]
    pub fn host(&self) -> &dyn Host {
        match self {
            Self::Machine(machine) => machine,
            Self::Mounted { host, .. } => host,
        }
    }

    /// The path as programs on that machine write it.
    fn text(&self, path: &Path) -> String {
        let text = path_text(path);
        match self {
            Self::Mounted { is_windows: true, .. } => format!("C:{}", text.replace('/', "\\")),
            _ => text,
        }
    }

    /// The path that a text of [`Self::text`] stands for.
    fn path(&self, text: &str) -> PathBuf {
        match self {
            Self::Mounted { is_windows: true, .. } => {
                let text = text.strip_prefix("C:").unwrap_or(text).replace('\\', "/");
                PathBuf::from(text)
            }
            _ => PathBuf::from(text),
        }
    }

    /// Where on this machine a folder of that one is, to be walked.
    fn here(&self, path: &Path) -> std::io::Result<PathBuf> {
        match self {
            Self::Machine(_) => Ok(path.to_owned()),
            Self::Mounted { host, folder, .. } => Ok(folder.join(host.resolve(path)?)),
        }
    }

    /// The path on that machine of one that was found by walking here.
    fn there(&self, path: &Path) -> PathBuf {
        match self {
            Self::Machine(_) => path.to_owned(),
            Self::Mounted { folder, .. } => {
                path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |below| Path::new("/").join(below))
            }
        }
    }
}

/// What a scan says while it goes on.
#[derive(Debug, Clone, Copy)]
pub enum Progress {
    /// So many files and folders of source trees were walked over.
    Walked(usize),
    /// So many files were read, of so many.
    Read(usize, usize),
}

/// Scans.
///
/// # Errors
///
/// When the rules can't be used. Whatever is wrong with files is in the report.
pub fn scan(
    root: &Root,
    request: &Request,
    detection: &Detection,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, DetectionError> {
    let prefix = if request.is_fleet { format!("//{}/", request.stamp.origin) } else { String::new() };
    let naming = Naming { root, request, layout: request.layout.as_ref(), prefix };
    let mut search = find::Search::new(root, request.layout.as_ref());
    search.keeps_missing = request.known.is_none();
    search.places();
    search.given(&request.files);
    for tree in &request.trees {
        search.tree(&tidy(tree), progress);
    }
    for project in &request.projects {
        search.project(&tidy(project));
    }
    let first = search.take_new();
    let mut done = work::run(&naming, first, detection, progress)?;
    // Clients remember the folders that they were used in; the files there are theirs, too.
    let named: Vec<String> = done.iter().flat_map(work::Done::projects).map(str::to_owned).collect();
    if request.layout.is_some() {
        for folder in named {
            search.project(&root.path(&folder));
        }
        done.extend(work::run(&naming, search.take_new(), detection, progress)?);
    }
    done.sort_by(|a, b| a.item.path.cmp(&b.item.path));
    emit::report(&naming, request, &search, done, detection)
}

/// How paths are written in the document.
struct Naming<'r> {
    root: &'r Root,
    request: &'r Request,
    layout: Option<&'r Layout>,
    prefix: String,
}

impl Naming<'_> {
    fn home(&self, number: usize) -> Option<PathBuf> {
        self.layout.and_then(|layout| layout.homes.get(number)).map(|home| home.path.clone())
    }

    fn text(&self, path: &Path) -> String {
        let text = self.root.text(path);
        if self.prefix.is_empty() { text } else { format!("{}{}", self.prefix, text.trim_start_matches('/')) }
    }

    /// The path behind a text of [`Self::text`]; `None` for one of another machine.
    fn path(&self, text: &str) -> Option<PathBuf> {
        let text = if self.prefix.is_empty() {
            text.to_owned()
        } else {
            let rest = text.strip_prefix(&self.prefix)?;
            if rest.starts_with("C:") { rest.to_owned() } else { format!("/{rest}") }
        };
        Some(self.root.path(&text))
    }
}
