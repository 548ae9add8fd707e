//! The virtual target `tool.combined`: all that a tool says of what it does.

use serde_json::Value;

/// A tool's name, its description and the names of its parameters, with the words inside names spelled out.
///
/// `schema` is the tool's input schema; only its top-level `properties` are read, in their order.
#[must_use]
pub fn combined(name: &str, description: &str, schema: Option<&Value>) -> String {
    let mut text = String::with_capacity(name.len() * 2 + description.len() + 64);
    push_name(&mut text, name);
    push(&mut text, description);
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    for parameter in properties.into_iter().flat_map(|properties| properties.keys()) {
        push_name(&mut text, parameter);
    }
    text
}

fn push(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push(' ');
    }
    text.push_str(part);
}

/// The name, then its words: `readFile read file`. Also where both are the same, so that a pattern can rely on it.
fn push_name(text: &mut String, name: &str) {
    push(text, name);
    push(text, &words(name));
}

fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            previous = ' ';
            continue;
        }
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        let starts_word =
            letter.is_uppercase() && (previous.is_lowercase() || (previous.is_uppercase() && next_is_lower));
        if (previous == ' ' || starts_word) && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
        previous = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_out() {
        for (name, expected) in [
            ("read_file", "read file"),
            ("readFile", "read file"),
            ("HTTPGet", "http get"),
            ("db-query2", "db query2"),
            ("add", "add"),
        ] {
            assert_eq!(words(name), expected);
        }
    }

    #[test]
    fn parameters_follow_the_description() {
        let schema = serde_json::json!({"properties": {"filePath": {}, "mode": {}}});
        assert_eq!(
            combined("open", "Opens a file.", Some(&schema)),
            "open open Opens a file. filePath file path mode mode"
        );
        assert_eq!(combined("", "", None), "");
    }
}
