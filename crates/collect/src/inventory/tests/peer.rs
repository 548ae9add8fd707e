//! A service on loopback that answers as a test tells it to.

use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tracehound_model::wire::{Document, Node};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};
use tracehound_rules::builtin_rules;

use super::super::{Inventory, Keys, Named, Subject, read_within};
use crate::Detection;
use crate::builder::Stamp;
use crate::net::{Bounds, Certificate, Reader};

static DETECTION: LazyLock<Detection> =
    LazyLock::new(|| Detection::start_live(builtin_rules().unwrap().to_vec()).unwrap());

/// What is answered to a request: a status and a body. `None`: nothing, ever.
type Answer = dyn Fn(&str) -> Option<(u16, String)> + Send + Sync;

pub(super) struct Peer {
    pub(super) base: String,
    heads: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Peer {
    /// Answers requests for a path with its query.
    pub(super) async fn start(answer: impl Fn(&str) -> Option<(u16, String)> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&heads));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&seen)));
            }
        });
        Self { base, heads, task }
    }

    /// Answers these paths with JSON and all others with 404.
    pub(super) async fn with(answers: &[(&str, Value)]) -> Self {
        let answers: Vec<(String, Value)> =
            answers.iter().map(|(path, json)| ((*path).to_owned(), json.clone())).collect();
        Self::start(move |path| {
            let found = answers.iter().find(|(known, _)| known == path);
            Some(found.map_or((404, String::new()), |(_, json)| (200, json.to_string())))
        })
        .await
    }

    /// The requests, without their bodies.
    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// Reads the service as one of a kind, with a key if there is one.
    pub(super) async fn read(&self, kind: NodeKind, key: Option<&str>) -> Read {
        self.read_as(kind, key, Certificate::Checked, Duration::from_secs(30)).await
    }

    pub(super) async fn read_as(&self, kind: NodeKind, key: Option<&str>, trust: Certificate, time: Duration) -> Read {
        let bounds = Bounds::new(std::collections::BTreeMap::new(), |ip| ip.is_loopback());
        let turns = Arc::new(Semaphore::new(4));
        let reading = Reader::new(bounds).unwrap().open(&self.base, trust, &turns).unwrap();
        let keys = key.map_or_else(Keys::default, |key| Keys::read(&format!("{} {key}", self.base)).unwrap());
        let id = NodeId::service(kind, &self.base);
        let stamp =
            Stamp { scan_id: "s".to_owned(), timestamp: "2026-01-01T00:00:00Z".to_owned(), origin: "here".to_owned() };
        let key = keys.for_base(&self.base);
        let subject = Subject { kind, id: &id, reading: &reading, key, stamp: &stamp, detection: &DETECTION };
        let Inventory { builder, properties, problems, cut_short, is_whole, named, .. } =
            read_within(&subject, time).await.unwrap();
        let document = builder.document(Collector::Scan, Vec::new());
        Read {
            id,
            document,
            properties: serde_json::to_value(properties).unwrap(),
            problems,
            cut_short,
            is_whole,
            named,
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What came of reading.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) id: NodeId,
    pub(super) document: Document,
    pub(super) properties: Value,
    pub(super) problems: Vec<String>,
    pub(super) cut_short: Vec<String>,
    pub(super) is_whole: bool,
    pub(super) named: Vec<Named>,
}

impl Read {
    /// The node of this name, which an edge leads to from the service.
    pub(super) fn node(&self, edge: EdgeKind, name: &str) -> &Node {
        let graph = &self.document.graph;
        let node = graph.nodes.iter().find(|node| node.properties["name"] == name);
        let node = node.unwrap_or_else(|| panic!("no {name} in {:?}", self.names()));
        let leads = graph.edges.iter().any(|it| it.kind == edge && it.source == self.id && it.target == node.id);
        assert!(leads, "no {edge} to {name}");
        node
    }

    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.document.graph.nodes.iter().map(|node| node.properties["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        names
    }

    /// Everything that leaves the reader, as text.
    pub(super) fn everything(&self) -> String {
        format!("{} {self:?}", serde_json::to_string(&self.document).unwrap())
    }
}

async fn serve(mut stream: TcpStream, answer: Arc<Answer>, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(length @ 1..) => head.extend_from_slice(&buffer[..length]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    heads.lock().unwrap().push(head);
    let Some((status, body)) = answer(&path) else { return std::future::pending().await };
    let head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    // The other side may hang up in the middle of what is too long for it.
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
}
