//! What can go wrong in this room, in words that name the place.

use std::io;
use std::path::PathBuf;

use crate::facts::Moment;
use crate::ingest::Problems;

/// Why something could not be done. Whatever it was, the store is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    #[error("cannot read the document")]
    Read {
        /// The operating system's reason.
        source: io::Error,
    },
    /// The input claims to be compressed but does not decompress.
    #[error("the document does not decompress as {format}")]
    Compressed {
        /// The format that it claims.
        format: &'static str,
        /// The decompressor's reason.
        source: io::Error,
    },
    /// The input is larger than allowed.
    #[error("the document is larger than {limit} bytes (see `ingest.max_document_bytes`)")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The input is not UTF-8.
    #[error("the document is not UTF-8: bad byte at line {line}, column {column}{hint}")]
    NotUtf8 {
        /// Line of the first bad byte, from one.
        line: usize,
        /// Column of the first bad byte, from one.
        column: usize,
        /// What it may be instead.
        hint: &'static str,
    },
    /// The input is not JSON, or not JSON of the wire format's shape.
    #[error("the document is not valid JSON in `{place}`")]
    Json {
        /// The member that was being read.
        place: String,
        /// The parser's reason, with line and column.
        source: serde_json::Error,
    },
    /// The document breaks rules of the wire format.
    #[error("{0}")]
    Invalid(Problems),
    /// Another document was ingested under the same scan id.
    #[error(
        "scan `{scan_id}` is already stored with other content (stored {stored}, given {given}); delete it first or use another scan id"
    )]
    ScanIdTaken {
        /// The scan id of both.
        scan_id: String,
        /// Hash of what is stored.
        stored: String,
        /// Hash of what was given.
        given: String,
    },
    /// No scan has this id.
    #[error("there is no scan `{scan_id}`{hint}")]
    NoSuchScan {
        /// The id that was asked for.
        scan_id: String,
        /// The closest id that exists, as a question.
        hint: String,
    },
    /// A text names no point in the life of the estate.
    #[error(
        "there is no scan `{text}`{hint}; a point is a scan id, a date such as 2026-11-01, a time such as 2026-11-01T09:00:00Z, or `now`"
    )]
    NoSuchPoint {
        /// What was given.
        text: String,
        /// The closest scan id that exists, as a question.
        hint: String,
    },
    /// A text that goes with a decision is too long.
    #[error("the {what} given for `{subject}` has {bytes} bytes, and at most {limit} are kept")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// What the decision is about.
        subject: String,
        /// The size of the text.
        bytes: usize,
        /// The largest that is allowed.
        limit: usize,
    },
    /// A decision would never be in force.
    #[error("the decision about `{subject}` would end at {expires}, which is not later than when it begins ({at})")]
    EndsBeforeItBegins {
        /// What the decision is about.
        subject: String,
        /// When it was made.
        at: Moment,
        /// When it would end.
        expires: Moment,
    },
    /// There is no store in the directory.
    #[error("there is no estate in `{path}`; ingest a document first", path = path.display())]
    NoEstate {
        /// The data directory.
        path: PathBuf,
    },
    /// The data directory can't be used.
    #[error("cannot use the data directory `{path}`", path = path.display())]
    DataDirectory {
        /// The data directory.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Another process is writing.
    #[error("`{path}` is in use by another tracehound process{holder}; wait for it or end it", path = path.display())]
    InUse {
        /// The data directory.
        path: PathBuf,
        /// Its process id, when known.
        holder: String,
    },
    /// The store was opened for reading only.
    #[error("the estate was opened for reading only")]
    ReadOnly,
    /// The store was written by a newer version.
    #[error("`{path}` was written by a newer version (its schema is {found}, this version knows up to {known}); update tracehound", path = path.display())]
    NewerSchema {
        /// The database file.
        path: PathBuf,
        /// The file's schema version.
        found: i64,
        /// The newest schema version known here.
        known: i64,
    },
    /// The file is not one of ours, or damaged.
    #[error("`{path}` is damaged or no estate: {what}", path = path.display())]
    Damaged {
        /// The database file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The disk is full.
    #[error("cannot write `{path}`: the disk is full; nothing was changed", path = path.display())]
    DiskFull {
        /// The database file.
        path: PathBuf,
    },
    /// The database failed.
    #[error("cannot {doing} `{path}`; nothing was changed", path = path.display())]
    Database {
        /// What was being done.
        doing: &'static str,
        /// The database file.
        path: PathBuf,
        /// The database's reason.
        source: rusqlite::Error,
    },
}
