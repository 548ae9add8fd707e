//! JSON, by path.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::effort::Effort;
use super::lines::{Lines, Mark};
use super::words;

/// A larger text is compared by lines.
const BYTES: usize = 1 << 20;

/// Adds how one JSON text became another; says whether both are JSON. An empty text is taken for an empty object.
pub(super) fn compare(before: &str, after: &str, lines: &mut Lines, effort: &mut Effort) -> bool {
    let (Some(old), Some(new)) = (read(before), read(after)) else { return false };
    if old == new {
        lines.push(Mark::Between, "written differently, but the same");
    }
    walk("", &old, &new, lines, effort);
    true
}

fn read(text: &str) -> Option<Value> {
    if text.is_empty() {
        return Some(Value::Object(Map::new()));
    }
    // The reader bounds the depth by itself.
    (text.len() <= BYTES).then(|| serde_json::from_str(text).ok())?
}

fn walk(path: &str, old: &Value, new: &Value, lines: &mut Lines, effort: &mut Effort) {
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => members(path, old, new, lines, effort),
        (Value::Array(old), Value::Array(new)) => items(path, old, new, lines, effort),
        (Value::String(old), Value::String(new)) if !lines.is_full() => {
            words::compare(old, new, &label(path), lines, effort);
        }
        _ => {
            one_sided(Mark::Removed, path, old, lines);
            one_sided(Mark::Added, path, new, lines);
        }
    }
}

fn members(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, lines: &mut Lines, effort: &mut Effort) {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let path = if path.is_empty() { segment(key) } else { format!("{path}.{}", segment(key)) };
        match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) => walk(&path, old, new, lines, effort),
            (Some(old), None) => one_sided(Mark::Removed, &path, old, lines),
            (None, Some(new)) => one_sided(Mark::Added, &path, new, lines),
            (None, None) => {}
        }
    }
}

/// Lists of equal length that hold more than plain values are compared place by place; else what came and went matters,
/// not where it stands.
fn items(path: &str, old: &[Value], new: &[Value], lines: &mut Lines, effort: &mut Effort) {
    let is_deep = old.iter().chain(new).any(|item| item.is_object() || item.is_array());
    if is_deep && old.len() == new.len() {
        for (number, (old, new)) in old.iter().zip(new).enumerate() {
            walk(&format!("{path}[{number}]"), old, new, lines, effort);
        }
        return;
    }
    let mut counts: BTreeMap<String, (i64, &Value)> = BTreeMap::new();
    for (step, item) in old.iter().map(|item| (-1, item)).chain(new.iter().map(|item| (1, item))) {
        counts.entry(item.to_string()).or_insert((0, item)).0 += step;
    }
    let path = format!("{path}[]");
    if counts.values().all(|(count, _)| *count == 0) {
        lines.push(Mark::Between, &format!("{}in another order", label(&path)));
    }
    for mark in [Mark::Removed, Mark::Added] {
        let sign = if mark == Mark::Removed { -1 } else { 1 };
        for (count, item) in counts.values().filter(|(count, _)| count.signum() == sign) {
            (0..count.abs()).for_each(|_| one_sided(mark, &path, item, lines));
        }
    }
}

fn one_sided(mark: Mark, path: &str, value: &Value, lines: &mut Lines) {
    if lines.is_full() {
        lines.leave_out(1);
    } else {
        words::whole(mark, &format!("{}{value}", label(path)), lines);
    }
}

fn label(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}: ") }
}

/// A key as part of a path; quoted where it could be taken for more than a key.
fn segment(key: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$');
    if !key.is_empty() && key.chars().all(is_plain) { key.to_owned() } else { Value::from(key).to_string() }
}
