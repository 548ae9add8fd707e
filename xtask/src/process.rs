//! Running other programs, cargo above all.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use xtask::repository;

use crate::output;

/// A program ran and was not satisfied.
#[derive(Debug)]
pub(crate) struct Failed {
    command: String,
    /// Its exit code, if it ended by itself.
    pub(crate) code: Option<i32>,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "`{}` ended with exit code {code}", self.command),
            None => write!(f, "`{}` was stopped by a signal", self.command),
        }
    }
}

impl std::error::Error for Failed {}

/// The cargo that runs this binary, in the root of the repository.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = program(env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")));
    command.args(arguments);
    command
}

/// Any program, in the root of the repository.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(repository::root());
    for (name, _) in env::vars_os().filter(|(name, _)| describes_this_package(name)) {
        command.env_remove(name);
    }
    command
}

/// Whether `cargo run` set this variable to describe xtask itself. Inherited, it would describe xtask to programs
/// that ask about the package they are started in.
fn describes_this_package(variable: &OsStr) -> bool {
    let Some(name) = variable.to_str() else { return false };
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || ["CARGO_BIN_NAME", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE"].contains(&name)
}

/// Runs a program with this one's terminal, after saying what is run.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    output::line(format_args!("$ {shown}"));
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if status.success() {
        return Ok(());
    }
    Err(Failed { command: shown, code: status.code() }.into())
}

/// What a program prints, or nothing if it cannot be started or fails.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let answer = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).into_owned())
}

/// The command line as somebody would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_says_of_this_package_is_not_inherited() {
        let kept: Vec<&str> = ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_TARGET_DIR", "CARGO_HOME", "RUSTFLAGS"]
            .into_iter()
            .filter(|name| !describes_this_package(OsStr::new(name)))
            .collect();
        assert_eq!(kept, ["CARGO_TARGET_DIR", "CARGO_HOME", "RUSTFLAGS"]);
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.args(["fmt", "--check"]);
        assert_eq!(shown(&command), "cargo fmt --check");
    }

    #[test]
    fn a_failing_program_hands_its_exit_code_on() {
        let error = run(&mut cargo(["no-such-subcommand"])).unwrap_err();
        let failed = error.downcast_ref::<Failed>().unwrap();
        assert_eq!(failed.code, Some(101));
        assert_eq!(failed.to_string(), "`cargo no-such-subcommand` ended with exit code 101");
    }

    #[test]
    fn a_program_that_is_not_there_gives_no_answer() {
        assert_eq!(answer(&mut program("no-such-program-on-any-machine")), None);
    }
}
