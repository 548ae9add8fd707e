//! What matches do to the node that they were found on.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use tracehound_model::wire::Node;
use tracehound_model::{NodeKind, PropertyType, property_type};

use super::{Match, excerpt};
use crate::rule::{Rule, RuleSeverity};

/// The property that lists the matches.
pub const RULE_MATCHES: &str = "rule_matches";
/// The property that collects the words of rules that matched.
pub const LABELS: &str = "labels";
/// What stands in place of an excerpt that would show a secret.
pub const HIDDEN: &str = "<hidden>";

/// The matches of one field of the node.
#[derive(Debug, Clone, Copy)]
pub struct FieldMatches<'a> {
    /// The key of the property, as the rules' targets call it.
    pub property: &'a str,
    /// The text as written.
    pub source: &'a str,
    /// What was found in it.
    pub matches: &'a [Match],
}

/// Writes matches to their node: the properties that rules set, their labels, and the list of matches.
///
/// `rules` are the engine's. The result depends on the matches alone and not on the order of `fields`. A node without
/// matches stays as it is.
pub fn apply(node: &mut Node, rules: &[Rule], fields: &[FieldMatches<'_>]) {
    let matched: BTreeSet<usize> =
        fields.iter().flat_map(|field| field.matches.iter().map(|found| found.rule)).collect();
    let matched: Vec<&Rule> = matched.into_iter().filter_map(|rule| rules.get(rule)).collect();
    if matched.is_empty() {
        return;
    }
    set_properties(node, &matched);
    add_to_list(node, LABELS, matched.iter().flat_map(|rule| rule.emit.labels.iter().cloned()));
    let is_credential = node.kinds.contains(&NodeKind::Credential);
    let text = list_matches(rules, fields, is_credential);
    node.properties.insert(RULE_MATCHES.into(), Value::String(text));
}

/// Lists collect the values of all rules; of rules that set one value, the most severe wins, then the first by id.
fn set_properties(node: &mut Node, matched: &[&Rule]) {
    let mut winners: BTreeMap<&str, (RuleSeverity, Value)> = BTreeMap::new();
    for rule in matched {
        let Some(key) = rule.emit.property_key.as_deref() else {
            continue;
        };
        let value = rule.emit.property_value.clone().unwrap_or(Value::Bool(true));
        if property_type(key) == Some(PropertyType::TextList) {
            add_to_list(node, key, texts(value));
        } else if winners.get(key).is_none_or(|(severity, _)| rule.severity > *severity) {
            // Rules come by id, so an equally severe one that is there already has the smaller id.
            winners.insert(key, (rule.severity, value));
        }
    }
    for (key, (_, value)) in winners {
        node.properties.insert(key.to_owned().into(), value);
    }
}

/// Adds texts to a list that is sorted and holds each once.
fn add_to_list(node: &mut Node, key: &str, added: impl IntoIterator<Item = String>) {
    let mut list: BTreeSet<String> = added.into_iter().collect();
    if list.is_empty() {
        return;
    }
    let present = node.properties.remove(key).map(texts);
    list.extend(present.into_iter().flatten());
    node.properties.insert(key.to_owned().into(), Value::Array(list.into_iter().map(Value::String).collect()));
}

/// A value as the texts of a list.
fn texts(value: Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text],
        Value::Array(values) => values.into_iter().flat_map(texts).collect(),
        other => vec![other.to_string()],
    }
}

/// One match in the property.
#[derive(Serialize)]
struct Entry<'a> {
    rule: &'a str,
    version: u32,
    field: &'a str,
    span: [usize; 2],
    excerpt: String,
    /// There are more matches of this rule in this field than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

fn list_matches(rules: &[Rule], fields: &[FieldMatches<'_>], is_credential: bool) -> String {
    let mut entries = Vec::new();
    for field in fields {
        // The value of a credential must not leave the process, not even in part.
        let is_hidden = is_credential && matches!(field.property, "value" | "credential.value");
        entries.extend(field.matches.iter().filter_map(|found| {
            let rule = rules.get(found.rule)?;
            let excerpt = if is_hidden { HIDDEN.to_owned() } else { excerpt(field.source, found.span.clone()) };
            let span = [found.span.start, found.span.end];
            Some(Entry {
                rule: &rule.id,
                version: rule.version,
                field: field.property,
                span,
                excerpt,
                more: found.has_more,
            })
        }));
    }
    entries.sort_by(|a, b| (a.rule, a.field, a.span).cmp(&(b.rule, b.field, b.span)));
    // Several reasons for one place are one match to whoever reads the list.
    entries.dedup_by(|next, kept| {
        let is_same = (next.rule, next.field, next.span) == (kept.rule, kept.field, kept.span);
        kept.more |= is_same && next.more;
        is_same
    });
    // INVARIANT: texts and numbers always serialise.
    serde_json::to_string(&entries).unwrap_or_default()
}
