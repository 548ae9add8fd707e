//! What follows from what is known.
//!
//! Pure: a graph to read comes in, findings go out. No clock, no files, nothing random, so the same graph always gives
//! the same findings.

pub mod difference;
pub mod findings;
pub mod flow;
