//! What happened: decisions, receipts, approvals and incidents, and the graph that they make.
//!
//! One thread writes and groups what it is given into transactions; nothing is acknowledged before it is durable. This
//! room records and proves. What may happen is decided elsewhere, who asks is known elsewhere.

pub mod detect;
mod error;
pub mod event;
pub mod identity;
mod moment;
mod token;

pub use error::Error;
pub use moment::{Clock, Moment};
pub use token::{AGENT_PREFIX, PERSON_PREFIX, Token, TokenHash};
