//! The values of properties: texts in which `{capture:NAME}` stands for what was captured, and their types.

use std::collections::BTreeMap;

use serde_json::Value;
use tracehound_model::{PropertyType, property_type};

use super::path;

const START: &str = "{capture:";

/// The value that a property gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Template {
    /// A text whose parts are put together.
    Text(Vec<Part>),
    /// A boolean or a number, as it stands in the file.
    Fixed(Value),
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As it is.
    Literal(String),
    /// What was captured under this name.
    Capture(String),
}

/// What was captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Captured {
    Text(String),
    Count(usize),
    /// An array of texts, which is JSON where no list of texts is wanted.
    Array {
        json: String,
        entries: Vec<String>,
    },
    List(Vec<String>),
}

/// A property's value, and whether everything that it was to be made of was captured.
#[derive(Debug, PartialEq)]
pub(super) struct Filled {
    pub(super) value: Value,
    pub(super) is_resolved: bool,
}

impl Template {
    /// Reads a text. What looks like a placeholder and is none stays text.
    pub(super) fn read(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(START) {
            literal.push_str(before);
            match after.split_once('}').filter(|(name, _)| is_word(name)) {
                Some((name, after)) => {
                    if !literal.is_empty() {
                        parts.push(Part::Literal(std::mem::take(&mut literal)));
                    }
                    parts.push(Part::Capture(name.to_owned()));
                    rest = after;
                }
                None => {
                    literal.push_str(START);
                    rest = after;
                }
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Self::Text(parts)
    }

    /// The captures that it names.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        let parts = if let Self::Text(parts) = self { parts.as_slice() } else { &[] };
        parts.iter().filter_map(|part| if let Part::Capture(name) = part { Some(name.as_str()) } else { None })
    }

    /// The value of the property with this key.
    pub(super) fn fill(&self, key: &str, captured: &BTreeMap<String, Captured>) -> Filled {
        let parts = match self {
            Self::Fixed(value) => return Filled { value: typed(key, value), is_resolved: true },
            Self::Text(parts) => parts,
        };
        if let [Part::Capture(name)] = parts.as_slice()
            && let Some(captured) = captured.get(name)
        {
            return Filled { value: captured.value(key), is_resolved: true };
        }
        let (mut text, mut is_resolved) = (String::new(), true);
        for part in parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Capture(name) => match captured.get(name) {
                    Some(captured) => text.push_str(&captured.text()),
                    None => {
                        is_resolved = false;
                        text.push_str(&format!("{START}{name}}}"));
                    }
                },
            }
        }
        let value = Value::from(text);
        Filled { value: if is_resolved { typed(key, &value) } else { value }, is_resolved }
    }
}

/// As files write it.
impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(value) => write!(f, "{value}"),
            Self::Text(parts) => parts.iter().try_for_each(|part| match part {
                Part::Literal(text) => f.write_str(text),
                Part::Capture(name) => write!(f, "{START}{name}}}"),
            }),
        }
    }
}

impl Captured {
    /// The value of the property with this key.
    pub(super) fn value(&self, key: &str) -> Value {
        match (self, property_type(key)) {
            (Self::List(entries) | Self::Array { entries, .. }, Some(PropertyType::TextList)) => {
                Value::from(entries.clone())
            }
            (Self::List(entries), None) => Value::from(entries.clone()),
            (Self::List(entries), Some(PropertyType::JsonText)) => {
                Value::from(Value::from(entries.clone()).to_string())
            }
            (Self::Count(count), None) => Value::from(*count),
            _ => typed(key, &Value::from(self.text())),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) | Self::Array { json: text, .. } => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::List(entries) => entries.join(", "),
        }
    }
}

/// A value in the type that the property with this key has, if it can be read so.
fn typed(key: &str, value: &Value) -> Value {
    property_type(key).and_then(|wanted| converted(value, wanted)).unwrap_or_else(|| value.clone())
}

/// A scalar in a type; `None` when it is not of it.
pub(super) fn converted(value: &Value, wanted: PropertyType) -> Option<Value> {
    let text = path::text(value);
    match wanted {
        PropertyType::Text | PropertyType::JsonText => Some(Value::from(text)),
        PropertyType::Boolean => text.parse::<bool>().ok().map(Value::from),
        PropertyType::Integer => text.parse::<i64>().ok().map(Value::from),
        PropertyType::Number => text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Value::Number),
        PropertyType::TextList => Some(Value::from(vec![text])),
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(key: &str, template: &str, expected: &Value) {
        let captured = BTreeMap::from([
            ("version".to_owned(), Captured::Text("0.9".to_owned())),
            ("yes".to_owned(), Captured::Text("true".to_owned())),
            ("three".to_owned(), Captured::Count(3)),
            ("names".to_owned(), Captured::List(vec!["a".to_owned(), "b".to_owned()])),
            ("tags".to_owned(), Captured::Array { json: "[\"x\"]".to_owned(), entries: vec!["x".to_owned()] }),
        ]);
        assert_eq!(Template::read(template).fill(key, &captured).value, *expected, "{key}: {template}");
    }

    #[test]
    fn placeholders_are_filled_and_what_was_not_captured_stays_visible() {
        check("version", "{capture:version}", &json!("0.9"));
        check("note", "v{capture:version}, {capture:three} models: {capture:names}", &json!("v0.9, 3 models: a, b"));
        check("version", "{capture:verison}", &json!("{capture:verison}"));
        check("collection_count", "{capture:none}", &json!("{capture:none}"));
        check("note", "{capture:} {capture:version {capture:version}", &json!("{capture:} {capture:version 0.9"));
        check("note", "plain", &json!("plain"));
        check("note", "", &json!(""));
    }

    #[test]
    fn values_get_the_type_that_their_property_has() {
        check("is_anonymous_loot", "true", &json!(true));
        check("is_anonymous_loot", "{capture:yes}", &json!(true));
        check("is_anonymous_loot", "{capture:version}", &json!("0.9"));
        check("collection_count", "{capture:three}", &json!(3));
        check("collection_count", "12", &json!(12));
        check("confidence", "{capture:version}", &json!(0.9));
        check("version", "{capture:three}", &json!("3"));
        check("unheard_of", "{capture:yes}", &json!("true"));
        check("unheard_of", "{capture:three}", &json!(3));
    }

    #[test]
    fn a_list_stays_one_where_it_stands_alone() {
        check("chains", "{capture:names}", &json!(["a", "b"]));
        check("chains", "{capture:tags}", &json!(["x"]));
        check("chains", "{capture:version}", &json!(["0.9"]));
        check("unheard_of", "{capture:names}", &json!(["a", "b"]));
        check("unheard_of", "{capture:tags}", &json!("[\"x\"]"));
        check("version", "{capture:names}", &json!("a, b"));
        check("annotations", "{capture:names}", &json!("[\"a\",\"b\"]"));
    }

    #[test]
    fn a_template_prints_as_it_was_written() {
        for text in ["v{capture:a}-{capture:b}", "", "{capture:", "x{capture:no good}"] {
            assert_eq!(Template::read(text).to_string(), text);
        }
        assert_eq!(Template::read("{capture:a} {capture:b-c}").captures().collect::<Vec<_>>(), ["a", "b-c"]);
    }
}
