//! Targets: which text of which nodes a rule reads.

use std::fmt;
use std::str::FromStr;

use tracehound_model::{NodeKind, NodeRole, PROPERTIES, Property, PropertyType};

use super::types::Target;
use crate::reading::problem::{Complaint, shown};
use crate::reading::suggest::nearest;

/// The words that stand for kinds in targets.
const KIND_WORDS: &[(&str, NodeKind)] = &[
    ("server", NodeKind::McpServer),
    ("tool", NodeKind::McpTool),
    ("resource", NodeKind::McpResource),
    ("prompt", NodeKind::McpPrompt),
    ("agent", NodeKind::A2aAgent),
    ("skill", NodeKind::A2aSkill),
    ("instance", NodeKind::AgentInstance),
    ("identity", NodeKind::Identity),
    ("credential", NodeKind::Credential),
    ("host", NodeKind::Host),
    ("config", NodeKind::ConfigFile),
    ("instruction", NodeKind::InstructionFile),
    ("service", NodeKind::AiService),
    ("model", NodeKind::AiModel),
];

/// Texts that collectors hand to rules and that are not stored as properties: they hold secrets, are too long, or are
/// put together from others.
const TEXTS: &[(NodeKind, &str)] = &[
    (NodeKind::McpServer, "args"),
    (NodeKind::McpServer, "command"),
    (NodeKind::McpServer, "env_keys"),
    (NodeKind::McpServer, "env_values"),
    (NodeKind::McpTool, "combined"),
    (NodeKind::Credential, "value"),
    (NodeKind::InstructionFile, "content"),
];

impl Target {
    /// Whether the rule reads this property of nodes of this kind.
    #[must_use]
    pub fn covers(&self, kind: NodeKind, property: &str) -> bool {
        self.property == property && self.kind.is_none_or(|own| own == kind || kind.umbrella() == Some(own))
    }

    /// A kind whose nodes have the property: the target's own, else tools, else the first that does.
    #[must_use]
    pub fn example_kind(&self) -> NodeKind {
        let has = |kind: &NodeKind| properties(Some(*kind)).any(|known| known == self.property);
        let mut kinds = [NodeKind::McpTool].into_iter().chain(KIND_WORDS.iter().map(|(_, kind)| *kind));
        self.kind.or_else(|| kinds.find(has)).unwrap_or(NodeKind::McpTool)
    }

    /// The kind that a word of targets stands for, such as `tool`; kinds may also be said by their own names.
    #[must_use]
    pub fn kind_called(word: &str) -> Option<NodeKind> {
        let by_word = KIND_WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
        by_word.or_else(|| NodeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(word)))
    }

    /// The target that a rule file writes as this text.
    pub(super) fn read(text: &str) -> Result<Self, Complaint> {
        let (kind, property) = match text.split_once('.') {
            None => (None, text),
            Some((word, property)) => (Some(kind_of(word)?), property),
        };
        if properties(kind).any(|known| known == property) {
            return Ok(Self { kind, property: property.to_owned() });
        }
        if let Some(row) = PROPERTIES.iter().find(|row| row.key == property && carries(row, kind)) {
            let message = format!("{} is no target: it holds a value of type {}", shown(text), row.value.name());
            return Err(Complaint::with_help(message, "rules read text only"));
        }
        let meant =
            nearest(property, properties(kind)).map(|near| kind.map_or(near.into(), |kind| written(kind, near)));
        let elsewhere = || KIND_WORDS.iter().find(|(_, kind)| properties(Some(*kind)).any(|known| known == property));
        let meant = meant.or_else(|| elsewhere().map(|(_, kind)| written(*kind, property)));
        let otherwise = "a target is a property such as description, tool.name or instruction.content";
        Err(Complaint::unknown(format!("{} is not a known target", shown(text)), meant.as_deref(), otherwise))
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::read(text).map_err(|Complaint { message, help }| match help {
            Some(help) => format!("{message} ({help})"),
            None => message,
        })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => f.pad(&written(kind, &self.property)),
            None => f.pad(&self.property),
        }
    }
}

fn written(kind: NodeKind, property: &str) -> String {
    // Every kind that a target can have came from the table; others show by their own name.
    let word = KIND_WORDS.iter().find(|(_, known)| *known == kind).map_or(kind.name(), |(word, _)| *word);
    format!("{word}.{property}")
}

