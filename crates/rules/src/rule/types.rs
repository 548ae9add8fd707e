//! A detection rule as the rest of the product sees it: checked, typed, without its file.

use std::fmt;

use serde_json::Value;
use tracehound_model::{Collector, NodeKind, Standard};

/// One detection rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Its name for machines, such as `injection-override`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it detects and why that matters.
    pub description: String,
    /// Raised with every change of what it matches.
    pub version: u32,
    /// Whether it takes part.
    pub enabled: bool,
    /// How bad a match is.
    pub severity: RuleSeverity,
    /// OWASP entries (MCP and Agentic Top 10), with their published names.
    pub owasp: Vec<Standard>,
    /// MITRE ATLAS techniques, with their published names.
    pub atlas: Vec<Standard>,
    /// Free words to select rules by.
    pub tags: Vec<String>,
    /// What to do about a match.
    pub remediation: Option<String>,
    /// What it looks at.
    pub scope: Scope,
    /// When it matches.
    pub matcher: Matcher,
    /// What a match does to the node.
    pub emit: Emit,
    /// Its own examples. Empty for rules that come out of the binary.
    pub tests: Vec<RuleTest>,
}

/// How bad a match is: the severities of findings, and one below them for matches that only classify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleSeverity {
    /// Classifies, accuses of nothing.
    Info,
    /// Worth knowing.
    Low,
    /// Should be changed.
    Medium,
    /// Should be changed soon.
    High,
    /// Should be changed today.
    Critical,
}

impl RuleSeverity {
    /// All, mildest first.
    pub const ALL: &'static [Self] = &[Self::Info, Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for RuleSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a rule looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Only this collector's nodes; `None` means all.
    pub collector: Option<Collector>,
    /// The properties it reads. Never empty.
    pub targets: Vec<Target>,
}

/// One property to read: `description` of any node, `tool.description` of tools only, or a virtual one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// Only nodes of this kind; `None` means any kind that has the property.
    pub kind: Option<NodeKind>,
    /// The property's key.
    pub property: String,
}

/// When a rule matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    /// Terms that occur somewhere.
    Keyword {
        /// The terms. Never empty, none of them blank.
        keywords: Vec<String>,
        /// Match the folded text instead of the text as written.
        case_insensitive: bool,
        /// A term only counts between word boundaries.
        whole_words: bool,
        /// Whether one term is enough.
        mode: MatchMode,
    },
    /// Terms that the text starts with.
    Prefix {
        /// The terms. Never empty, none of them blank.
        prefixes: Vec<String>,
        /// Match the folded text instead of the text as written.
        case_insensitive: bool,
    },
    /// A regular expression without look-around or back-references, so that it takes linear time.
    Regex {
        /// The pattern. It compiles within the size limit and does not match the empty text.
        pattern: String,
        /// Match the folded text instead of the text as written.
        case_insensitive: bool,
    },
    /// A run of characters that looks random.
    Entropy {
        /// The characters that a run may consist of.
        charset: Charset,
        /// Shannon entropy in bits a character that a run must exceed.
        threshold: f64,
        /// The shortest run that counts, in characters.
        min_length: usize,
    },
    /// Several matchers joined.
    Compound {
        /// How.
        operator: Operator,
        /// The parts. Never empty.
        matchers: Vec<Matcher>,
    },
    /// Weighted signals whose sum must reach a threshold within one window of the text.
    Score {
        /// The sum to reach.
        threshold: f64,
        /// Where the signals must come together.
        window: Window,
        /// The signals. Never empty. A weight may be negative.
        signals: Vec<Signal>,
    },
    /// A trained text model, by name.
    Model {
        /// Which one; checked when the rules are compiled.
        model: String,
    },
}

/// Whether one keyword is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MatchMode {
    /// One is enough.
    #[default]
    Any,
    /// Every one must occur.
    All,
}

/// How a compound joins its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Operator {
    /// All parts must match.
    And,
    /// One part is enough.
    #[default]
    Or,
}

/// The alphabet of a random-looking run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// Letters, digits and `+ / - _`, with `=` as padding: base64 in both of its alphabets.
    Base64,
    /// Hexadecimal digits.
    Hex,
}

/// Where the signals of a score must come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Window {
    /// Anywhere in the text.
    #[default]
    Text,
    /// Within one sentence or the one after it.
    Sentence,
}

/// One weighted part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// What it is called in explanations.
    pub name: String,
    /// What it adds to the sum, once per window however often it matches.
    pub weight: f64,
    /// When it counts.
    pub matcher: Matcher,
}

/// What a match does.
#[derive(Debug, Clone, PartialEq)]
pub struct Emit {
    /// The kind of finding or classification, such as `has_injection_patterns`.
    pub finding_type: String,
    /// The node property that is set.
    pub property_key: Option<String>,
    /// Its value.
    pub property_value: Option<Value>,
    /// Words that are added to the node's property `labels`.
    pub labels: Vec<String>,
}

/// One example of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTest {
    /// The text.
    pub input: String,
    /// Whether the rule must match it.
    pub should_match: bool,
    /// What the example shows.
    pub description: String,
}
