//! Where the repository is.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository that this binary belongs to.
#[must_use]
pub fn root() -> PathBuf {
    // Cargo says at run time where the package is, which stays right when a built binary is moved to another clone.
    let package =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}
