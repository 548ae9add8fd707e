//! What we know: the scan log, the fold that makes a graph of it, and read-only views.
//!
//! The scan log is the truth: immutable documents in one database file. Everything else is a function of it. Facts are
//! the log in compact columns, a fold says which of them are live at a point, a [`Graph`] is a view of the live ones
//! for others to read. Beside the log stand the decisions of people (triage, marks): only ever added to, and no scan
//! brings or takes any. This room judges nothing that it stores.

mod alone;
mod bag;
mod decode;
mod diff;
mod error;
mod estate;
mod export;
mod facts;
mod fold;
mod graph;
mod ingest;
mod keys;
mod labels;
mod limits;
mod looks;
mod packed_id;
mod pool;
mod snapshot;
mod store;
mod varint;

pub use alone::graph_of;
pub use bag::PropertyValue;
pub use decode::read_document;
pub use diff::{Changed, Difference, EdgeSummary, NodeSummary, PropertyChange};
pub use error::Error;
pub use estate::triage::{MarkDecision, MarkRecord, Triage, TriageDecision, TriageRecord};
pub use estate::{Acknowledgement, Estate, Ingested};
pub use export::{ExportOptions, export};
pub use facts::{Added, Moment, ScanRecord};
pub use fold::Point;
pub use graph::{
    Acknowledged, Adjacency, Change, EdgeIx, EdgeRef, Graph, Hidden, Neighbours, NodeIx, NodeRef, Rewrite, Unplaceable,
    Unplaced, View,
};
pub use ingest::{Problem, Problems, Warning, WarningCode, check_document};
pub use limits::Limits;
pub use store::Access;
pub use store::copy::{back_up, restore};
pub use store::open::Owner;
