//! The world as collectors see it: a file system to read, that of this machine or one that is mounted.
//!
//! Nothing here writes. Only regular files are ever opened, because opening a pipe waits and opening a device may do
//! something.

mod machine;
mod mounted;
mod read;

use std::ffi::OsString;
use std::fs::FileType;
use std::io;
use std::path::Path;

pub use machine::Machine;
pub(crate) use machine::is_own;
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

    /// What is in a folder, sorted by name; `None` when there is more than `most`.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>>;

    /// What tells a file or folder from every other, links followed; `None` where nothing is there, and on systems that
    /// do not say.
    fn identity(&self, path: &Path) -> Option<Identity>;
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name.
    pub name: OsString,
    /// What it is, links not followed.
    pub kind: Kind,
}

/// The device and the number on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
    fn of(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Some(Self(metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    fn of(_: &std::fs::Metadata) -> Option<Self> {
        None
    }
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link that was not followed.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl From<FileType> for Kind {
    fn from(r#type: FileType) -> Self {
        if r#type.is_file() {
            Self::File
        } else if r#type.is_dir() {
            Self::Folder
        } else if r#type.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

/// Collects entries up to a number, sorted.
fn sorted(entries: impl Iterator<Item = io::Result<Entry>>, most: usize) -> io::Result<Option<Vec<Entry>>> {
    let mut sorted = Vec::new();
    for entry in entries {
        if sorted.len() == most {
            return Ok(None);
        }
        sorted.push(entry?);
    }
    sorted.sort_unstable();
    Ok(Some(sorted))
}

/// What is in a folder of this machine.
fn list(folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        // What is gone before it could be looked at is nothing to be read.
        Ok(Entry { name: entry.file_name(), kind: entry.file_type().map_or(Kind::Special, Kind::from) })
    });
    sorted(entries, most)
}

#[cfg(test)]
pub(crate) mod tests;
