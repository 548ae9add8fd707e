//! Finds the files that a pattern below a folder names.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Blocked, is_skipped};
use crate::host::{Entry, Host, Identity, Kind};

/// Names in one folder that are looked at.
const NAMES: usize = 20_000;
/// Folders within each other that `**` goes down.
const DEPTH: usize = 12;
/// Files that one pattern may name.
const FILES: usize = 10_000;
/// Folders that one pattern may look into, and names in them.
const FOLDERS: usize = 20_000;
const LOOKED_AT: usize = 200_000;
/// Names that are remembered for the patterns to come.
const REMEMBERED: usize = 200_000;

/// Looks for files. Remembers folders, because many patterns begin alike.
pub(crate) struct Finder<'h> {
    host: &'h dyn Host,
    lists: HashMap<PathBuf, Arc<[Entry]>>,
    remembered: usize,
    /// Folders on the way to places, so that nothing is looked for below one that can't be passed.
    ways: HashMap<PathBuf, Way>,
    pub(crate) blocked: Vec<Blocked>,
}

/// What a folder on the way to places is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Open,
    Absent,
    /// It can't be passed, which was told.
    Closed,
}

/// What a pattern found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) files: Vec<PathBuf>,
    /// The path, if the pattern names a single one and nothing is there.
    pub(crate) missing: Option<PathBuf>,
    /// The path, if the pattern names a single one and a folder is there.
    pub(crate) folder: Option<PathBuf>,
}

impl<'h> Finder<'h> {
    pub(crate) fn new(host: &'h dyn Host) -> Self {
        Self { host, lists: HashMap::new(), remembered: 0, ways: HashMap::new(), blocked: Vec::new() }
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
        match parent.map_or(Way::Open, |parent| self.way(parent)) {
            Way::Open => {}
            Way::Absent => {
                found.missing = rest.is_empty().then_some(start);
                return found;
            }
            Way::Closed => return found,
        }
        if rest.is_empty() {
            match self.host.kind(&start) {
                Ok(Kind::Folder) => found.folder = Some(start),
                Err(error) if is_missing(&error) => found.missing = Some(start),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => self.block(&start, error),
                // What is there but can't be read is told by whoever reads it.
                _ => found.files.push(start),
            }
            return found;
        }
        let mut walk = Walk::default();
        self.descend(&start, rest, DEPTH, &mut walk);
        if let Some(reason) = walk.cut() {
            self.blocked.push(Blocked { path: start, reason });
        }
        walk.files.sort_unstable();
        walk.files.dedup();
        found.files = walk.files;
        found
    }

    /// Looks for nothing below a folder that can't be passed, which somebody else tells.
    pub(crate) fn close(&mut self, folder: &Path) {
        self.ways.insert(folder.to_owned(), Way::Closed);
    }

    fn way(&mut self, path: &Path) -> Way {
        if let Some(known) = self.ways.get(path) {
            return *known;
        }
        let mut way = path.parent().map_or(Way::Open, |parent| self.way(parent));
        if way == Way::Open {
            way = match self.host.kind(path) {
                Ok(_) => Way::Open,
                Err(error) if is_missing(&error) => Way::Absent,
                Err(error) => {
                    self.block(path, error);
                    Way::Closed
                }
            };
        }
        self.ways.insert(path.to_owned(), way);
        way
    }

    /// Tells once what can't be looked at. If that is for want of permission, it is the folder that can't be passed.
    fn block(&mut self, path: &Path, error: io::Error) {
        let is_denied = error.kind() == io::ErrorKind::PermissionDenied;
        let blame = path.parent().filter(|_| is_denied).unwrap_or(path);
        if self.ways.insert(blame.to_owned(), Way::Closed) != Some(Way::Closed) {
            self.blocked.push(Blocked::by(blame, error));
        }
    }

    fn descend(&mut self, folder: &Path, parts: &[&str], depth: usize, walk: &mut Walk) {
        let Some((part, rest)) = parts.split_first() else {
            walk.files.push(folder.to_owned());
            return;
        };
        if walk.is_full() {
            return;
        }
        if *part == "**" {
            return self.descend_anywhere(folder, parts, depth, walk);
        }
        if !part.contains(['*', '?']) {
            let path = folder.join(part);
            let kind = self.host.kind(&path);
            return self.enter(&path, kind, rest, depth, walk);
        }
        for entry in self.list(folder, walk).iter() {
            if matches(part.as_bytes(), entry.name.as_encoded_bytes()) {
                let path = folder.join(&entry.name);
                let kind = self.follow(&path, entry.kind);
                self.enter(&path, kind, rest, depth, walk);
            }
        }
    }

