//! One server: reached, asked for its lists, and left.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::Transport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::auth::{self, Demand};
use super::facts::{Introduction, Prompt, Resource, Tool};
use super::http::Caller;
use super::limits::{GOODBYE, GRACE};
use super::listing::{List, Sort};
use super::patience::Patience;
use super::sse::SseTransport;
use super::stdio::Lines;
use super::tap::Tap;
use super::target::{Target, Way};
use super::words::{self, ENDED, GONE};
use crate::net::Guard;
use crate::process::{Launch, Warden};

/// What servers are asked with.
#[derive(Debug, Clone)]
pub(super) struct Means {
    pub(super) guard: Guard,
    pub(super) warden: Arc<Warden>,
    /// Turns for long messages.
    pub(super) turns: Arc<Semaphore>,
    /// How long one server may take in all.
    pub(super) allowed: Duration,
    pub(super) cancel: CancellationToken,
}

/// What came of asking a server.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) status: Status,
    /// The transport that it spoke.
    pub(super) spoken: &'static str,
    pub(super) heard: Option<Heard>,
    /// What it demands of strangers, if that is known.
    pub(super) demand: Option<Demand>,
    pub(super) error: Option<String>,
    pub(super) slips: Vec<String>,
    pub(super) stderr: String,
}

/// How a server was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// It answered.
    Reachable,
    /// It answered that it wants to know who asks.
    Protected,
    /// It did not answer, or not as a server does.
    #[default]
    Unreachable,
    /// Nobody tried.
    NotStarted,
}

impl Status {
    /// How documents call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reachable => "reachable",
            Self::Protected => "protected",
            Self::Unreachable => "unreachable",
            Self::NotStarted => "not_started",
        }
    }
}

/// What a server said.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) introduction: Introduction,
    pub(super) tools: List<Tool>,
    pub(super) resources: List<Resource>,
    pub(super) templates: List<Resource>,
    pub(super) prompts: List<Prompt>,
}

impl Heard {
    /// Why lists may have more in them than was read.
    pub(super) fn cuts(&self) -> Vec<String> {
        let cuts = [&self.tools.cut, &self.resources.cut, &self.templates.cut, &self.prompts.cut];
        cuts.into_iter().flatten().cloned().collect()
    }

    /// Tells why we ended a connection, where a list says only that it ended.
    fn explain(&mut self, why: &str) {
        let cuts = [&mut self.tools.cut, &mut self.resources.cut, &mut self.templates.cut, &mut self.prompts.cut];
        for cut in cuts.into_iter().flatten() {
            *cut = cut.replacen(ENDED, why, 1);
        }
    }

    fn slips(&self) -> impl Iterator<Item = String> {
        let slips = [&self.tools.slips, &self.resources.slips, &self.templates.slips, &self.prompts.slips];
        slips.into_iter().flatten().cloned()
    }
}

/// Asks a server.
pub(super) async fn ask(target: &Target, means: &Means) -> Asked {
    let patience = Patience::new(means.allowed, means.cancel.clone());
    match &target.way {
        Way::Not(why) => Asked { status: Status::NotStarted, error: Some(why.clone()), ..Asked::default() },
        Way::Start(launch) => start(launch, means, &patience).await,
        Way::Call { url, headers } => call(url, headers, means, &patience).await,
    }
}

/// Older servers may end when they are asked what they don't know, so they get a second chance with what they do.
async fn start(launch: &Launch, means: &Means, patience: &Patience) -> Asked {
    let first = start_once(launch, means, patience, lifecycle()).await;
    match first {
        Attempt::Ended(_) => match start_once(launch, means, patience, ClientLifecycleMode::Initialize).await {
            Attempt::Ended(asked) | Attempt::Done(asked) => asked,
        },
        Attempt::Done(asked) => asked,
    }
}

/// A command that was started and is gone.
enum Attempt {
    /// It ended on its own before it introduced itself.
    Ended(Asked),
    Done(Asked),
}

