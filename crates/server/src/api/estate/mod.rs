//! Estates: documents in, scans, what differs between points, findings and what people think of them.

pub(crate) mod diff;
pub(crate) mod documents;
pub(crate) mod finding;
pub(crate) mod findings;
pub(crate) mod marks;
pub(crate) mod scans;
pub(crate) mod summary;
pub(crate) mod triage;

use crate::caller::{Caller, Who};
use crate::problem::Problem;

/// Longest text of a filter or an id, in bytes.
const LONGEST: usize = 4_096;
/// How many entries of a list are usual.
const PAGE: usize = 100;
/// Most entries of a list.
const MOST: usize = 1_000;

/// How many entries are given.
fn limit(asked: Option<usize>) -> usize {
    asked.unwrap_or(PAGE).clamp(1, MOST)
}

/// Who says something. Whoever holds the data directory may speak for somebody else, as their commands do.
fn author(caller: &Caller, named: Option<String>) -> Result<String, Problem> {
    match (named, &caller.who) {
        (None, _) => Ok(caller.name().to_owned()),
        (Some(named), Who::Operator) if !named.trim().is_empty() => Ok(named),
        (Some(_), Who::Operator) => Err(Problem::invalid("bad_author", "a decision needs somebody who made it")),
        (Some(_), _) => Err(Problem::forbidden("only whoever holds the data directory may speak for somebody else")),
    }
}

/// A text that comes in an address, if it is of a length that can be meant.
fn check_length(name: &str, text: Option<&str>) -> Result<(), Problem> {
    if text.is_some_and(|text| text.len() > LONGEST) {
        return Err(Problem::invalid("too_long", format!("`{name}` is longer than {LONGEST} bytes")));
    }
    Ok(())
}

/// Where a page ended that is not a place in this list any more.
fn bad_cursor() -> Problem {
    let detail =
        "the cursor is no place in this list; it may have changed since the page before: ask for the first page";
    Problem::invalid("bad_cursor", detail)
}
