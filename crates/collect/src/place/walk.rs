//! Walks a source tree for the files of projects, leaving out what its version control leaves out.
//!
//! Files that we look for are taken even if they are ignored, because that is where people put the ones with secrets;
//! ignored folders that have nothing to do with agents (dependencies, builds) are not entered. Links to folders are not
//! followed, so that no tree is endless.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

use super::finder::alternatives;
use super::ignored::{Ignored, Reader};
use super::{Blocked, is_skipped};
use crate::host::{Host, Kind};

/// Entries of a tree that are looked at.
const ENTRIES: usize = 10_000_000;
/// Names in one folder that are looked at.
const NAMES: usize = 1_000_000;
/// Files of a tree that are taken.
const FILES: usize = 200_000;
/// Folders within each other.
const DEPTH: usize = 128;
/// Folders of a tree in which links stand for folders of agents.
const LINKING: usize = 1_000;
/// Folders of a tree that could not be looked into and are told one by one.
const BLOCKED: usize = 1_000;
/// Threads that walk.
const THREADS: usize = 8;
/// Folders that hold what the kernel makes up, as seen from the root.
const NOT_ON_DISK: &[&str] = &["/proc", "/sys", "/dev"];

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Sorted.
    pub(crate) files: Vec<PathBuf>,
    /// Folders in which a folder of an agent is a link, sorted.
    pub(crate) linking: Vec<PathBuf>,
    pub(crate) entries: usize,
    pub(crate) blocked: Vec<Blocked>,
}

/// Walks a folder for files that some of the patterns name, wherever below it.
pub(crate) fn walk(
    host: &dyn Host,
    folder: &Path,
    patterns: &[&str],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Walked, globset::Error> {
    let reader = Reader::new(host);
    let start = Folder { path: folder.to_owned(), depth: 0, ignored: reader.above(folder) };
    let walk = Walk {
        host,
        wanted: Wanted::new(patterns)?,
        reader,
        progress,
        queue: Mutex::new(Queue { folders: vec![start], busy: 0 }),
        changed: Condvar::new(),
        entries: AtomicUsize::new(0),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let parts: Vec<Walked> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| walk.work())).collect();
        let own = walk.work();
        std::iter::once(own).chain(others.into_iter().map(|thread| thread.join().unwrap_or_default())).collect()
    });
    let mut all = Walked { entries: walk.entries.into_inner(), ..Walked::default() };
    for mut part in parts {
        all.files.append(&mut part.files);
        all.linking.append(&mut part.linking);
        all.blocked.append(&mut part.blocked);
    }
    Ok(all.tidy(folder))
}

impl Walked {
    fn tidy(mut self, folder: &Path) -> Self {
        let mut left_out = |reason: String| self.blocked.push(Blocked { path: folder.to_owned(), reason });
        if self.entries >= ENTRIES {
            left_out(format!("there are more than {ENTRIES} files and folders; the rest was left out"));
        }
        if self.files.len() > FILES {
            left_out(format!("there are more than {FILES} files to read; the rest was left out"));
        }
        self.linking.sort_unstable();
        self.linking.dedup();
        if self.linking.len() > LINKING {
            left_out(format!("there are more than {LINKING} links to folders of agents; the rest was left out"));
        }
        self.linking.truncate(LINKING);
        self.files.sort_unstable();
        self.files.truncate(FILES);
        self.blocked.sort();
        let more = self.blocked.len().saturating_sub(BLOCKED);
        if more > 0 {
            self.blocked.truncate(BLOCKED);
            let reason = format!("{more} more folders could not be looked into");
            self.blocked.push(Blocked { path: folder.to_owned(), reason });
        }
        self
    }
}

/// A folder to look into.
struct Folder {
    path: PathBuf,
    depth: usize,
    /// What the folders above leave out in it.
    ignored: Ignored,
}

/// The folders that were found and not yet looked into, and how many threads may still find more.
struct Queue {
    folders: Vec<Folder>,
    busy: usize,
}

struct Walk<'w> {
    host: &'w dyn Host,
    wanted: Wanted,
    reader: Reader<'w>,
    progress: &'w (dyn Fn(usize) + Sync),
    queue: Mutex<Queue>,
    changed: Condvar,
    entries: AtomicUsize,
}

