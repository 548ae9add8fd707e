//! Asks MCP servers what they offer, and writes what they answer as a part of a document.
//!
//! Only lists are asked for. Nothing is called, read or rendered, and no server is started that the user did not agree
//! to. What a configuration says of a server is a claim; what is written here is what it answered.
//!
//! Growth: linear in what servers list. Servers are asked side by side, so many at a time; each is judged and let go when
//! it has answered, so that memory is bounded by the number asked at a time and by what is kept of each.

mod auth;
mod emit;
mod events;
mod facts;
mod given;
mod http;
mod limits;
mod listing;
mod mentions;
mod patience;
mod recognise;
mod session;
mod sse;
mod stdio;
mod tap;
mod target;
mod words;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracehound_model::wire::Document;
use tracehound_model::{Collector, NodeId};

pub use crate::secrets::Secrets;
pub use given::GivenError;
pub(crate) use recognise::recognise;
pub use session::Status;
pub use target::{Target, Way};

use crate::builder::{Builder, Stamp};
use crate::detection::{Detection, DetectionError};
use crate::judge::Judge;
use crate::net::Guard;
use crate::process::Warden;
use patience::Depth;
use session::{Asked, Means};

/// What to ask.
#[derive(Debug)]
pub struct Request {
    /// The scan, its time and its machine.
    pub stamp: Stamp,
    /// The servers.
    pub targets: Vec<Target>,
    /// How many are asked at a time.
    pub concurrency: usize,
    /// How long one may take in all.
    pub allowed: Duration,
}

/// What came of it.
#[derive(Debug)]
pub struct Collected {
    /// What they answered. It covers the servers whose lists were read to the end.
    pub document: Document,
    /// Each server, in the order of the ids.
    pub servers: Vec<Server>,
}

/// A server that was asked, for the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Server {
    /// Its id.
    pub id: NodeId,
    /// What the user calls it, else what it calls itself.
    pub name: String,
    /// Its command or address, without secrets.
    pub shown: String,
    /// Whether it is from a configuration, and not given by itself.
    pub is_configured: bool,
    /// How it was found.
    pub status: &'static str,
    /// The transport that it spoke; empty if it did not.
    pub spoken: &'static str,
    /// The revision of the protocol that it spoke.
    pub protocol_version: String,
    /// What it demands of strangers, if that is known.
    pub auth: Option<&'static str>,
    /// How many tools it lists.
    pub tools: usize,
    /// How many resources and patterns of them.
    pub resources: usize,
    /// How many prompts.
    pub prompts: usize,
    /// How often its command was started.
    #[serde(skip)]
    pub starts: usize,
    /// What was not read to its end.
    pub cut_short: Vec<String>,
    /// What went wrong, and what was wrong with what it sent.
    pub problems: Vec<String>,
}

