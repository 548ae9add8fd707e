//! The part of a scan that looks for AI services on a network: from the command line to a plan, and from a plan to work.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracehound_collect::inventory::{Keys, PATHS};
use tracehound_collect::network::{self, Draft, Plan, Ports, Targets, Wish};
use tracehound_collect::process::Warden;
use tracehound_collect::{Detection, Stamp};
use tracehound_model::{NodeKind, hash};
use tracehound_rules::fingerprint::Fingerprint;

use super::given::read_given;
use crate::args::{Live, Network};
use crate::output::{note, safe};
use crate::progress as bars;

/// How many services are looked at at a time if nobody says.
const AT_ONCE: u64 = 32;

/// What the command line asks for, read and judged. Nothing but names has been looked up.
pub(super) struct Prepared {
    pub(super) draft: Draft,
    pub(super) fingerprints: Vec<Fingerprint>,
    keys: Option<Keys>,
    authorization: Option<Authorization>,
}

/// Somebody's permission to scan public addresses.
struct Authorization {
    path: String,
    sha256: String,
}

impl Prepared {
    pub(super) fn read(arguments: &Network, fingerprints: Vec<Fingerprint>) -> anyhow::Result<Self> {
        let authorization = arguments.authorization.as_deref().map(Authorization::read).transpose()?;
        let keys = if arguments.inventory { Some(keys(arguments)?) } else { None };
        let usual = || fingerprints.iter().flat_map(|rule| rule.ports.iter().copied());
        let ports: Ports = match &arguments.ports {
            Some(text) => text.parse().context("--ports")?,
            None => Ports::default(),
        };
        let wish = Wish {
            targets: targets(&arguments.targets)?,
            exclude: targets(&arguments.exclude).context("--exclude")?,
            ports,
            default_ports: if arguments.only_ports { Ports::default() } else { usual().collect() },
            allow_public: arguments.allow_public,
            is_authorized: authorization.is_some(),
            many: arguments.yes_many,
        };
        for words in wish.targets.notes() {
            note(&format!("note: {}", safe(words)));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        let draft = runtime.block_on(Draft::make(&wish, network::resolve));
        runtime.shutdown_background();
        Ok(Self { draft, fingerprints, keys, authorization })
    }

    /// What is to be done, if all of it may be.
    pub(super) fn agreed(self, known: Vec<(NodeKind, String)>) -> anyhow::Result<Agreed> {
        let Self { draft, fingerprints, keys, authorization } = self;
        let plan = match draft.into_plan() {
            Ok(plan) => Arc::new(plan),
            Err(refusal) => bail!("nothing was contacted:\n{refusal}"),
        };
        if let Some(base) = keys.as_ref().and_then(|keys| keys.bases().find(|base| !is_within(&plan, base))) {
            note(&format!("note: there is a key for {}, which is not among the targets", safe(base)));
        }
        Ok(Agreed { plan, fingerprints, keys, authorization, known })
    }
}

/// Whether a base URL is of a place of the plan.
fn is_within(plan: &Plan, base: &str) -> bool {
    let Ok(url) = url::Url::parse(base) else { return false };
    let host = url.host_str().unwrap_or_default();
    let own = host.trim_matches(['[', ']']).parse();
    plan.pins().contains_key(host) || own.is_ok_and(|ip| plan.admits(ip))
}

/// What is done.
pub(super) struct Agreed {
    plan: Arc<Plan>,
    fingerprints: Vec<Fingerprint>,
    keys: Option<Keys>,
    authorization: Option<Authorization>,
    /// Services that the estate knows.
    known: Vec<(NodeKind, String)>,
}

impl Agreed {
    /// Does it.
    pub(super) async fn run(
        self,
        arguments: (&Network, &Live),
        stamp: &Stamp,
        detection: &Detection,
        warden: &Arc<Warden>,
        cancel: &CancellationToken,
    ) -> anyhow::Result<network::Collected> {
        let (own, live) = arguments;
        let said = self.said(own);
        let request = network::Request {
            stamp: stamp.clone(),
            plan: Arc::clone(&self.plan),
            fingerprints: self.fingerprints,
            sweep: network::Settings { rate: own.rate.and_then(NonZeroU32::new), ..network::Settings::default() },
            concurrency: usize::try_from(live.concurrency.unwrap_or(AT_ONCE))?,
            allowed: Duration::from_secs(live.timeout),
            finds_mcp: live.mcp,
            inventory: self.keys,
            known: self.known,
        };
        let progress = Arc::new(network::Progress::default());
        let total = self.plan.connections();
        let bar = bars::connections(total);
        let means = network::Means { warden, detection, cancel };
        let scanning = network::collect(request, means, &progress);
        tokio::pin!(scanning);
        let collected = loop {
            tokio::select! {
                collected = &mut scanning => break collected,
                () = tokio::time::sleep(Duration::from_millis(100)) => {
                    bar.set_position(progress.done());
                    bar.set_message(format!("{} open", progress.open()));
                }
            }
        };
        bar.finish_and_clear();
        let mut collected = collected?;
        for document in &mut collected.documents {
            document.meta.extra.other.extend(said.clone());
        }
        Ok(collected)
    }