impl Walk<'_> {
    /// Looks into folders until there are none left.
    fn work(&self) -> Walked {
        let mut found = Walked::default();
        while let Some(folder) = self.next() {
            let below = self.look(&folder, &mut found);
            let mut queue = self.queue();
            queue.folders.extend(below);
            queue.busy -= 1;
            self.changed.notify_all();
        }
        found
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder that was found last, so that a tree is gone down before it is gone along and few are waiting.
    fn next(&self) -> Option<Folder> {
        let mut queue = self.queue();
        loop {
            if self.entries.load(Ordering::Relaxed) >= ENTRIES {
                queue.folders.clear();
            }
            if let Some(folder) = queue.folders.pop() {
                queue.busy += 1;
                return Some(folder);
            }
            if queue.busy == 0 {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Looks into one folder; what is returned is to be looked into next.
    fn look(&self, folder: &Folder, found: &mut Walked) -> Vec<Folder> {
        let entries = match self.host.list(&folder.path, NAMES) {
            Ok(Some(entries)) => entries,
            Ok(None) => {
                let reason = format!("there are more than {NAMES} names in the folder");
                found.blocked.push(Blocked { path: folder.path.clone(), reason });
                return Vec::new();
            }
            Err(error) => {
                found.blocked.push(Blocked::by(&folder.path, error));
                return Vec::new();
            }
        };
        self.count(entries.len());
        let ignored = self.reader.within(&folder.ignored, &folder.path, &entries);
        let mut below = Vec::new();
        for entry in entries {
            let path = folder.path.join(&entry.name);
            match entry.kind {
                Kind::Folder if self.is_entered(&path, &entry.name, &ignored) => below.push(path),
                Kind::Folder => {}
                Kind::Link => self.link(&folder.path, path, found),
                Kind::File | Kind::Special if self.wanted.has_file(&path) => found.files.push(path),
                Kind::File | Kind::Special => {}
            }
        }
        if folder.depth == DEPTH && !below.is_empty() {
            let reason = format!("there are more than {DEPTH} folders within each other; the deeper were left out");
            found.blocked.push(Blocked { path: folder.path.clone(), reason });
            return Vec::new();
        }
        let depth = folder.depth + 1;
        below.into_iter().map(|path| Folder { path, depth, ignored: ignored.clone() }).collect()
    }

    /// A link to a file is taken; whoever reads it decides where it may lead. One in the place of an agent's folder is
    /// not walked, but the places in it that are known can be looked at.
    fn link(&self, folder: &Path, path: PathBuf, found: &mut Walked) {
        let (is_file, is_folder) = (self.wanted.has_file(&path), self.wanted.has_folder(&path));
        if !is_file && !is_folder {
            return;
        }
        let leads_to_folder = self.host.kind(&path).is_ok_and(|kind| kind == Kind::Folder);
        if leads_to_folder && is_folder {
            found.linking.push(folder.to_owned());
        } else if !leads_to_folder && is_file {
            found.files.push(path);
        }
    }

    fn is_entered(&self, path: &Path, name: &OsStr, ignored: &Ignored) -> bool {
        !is_skipped(name)
            && !NOT_ON_DISK.iter().any(|folder| path == Path::new(folder))
            && (self.wanted.has_folder(path) || !ignored.has(path))
    }

    fn count(&self, entries: usize) {
        const STEP: usize = 1024;
        let before = self.entries.fetch_add(entries, Ordering::Relaxed);
        if before / STEP != (before + entries) / STEP {
            (self.progress)(before + entries);
        }
    }
}

/// The files that are wanted, and the folders of agents that lead to them.
struct Wanted {
    files: GlobSet,
    folders: GlobSet,
    /// Names and endings of wanted files. Nearly all files of a tree have neither, and comparing a name takes a
    /// fraction of the time that comparing a path does.
    names: HashSet<String>,
    endings: HashSet<String>,
}

impl Wanted {
    fn new(patterns: &[&str]) -> Result<Self, globset::Error> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let (mut names, mut endings) = (HashSet::new(), HashSet::new());
        for pattern in patterns.iter().flat_map(|pattern| alternatives(pattern)) {
            let mut lead = String::from("**");
            let mut parts = pattern.split('/').peekable();
            while let Some(part) = parts.next_if(|part| *part != "**") {
                lead.push('/');
                lead.push_str(part);
                // Only folders of agents are entered although they are ignored: `src` in `src/.agent` is not one.
                let is_agents = lead.contains("/.");
                if is_agents && parts.peek().is_some() {
                    folders.push(lead.clone());
                    if parts.peek() == Some(&"**") {
                        folders.push(format!("{lead}/**"));
                    }
                }
            }
            let name = pattern.rsplit('/').next().unwrap_or(&pattern);
            match name.rsplit_once('.') {
                Some((_, ending)) if name.contains(['*', '?']) && !ending.contains(['*', '?']) => {
                    endings.insert(ending.to_owned());
                }
                _ if name.contains(['*', '?']) => {}
                _ => drop(names.insert(name.to_owned())),
            }
            files.push(format!("**/{pattern}"));
        }
        Ok(Self { files: set(files)?, folders: set(folders)?, names, endings })
    }

    fn has_file(&self, path: &Path) -> bool {
        self.may_have(path) && self.files.is_match_candidate(&Candidate::new(path))
    }

    /// Whether the name of a file, or that it is in the folder of an agent, speaks for it.
    fn may_have(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { return true };
        let has_ending = || name.rsplit_once('.').is_some_and(|(_, ending)| self.endings.contains(ending));
        // Patterns for whatever is in a folder are for folders of agents, whose names begin with a dot.
        self.names.contains(name)
            || has_ending()
            || path.as_os_str().as_encoded_bytes().windows(2).any(|pair| pair == b"/.")
    }

    fn has_folder(&self, path: &Path) -> bool {
        self.folders.is_match_candidate(&Candidate::new(path))
    }
}

fn set(mut globs: Vec<String>) -> Result<GlobSet, globset::Error> {
    globs.sort_unstable();
    globs.dedup();
    let mut builder = GlobSetBuilder::new();
    for glob in &globs {
        builder.add(GlobBuilder::new(glob).literal_separator(true).build()?);
    }
    builder.build()
}
