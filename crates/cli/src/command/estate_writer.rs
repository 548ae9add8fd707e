//! How commands write to an estate: themselves, or through a server that runs.
//!
//! While a server runs it owns the estates of its data directory. Reading beside it is fine; what is to be written is handed
//! to it.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use anyhow::{Context as _, anyhow};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use tracehound_graph::{
    Access, Added, Change, Error, Estate, Graph, Ingested, MarkDecision, Moment, Point, Problem, Problems, ScanRecord,
    TriageDecision, Warning,
};
use tracehound_model::{Collector, Mark};
use tracehound_server::{HandOver, LocalAnswer};

use crate::clock;
use crate::gateway_client::{part, refusal};
use crate::settings::Settings;

/// An estate to be written.
pub(super) enum Writer {
    /// Nobody else has it.
    Here(Box<Estate>),
    /// A server has it.
    Running(Server),
}

impl Writer {
    /// Opens the estate that the settings name, or finds the server that has it.
    pub(super) fn open(settings: &Settings, access: Access) -> anyhow::Result<Self> {
        Self::open_beside(settings, access, Server::find(settings))
    }

    /// The same with a server that was looked for before.
    pub(super) fn open_beside(settings: &Settings, access: Access, server: Option<Server>) -> anyhow::Result<Self> {
        match (Estate::open(&settings.data, &settings.tenant, access, settings.limits), server) {
            (Ok(estate), _) => Ok(Self::Here(Box::new(estate))),
            (Err(Error::InUse { .. }), Some(server)) if server.is_there() => Ok(Self::Running(server)),
            (Err(error), _) => Err(error.into()),
        }
    }

    /// The graph at a point. Beside a server it is read from the file.
    pub(super) fn graph(&mut self, point: &Point, settings: &Settings) -> anyhow::Result<Graph> {
        match self {
            Self::Here(estate) => {
                super::load(estate)?;
                Ok(estate.graph(point)?)
            }
            Self::Running(_) => Ok(super::open_loaded(settings, Access::Read)?.graph(point)?),
        }
    }

    /// Writes a snapshot if one is due; a server does that itself.
    pub(super) fn snapshot_if_due(&mut self) -> anyhow::Result<()> {
        match self {
            Self::Here(estate) => super::snapshot_if_due(estate),
            Self::Running(_) => Ok(()),
        }
    }

    /// Takes in a document, all of it or nothing.
    pub(super) fn ingest(&mut self, document: Vec<u8>) -> anyhow::Result<Ingested> {
        match self {
            Self::Here(estate) => Ok(estate.ingest(&document, clock::now())?),
            Self::Running(server) => server.ingest(document),
        }
    }

    /// Takes scans out, all of them or none.
    pub(super) fn delete_scans(&mut self, scan_ids: &[String], settings: &Settings) -> anyhow::Result<Vec<ScanRecord>> {
        match self {
            Self::Here(estate) => {
                let deleted = estate.delete_scans(scan_ids)?;
                super::load(estate)?;
                Ok(deleted)
            }
            Self::Running(server) => {
                // One that is not there is found before the first is gone.
                let known = super::open(settings, Access::Read)?;
                let mut scans = Vec::new();
                for scan_id in scan_ids {
                    let scan = known.scan(scan_id)?;
                    if !scans.contains(scan) {
                        scans.push(scan.clone());
                    }
                }
                scans.iter().try_for_each(|scan| server.delete_scan(&scan.scan_id))?;
                Ok(scans)
            }
        }
    }

    /// Puts marks on nodes or takes them away.
    pub(super) fn mark(&mut self, decisions: &[MarkDecision]) -> anyhow::Result<()> {
        match self {
            Self::Here(estate) => Ok(estate.mark(decisions)?),
            Self::Running(server) => decisions.iter().try_for_each(|decision| server.mark(decision)),
        }
    }

    /// Records that somebody has looked at changes.
    pub(super) fn acknowledge(&mut self, changes: &[Change], author: &str, note: &str) -> anyhow::Result<()> {
        match self {
            Self::Here(estate) => Ok(estate.acknowledge(changes, author, note, clock::now())?),
            Self::Running(server) => {
                let mut nodes: Vec<&str> = changes.iter().map(|change| change.id.as_str()).collect();
                nodes.dedup();
                nodes.into_iter().try_for_each(|node| server.acknowledge(node, (author, note)))
            }
        }
    }

    /// Records decisions about findings, all of them or none.
    pub(super) fn triage(&mut self, decisions: &[TriageDecision]) -> anyhow::Result<()> {
        match self {
            Self::Here(estate) => Ok(estate.triage(decisions)?),
            Self::Running(server) => server.triage(decisions),
        }
    }
}

/// A server that runs on this machine.
///
/// It is spoken to by a thread of its own, which is there before the process gives up sockets: a scan of files contacts
/// nobody but the server that keeps what it found.
pub(super) struct Server {
    questions: Sender<Question>,
}

/// What the server is asked, and where its answer goes.
struct Question {
    ask: Ask,
    answer: Sender<std::io::Result<LocalAnswer>>,
}

enum Ask {
    Something { method: Method, path: String, body: Option<Value> },
    Document(Vec<u8>),
}