    /// What the document says of what was asked for and allowed.
    fn said(&self, arguments: &Network) -> Vec<(String, Value)> {
        let mut said = vec![
            ("network_scan_spec".to_owned(), json!(arguments.targets.join(" "))),
            ("network_scan_addresses".to_owned(), json!(self.plan.addresses())),
            ("network_scan_connections".to_owned(), json!(self.plan.connections())),
            ("allow_public_targets".to_owned(), json!(arguments.allow_public)),
        ];
        if let Some(Authorization { path, sha256 }) = &self.authorization {
            said.push(("authorization_file_path".to_owned(), json!(path)));
            said.push(("authorization_file_sha256".to_owned(), json!(sha256)));
        }
        said
    }
}

impl Authorization {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let bytes = read_given(file).context("the authorization")?;
        if bytes.trim_ascii().is_empty() {
            bail!("the authorization `{}` is empty", file.display());
        }
        let sha256 = hash::content(&bytes);
        let sha256 = sha256.strip_prefix("sha256:").unwrap_or(&sha256).to_owned();
        Ok(Self { path: file.display().to_string(), sha256 })
    }
}

fn targets(words: &[String]) -> anyhow::Result<Targets> {
    Ok(Targets::read(words.iter().map(String::as_str), network::read_list)?)
}

fn keys(arguments: &Network) -> anyhow::Result<Keys> {
    let mut text = String::new();
    if let Some(file) = &arguments.keys_file {
        text += &String::from_utf8(read_given(file)?).ok().context("the file of keys is no text")?;
    }
    if let Some(variable) = &arguments.keys_env {
        let given = std::env::var(variable);
        text += "\n";
        text += &given.ok().with_context(|| format!("the environment variable `{}` is not set", safe(variable)))?;
    }
    Keys::read(&text).context("the keys")
}

/// Every question that an open place may be asked, with who asks it.
pub(super) fn probes(fingerprints: &[Fingerprint], finds_mcp: bool, reads_inventory: bool) -> Vec<(String, String)> {
    let mut probes = vec![("GET /".to_owned(), "whether it speaks HTTP, else HTTPS".to_owned())];
    let asked: BTreeSet<String> =
        fingerprints.iter().flat_map(|rule| rule.probes.iter().map(|probe| probe.request.to_string())).collect();
    for request in asked {
        let asks = |rule: &&Fingerprint| rule.probes.iter().any(|probe| probe.request.to_string() == request);
        let rules: Vec<&str> = fingerprints.iter().filter(asks).map(|rule| rule.id.as_str()).collect();
        probes.push((request, rules.join(", ")));
    }
    for path in network::CARDS {
        probes.push((format!("GET {path}"), "cards of A2A agents".to_owned()));
    }
    if finds_mcp {
        for path in network::MCP_PATHS {
            let path = if path.is_empty() { "/" } else { path };
            probes.push((format!("POST {path}"), "MCP servers: server/discover, else initialize".to_owned()));
        }
        let goodbye = "the same servers: notifications/initialized, and the end of the session";
        probes.push(("POST, DELETE".to_owned(), goodbye.to_owned()));
        let metadata = "what servers demand that refuse strangers (RFC 9728, RFC 8414), on the same host";
        probes.push(("GET /.well-known/oauth-…".to_owned(), metadata.to_owned()));
    }
    if reads_inventory {
        for (kind, paths) in PATHS {
            probes.extend(paths.iter().map(|path| (format!("GET {path}"), format!("the inventory of a {kind}"))));
        }
    }
    probes
}
