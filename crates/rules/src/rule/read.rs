//! Reading one rule from its file.

use tracehound_model::{Collector, Standard};

use super::types::{Emit, Rule, RuleSeverity, RuleTest, Scope, Target};
use super::{matcher, standards};
use crate::limits;
use crate::reading::fields::{Fields, List, Reader, read_with};
use crate::reading::problem::{Complaint, Problem, shown};
use crate::reading::tree::Node;

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
    read_with(Reader::default(), text, Reader::rule)
}

/// Reads one rule that a test read with [`read_rule`]: patterns are taken to compile, which is most of the time.
pub(crate) fn read_proven_rule(text: &str) -> Result<Rule, Vec<Problem>> {
    read_with(Reader::proven(), text, Reader::rule)
}

impl Reader {
    pub(crate) fn rule(&mut self, root: &Node) -> Option<Rule> {
        let fields = self.mapping(root, "a rule")?;
        self.only(&fields, FIELDS);
        let id = self.id(&fields);
        let name = self.required(&fields, "name").and_then(|node| self.line(node, "name", limits::NAME_BYTES));
        let description = self.prose(&fields, "description");
        let version = self.version(&fields, 1);
        let enabled = self.flag(&fields, "enabled", true);
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
            version: version?,
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

    fn severity(&mut self, node: &Node) -> Option<RuleSeverity> {
        // Worst first, as people list them.
        let words: Vec<_> = RuleSeverity::ALL.iter().rev().map(|severity| (severity.name(), *severity)).collect();
        self.word(node, "severity", &words)
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
        let value = fields.get("property_value").map(|node| self.scalar(node, "property_value", limits::NAME_BYTES));
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
