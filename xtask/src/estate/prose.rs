//! Texts of what servers and agents offer: names, descriptions, schemas, addresses.

use serde_json::{Map, Value, json};

use super::names::{Subject, paired};
use super::random::Random;
use super::words;

/// How often a tool's description tries to steer the model.
const INJECTIONS: f64 = 0.005;
/// How often it speaks of another tool of the server.
const CROSS_REFERENCES: f64 = 0.005;
/// How often a resource is not of its server's own sort.
const OTHER_SCHEMES: f64 = 0.3;
/// How often a server puts the product before the names of its tools.
const PREFIXES: f64 = 0.7;

/// A tool's name and what follows from it.
#[derive(Debug, Clone)]
pub(super) struct ToolName {
    pub(super) name: String,
    /// What the tool does, for people.
    says: String,
    pub(super) capabilities: Vec<&'static str>,
    pub(super) source_trust: Option<&'static str>,
}

/// Where the names of a server's tools start in the vocabulary, and what they start with.
#[derive(Debug, Clone)]
pub(super) struct Naming {
    start: usize,
    prefix: String,
}

impl Naming {
    /// Draws it for a server of this product.
    pub(super) fn new(product: &str, random: &mut Random) -> Self {
        let prefix = if random.chance(PREFIXES) { format!("{product}_") } else { String::new() };
        Self { start: random.below(1 << 16), prefix }
    }

    /// The name of the tool at this place; the first `untrusted` ones bring in content from outside.
    pub(super) fn tool(&self, place: usize, untrusted: usize) -> ToolName {
        match place.checked_sub(untrusted) {
            Some(place) => self.own(place),
            None => self.outside(place),
        }
    }

    fn own(&self, place: usize) -> ToolName {
        let (verb, noun, round) = paired(self.start, place, (words::VERBS.len(), words::NOUNS.len()));
        let (verb, says, capability) = words::VERBS.get(verb).copied().unwrap_or_default();
        let noun = words::NOUNS.get(noun).copied().unwrap_or_default();
        let mut capabilities = vec![capability];
        if matches!(noun, "secret" | "token") {
            capabilities.push("credential_access");
        }
        capabilities.retain(|capability| !capability.is_empty());
        capabilities.sort_unstable();
        capabilities.dedup();
        let says = format!("{says} the {noun}");
        ToolName { name: self.name(verb, noun, round), says, capabilities, source_trust: None }
    }

    fn outside(&self, place: usize) -> ToolName {
        let (verb, noun, round) = paired(self.start, place, (words::FETCH_VERBS.len(), words::OUTSIDE.len()));
        let (verb, says) = words::FETCH_VERBS.get(verb).copied().unwrap_or_default();
        let (noun, source) = words::OUTSIDE.get(noun).copied().unwrap_or_default();
        let says = format!("{says} the {}", noun.replace('_', " "));
        let capabilities = vec!["network_outbound"];
        ToolName { name: self.name(verb, noun, round), says, capabilities, source_trust: Some(source) }
    }

    fn name(&self, verb: &str, noun: &str, round: usize) -> String {
        let prefix = &self.prefix;
        if round == 0 { format!("{prefix}{verb}_{noun}") } else { format!("{prefix}{verb}_{noun}_{round}") }
    }
}

/// A tool's description and what a reader would notice in it.
#[derive(Debug, Clone)]
pub(super) struct Description {
    pub(super) text: String,
    pub(super) has_injection: bool,
    pub(super) has_cross_reference: bool,
}

/// Describes a tool in one to four sentences; `other` is another tool of the same server.
pub(super) fn describe_tool(tool: &ToolName, subject: Subject, other: &str, random: &mut Random) -> Description {
    let Subject { product, team, .. } = subject;
    let mut text = format!("{} in the {product} workspace of the {team} team.", tool.says);
    add_sentences(&mut text, random.pick(&[0, 1, 2, 2, 3, 3, 3]), random);
    let has_injection = random.chance(INJECTIONS);
    if has_injection {
        text = format!("{text} {}", words::INJECTION);
    }
    let has_cross_reference = other != tool.name && random.chance(CROSS_REFERENCES);
    if has_cross_reference {
        text = format!("{text} Call {other} first and hand its answer to this tool.");
    }
    Description { text, has_injection, has_cross_reference }
}

/// A statement followed by up to three sentences.
pub(super) fn describe(statement: String, random: &mut Random) -> String {
    let mut text = statement;
    add_sentences(&mut text, random.below(4), random);
    text
}

fn add_sentences(text: &mut String, count: usize, random: &mut Random) {
    let start = random.below(words::SENTENCES.len());
    for sentence in words::SENTENCES.iter().cycle().skip(start).take(count) {
        text.push(' ');
        text.push_str(sentence);
    }
}

/// An input schema with one to five parameters, and their names in order.
pub(super) fn schema(random: &mut Random) -> (Value, Vec<&'static str>) {
    let start = random.below(words::PARAMETERS.len());
    let count = random.pick(&[1, 2, 2, 3, 3, 4, 5]);
    // Steps of three go round the whole table, because its length is a power of two.
    let parameters = words::PARAMETERS.iter().cycle().skip(start).step_by(3).take(count);
    let mut keys: Vec<&'static str> = parameters.clone().map(|(name, _, _)| *name).collect();
    let required: Vec<&str> = keys.iter().copied().take(1 + count / 3).collect();
    let properties: Map<String, Value> = parameters
        .map(|(name, kind, description)| ((*name).to_owned(), json!({"description": description, "type": kind})))
        .collect();
    keys.sort_unstable();
    (json!({"type": "object", "properties": properties, "required": required}), keys)
}

/// Where a resource is and how sensitive that makes it.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) uri: String,
    pub(super) scheme: &'static str,
    pub(super) mime_type: &'static str,
    pub(super) sensitivity: &'static str,
}

/// The address of a resource: `place` makes it different from all others of its server.
pub(super) fn address(subject: Subject, place: usize, random: &mut Random) -> Address {
    let team = subject.team;
    let scheme = if random.chance(OTHER_SCHEMES) { random.pick(words::PRODUCTS).1 } else { subject.scheme };
    let noun = random.pick(words::NOUNS);
    let stage = random.pick(&["prod", "staging", "dev", "test"]);
    let (uri, mime_type, sensitivity) = match scheme {
        "file" if random.chance(0.05) => (format!("file:///etc/{team}/{noun}-{place}.conf"), "text/plain", "critical"),
        "file" => {
            let (ending, mime_type, sensitivity) = random.pick(&[
                ("md", "text/markdown", "medium"),
                ("csv", "text/csv", "medium"),
                ("json", "application/json", "medium"),
                ("txt", "text/plain", "medium"),
                ("env", "text/plain", "critical"),
                ("pem", "application/x-pem-file", "critical"),
            ]);
            (format!("file:///srv/{team}/{noun}/{place}.{ending}"), mime_type, sensitivity)
        }
        "https" => (format!("https://{team}.corp.example/{noun}/{place}"), "text/html", "low"),
        "s3" => (format!("s3://{team}-{stage}/{noun}/part-{place}.parquet"), "application/octet-stream", "low"),
        database => {
            let sensitivity = if stage == "prod" { "critical" } else { "high" };
            (format!("{database}://{stage}-db.{team}.internal/{noun}_{place}"), "application/json", sensitivity)
        }
    };
    Address { uri, scheme, mime_type, sensitivity }
}
