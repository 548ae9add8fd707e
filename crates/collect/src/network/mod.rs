//! Looking at networks: which places a scan contacts, and which of them answer.

mod class;
mod plan;
mod ports;
mod span;
mod sweep;
mod targets;

pub use class::Class;
pub use plan::{Called, Draft, Host, Place, Plan, Refusal, Refused, Why, Wish, resolve};
pub use ports::{BadPorts, Ports};
pub use span::{Span, Spans};
pub use sweep::{Ended, Outcome, Progress, Settings, Sweep, Watch};
pub use targets::{BadTarget, BadTargets, Scheme, Targets, read_list};
