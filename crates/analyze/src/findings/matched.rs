//! The texts in which rules matched, with where.
//!
//! A match travels on its node with the place in the text as it was when it was scanned. A text that is not on the node, or
//! is not what was scanned, is shown by the excerpt of the match.

use std::collections::BTreeMap;
use std::ops::Range;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};
use tracehound_rules::engine::excerpt;
use tracehound_rules::tool_text::combined;

use super::List;
use super::ground::{Ground, Matched};
use super::list::Found;
use super::rule_matches::calls_poisoned;

/// A text in which rules matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedText {
    /// The property that holds it.
    pub field: String,
    /// The text, or what is known of it.
    pub text: String,
    /// Where, by byte, with the rule that says so; sorted.
    pub spans: Vec<(Range<usize>, String)>,
}

impl List<'_> {
    /// The texts that a finding is about, with what matched in them; empty if no rule says so.
    #[must_use]
    pub fn matched_texts(&self, found: &Found<'_>) -> Vec<MatchedText> {
        let ground = self.ground();
        let is_poison = [EdgeKind::PoisonedDescription, EdgeKind::PoisonedInstructions]
            .iter()
            .any(|kind| kind.name() == found.kind);
        let is_meant = |matched: &Matched| {
            matched.rule == found.kind || (is_poison && ground.rule(&matched.rule).is_some_and(calls_poisoned))
        };
        let mut by_field: BTreeMap<String, Vec<Matched>> = BTreeMap::new();
        for matched in ground.matches(found.source).into_iter().filter(is_meant) {
            by_field.entry(matched.field.clone()).or_default().push(matched);
        }
        let texts = by_field.into_iter().flat_map(|(field, matches)| texts(ground, found.source, field, matches));
        texts.collect()
    }
}

/// One text with all that matched in it, and one for each match that is about a text which is not there.
fn texts(ground: &Ground<'_>, node: NodeIx, field: String, matches: Vec<Matched>) -> Vec<MatchedText> {
    let text = text_of(ground, node, &field);
    let is_there = |matched: &Matched| {
        let [start, end] = matched.span;
        text.get(start..end).is_some() && excerpt(&text, start..end) == matched.excerpt
    };
    let (there, elsewhere): (Vec<Matched>, Vec<Matched>) = matches.into_iter().partition(is_there);
    let mut told = Vec::new();
    if !there.is_empty() {
        let mut spans: Vec<(Range<usize>, String)> =
            there.into_iter().map(|matched| (matched.span[0]..matched.span[1], matched.rule)).collect();
        spans.sort_by_key(|(span, _)| (span.start, span.end));
        told.push(MatchedText { field: field.clone(), text, spans });
    }
    told.extend(elsewhere.into_iter().map(|matched| {
        let spans = vec![(0..matched.excerpt.len(), matched.rule)];
        MatchedText { field: field.clone(), text: matched.excerpt, spans }
    }));
    told
}

fn text_of(ground: &Ground<'_>, node: NodeIx, field: &str) -> String {
    if ground.view.kind(node) == NodeKind::McpTool && field == "combined" {
        let schema = serde_json::from_str(&ground.text(node, "input_schema")).ok();
        return combined(&ground.text(node, "name"), &ground.text(node, "description"), schema.as_ref());
    }
    ground.text(node, field)
}
