//! How a text changed, in a few lines that a person can read.
//!
//! Lines of the former text are marked `-`, of the latter `+`; what is alike is left out but for a little around each
//! change. Texts are shown as they are, without line breaks; whoever prints them escapes them.
//!
//! Growth: linear in both texts, but for the search for what is alike, which takes time with the square of what
//! differs. [`Effort`] bounds that over any number of differences; when it is spent, what differs is shown as replaced
//! from end to end. What is shown is bounded too, and says how much it leaves out.

mod effort;
mod json;
mod lines;
mod text;
mod words;

pub use effort::Effort;
pub use lines::{Line, Mark};

use lines::Lines;
use tracehound_model::{PropertyType, property_type};

/// How a property changed: by path where it holds JSON, by lines and words else. Nothing where it did not change.
#[must_use]
pub fn of_property(key: &str, before: &str, after: &str, effort: &mut Effort) -> Vec<Line> {
    let mut lines = Lines::default();
    let is_json = property_type(key) == Some(PropertyType::JsonText);
    if before != after && !(is_json && json::compare(before, after, &mut lines, effort)) {
        text::compare(before, after, &mut lines, effort);
    }
    lines.finish()
}

#[cfg(test)]
mod tests;
