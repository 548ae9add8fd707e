//! The console: its packages, its own checks, its build, and the browser that its tests drive.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use xtask::repository;

use crate::output;
use crate::process::{answer, cargo, program, run};

/// Where Debian and its relatives put Chromium, and what else it is called.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Checks, tests and builds the console. Its types of the API have to be what the API's description says.
pub(crate) fn check() -> Result<()> {
    packages()?;
    run(&mut npm(&["run", "generate", "--", "../docs/openapi.json", "--check"]))?;
    for script in ["check", "test", "build"] {
        run(npm(&["run", script]).env("CI", "1"))?;
    }
    Ok(())
}

/// Drives the program through a browser. The console has to be built.
pub(crate) fn browse() -> Result<()> {
    packages()?;
    let chromium = chromium()?;
    run(&mut cargo(["build", "--locked", "--bin", "tracehound"]))?;
    let product = target().join("debug").join(format!("tracehound{}", std::env::consts::EXE_SUFFIX));
    ensure!(product.exists(), "`{}` is not there", product.display());
    run(npm(&["run", "test:browser"]).env("CI", "1").env("TRACEHOUND", product).env("CHROMIUM", chromium))
}

/// Measures how graphs are drawn, beside the bare renderer.
pub(crate) fn bench() -> Result<()> {
    packages()?;
    run(npm(&["run", "bench"]).env("CHROMIUM", chromium()?))
}

fn npm(arguments: &[&str]) -> std::process::Command {
    let mut command = program("npm");
    command.args(arguments).current_dir(ui());
    command
}

fn ui() -> PathBuf {
    repository::root().join("ui")
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository::root().join("target"), PathBuf::from)
}

/// Installs the packages that the lock file names, unless they are there.
fn packages() -> Result<()> {
    answer(program("npm").arg("--version")).context("`npm --version` does not work; the console needs Node and npm")?;
    // npm writes down what it installed; that it is newer than the lock file means that it has read it.
    let installed = changed(&ui().join("node_modules/.package-lock.json"));
    if installed.is_some() && installed > changed(&ui().join("package-lock.json")) {
        return Ok(());
    }
    run(&mut npm(&["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]))
}

fn changed(file: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(file).and_then(|file| file.modified()).ok()
}

/// Chromium, installed from Debian's packages if the machine has none and lets us.
fn chromium() -> Result<String> {
    let find = || CHROMIUM.into_iter().find_map(|name| answer(program("which").arg(name)));
    if let Some(found) = find() {
        return Ok(found.trim().to_owned());
    }
    output::line("installing Chromium from the system's packages");
    let installed = run(program("apt-get").args(["update", "-qq"])).and_then(|()| {
        let arguments = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
        run(program("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    });
    installed.context("Chromium can't be installed; the browser tests need it")?;
    Ok(find().context("Chromium was installed and is not there")?.trim().to_owned())
}
