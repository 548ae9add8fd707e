//! Texts of certain shapes, and what all sorts of rules have: an id, lines, prose, flags.

use serde_json::Value as Json;

use super::fields::{Fields, Reader};
use super::problem::{Complaint, shown};
use super::tree::{Node, Value};
use crate::limits;

impl Reader {
    /// The id that every rule needs.
    pub(crate) fn id(&mut self, fields: &Fields<'_>) -> Option<String> {
        let node = self.required(fields, "id")?;
        let id = self.text(node, "id", usize::MAX)?;
        if !is_rule_id(id) {
            let message = format!("{} is not an id", shown(id));
            let help = "3 to 64 letters a-z, digits and dashes, without a dash at either end";
            self.complain(node.at, Complaint::with_help(message, help));
            return None;
        }
        Some(id.to_owned())
    }

    /// The version of a rule, and the one that it has when it does not say.
    pub(crate) fn version(&mut self, fields: &Fields<'_>, otherwise: u32) -> Option<u32> {
        let Some(node) = fields.get("version") else { return Some(otherwise) };
        let version = self.integer(node, "version", 1..=i64::from(u32::MAX))?;
        u32::try_from(version).ok()
    }

    /// Text in one line.
    pub(crate) fn line(&mut self, node: &Node, field: &str, most: usize) -> Option<String> {
        let text = self.text(node, field, most)?;
        if text.chars().any(char::is_control) {
            self.complain(node.at, Complaint::new(format!("`{field}` must be one line without control characters")));
            return None;
        }
        Some(text.to_owned())
    }

    /// An optional field with text of several lines. The outer `None` means that it is broken.
    pub(crate) fn prose(&mut self, fields: &Fields<'_>, key: &str) -> Option<Option<String>> {
        match fields.get(key) {
            None => Some(None),
            Some(node) => self.text(node, key, limits::PROSE_BYTES).map(|text| Some(text.trim_end().to_owned())),
        }
    }

    /// A field that is true or false, and the given one when it is missing.
    pub(crate) fn flag(&mut self, fields: &Fields<'_>, key: &str, otherwise: bool) -> Option<bool> {
        fields.get(key).map_or(Some(otherwise), |node| self.boolean(node, key))
    }

    /// Text in snake_case.
    pub(crate) fn snake_case(&mut self, node: &Node, field: &str) -> Option<String> {
        let text = self.text(node, field, limits::WORD_BYTES)?;
        match not_snake_case(&format!("`{field}`"), text) {
            None => Some(text.to_owned()),
            Some(complaint) => {
                self.complain(node.at, complaint);
                None
            }
        }
    }

    /// A boolean, a number or text.
    pub(crate) fn scalar(&mut self, node: &Node, field: &str, most: usize) -> Option<Json> {
        let json = match &node.value {
            Value::Boolean(value) => Some(Json::from(*value)),
            Value::Integer(value) => Some(Json::from(*value)),
            Value::Number(value) => serde_json::Number::from_f64(*value).map(Json::Number),
            Value::Text(text) if text.len() <= most => Some(Json::from(text.as_str())),
            _ => None,
        };
        if json.is_none() {
            let message = format!("`{field}` must be true, false, a finite number or text of at most {most} bytes");
            self.complain(node.at, Complaint::new(message));
        }
        json
    }
}

/// What is wrong with a text that should be in snake_case, if anything is.
pub(crate) fn not_snake_case(what: &str, text: &str) -> Option<Complaint> {
    if is_snake_case(text) {
        return None;
    }
    let message = format!("{what} must be in snake_case, not {}", shown(text));
    let meant = text.to_ascii_lowercase().replace(['-', ' '], "_");
    let meant = Some(meant.as_str()).filter(|meant| is_snake_case(meant));
    Some(Complaint::unknown(message, meant, "letters a-z, digits and underscores"))
}

/// Whether it is 3 to 64 of `a-z`, `0-9` and `-`, without a dash at either end.
fn is_rule_id(id: &str) -> bool {
    (3..=64).contains(&id.len())
        && id.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !id.starts_with('-')
        && !id.ends_with('-')
}

/// Whether it starts with a letter and goes on with letters, digits and underscores, all of them lower case.
fn is_snake_case(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}
