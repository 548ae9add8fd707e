//! The part of a scan that starts commands and contacts others: only what the user asked for.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use reqwest::header::HeaderMap;
use tokio_util::sync::CancellationToken;
use tracehound_collect::mcp::{self, Target, Way};
use tracehound_collect::net::{Guard, Policy};
use tracehound_collect::process::{Sandboxing, Supervisor, Warden};
use tracehound_collect::{Allowed, Detection, Stamp, a2a, network};
use tracehound_model::wire::Document;
use tracehound_model::{NodeId, a2a_base_url};
use url::Url;

use super::consent;
use super::given::Given;
use super::network::Agreed;
use crate::args::Scan;
use crate::output::{note, safe};
use crate::progress;

/// What came of asking.
#[derive(Debug, Default)]
pub(super) struct Lived {
    pub(super) documents: Vec<Document>,
    pub(super) servers: Vec<mcp::Server>,
    pub(super) agents: Vec<a2a::Looked>,
    /// What stood in the way of reading cards.
    pub(super) agent_problems: Vec<(String, String)>,
    /// What was found on the network.
    pub(super) network: Option<Found>,
    /// The servers that were given one by one.
    pub(super) given: BTreeSet<NodeId>,
    pub(super) allowed: Allowed,
    /// How often commands were started, and what kept them.
    pub(super) started: usize,
    pub(super) contacted: usize,
    pub(super) keeping: String,
    pub(super) is_interrupted: bool,
}

/// What was found on the network, for the report.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) services: Vec<network::Service>,
    pub(super) open: Vec<network::OpenPlace>,
    pub(super) counts: network::Counts,
}

/// How many servers and agents are asked at a time if nobody says.
const AT_ONCE: u64 = 10;

/// What is asked.
pub(super) struct Asking<'a> {
    pub(super) arguments: &'a Scan,
    pub(super) stamp: &'a Stamp,
    /// What stands before commands where machines of a fleet are kept apart.
    pub(super) prefix: String,
    /// The servers of configurations.
    pub(super) configured: Vec<Target>,
    pub(super) detection: &'a Detection,
    /// What is looked for on the network.
    pub(super) network: Option<Agreed>,
}

