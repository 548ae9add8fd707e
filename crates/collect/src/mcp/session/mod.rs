//! One server: reached, asked for its lists, and left.

mod call;
mod start;

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::Transport;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::auth::Demand;
use super::facts::{Asks, Introduction, Prompt, Resource, Tool};
use super::limits::GOODBYE;
use super::listing::{List, Sort};
use super::patience::{Depth, Patience};
use super::tap::Tap;
use super::target::{Target, Way};
use super::words::{self, ENDED, GONE};
use crate::net::Guard;
use crate::process::Warden;
use crate::secrets::Secrets;

/// What servers are asked with.
#[derive(Debug, Clone)]
pub(super) struct Means {
    pub(super) guard: Guard,
    pub(super) warden: Arc<Warden>,
    /// Turns for long messages.
    pub(super) turns: Arc<Semaphore>,
    /// How long one server may take in all.
    pub(super) allowed: Duration,
    pub(super) depth: Depth,
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
    /// It put a secret that it was given into what it said.
    pub(super) repeats_secret: bool,
    /// How often its command was started.
    pub(super) starts: usize,
}

impl Asked {
    /// Takes out of every text what must not be shown.
    fn scrubbed(mut self, secrets: &Secrets) -> Self {
        let mut texts: Vec<&mut String> = Vec::new();
        texts.extend(&mut self.error);
        texts.extend(&mut self.slips);
        texts.push(&mut self.stderr);
        if let Some(demand) = &mut self.demand {
            texts.push(&mut demand.evidence);
            texts.extend(demand.issuers.iter_mut().chain(&mut demand.scopes).chain(&mut demand.problems));
        }
        if let Some(heard) = &mut self.heard {
            let cuts =
                [&mut heard.tools.cut, &mut heard.resources.cut, &mut heard.templates.cut, &mut heard.prompts.cut];
            texts.extend(cuts.into_iter().flatten());
        }
        for text in texts {
            *text = secrets.text(text);
        }
        self
    }
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

    /// Whether everything that the server lists was read.
    pub(super) fn is_whole(&self) -> bool {
        let gaps = [self.tools.has_gaps, self.resources.has_gaps, self.templates.has_gaps, self.prompts.has_gaps];
        self.cuts().is_empty() && !gaps.contains(&true)
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
    let patience = Patience::new(means.allowed, means.cancel.clone(), means.depth);
    let asked = match &target.way {
        Way::Not(why) => Asked { status: Status::NotStarted, error: Some(why.clone()), ..Asked::default() },
        Way::Start(launch) => start::start(launch, &target.secrets, means, &patience).await,
        Way::Call { url, trust, headers } => {
            let place = call::Place { url, trust: *trust, headers, secrets: &target.secrets };
            call::call(&place, means, &patience).await
        }
    };
    asked.scrubbed(&target.secrets)
}

/// Why nothing was heard.
#[derive(Debug)]
struct Failure {
    words: String,
    /// There is no use in asking in another way.
    is_final: bool,
}

fn of(heard: Result<Heard, Failure>, tap: &Tap) -> Asked {
    let repeats_secret = tap.repeats_secret();
    match heard {
        Ok(heard) => {
            let slips = tap.slips().into_iter().chain(heard.introduction.slip()).chain(heard.slips()).collect();
            Asked { status: Status::Reachable, heard: Some(heard), slips, repeats_secret, ..Asked::default() }
        }
        Err(failure) => {
            // Why nothing was understood is why there is no answer.
            let cause = tap.given_up().map_or(failure.words, |why| format!("it {why}"));
            let slips = tap.slips().into_iter().filter(|slip| !cause.contains(slip.as_str()));
            let all: Vec<String> =
                std::iter::once(cause.clone()).chain(slips.map(|slip| format!("it {slip}"))).collect();
            Asked { error: Some(all.join("; ")), repeats_secret, ..Asked::default() }
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
) -> Result<Heard, Failure>
where
    T: Transport<RoleClient> + 'static,
{
    let serving = serve_client_with_lifecycle(client(), transport, lifecycle);
    let mut service = match patience.wait(serving).await {
        Ok(Ok(service)) => service,
        Ok(Err(error)) => {
            let words = words::of_start(&error);
            // What could not be sent, or was refused, would not be another time; who hung up may have minded the question.
            let is_sending = matches!(error, ClientInitializeError::TransportError { .. }) && words != GONE;
            return Err(Failure { words, is_final: is_sending || tap.given_up().is_some() });
        }
        Err(late) => return Err(Failure { words: late.to_string(), is_final: true }),
    };
    let peer = service.peer().clone();
    let version = peer.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    let introduction = Introduction::read(&tap.handshake().unwrap_or_default(), &version);
    let mut heard = match patience.depth {
        Depth::Lists => listen(&peer, introduction, patience).await,
        Depth::Introduction => Heard { introduction, ..Heard::default() },
    };
    if let Some(why) = tap.given_up() {
        heard.explain(&format!("it {why}"));
    }
    // Whether the goodbye comes through changes nothing of what was heard.
    let _ = service.close_with_timeout(GOODBYE).await;
    Ok(heard)
}

async fn listen(peer: &rmcp::Peer<RoleClient>, introduction: Introduction, patience: &Patience) -> Heard {
    let (tools, resources, templates, prompts) = tokio::join!(
        list(peer, introduction.asks("tools"), Sort::Tools, patience, Tool::read),
        list(peer, introduction.asks("resources"), Sort::Resources, patience, Resource::read),
        list(peer, introduction.asks("resources"), Sort::Templates, patience, Resource::read_template),
        list(peer, introduction.asks("prompts"), Sort::Prompts, patience, Prompt::read),
    );
    Heard { introduction, tools, resources, templates, prompts }
}

async fn list<T>(
    peer: &rmcp::Peer<RoleClient>,
    asks: Asks,
    sort: Sort,
    patience: &Patience,
    read: fn(&serde_json::Value) -> Result<T, String>,
) -> List<T> {
    if asks.is_asked { List::fetch(peer, sort, asks.is_announced, patience, read).await } else { List::default() }
}
