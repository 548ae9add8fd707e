//! Asks the agents that the user names, and those that their cards name, level by level.
//!
//! Whatever order answers come in, agents are taken up by their URLs, so that limits cut the same ones each time.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt as _;
use futures_util::stream;
use reqwest::header::HeaderMap;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::fetch::{Found, Means, Seen, Target, fetch};
use super::named::Named;
use super::place::Place;
use super::{Progress, Request};
use crate::net::{Trust, is_same_origin};

/// Agents that one card may lead to.
const PER_CARD: usize = 20;
/// Most requests at a time, whatever is asked for.
const AT_ONCE: usize = 64;

/// An agent that was asked.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) place: Place,
    pub(super) why: Why,
    pub(super) seen: Seen,
    /// What of it was cut short because of limits of the scan.
    pub(super) cut_short: Vec<String>,
}

/// Why an agent was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Why {
    /// The user named it so.
    Asked(String),
    /// The card of the agent at this URL names it.
    Named { by: String, is_explicit: bool },
}

impl Agent {
    /// Its card, if it gave one.
    pub(super) fn found(&self) -> Option<&Found> {
        match &self.seen {
            Seen::Card(found) => Some(found),
            _ => None,
        }
    }

    /// Whether it becomes part of the document. Somebody that only a card speaks of, and that nobody has seen, does not.
    pub(super) fn is_a_fact(&self) -> bool {
        matches!(self.why, Why::Asked(_)) || !matches!(self.seen, Seen::Failed(_))
    }

    /// Whether anybody wants to hear that there is no card.
    pub(super) fn is_worth_a_word(&self) -> bool {
        match (&self.why, &self.seen) {
            (Why::Named { is_explicit: false, .. }, Seen::Failed(failure)) => failure.is_refusal,
            _ => true,
        }
    }
}

/// Agents in the order of their URLs, and those that were not asked because the scan was ended.
#[derive(Debug, Default)]
pub(super) struct Crawled {
    pub(super) agents: Vec<Agent>,
    pub(super) unasked: Vec<String>,
}

/// An agent that is yet to be asked.
struct Next {
    place: Place,
    why: Why,
}

/// What a crawl needs from beginning to end.
pub(super) struct Crawl<'c> {
    pub(super) request: &'c Request,
    pub(super) means: Means<'c>,
    pub(super) progress: &'c (dyn Fn(Progress) + Sync),
    pub(super) cancel: &'c CancellationToken,
}

impl Crawl<'_> {
    /// Asks everybody.
    pub(super) async fn run(&self, places: Vec<(String, Place)>) -> Crawled {
        let asked: Vec<Url> = places.iter().map(|(_, place)| place.url.clone()).collect();
        let mut known = BTreeSet::new();
        let mut level: BTreeMap<String, Next> = BTreeMap::new();
        for (text, place) in places {
            // Of several spellings the first counts.
            if known.insert(place.key()) {
                level.insert(place.key(), Next { place, why: Why::Asked(text) });
            }
        }
        let mut crawled = Crawled::default();
        let mut left = self.request.limit;
        for depth in 0..=self.request.follow {
            let mut new = self.level(level, &asked, &mut crawled).await;
            level = BTreeMap::new();
            if depth < self.request.follow && !self.cancel.is_cancelled() {
                for agent in &mut new {
                    next_level(agent, &mut known, &mut left, &mut level);
                }
            }
            crawled.agents.extend(new);
            if level.is_empty() {
                break;
            }
        }
        // Two interfaces may have led to the card of one agent. What the user asked for counts.
        crawled.agents.sort_by_cached_key(|agent| (agent.place.key(), matches!(agent.why, Why::Named { .. })));
        crawled.agents.dedup_by_key(|agent| agent.place.key());
        crawled
    }

    /// Asks one level of agents; they come back in the order of their URLs.
    async fn level(&self, level: BTreeMap<String, Next>, asked: &[Url], crawled: &mut Crawled) -> Vec<Agent> {
        let mut waiting: BTreeSet<String> = level.values().map(|next| next.place.base.clone()).collect();
        let (before, total) = (crawled.agents.len(), crawled.agents.len() + waiting.len());
        let visits = level.into_values().map(|next| self.visit(next, asked));
        let mut answers = stream::iter(visits).buffer_unordered(self.request.concurrency.clamp(1, AT_ONCE));
        let mut agents = Vec::new();
        loop {
            let answer = tokio::select! {
                biased;
                () = self.cancel.cancelled() => None,
                answer = answers.next() => answer,
            };
            let Some((base, agent)) = answer else { break };
            waiting.remove(&base);
            agents.push(agent);
            (self.progress)(Progress { done: before + agents.len(), total });
        }
        crawled.unasked.extend(waiting);
        agents.sort_by_cached_key(|agent: &Agent| agent.place.key());
        agents
    }

    /// Asks one agent. Also gives back how its place was written, which its card may correct.
    async fn visit(&self, next: Next, asked: &[Url]) -> (String, Agent) {
        let Next { place, why } = next;
        let is_asked = matches!(why, Why::Asked(_));
        // Who is asked at all may be asked about its neighbours at the same port.
        let is_near = is_asked || asked.iter().any(|url| is_same_origin(url, &place.url));
        let trust = if is_near { Trust::Asked } else { Trust::Told };
        let headers = if is_asked { self.request.headers_for(&place.url) } else { HeaderMap::new() };
        let target = Target { place, trust, headers: &headers };
        let (place, seen) = fetch(&target, self.means).await;
        (target.place.base, Agent { place, why, seen, cut_short: Vec::new() })
    }
}

/// Adds the agents that a card names to those that are asked next.
fn next_level(agent: &mut Agent, known: &mut BTreeSet<String>, left: &mut usize, level: &mut BTreeMap<String, Next>) {
    let Some(found) = agent.found() else { return };
    // Those that are named as agents come before those that are named in passing.
    let (explicit, others): (Vec<&Named>, Vec<&Named>) = found.named.iter().partition(|named| named.is_explicit);
    let by = agent.place.base.clone();
    let mut taken = 0;
    let mut dropped = 0;
    for named in explicit.into_iter().chain(others) {
        let key = named.place.key();
        if known.contains(&key) {
            continue;
        }
        if taken == PER_CARD || *left == 0 {
            dropped += 1;
            continue;
        }
        (taken, *left) = (taken + 1, *left - 1);
        known.insert(key.clone());
        let why = Why::Named { by: by.clone(), is_explicit: named.is_explicit };
        level.insert(key, Next { place: named.place.clone(), why });
    }
    if dropped > 0 {
        agent.cut_short.push(format!("of {} other agents that it names, {dropped} were not asked", taken + dropped));
    }
}