fn kind_of(word: &str) -> Result<NodeKind, Complaint> {
    KIND_WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind).ok_or_else(|| {
        let words: Vec<&str> = KIND_WORDS.iter().map(|(word, _)| *word).collect();
        let near = nearest(word, words.iter().copied());
        Complaint::unknown(format!("no node is called {}", shown(word)), near, format!("they are {}", words.join(", ")))
    })
}

/// The properties that hold text and that nodes of this kind, or of any, carry.
fn properties(kind: Option<NodeKind>) -> impl Iterator<Item = &'static str> {
    let stored = PROPERTIES.iter().filter(move |row| is_text(row.value) && carries(row, kind)).map(|row| row.key);
    let given = TEXTS.iter().filter(move |(own, _)| kind.is_none_or(|kind| kind == *own)).map(|(_, key)| *key);
    stored.chain(given)
}

fn is_text(value: PropertyType) -> bool {
    matches!(value, PropertyType::Text | PropertyType::TextList | PropertyType::JsonText)
}

/// Whether nodes of the kind carry the property; an umbrella carries what any of its kinds does.
fn carries(row: &Property, kind: Option<NodeKind>) -> bool {
    row.kinds.iter().any(|own| match kind {
        None => !matches!(own.role(), NodeRole::Synthetic),
        Some(kind) => *own == kind || own.umbrella() == Some(kind),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match Target::read(text) {
            Ok(target) => format!("ok {target}"),
            Err(Complaint { message, help }) => format!("{message} ({})", help.unwrap_or_default()),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn every_target_of_the_reference_is_known() {
        for text in [
            "tool.description",
            "tool.name",
            "tool.input_schema",
            "tool.combined",
            "skill.description",
            "resource.uri",
            "instruction.content",
            "credential.name",
            "credential.value",
            "server.command",
            "server.args",
            "server.env_keys",
            "server.env_values",
            "server.instructions",
            "description",
            "name",
            "args",
            "service.name",
        ] {
            check(text, &format!("ok {text}"));
        }
    }

    #[test]
    fn unknown_targets_come_with_the_likely_one() {
        check("tool.descripton", "`tool.descripton` is not a known target (did you mean `tool.description`?)");
        check("tools.name", "no node is called `tools` (did you mean `tool`?)");
        check("tool.uri", "`tool.uri` is not a known target (did you mean `resource.uri`?)");
        check("resource.size", "`resource.size` is no target: it holds a value of type integer (rules read text only)");
        check(
            "level",
            "`level` is not a known target (a target is a property such as description, tool.name or instruction.content)",
        );
        check(
            "",
            "`` is not a known target (a target is a property such as description, tool.name or instruction.content)",
        );
    }

    #[test]
    fn a_target_covers_its_kind_and_a_bare_one_every_kind() {
        let [bare, tools, services] = ["name", "tool.name", "service.name"].map(|text| Target::read(text).expect(text));
        assert!(bare.covers(NodeKind::McpTool, "name") && bare.covers(NodeKind::Credential, "name"));
        assert!(tools.covers(NodeKind::McpTool, "name") && !tools.covers(NodeKind::McpServer, "name"));
        assert!(services.covers(NodeKind::JupyterServer, "name") && !services.covers(NodeKind::McpTool, "name"));
        assert!(!bare.covers(NodeKind::McpTool, "description"));
    }

    #[test]
    fn a_bare_target_has_a_kind_to_try_it_on() {
        for (text, kind) in [
            ("description", NodeKind::McpTool),
            ("args", NodeKind::McpServer),
            ("value", NodeKind::Credential),
            ("skill.description", NodeKind::A2aSkill),
        ] {
            assert_eq!(text.parse::<Target>().expect(text).example_kind(), kind, "{text}");
        }
        let refused = "tool.descripton".parse::<Target>();
        assert_eq!(refused, Err("`tool.descripton` is not a known target (did you mean `tool.description`?)".into()));
    }

    #[test]
    fn every_kind_that_a_document_may_hold_and_that_is_no_service_has_a_word() {
        for kind in NodeKind::ALL.iter().filter(|kind| matches!(kind.role(), NodeRole::Observed | NodeRole::Umbrella)) {
            let has_word = KIND_WORDS.iter().any(|(_, known)| known == kind);
            assert!(has_word || *kind == NodeKind::ExtractedTrainingSignal, "{kind:?}");
        }
    }
}