impl Server {
    /// The server that left its address in the data directory; it may have gone since.
    pub(super) fn find(settings: &Settings) -> Option<Self> {
        let hand_over = HandOver::find(&settings.data).ok()?;
        let tenant = settings.tenant.clone();
        let (questions, asked) = channel::<Question>();
        let speak = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            for Question { ask, answer } in asked {
                let told = runtime.block_on(async {
                    match ask {
                        Ask::Something { method, path, body } => {
                            let body = body.map(|body| body.to_string().into_bytes());
                            hand_over.ask(&tenant, method, &path, body).await
                        }
                        Ask::Document(document) => hand_over.hand_in(&tenant, document).await,
                    }
                });
                // Whoever asked may have gone.
                let _ = answer.send(told);
            }
        };
        thread::Builder::new().name("server".to_owned()).spawn(speak).ok()?;
        Some(Self { questions })
    }

    /// Whether it answers.
    fn is_there(&self) -> bool {
        let ask = Ask::Something { method: Method::GET, path: "/livez".to_owned(), body: None };
        self.send(ask).is_ok_and(|answer| answer.status == 200)
    }

    fn mark(&self, decision: &MarkDecision) -> anyhow::Result<()> {
        let (owned, crown_jewel) = match decision.mark {
            Some(Mark::Owned) => (Some(true), None),
            Some(Mark::CrownJewel) => (None, Some(true)),
            None => (Some(false), Some(false)),
        };
        let MarkDecision { node, reason, author, .. } = decision;
        let body = json!({ "owned": owned, "crown_jewel": crown_jewel, "reason": reason, "author": author });
        self.ask(Method::PUT, &format!("/v1/estate/nodes/{}/marks", part(node.as_str())), Some(body)).map(drop)
    }

    fn acknowledge(&self, node: &str, (author, note): (&str, &str)) -> anyhow::Result<()> {
        let path = format!("/v1/estate/nodes/{}/acknowledge", part(node));
        self.ask(Method::POST, &path, Some(json!({ "note": note, "author": author }))).map(drop)
    }

    fn delete_scan(&self, scan_id: &str) -> anyhow::Result<()> {
        self.ask(Method::DELETE, &format!("/v1/estate/scans/{}", part(scan_id)), None).map(drop)
    }

    fn triage(&self, decisions: &[TriageDecision]) -> anyhow::Result<()> {
        let Some(first) = decisions.first() else { return Ok(()) };
        let fingerprints: Vec<_> = decisions.iter().map(|decision| decision.fingerprint).collect();
        let body = json!({
            "fingerprints": fingerprints, "status": first.state, "reason": first.reason, "author": first.author,
            "until": first.expires,
        });
        let answer = self.ask(Method::POST, "/v1/estate/findings/triage", Some(body))?;
        let unknown = answer.get("unknown").and_then(Value::as_array).map_or(0, Vec::len);
        anyhow::ensure!(
            unknown == 0,
            "{unknown} of these findings were gone before the server could decide about them"
        );
        Ok(())
    }

    fn ingest(&self, document: Vec<u8>) -> anyhow::Result<Ingested> {
        let answer = self.send(Ask::Document(document))?;
        if !(200..300).contains(&answer.status) {
            return Err(refused_document(&answer));
        }
        let told: IngestedAnswer = serde_json::from_slice(&answer.body).context("the server's answer is not JSON")?;
        Ok(Ingested { scan: told.scan.into(), added: told.added, warnings: told.warnings })
    }

    fn ask(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let answer = self.send(Ask::Something { method, path: path.to_owned(), body })?;
        if !(200..300).contains(&answer.status) {
            return Err(refusal(&answer));
        }
        if answer.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&answer.body).context("the server's answer is not JSON")
    }

    fn send(&self, ask: Ask) -> anyhow::Result<LocalAnswer> {
        let (answer, answered) = channel();
        let gone = || anyhow!("the running server can't be asked");
        self.questions.send(Question { ask, answer }).map_err(|_| gone())?;
        let told = answered.recv().map_err(|_| gone())?;
        told.context("the running server does not answer")
    }
}

/// What is wrong with a document, as it would be told if it had been read here.
fn refused_document(answer: &LocalAnswer) -> anyhow::Error {
    #[derive(Deserialize)]
    struct Refused {
        code: String,
        problems: Vec<Problem>,
        problems_total: usize,
    }
    match serde_json::from_slice::<Refused>(&answer.body) {
        Ok(Refused { code, problems, problems_total }) if code == "bad_document" => {
            Error::Invalid(Problems { total: problems_total, problems }).into()
        }
        _ => refusal(answer),
    }
}

/// What the server says of a document that it took in.
#[derive(Deserialize)]
struct IngestedAnswer {
    scan: Scan,
    added: Option<Added>,
    warnings: Vec<Warning>,
}

/// A scan as the server tells it.
#[derive(Deserialize)]
struct Scan {
    scan_id: String,
    collector: Collector,
    collector_version: String,
    #[serde(default)]
    origin: String,
    time: Moment,
    timestamp: String,
    received: Moment,
    nodes: u64,
    edges: u64,
    warnings: u64,
    size: u64,
    sha256: String,
}

impl From<Scan> for ScanRecord {
    fn from(scan: Scan) -> Self {
        Self {
            scan_id: scan.scan_id,
            collector: scan.collector,
            collector_version: scan.collector_version,
            origin: scan.origin,
            time: scan.time,
            timestamp: scan.timestamp,
            ingested: scan.received,
            nodes: scan.nodes,
            edges: scan.edges,
            warnings: scan.warnings,
            sha256: scan.sha256,
            bytes: scan.size,
        }
    }
}