async fn start_once(launch: &Launch, means: &Means, patience: &Patience, lifecycle: ClientLifecycleMode) -> Attempt {
    let started = match means.warden.start(launch) {
        Ok(started) => started,
        Err(error) => {
            return Attempt::Done(Asked { error: Some(words::of_error(&error)), ..Asked::default() });
        }
    };
    let tap = Arc::new(Tap::default());
    let lines = Lines::new(started.stdin, started.stdout, Arc::clone(&tap), Arc::clone(&means.turns));
    let heard = converse(lines, lifecycle, &tap, patience).await;
    let ended = started.kept.end(GRACE).await;
    let mut asked = Asked { spoken: "stdio", stderr: ended.stderr, ..of(heard, &tap) };
    if ended.survivors > 0 {
        asked.slips.push(format!("left {} processes behind, which were ended", ended.survivors));
    }
    if ended.left > 0 {
        asked.slips.push(format!("left {} processes behind that could not be ended", ended.left));
    }
    if let Some(failure) = ended.failure {
        asked.error = Some(failure);
    }
    let is_gone = asked.error.as_deref().is_some_and(|error| error.starts_with(GONE));
    if let (true, Some(how)) = (is_gone, ended.how) {
        asked.error = asked.error.map(|error| error.replacen(GONE, &format!("{GONE}: {how}"), 1));
    }
    if is_gone { Attempt::Ended(asked) } else { Attempt::Done(asked) }
}

async fn call(url: &Url, headers: &Arc<HeaderMap>, means: &Means, patience: &Patience) -> Asked {
    let mut asked = call_as(url, Arc::clone(headers), means, patience).await;
    let has_secrets = url.query().is_some() || !url.username().is_empty() || url.password().is_some();
    match asked.status {
        Status::Reachable if !headers.is_empty() => {
            // The user's own headers let us in. What strangers meet is another question.
            let stranger = call_as(url, Arc::default(), means, patience).await;
            asked.demand = match stranger.status {
                Status::Reachable if !has_secrets => Some(nothing()),
                _ => stranger.demand,
            };
        }
        Status::Reachable if !has_secrets => asked.demand = Some(nothing()),
        _ => {}
    }
    asked
}

/// A server that answers anybody.
fn nothing() -> Demand {
    Demand { method: "none", evidence: "it answered without being told who asks".to_owned(), ..Demand::default() }
}

async fn call_as(url: &Url, headers: Arc<HeaderMap>, means: &Means, patience: &Patience) -> Asked {
    let tap = Arc::new(Tap::default());
    let caller = Caller { guard: means.guard.clone(), url: url.clone(), headers, tap: Arc::clone(&tap) };
    let config = StreamableHttpClientTransportConfig::with_uri(url.as_str()).reinit_on_expired_session(false);
    let transport = StreamableHttpClientTransport::with_client(caller.clone(), config);
    let heard = converse(transport, lifecycle(), &tap, patience).await;
    let asked = Asked { spoken: "streamable_http", ..of(heard, &tap) };
    if asked.status == Status::Reachable {
        return asked;
    }
    if let Some(protected) = protected(&tap, url, means, patience).await {
        return Asked { slips: asked.slips, ..protected };
    }
    // Where HTTP said no to the way of today, there may be a server of the first way.
    let is_older = tap.refusal().is_some_and(|refusal| matches!(refusal.status, 400 | 404 | 405 | 406 | 415 | 501));
    if !is_older {
        return Asked { spoken: "", ..asked };
    }
    let tap = Arc::new(Tap::default());
    let first = asked.error.clone().unwrap_or_default();
    match patience.wait(SseTransport::open(Caller { tap: Arc::clone(&tap), ..caller })).await {
        Ok(Ok(transport)) => {
            let heard = converse(transport, ClientLifecycleMode::Initialize, &tap, patience).await;
            Asked { spoken: "sse", ..of(heard, &tap) }
        }
        Ok(Err(problem)) => match protected(&tap, url, means, patience).await {
            Some(protected) => protected,
            None => {
                Asked { error: Some(format!("{first}; nor as a stream of events: {problem}")), spoken: "", ..asked }
            }
        },
        Err(late) => Asked { error: Some(late.to_string()), spoken: "", ..asked },
    }
}

