//! TOML, by the `toml` crate's own tree with spans.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::tree::{Member, Node, Position, Value};
use super::lex::{Style, Tokens};
use super::{Cursor, DEPTH, Slip, VALUES};

/// Tokens of one file. The parser makes room for each, and for tables a great deal of it.
const TOKENS: usize = 2 * VALUES;

pub(super) fn read(text: &str) -> Result<Node, Slip> {
    if Tokens::new(text, Style::Toml).nth(TOKENS).is_some() {
        return Err(Slip::new(Position::START, format!("the file has more than {VALUES} values")));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let at = Cursor::new(text).at(error.span().map_or(0, |span| span.start));
        Slip::new(at, format!("not TOML: {}", error.message()))
    })?;
    let places = Places::new(text, table.get_ref())?;
    Ok(Node { at: Position::START, value: object(table.get_ref(), &places) })
}

/// Where each offset of the tree is. Tables may stand in any order, so all are looked up together, in one pass.
struct Places(Vec<(usize, Position)>);

impl Places {
    fn new(text: &str, table: &DeTable<'_>) -> Result<Self, Slip> {
        let mut offsets = Vec::new();
        if !collect(table, &mut offsets, 0) {
            let message = format!("the file has more than {VALUES} values or is nested deeper than {DEPTH} levels");
            return Err(Slip::new(Position::START, message));
        }
        offsets.sort_unstable();
        let mut cursor = Cursor::new(text);
        Ok(Self(offsets.into_iter().map(|offset| (offset, cursor.at(offset))).collect()))
    }

    fn at(&self, offset: usize) -> Position {
        let found = self.0.binary_search_by_key(&offset, |(offset, _)| *offset);
        found.ok().and_then(|index| self.0.get(index)).map_or(Position::START, |(_, at)| *at)
    }
}

/// Notes the offsets of keys and values; false when there are too many.
fn collect(table: &DeTable<'_>, offsets: &mut Vec<usize>, depth: usize) -> bool {
    table.iter().all(|(key, value)| {
        offsets.push(key.span().start);
        collect_value(value, offsets, depth + 1)
    })
}

fn collect_value(value: &Spanned<DeValue<'_>>, offsets: &mut Vec<usize>, depth: usize) -> bool {
    offsets.push(value.span().start);
    if offsets.len() > 2 * VALUES || depth > DEPTH {
        return false;
    }
    match value.get_ref() {
        DeValue::Array(items) => items.iter().all(|item| collect_value(item, offsets, depth + 1)),
        DeValue::Table(table) => collect(table, offsets, depth),
        _ => true,
    }
}

fn object(table: &DeTable<'_>, places: &Places) -> Value {
    let mut members: Vec<Member> = table
        .iter()
        .map(|(key, value)| {
            let at = places.at(key.span().start);
            Member { at, key: key.get_ref().to_string(), value: node(value, places) }
        })
        .collect();
    members.sort_by_key(|member| member.at);
    Value::Object(members)
}

fn node(value: &Spanned<DeValue<'_>>, places: &Places) -> Node {
    let at = places.at(value.span().start);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(item, places)).collect()),
        DeValue::Table(table) => object(table, places),
    };
    Node { at, value }
}
