//! Reading one rule from its file.

use serde_json::Value as Json;
use tracehound_model::{Collector, Standard};

use super::fields::{Fields, List, Reader};
use super::problem::{Complaint, Problem, shown};
use super::tree::{self, Node, Value};
use super::types::{Emit, Rule, RuleSeverity, RuleTest, Scope, Target};
use super::{matcher, standards};
use crate::limits;

/// The fields of a rule.
const FIELDS: &[&str] = &[
    "id",
    "name",
    "description",
    "version",
    "enabled",
    "severity",
    "owasp",
    "atlas",
    "tags",
    "remediation",
    "scope",
    "matcher",
    "emit",
    "tests",
];

/// Reads one rule.
///
/// # Errors
///
/// With everything that is wrong with the text, in its order.
pub fn read_rule(text: &str) -> Result<Rule, Vec<Problem>> {
    read(text, Reader::default())
}

/// Reads one rule that a test read with [`read_rule`]: patterns are taken to compile, which is most of the time.
pub(crate) fn read_proven_rule(text: &str) -> Result<Rule, Vec<Problem>> {
    read(text, Reader { is_proven: true, ..Reader::default() })
}

fn read(text: &str, mut reader: Reader) -> Result<Rule, Vec<Problem>> {
    let rule = tree::parse(text, &mut reader.problems).and_then(|root| reader.rule(&root));
    let problems = reader.problems.into_sorted();
    match rule {
        Some(rule) if problems.is_empty() => Ok(rule),
        _ => Err(problems),
    }
}

impl Reader {
    fn rule(&mut self, root: &Node) -> Option<Rule> {
        let fields = self.mapping(root, "a rule")?;
        self.only(&fields, FIELDS);
        let id = self.id(&fields);
        let name = self.required(&fields, "name").and_then(|node| self.line(node, "name", limits::NAME_BYTES));
        let description = self.prose(&fields, "description");
        let version =
            fields.get("version").map_or(Some(1), |node| self.integer(node, "version", 1..=i64::from(u32::MAX)));
        let enabled = fields.get("enabled").map_or(Some(true), |node| self.boolean(node, "enabled"));
        let severity = self.required(&fields, "severity").and_then(|node| self.severity(node));
        let owasp = self.standards(&fields, "owasp", standards::owasp);
        let atlas = self.standards(&fields, "atlas", standards::atlas);
        let tags = self.words(&fields, "tags");
        let remediation = self.prose(&fields, "remediation");
        let scope = self.required(&fields, "scope").and_then(|node| self.scope(node));
        let matcher = self.required(&fields, "matcher").and_then(|node| matcher::read(self, node));
        let emit = self.required(&fields, "emit").and_then(|node| self.emit(node));
        let tests = self.tests(&fields);
        Some(Rule {
            id: id?,
            name: name?,
            description: description?.unwrap_or_default(),
            version: version.and_then(|version| u32::try_from(version).ok())?,
            enabled: enabled?,
            severity: severity?,
            owasp: owasp?,
            atlas: atlas?,
            tags: tags?,
            remediation: remediation?,
            scope: scope?,
            matcher: matcher?,
            emit: emit?,
            tests: tests?,
        })
    }