/// A server that wants to know who asks.
async fn protected(tap: &Tap, url: &Url, means: &Means, patience: &Patience) -> Option<Asked> {
    let refusal = tap.refusal().filter(|refusal| matches!(refusal.status, 401 | 403))?;
    let demand = patience.wait(auth::demand(&means.guard, url, &refusal)).await.unwrap_or_else(|late| Demand {
        method: "unknown",
        evidence: format!("it answers strangers with status {}", refusal.status),
        problems: vec![late.to_string()],
        ..Demand::default()
    });
    Some(Asked { status: Status::Protected, demand: Some(demand), ..Asked::default() })
}

fn of(heard: Result<Heard, String>, tap: &Tap) -> Asked {
    match heard {
        Ok(heard) => {
            let slips = tap.slips().into_iter().chain(heard.introduction.slip()).chain(heard.slips()).collect();
            Asked { status: Status::Reachable, heard: Some(heard), slips, ..Asked::default() }
        }
        Err(error) => {
            // Why nothing was understood is why there is no answer.
            let cause = tap.given_up().map_or(error, |why| format!("it {why}"));
            let slips = tap.slips().into_iter().filter(|slip| !cause.contains(slip.as_str()));
            let all: Vec<String> =
                std::iter::once(cause.clone()).chain(slips.map(|slip| format!("it {slip}"))).collect();
            Asked { error: Some(all.join("; ")), ..Asked::default() }
        }
    }
}

/// The newest revision first, which has no handshake; then the newest of those that have one.
fn lifecycle() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

/// Who we say we are. We offer nothing that a server could make use of.
fn client() -> ClientConfig {
    let own = Implementation::new("tracehound", env!("CARGO_PKG_VERSION"));
    let mut config = ClientConfig::new(ClientCapabilities::default(), own);
    config.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
    config
}

async fn converse<T>(
    transport: T,
    lifecycle: ClientLifecycleMode,
    tap: &Tap,
    patience: &Patience,
) -> Result<Heard, String>
where
    T: Transport<RoleClient> + 'static,
{
    let serving = serve_client_with_lifecycle(client(), transport, lifecycle);
    let mut service = match patience.wait(serving).await {
        Ok(Ok(service)) => service,
        Ok(Err(error)) => return Err(words::of_start(&error)),
        Err(late) => return Err(late.to_string()),
    };
    let peer = service.peer().clone();
    let version = peer.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    let introduction = Introduction::read(&tap.handshake().unwrap_or_default(), &version);
    let mut heard = listen(&peer, introduction, patience).await;
    if let Some(why) = tap.given_up() {
        heard.explain(&format!("it {why}"));
    }
    // Whether the goodbye comes through changes nothing of what was heard.
    let _ = service.close_with_timeout(GOODBYE).await;
    Ok(heard)
}

async fn listen(peer: &rmcp::Peer<RoleClient>, introduction: Introduction, patience: &Patience) -> Heard {
    let (tools, resources, templates, prompts) = tokio::join!(
        list(peer, introduction.can("tools"), Sort::Tools, patience, Tool::read),
        list(peer, introduction.can("resources"), Sort::Resources, patience, Resource::read),
        list(peer, introduction.can("resources"), Sort::Templates, patience, Resource::read_template),
        list(peer, introduction.can("prompts"), Sort::Prompts, patience, Prompt::read),
    );
    Heard { introduction, tools, resources, templates, prompts }
}

async fn list<T>(
    peer: &rmcp::Peer<RoleClient>,
    has_it: bool,
    sort: Sort,
    patience: &Patience,
    read: fn(&serde_json::Value) -> Result<T, String>,
) -> List<T> {
    if has_it { List::fetch(peer, sort, patience, read).await } else { List::default() }
}
