//! Walks a source tree for the files of projects, leaving out what its version control leaves out.
//!
//! Files that we look for are taken even if they are ignored, because that is where people put the ones with secrets;
//! ignored folders that have nothing to do with agents (dependencies, builds) are not entered.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::finder::{Blocked, alternatives};

/// Entries of a tree that are looked at.
const ENTRIES: usize = 10_000_000;
/// Files of a tree that are taken.
const FILES: usize = 200_000;
/// Folders within each other.
const DEPTH: usize = 128;
/// Folders that are never entered: their content is somebody else's, or not a project's.
const SKIPPED: &[&str] = &[".git", "node_modules", ".hg", ".svn", ".venv", "__pycache__"];

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// Sorted.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) entries: usize,
    pub(crate) blocked: Vec<Blocked>,
}

/// Walks a folder for files that some of the patterns name, wherever below it.
pub(crate) fn walk(folder: &Path, patterns: &[&str], progress: &(dyn Fn(usize) + Sync)) -> Walked {
    let wanted = match wanted(folder, patterns) {
        Ok(wanted) => wanted,
        Err(error) => {
            let blocked = Blocked { path: folder.to_owned(), reason: error.to_string() };
            return Walked { blocked: vec![blocked], ..Walked::default() };
        }
    };
    let entries = AtomicUsize::new(0);
    let found = Mutex::new(Walked::default());
    let mut builder = WalkBuilder::new(folder);
    builder
        .hidden(false)
        .parents(true)
        .require_git(false)
        .git_global(false)
        .follow_links(false)
        .max_depth(Some(DEPTH))
        .overrides(wanted)
        .filter_entry(|entry| !is_skipped(entry))
        .threads(std::thread::available_parallelism().map_or(1, usize::from).min(8));
    builder.build_parallel().run(|| {
        let mut own = Batch { found: &found, files: Vec::new() };
        let entries = &entries;
        Box::new(move |entry| {
            let seen = entries.fetch_add(1, Ordering::Relaxed) + 1;
            if seen.is_multiple_of(1024) {
                progress(seen);
            }
            match entry {
                // A link to a file is taken; whoever reads it decides where it may lead.
                Ok(entry) if entry.file_type().is_some_and(|kind| !kind.is_dir()) => own.files.push(entry.into_path()),
                Ok(_) => {}
                Err(error) => own.blocked(&error),
            }
            if seen >= ENTRIES { WalkState::Quit } else { WalkState::Continue }
        })
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.entries = entries.into_inner();
    if found.entries >= ENTRIES {
        let reason = format!("there are more than {ENTRIES} files and folders; the rest was left out");
        found.blocked.push(Blocked { path: folder.to_owned(), reason });
    }
    found.files.sort_unstable();
    if found.files.len() > FILES {
        let reason = format!("there are more than {FILES} files to read; the rest was left out");
        found.blocked.push(Blocked { path: folder.to_owned(), reason });
        found.files.truncate(FILES);
    }
    found.blocked.sort();
    found
}

/// What one thread found; handed over when the thread is done.
struct Batch<'f> {
    found: &'f Mutex<Walked>,
    files: Vec<PathBuf>,
}

impl Batch<'_> {
    fn blocked(&self, error: &ignore::Error) {
        let path = place_of(error).unwrap_or_default();
        let reason = match error.io_error() {
            Some(error) if error.kind() == std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            Some(error) => error.to_string(),
            None => error.to_string(),
        };
        if let Ok(mut found) = self.found.lock() {
            found.blocked.push(Blocked { path, reason });
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.files.append(&mut self.files);
        }
    }
}

fn place_of(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path.clone()),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => place_of(err),
        ignore::Error::Loop { child, .. } => Some(child.clone()),
        _ => None,
    }
}

fn is_skipped(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    is_folder && entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name))
}

/// The files that are wanted, and the folders that lead to them. Whatever is not named here and not a folder is left
/// out without being asked after.
fn wanted(folder: &Path, patterns: &[&str]) -> Result<Override, ignore::Error> {
    let mut builder = OverrideBuilder::new(folder);
    let mut globs: Vec<String> = Vec::new();
    for pattern in patterns.iter().flat_map(|pattern| alternatives(pattern)) {
        globs.push(format!("**/{pattern}"));
        let mut lead = String::from("**");
        for part in pattern.split('/').take_while(|part| *part != "**") {
            lead.push('/');
            lead.push_str(part);
            // Only folders of agents are entered although they are ignored.
            if lead.len() > 4 && part.starts_with('.') || lead.matches('/').count() > 1 {
                globs.push(format!("{lead}/"));
            }
        }
    }
    globs.sort_unstable();
    globs.dedup();
    for glob in &globs {
        builder.add(glob)?;
    }
    builder.build()
}
