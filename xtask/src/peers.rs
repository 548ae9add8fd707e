//! Servers and agents of others that tests talk to: installed once per lock file into the cache.
//!
//! What cannot be installed does not stop the other tests: those that need it are told why it is missing, and fail
//! with that.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use tracehound_model::hash;
use xtask::repository;

use crate::cache::{self, Install};
use crate::output;
use crate::process::{answer, program, run};

/// Which of them a chore needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What is installed in a minute.
    Small,
    /// The services too that bring half of a data centre with them.
    All,
}

impl Extent {
    /// The feature of the tests that switches on those which meet them.
    pub(crate) fn feature(self) -> &'static str {
        match self {
            Self::Small => "tracehound-peers/real",
            Self::All => "tracehound-peers/large",
        }
    }
}

/// Programs that one package manager installs together.
struct Set {
    name: &'static str,
    /// The file that pins every package, from the root of the repository.
    lock: &'static str,
    /// The variable that tells tests the folder; with [`MISSING`] behind it, why there is none.
    variable: &'static str,
    manager: Manager,
    /// What it takes on the disk, roughly, for whoever waits for it.
    megabytes: u32,
    /// The least that a chore asks for to get it.
    extent: Extent,
}

enum Manager {
    Npm,
    Pip,
}

const MISSING: &str = "_MISSING";

const SETS: &[Set] = &[
    Set {
        name: "npm",
        lock: "peers/npm/package-lock.json",
        variable: "TRACEHOUND_PEERS_NPM",
        manager: Manager::Npm,
        megabytes: 40,
        extent: Extent::Small,
    },
    Set::pip("mcp", "peers/python/mcp.txt", "TRACEHOUND_PEERS_MCP", 100),
    Set::pip("a2a", "peers/python/a2a.txt", "TRACEHOUND_PEERS_A2A", 90),
    Set::pip("jupyter", "peers/python/jupyter.txt", "TRACEHOUND_PEERS_JUPYTER", 80),
    Set::pip("schemathesis", "peers/python/schemathesis.txt", "TRACEHOUND_PEERS_SCHEMATHESIS", 90),
    Set::pip("langserve", "peers/python/langserve.txt", "TRACEHOUND_PEERS_LANGSERVE", 110).large(),
    Set::pip("litellm", "peers/python/litellm.txt", "TRACEHOUND_PEERS_LITELLM", 460).large(),
    Set::pip("mlflow", "peers/python/mlflow.txt", "TRACEHOUND_PEERS_MLFLOW", 390).large(),
];

/// Installs what is not there yet, and tells the tests that a command will run where everything is.
pub(crate) fn provide(command: &mut Command, extent: Extent) {
    for set in SETS.iter().filter(|set| extent == Extent::All || set.extent == Extent::Small) {
        match set.folder() {
            Ok(folder) => command.env(set.variable, folder),
            Err(error) => {
                let reason = format!("the {} peers cannot be installed: {error:#}", set.name);
                output::line(format_args!("{reason}; tests that need them will fail"));
                command.env(format!("{}{MISSING}", set.variable), reason)
            }
        };
    }
}

impl Set {
    const fn pip(name: &'static str, lock: &'static str, variable: &'static str, megabytes: u32) -> Self {
        Self { name, lock, variable, manager: Manager::Pip, megabytes, extent: Extent::Small }
    }

    const fn large(mut self) -> Self {
        self.extent = Extent::All;
        self
    }

    fn folder(&self) -> Result<PathBuf> {
        let lock = repository::root().join(self.lock);
        let pinned = std::fs::read(&lock).with_context(|| format!("cannot read `{}`", self.lock))?;
        let folder = format!("{}-{}-{}", self.name, self.manager.version()?, short(&hash::content(pinned)));
        let install = Install { below: &cache::root()?.join("peers"), folder: &folder, proof: self.manager.proof() };
        install.once(|root| {
            let Self { name, megabytes, .. } = self;
            output::line(format_args!("installing the {name} peers, about {megabytes} MB, once for every clone"));
            self.manager.install(&lock, root)
        })
    }
}

/// Enough of a hash to tell lock files apart.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

impl Manager {
    /// The interpreter's version, because what is installed for one may not run with another.
    fn version(&self) -> Result<String> {
        let (interpreter, needed) = match self {
            Self::Npm => ("node", "Node and npm are"),
            Self::Pip => (PYTHON, "Python 3.10 or later is"),
        };
        let version = answer(program(interpreter).arg("--version"))
            .with_context(|| format!("`{interpreter} --version` does not work; {needed} needed"))?;
        Ok(version.split_whitespace().last().unwrap_or("unknown").trim_start_matches('v').to_owned())
    }

    /// What is there after an install that worked.
    fn proof(&self) -> &'static Path {
        Path::new(match self {
            Self::Npm => "node_modules/.bin",
            Self::Pip => PROGRAM,
        })
    }

    fn install(&self, lock: &Path, root: &Path) -> Result<()> {
        match self {
            Self::Npm => install_npm(lock, root),
            Self::Pip => install_pip(lock, root),
        }
    }
}

/// No package's own scripts are run: the servers need none.
fn install_npm(lock: &Path, root: &Path) -> Result<()> {
    for name in ["package.json", "package-lock.json"] {
        let from = lock.with_file_name(name);
        std::fs::copy(&from, root.join(name)).with_context(|| format!("cannot copy `{}`", from.display()))?;
    }
    run(program("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(root))
}

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };
/// The interpreter within a virtual environment. Programs there know only the path that they were installed at, so
/// tests start modules instead.
const PROGRAM: &str = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };

fn install_pip(lock: &Path, root: &Path) -> Result<()> {
    run(program(PYTHON).args(["-m", "venv"]).arg(root))?;
    // Everything is pinned, so nothing is resolved, and a file may leave out what its server does without.
    let arguments = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"];
    run(program(root.join(PROGRAM)).args(arguments).arg(lock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned_and_no_registry_is_named() {
        for set in SETS {
            let text = std::fs::read_to_string(repository::root().join(set.lock)).unwrap();
            assert!(!text.contains("\"resolved\""), "{}", set.lock);
            for line in text.lines().filter(|line| matches!(set.manager, Manager::Pip) && !line.starts_with('#')) {
                assert!(line.contains("=="), "{}: {line}", set.lock);
            }
        }
    }

    #[test]
    fn what_is_large_is_installed_only_when_it_is_asked_for() {
        let large: Vec<&str> = SETS.iter().filter(|set| set.extent == Extent::All).map(|set| set.name).collect();
        assert_eq!(large, ["langserve", "litellm", "mlflow"]);
    }

    #[test]
    fn folders_are_told_apart_by_their_locks() {
        assert_eq!(short("0123456789abcdef"), "0123456789ab");
        assert_ne!(short(&hash::content("mcp==2.3.0")), short(&hash::content("mcp==2.3.1")));
    }
}