impl Asking<'_> {
    /// Asks everybody.
    pub(super) fn run(mut self) -> anyhow::Result<Lived> {
        let network = self.network.take();
        let Given { headers, keys, targets } =
            Given::read(&self.arguments.live, &self.configured, self.detection, &self.prefix)?;
        let given = targets.iter().map(|target| target.id.clone()).collect();
        let targets = self.targets(targets)?;
        let guard = Guard::new(Policy { allow_private: self.arguments.live.allow_private })?;
        let supervisor = Supervisor::current().context("this program can't find itself to keep commands with")?;
        let warden = Arc::new(Warden::new(supervisor, self.arguments.live.sandbox));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
        let asked = runtime.block_on(async {
            let cancel = CancellationToken::new();
            let signals = Signals::new().context("signals to stop can't be listened to")?;
            let waiting = tokio::spawn(interrupted(signals, cancel.clone(), Arc::clone(&warden)));
            let mut asked = self.ask(targets, keys, &headers, &guard, &warden, &cancel).await;
            if let (Ok(lived), Some(network)) = (&mut asked, network) {
                asked = self.look(network, &warden, &cancel, std::mem::take(lived)).await;
            }
            waiting.abort();
            asked.map(|mut lived| {
                lived.is_interrupted = cancel.is_cancelled();
                lived.given = given;
                lived
            })
        });
        warden.sweep();
        // What still waits for a name server must not keep us.
        runtime.shutdown_background();
        asked
    }

    async fn ask(
        &self,
        targets: Vec<Target>,
        keys: Option<a2a::GivenKeys>,
        headers: &HeaderMap,
        guard: &Guard,
        warden: &Arc<Warden>,
        cancel: &CancellationToken,
    ) -> anyhow::Result<Lived> {
        let mut lived = Lived { keeping: keeping(warden), ..Lived::default() };
        lived.contacted = targets.iter().filter(|target| matches!(target.way, Way::Call { .. })).count();
        if !targets.is_empty() {
            let collected = self.servers(targets, guard, warden, cancel).await?;
            lived.documents.push(collected.document);
            lived.servers = collected.servers;
            lived.started = lived.servers.iter().map(|server| server.starts).sum();
            lived.servers.iter_mut().filter(|server| server.starts > 1).for_each(tell_second_start);
        }
        if !self.arguments.live.a2a.is_empty() {
            let mut collected = self.agents(keys, headers, guard, cancel).await?;
            lived.agents = std::mem::take(&mut collected.looked);
            lived.contacted += lived.agents.len();
            let problems = std::mem::take(&mut collected.problems);
            lived.agent_problems = problems.into_iter().map(|problem| (problem.path, problem.message)).collect();
            lived.documents.push(collected.document);
        }
        lived.allowed = Allowed { start: lived.started > 0, network: lived.contacted > 0 };
        Ok(lived)
    }

    /// Looks for services on the network.
    async fn look(
        &self,
        network: Agreed,
        warden: &Arc<Warden>,
        cancel: &CancellationToken,
        mut lived: Lived,
    ) -> anyhow::Result<Lived> {
        let arguments = (&self.arguments.network, &self.arguments.live);
        let collected = network.run(arguments, self.stamp, self.detection, warden, cancel).await?;
        let network::Collected { documents, services, agents, servers, open, counts } = collected;
        lived.documents.extend(documents);
        lived.servers.extend(servers);
        // A card that could be seen but not be read is no agent that anybody asked for.
        lived.agents.extend(agents.into_iter().filter(|agent| agent.status == a2a::Status::Reachable));
        lived.allowed.network = true;
        lived.contacted += usize::try_from(counts.addresses).unwrap_or(usize::MAX);
        lived.network = Some(Found { services, open, counts });
        Ok(lived)
    }

    async fn servers(
        &self,
        targets: Vec<Target>,
        guard: &Guard,
        warden: &Arc<Warden>,
        cancel: &CancellationToken,
    ) -> anyhow::Result<mcp::Collected> {
        let request = mcp::Request {
            stamp: self.stamp.clone(),
            targets,
            concurrency: usize::try_from(self.arguments.live.concurrency.unwrap_or(AT_ONCE))?,
            allowed: Duration::from_secs(self.arguments.live.timeout),
        };
        let bar = progress::working("asking servers");
        let show = |done: usize, total: usize, name: &str| {
            bar.set_message(format!("asked {done} of {total} servers, last {}", safe(name)));
        };
        let collected = mcp::collect(request, guard, warden, self.detection, cancel, &show).await;
        bar.finish_and_clear();
        Ok(collected?)
    }

    async fn agents(
        &self,
        keys: Option<a2a::GivenKeys>,
        headers: &HeaderMap,
        guard: &Guard,
        cancel: &CancellationToken,
    ) -> anyhow::Result<a2a::Collected> {
        let arguments = &self.arguments.live;
        let request = a2a::Request {
            stamp: self.stamp.clone(),
            targets: arguments.a2a.clone(),
            headers: arguments
                .a2a
                .iter()
                .filter_map(|target| Some((Url::parse(&a2a_base_url(target)).ok()?, headers.clone())))
                .collect(),
            keys,
            key_hosts: arguments.key_host.clone(),
            follow: usize::try_from(arguments.follow)?,
            concurrency: usize::try_from(arguments.concurrency.unwrap_or(AT_ONCE))?,
            time: Duration::from_secs(arguments.timeout.min(15)),
            resolve: arguments.resolve,
            ..a2a::Request::default()
        };
        let bar = progress::working("asking agents");
        let show = |step: a2a::Progress| bar.set_message(format!("asked {} of {} agents", step.done, step.total));
        // Agents name agents, and each may take its time. One that is asked gets its own at both of its places.
        let enough = cancel.child_token();
        let each = Duration::from_secs(arguments.timeout * 3 + 5);
        let allowed = each.saturating_mul(u32::try_from(request.targets.len())?);
        let asking = a2a::collect(&request, guard, self.detection, &show, &enough);
        tokio::pin!(asking);
        let collected = tokio::select! {
            collected = &mut asking => collected,
            () = tokio::time::sleep(allowed) => {
                enough.cancel();
                asking.await
            }
        };
        bar.finish_and_clear();
        Ok(collected?)
    }

    /// The servers to ask: those of configurations that the user agrees to, and those that are given.
    fn targets(&self, given: Vec<Target>) -> anyhow::Result<Vec<Target>> {
        let ids: BTreeSet<NodeId> = given.iter().map(|target| target.id.clone()).collect();
        let mut targets = consent::agreed(self.arguments.live.start.as_deref(), &self.configured, &ids)?;
        targets.extend(given);
        targets.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(targets)
    }
}

fn keeping(warden: &Warden) -> String {
    let sandbox = match warden.sandboxing() {
        Sandboxing::Off => "not sandboxed".to_owned(),
        Sandboxing::Full => "sandboxed: no network, no writing outside a folder of their own".to_owned(),
        Sandboxing::Partial { missing } => format!("sandboxed, except that {missing}"),
        Sandboxing::Unavailable { why } => format!("the sandbox can't be had: {why}"),
    };
    format!("{}; {sandbox}", warden.keeping().words())
}

fn tell_second_start(server: &mut mcp::Server) {
    let why = "it did not answer the newest question, so it was asked the one that all servers know";
    server.problems.push(format!("it was started twice: {why}"));
}

/// Ends the scan at the first interrupt and keeps what was learnt; at the second, ends everything at once.
async fn interrupted(mut signals: Signals, cancel: CancellationToken, warden: Arc<Warden>) {
    signals.next().await;
    note("interrupted: ending what was started and keeping what was learnt (once more to stop at once)");
    cancel.cancel();
    signals.next().await;
    warden.sweep();
    std::process::exit(1);
}

/// The signals that ask us to stop, listened to without a gap.
#[cfg(unix)]
struct Signals(tokio::signal::unix::Signal, tokio::signal::unix::Signal, tokio::signal::unix::Signal);
#[cfg(not(unix))]
struct Signals(tokio::signal::windows::CtrlC);

impl Signals {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self(signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?))
    }

    #[cfg(not(unix))]
    fn new() -> io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    /// Waits for the next one.
    async fn next(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
            _ = self.2.recv() => {}
        }
        #[cfg(not(unix))]
        self.0.recv().await;
    }
}
