//! Looking at the world: what agents are given on a machine.
//!
//! Reads, judges with the rules, and writes what it saw as a document. Derives nothing and never writes to what it
//! looks at.

pub mod a2a;
mod address;
mod builder;
pub mod config;
mod detection;
pub mod host;
pub mod instructions;
pub mod inventory;
mod join;
mod json;
mod judge;
pub mod local;
pub mod lockdown;
pub mod mcp;
pub mod net;
pub mod network;
pub mod place;
pub mod process;
mod report;
mod secrets;

pub use builder::Stamp;
pub use detection::{Detection, DetectionError};
pub use join::{Allowed, join};
pub use report::{LookedAt, Problem, Report, What};
