//! Networks of loopback ports, from a plan to the document.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracehound_collect::network::{Collected, Draft, Means, Plan, Progress, Request, Settings, Targets, Wish, collect};
use tracehound_collect::process::{Supervisor, Warden};
use tracehound_collect::{Detection, Stamp};
use tracehound_model::wire::{Document, Node};
use tracehound_model::{EdgeKind, NodeId, NodeKind};
use tracehound_rules::library::Library;

use crate::peer::{CARD, Peer, json as answer, status};
use crate::support::text;

fn detection() -> &'static Detection {
    static DETECTION: OnceLock<Detection> = OnceLock::new();
    DETECTION.get_or_init(|| Detection::start_live(tracehound_rules::builtin_rules().unwrap().to_vec()).unwrap())
}

async fn plan(targets: &[&str]) -> Arc<Plan> {
    let targets = Targets::read(targets.iter().copied(), |_| unreachable!("no file is named")).unwrap();
    let wish = Wish { targets, ..Wish::default() };
    let resolve = async |name: &str| match name {
        "models.example" => Ok(vec![[127, 0, 0, 1].into()]),
        other => unreachable!("{other} is not to be looked up"),
    };
    Arc::new(Draft::make(&wish, resolve).await.into_plan().unwrap())
}

async fn request(targets: &[&str]) -> Request {
    let stamp = Stamp {
        origin: "box".to_owned(),
        scan_id: "scan-test".to_owned(),
        timestamp: "2026-01-01T00:00:00Z".to_owned(),
    };
    Request {
        stamp,
        plan: plan(targets).await,
        fingerprints: Library::builtin().unwrap().fingerprints(),
        sweep: Settings::default(),
        concurrency: 4,
        allowed: Duration::from_secs(30),
        finds_mcp: false,
        inventory: None,
        known: Vec::new(),
    }
}

async fn scan_until(request: Request, cancel: &CancellationToken) -> Collected {
    let warden = Arc::new(Warden::new(Supervisor::current().unwrap(), false));
    let means = Means { warden: &warden, detection: detection(), cancel };
    collect(request, means, &Arc::new(Progress::default())).await.unwrap()
}

async fn scan(request: Request) -> Collected {
    scan_until(request, &CancellationToken::new()).await
}

/// The place of a peer, as `host:port`.
fn place(peer: &Peer) -> &str {
    peer.url.trim_start_matches("http://")
}

async fn ollama() -> Peer {
    Peer::start(|path| {
        Some(match path {
            "/" => b"HTTP/1.1 200 OK\r\nContent-Length: 17\r\nConnection: close\r\n\r\nOllama is running".to_vec(),
            "/api/version" => answer(json!({ "version": "0.12.3" }).to_string()),
            "/api/tags" => answer(json!({ "models": [] }).to_string()),
            _ => status("404 Not Found", ""),
        })
    })
    .await
}

async fn open_webui(backend: String) -> Peer {
    Peer::start(move |path| {
        Some(match path {
            "/api/version" => answer(json!({ "version": "0.5.7", "deployment_id": "" }).to_string()),
            "/api/config" => {
                let features = json!({ "auth": true, "enable_signup": false, "enable_login_form": true });
                let ollama = json!({ "base_url": backend });
                let config = json!({
                    "status": true, "name": "Open WebUI", "version": "0.5.7", "default_locale": "",
                    "oauth": { "providers": {} }, "features": features, "ollama": ollama,
                });
                answer(config.to_string())
            }
            _ => status("404 Not Found", ""),
        })
    })
    .await
}

fn services(document: &Document) -> Vec<&Node> {
    document.graph.nodes.iter().filter(|node| node.kinds.contains(&NodeKind::AiService)).collect()
}

fn edges(document: &Document, kind: EdgeKind) -> Vec<(&NodeId, &NodeId)> {
    let of_kind = document.graph.edges.iter().filter(|edge| edge.kind == kind);
    of_kind.map(|edge| (&edge.source, &edge.target)).collect()
}

#[tokio::test]
async fn a_service_that_names_another_is_connected_with_it() {
    let models = ollama().await;
    let backend = models.url.replace("127.0.0.1", "localhost");
    let chat = open_webui(backend).await;
    let collected = scan(request(&[place(&models), place(&chat)]).await).await;
    let document = &collected.documents[0];
    let kinds: Vec<NodeKind> = collected.services.iter().map(|service| service.kind).collect();
    assert_eq!(kinds.len(), 2, "{:?}", collected.open);
    for (kind, url) in [(NodeKind::OllamaInstance, &models.url), (NodeKind::OpenWebuiInstance, &chat.url)] {
        let id = NodeId::service(kind, url);
        let node = services(document).into_iter().find(|node| node.id == id).unwrap();
        assert_eq!(node.kinds, [kind, NodeKind::AiService]);
        assert_eq!(text(&node.properties, "endpoint"), *url);
        assert_eq!(text(&node.properties, "discovered_via"), "network_scan");
        assert!(edges(document, EdgeKind::RunsOn).contains(&(&id, &NodeId::host("box"))));
    }
    let ends = (
        NodeId::service(NodeKind::OpenWebuiInstance, &chat.url),
        NodeId::service(NodeKind::OllamaInstance, &models.url),
    );
    assert_eq!(edges(document, EdgeKind::Exposes), [(&ends.0, &ends.1)]);
    assert_eq!(services(document).len(), 2, "what is named is what was found");
}

