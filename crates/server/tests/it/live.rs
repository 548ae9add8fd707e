//! The live feed over real sockets.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tracehound_evidence::event::{CONTAINMENT, Event};
use tracehound_server::listen::Listening;
use tracehound_server::{Doors, detection, router};

use crate::gateway::{Gateway, request};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A server on a socket, until it is dropped.
struct Served {
    address: SocketAddr,
    stop: watch::Sender<bool>,
}

impl Served {
    async fn new(gateway: &Gateway) -> Self {
        let listening = Listening::on("127.0.0.1:0".parse().unwrap(), None, false).await.unwrap();
        let address = listening.address().unwrap();
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(listening.serve(router(&gateway.app, Doors::default()), stopped));
        Self { address, stop }
    }

    async fn watch(&self, token: &str) -> Result<Socket, Error> {
        let address = format!("ws://{}/v1/ws/events?token={token}", self.address);
        connect_async(address).await.map(|(socket, _)| socket)
    }

    async fn watch_with_header(&self, token: &str) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/v1/ws/events", self.address).into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        connect_async(request).await.map(|(socket, _)| socket)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

async fn next(socket: &mut Socket) -> Value {
    loop {
        let said = tokio::time::timeout(Duration::from_secs(30), socket.next()).await;
        if let Message::Text(text) = said.unwrap().unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

#[tokio::test]
async fn viewers_see_decisions_alerts_and_incidents_of_their_tenant() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let other = gateway.app.evidence().write(|ledger| {
        ledger.add_tenant("other", "Other")?;
        ledger.add_person("other", "olga", tracehound_evidence::identity::Role::Admin, "test")
    });
    let other = other.unwrap().1.reveal().to_owned();
    let _detection = detection::start(&gateway.app);
    let served = Served::new(&gateway).await;
    let mut viewer = served.watch(&gateway.admin).await.unwrap();
    let mut agents = served.watch_with_header(&token).await.unwrap();
    let mut stranger = served.watch(&other).await.unwrap();
    // What viewers say is ignored.
    viewer.send(Message::text("hello")).await.unwrap();
    for _ in 0..5 {
        let body = request(&id, "merge_pull_request", "untrusted_external");
        assert_eq!(gateway.post("/v1/authorize", &token, body).await.status, 200);
    }
    for socket in [&mut viewer, &mut agents] {
        let (mut decisions, mut alerts, mut opened) = (0, Vec::new(), None);
        while decisions < 5 || opened.is_none() || !alerts.contains(&json!("rule_deny_storm")) {
            let event = next(socket).await;
            assert_eq!(event["tenant_id"], "default", "{event}");
            match event["kind"].as_str().unwrap() {
                "authorize_decision" => decisions += 1,
                "alert" => alerts.push(event["code"].clone()),
                "incident" if event["code"] == "incident_opened" => opened = Some(event),
                _ => {}
            }
        }
        let opened = opened.unwrap();
        let incident = opened["evidence"]["incident_id"].as_str().unwrap();
        assert_eq!(opened["severity"], "high");
        let shown = gateway.get(&format!("/v1/incidents/{incident}"), &gateway.admin).await;
        assert_eq!(shown.status, 200, "what is told is on record under the same id");
    }
    let silent = tokio::time::timeout(Duration::from_millis(200), stranger.next()).await;
    assert!(silent.is_err(), "{silent:?}");
}

#[tokio::test]
async fn only_somebody_known_may_watch_and_only_over_a_websocket() {
    let gateway = Gateway::new();
    let served = Served::new(&gateway).await;
    let Err(Error::Http(refused)) = served.watch("th_key_wrong").await else { panic!("a stranger watches") };
    assert_eq!(refused.status(), 401);
    let plain = gateway.get("/v1/ws/events", &gateway.admin).await;
    assert_eq!((plain.status, &plain.body["code"]), (426, &json!("websocket_required")), "{plain:?}");
    // A message that is too long ends the connection.
    let mut viewer = served.watch(&gateway.admin).await.unwrap();
    viewer.send(Message::text("x".repeat(100_000))).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(30), async {
        while let Some(Ok(said)) = viewer.next().await {
            if said.is_close() {
                break;
            }
        }
    });
    assert!(ended.await.is_ok(), "the connection ends");
}

#[tokio::test]
async fn a_viewer_that_does_not_keep_up_is_told_what_it_missed() {
    const EVENTS: u64 = 10_000;
    let gateway = Gateway::new();
    let served = Served::new(&gateway).await;
    let mut slow = served.watch(&gateway.admin).await.unwrap();
    // Events of four kilobytes each fill the buffers between the server and the viewer, and then its queue.
    let noted = gateway.app.evidence().write(|ledger| {
        for number in 0..EVENTS {
            let event = Event {
                event_id: number.to_string(),
                occurred_at: ledger.now(),
                kind: CONTAINMENT.to_owned(),
                reason: "r".repeat(4_000),
                ..Event::about_agent("default", None)
            };
            ledger.note(&event)?;
        }
        Ok(())
    });
    noted.unwrap();
    let _detection = detection::start(&gateway.app);
    gateway.detected().await;
    let (mut seen, mut missed) = (0, 0);
    while seen + missed < EVENTS {
        let told = next(&mut slow).await;
        match told["type"].as_str() {
            Some("events_dropped") => missed += told["count"].as_u64().unwrap(),
            _ => seen += 1,
        }
    }
    assert!(missed > 0 && seen > 0, "{missed} missed, {seen} seen");
}

#[tokio::test]
async fn whoever_lost_the_right_to_watch_sees_nothing_more() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let (other, others) = gateway.agent("other").await;
    let served = Served::new(&gateway).await;
    let mut viewer = served.watch_with_header(&token).await.unwrap();
    let ask = || gateway.post("/v1/authorize", &others, request(&other, "get_pull_request", "untrusted_external"));
    ask().await;
    assert_eq!(next(&mut viewer).await["kind"], "authorize_decision");
    gateway.post(&format!("/v1/agents/{id}/revoke"), &gateway.admin, json!({ "reason": "x" })).await;
    ask().await;
    let said = tokio::time::timeout(Duration::from_secs(10), viewer.next()).await.expect("it ends at once");
    assert!(matches!(said, Some(Ok(Message::Close(_)))), "{said:?}");
}
