//! YAML text as a small tree in which everything knows its place.
//!
//! A rule needs plain YAML only. Anchors, aliases, tags, directives and further documents are refused, so an alias
//! bomb ends at its first anchor and nothing is ever expanded. Types follow the core schema of YAML 1.2: `yes` is text.

use serde_saphyr::granit_parser::{ErrorKind, Event, Marker, Options, Parser, ScalarStyle, ScanError, StrInput};

use super::problem::{Complaint, Position, Problems, shown};
use crate::limits;

/// A value and where it stands.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
}

/// A value.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    Sequence(Vec<Node>),
    /// In the order of the file; no key stands twice.
    Mapping(Vec<Entry>),
}

/// One line of a mapping.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) at: Position,
    pub(crate) key: String,
    pub(crate) value: Node,
}

impl Value {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) | Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Sequence(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

/// Reads one document. A duplicate key is a problem and its value is dropped; everything else ends the reading.
pub(crate) fn parse(text: &str, problems: &mut Problems) -> Option<Node> {
    if text.len() > limits::FILE_BYTES {
        let message = format!("a rule file may be at most {} KiB", limits::FILE_BYTES >> 10);
        problems.add(Position::START, Complaint::new(message));
        return None;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut options = Options::default();
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    let mut builder = Builder { problems, open: Vec::new(), root: None, nodes: 0 };
    for event in Parser::with_options(StrInput::new(text), options) {
        let outcome = match event {
            Ok((event, span)) => {
                let at = position(&span.start);
                builder.take(event, at).map_err(|complaint| (at, complaint))
            }
            Err(error) => Err((position(error.marker()), syntax(&error))),
        };
        if let Err((at, complaint)) = outcome {
            builder.problems.add(at, complaint);
            return None;
        }
    }
    let root = builder.root.take();
    if root.is_none() {
        problems.add(Position::START, Complaint::new("the file is empty"));
    }
    root
}

fn position(marker: &Marker) -> Position {
    // A file is small, so both fit; if they did not, the place of a problem would be off and nothing else.
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position { line: narrow(marker.line().max(1)), column: narrow(marker.col().saturating_add(1)) }
}

fn syntax(error: &ScanError) -> Complaint {
    match error.kind() {
        ErrorKind::RecursionLimitExceeded => too_deep(),
        ErrorKind::DirectiveDisallowed => Complaint::new("directives (`%`) are not allowed in a rule file"),
        kind => Complaint::new(format!("not YAML: {kind}")),
    }
}

fn too_deep() -> Complaint {
    Complaint::new(format!("the file is nested deeper than {} levels", limits::YAML_DEPTH))
}

/// Puts events together. Works with a stack of its own, so that depth in a file is not depth on ours.
struct Builder<'p> {
    problems: &'p mut Problems,
    open: Vec<Open>,
    root: Option<Node>,
    nodes: usize,
}

/// A sequence or mapping whose end has not come.
enum Open {
    Sequence { at: Position, items: Vec<Node> },
    Mapping { at: Position, entries: Vec<Entry>, key: Option<(String, Position)> },
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, at: Position) -> Result<(), Complaint> {
        if event.anchor_id().is_some() || matches!(event, Event::Alias(..) | Event::UnresolvedAlias(..)) {
            return Err(Complaint::new("anchors (`&`) and aliases (`*`) are not allowed in a rule file"));
        }
        if event.tag().is_some() {
            return Err(Complaint::with_help("tags (`!`) are not allowed in a rule file", "quote text that starts so"));
        }
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                Err(Complaint::new("a rule file holds one rule, but here starts another document"))
            }
            Event::Scalar(text, style, ..) => {
                let value = if style == ScalarStyle::Plain { resolve(&text) } else { Value::Text(text.into_owned()) };
                self.place(Node { at, value })
            }
            Event::SequenceStart(..) => self.open(Open::Sequence { at, items: Vec::new() }),
            Event::MappingStart(..) => self.open(Open::Mapping { at, entries: Vec::new(), key: None }),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open) -> Result<(), Complaint> {
        if matches!(self.open.last(), Some(Open::Mapping { key: None, .. })) {
            return Err(Complaint::new("a key must be text"));
        }
        if self.open.len() >= limits::YAML_DEPTH {
            return Err(too_deep());
        }
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Complaint> {
        let node = match self.open.pop() {
            Some(Open::Sequence { at, items }) => Node { at, value: Value::Sequence(items) },
            Some(Open::Mapping { at, entries, .. }) => Node { at, value: Value::Mapping(entries) },
            None => return Ok(()),
        };
        self.place(node)
    }

    /// Puts a finished value where it belongs.
    fn place(&mut self, node: Node) -> Result<(), Complaint> {
        self.nodes += 1;
        if self.nodes > limits::YAML_NODES {
            return Err(Complaint::new(format!("the file has more than {} values", limits::YAML_NODES)));
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::Sequence { items, .. }) => items.push(node),
            Some(Open::Mapping { entries, key, .. }) => match key.take() {
                None => *key = Some((key_text(&node)?, node.at)),
                Some((name, at)) if entries.iter().any(|entry| entry.key == name) => {
                    self.problems.add(at, Complaint::new(format!("{} stands twice", shown(&name))));
                }
                Some(_) if entries.len() >= limits::FIELDS => {
                    return Err(Complaint::new(format!("a mapping has more than {} fields", limits::FIELDS)));
                }
                Some((key, at)) => entries.push(Entry { at, key, value: node }),
            },
        }
        Ok(())
    }
}

/// The text of a key. No field of a rule is a number or empty, so such a key is a slip.
fn key_text(node: &Node) -> Result<String, Complaint> {
    match &node.value {
        Value::Text(text) if !text.is_empty() => Ok(text.clone()),
        _ => Err(Complaint::new("a key must be text")),
    }
}

/// The value of a plain scalar.
fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Boolean(true),
        "false" | "False" | "FALSE" => Value::Boolean(false),
        _ => number(text).unwrap_or_else(|| Value::Text(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN" = unsigned {
        // Not a number is the one value that every check of a range refuses.
        return Some(Value::Number(f64::NAN));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with(['-', '+'])).map(Value::Integer);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().filter(|_| !digits.starts_with(['-', '+'])).map(Value::Integer);
    }
    let mut characters = unsigned.chars();
    let starts_as_number = match characters.next() {
        Some('.') => characters.next().is_some_and(|next| next.is_ascii_digit()),
        first => first.is_some_and(|first| first.is_ascii_digit()),
    };
    if !starts_as_number {
        return None;
    }
    text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Number)).ok()
}
