//! What follows from what is known.
//!
//! Pure: a graph to read comes in, findings go out. No clock, no files, nothing random, so the same graph always gives
//! the same findings.

mod analysis;
pub mod basis;
mod changes;
pub mod choke;
pub mod derived;
pub mod difference;
pub mod findings;
pub mod flow;
mod holding;
pub mod naming;
pub mod overview;
mod picture;
pub mod processors;
pub mod questions;
pub mod routes;
pub mod scores;
pub mod search;
pub mod terrain;
pub mod walk;
pub mod what_if;
pub mod words;

pub use analysis::Analysis;
pub use changes::Changes;
pub use holding::holding;
pub use picture::Picture;
