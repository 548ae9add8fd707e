//! The server, asked as its callers ask it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod approvals;
mod authorize;
mod console;
mod damage;
mod estate_documents;
mod estate_findings;
mod estate_points;
mod estate_sample;
mod exploring;
mod faults;
mod gateway;
mod graph;
mod incidents;
mod isolation;
mod live;
mod mcp;
mod policies;
mod readiness;
