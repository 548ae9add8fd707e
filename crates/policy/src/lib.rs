//! May this action happen: one pure decision.
