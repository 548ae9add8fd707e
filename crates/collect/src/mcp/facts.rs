//! What a server lists, read from what it sent: every thing with what is known of it, and why one was left out.

use rmcp::model::ProtocolVersion;
use serde_json::{Map, Value, json};
use tracehound_model::{canonical, hash};

use super::limits::{NAME, TEXT};
use super::words::brief;

/// What a server says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Introduction {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) version: String,
    pub(super) protocol_version: String,
    pub(super) instructions: Text,
    /// What it can do, in the order in which it is always told.
    pub(super) capabilities: Vec<&'static str>,
    pub(super) has_tasks: bool,
    /// It does not say what it can do in the way that is agreed, so that all has to be tried.
    has_odd_capabilities: bool,
}

/// Whether a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asks {
    pub(super) is_asked: bool,
    /// The server says that it has it.
    pub(super) is_announced: bool,
}

/// A text that may have been cut, with the hash of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// As much as is kept.
    pub(super) kept: String,
    /// As much as rules look at.
    pub(super) whole: String,
    pub(super) is_cut: bool,
}

impl Text {
    fn new(text: &str) -> Self {
        let kept = text.get(..text.floor_char_boundary(TEXT)).unwrap_or_default();
        Self { kept: kept.to_owned(), whole: text.to_owned(), is_cut: kept.len() < text.len() }
    }
}

/// A tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: Text,
    pub(super) input_schema: Text,
    pub(super) output_schema: Text,
    pub(super) description_hash: String,
    pub(super) input_schema_hash: String,
    pub(super) annotations: Option<Value>,
    pub(super) schema_keys: Vec<String>,
    /// The names of the arguments, as the text for rules has them.
    pub(super) arguments: String,
    /// Everything that stands in words in the two schemas: a model reads it as it reads the description.
    pub(super) schema_words: [String; 2],
}

/// A resource, or a pattern for resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: Text,
    pub(super) mime_type: String,
    /// `None` for a pattern.
    pub(super) size: Option<u64>,
}

/// A prompt template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: Text,
    pub(super) arguments: Text,
    /// What rules look at besides: the descriptions of the arguments.
    pub(super) argument_texts: String,
}

/// Capabilities that are told, by the names that the protocol has for them.
const CAPABILITIES: &[&str] = &["tools", "resources", "prompts", "logging", "completions"];

impl Introduction {
    pub(super) fn read(handshake: &Value, negotiated: &str) -> Self {
        let info = handshake
            .get("serverInfo")
            .or_else(|| handshake.pointer("/_meta/io.modelcontextprotocol~1serverInfo"))
            .unwrap_or(&Value::Null);
        let capabilities = handshake.get("capabilities").unwrap_or(&Value::Null);
        let has = |name: &str| capabilities.get(name).is_some_and(|value| !value.is_null() && *value != json!(false));
        let extensions = capabilities.get("extensions").unwrap_or(&Value::Null);
        Self {
            name: short(info, "name"),
            title: short(info, "title"),
            version: short(info, "version"),
            protocol_version: negotiated.to_owned(),
            instructions: Text::new(text(handshake, "instructions")),
            capabilities: CAPABILITIES.iter().copied().filter(|name| has(name)).collect(),
            has_odd_capabilities: !capabilities.is_object(),
            has_tasks: has("tasks") || extensions.get("io.modelcontextprotocol/tasks").is_some(),
        }
    }

    /// Whether a list is asked for. Where it is not clear what a server has, everything is.
    pub(super) fn asks(&self, capability: &str) -> Asks {
        let is_announced = self.capabilities.contains(&capability);
        Asks { is_asked: is_announced || self.has_odd_capabilities, is_announced }
    }

    /// What is wrong with the revision that it speaks.
    pub(super) fn slip(&self) -> Option<String> {
        let is_known = ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == self.protocol_version);
        (!is_known).then(|| format!("speaks the revision `{}`, which is not known here", brief(&self.protocol_version)))
    }
}

impl Tool {
    pub(super) fn read(item: &Value) -> Result<Self, String> {
        let name = identifying(item, "name")?;
        let description = text(item, "description");
        let schema = item.get("inputSchema").filter(|schema| schema.is_object());
        let schema_text = schema.map(canonical::text).unwrap_or_default();
        let output = item.get("outputSchema").filter(|schema| schema.is_object()).map(canonical::text);
        Ok(Self {
            description_hash: hash::tool_description(&name, description, schema),
            input_schema_hash: hash::content(&schema_text),
            title: title(item),
            description: Text::new(description),
            input_schema: Text::new(&schema_text),
            output_schema: Text::new(&output.unwrap_or_default()),
            annotations: item.get("annotations").and_then(annotations),
            schema_keys: schema.map(schema_keys).unwrap_or_default(),
            arguments: schema.map(arguments).unwrap_or_default(),
            schema_words: ["inputSchema", "outputSchema"].map(|key| item.get(key).map(words_of).unwrap_or_default()),
            name,
        })
    }

