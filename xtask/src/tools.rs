//! Programs that chores need and cargo does not bring: found on the machine, else built once per version into a
//! cache that every clone shares.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context as _, Result, ensure};

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
        let tools = cache(Platform::HERE, |name| env::var_os(name))?.join("tools");
        self.in_cache(&tools, |root| self.install(root))
    }

    /// Whether the machine has this very version.
    fn is_on_the_path(&self) -> bool {
        answer(program(self.name).arg("--version"))
            .is_some_and(|text| text.split_whitespace().last() == Some(self.version))
    }

    /// The program in the cache; `install` is given an empty folder to fill if it is not there.
    fn in_cache(&self, tools: &Path, install: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let folder = format!("{}-{}", self.name, self.version);
        let home = tools.join(&folder);
        let program = self.program_in(&home);
        if program.exists() {
            return Ok(program);
        }
        // The folder gets its name only when it is complete, so an interrupted install is never taken for a tool.
        let partial = tools.join(format!("partial-{}-{folder}", process::id()));
        fs::create_dir_all(&partial).with_context(|| format!("cannot create `{}`", partial.display()))?;
        let installed = install(&partial).and_then(|()| self.put_in_place(&partial, &home));
        if partial.exists() {
            fs::remove_dir_all(&partial).with_context(|| format!("cannot remove `{}`", partial.display()))?;
        }
        installed.map(|()| program)
    }

    fn put_in_place(&self, partial: &Path, home: &Path) -> Result<()> {
        ensure!(self.program_in(partial).exists(), "`{}` was installed without a program of that name", self.name);
        match fs::rename(partial, home) {
            // Another clone may have finished the same install first; its result is as good.
            Err(_) if self.program_in(home).exists() => Ok(()),
            renamed => renamed.with_context(|| format!("cannot move the install to `{}`", home.display())),
        }
    }

    fn program_in(&self, folder: &Path) -> PathBuf {
        folder.join("bin").join(format!("{}{}", self.name, env::consts::EXE_SUFFIX))
    }

    fn install(&self, root: &Path) -> Result<()> {
        output::line(format_args!("installing {} {}, once for every clone", self.name, self.version));
        let arguments = ["install", self.name, "--locked", "--version", self.version, "--root"];
        run(cargo(arguments).arg(root)).with_context(|| format!("cannot install {} {}", self.name, self.version))
    }
}

/// What decides where a user's caches are.
#[derive(Clone, Copy)]
enum Platform {
    Unix,
    Mac,
    Windows,
}

impl Platform {
    const HERE: Self = if cfg!(target_os = "macos") {
        Self::Mac
    } else if cfg!(windows) {
        Self::Windows
    } else {
        Self::Unix
    };
}

/// The product's cache directory.
fn cache(platform: Platform, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(cache) = path("TRACEHOUND_CACHE") {
        return std::path::absolute(cache).context("`TRACEHOUND_CACHE` is not a path");
    }
    let user = match platform {
        Platform::Mac => path("HOME").map(|home| home.join("Library/Caches/tracehound")),
        Platform::Windows => path("LOCALAPPDATA").map(|local| local.join("tracehound").join("cache")),
        // The XDG rules say that a path which is not absolute is to be ignored.
        Platform::Unix => path("XDG_CACHE_HOME")
            .filter(|cache| cache.is_absolute())
            .or_else(|| path("HOME").map(|home| home.join(".cache")))
            .map(|cache| cache.join("tracehound")),
    };
    user.context("no cache directory is known; set `TRACEHOUND_CACHE`")
}

#[cfg(test)]
mod tests;
