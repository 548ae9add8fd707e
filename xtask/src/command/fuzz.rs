//! `cargo xtask fuzz`: the fuzz targets, which are a workspace of their own in the folder `fuzz`.

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::process::{answer, program, run as run_program};
use crate::steps::{self, Step};
use crate::tools::CARGO_FUZZ;
use xtask::repository;

/// What to fuzz, and for how long.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// The target [default: each in turn]
    target: Option<String>,
    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u32,
}

/// Runs one target or each, every target as a step.
pub(super) fn run(options: &Options) -> Result<()> {
    let folder = repository::root().join("fuzz");
    ensure!(folder.join("Cargo.toml").exists(), "`{}` has no fuzz targets", folder.display());
    let toolchain = nightly_toolchain()?;
    let tool = CARGO_FUZZ.program()?;
    let cargo_fuzz = || {
        let mut command = program("rustup");
        // `CARGO` names the cargo that runs this binary, which is not the nightly one.
        command.args(["run", &toolchain]).arg(&tool).current_dir(&folder).env_remove("CARGO");
        command
    };
    let known = answer(cargo_fuzz().arg("list")).context("cargo-fuzz cannot list the targets")?;
    let limit = format!("-max_total_time={}", options.seconds);
    let fuzz = |target| run_program(cargo_fuzz().args(["run", target, "--", &limit]));
    let targets = chosen(&known, options.target.as_deref())?.into_iter();
    steps::run(targets.map(|target| Step::new(target, move || fuzz(target))).collect())
}

/// The targets to run: the one that was named, or all.
fn chosen<'a>(known: &'a str, named: Option<&str>) -> Result<Vec<&'a str>> {
    let known: Vec<&str> = known.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let Some(named) = named else { return Ok(known) };
    match known.iter().find(|target| **target == named) {
        Some(target) => Ok(vec![target]),
        None => bail!("`{named}` is not a fuzz target; there are: {}", known.join(", ")),
    }
}

/// The nightly toolchain. Fuzzing instruments the code with compiler options that only a nightly compiler has.
fn nightly_toolchain() -> Result<String> {
    let toolchains = answer(program("rustup").args(["toolchain", "list"]))
        .context("fuzzing needs a nightly toolchain, which is looked for with rustup, and rustup is not installed")?;
    first_nightly(&toolchains)
        .context("fuzzing needs a nightly toolchain; `rustup toolchain install nightly` installs one")
}

/// The first nightly toolchain in rustup's list, whose lines go on with remarks such as "(default)".
fn first_nightly(toolchains: &str) -> Option<String> {
    let line = toolchains.lines().find(|line| line.starts_with("nightly"))?;
    line.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_every_target_runs() {
        assert_eq!(chosen("document\nrules\n", None).unwrap(), ["document", "rules"]);
    }

    #[test]
    fn a_name_chooses_one_target() {
        assert_eq!(chosen("document\nrules\n", Some("rules")).unwrap(), ["rules"]);
    }

    #[test]
    fn the_nightly_toolchain_is_found_by_name() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\nnightly-2026-05-01-x86_64-unknown-linux-gnu\n";
        assert_eq!(first_nightly(list).as_deref(), Some("nightly-2026-05-01-x86_64-unknown-linux-gnu"));
        assert_eq!(first_nightly("stable-x86_64-unknown-linux-gnu"), None);
    }

    #[test]
    fn an_unknown_target_is_refused_with_those_that_are() {
        let error = chosen("document\nrules\n", Some("rule")).unwrap_err();
        assert_eq!(error.to_string(), "`rule` is not a fuzz target; there are: document, rules");
    }
}
