//! Starting commands that nobody vouches for, such as the servers that configurations name.
//!
//! A command gets an environment of its own, no terminal, and a keeper that ends it with everything that it started.
//! On Linux the keeper is our own program, executed again: it adopts whatever its descendants leave behind, and ends
//! them also when we are killed. Without `unsafe` nothing can run between a fork and the command, so what a command
//! must be born with is set in the keeper, which then starts it.

mod environment;
mod excerpt;
mod kept;
mod last_word;
mod launch;
mod program;
mod scratch;
mod warden;

#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod system;

pub use kept::{Ended, Kept, Started};
pub use launch::{Launch, StartError};
pub use system::supervise;
pub use warden::{Keeping, Sandboxing, Supervisor, Warden};

/// The first argument that makes our program a supervisor. Whoever starts our program with it gets [`supervise`].
pub const SUPERVISE: &str = "__supervise";
