//! What a scan tells about itself: what was looked at, what was not, and why.

use serde::Serialize;
use tracehound_model::wire::Document;

use crate::config::Position;
use crate::mcp::Target;

/// What came of a scan.
#[derive(Debug)]
pub struct Report {
    /// What was seen.
    pub document: Document,
    /// The servers that may be asked, if they are to be; one may be defined in several places.
    pub targets: Vec<Target>,
    /// Every file that was read, by path.
    pub files: Vec<LookedAt>,
    /// What could not be read, or not be understood.
    pub problems: Vec<Problem>,
    /// The home folders that were looked into.
    pub homes: Vec<String>,
    /// How many places were looked at for files, whether or not anything was there.
    pub places: usize,
    /// Files and folders that were walked over in source trees.
    pub walked: usize,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LookedAt {
    /// Its path.
    pub path: String,
    /// What it is.
    #[serde(flatten)]
    pub what: What,
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// A client's configuration.
    Config {
        /// The clients that it sets up.
        clients: Vec<&'static str>,
        /// How many servers it defines that are not switched off.
        servers: usize,
        /// How many are.
        disabled: usize,
        /// Whether everything in it could be understood.
        is_understood: bool,
    },
    /// Standing instructions.
    Instructions {
        /// Their type.
        r#type: &'static str,
        /// Whether rules found something in them that instructions should not say.
        is_suspicious: bool,
    },
}

/// Something that stood in the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file or folder.
    pub path: String,
    /// Where in it, if it is about a place in a file.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// What is wrong.
    pub message: String,
    /// Whether the file could not be read at all.
    pub is_unread: bool,
}

impl Problem {
    pub(crate) fn at(path: &str, at: Position, message: String) -> Self {
        Self { path: path.to_owned(), at: Some(at), message, is_unread: false }
    }

    pub(crate) fn unread(path: &str, message: String) -> Self {
        Self { path: path.to_owned(), at: None, message, is_unread: true }
    }
}
