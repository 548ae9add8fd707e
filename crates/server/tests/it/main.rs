//! The server, asked as its callers ask it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test stops at the first surprise")]

mod approvals;
mod authorize;
mod damage;
mod gateway;
mod graph;
mod incidents;
mod isolation;
mod live;
mod mcp;
mod policies;
