//! How contents changed, for people.

use serde_json::Value;
use tracehound_analyze::difference::{self, Effort};
use tracehound_graph::PropertyChange;
use tracehound_model::{PropertyType, WATCHED_HASHES, property_type};

use crate::output::{safe, shortened};

/// How much of a value is shown that stands on one line with its former one.
const VALUE: usize = 100;
/// A longer text is shown by what differs in it.
const LONG: usize = 60;

/// The lines for properties that changed: short values beside each other, long texts by what differs in them.
pub(super) fn properties(changes: &[PropertyChange], effort: &mut Effort) -> Vec<String> {
    let mut lines = Vec::new();
    for change in changes.iter().filter(|change| !only_follows(change, changes)) {
        match texts(change) {
            Some((before, after)) => {
                lines.push(format!("{}:", safe(&change.key)));
                lines.extend(of_texts(&change.key, before, after, effort).iter().map(|line| format!("  {line}")));
            }
            None => lines.push(short(change)),
        }
    }
    lines
}

/// The lines for a content that changed.
pub(super) fn of_texts(key: &str, before: &str, after: &str, effort: &mut Effort) -> Vec<String> {
    difference::of_property(key, before, after, effort).iter().map(|line| safe(&line.to_string())).collect()
}

/// Whether a hash changed only because what it is over did, which is shown by itself.
fn only_follows(change: &PropertyChange, changes: &[PropertyChange]) -> bool {
    let has_changed = |key: &str| changes.iter().any(|other| other.key == key);
    let watched = WATCHED_HASHES.iter().find(|watched| watched.hash == change.key);
    // The hash of a tool's description is over its schema, too.
    watched.is_some_and(|watched| {
        has_changed(watched.content) || (watched.content == "description" && has_changed("input_schema"))
    })
}

/// Both texts of a change that is too long for one line. A text that was not there is empty.
fn texts(change: &PropertyChange) -> Option<(&str, &str)> {
    fn text(value: &Option<Value>) -> Option<&str> {
        value.as_ref().map_or(Some(""), Value::as_str)
    }
    let is_long = |text: &str| text.contains('\n') || text.chars().nth(LONG).is_some();
    let (before, after) = (text(&change.before)?, text(&change.after)?);
    let is_json = property_type(&change.key) == Some(PropertyType::JsonText);
    (is_json || is_long(before) || is_long(after)).then_some((before, after))
}

fn short(change: &PropertyChange) -> String {
    let value = |value: &Option<Value>| match value {
        None => "(none)".to_owned(),
        Some(value) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            shortened(&text, VALUE)
        }
    };
    format!("{}: {} -> {}", safe(&change.key), value(&change.before), value(&change.after))
}