    fn id(&mut self, fields: &Fields<'_>) -> Option<String> {
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

    fn severity(&mut self, node: &Node) -> Option<RuleSeverity> {
        // Worst first, as people list them.
        let words: Vec<_> = RuleSeverity::ALL.iter().rev().map(|severity| (severity.name(), *severity)).collect();
        self.word(node, "severity", &words)
    }

    /// Text in one line.
    fn line(&mut self, node: &Node, field: &str, most: usize) -> Option<String> {
        let text = self.text(node, field, most)?;
        if text.chars().any(char::is_control) {
            self.complain(node.at, Complaint::new(format!("`{field}` must be one line without control characters")));
            return None;
        }
        Some(text.to_owned())
    }

    /// An optional field with text of several lines. The outer `None` means that it is broken.
    fn prose(&mut self, fields: &Fields<'_>, key: &str) -> Option<Option<String>> {
        match fields.get(key) {
            None => Some(None),
            Some(node) => self.text(node, key, limits::PROSE_BYTES).map(|text| Some(text.trim_end().to_owned())),
        }
    }

    /// An optional field with a list of short texts.
    fn words(&mut self, fields: &Fields<'_>, key: &'static str) -> Option<Vec<String>> {
        let Some(node) = fields.get(key) else { return Some(Vec::new()) };
        let items = self.any_list(node, List { field: key, most: limits::WORDS })?;
        self.texts(items, key, limits::WORD_BYTES)
    }

    fn standards(
        &mut self,
        fields: &Fields<'_>,
        key: &'static str,
        find: fn(&str) -> Result<Standard, Complaint>,
    ) -> Option<Vec<Standard>> {
        let Some(node) = fields.get(key) else { return Some(Vec::new()) };
        let items = self.any_list(node, List { field: key, most: limits::WORDS })?;
        self.distinct(items, key, find)
    }

    /// The entries of a list of texts, each understood and none of them twice.
    fn distinct<T: PartialEq>(
        &mut self,
        items: &[Node],
        field: &str,
        understand: fn(&str) -> Result<T, Complaint>,
    ) -> Option<Vec<T>> {
        let mut found = Vec::new();
        let mut is_whole = true;
        for (index, item) in items.iter().enumerate() {
            let text = self.text(item, &format!("{field}[{index}]"), usize::MAX);
            let Some(text) = text else {
                is_whole = false;
                continue;
            };
            match understand(text) {
                Ok(value) if found.contains(&value) => {
                    self.complain(item.at, Complaint::new(format!("{} stands twice in `{field}`", shown(text))));
                }
                Ok(value) => found.push(value),
                Err(complaint) => {
                    self.complain(item.at, complaint);
                    is_whole = false;
                }
            }
        }
        is_whole.then_some(found)
    }

    fn scope(&mut self, node: &Node) -> Option<Scope> {
        let fields = self.mapping(node, "`scope`")?;
        self.only(&fields, &["collector", "targets"]);
        let collector = self.required(&fields, "collector").and_then(|node| {
            let named = [Collector::Mcp, Collector::A2a, Collector::Config, Collector::Network];
            let mut words: Vec<_> = named.iter().map(|collector| (collector.name(), Some(*collector))).collect();
            words.push(("all", None));
            self.word(node, "collector", &words)
        });
        let targets = self.required(&fields, "targets").and_then(|node| {
            let items = self.list(node, List { field: "targets", most: limits::WORDS })?;
            self.distinct(items, "targets", Target::read)
        });
        Some(Scope { collector: collector?, targets: targets? })
    }

    fn emit(&mut self, node: &Node) -> Option<Emit> {
        let fields = self.mapping(node, "`emit`")?;
        self.only(&fields, &["finding_type", "property_key", "property_value", "labels"]);
        let finding_type =
            self.required(&fields, "finding_type").and_then(|node| self.snake_case(node, "finding_type"));
        let key = fields.get("property_key").map(|node| self.snake_case(node, "property_key"));
        let value = fields.get("property_value").map(|node| self.scalar(node, "property_value"));
        let alone = match (&key, &value) {
            (Some(_), None) => Some(("property_key", "property_value")),
            (None, Some(_)) => Some(("property_value", "property_key")),
            _ => None,
        };
        if let Some((given, missing)) = alone {
            let message = format!("`{given}` needs `{missing}` beside it");
            self.complain(fields.place_of(given), Complaint::new(message));
        }
        let labels = self.words(&fields, "labels");
        Some(Emit {
            finding_type: finding_type?,
            property_key: key.map_or(Some(None), |key| key.map(Some))?,
            property_value: value.map_or(Some(None), |value| value.map(Some))?,
            labels: labels?,
        })
    }

    fn snake_case(&mut self, node: &Node, field: &str) -> Option<String> {
        let text = self.text(node, field, limits::WORD_BYTES)?;
        if is_snake_case(text) {
            return Some(text.to_owned());
        }
        let message = format!("`{field}` must be in snake_case, not {}", shown(text));
        let meant = text.to_ascii_lowercase().replace(['-', ' '], "_");
        let meant = Some(meant.as_str()).filter(|meant| is_snake_case(meant));
        self.complain(node.at, Complaint::unknown(message, meant, "letters a-z, digits and underscores"));
        None
    }

    /// A boolean, a number or text.
    fn scalar(&mut self, node: &Node, field: &str) -> Option<Json> {
        let json = match &node.value {
            Value::Boolean(value) => Some(Json::from(*value)),
            Value::Integer(value) => Some(Json::from(*value)),
            Value::Number(value) => serde_json::Number::from_f64(*value).map(Json::Number),
            Value::Text(text) if text.len() <= limits::NAME_BYTES => Some(Json::from(text.as_str())),
            _ => None,
        };
        if json.is_none() {
            let most = limits::NAME_BYTES;
            let message = format!("`{field}` must be true, false, a finite number or text of at most {most} bytes");
            self.complain(node.at, Complaint::new(message));
        }
        json
    }

    fn tests(&mut self, fields: &Fields<'_>) -> Option<Vec<RuleTest>> {
        let Some(node) = fields.get("tests") else { return Some(Vec::new()) };
        let items = self.any_list(node, List { field: "tests", most: limits::TESTS })?;
        let tests: Vec<Option<RuleTest>> = items.iter().map(|item| self.test(item)).collect();
        tests.into_iter().collect()
    }

    fn test(&mut self, node: &Node) -> Option<RuleTest> {
        let fields = self.mapping(node, "a test")?;
        self.only(&fields, &["input", "should_match", "description"]);
        let input = self.required(&fields, "input");
        let input = input.and_then(|node| self.any_text(node, "input", limits::TEST_INPUT_BYTES));
        let should_match = self.required(&fields, "should_match");
        let should_match = should_match.and_then(|node| self.boolean(node, "should_match"));
        let description = self.prose(&fields, "description");
        Some(RuleTest {
            input: input?.to_owned(),
            should_match: should_match?,
            description: description?.unwrap_or_default(),
        })
    }
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
