//! The room as others meet it.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod small_verifier;
