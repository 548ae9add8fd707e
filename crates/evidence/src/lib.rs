//! What happened: decisions, receipts, approvals and incidents, and the graph that they make.
//!
//! One thread writes and groups what it is given into transactions; nothing is acknowledged before it is durable. This
//! room records and proves. What may happen is decided elsewhere, who asks is known elsewhere.

pub mod approval;
mod backup;
mod checking;
pub mod decision;
pub mod detect;
mod error;
pub mod event;
mod evidence;
pub mod graph;
pub mod identity;
pub mod incident;
pub mod mcp;
mod moment;
pub mod reading;
pub mod receipt;
mod record;
mod registry;
mod retention;
mod signing_key;
mod store;
mod token;

pub use backup::{Copied, back_up, restore};
pub use checking::{Checked, Watch};
pub use error::Error;
pub use evidence::{Evidence, FirstStart};
pub use moment::{Clock, Moment};
pub use registry::{Holder, PolicyVersion, Registry, Rulebook};
pub use retention::Dropped;
pub use store::ledger::{Ledger, NewPolicy, Order, Report, Step};
pub use token::{AGENT_PREFIX, PERSON_PREFIX, Token, TokenHash};
