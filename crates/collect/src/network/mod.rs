//! Looking at networks: which places a scan contacts, and which of them answer.

mod class;
mod dialogue;
mod emit;
mod look;
mod named;
mod plan;
mod ports;
mod report;
mod scan;
mod span;
mod sweep;
mod targets;
mod watched;
mod write;

pub use class::Class;
pub use look::CARDS;
pub use plan::{Called, Draft, Host, Place, Plan, Refusal, Refused, Why, Wish, resolve};
pub use ports::{BadPorts, Ports};
pub use report::{Collected, Counts, OpenPlace, Service};
pub use scan::{MCP_PATHS, Means, Request, ScanError, collect};
pub use span::{Span, Spans};
pub use sweep::{Ended, Outcome, Progress, Settings, Sweep, Watch};
pub use targets::{BadTarget, BadTargets, Scheme, Targets, read_list};
