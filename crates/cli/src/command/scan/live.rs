//! The part of a scan that starts commands and contacts others: only what the user asked for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use reqwest::header::HeaderMap;
use tokio_util::sync::CancellationToken;
use tracehound_collect::mcp::{self, Target, Way};
use tracehound_collect::net::{Guard, Policy};
use tracehound_collect::process::{Sandboxing, Supervisor, Warden};
use tracehound_collect::{Allowed, Detection, Stamp, a2a, config};
use tracehound_model::a2a_base_url;
use tracehound_model::wire::Document;
use url::Url;

use super::consent;
use crate::args::Live;
use crate::output::{note, safe};
use crate::progress;

/// Largest file of headers or keys.
const GIVEN_BYTES: u64 = 1 << 20;

/// What came of asking.
#[derive(Debug, Default)]
pub(super) struct Lived {
    pub(super) documents: Vec<Document>,
    pub(super) servers: Vec<mcp::Server>,
    pub(super) agents: Vec<a2a::Looked>,
    /// What stood in the way of reading cards.
    pub(super) agent_problems: Vec<(String, String)>,
    pub(super) allowed: Allowed,
    /// How many commands were started, and what kept them.
    pub(super) started: usize,
    pub(super) contacted: usize,
    pub(super) keeping: String,
    pub(super) is_interrupted: bool,
}

/// What is asked.
pub(super) struct Asking<'a> {
    pub(super) arguments: &'a Live,
    pub(super) stamp: &'a Stamp,
    /// What stands before commands where machines of a fleet are kept apart.
    pub(super) prefix: String,
    /// The servers of configurations.
    pub(super) configured: Vec<Target>,
    pub(super) detection: &'a Detection,
}

