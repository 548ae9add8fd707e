//! The only place that prints: what a chore says goes to standard output, why it failed to standard error.
//!
//! A reader that closes the pipe early must not turn a passing check into a failing one, so errors of printing are
//! dropped instead of stopping the chore, which the printing macros would do.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Prints one line.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Prints an error with all its causes.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "error: {error:#}");
}
