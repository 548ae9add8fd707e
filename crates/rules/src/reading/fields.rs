//! Typed reading of the tree: every wrong type, unknown field and missing field becomes a problem.
//!
//! Each function answers `None` when it has reported a problem, and the caller goes on with the next field, so that one
//! reading finds all of them.

use super::pattern::Pattern;
use super::problem::{Complaint, Position, Problem, Problems, shown};
use super::suggest::nearest;
use super::tree::{self, Entry, Node, Value};
use crate::limits;

/// The fields of one mapping.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'t> {
    pub(crate) at: Position,
    entries: &'t [Entry],
    /// What the mapping is, for messages.
    what: &'static str,
}

impl<'t> Fields<'t> {
    /// The value of a field. Nothing (`key:` alone) counts as written, so that it is refused and not overlooked.
    pub(crate) fn get(&self, key: &str) -> Option<&'t Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// All of them, in the order of the file.
    pub(crate) fn entries(&self) -> &'t [Entry] {
        self.entries
    }

    /// Where a field's key stands, else where the mapping starts.
    pub(crate) fn place_of(&self, key: &str) -> Position {
        self.entries.iter().find(|entry| entry.key == key).map_or(self.at, |entry| entry.at)
    }
}

/// A list, with its limit and the words for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    /// The field that holds it.
    pub(crate) field: &'static str,
    /// The most entries it may have.
    pub(crate) most: usize,
}

/// Reads values and collects what is wrong with them.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) problems: Problems,
    /// Patterns were compiled when the rule was written, so that compiling them to see whether they can be is skipped.
    is_proven: bool,
    /// Size of the patterns that were compiled so far, together.
    compiled: usize,
}

/// Reads one file: a value if nothing is wrong with it, else everything that is wrong, in its order.
pub(crate) fn read_with<T>(
    mut reader: Reader,
    text: &str,
    understand: impl FnOnce(&mut Reader, &Node) -> Option<T>,
) -> Result<T, Vec<Problem>> {
    let value = tree::parse(text, &mut reader.problems).and_then(|root| understand(&mut reader, &root));
    let problems = reader.problems.into_sorted();
    match value {
        Some(value) if problems.is_empty() => Ok(value),
        _ => Err(problems),
    }
}

impl Reader {
    /// For a file that was read before: its patterns are taken to compile.
    pub(crate) fn proven() -> Self {
        Self { is_proven: true, ..Self::default() }
    }

    pub(crate) fn complain(&mut self, at: Position, complaint: Complaint) {
        self.problems.add(at, complaint);
    }

    /// The fields of a mapping, once every one of them is known.
    pub(crate) fn mapping<'t>(&mut self, node: &'t Node, what: &'static str) -> Option<Fields<'t>> {
        match &node.value {
            Value::Mapping(entries) => Some(Fields { at: node.at, entries, what }),
            other => {
                let message = format!("{what} must be a mapping of fields, not {}", other.kind());
                self.complain(node.at, Complaint::new(message));
                None
            }
        }
    }

