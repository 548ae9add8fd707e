//! YAML: the first document of a file. Aliases are expanded as long as the whole stays small.

use std::collections::HashMap;

use serde_saphyr::granit_parser::{Event, Marker, Parser, ScalarStyle, StrInput};

use super::super::tree::{Member, Node, Position, Value};
use super::{DEPTH, Slip, VALUES};

pub(super) fn read(text: &str) -> Result<Node, Slip> {
    let mut builder = Builder::default();
    for event in Parser::new(StrInput::new(text)) {
        match event {
            Ok((Event::DocumentEnd, _)) if builder.root.is_some() => break,
            Ok((event, span)) => {
                let at = position(&span.start);
                builder.take(event, at).map_err(|message| Slip::new(at, message))?;
            }
            Err(error) => return Err(Slip::new(position(error.marker()), format!("not YAML: {}", error.kind()))),
        }
    }
    builder.root.ok_or_else(|| Slip::new(Position::START, "there is no value in the file"))
}

fn position(marker: &Marker) -> Position {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position { line: narrow(marker.line().max(1)), column: narrow(marker.col().saturating_add(1)) }
}

/// Puts events together with a stack of its own, so that depth in a file is not depth on ours.
#[derive(Default)]
struct Builder {
    open: Vec<(Open, Option<usize>)>,
    anchors: HashMap<usize, (Node, usize)>,
    root: Option<Node>,
    values: usize,
}

/// A sequence or mapping whose end has not come.
enum Open {
    Sequence { at: Position, items: Vec<Node> },
    Mapping { at: Position, members: Vec<Member>, key: Option<(String, Position)> },
}

impl Builder {
    fn take(&mut self, event: Event<'_>, at: Position) -> Result<(), String> {
        let anchor = event.anchor_id();
        match event {
            Event::Scalar(text, style, ..) => {
                let value = if style == ScalarStyle::Plain { resolve(&text) } else { Value::Text(text.into_owned()) };
                self.place(Node { at, value }, anchor, 1)
            }
            Event::SequenceStart(..) => self.open(Open::Sequence { at, items: Vec::new() }, anchor),
            Event::MappingStart(..) => self.open(Open::Mapping { at, members: Vec::new(), key: None }, anchor),
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match self.open.pop() {
                    Some((Open::Sequence { at, items }, anchor)) => (Node { at, value: Value::List(items) }, anchor),
                    Some((Open::Mapping { at, members, .. }, anchor)) => {
                        (Node { at, value: Value::Object(members) }, anchor)
                    }
                    None => return Ok(()),
                };
                self.place(node.0, node.1, 1)
            }
            Event::Alias(id) => {
                let (node, size) = self.anchors.get(&id).cloned().unwrap_or((Node { at, value: Value::Null }, 1));
                self.place(node, None, size)
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, open: Open, anchor: Option<usize>) -> Result<(), String> {
        if matches!(self.open.last(), Some((Open::Mapping { key: None, .. }, _))) {
            return Err("a key must be text".to_owned());
        }
        if self.open.len() >= DEPTH {
            return Err(format!("the file is nested deeper than {DEPTH} levels"));
        }
        self.open.push((open, anchor));
        Ok(())
    }

    /// Puts a finished value, which stands for so many values, where it belongs.
    fn place(&mut self, node: Node, anchor: Option<usize>, size: usize) -> Result<(), String> {
        // What an anchor keeps for its aliases is a copy, and takes room like one.
        let kept = anchor.map(|anchor| (anchor, count(&node)));
        self.values = self.values.saturating_add(size).saturating_add(kept.map_or(0, |(_, size)| size));
        if self.values > VALUES {
            return Err(format!("the file has more than {VALUES} values"));
        }
        if let Some((anchor, size)) = kept {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some((Open::Sequence { items, .. }, _)) => items.push(node),
            Some((Open::Mapping { members, key, .. }, _)) => match key.take() {
                None => *key = Some((node.scalar().unwrap_or_default().to_owned(), node.at)),
                Some((key, at)) => members.push(Member { at, key, value: node }),
            },
        }
        Ok(())
    }
}

/// How many values a tree has.
fn count(node: &Node) -> usize {
    let mut open = vec![node];
    let mut total = 0;
    while let Some(node) = open.pop() {
        total += 1;
        open.extend(node.items());
        open.extend(node.members().iter().map(|member| &member.value));
    }
    total
}

/// The value of a plain scalar, by the core schema of YAML 1.2.
fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Boolean(true),
        "false" | "False" | "FALSE" => Value::Boolean(false),
        _ if text.parse::<f64>().is_ok() && text.starts_with(|first: char| "+-.0123456789".contains(first)) => {
            Value::Number(text.to_owned())
        }
        _ => Value::Text(text.to_owned()),
    }
}