    /// Looks for the rest of a pattern in a folder and everywhere below it.
    fn descend_anywhere(&mut self, folder: &Path, parts: &[&str], depth: usize, walk: &mut Walk) {
        // A link to a folder above would show the same files under ever longer names.
        let identity = self.host.identity(folder);
        if identity.is_some_and(|identity| !walk.seen.insert((identity, parts.len()))) {
            return;
        }
        self.descend(folder, parts.get(1..).unwrap_or_default(), depth, walk);
        for entry in self.list(folder, walk).iter().filter(|entry| !is_skipped(&entry.name)) {
            let is_leading = matches!(entry.kind, Kind::Folder | Kind::Link);
            let path = folder.join(&entry.name);
            if !is_leading || !self.follow(&path, entry.kind).is_ok_and(|kind| kind == Kind::Folder) {
                continue;
            }
            match depth.checked_sub(1) {
                Some(depth) => self.descend_anywhere(&path, parts, depth, walk),
                None => walk.is_deep = true,
            }
        }
    }

    /// Goes on with what is at a path, if it is what the rest of a pattern asks for.
    fn enter(&mut self, path: &Path, kind: io::Result<Kind>, rest: &[&str], depth: usize, walk: &mut Walk) {
        match kind {
            Ok(kind) if rest.is_empty() == (kind != Kind::Folder) => self.descend(path, rest, depth, walk),
            Ok(_) => {}
            Err(error) if is_missing(&error) => {}
            Err(error) => self.block(path, error),
        }
    }

    /// What a link leads to.
    fn follow(&self, path: &Path, kind: Kind) -> io::Result<Kind> {
        if kind == Kind::Link { self.host.kind(path) } else { Ok(kind) }
    }

    fn list(&mut self, folder: &Path, walk: &mut Walk) -> Arc<[Entry]> {
        if walk.is_full() {
            return Arc::default();
        }
        let entries = self.lists.get(folder).cloned().unwrap_or_else(|| self.look_into(folder));
        walk.folders += 1;
        walk.looked_at += entries.len();
        entries
    }

    fn look_into(&mut self, folder: &Path) -> Arc<[Entry]> {
        let entries: Arc<[Entry]> = match self.host.list(folder, NAMES) {
            Ok(Some(entries)) => entries.into(),
            Ok(None) => {
                let reason = format!("there are more than {NAMES} names in the folder");
                self.blocked.push(Blocked { path: folder.to_owned(), reason });
                Arc::default()
            }
            Err(error) => {
                if !is_missing(&error) {
                    self.blocked.push(Blocked::by(folder, error));
                }
                Arc::default()
            }
        };
        if self.remembered < REMEMBERED {
            self.remembered += entries.len().max(1);
            self.lists.insert(folder.to_owned(), Arc::clone(&entries));
        }
        entries
    }
}

/// What one pattern came across.
#[derive(Default)]
struct Walk {
    files: Vec<PathBuf>,
    folders: usize,
    looked_at: usize,
    /// Folders that `**` went through, with how much of the pattern was left there.
    seen: HashSet<(Identity, usize)>,
    /// Whether there are folders that were too deep to be entered.
    is_deep: bool,
}

impl Walk {
    fn is_full(&self) -> bool {
        self.folders >= FOLDERS || self.looked_at >= LOOKED_AT || self.files.len() >= FILES
    }

    /// What was left out, if anything may have been.
    fn cut(&self) -> Option<String> {
        if self.is_full() {
            let most = format!("{FOLDERS} folders, {LOOKED_AT} names or {FILES} files");
            return Some(format!("there is more here than {most}; the rest was left out"));
        }
        self.is_deep.then(|| format!("there are more than {DEPTH} folders within each other; the deeper were left out"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        for (pattern, name, expected) in [
            ("*.md", "a.md", true),
            ("*.md", ".md", true),
            ("*.md", "a.mdc", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*", "", true),
            ("a*b*", "a\nb\u{1b}[2J", true),
            ("?*?", "x", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
        let (stars, name) = ("a*".repeat(100), "a".repeat(100_000));
        assert!(
            matches(stars.as_bytes(), name.as_bytes()) && !matches(format!("{stars}b").as_bytes(), name.as_bytes())
        );
    }

    #[test]
    fn a_pattern_with_choices_is_one_for_each() {
        assert_eq!(alternatives("a/{b,c}.{d,e}"), ["a/b.d", "a/b.e", "a/c.d", "a/c.e"]);
        assert_eq!(alternatives("a{b"), ["a{b"]);
    }
}