    /// What rules take for the tool as a whole.
    pub(super) fn combined(&self) -> String {
        let parts = [self.name.as_str(), self.description.whole.as_str(), self.arguments.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

impl Resource {
    pub(super) fn read(item: &Value) -> Result<Self, String> {
        Self::at(identifying(item, "uri")?, item, item.get("size").and_then(Value::as_u64).or(Some(0)))
    }

    pub(super) fn read_template(item: &Value) -> Result<Self, String> {
        Self::at(identifying(item, "uriTemplate")?, item, None)
    }

    fn at(uri: String, item: &Value, size: Option<u64>) -> Result<Self, String> {
        Ok(Self {
            uri,
            name: short(item, "name"),
            title: title(item),
            description: Text::new(text(item, "description")),
            mime_type: short(item, "mimeType"),
            size,
        })
    }

    /// The scheme, in small letters; empty if there is none.
    pub(super) fn scheme(&self) -> String {
        let scheme = self.uri.split_once(':').map_or("", |(scheme, _)| scheme);
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
        if is_scheme { scheme.to_ascii_lowercase() } else { String::new() }
    }
}

impl Prompt {
    pub(super) fn read(item: &Value) -> Result<Self, String> {
        let arguments = item.get("arguments").unwrap_or(&Value::Null);
        let list = arguments.as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> =
            list.iter().flat_map(|argument| [text(argument, "title"), text(argument, "description")]).collect();
        Ok(Self {
            name: identifying(item, "name")?,
            title: title(item),
            description: Text::new(text(item, "description")),
            arguments: Text::new(&argument_list(arguments)),
            argument_texts: texts.join("\n"),
        })
    }
}

/// The arguments of a prompt as text: for each its name, title, description and whether it is required, in that order.
fn argument_list(arguments: &Value) -> String {
    let Some(list) = arguments.as_array() else { return "null".to_owned() };
    let one = |argument: &Value| {
        let member = |key: &str| {
            let value = argument.get(key).filter(|value| value.is_string() || value.is_boolean());
            let value = value.filter(|value| key == "name" || !matches!(value.as_str(), Some("")));
            value.map(|value| format!("\"{key}\":{}", canonical::text(value)))
        };
        let members: Vec<String> =
            ["name", "title", "description", "required"].into_iter().filter_map(member).collect();
        format!("{{{}}}", members.join(","))
    };
    format!("[{}]", list.iter().map(one).collect::<Vec<_>>().join(","))
}

/// Hints of a tool, by the names that documents have for them.
fn annotations(value: &Value) -> Option<Value> {
    let given = value.as_object()?;
    let flag = |key: &str| given.get(key).and_then(Value::as_bool);
    let mut hints = Map::new();
    hints.insert("read_only_hint".to_owned(), json!(flag("readOnlyHint").unwrap_or(false)));
    hints.insert("idempotent_hint".to_owned(), json!(flag("idempotentHint").unwrap_or(false)));
    for (key, name) in [("destructiveHint", "destructive_hint"), ("openWorldHint", "open_world_hint")] {
        if let Some(flag) = flag(key) {
            hints.insert(name.to_owned(), json!(flag));
        }
    }
    let title = short(value, "title");
    if !title.is_empty() {
        hints.insert("title".to_owned(), json!(title));
    }
    Some(Value::Object(hints))
}

/// Names of arguments that are listed.
const KEYS: usize = 1_000;

/// Words of one schema that rules look at.
const WORDS: usize = 256 << 10;

/// Every text of a value that is more than a word, one a line: what it is called does not matter to whoever reads it.
fn words_of(value: &Value) -> String {
    let mut out = String::new();
    let mut add = |text: &str| {
        if text.trim().contains(char::is_whitespace) && out.len() + text.len() <= WORDS {
            out.push_str(text);
            out.push('\n');
        }
    };
    each_text(value, &mut add);
    out
}

fn each_text(value: &Value, add: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, add)),
        Value::Object(members) => {
            for (key, member) in members {
                add(key);
                each_text(member, add);
            }
        }
        _ => {}
    }
}

/// The names of arguments at the top and one level down, each once.
fn schema_keys(schema: &Value) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (key, value) in properties(schema) {
        keys.push(cut(key));
        keys.extend(properties(value).map(|(key, _)| cut(key)));
    }
    keys.sort_unstable();
    keys.dedup();
    keys.truncate(KEYS);
    keys
}

