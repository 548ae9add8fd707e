//! Where `cargo xtask` has put the servers and agents of others.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The MCP servers of npm.
pub(crate) fn npm() -> PathBuf {
    folder("TRACEHOUND_PEERS_NPM")
}

/// The interpreter with the MCP servers of PyPI and the SDK beside it.
pub(crate) fn mcp_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_MCP").join("bin/python")
}

/// The interpreter with the SDK of agents beside it.
pub(crate) fn a2a_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_A2A").join("bin/python")
}

/// The interpreter with Jupyter Server beside it.
pub(crate) fn jupyter_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_JUPYTER").join("bin/python")
}

/// The interpreter with what tries out described APIs beside it.
pub(crate) fn schemathesis_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_SCHEMATHESIS").join("bin/python")
}

/// The interpreter with LangServe beside it.
#[cfg(feature = "large")]
pub(crate) fn langserve_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_LANGSERVE").join("bin/python")
}

/// The interpreter with LiteLLM's proxy beside it.
#[cfg(feature = "large")]
pub(crate) fn litellm_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_LITELLM").join("bin/python")
}

/// The interpreter with MLflow beside it.
#[cfg(feature = "large")]
pub(crate) fn mlflow_python() -> PathBuf {
    folder("TRACEHOUND_PEERS_MLFLOW").join("bin/python")
}

/// A file of this package.
pub(crate) fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The names of a server's tools as the protocol's own SDK lists them, sorted.
pub(crate) fn tools_by_sdk(arguments: &[&str]) -> Vec<String> {
    let answer = Command::new(mcp_python()).arg(file("python/list_tools.py")).args(arguments).output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8(answer.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn folder(variable: &str) -> PathBuf {
    if let Ok(reason) = env::var(format!("{variable}_MISSING")) {
        panic!("{reason}");
    }
    let folder = env::var_os(variable).unwrap_or_else(|| panic!("`{variable}` is not set: run `cargo xtask peers`"));
    PathBuf::from(folder)
}
