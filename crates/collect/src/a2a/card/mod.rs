//! Agent cards: from what was answered to what is claimed.
//!
//! Cards of 0.2, 0.3 and 1.0 are read alike, because many agents serve all of them in one. Members that nobody knows
//! are passed over. A card that has no name, or nothing by which an agent could be told from any other JSON, is none.

mod reader;
mod security;

use serde_json::{Value, json};
use tracehound_model::hash;

use crate::json::{self, by_name, sort};
use reader::{Members, Reader};
pub(super) use security::{Method, Required, Scheme, http};

/// Skills of one card.
const SKILLS: usize = 1_000;
/// Interfaces of one card.
const INTERFACES: usize = 100;
/// Capabilities of one card.
const CAPABILITIES: usize = 100;

/// A card.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) version: String,
    pub(super) provider: String,
    /// The version of the protocol whose form it has.
    pub(super) form: &'static str,
    pub(super) protocol_versions: Vec<String>,
    pub(super) interfaces: Vec<Interface>,
    pub(super) capabilities: Vec<String>,
    pub(super) schemes: Vec<Scheme>,
    pub(super) required: Required,
    pub(super) skills: Vec<Skill>,
    /// Whether all its skills were read.
    pub(super) has_all_skills: bool,
    /// What is not as it should be, each with its path.
    pub(super) problems: Vec<String>,
    /// What was cut at a limit, in words.
    pub(super) cut_short: Vec<String>,
}

/// Where an agent says that it can be spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interface {
    /// The member that says so.
    pub(super) path: String,
    pub(super) url: String,
    pub(super) binding: Option<String>,
    pub(super) version: Option<String>,
    pub(super) tenant: Option<String>,
}

/// Something an agent says that it can do.
#[derive(Debug)]
pub(super) struct Skill {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
    /// Of the whole description, whatever was cut.
    pub(super) description_hash: String,
    pub(super) tags: Vec<String>,
    pub(super) examples: Vec<String>,
    pub(super) input_modes: Vec<String>,
    pub(super) output_modes: Vec<String>,
    /// What was cut at a limit, in words.
    pub(super) cut_short: Vec<String>,
}

impl Card {
    /// Reads a card, or says in one sentence why it is none.
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        let Value::Object(members) = value else {
            return Err(format!("the answer is {}, not an object", sort(value)));
        };
        let mut reader = Reader::default();
        let Some(name) = reader.short(members, "name", "name") else {
            return Err(reader.problems.pop().unwrap_or_else(|| "`name` is missing".to_owned()));
        };
        let has = |key: &str, is: fn(&Value) -> bool| members.get(key).is_some_and(is);
        if !has("url", Value::is_string)
            && !has("supportedInterfaces", Value::is_array)
            && !has("skills", Value::is_array)
        {
            return Err("it is no agent card: `url`, `supportedInterfaces` and `skills` are all missing".to_owned());
        }
        let (skills, has_all_skills) = skills(&mut reader, members);
        let provider = reader.object(members, "provider", "provider");
        let provider = provider.and_then(|it| reader.short(it, "organization", "provider.organization"));
        let interfaces = interfaces(&mut reader, members);
        Ok(Self {
            name,
            description: reader.long(members, "description", "description").map_or_else(String::new, |it| it.0),
            version: reader.short(members, "version", "version").unwrap_or_default(),
            provider: provider.unwrap_or_default(),
            form: form(members),
            protocol_versions: protocol_versions(&mut reader, members, &interfaces),
            interfaces,
            capabilities: capabilities(&mut reader, members),
            schemes: security::schemes(&mut reader, members),
            required: security::required(&mut reader, members),
            skills,
            has_all_skills,
            problems: reader.problems,
            cut_short: reader.cut.into_iter().collect(),
        })
    }

    /// All texts in which an agent may speak of others: its own description, and those of its skills.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let skills = self.skills.iter().map(|skill| ("a skill's description", skill.description.as_str()));
        std::iter::once(("the description", self.description.as_str())).chain(skills)
    }
}

impl Interface {
    /// What a document keeps of it.
    pub(super) fn written(&self) -> Value {
        let mut object = serde_json::Map::from_iter([("url".to_owned(), json!(super::place::shown_url(&self.url)))]);
        for (key, value) in
            [("protocolBinding", &self.binding), ("protocolVersion", &self.version), ("tenant", &self.tenant)]
        {
            object.extend(value.as_ref().map(|value| (key.to_owned(), json!(value))));
        }
        object.sort_keys();
        Value::Object(object)
    }
}

/// The version whose form a card has, by the members that came with each.
fn form(card: &Members) -> &'static str {
    let version = card.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let is_third =
        || ["preferredTransport", "additionalInterfaces", "signatures"].iter().any(|key| card.contains_key(*key));
    if card.get("supportedInterfaces").is_some_and(Value::is_array) {
        "1.0"
    } else if version.starts_with("0.2") || (version.is_empty() && !is_third()) {
        "0.2"
    } else {
        "0.3"
    }
}

