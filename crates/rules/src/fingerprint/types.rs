//! A fingerprint rule as the rest of the product sees it: checked, typed, without its file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;
use tracehound_model::NodeKind;

use super::expression::Expression;
use super::path::JsonPath;
use super::response::Response;
use super::template::Template;

/// One fingerprint rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Fingerprint {
    /// Its name for machines, such as `ollama-api`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it recognises, and by what.
    pub description: String,
    /// Raised with every change of what it matches or says.
    pub version: u32,
    /// Whether it takes part.
    pub enabled: bool,
    /// The kind of service that it recognises. It always carries the umbrella label.
    pub kind: NodeKind,
    /// The ports on which the service listens when nobody chose another. None twice.
    pub ports: Vec<u16>,
    /// The requests, in the order in which they are made. Never empty.
    pub probes: Vec<Probe>,
    /// What the node of a recognised service is given.
    pub properties: BTreeMap<String, Template>,
    /// Its own examples. Empty for rules that come out of the binary.
    pub tests: Vec<FingerprintTest>,
}

impl Fingerprint {
    /// The names in placeholders that no probe captures anything under, sorted.
    #[must_use]
    pub fn misnamed_captures(&self) -> BTreeSet<&str> {
        let captured = |name: &&str| self.probes.iter().flat_map(|probe| &probe.captures).any(|(own, _)| own == name);
        self.properties.values().flat_map(Template::captures).filter(|name| !captured(name)).collect()
    }
}

/// How a service is asked. Nothing that may change it can be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Method {
    /// Give me this.
    #[default]
    Get,
    /// Give me what goes with this, without itself.
    Head,
}

impl Method {
    /// The word in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is asked of a service. Equal requests need to be made only once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// How.
    pub method: Method,
    /// For what: starts with one `/` and may have a query.
    pub path: String,
    /// With which headers, in the order of the file. None decides about framing, the host, credentials or the method.
    pub headers: Vec<(String, String)>,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

/// One request, and what is looked for in its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// What is asked.
    pub request: Request,
    /// What must hold of the answer, all of it. Never empty.
    pub matchers: Vec<Matcher>,
    /// What is taken from the answer, in the order of the file. No name stands twice.
    pub captures: Vec<(String, Capture)>,
}

/// Something that must hold of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    /// The status is within a range.
    Status(StatusRange),
    /// One of the values of a header contains a text.
    HeaderContains {
        /// The header; its case does not matter.
        name: String,
        /// The text.
        value: String,
        /// Whether the case of the text does not matter either.
        case_insensitive: bool,
    },
    /// One of the values of a header matches a pattern.
    HeaderMatches {
        /// The header; its case does not matter.
        name: String,
        /// The pattern.
        pattern: Expression,
    },
    /// The body is a text, apart from white space around either.
    BodyEquals(String),
    /// The body contains a text.
    BodyContains {
        /// The text.
        value: String,
        /// Whether its case does not matter.
        case_insensitive: bool,
    },
    /// The body matches a pattern.
    BodyMatches(Expression),
    /// Something about a value within a JSON body.
    Json {
        /// Where the value stands.
        path: JsonPath,
        /// What must hold of it.
        wanted: Wanted,
    },
}

/// What must hold of a value within a JSON body.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// It is there, be it `null`.
    There,
    /// The body is JSON, and it is not there.
    Absent,
    /// Its text is this one.
    Equal(String),
    /// Its text matches a pattern.
    Matching(Expression),
}

/// Which statuses fit: from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusRange {
    /// The first that fits.
    pub first: u16,
    /// The last that fits.
    pub last: u16,
}

/// What is taken from an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Capture {
    /// The text of a value within a JSON body; `length` below an array counts its entries.
    Value(JsonPath),
    /// The keys of an object within a JSON body that match, or what the first group matches in each; sorted, none twice.
    Keys {
        /// Where the object stands.
        path: JsonPath,
        /// Which keys.
        pattern: Expression,
    },
    /// What the pattern, or its first group, matches in a header.
    Header {
        /// The header; its case does not matter.
        name: String,
        /// The pattern.
        pattern: Expression,
    },
    /// What the pattern, or its first group, matches in the body.
    Body(Expression),
}

/// One example of a fingerprint: a service by its answers, and what is to be made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FingerprintTest {
    /// What the example shows.
    pub description: String,
    /// What the service answers. It fails to answer everything else.
    pub responses: Vec<TestResponse>,
    /// Whether the rule must match.
    pub should_match: bool,
    /// Properties that it must have found, among others.
    pub properties: BTreeMap<String, Value>,
}

/// What a service in an example answers to one request, whatever its headers.
#[derive(Debug, Clone, PartialEq)]
pub struct TestResponse {
    /// How it is asked.
    pub method: Method,
    /// For what.
    pub path: String,
    /// What it answers.
    pub response: Response,
}
