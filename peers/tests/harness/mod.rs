//! Running the product's binary as a user does, in a place of its own, and watching what it leaves behind.

mod graph;
mod mark;
pub(crate) mod place;
mod server;

pub(crate) use graph::{Graph, texts};
pub(crate) use mark::Mark;
pub(crate) use place::Place;
pub(crate) use server::Server;

use std::path::{Path, PathBuf};

/// The server that misbehaves.
pub(crate) fn bad_peer() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_bad-peer"))
}

/// The product, as it was built beside the server.
pub(crate) fn tracehound() -> PathBuf {
    let binary = bad_peer().with_file_name(format!("tracehound{}", std::env::consts::EXE_SUFFIX));
    assert!(binary.exists(), "`{}` is not built: run `cargo build --workspace --bins`", binary.display());
    binary
}
