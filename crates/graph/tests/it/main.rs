//! The room as its users see it: documents in, graphs out, and a store that survives what can happen to it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops at the first surprise")]

mod changes;
mod duplicates;
mod estate;
mod lifetimes;
mod naive;
mod owners;
mod properties;
mod random;
mod reference;
mod snapshots;
mod store;
mod time;
mod triage;