impl Asking<'_> {
    /// Asks everybody.
    pub(super) fn run(self) -> anyhow::Result<Lived> {
        let headers = Arc::new(self.headers()?);
        let keys = self.keys()?;
        let targets = self.targets(&headers)?;
        let guard = Guard::new(Policy { allow_private: self.arguments.allow_private })?;
        let supervisor = Supervisor::current().context("this program can't find itself to keep commands with")?;
        let warden = Arc::new(Warden::new(supervisor, self.arguments.sandbox));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
        let asked = runtime.block_on(async {
            let cancel = CancellationToken::new();
            let waiting = tokio::spawn(interrupted(cancel.clone(), Arc::clone(&warden)));
            let asked = self.ask(targets, keys, &headers, &guard, &warden, &cancel).await;
            waiting.abort();
            asked.map(|mut lived| {
                lived.is_interrupted = cancel.is_cancelled();
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
        let count = |is_it: fn(&Way) -> bool| targets.iter().filter(|target| is_it(&target.way)).count();
        let mut lived = Lived {
            started: count(|way| matches!(way, Way::Start(_))),
            contacted: count(|way| matches!(way, Way::Call { .. })) + self.arguments.a2a.len(),
            keeping: keeping(warden),
            ..Lived::default()
        };
        lived.allowed = Allowed { start: lived.started > 0, network: lived.contacted > 0 };
        if !targets.is_empty() {
            let collected = self.servers(targets, guard, warden, cancel).await?;
            lived.documents.push(collected.document);
            lived.servers = collected.servers;
        }
        if !self.arguments.a2a.is_empty() {
            let mut collected = self.agents(keys, headers, guard, cancel).await?;
            lived.agents = std::mem::take(&mut collected.looked);
            let problems = std::mem::take(&mut collected.problems);
            lived.agent_problems = problems.into_iter().map(|problem| (problem.path, problem.message)).collect();
            lived.documents.push(collected.document());
        }
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
            concurrency: usize::try_from(self.arguments.concurrency)?,
            allowed: Duration::from_secs(self.arguments.timeout),
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
        let arguments = self.arguments;
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
            concurrency: usize::try_from(arguments.concurrency)?,
            time: Duration::from_secs(arguments.timeout.min(15)),
            resolve: arguments.resolve,
            ..a2a::Request::default()
        };
        let bar = progress::working("asking agents");
        let show = |step: a2a::Progress| bar.set_message(format!("asked {} of {} agents", step.done, step.total));
        let collected = a2a::collect(&request, guard, self.detection, &show, cancel).await;
        bar.finish_and_clear();
        Ok(collected?)
    }

    /// The servers to ask: those of configurations that the user agrees to, and those that are given.
    fn targets(&self, headers: &Arc<HeaderMap>) -> anyhow::Result<Vec<Target>> {
        let mut targets = consent::agreed(self.arguments, &self.configured)?;
        for url in &self.arguments.url {
            targets.push(Target::given_url(url, headers, self.detection)?);
        }
        for command in &self.arguments.stdio {
            targets.push(Target::given_command(command, self.detection, &self.prefix)?);
        }
        // What is both configured and given is asked once, as it is given.
        targets.reverse();
        targets.sort_by(|a, b| a.id.cmp(&b.id));
        targets.dedup_by(|next, kept| next.id == kept.id);
        Ok(targets)
    }

    fn headers(&self) -> anyhow::Result<HeaderMap> {
        let mut text = String::new();
        if let Some(file) = &self.arguments.headers_file {
            text += &String::from_utf8(read(file)?).context("the file of headers is no text")?;
        }
        if let Some(variable) = &self.arguments.headers_env {
            let given = std::env::var(variable);
            text += "\n";
            text += &given.with_context(|| format!("the environment variable `{}` is not set", safe(variable)))?;
        }
        let mut headers = HeaderMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let header = line.split_once(':').and_then(|(name, value)| config::header(name, value));
            // The line itself may be a secret.
            let Some((name, value)) = header else { bail!("line {number} of the headers is not `Name: value`") };
            headers.append(name, value);
        }
        if !headers.is_empty() {
            self.one_origin()?;
        }
        Ok(headers)
    }

    /// Headers may hold secrets, and who is to get which of several can't be told from them.
    fn one_origin(&self) -> anyhow::Result<()> {
        let urls = self.arguments.url.iter().cloned().chain(self.arguments.a2a.iter().map(|url| a2a_base_url(url)));
        let origins: BTreeSet<String> =
            urls.filter_map(|url| Some(Url::parse(&url).ok()?.origin().ascii_serialization())).collect();
        if origins.len() > 1 {
            bail!("headers are sent to one place, and {} are given; scan them one by one", origins.len());
        }
        Ok(())
    }

    fn keys(&self) -> anyhow::Result<Option<a2a::GivenKeys>> {
        let Some(file) = &self.arguments.jwks else { return Ok(None) };
        let keys = a2a::GivenKeys::read(&read(file)?);
        Ok(Some(keys.with_context(|| format!("`{}` holds no keys that can be used", file.display()))?))
    }
}

/// A file that the user gave, no longer than such files are.
fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    use std::io::Read as _;
    let failed = || format!("cannot read `{}`", file.display());
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .with_context(failed)?
        .take(GIVEN_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(failed)?;
    if bytes.len() as u64 > GIVEN_BYTES {
        bail!("`{}` is longer than {GIVEN_BYTES} bytes", file.display());
    }
    Ok(bytes)
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

/// Ends the scan at the first interrupt and keeps what was learnt; at the second, ends everything at once.
async fn interrupted(cancel: CancellationToken, warden: Arc<Warden>) {
    let mut count = 0;
    while signal().await {
        count += 1;
        if count == 1 {
            note("interrupted: ending what was started and keeping what was learnt (once more to stop at once)");
            cancel.cancel();
        } else {
            warden.sweep();
            std::process::exit(1);
        }
    }
}

/// Waits for the next signal that asks us to stop. `false`: none can come.
async fn signal() -> bool {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else { return false };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        true
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await.is_ok()
}
