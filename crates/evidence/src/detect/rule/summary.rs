//! What a rule tells people: text in which placeholders are replaced by what the event says.

use serde::{Serialize, Serializer};

use crate::detect::limits;
use crate::event::Event;

/// Text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    written: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(Placeholder),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placeholder {
    Tool,
    Action,
    Decision,
    Reason,
    AgentId,
    TenantId,
    RiskScore,
    Count,
}

const PLACEHOLDERS: [(&str, Placeholder); 8] = [
    ("tool", Placeholder::Tool),
    ("action", Placeholder::Action),
    ("decision", Placeholder::Decision),
    ("reason", Placeholder::Reason),
    ("agent_id", Placeholder::AgentId),
    ("tenant_id", Placeholder::TenantId),
    ("risk_score", Placeholder::RiskScore),
    ("count", Placeholder::Count),
];

impl Summary {
    /// Text without placeholders.
    pub(super) fn plain(text: &str) -> Self {
        Self { written: text.to_owned(), pieces: vec![Piece::Text(text.to_owned())] }
    }

    /// Reads text with placeholders in braces. What can't be one is told apart from what isn't known.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or("a `{` in the summary has no `}`")?;
            let known = PLACEHOLDERS.iter().find(|(known, _)| *known == name);
            let (_, placeholder) = known.ok_or_else(|| {
                let all = PLACEHOLDERS.map(|(name, _)| format!("`{{{name}}}`")).join(", ");
                format!("the summary has an unknown placeholder; there are {all}")
            })?;
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Placeholder(*placeholder));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Self { written: text.to_owned(), pieces })
    }

    /// The text for an event, cut where the count belongs: joining the parts with the count gives the whole.
    pub(crate) fn around_count(&self, event: &Event) -> Vec<String> {
        let mut parts = vec![String::new()];
        for piece in &self.pieces {
            let text = match piece {
                Piece::Placeholder(Placeholder::Count) => {
                    parts.push(String::new());
                    continue;
                }
                Piece::Placeholder(placeholder) => value(*placeholder, event),
                Piece::Text(text) => text.clone(),
            };
            if let Some(last) = parts.last_mut() {
                last.push_str(&text);
            }
        }
        parts
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.written)
    }
}

fn value(placeholder: Placeholder, event: &Event) -> String {
    let or_none = |text: &Option<String>| shown(text.as_deref().unwrap_or("none"));
    match placeholder {
        Placeholder::Tool => or_none(&event.tool),
        Placeholder::Action => or_none(&event.action),
        Placeholder::Decision => or_none(&event.decision),
        Placeholder::Reason => shown(&event.reason),
        Placeholder::AgentId => or_none(&event.agent_id),
        Placeholder::TenantId => shown(&event.tenant_id),
        Placeholder::RiskScore => event.risk_score.to_string(),
        Placeholder::Count => String::new(),
    }
}

/// What an agent chose may be long and may hold line breaks that would make one line of a list two.
fn shown(text: &str) -> String {
    let is_unseen = |it: char| {
        it.is_control() || matches!(it, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown: String = text
        .chars()
        .take(limits::PLACEHOLDER_CHARACTERS)
        .map(|it| if is_unseen(it) { '\u{fffd}' } else { it })
        .collect();
    if text.chars().nth(limits::PLACEHOLDER_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}
