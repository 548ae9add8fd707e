//! Reading a whole file that somebody else may be changing, replacing or making endless.

use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use super::{Host, Kind};

/// Flags that keep opening a file from waiting, if it turned into a pipe or terminal since it was looked at.
#[cfg(unix)]
pub(super) const NEVER_WAIT: i32 = rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY).bits() as i32;

/// How often a file that changes while it is read is read again.
const ATTEMPTS: usize = 3;

/// Why there is no content.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// Nothing is there.
    #[error("there is no such file")]
    Missing,
    /// It is not ours to read.
    #[error("permission denied")]
    Denied,
    /// It is a folder.
    #[error("it is a directory, not a file")]
    Folder,
    /// It is a pipe, a socket or a device.
    #[error("it is a pipe, a socket or a device, not a file")]
    Special,
    /// It is larger than what is read.
    #[error("it is larger than {} MiB", .most >> 20)]
    TooLarge { most: u64 },
    /// It is a link that leads to itself, or one of many.
    #[error("too many links follow each other")]
    Links,
    /// It would not hold still.
    #[error("it changes while it is read")]
    Changing,
    /// Something else.
    #[error("{0}")]
    Other(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            io::ErrorKind::PermissionDenied => Self::Denied,
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => Self::Links,
            _ => Self::Other(error),
        }
    }
}

/// The content of a regular file of at most so many bytes.
pub(crate) fn read(host: &dyn Host, path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    for _ in 0..ATTEMPTS {
        if let Some(content) = read_once(host, path, most)? {
            return Ok(content);
        }
    }
    Err(ReadError::Changing)
}

/// The content, or nothing if it changed meanwhile.
fn read_once(host: &dyn Host, path: &Path, most: u64) -> Result<Option<Vec<u8>>, ReadError> {
    match host.kind(path)? {
        Kind::File => {}
        Kind::Folder => return Err(ReadError::Folder),
        Kind::Link | Kind::Special => return Err(ReadError::Special),
    }
    let mut file = host.open(path)?;
    let before = state(&file)?;
    if before.size > most {
        return Err(ReadError::TooLarge { most });
    }
    let mut content = Vec::with_capacity(usize::try_from(before.size).unwrap_or(0));
    // One byte more than allowed tells a file that grew from one that just fits.
    (&mut file).take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most {
        return Err(ReadError::TooLarge { most });
    }
    let is_same = before == state(&file)? && content.len() as u64 == before.size;
    Ok(is_same.then_some(content))
}

#[derive(PartialEq)]
struct State {
    size: u64,
    changed: Option<SystemTime>,
}

/// What the open file is now. It was looked at before it was opened, and may be something else since.
fn state(file: &std::fs::File) -> Result<State, ReadError> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::Special);
    }
    Ok(State { size: metadata.len(), changed: metadata.modified().ok() })
}
