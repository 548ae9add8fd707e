//! The cache of what chores install: shared by every clone, keyed by version, each thing in it whole or not there.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context as _, Result, ensure};

/// The product's cache directory.
pub(crate) fn root() -> Result<PathBuf> {
    directory(Platform::HERE, |name| env::var_os(name))
}

/// Something that is installed into a folder of its own.
pub(crate) struct Install<'a> {
    /// Where the folders are.
    pub(crate) below: &'a Path,
    /// The folder's name, with the version in it.
    pub(crate) folder: &'a str,
    /// What is in the folder when the install has worked.
    pub(crate) proof: &'a Path,
}

impl Install<'_> {
    /// The folder; `install` is given an empty one to fill if it is not there.
    pub(crate) fn once(&self, install: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let home = self.below.join(self.folder);
        if home.join(self.proof).exists() {
            return Ok(home);
        }
        // The folder gets its name only when it is complete, so an interrupted install is never taken for a whole one.
        let partial = self.below.join(format!("partial-{}-{}", process::id(), self.folder));
        fs::create_dir_all(&partial).with_context(|| format!("cannot create `{}`", partial.display()))?;
        let installed = install(&partial).and_then(|()| self.put_in_place(&partial, &home));
        if partial.exists() {
            fs::remove_dir_all(&partial).with_context(|| format!("cannot remove `{}`", partial.display()))?;
        }
        installed.map(|()| home)
    }

    fn put_in_place(&self, partial: &Path, home: &Path) -> Result<()> {
        let proof = self.proof.display();
        ensure!(partial.join(self.proof).exists(), "`{}` was installed without `{proof}`", self.folder);
        match fs::rename(partial, home) {
            // Another clone may have finished the same install first; its result is as good.
            Err(_) if home.join(self.proof).exists() => Ok(()),
            renamed => renamed.with_context(|| format!("cannot move the install to `{}`", home.display())),
        }
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

/// Where they are on a platform, by its variables.
fn directory(platform: Platform, variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
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
