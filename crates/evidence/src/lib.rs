//! What happened: decisions, receipts, approvals and incidents, and the graph that they make.

pub mod receipt;
