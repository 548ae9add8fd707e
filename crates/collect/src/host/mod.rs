//! The world as collectors see it: a file system to read, that of this machine or one that is mounted.
//!
//! Nothing here writes. Only regular files are ever opened, because opening a pipe waits and opening a device may do
//! something.

mod machine;
mod mounted;
mod read;

use std::ffi::OsString;
use std::io;
use std::path::Path;

pub use machine::Machine;
pub use mounted::Mounted;
pub(crate) use read::{ReadError, read};

/// A file system. Paths are absolute, as programs on that machine would write them.
pub trait Host: Sync {
    /// What is at a path, links followed.
    ///
    /// # Errors
    ///
    /// When nothing is there or it can't be looked at.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// Opens a regular file for reading, without waiting for anything.
    ///
    /// # Errors
    ///
    /// When it can't be opened.
    fn open(&self, path: &Path) -> io::Result<std::fs::File>;

    /// The names in a folder, sorted; `None` when there are more than `most`.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<OsString>>>;
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A pipe, a socket or a device.
    Special,
}

impl Kind {
    fn of(is_file: bool, is_folder: bool) -> Self {
        match (is_file, is_folder) {
            (true, _) => Self::File,
            (_, true) => Self::Folder,
            _ => Self::Special,
        }
    }
}

/// Collects names up to a number, sorted.
fn names(entries: impl Iterator<Item = io::Result<OsString>>, most: usize) -> io::Result<Option<Vec<OsString>>> {
    let mut names = Vec::new();
    for name in entries {
        if names.len() == most {
            return Ok(None);
        }
        names.push(name?);
    }
    names.sort_unstable();
    Ok(Some(names))
}
