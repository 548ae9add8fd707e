//! Programs that chores need and cargo does not bring: found on the machine, else built once per version into a
//! cache that every clone shares.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cache::{self, Install};
use crate::output;
use crate::process::{answer, cargo, program, run};

/// A cargo subcommand in one exact version, so that every machine judges alike.
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

/// Checks licences, bans and sources of the dependencies.
pub(crate) const CARGO_DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2" };
/// Builds and runs the fuzz targets.
pub(crate) const CARGO_FUZZ: Tool = Tool { name: "cargo-fuzz", version: "0.13.2" };

impl Tool {
    /// The program to run, installed first if need be.
    pub(crate) fn program(&self) -> Result<PathBuf> {
        if self.is_on_the_path() {
            return Ok(PathBuf::from(self.name));
        }
        let program = Path::new("bin").join(format!("{}{}", self.name, env::consts::EXE_SUFFIX));
        let folder = format!("{}-{}", self.name, self.version);
        let install = Install { below: &cache::root()?.join("tools"), folder: &folder, proof: &program };
        Ok(install.once(|root| self.install(root))?.join(program))
    }

    /// Whether the machine has this very version.
    fn is_on_the_path(&self) -> bool {
        answer(program(self.name).arg("--version"))
            .is_some_and(|text| text.split_whitespace().last() == Some(self.version))
    }

    fn install(&self, root: &Path) -> Result<()> {
        output::line(format_args!("installing {} {}, once for every clone", self.name, self.version));
        // They run for seconds, while optimising them takes minutes.
        let arguments = ["install", self.name, "--debug", "--locked", "--version", self.version, "--root"];
        run(cargo(arguments).arg(root)).with_context(|| format!("cannot install {} {}", self.name, self.version))
    }
}
