//! Clients that dawdle, and tenants that try what another tenant sent.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{Method, Request};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tracehound_server::listen::{Listening, Patience};
use tracehound_server::{Doors, router};

use crate::gateway::{Answer, Gateway, request};

/// How long clients are waited for in these tests.
const PATIENCE: Patience = Patience {
    head: Duration::from_millis(300),
    handshake: Duration::from_millis(300),
    request: Duration::from_millis(600),
    upload: Duration::from_millis(600),
    answer: Duration::from_millis(600),
};

/// What a client that dawdles sends at once, and what it goes on with, a byte at a time.
#[derive(Debug, Clone, Copy)]
struct Dawdler {
    first: &'static str,
    then: &'static str,
    answer: &'static str,
}

const DAWDLERS: [Dawdler; 4] = [
    Dawdler { first: "", then: "", answer: "" },
    Dawdler { first: "", then: "GET /livez HTTP/1.1\r\nhost: localhost\r\nx-slow: 1\r\n", answer: "" },
    Dawdler { first: "GET /livez HTTP/1.1\r\nhost: localhost\r\n", then: "x-padding: aaaaaaaaaaaaaaa", answer: "" },
    Dawdler {
        first: "POST /v1/receipts/verify-chain HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 1000\r\nauthorization: Bearer ADMIN\r\n\r\n",
        then: "[                            ]",
        answer: "408",
    },
];

