//! Agents on loopback, from their cards to the document.

mod corpus;
mod followed;

mod reached;

use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracehound_collect::a2a::{Collected, Looked, Request, collect};
use tracehound_collect::net::{Guard, Policy};
use tracehound_collect::{Detection, Problem, Stamp};
use tracehound_model::wire::{Document, Node};
use tracehound_model::{EdgeKind, NodeId, NodeKind};

use crate::support::text;

/// The built-in rules for what agents say, compiled once for all tests.
fn detection() -> &'static Detection {
    static DETECTION: OnceLock<Detection> = OnceLock::new();
    DETECTION.get_or_init(|| Detection::start_live(tracehound_rules::builtin_rules().unwrap().to_vec()).unwrap())
}

/// A request that follows nobody.
fn request(targets: &[&str]) -> Request {
    Request {
        stamp: Stamp {
            origin: "box".to_owned(),
            scan_id: "scan-test".to_owned(),
            timestamp: "2026-01-01T00:00:00Z".to_owned(),
        },
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        follow: 0,
        time: Duration::from_secs(10),
        ..Request::default()
    }
}

/// What came of asking, taken apart.
struct Outcome {
    document: Document,
    problems: Vec<Problem>,
    looked: Vec<Looked>,
}

impl Outcome {
    fn of(collected: Collected) -> Self {
        let (problems, looked) = (collected.problems.clone(), collected.looked.clone());
        Self { document: collected.document, problems, looked }
    }

    /// The node of an agent.
    fn agent(&self, base: &str) -> &Node {
        let id = NodeId::a2a_agent(base);
        self.document.graph.nodes.iter().find(|node| node.id == id).unwrap()
    }

    /// A property of an agent as text; empty when it is not there.
    fn said(&self, base: &str, key: &str) -> String {
        text(&self.agent(base).properties, key)
    }

    fn nodes(&self, kind: NodeKind) -> Vec<&Node> {
        self.document.graph.nodes.iter().filter(|node| node.kinds.contains(&kind)).collect()
    }

    /// Edges of a kind, as the names of their ends and what they rest on.
    fn arrows(&self, kind: EdgeKind) -> Vec<String> {
        let name = |id: &NodeId| {
            let node = self.document.graph.nodes.iter().find(|node| node.id == *id).unwrap();
            let keys = ["name", "hostname", "type"].iter().map(|key| text(&node.properties, key));
            keys.into_iter().find(|name| !name.is_empty()).unwrap()
        };
        let edges = self.document.graph.edges.iter().filter(|edge| edge.kind == kind);
        let mut arrows: Vec<String> =
            edges.map(|edge| format!("{} -> {}", name(&edge.source), name(&edge.target))).collect();
        arrows.sort();
        arrows
    }

    /// The only problem, in words.
    fn problem(&self) -> &str {
        assert_eq!(self.problems.len(), 1, "{:?}", self.problems);
        &self.problems.first().unwrap().message
    }
}

/// Asks. `policy` says whether cards may name agents on loopback.
async fn ask_with(request: &Request, policy: Policy) -> Outcome {
    let guard = Guard::new(policy).unwrap();
    Outcome::of(collect(request, &guard, detection(), &|_| {}, &CancellationToken::new()).await.unwrap())
}

async fn ask(request: &Request) -> Outcome {
    ask_with(request, Policy::default()).await
}

/// A small card.
fn card(name: &str, more: Value) -> Vec<u8> {
    let mut card = json!({"name": name, "description": "", "version": "1", "protocolVersion": "0.3.0", "skills": []});
    card.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    card.to_string().into_bytes()
}
