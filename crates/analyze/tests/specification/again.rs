//! After a change, what is derived again is what would be derived from nothing.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::Value;
use tracehound_analyze::{Analysis, Changes, Picture, words};
use tracehound_graph::{EdgeIx, Graph, NodeIx, View as _};

use crate::drawn::drawn;
use crate::estates::{Little, little, started, tooled};
use crate::expected::lines;
use crate::tight::tight;

/// An estate and what became of it: one to three things came, went or changed in one property. Every other one is a node,
/// though there are far more edges.
fn changed() -> impl Strategy<Value = (Little, Little)> {
    let pairs = prop_oneof![(little(), little()), (tight(), tight()), (tooled(), tooled()), (started(), started())];
    let choice = (any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let choices = prop_oneof![prop::collection::vec(choice.clone(), 1), prop::collection::vec(choice, 2..=3)];
    (pairs, choices).prop_map(|((before, other), choices)| {
        let mut after = by_name(&before);
        let other = by_name(&other);
        let names: BTreeSet<Name> = after.keys().chain(other.keys()).cloned().collect();
        let (nodes, edges): (Vec<Name>, Vec<Name>) = names.into_iter().partition(|[id, ..]| id != "null");
        for (is_node, place, key) in choices {
            let names = if is_node { &nodes } else { &edges };
            let Some(name) = (!names.is_empty()).then(|| place.get(names)) else { continue };
            match (after.get_mut(name), other.get(name)) {
                (Some(mine), Some(theirs)) => take_one_property(mine, theirs, key),
                (Some(_), None) => drop(after.remove(name)),
                (None, theirs) => drop(theirs.map(|theirs| after.insert(name.clone(), theirs.clone()))),
            }
        }
        let (nodes, mut edges): (Vec<Value>, Vec<Value>) = after.into_values().partition(|it| it["id"].is_string());
        let is_there = |id: &Value| nodes.iter().any(|node| node["id"] == *id);
        edges.retain(|edge| is_there(&edge["source"]) && is_there(&edge["target"]));
        (before, Little { nodes, edges })
    })
}

type Name = [String; 4];

/// The nodes and edges of an estate by what makes them what they are.
fn by_name(estate: &Little) -> BTreeMap<Name, Value> {
    let name = |it: &Value| ["id", "source", "kind", "target"].map(|key| it[key].to_string());
    estate.nodes.iter().chain(&estate.edges).map(|it| (name(it), it.clone())).collect()
}

/// Makes one property like the other's, which may have none.
fn take_one_property(mine: &mut Value, theirs: &Value, key: prop::sample::Index) {
    let (Some(mine), Some(theirs)) = (mine["properties"].as_object_mut(), theirs["properties"].as_object()) else {
        return;
    };
    let keys: BTreeSet<String> = mine.keys().chain(theirs.keys()).cloned().collect();
    let keys: Vec<String> = keys.into_iter().filter(|key| mine.get(key) != theirs.get(key)).collect();
    let Some(key) = (!keys.is_empty()).then(|| key.get(&keys)) else { return };
    match theirs.get(key) {
        Some(value) => drop(mine.insert(key.clone(), value.clone())),
        // Validation demands it of secrets.
        None if key == "value_hash" => {}
        None => drop(mine.remove(key)),
    }
}

/// Everything that was derived, a line for each fact.
pub(crate) fn everything(graph: &Graph, analysis: &Analysis) -> Vec<String> {
    let picture = Picture::new(graph, analysis);
    let mut all = Vec::new();
    for (kind, relation) in analysis.derived.iter() {
        all.push(format!("{} {} of {}", kind.name(), relation.len(), relation.total()));
        all.extend(relation.counts().map(|(node, count)| format!("{} {} {count}", kind.name(), graph.id(node))));
        for (number, source, target, edge) in relation.iter() {
            let ends = format!("{} {} {}", graph.id(source), kind.name(), graph.id(target));
            all.push(format!("{ends}: {}", lines(&picture, relation.path(edge)).join(", ")));
            for key in words::KEYS {
                let value = picture.edge_property(EdgeIx { kind, number }, key);
                all.push(format!("{ends} {key} {value:?}"));
            }
        }
    }
    for node in (0..graph.node_count() as u32).map(NodeIx) {
        let written = analysis.properties.of(node);
        all.extend(written.map(|(key, value)| format!("{} {key} {value:?}", graph.id(node))));
    }
    all.extend(analysis.nodes.iter().map(|node| format!("{} {:?} {:?}", node.id, node.kind, node.properties)));
    all
}

fn check(before: &Graph, after: &Graph) -> Result<(), TestCaseError> {
    let again = Analysis::again(after, &Analysis::of(before), &Changes::between(before, after));
    prop_assert_eq!(everything(after, &again), everything(after, &Analysis::of(after)));
    let back = Analysis::again(before, &again, &Changes::between(after, before));
    prop_assert_eq!(everything(before, &back), everything(before, &Analysis::of(before)));
    Ok(())
}

#[test]
fn what_is_derived_again_is_what_is_derived_from_nothing() {
    let config = ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((before, after) in changed())| check(&before.graph(), &after.graph())?);
}

const ESTATE: &str = r#"
    a AgentInstance
    s MCPServer
    t MCPTool {"capability_surface":["file_read"]}
    r MCPResource {"uri":"file:///home/u","sensitivity":"high"}
    a TRUSTS_SERVER s
    s PROVIDES_TOOL t
    s PROVIDES_RESOURCE r
"#;

fn ran(before: &str, after: &str) -> Vec<&'static str> {
    let (before, after) = (drawn(before), drawn(after));
    Analysis::again(&after, &Analysis::of(&before), &Changes::between(&before, &after)).ran
}

#[test]
fn a_change_that_nobody_reads_runs_nobody() {
    let after = ESTATE.replace(r#""uri""#, r#""mime_type":"text/plain","uri""#);
    assert_eq!(ran(ESTATE, &after), [""; 0]);
    assert_eq!(ran(ESTATE, ESTATE), [""; 0]);
}

#[test]
fn a_change_of_a_capability_runs_whoever_reads_access() {
    let ran = ran(ESTATE, &ESTATE.replace("file_read", "email_send"));
    for name in ["has_access_to", "can_reach", "can_exfiltrate_via", "cross_protocol"] {
        assert!(ran.contains(&name), "{name} is not among {ran:?}");
    }
    assert!(!ran.contains(&"auth_strength"), "{ran:?}");
}

#[test]
fn a_node_that_comes_in_moves_the_numbers_of_what_is_kept() {
    let (before, after) = (drawn(ESTATE), drawn(&format!("{ESTATE}\n a0 AgentInstance \n b ConfigFile")));
    check(&before, &after).unwrap();
}
