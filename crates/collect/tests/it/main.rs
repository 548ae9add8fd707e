//! The collector of files, from what is on a disk to the document.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod corpus;
mod dialects;
mod emitted;
mod hostile;
mod lockdown;
mod secrets;
mod support;
mod systems;
