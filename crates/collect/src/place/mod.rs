//! Places: where on a machine files are looked for, from the templates of the tables.

mod finder;
mod homes;
mod ignored;
mod template;
mod walk;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) use finder::Finder;
pub(crate) use homes::HOMES;
pub use homes::{Home, Layout, Variables};
pub(crate) use template::{Place, Template, Whose};
pub(crate) use walk::walk;

use crate::host::ReadError;

/// The systems whose places we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Linux and its relatives.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl System {
    /// The system that we run on.
    #[must_use]
    pub const fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Macos
        } else {
            Self::Linux
        }
    }
}

/// A path as text, byte for byte where it is UTF-8, and otherwise with what is not as `\xNN`.
///
/// Two paths never share a text unless one of them has backslashes in its names.
pub(crate) fn path_text(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// A path without `.` and `..`, as far as that can be told from its text alone.
#[must_use]
pub fn tidy(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

/// Folders that are never entered on the way to anything: their content is somebody else's, or not a project's.
const SKIPPED: &[&str] = &[".git", "node_modules", ".hg", ".svn", ".venv", "__pycache__"];

fn is_skipped(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| SKIPPED.contains(&name))
}

/// What stood in the way of looking.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Blocked {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
}

impl Blocked {
    fn by(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), reason: ReadError::from(error).to_string() }
    }
}

#[cfg(test)]
mod tests;