/// The names of arguments at the top, sorted, so that the same tool always reads the same.
fn arguments(schema: &Value) -> String {
    let mut names: Vec<&str> = properties(schema).map(|(key, _)| key.as_str()).take(KEYS).collect();
    names.sort_unstable();
    names.join(" ")
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn text<'v>(item: &'v Value, key: &str) -> &'v str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A text that is no longer than names are.
fn short(item: &Value, key: &str) -> String {
    cut(text(item, key))
}

fn title(item: &Value) -> String {
    short(item, "title")
}

fn cut(text: &str) -> String {
    match text.get(..text.floor_char_boundary(NAME)) {
        Some(start) if start.len() < text.len() => format!("{start}…"),
        _ => text.to_owned(),
    }
}

/// The text that tells a thing from others, which must be whole.
fn identifying(item: &Value, key: &str) -> Result<String, String> {
    match item.get(key).and_then(Value::as_str) {
        Some("") | None => Err(format!("has no `{key}`")),
        Some(text) if text.len() > NAME => Err(format!("has a `{key}` of {} bytes; {NAME} are taken", text.len())),
        Some(text) => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_hashed_as_every_collector_does() {
        let item = json!({
            "name": "run_shell", "description": "Execute a shell command",
            "inputSchema": { "type": "object", "properties": { "command": { "type": "string" } } },
            "annotations": { "readOnlyHint": true, "title": "Run", "unknown": 1 },
        });
        let tool = Tool::read(&item).unwrap();
        assert_eq!(tool.description_hash, "b1eef37d791eb8757f95187850abc37b4c5fe84ca6f24982d7100bde0960855e");
        assert_eq!(tool.input_schema_hash, "da8c8eacc2f75f7b1ad1225c3ed75e2c43ee31f6d1976d8add615735e4aa9664");
        assert_eq!(tool.input_schema.kept, r#"{"properties":{"command":{"type":"string"}},"type":"object"}"#);
        let hints = json!({ "read_only_hint": true, "idempotent_hint": false, "title": "Run" });
        assert_eq!(
            (tool.combined().as_str(), tool.annotations),
            ("run_shell Execute a shell command command", Some(hints))
        );
    }

    #[test]
    fn a_tool_without_a_schema_hashes_as_null_and_as_nothing() {
        let tool = Tool::read(&json!({ "name": "ping", "description": "Returns pong", "inputSchema": 7 })).unwrap();
        assert_eq!(tool.description_hash, "a2725fa1c8fc99b48890148183ea9fdeaf7d2e1944e3ad41e5a5c96b0815542a");
        assert_eq!((tool.input_schema_hash, tool.input_schema.kept.as_str()), (hash::content(""), ""));
    }

    #[test]
    fn keys_are_those_of_two_levels() {
        let item = json!({ "name": "x", "inputSchema": { "properties": {
            "b": { "properties": { "inner": { "properties": { "deep": {} } } } }, "a": { "$ref": "#" },
        } } });
        let tool = Tool::read(&item).unwrap();
        assert_eq!(tool.schema_keys, ["a", "b", "inner"]);
        assert_eq!(tool.arguments, "a b");
    }

    #[test]
    fn what_has_no_name_is_told() {
        assert_eq!(Tool::read(&json!({ "name": 7 })).unwrap_err(), "has no `name`");
        assert_eq!(Resource::read(&json!({ "name": "x" })).unwrap_err(), "has no `uri`");
        assert!(Tool::read(&json!({ "name": "x".repeat(NAME + 1) })).unwrap_err().contains("8193 bytes"));
    }

    #[test]
    fn arguments_of_prompts_keep_their_form() {
        let prompt = |arguments: Value| {
            let mut item = json!({ "name": "p" });
            item["arguments"] = arguments;
            Prompt::read(&item).unwrap().arguments.kept
        };
        assert_eq!(Prompt::read(&json!({ "name": "p" })).unwrap().arguments.kept, "null");
        assert_eq!(prompt(json!([])), "[]");
        let given = json!([{ "required": true, "description": "", "name": "n", "title": "T" }]);
        assert_eq!(prompt(given), r#"[{"name":"n","title":"T","required":true}]"#);
    }

    #[test]
    fn long_texts_are_cut_and_their_hash_is_not() {
        let description = "ä".repeat(TEXT);
        let tool = Tool::read(&json!({ "name": "x", "description": description })).unwrap();
        assert!(tool.description.is_cut && tool.description.kept.len() <= TEXT);
        assert_eq!(tool.description_hash, hash::tool_description("x", &description, None));
    }

    #[test]
    fn schemes_are_those_of_addresses() {
        let scheme = |uri: &str| Resource::read(&json!({ "uri": uri })).unwrap().scheme();
        assert_eq!(["FILE:///x", "s3://b", "no scheme: x", "x"].map(scheme), ["file", "s3", "", ""]);
    }
}
