//! What several fingerprints say about one service, put together.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;
use tracehound_model::NodeKind;

use super::matching::Recognised;

/// Puts together what was recognised at one address: per kind, in the order of the kinds, the properties and the ids of
/// the rules, sorted.
///
/// Of two rules that say different things, the one with more probes is right, then the one with the smaller id; but what
/// was captured always comes before a placeholder for which nothing was.
#[must_use]
pub fn merge(found: Vec<Recognised>) -> Vec<(NodeKind, BTreeMap<String, Value>, Vec<String>)> {
    let mut by_kind: BTreeMap<NodeKind, Vec<Recognised>> = BTreeMap::new();
    for one in found {
        by_kind.entry(one.kind).or_default().push(one);
    }
    by_kind.into_iter().map(|(kind, found)| of_kind(kind, found)).collect()
}

fn of_kind(kind: NodeKind, mut found: Vec<Recognised>) -> (NodeKind, BTreeMap<String, Value>, Vec<String>) {
    found.sort_by(|a, b| (Reverse(a.probes), &a.rule).cmp(&(Reverse(b.probes), &b.rule)));
    let mut rules: Vec<String> = found.iter().map(|one| one.rule.clone()).collect();
    rules.sort();
    let mut properties = BTreeMap::new();
    for is_resolved in [true, false] {
        for one in &found {
            for (key, value) in one.properties.iter().filter(|(key, _)| one.unresolved.contains(*key) != is_resolved) {
                properties.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    (kind, properties, rules)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(rule: &str, kind: NodeKind, probes: usize, properties: &[(&str, &str)]) -> Recognised {
        let is_open = |(key, value): &&(&str, &str)| value.contains('{').then(|| (*key).to_owned());
        Recognised {
            rule: rule.to_owned(),
            kind,
            probes,
            properties: properties.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect(),
            unresolved: properties.iter().filter_map(|pair| is_open(&pair)).collect(),
        }
    }

    /// A kind, its properties and the rules.
    type Expected<'e> = (NodeKind, &'e [(&'e str, &'e str)], &'e [&'e str]);

    fn check(found: Vec<Recognised>, expected: &[Expected<'_>]) {
        let mut backwards = found.clone();
        backwards.reverse();
        let merged = merge(found);
        assert_eq!(merge(backwards), merged, "the order in which rules matched does not matter");
        let expected: Vec<_> = expected
            .iter()
            .map(|(kind, properties, rules)| {
                let properties = properties.iter().map(|(key, value)| ((*key).to_owned(), json!(value)));
                (*kind, properties.collect(), rules.iter().map(|rule| (*rule).to_owned()).collect())
            })
            .collect();
        assert_eq!(merged, expected);
    }

    #[test]
    fn all_rules_that_match_contribute_to_one_node_of_each_kind() {
        let (jupyter, ollama) = (NodeKind::JupyterServer, NodeKind::OllamaInstance);
        check(
            vec![
                found("jupyter-open", jupyter, 2, &[("auth_method", "none")]),
                found("jupyter", jupyter, 1, &[("version", "2")]),
                found("ollama", ollama, 1, &[("version", "1")]),
            ],
            &[
                (ollama, &[("version", "1")], &["ollama"]),
                (jupyter, &[("auth_method", "none"), ("version", "2")], &["jupyter", "jupyter-open"]),
            ],
        );
        check(Vec::new(), &[]);
    }

    #[test]
    fn the_more_specific_rule_wins_then_the_smaller_id_and_placeholders_never() {
        let kind = NodeKind::JupyterServer;
        check(
            vec![
                found("a", kind, 1, &[("auth_method", "token"), ("version", "{capture:version}")]),
                found("b", kind, 2, &[("auth_method", "none"), ("version", "{capture:version}")]),
                found("c", kind, 2, &[("auth_method", "later"), ("extra", "{capture:x}")]),
                found("d", kind, 1, &[("version", "7")]),
            ],
            &[(kind, &[("auth_method", "none"), ("extra", "{capture:x}"), ("version", "7")], &["a", "b", "c", "d"])],
        );
    }
}
