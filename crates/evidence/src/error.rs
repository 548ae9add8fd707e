//! What can go wrong in this room, in words that name the place.

use std::io;
use std::path::PathBuf;

/// Why something could not be done. Whatever it was, the store is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The machine has no randomness to give.
    #[error("the operating system gives no random numbers")]
    Randomness {
        /// The operating system's reason.
        source: getrandom::Error,
    },
    /// The data directory can't be used.
    #[error("cannot use the data directory `{path}`")]
    DataDirectory {
        /// The directory.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Another process has the store.
    #[error("the evidence in `{path}` is in use{holder}")]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Who has it, in brackets, if it is known.
        holder: String,
    },
    /// The file is not one of ours, or of a later version.
    #[error("`{path}` is not an evidence store that this version can use: {why}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The store failed. Nothing was written.
    #[error("cannot {doing} the evidence store")]
    Store {
        /// What was tried.
        doing: &'static str,
        /// The database's reason.
        source: rusqlite::Error,
    },
    /// The store holds something that it can't hold.
    #[error("the evidence store is damaged: {what}")]
    Damaged {
        /// What was found.
        what: String,
    },
    /// The signing key can't be used. Nothing is recorded unsigned.
    #[error("cannot use the signing key `{path}`: {why}")]
    SigningKey {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What was handed in could not be made durable. Nothing of it counts.
    #[error("the record could not be written: {why}")]
    Unavailable {
        /// What was in the way.
        why: String,
    },
    /// The thread that writes has ended.
    #[error("the evidence store is closed")]
    Closed,
    /// What a decision rested on changed before it was recorded.
    #[error("what the decision rests on has changed meanwhile")]
    Stale,
    /// There is no such thing, as far as this tenant is concerned.
    #[error("there is no {what} `{id}`")]
    Unknown {
        /// What sort of thing.
        what: &'static str,
        /// What was asked for.
        id: String,
    },
    /// It can't be done in the state that things are in.
    #[error("{message}")]
    Conflict {
        /// A stable code.
        code: &'static str,
        /// What is in the way and what to do.
        message: String,
    },
    /// What was given can't be right.
    #[error("{message}")]
    Invalid {
        /// A stable code.
        code: &'static str,
        /// What is wrong and what to do.
        message: String,
    },
}

impl Error {
    pub(crate) fn unknown(what: &'static str, id: &str) -> Self {
        Self::Unknown { what, id: id.to_owned() }
    }
}