#[tokio::test]
async fn every_question_is_asked_once_and_reads() {
    let models = ollama().await;
    scan(request(&[place(&models)]).await).await;
    let mut asked = models.heads().iter().map(|head| head.lines().next().unwrap().to_owned()).collect::<Vec<_>>();
    let number = asked.len();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), number, "{asked:?}");
    assert!(asked.iter().all(|line| line.starts_with("GET ") || line.starts_with("HEAD ")), "{asked:?}");
}

#[tokio::test]
async fn a_name_stays_a_name_and_leads_where_it_led() {
    let models = ollama().await;
    let port = place(&models).rsplit(':').next().unwrap().to_owned();
    let collected = scan(request(&[&format!("http://models.example:{port}")]).await).await;
    let endpoint = format!("http://models.example:{port}");
    assert_eq!(collected.services[0].endpoint, endpoint);
    assert_eq!(collected.services[0].id, NodeId::service(NodeKind::OllamaInstance, &endpoint));
    assert!(models.heads().iter().all(|head| head.contains(&format!("host: models.example:{port}"))));
}

#[tokio::test]
async fn a_known_service_is_gone_when_its_place_refuses_or_is_something_else_and_only_then() {
    let (models, other) = (ollama().await, Peer::start(|_| Some(status("404 Not Found", ""))).await);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let known = [models.url.clone(), other.url.clone(), format!("http://{closed}"), "http://127.9.9.9:1".to_owned()];
    let mut request = request(&[place(&models), place(&other), &closed.to_string()]).await;
    request.known = known.into_iter().map(|url| (NodeKind::OllamaInstance, url)).collect();
    let collected = scan(request).await;
    let covers = collected.documents[0].meta.extra.covers.as_ref().unwrap();
    let mut expected = [place(&other).to_owned(), closed.to_string()];
    expected.sort();
    assert_eq!(covers.ports, expected);
    assert!(covers.nodes.is_empty(), "what it holds was not read");
}

#[tokio::test]
async fn a_card_at_an_open_port_is_read_as_one() {
    let agent = Peer::knowing_itself(|url| {
        let card = json!({
            "name": "clerk", "url": url, "version": "1", "protocolVersion": "0.3.0", "description": "", "skills": [],
        });
        Box::new(move |path: &str| {
            Some(if path == CARD { answer(card.to_string()) } else { status("404 Not Found", "") })
        })
    })
    .await;
    let collected = scan(request(&[place(&agent)]).await).await;
    assert_eq!(collected.agents.len(), 1);
    let nodes: Vec<&Node> = collected.documents.iter().flat_map(|document| &document.graph.nodes).collect();
    let node = nodes.into_iter().find(|node| node.id == NodeId::a2a_agent(&agent.url)).unwrap();
    assert_eq!(text(&node.properties, "discovered_via"), "network_scan");
    assert!(collected.services.is_empty());
}

#[tokio::test]
async fn of_a_page_that_was_not_read_to_its_end_something_is_said() {
    let page = Peer::start(|path| {
        Some(match path {
            "/" => answer("<p>".repeat(400_000)),
            _ => status("404 Not Found", ""),
        })
    })
    .await;
    let collected = scan(request(&[place(&page)]).await).await;
    assert_eq!(collected.open[0].problems, ["/: the body is longer than 1024 KiB"]);
}

#[tokio::test]
async fn what_was_found_before_an_interrupt_is_kept() {
    let models = ollama().await;
    // Accepts, and never says a word.
    let tarpit = Peer::start(|_| None).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(3)).await;
        stop.cancel();
    });
    let collected = scan_until(request(&[place(&models), place(&tarpit)]).await, &cancel).await;
    let kinds: Vec<NodeKind> = collected.services.iter().map(|service| service.kind).collect();
    assert_eq!(kinds, [NodeKind::OllamaInstance]);
}

#[tokio::test]
async fn rules_of_the_network_look_at_services() {
    let text = "id: our-names\nname: Names\nseverity: low\nscope: { collector: network, targets: [service.version] }\n\
                matcher: { type: prefix, prefixes: ['0.12'] }\nemit: { finding_type: old_version, labels: [Old] }\n";
    let rule = tracehound_rules::rule::read_rule(text).unwrap();
    let detection = Detection::start_live(vec![rule]).unwrap();
    let models = ollama().await;
    let warden = Arc::new(Warden::new(Supervisor::current().unwrap(), false));
    let cancel = CancellationToken::new();
    let means = Means { warden: &warden, detection: &detection, cancel: &cancel };
    let request = request(&[place(&models)]).await;
    let collected = collect(request, means, &Arc::new(Progress::default())).await.unwrap();
    let service = services(&collected.documents[0])[0];
    assert_eq!(service.properties.get("labels"), Some(&Value::from(vec!["Old"])));
}