/// Asks servers. `progress` is told how many are done, of how many, and the last one's name.
///
/// When `cancel` is pulled, conversations end, started servers are ended, and what was learnt so far is the result.
///
/// # Errors
///
/// When the rules can't be used. Whatever is wrong with servers is in the result.
pub async fn collect(
    request: Request,
    guard: &Guard,
    warden: &Arc<Warden>,
    detection: &Detection,
    cancel: &CancellationToken,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Collected, DetectionError> {
    let stamp = request.stamp.clone();
    let done = converse(request, Depth::Lists, guard, warden, detection, cancel, progress).await?;
    let mut whole = Builder::new(&stamp);
    let (mut covered, mut servers) = (Vec::new(), Vec::new());
    for Conversation { target, server, builder, is_whole } in done {
        if is_whole && server.cut_short.is_empty() {
            covered.push(target.id);
        }
        whole.absorb(builder);
        servers.push(server);
    }
    Ok(Collected { document: whole.document(Collector::Mcp, covered), servers })
}

/// What came of a conversation.
struct Conversation {
    target: Target,
    server: Server,
    builder: Builder,
    /// Every list was read to its end.
    is_whole: bool,
}

/// Asks servers, as much as `depth` says. The answers are in the order of the ids.
async fn converse(
    request: Request,
    depth: Depth,
    guard: &Guard,
    warden: &Arc<Warden>,
    detection: &Detection,
    cancel: &CancellationToken,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Vec<Conversation>, DetectionError> {
    let means = Means {
        guard: guard.clone(),
        warden: Arc::clone(warden),
        turns: Arc::new(Semaphore::new(limits::LONG_MESSAGES)),
        allowed: request.allowed,
        depth,
        cancel: cancel.clone(),
    };
    let mut judge = Judge::new(detection)?;
    let total = request.targets.len();
    let conversations = request.targets.into_iter().map(|target| {
        let means = means.clone();
        async move {
            // A task of its own, so that reading one long answer does not keep the others waiting.
            let asking = tokio::spawn(async move {
                let asked = session::ask(&target, &means).await;
                (target, asked)
            });
            asking.await.ok()
        }
    });
    let mut answers = stream::iter(conversations).buffer_unordered(request.concurrency.max(1));
    let mut done: Vec<Conversation> = Vec::new();
    while let Some(answer) = answers.next().await {
        let Some((target, asked)) = answer else { continue };
        let is_whole = asked.heard.as_ref().is_some_and(session::Heard::is_whole);
        let part = emit::part(&request.stamp, &target, &asked, &mut judge);
        let row = row(&target, asked, part.cut_short, part.slips);
        progress(done.len() + 1, total, &row.name);
        done.push(Conversation { target, server: row, builder: part.builder, is_whole });
    }
    done.sort_by(|a, b| a.target.id.cmp(&b.target.id));
    Ok(done)
}

fn row(target: &Target, asked: Asked, cut_short: Vec<String>, slips: Vec<String>) -> Server {
    let heard = asked.heard.unwrap_or_default();
    let reported = Some(heard.introduction.name).filter(|name| !name.is_empty());
    let mut problems: Vec<String> = asked.error.into_iter().collect();
    if !target.left_out.is_empty() && asked.status != Status::NotStarted {
        problems
            .push(format!("it was asked without {}, which only its client can fill in", target.left_out.join(", ")));
    }
    let is_heard = asked.status == Status::Reachable;
    if !is_heard && !asked.stderr.is_empty() {
        problems.push(format!("its error output: {}", asked.stderr));
    }
    problems.extend(asked.slips.into_iter().chain(slips).map(|slip| format!("it {slip}")));
    problems.extend(asked.demand.iter().flat_map(|demand| demand.problems.iter().cloned()));
    Server {
        id: target.id.clone(),
        name: target.name.clone().or(reported).unwrap_or_else(|| target.endpoint.clone()),
        shown: target.shown(),
        is_configured: target.name.is_some(),
        status: asked.status.name(),
        spoken: if is_heard { asked.spoken } else { "" },
        protocol_version: heard.introduction.protocol_version,
        auth: asked.demand.as_ref().map(|demand| demand.method),
        tools: heard.tools.items.iter().map(|tool| tool.name.as_str()).collect::<HashSet<_>>().len(),
        resources: heard.resources.items.len() + heard.templates.items.len(),
        prompts: heard.prompts.items.len(),
        starts: asked.starts,
        cut_short,
        problems,
    }
}

/// Everything that reads what a server sends, for the fuzz target `message`.
#[cfg(fuzzing)]
pub fn fuzz(bytes: &[u8]) {
    let tap = tap::Tap::default();
    tap.admit(bytes);
    events::fuzz(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        auth::fuzz(text);
    }
    if let Ok(value) = serde_json::from_slice(bytes) {
        let introduction = facts::Introduction::read(&value, "");
        let tool = facts::Tool::read(&value);
        drop((introduction, tool, facts::Resource::read(&value), facts::Prompt::read(&value)));
    }
}
