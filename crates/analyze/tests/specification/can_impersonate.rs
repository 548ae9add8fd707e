//! `CAN_IMPERSONATE`: the skills of two agents read alike.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;
use tracehound_analyze::Analysis;
use tracehound_graph::{Graph, View as _};
use tracehound_model::EdgeKind;

use crate::estates::Little;
use crate::expected::{Expected, Reader as _, cost};
use crate::{compare, compare_on, edges};

const EMPTY_WORDS: &str = "a an and are as at be been but by can could did do does for from had has have if in is it its may \
                           no not of on or should so that the this to was were which will with would";

/// How often each word occurs in what the skills of an agent say.
fn words(graph: &Graph, agent: &str) -> BTreeMap<String, f64> {
    let skills = graph.to(agent, EdgeKind::AdvertisesSkill).into_iter();
    let text: Vec<String> = skills.filter_map(|skill| graph.text(&skill, "description")).collect();
    let empty: BTreeSet<&str> = EMPTY_WORDS.split_whitespace().collect();
    let mut counts = BTreeMap::new();
    for word in text.join(" ").to_lowercase().split(|it: char| !it.is_alphanumeric()) {
        if word.len() >= 2 && !empty.contains(word) {
            *counts.entry(word.to_owned()).or_default() += 1.0;
        }
    }
    let all: f64 = counts.values().sum();
    counts.into_iter().map(|(word, count)| (word, count / all)).collect()
}

fn defined(graph: &Graph) -> Vec<Expected> {
    let documents: BTreeMap<String, BTreeMap<String, f64>> =
        graph.all("A2AAgent").into_iter().map(|agent| (agent.clone(), words(graph, &agent))).collect();
    let count = documents.values().filter(|words| !words.is_empty()).count() as f64;
    let weigh = |word: &String, frequency: f64| {
        let having = documents.values().filter(|words| words.contains_key(word)).count() as f64;
        frequency * (((1.0 + count) / (1.0 + having)).ln() + 1.0)
    };
    let weighed: BTreeMap<&String, BTreeMap<&String, f64>> = documents
        .iter()
        .map(|(agent, words)| (agent, words.iter().map(|(word, often)| (word, weigh(word, *often))).collect()))
        .collect();
    let length = |words: &BTreeMap<&String, f64>| words.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    let mut all = Vec::new();
    for (one, words) in &weighed {
        for (other, others) in weighed.iter().filter(|(other, _)| *other != one) {
            let provider = graph.text(one, "provider");
            if words.is_empty() || others.is_empty() || provider.is_some() && provider == graph.text(other, "provider")
            {
                continue;
            }
            let product: f64 = words.iter().filter_map(|(word, weight)| Some(weight * others.get(word)?)).sum();
            let cosine = product / length(words) / length(others);
            if cosine > 0.8 + 1e-9 {
                let path = vec![told(graph, one), told(graph, other)];
                all.push(Expected::new(one, other, (cosine * 1e6).round() / 1e6, 0.6, "a2a", path));
            }
        }
    }
    all
}

fn told(graph: &Graph, agent: &str) -> String {
    let skills = graph.to(agent, EdgeKind::AdvertisesSkill).into_iter();
    let told = skills.filter(|skill| graph.text(skill, "description").is_some());
    let first = told.map(|skill| (cost(graph, agent, EdgeKind::AdvertisesSkill, &skill), skill)).min();
    format!("{agent} ADVERTISES_SKILL {}", first.unwrap().1)
}

#[test]
fn is_as_defined() {
    compare(EdgeKind::CanImpersonate, defined);
}

/// Agents with a skill each, as texts and providers.
fn agents(all: &[(&str, &str)]) -> Little {
    let mut estate = Little::default();
    for (number, (text, provider)) in all.iter().enumerate() {
        let (agent, skill) = (format!("x{number:04}"), format!("k{number:04}"));
        estate.node("A2AAgent", &agent, json!({ "provider": provider }));
        estate.node("A2ASkill", &skill, json!({ "description": text }));
        estate.edge(EdgeKind::AdvertisesSkill, &agent, &skill);
    }
    estate
}

/// Agents that use few words, so that everything between the same and nothing in common occurs.
fn wordy() -> impl Strategy<Value = Little> {
    let word = prop::sample::select(&["alpha", "beta", "gamma", "delta", "the", "eps", "zeta", "eta"][..]);
    let agent = (prop::collection::vec(word, 0..8), prop::sample::select(&["", "p0", "p1"][..]));
    prop::collection::vec(agent, 0..10).prop_map(|all| {
        let all: Vec<(String, &str)> = all.into_iter().map(|(words, provider)| (words.join(" "), provider)).collect();
        agents(&all.iter().map(|(text, provider)| (text.as_str(), *provider)).collect::<Vec<_>>())
    })
}

#[test]
fn likeness_of_few_words_is_as_defined() {
    compare_on(wordy(), EdgeKind::CanImpersonate, defined);
}

#[test]
fn a_clone_among_two_is_found() {
    let text = "books flights and hotels";
    let graph = agents(&[(text, "one"), (text, "two")]).graph();
    let analysis = Analysis::of(&graph);
    let found: Vec<f64> =
        analysis.derived.of(EdgeKind::CanImpersonate).iter().map(|(_, _, _, it)| it.confidence).collect();
    assert_eq!(found, [1.0, 1.0]);
}

#[test]
fn one_provider_may_say_the_same_twice() {
    let text = "books flights and hotels";
    assert_eq!(edges(&agents(&[(text, "one"), (text, "one")]), EdgeKind::CanImpersonate).len(), 0);
    // Nobody knows who is behind these.
    assert_eq!(edges(&agents(&[(text, ""), (text, "")]), EdgeKind::CanImpersonate).len(), 2);
}

#[test]
fn agents_that_say_nothing_are_not_alike() {
    assert_eq!(
        edges(&agents(&[("", ""), ("", ""), ("of the", ""), ("of the", "")]), EdgeKind::CanImpersonate).len(),
        0
    );
}

#[test]
fn clones_are_counted_and_twenty_of_each_are_written_down() {
    let mut all = vec![("books flights and hotels", ""); 500];
    all.extend(vec![("books flights and hotels", "one"); 300]);
    all.extend(vec![("books flights and hotels for everybody who travels", "two"); 200]);
    let graph = agents(&all).graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::CanImpersonate);
    assert_eq!((relation.len(), relation.total()), (800 * 20, 500 * 799 + 300 * 500));
    let first = graph.find("x0600").unwrap();
    let written =
        analysis.derived.outgoing(EdgeKind::CanImpersonate, first).map(|(other, _)| graph.id(other).into_owned());
    assert_eq!(written.collect::<Vec<_>>(), (0..20).map(|number| format!("x{number:04}")).collect::<Vec<_>>());
}
