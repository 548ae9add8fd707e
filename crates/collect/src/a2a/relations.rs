//! How agents of one scan relate: who hands work to whom, and who accepts the same tokens.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::crawl::Agent;
use super::fetch::Seen;
use super::mentions::Names;
use super::place::key;
use crate::json::shown;

/// Agents of one issuer between all of which edges are drawn. Of more, each is joined to the first of them.
const PAIRED: usize = 100;

/// One agent hands work to another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Delegation {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) evidence: String,
}

/// Two agents accept the tokens of one issuer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SharedIssuer {
    pub(super) one: usize,
    pub(super) other: usize,
    pub(super) issuer: String,
}

/// Who hands work to whom, as far as cards tell.
pub(super) fn delegations(agents: &[Agent]) -> Vec<Delegation> {
    let cards = || agents.iter().enumerate().filter_map(|(number, agent)| Some((number, agent.found()?)));
    let names = Names::new(cards().map(|(number, found)| (number, found.card.name.as_str())));
    let places = places(agents);
    let mut edges = Vec::new();
    for (from, found) in cards() {
        let mut evidence: BTreeMap<usize, String> = BTreeMap::new();
        for named in &found.named {
            if let Some(to) = places.get(&named.place.key()) {
                let words = format!("{} of the card names {}", named.at, shown(&named.place.base));
                evidence.entry(*to).or_insert(words);
            }
        }
        for (at, text) in found.card.texts() {
            for to in names.within(text) {
                let name = agents.get(to).and_then(Agent::found).map_or("", |found| found.card.name.as_str());
                // Who speaks of somebody of the same name speaks of itself.
                if name.to_lowercase() != found.card.name.to_lowercase() {
                    evidence.entry(to).or_insert_with(|| format!("{at} names `{}`", shown(name)));
                }
            }
        }
        evidence.remove(&from);
        edges.extend(evidence.into_iter().map(|(to, evidence)| Delegation { from, to, evidence }));
    }
    edges
}

/// The agents by all URLs that lead to them. An interface elsewhere is a claim, and leads nobody away from who is there.
fn places(agents: &[Agent]) -> BTreeMap<String, usize> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (number, agent) in agents.iter().enumerate().filter(|(_, agent)| agent.is_a_fact()) {
        places.entry(agent.place.key()).or_insert(number);
    }
    for (number, agent) in agents.iter().enumerate() {
        for interface in agent.found().into_iter().flat_map(|found| &found.card.interfaces) {
            if let Ok(url) = Url::parse(&interface.url)
                && url.origin() == agent.place.url.origin()
            {
                places.entry(key(&url)).or_insert(number);
            }
        }
    }
    places
}

/// Which agents accept the tokens of one issuer.
pub(super) fn shared_issuers(agents: &[Agent]) -> Vec<SharedIssuer> {
    let mut by_issuer: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (number, agent) in agents.iter().enumerate() {
        let Seen::Card(found) = &agent.seen else { continue };
        for issuer in found.card.schemes.iter().flat_map(|scheme| &scheme.issuers) {
            by_issuer.entry(issuer).or_default().insert(number);
        }
    }
    let mut pairs: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for (issuer, members) in by_issuer {
        for (position, one) in members.iter().enumerate() {
            let others = members.iter().skip(position + 1);
            let reached = if members.len() > PAIRED && position > 0 { 0 } else { members.len() };
            for other in others.take(reached) {
                pairs.entry((*one, *other)).or_insert(issuer);
            }
        }
    }
    let pair = |((one, other), issuer): ((usize, usize), &str)| SharedIssuer { one, other, issuer: issuer.to_owned() };
    pairs.into_iter().map(pair).collect()
}