fn interfaces(reader: &mut Reader, card: &Members) -> Vec<Interface> {
    let mut found: Vec<Interface> = Vec::new();
    for (key, binding) in [("supportedInterfaces", "protocolBinding"), ("additionalInterfaces", "transport")] {
        for (position, item) in reader.list(card, key, key, INTERFACES).iter().enumerate() {
            let path = format!("{key}[{position}]");
            let Value::Object(members) = item else {
                reader.problem(format!("`{path}` is {}, not an object", sort(item)));
                continue;
            };
            let Some(url) = reader.short(members, "url", &format!("{path}.url")) else {
                reader.problem(format!("`{path}.url` is missing"));
                continue;
            };
            let mut text = |key: &str| reader.short(members, key, &format!("{path}.{key}"));
            let (binding, version, tenant) = (text(binding), text("protocolVersion"), text("tenant"));
            found.push(Interface { path: format!("{path}.url"), url, binding, version, tenant });
        }
    }
    if let Some(url) = reader.short(card, "url", "url") {
        let binding = reader.short(card, "preferredTransport", "preferredTransport");
        found.push(Interface { path: "url".to_owned(), url, binding, version: None, tenant: None });
    }
    found
}

/// The versions that an agent says it speaks, each once.
fn protocol_versions(reader: &mut Reader, card: &Members, interfaces: &[Interface]) -> Vec<String> {
    let own = match card.get("protocolVersion") {
        Some(Value::Array(_)) => reader.texts(card, "protocolVersion", "protocolVersion"),
        _ => reader.short(card, "protocolVersion", "protocolVersion").into_iter().collect(),
    };
    let mut versions: Vec<String> = own;
    versions.extend(interfaces.iter().filter_map(|interface| interface.version.clone()));
    versions.sort_unstable();
    versions.dedup();
    versions
}

/// Names of capabilities whose value is `true`.
fn capabilities(reader: &mut Reader, card: &Members) -> Vec<String> {
    let Some(members) = reader.object(card, "capabilities", "capabilities") else { return Vec::new() };
    let names: Vec<&String> =
        by_name(members).into_iter().filter(|(_, value)| **value == Value::Bool(true)).map(|(name, _)| name).collect();
    if names.len() > CAPABILITIES {
        reader.cut.insert(format!("`capabilities` is cut at {CAPABILITIES} of {}", names.len()));
    }
    names.into_iter().take(CAPABILITIES).map(|name| name.chars().take(200).collect()).collect()
}

fn skills(reader: &mut Reader, card: &Members) -> (Vec<Skill>, bool) {
    let items = reader.list(card, "skills", "skills", SKILLS);
    let mut is_all = match card.get("skills") {
        Some(Value::Array(all)) => all.len() == items.len(),
        other => other.is_none_or(Value::is_null),
    };
    let input_modes = reader.texts(card, "defaultInputModes", "defaultInputModes");
    let output_modes = reader.texts(card, "defaultOutputModes", "defaultOutputModes");
    let mut skills: Vec<Skill> = Vec::new();
    let mut ids = std::collections::HashMap::new();
    for (position, item) in items.iter().enumerate() {
        let Value::Object(members) = item else {
            reader.problem(format!("`skills[{position}]` is {}, not an object", sort(item)));
            is_all = false;
            continue;
        };
        let mut skill = skill(reader, members, position);
        // Two skills under one id are both shown: the second may be the one that is meant to be overlooked.
        let count = ids.entry(skill.id.clone()).and_modify(|count| *count += 1).or_insert(1_usize);
        if *count > 1 {
            reader.problem(format!("`skills[{position}].id` is that of an earlier skill"));
            skill.id = format!("{}#{count}", skill.id);
        }
        let or_default = |own: &mut Vec<String>, default: &[String]| {
            if own.is_empty() {
                own.extend_from_slice(default);
            }
        };
        or_default(&mut skill.input_modes, &input_modes);
        or_default(&mut skill.output_modes, &output_modes);
        skills.push(skill);
    }
    (skills, is_all)
}

fn skill(reader: &mut Reader, members: &Members, position: usize) -> Skill {
    let path = |key: &str| format!("skills[{position}].{key}");
    let mut own = Reader::default();
    let id = own.short(members, "id", &path("id"));
    let name = own.short(members, "name", &path("name"));
    for (key, is_missing) in [("id", id.is_none()), ("name", name.is_none())] {
        if is_missing && !own.problems.iter().any(|problem| problem.contains(&path(key))) {
            own.problem(format!("`{}` is missing", path(key)));
        }
    }
    let id = id.or_else(|| name.clone()).unwrap_or_else(|| format!("#{position}"));
    let name = name.unwrap_or_else(|| id.clone());
    let (description, whole) = own.long(members, "description", &path("description")).unwrap_or_default();
    let description_hash = hash::skill_description(&name, whole);
    let tags = own.texts(members, "tags", &path("tags"));
    let examples = own.texts(members, "examples", &path("examples"));
    let input_modes = own.texts(members, "inputModes", &path("inputModes"));
    let output_modes = own.texts(members, "outputModes", &path("outputModes"));
    reader.problems.append(&mut own.problems);
    let cut_short = own.cut.into_iter().collect();
    Skill { id, name, description, description_hash, tags, examples, input_modes, output_modes, cut_short }
}

/// Reads a card from the bytes of an answer; also the JSON, over which signatures are.
pub(super) fn parse(bytes: &[u8]) -> Result<(Card, Value), String> {
    let value = json::parse(bytes).map_err(|error| format!("the answer is not JSON: {error}"))?;
    Ok((Card::read(&value)?, value))
}

#[cfg(test)]
mod tests;
