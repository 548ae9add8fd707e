//! What things are: kinds, ids, properties, wire types, findings, and the hashes that hold them together.
//!
//! Every other room depends on this one and it depends on none. It is pure (no clock, no files, no randomness) and
//! deliberately small: a type belongs here when at least two rooms must agree on it.

pub mod canonical;
mod collector;
mod decision;
mod finding;
pub mod hash;
mod id;
mod kinds;
mod name_table;
mod properties;
mod triage;
pub mod wire;

pub use collector::Collector;
pub use decision::{RiskLevel, TrustLevel, Verdict};
pub use finding::{Direction, Finding, Fingerprint, FingerprintsFrom, Place, Severity, Standard, Step, Subject};
pub use id::{NodeId, a2a_base_url};
pub use kinds::{Anchor, EdgeKind, EdgeRole, Movement, NodeKind, NodeRole, Weight};
pub use properties::{PROPERTIES, Property, PropertyType, WATCHED_HASHES, WatchedHash, property_type};
pub use triage::{Mark, TriageState};
