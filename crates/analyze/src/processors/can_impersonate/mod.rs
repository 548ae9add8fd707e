//! Which agents advertise skills that read alike, so that one can stand in for the other.
//!
//! Growth: linear in the texts of skills and in what is written down; agents whose skills read the same are one document,
//! however many they are. What stays are pairs of different documents that have rare words in common, see [`alike`], and
//! for each provider of such documents the number of documents that they are like.

mod alike;
mod documents;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::crowd::{Crowd, Owner, Seen};
use super::{Output, Pair, Processor, Reads, Stage, Writes};
use crate::basis::Basis;
use crate::derived::{Detail, Harvest, Hop, NewComposite};
use documents::Documents;

/// How many agents are written down for one: those most like it, then those with the smallest ids.
const MOST: usize = 20;

/// Likeness is told in millionths, so that rounding errors decide nothing.
const MILLION: f64 = 1_000_000.0;

pub(super) const PROCESSOR: Processor = Processor {
    name: "can_impersonate",
    purpose: "The skills of two agents read alike, and nothing says that one provider stands behind both.",
    reads: &[
        Reads::Edges(EdgeKind::AdvertisesSkill, &["risk_weight"]),
        Reads::Nodes(NodeKind::A2aAgent, &["provider"]),
        Reads::Nodes(NodeKind::A2aSkill, &["description"]),
    ],
    writes: &[Writes::Edges(EdgeKind::CanImpersonate)],
    run,
    holds: Some(holds),
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let documents = documents(basis);
    let providers = Providers::new(basis);
    let crowds: Vec<Crowd> = documents.agents().map(|agents| providers.crowd(agents)).collect();
    let mut harvest = Harvest::default();
    for (agents, likes) in documents.agents().zip(alike::all(&documents.vectors())) {
        let (likeness, crowds): (Vec<u64>, Vec<(Reverse<u64>, &Crowd)>) = likes
            .into_iter()
            .filter_map(|(other, cosine)| {
                let millionths = (cosine.min(1.0) * MILLION).round() as u64;
                Some((millionths, (Reverse(millionths), crowds.get(other)?)))
            })
            .unzip();
        let mut owned: Vec<(Owner, NodeIx)> = agents.iter().map(|agent| (providers.of(*agent), *agent)).collect();
        owned.sort_unstable();
        for group in owned.chunk_by(|a, b| a.0 == b.0) {
            let Some((owner, _)) = group.first() else { continue };
            let seen = Seen::new(&crowds, *owner, basis.bound(MOST));
            group.iter().for_each(|(_, agent)| add(basis, *agent, &seen, &likeness, &mut harvest));
        }
    }
    Output::of_edges(EdgeKind::CanImpersonate, harvest)
}

fn holds(stage: &Stage<'_>, pairs: &[Pair]) -> Vec<bool> {
    let basis = stage.basis;
    let (documents, providers) = (documents(basis), Providers::new(basis));
    let vectors = documents.vectors();
    let placed = documents.agents().enumerate();
    let places: BTreeMap<NodeIx, usize> =
        placed.flat_map(|(place, agents)| agents.iter().map(move |agent| (*agent, place))).collect();
    let reads_alike = |(one, other): &Pair| {
        let (Some(here), Some(there)) = (places.get(one), places.get(other)) else { return false };
        let provider = providers.of(*one);
        let is_alike =
            || vectors.get(*here).zip(vectors.get(*there)).is_some_and(|(one, other)| alike::both(one, other));
        one != other && (provider.is_none() || provider != providers.of(*other)) && (here == there || is_alike())
    };
    pairs.iter().map(reads_alike).collect()
}

/// What all agents say.
fn documents(basis: &Basis<'_>) -> Documents {
    let mut documents = Documents::default();
    for agent in basis.nodes(NodeKind::A2aAgent) {
        documents.add(agent, skills(basis, agent).map(|(_, text)| text));
    }
    documents
}

/// The skills of an agent that say something, by id.
fn skills<'a>(basis: &'a Basis<'_>, agent: NodeIx) -> impl Iterator<Item = (NodeIx, std::borrow::Cow<'a, str>)> {
    let skills = basis.targets(EdgeKind::AdvertisesSkill, agent);
    skills.filter_map(|skill| Some((skill, basis.text(skill, "description")?)))
}

fn add(basis: &Basis<'_>, agent: NodeIx, seen: &Seen, likeness: &[u64], harvest: &mut Harvest) {
    let (shown, beyond) = seen.by(agent, true);
    for (other, place) in shown {
        let path: Vec<Hop> = [agent, other].into_iter().filter_map(|agent| told(basis, agent)).collect();
        let confidence = likeness.get(place).map_or(0.0, |millionths| *millionths as f64 / MILLION);
        let edge = NewComposite { confidence, weight: 0.6, collector: "a2a", detail: Detail::Likeness };
        harvest.add((agent, other), edge, &path);
    }
    harvest.beyond(agent, beyond);
}

/// The easiest of the skills of an agent that say something.
fn told(basis: &Basis<'_>, agent: NodeIx) -> Option<Hop> {
    let edges = basis.view.outgoing(EdgeKind::AdvertisesSkill, agent);
    let told = edges.filter(|(skill, _)| basis.text(*skill, "description").is_some());
    let (_, skill) = told.map(|(skill, edge)| (basis.cost(edge), skill)).min()?;
    Some(Hop::along(EdgeKind::AdvertisesSkill, agent, skill))
}

/// Who stands behind agents, by number. An empty name says nothing.
struct Providers {
    of_agent: BTreeMap<NodeIx, u32>,
}

impl Providers {
    fn new(basis: &Basis<'_>) -> Self {
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut of_agent = BTreeMap::new();
        for agent in basis.nodes(NodeKind::A2aAgent) {
            let Some(provider) = basis.text(agent, "provider") else { continue };
            let next = numbers.len() as u32;
            of_agent.insert(agent, *numbers.entry(provider.into_owned()).or_insert(next));
        }
        Self { of_agent }
    }

    fn of(&self, agent: NodeIx) -> Owner {
        self.of_agent.get(&agent).copied()
    }

    fn crowd(&self, agents: &[NodeIx]) -> Crowd {
        Crowd::new(agents.iter().map(|agent| (*agent, self.of(*agent))).collect())
    }
}
