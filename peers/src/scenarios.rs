//! What the scenarios do, by where they step in.

pub(crate) mod cards;
pub(crate) mod content;
pub(crate) mod process;
pub(crate) mod service;
pub(crate) mod site;
pub(crate) mod wire;

pub(crate) use process::leave_the_session;

use std::time::Duration;

/// A gigabyte.
const GIGABYTE: u64 = 1 << 30;
/// The pause between two bytes of a peer that drips.
const DRIP: Duration = Duration::from_millis(100);
/// More levels than a parser that recurses survives.
const LEVELS: usize = 100_000;

/// Text that does things to terminals: clears the screen, sets the title, turns the reading direction, breaks the line.
const ESCAPES: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}evil\u{2066}\r\nok: clean\u{200b}";

/// Nested objects as text: one member in another.
fn nested(levels: usize) -> String {
    format!("{}{{}}{}", "{\"properties\":{\"a\":".repeat(levels / 2), "}}".repeat(levels / 2))
}