/// Sends slowly until the server has enough; gives what it said.
async fn dawdle(address: SocketAddr, admin: String, dawdler: Dawdler) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let first = dawdler.first.replace("ADMIN", &admin);
    stream.write_all(first.as_bytes()).await.unwrap();
    let (mut reading, mut writing) = stream.into_split();
    let drip = tokio::spawn(async move {
        for byte in dawdler.then.bytes().cycle().take(10_000) {
            if writing.write_all(&[byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // Nothing more is said, but the connection stays open until the server ends it.
        std::future::pending::<()>().await;
    });
    let mut said = Vec::new();
    // A connection that was reset has ended, too.
    let ended = tokio::time::timeout(Duration::from_secs(20), reading.read_to_end(&mut said)).await;
    drip.abort();
    assert!(ended.is_ok(), "{dawdler:?} is still waited for");
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_dawdle_are_let_go_and_hold_up_nobody() {
    let gateway = Gateway::new();
    let listening = Listening::on("127.0.0.1:0".parse().unwrap(), None, false).await.unwrap();
    let listening = listening.with_patience(PATIENCE);
    let address = listening.address().unwrap();
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(listening.serve(router(&gateway.app, Doors::default()), stopped));
    let start = |dawdler: &Dawdler| (*dawdler, tokio::spawn(dawdle(address, gateway.admin.clone(), *dawdler)));
    let clients: Vec<_> = (0..50).flat_map(|_| DAWDLERS.iter().map(start).collect::<Vec<_>>()).collect();
    // Others are answered meanwhile.
    for _ in 0..10 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    }
    for (dawdler, client) in clients {
        let said = client.await.unwrap();
        assert!(said.contains(dawdler.answer) && !said.contains("HTTP/1.1 200"), "{dawdler:?}: {said}");
    }
    stop.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
}

/// A client that asks and never reads; then reads to see what had been sent.
async fn read_late(address: SocketAddr, asked: usize) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = "GET /v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(request.repeat(asked).as_bytes()).await.unwrap();
    tokio::time::sleep(4 * PATIENCE.answer).await;
    let mut said = Vec::new();
    // A connection that was reset has ended, too, and may take what was sent before with it.
    let ended = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut said)).await;
    assert!(ended.is_ok(), "the connection stays");
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_let_go() {
    const ASKED: usize = 200;
    let gateway = Gateway::new();
    let listening = Listening::on("127.0.0.1:0".parse().unwrap(), None, false).await.unwrap();
    let listening = listening.with_patience(PATIENCE);
    let address = listening.address().unwrap();
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(listening.serve(router(&gateway.app, Doors::default()), stopped));
    let length = gateway.text("/v1/openapi.json", &gateway.admin).await.len();
    let said = read_late(address, ASKED).await;
    // Somebody who was waited for would be answered as soon as they read.
    assert!(said.len() < ASKED * length, "{} of {} bytes were sent", said.len(), ASKED * length);
    stop.send(true).unwrap();
    // Nothing is left that the server would have to wait for.
    tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_address_of_a_megabyte_is_refused_before_it_is_read_whole() {
    let gateway = Gateway::new();
    let listening = Listening::on("127.0.0.1:0".parse().unwrap(), None, false).await.unwrap();
    let address = listening.address().unwrap();
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(listening.serve(router(&gateway.app, Doors::default()), stopped));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!("GET /v1/decisions/{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(1 << 20));
    // It may be refused while it is still being sent.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut said = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut said)).await;
    assert!(ended.is_ok(), "it is still waited for");
    let said = String::from_utf8_lossy(&said);
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    stop.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
}

/// A tenant with an agent and the tool, beside the first one.
struct Tenant {
    admin: String,
    agent: String,
}

async fn rival(gateway: &Gateway) -> Tenant {
    let (admin, agent) = gateway.other_tenant("rival").await;
    let action = json!({ "action_key": "merge_pull_request", "risk": "high", "mutates_state": true });
    let tool = json!({ "tool_key": "github", "name": "GitHub", "actions": [action] });
    assert_eq!(gateway.post("/v1/tools", &admin, tool).await.status, 201);
    Tenant { admin, agent }
}

fn same_words(a: &Answer, a_id: &str, b: &Answer, b_id: &str) {
    assert_eq!(a.status, b.status, "{a:?} {b:?}");
    assert_eq!(a.body.to_string().replace(a_id, "ID"), b.body.to_string().replace(b_id, "ID"));
}

#[tokio::test]
async fn what_one_tenant_sent_is_fresh_when_another_sends_it() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let rival = rival(&gateway).await;
    let mut body = request(&id, "merge_pull_request", "semi_trusted_customer");
    (body["request_id"], body["nonce"]) = (json!("r-1"), json!("n-1"));
    let first = gateway.post("/v1/authorize", &token, body.clone()).await;
    assert_eq!(first.status, 200);
    let again = gateway.post("/v1/authorize", &token, body.clone()).await;
    assert_eq!(again.body["decision_id"], first.body["decision_id"], "the same request of the same agent");

    // The nonce and the request id of the first tenant are as unused as any others.
    body["agent"]["id"] = json!("spy");
    let theirs = gateway.post("/v1/authorize", &rival.agent, body.clone()).await;
    assert_eq!(theirs.status, 200, "{theirs:?}");
    assert_ne!(theirs.body["decision_id"], first.body["decision_id"]);
    assert_eq!(theirs.body["decision"], "require_approval");
    let mut fresh = body.clone();
    (fresh["request_id"], fresh["nonce"]) = (json!("r-2"), json!("n-2"));
    let fresh = gateway.post("/v1/authorize", &rival.agent, fresh).await;
    let without = |answer: &Answer| {
        let mut body = answer.body.clone();
        for name in ["decision_id", "receipt", "approval"] {
            body[name] = Value::Null;
        }
        body
    };
    assert_eq!(without(&theirs), without(&fresh), "nothing tells that somebody used them before");
}

#[tokio::test]
async fn an_approval_of_one_tenant_is_no_approval_for_another() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let rival = rival(&gateway).await;
    let asked =
        gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "semi_trusted_customer")).await;
    let approval = asked.body["approval"]["approval_id"].as_str().unwrap().to_owned();
    let receipt = asked.body["receipt"]["receipt_id"].as_str().unwrap().to_owned();
    let hash = asked.body["approval"]["action_hash"].clone();
    let nothing = "00000000-0000-7000-8000-000000000000";
    let said = json!({ "reason": "fine" });
    let edited = json!({ "edited_tool_call": { "tool": "github", "action": "merge_pull_request", "mutates_state": true, "parameters": {} } });
    let attempts: [(&str, &str, &str, Value); 5] = [
        ("/v1/approvals/ID/approve", &rival.admin, &approval, said.clone()),
        ("/v1/approvals/ID/reject", &rival.admin, &approval, said.clone()),
        ("/v1/approvals/ID/edit", &rival.admin, &approval, edited),
        ("/v1/approvals/ID/consume", &rival.agent, &approval, json!({ "claimed_action_hash": hash })),
        ("/v1/receipts/ID/outcome", &rival.agent, &receipt, json!({ "status": "succeeded" })),
    ];
    let attempt = async |when: &str| {
        for (path, token, known, body) in &attempts {
            let foreign = gateway.post(&path.replace("ID", known), token, body.clone()).await;
            let unknown = gateway.post(&path.replace("ID", nothing), token, body.clone()).await;
            assert_eq!(foreign.status, 404, "{when} {path}: {foreign:?}");
            same_words(&foreign, known, &unknown, nothing);
        }
    };
    attempt("waiting").await;
    let kim = gateway.person("kim", "approver").await;
    assert_eq!(gateway.post(&format!("/v1/approvals/{approval}/approve"), &kim, said.clone()).await.status, 200);
    attempt("approved").await;
    let claimed = json!({ "claimed_action_hash": hash });
    let used = gateway.post(&format!("/v1/approvals/{approval}/consume"), &token, claimed).await;
    assert_eq!(used.status, 200, "what the other tenant tried has used nothing up: {used:?}");
    attempt("consumed").await;
    // Nor does saying that one is of the first tenant.
    let request = Request::builder().method(Method::GET).uri(format!("/v1/approvals/{approval}"));
    let request = request.header("host", "localhost").header("x-tenant-id", "default");
    let request = request.header("authorization", format!("Bearer {}", rival.admin));
    assert_eq!(gateway.send(request.body(axum::body::Body::empty()).unwrap()).await.status, 401);
}
