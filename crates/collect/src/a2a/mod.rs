//! Reads the cards of A2A agents: who they are, what they offer, how callers prove themselves, whom they work with.
//!
//! Who an agent is follows from the URL that its card was fetched from, never from what the card says. Nothing is sent to
//! an agent but requests for its card, and all of them pass the guard.

mod auth;
mod card;
mod crawl;
mod emit;
mod fetch;
mod issuer;
mod mentions;
mod named;
mod place;
mod relations;
mod signature;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use tracehound_model::NodeId;
use tracehound_model::wire::Document;
use url::Url;

use crate::address::{Address, Reach};
use crate::builder::Stamp;
use crate::detection::{Detection, DetectionError};
use crate::json::shown;
use crate::net::{Guard, is_same_origin};
use crate::report::Problem;
use crate::secrets::{Secrets, in_headers};
use crawl::{Agent, Crawl, Crawled, Why};
use fetch::{Means, Seen};
use place::Place;
pub use signature::{GivenKeys, KeysError};

/// Longest time for a name to become an address.
const RESOLVE: Duration = Duration::from_secs(5);

/// What to ask, and how.
#[derive(Debug, Clone)]
pub struct Request {
    /// The scan, its time and its machine.
    pub stamp: Stamp,
    /// Agents, by base URL, host or address of the card.
    pub targets: Vec<String>,
    /// Headers, each set for the agents that are asked for at the origin of a URL, and for nobody else.
    pub headers: Vec<(Url, HeaderMap)>,
    /// Keys that signatures are checked with. If there are any, no others count.
    pub keys: Option<GivenKeys>,
    /// Hosts that may have keys although they are of another site than the card.
    pub key_hosts: Vec<String>,
    /// How many steps agents are followed that cards name.
    pub follow: usize,
    /// How many agents are followed in all.
    pub limit: usize,
    /// How many agents are asked at a time.
    pub concurrency: usize,
    /// Longest time for one request.
    pub time: Duration,
    /// Names of hosts are resolved, and their addresses written down.
    pub resolve: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            stamp: Stamp::default(),
            targets: Vec::new(),
            headers: Vec::new(),
            keys: None,
            key_hosts: Vec::new(),
            follow: 3,
            limit: 100,
            concurrency: 8,
            time: Duration::from_secs(15),
            resolve: false,
        }
    }
}

impl Request {
    fn headers_for(&self, url: &Url) -> HeaderMap {
        let own = self.headers.iter().filter(|(origin, _)| is_same_origin(origin, url));
        own.flat_map(|(_, headers)| headers).map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// How far asking has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Agents that were asked.
    pub done: usize,
    /// Agents that are known so far.
    pub total: usize,
}

/// What came of asking.
#[derive(Debug)]
pub struct Collected {
    /// What was learnt. It covers the agents whose cards were read to the end.
    pub document: Document,
    /// What stood in the way.
    pub problems: Vec<Problem>,
    /// A row for each agent, in the order of their URLs.
    pub looked: Vec<Looked>,
}

/// What became of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// The agent as the user named it, or the base URL under which a card did.
    pub target: String,
    /// The agent whose card named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_by: Option<String>,
    /// The id of its node.
    pub id: NodeId,
    /// What it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether its card was read.
    pub status: Status,
    /// How callers prove who they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<&'static str>,
    /// Whether its card is signed.
    pub is_signed: bool,
    /// Whether that is right.
    pub signature_valid: bool,
    /// How many skills it has.
    pub skills: usize,
    /// What was cut at a limit, in words.
    pub cut_short: Vec<String>,
}

impl Looked {
    fn new(agent: &Agent, status: Status) -> Self {
        let base = agent.place.base.clone();
        let (target, named_by) = match &agent.why {
            Why::Asked(target) => (target.clone(), None),
            Why::Named { by, .. } => (base.clone(), Some(by.clone())),
        };
        Self {
            target,
            named_by,
            id: NodeId::a2a_agent(&base),
            name: None,
            status,
            auth_method: None,
            is_signed: false,
            signature_valid: false,
            skills: 0,
            cut_short: Vec::new(),
        }
    }
}

