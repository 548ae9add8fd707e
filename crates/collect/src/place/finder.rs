//! Finds the files that a pattern below a folder names.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::host::{Host, Kind};

/// Names in one folder that are looked at.
const NAMES: usize = 20_000;
/// Folders within each other that `**` goes down.
const DEPTH: usize = 12;
/// Files that one pattern may name.
const FILES: usize = 10_000;
/// Folders that one pattern may look into.
const FOLDERS: usize = 20_000;

/// What stood in the way of looking.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Blocked {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

/// Looks for files. Remembers folders, because many patterns begin alike.
pub(crate) struct Finder<'h> {
    host: &'h dyn Host,
    lists: HashMap<PathBuf, Option<Vec<OsString>>>,
    /// Places that are not there, so that nothing is looked for below them.
    absent: HashMap<PathBuf, bool>,
    pub(crate) blocked: Vec<Blocked>,
}

/// What a pattern found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<PathBuf>,
    /// The path, if the pattern names a single one and nothing is there.
    pub(crate) missing: Option<PathBuf>,
}

impl<'h> Finder<'h> {
    pub(crate) fn new(host: &'h dyn Host) -> Self {
        Self { host, lists: HashMap::new(), absent: HashMap::new(), blocked: Vec::new() }
    }

    /// The files below a folder that a pattern names, sorted.
    pub(crate) fn find(&mut self, base: &Path, pattern: &str) -> Vec<Found> {
        alternatives(pattern).iter().map(|pattern| self.find_one(base, pattern)).collect()
    }

    fn find_one(&mut self, base: &Path, pattern: &str) -> Found {
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        let fixed = parts.iter().take_while(|part| !part.contains(['*', '?'])).count();
        let mut start = base.to_owned();
        start.extend(parts.iter().take(fixed));
        let rest = parts.get(fixed..).unwrap_or_default();
        let mut found = Found::default();
        // The folder that a pattern begins in is missing far more often than not.
        let parent = if rest.is_empty() { start.parent() } else { Some(start.as_path()) };
        if parent.is_some_and(|parent| self.is_absent(parent)) {
            found.missing = rest.is_empty().then_some(start);
            return found;
        }
        if rest.is_empty() {
            match self.host.kind(&start) {
                Err(error) if is_missing(&error) => found.missing = Some(start),
                // What is there but can't be read is told by whoever reads it.
                _ => found.files.push(start),
            }
            return found;
        }
        let mut walk = Walk { files: Vec::new(), folders: 0 };
        self.descend(&start, rest, DEPTH, &mut walk);
        if walk.folders >= FOLDERS || walk.files.len() >= FILES {
            let reason = format!("there is more here than {FOLDERS} folders or {FILES} files; the rest was left out");
            self.blocked.push(Blocked { path: start, reason });
        }
        walk.files.sort_unstable();
        walk.files.dedup();
        found.files = walk.files;
        found
    }

    fn is_absent(&mut self, path: &Path) -> bool {
        if let Some(known) = self.absent.get(path) {
            return *known;
        }
        // A folder below one that is not there is not there either.
        let is_absent = path.parent().is_some_and(|parent| self.absent.get(parent) == Some(&true))
            || self.host.kind(path).is_err_and(|error| is_missing(&error));
        self.absent.insert(path.to_owned(), is_absent);
        is_absent
    }

    fn descend(&mut self, folder: &Path, parts: &[&str], depth: usize, walk: &mut Walk) {
        let Some((part, rest)) = parts.split_first() else {
            walk.files.push(folder.to_owned());
            return;
        };
        if walk.folders >= FOLDERS || walk.files.len() >= FILES {
            return;
        }
        if *part == "**" {
            self.descend(folder, rest, depth, walk);
            if depth == 0 {
                return;
            }
            for name in self.list(folder, walk) {
                let path = folder.join(name);
                if self.host.kind(&path).is_ok_and(|kind| kind == Kind::Folder) {
                    self.descend(&path, parts, depth - 1, walk);
                }
            }
            return;
        }
        if !part.contains(['*', '?']) {
            let path = folder.join(part);
            if self.host.kind(&path).is_ok_and(|kind| rest.is_empty() == (kind != Kind::Folder)) {
                self.descend(&path, rest, depth, walk);
            }
            return;
        }
        for name in self.list(folder, walk) {
            if name.to_str().is_none_or(|name| !matches(part.as_bytes(), name.as_bytes())) {
                continue;
            }
            let path = folder.join(name);
            if self.host.kind(&path).is_ok_and(|kind| rest.is_empty() == (kind != Kind::Folder)) {
                self.descend(&path, rest, depth, walk);
            }
        }
    }

    fn list(&mut self, folder: &Path, walk: &mut Walk) -> Vec<OsString> {
        walk.folders += 1;
        if let Some(known) = self.lists.get(folder) {
            return known.clone().unwrap_or_default();
        }
        let names = match self.host.list(folder, NAMES) {
            Ok(Some(names)) => Some(names),
            Ok(None) => {
                let reason = format!("there are more than {NAMES} names in the folder");
                self.blocked.push(Blocked { path: folder.to_owned(), reason });
                None
            }
            Err(error) if is_missing(&error) => None,
            Err(error) => {
                let reason = if error.kind() == io::ErrorKind::PermissionDenied {
                    "permission denied".to_owned()
                } else {
                    error.to_string()
                };
                self.blocked.push(Blocked { path: folder.to_owned(), reason });
                None
            }
        };
        self.lists.insert(folder.to_owned(), names.clone());
        names.unwrap_or_default()
    }
}

struct Walk {
    files: Vec<PathBuf>,
    folders: usize,
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A pattern without `{a,b}`: one for each choice.
pub(super) fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![pattern.to_owned()] };
    let after = alternatives(after);
    let joined =
        choices.split(',').flat_map(|choice| after.iter().map(move |after| format!("{before}{choice}{after}")));
    joined.collect()
}

/// Whether a name fits a pattern with `*` and `?`. Takes time in the product of both lengths at most.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                n += 1;
            }
            Some(byte) if name.get(n) == Some(byte) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, eaten)) => {
                    star = Some((at, eaten + 1));
                    p = at + 1;
                    n = eaten + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|byte| *byte == b'*')
}