    /// Reports the fields that are not among the known ones.
    pub(crate) fn only(&mut self, fields: &Fields<'_>, known: &[&str]) {
        for entry in fields.entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let message = format!("{} has no field {}", fields.what, shown(&entry.key));
            let near = nearest(&entry.key, known.iter().copied());
            // `{ a: one, two }` is two fields in YAML, the second without a value.
            let is_rest = entry.key.contains(' ') && matches!(entry.value.value, Value::Null);
            let otherwise = if is_rest {
                "quote text that holds a comma".to_owned()
            } else {
                format!("it has {}", known.join(", "))
            };
            self.complain(entry.at, Complaint::unknown(message, near, otherwise));
        }
    }

    /// The value of a field that must be there.
    pub(crate) fn required<'t>(&mut self, fields: &Fields<'t>, key: &str) -> Option<&'t Node> {
        let found = fields.get(key);
        if found.is_none() {
            self.complain(fields.at, Complaint::new(format!("{} needs the field `{key}`", fields.what)));
        }
        found
    }

    /// Text that is not blank and not longer than a limit.
    pub(crate) fn text<'t>(&mut self, node: &'t Node, field: &str, most: usize) -> Option<&'t str> {
        let text = self.any_text(node, field, most)?;
        if text.trim().is_empty() {
            self.complain(node.at, Complaint::new(format!("`{field}` is blank")));
            return None;
        }
        Some(text)
    }

    /// Text, even none, not longer than a limit.
    pub(crate) fn any_text<'t>(&mut self, node: &'t Node, field: &str, most: usize) -> Option<&'t str> {
        match &node.value {
            Value::Text(text) if text.len() > most => {
                let message = format!("`{field}` is longer than {most} bytes");
                self.complain(node.at, Complaint::new(message));
                None
            }
            Value::Text(text) => Some(text),
            other => self.mistyped(node, field, "text", other),
        }
    }

    /// True or false.
    pub(crate) fn boolean(&mut self, node: &Node, field: &str) -> Option<bool> {
        match &node.value {
            Value::Boolean(value) => Some(*value),
            other => self.mistyped(node, field, "true or false", other),
        }
    }

    /// A whole number within bounds.
    pub(crate) fn integer(&mut self, node: &Node, field: &str, bounds: std::ops::RangeInclusive<i64>) -> Option<i64> {
        match &node.value {
            Value::Integer(value) if bounds.contains(value) => Some(*value),
            Value::Integer(value) => {
                let message = format!("`{field}` must be from {} to {}, not {value}", bounds.start(), bounds.end());
                self.complain(node.at, Complaint::new(message));
                None
            }
            other => self.mistyped(node, field, "a whole number", other),
        }
    }

    /// A finite number for which the condition holds; the demand says the condition in words.
    pub(crate) fn number(&mut self, node: &Node, field: &str, demand: &str, holds: fn(f64) -> bool) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a threshold or weight beyond 2^53 is out of every range")]
        let value = match &node.value {
            Value::Integer(value) => *value as f64,
            Value::Number(value) => *value,
            other => return self.mistyped(node, field, "a number", other),
        };
        if value.is_finite() && holds(value) {
            return Some(value);
        }
        self.complain(node.at, Complaint::new(format!("`{field}` must be {demand}")));
        None
    }

    /// The entries of a list that has at least one.
    pub(crate) fn list<'t>(&mut self, node: &'t Node, list: List) -> Option<&'t [Node]> {
        let items = self.any_list(node, list)?;
        if items.is_empty() {
            self.complain(node.at, Complaint::new(format!("`{}` is empty", list.field)));
            return None;
        }
        Some(items)
    }

    /// The entries of a list, even of none.
    pub(crate) fn any_list<'t>(&mut self, node: &'t Node, list: List) -> Option<&'t [Node]> {
        let List { field, most } = list;
        match &node.value {
            Value::Sequence(items) if items.len() > most => {
                let message = format!("`{field}` has {} entries; at most {most} are allowed", items.len());
                self.complain(node.at, Complaint::new(message));
                None
            }
            Value::Sequence(items) => Some(items),
            Value::Text(text) => {
                let message = format!("`{field}` must be a list, not text");
                self.complain(
                    node.at,
                    Complaint::with_help(message, format!("write [{}]", shown(text).replace('`', ""))),
                );
                None
            }
            other => self.mistyped(node, field, "a list", other),
        }
    }

    /// Texts that are not blank and not longer than a limit.
    pub(crate) fn texts(&mut self, items: &[Node], field: &str, most: usize) -> Option<Vec<String>> {
        let texts: Vec<Option<String>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| self.text(item, &format!("{field}[{index}]"), most).map(str::to_owned))
            .collect();
        texts.into_iter().collect()
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(&mut self, node: &Node, field: &str, words: &[(&'static str, T)]) -> Option<T> {
        let text = self.text(node, field, usize::MAX)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("`{field}` cannot be {}", shown(text));
        let near = nearest(text, names.iter().copied());
        self.complain(node.at, Complaint::unknown(message, near, format!("it is one of {}", names.join(", "))));
        None
    }

    /// A pattern that compiles within the limits, those of all patterns of the file together among them.
    pub(crate) fn pattern(&mut self, node: &Node, pattern: &Pattern<'_>) -> Option<()> {
        if self.is_proven {
            return Some(());
        }
        if self.compiled > limits::RULE_COMPILED_BYTES {
            return None;
        }
        let ast = pattern.parse().map_err(|complaint| self.complain(node.at, complaint)).ok()?;
        let size = pattern.compiled_size(&ast);
        // A pattern that is refused here may have cost as much as the largest good one, so it counts as one.
        self.compiled += size.as_ref().map_or(limits::PATTERN_COMPILED_BYTES, |size| *size);
        size.map_err(|complaint| self.complain(node.at, complaint)).ok()?;
        if self.compiled > limits::RULE_COMPILED_BYTES {
            let most = limits::RULE_COMPILED_BYTES >> 10;
            let message = format!("the patterns of the rule take more than {most} KiB together when compiled");
            self.complain(node.at, Complaint::with_help(message, "later patterns are not checked"));
            return None;
        }
        Some(())
    }

    fn mistyped<T>(&mut self, node: &Node, field: &str, wanted: &str, found: &Value) -> Option<T> {
        let message = format!("`{field}` must be {wanted}, not {}", found.kind());
        let help = match (wanted, found) {
            ("text", Value::Boolean(_) | Value::Integer(_) | Value::Number(_)) => Some("put it in quotes"),
            ("text", _) => None,
            (_, Value::Text(text)) if is_plain_value(text) => Some("leave the quotes out"),
            _ => None,
        };
        self.complain(node.at, Complaint { message, help: help.map(str::to_owned) });
        None
    }
}

/// Whether a text would be a number or a boolean without its quotes.
fn is_plain_value(text: &str) -> bool {
    matches!(text, "true" | "false") || text.parse::<f64>().is_ok()
}
