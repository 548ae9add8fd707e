//! The collector of files, from what is on a disk to the document.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod corpus;
mod support;
mod systems;