/// Whether a card was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was.
    Reachable,
    /// The agent wants to know who asks.
    Protected,
    /// There is none, or nobody to ask.
    Unreachable,
}

impl Status {
    /// Its name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Protected => "protected",
            Self::Unreachable => "unreachable",
        }
    }
}

/// Asks agents for their cards. When it is cancelled, what was learnt so far is what it gives back.
///
/// # Errors
///
/// When the rules can't be used. Whatever is wrong with agents is in what is given back.
pub async fn collect(
    request: &Request,
    guard: &Guard,
    detection: &Detection,
    progress: &(dyn Fn(Progress) + Sync),
    cancel: &CancellationToken,
) -> Result<Collected, DetectionError> {
    let mut places = Vec::new();
    let mut problems = Vec::new();
    for target in &request.targets {
        match Place::read(target) {
            Ok(place) => places.push((place::shown_url(target.trim()), place)),
            Err(problem) => problems.push(Problem::unread(&shown(&place::shown_url(target)), problem.to_owned())),
        }
    }
    let means = Means { guard, keys: request.keys.as_ref(), key_hosts: &request.key_hosts, time: request.time };
    let crawled = Crawl { request, means, progress, cancel }.run(places).await;
    let addresses = if request.resolve { addresses(&crawled, cancel).await } else { BTreeMap::new() };
    let mut collected = emit::collected(request, &crawled, &addresses, detection)?;
    collected.problems.extend(problems);
    collected.problems.sort();
    Ok(hidden(collected, request))
}

/// The addresses of hosts that have names. Of several the smallest, so that it is the same each time.
async fn addresses(crawled: &Crawled, cancel: &CancellationToken) -> BTreeMap<String, IpAddr> {
    let seen = crawled.agents.iter().filter(|agent| !matches!(agent.seen, Seen::Failed(_)));
    let hosts =
        seen.map(|agent| Address::of_url(&agent.place.base)).filter(|it| it.ip.is_none() && it.reach != Reach::Local);
    let names: BTreeSet<String> = hosts.map(|address| address.text).collect();
    let mut found = BTreeMap::new();
    for name in names {
        let lookup = tokio::time::timeout(RESOLVE, tokio::net::lookup_host((name.as_str(), 0)));
        let answer = tokio::select! {
            () = cancel.cancelled() => break,
            answer = lookup => answer,
        };
        if let Ok(Ok(all)) = answer
            && let Some(first) = all.map(|address| address.ip()).min()
        {
            found.insert(name.clone(), first);
        }
    }
    found
}

/// Takes out what agents were given, whichever of them says it and however a card spells it. It is done last, so that
/// signatures are checked over what came.
fn hidden(mut collected: Collected, request: &Request) -> Collected {
    let secrets = Secrets::new(request.headers.iter().flat_map(|(_, headers)| in_headers(headers)));
    let graph = &mut collected.document.graph;
    let nodes = graph.nodes.iter_mut().map(|node| &mut node.properties);
    let all = nodes.chain(graph.edges.iter_mut().map(|edge| &mut edge.properties));
    for value in all.flat_map(|properties| properties.values_mut()) {
        secrets.clean(value);
    }
    for looked in &mut collected.looked {
        let texts = looked.name.iter_mut().chain(&mut looked.named_by).chain(&mut looked.cut_short);
        texts.for_each(|text| *text = secrets.text(text));
        looked.target = secrets.text(&looked.target);
    }
    for problem in &mut collected.problems {
        problem.message = secrets.text(&problem.message);
        problem.path = secrets.text(&problem.path);
    }
    collected
}

/// Everything that reads a card before anybody is asked for keys, for the fuzz target `card`.
#[cfg(fuzzing)]
pub fn fuzz(bytes: &[u8]) {
    if let Ok((card, value)) = card::parse(bytes) {
        assert!(card.texts().map(|(_, text)| text.len()).sum::<usize>() <= bytes.len() * 3);
        drop(signature::beyond_limit(&value));
    }
    drop(GivenKeys::read(bytes));
}
