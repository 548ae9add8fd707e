//! Documents over HTTP: what is taken in, what is refused, and what is told of it; the scan log.

use std::io::Write as _;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tracehound_graph::Limits;
use tracehound_server::EstateSettings;

use crate::estate_sample::{code, friday, ingest, monday, pages, saturday, send};
use crate::gateway::Gateway;

const DOCUMENTS: &str = "/v1/estate/documents";
const JSON: &str = "application/json";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_document_is_taken_in_once_however_it_is_packed() {
    let gateway = Gateway::new();
    let text = monday().to_string().into_bytes();
    let made = send(&gateway, JSON, &gateway.admin, text.clone()).await;
    assert_eq!((made.status, &made.body["scan"]["scan_id"]), (201, &json!("monday")), "{made:?}");
    assert_eq!(made.body["added"]["new_nodes"], made.body["scan"]["nodes"], "{made:?}");
    assert_eq!(made.body["scan"]["size"], json!(text.len()));
    let warning = &made.body["warnings"][0];
    assert_eq!((&warning["code"], &warning["places"][0]["path"]), (&json!("unusual-id"), &json!("graph.nodes[0].id")));
    let zstd = zstd::encode_all(text.as_slice(), 1).unwrap();
    for (media, body) in [
        ("application/gzip", gzip(&text)),
        ("application/zstd", zstd.clone()),
        ("application/octet-stream", zstd),
        (JSON, text),
    ] {
        let again = send(&gateway, media, &gateway.admin, body).await;
        assert_eq!((again.status, &again.body["added"]), (200, &Value::Null), "{media}: {again:?}");
        assert_eq!(again.body["scan"], made.body["scan"], "{media}");
    }
    let summary = gateway.get("/v1/estate/summary", &gateway.admin).await.body;
    assert_eq!((&summary["scans"], &summary["nodes"]), (&json!(1), &made.body["scan"]["nodes"]));
}

#[tokio::test]
async fn the_older_path_takes_documents_too() {
    let gateway = Gateway::new();
    let made = gateway.post("/api/v1/ingest", &gateway.admin, monday()).await;
    assert_eq!(made.status, 201, "{made:?}");
}

#[tokio::test]
async fn what_is_no_document_is_refused_with_the_place() {
    let gateway = Gateway::new();
    let mut broken = monday();
    broken["graph"]["nodes"][1]["kinds"] = json!(["Spaceship"]);
    broken["graph"]["edges"][0]["kind"] = json!("FLIES_TO");
    let refused = send(&gateway, JSON, &gateway.admin, broken.to_string()).await;
    assert_eq!(code(&refused), (422, "bad_document"), "{refused:?}");
    assert_eq!(refused.body["problems_total"], json!(2), "{refused:?}");
    assert_eq!(refused.body["problems"][0]["path"], json!("graph.nodes[1].kinds[0]"), "{refused:?}");
    let refused = send(&gateway, JSON, &gateway.admin, "{\"meta\": {\"version\": 1,}}").await;
    assert_eq!(code(&refused), (422, "not_json"), "{refused:?}");
    assert_eq!(refused.body["problems"][0]["path"], json!("meta.version"), "{refused:?}");
    assert!(refused.body["detail"].as_str().unwrap().contains("line 1 column"), "{refused:?}");
    let mut cut = gzip(monday().to_string().as_bytes());
    cut.truncate(cut.len() / 2);
    assert_eq!(code(&send(&gateway, "application/gzip", &gateway.admin, cut).await), (422, "unreadable_document"));
    let refused = send(&gateway, JSON, &gateway.admin, vec![b'{', 0xff, b'}']).await;
    assert_eq!(code(&refused), (422, "not_utf8"), "{refused:?}");
    assert_eq!(code(&send(&gateway, "text/plain", &gateway.admin, "{}").await), (415, "not_a_document"));
    ingest(&gateway, &[monday()]).await;
    let mut other = friday();
    other["meta"]["scan_id"] = json!("monday");
    assert_eq!(code(&send(&gateway, JSON, &gateway.admin, other.to_string()).await), (409, "scan_id_taken"));
    let scans = gateway.get("/v1/estate/scans", &gateway.admin).await.body;
    assert_eq!(scans["total"], json!(1), "what is refused leaves nothing behind");
}

#[tokio::test]
async fn no_more_is_read_than_a_document_may_have() {
    let limits = Limits { document_bytes: 20_000, ..Limits::default() };
    let gateway = Gateway::with_settings(EstateSettings { limits, ..EstateSettings::default() });
    let mut long = monday();
    long["graph"]["nodes"][0]["properties"]["note"] = json!("x".repeat(30_000));
    let plain = send(&gateway, JSON, &gateway.admin, long.to_string()).await;
    assert_eq!(code(&plain), (413, "document_too_large"), "{plain:?}");
    // Small on the wire, large in memory.
    let bomb = send(&gateway, "application/gzip", &gateway.admin, gzip(&vec![b' '; 50_000_000])).await;
    assert_eq!(code(&bomb), (413, "document_too_large"), "{bomb:?}");
    // A body without an end is left alone once it is too long.
    let endless = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 4_096])));
    let endless = send(&gateway, JSON, &gateway.admin, Body::from_stream(endless)).await;
    assert_eq!(code(&endless), (413, "document_too_large"), "{endless:?}");
    assert_eq!(send(&gateway, JSON, &gateway.admin, friday().to_string()).await.status, 201, "others are taken in");
}

#[tokio::test]
async fn a_document_that_is_cut_off_is_not_taken_in() {
    let gateway = Gateway::new();
    let text = monday().to_string();
    let parts = [Ok(Bytes::from(text)), Err(std::io::Error::other("gone"))];
    let cut = send(&gateway, JSON, &gateway.admin, Body::from_stream(futures_util::stream::iter(parts))).await;
    assert_eq!(code(&cut), (400, "cut_off"), "{cut:?}");
    assert_eq!(gateway.get("/v1/estate/scans", &gateway.admin).await.body["total"], json!(0));
}

#[tokio::test]
async fn a_sender_that_stalls_is_given_up() {
    let gateway =
        Gateway::with_settings(EstateSettings { stalled: Duration::from_millis(50), ..EstateSettings::default() });
    let first = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
    let stalled = futures_util::StreamExt::chain(first, futures_util::stream::pending());
    let answer = send(&gateway, JSON, &gateway.admin, Body::from_stream(stalled)).await;
    assert_eq!(code(&answer), (408, "upload_stalled"), "{answer:?}");
}

#[tokio::test]
async fn only_analysts_and_administrators_hand_documents_in_and_only_administrators_take_scans_out() {
    let gateway = Gateway::new();
    let (auditor, analyst) = (gateway.person("ada", "auditor").await, gateway.person("ann", "analyst").await);
    let (_, agent) = gateway.agent("bot").await;
    for token in [&auditor, &agent] {
        assert_eq!(code(&send(&gateway, JSON, token, monday().to_string()).await), (403, "forbidden"));
    }
    assert_eq!(send(&gateway, JSON, &analyst, monday().to_string()).await.status, 201);
    let scan = "/v1/estate/scans/monday";
    assert_eq!(code(&gateway.ask(Method::DELETE, scan, &analyst, None).await), (403, "forbidden"));
    assert_eq!(gateway.get(scan, &auditor).await.status, 200);
    assert_eq!(gateway.get(scan, &agent).await.status, 403);
    let (rival, _) = gateway.other_tenant("rival").await;
    assert_eq!(code(&gateway.ask(Method::DELETE, scan, &rival, None).await), (404, "scan_not_found"));
    assert_eq!(gateway.ask(Method::DELETE, scan, &gateway.admin, None).await.status, 200);
}

#[tokio::test]
async fn scans_come_newest_first_and_pages_add_up() {
    let gateway = Gateway::new();
    let mut documents = vec![saturday(), monday(), friday()];
    for day in 10..14 {
        let mut document = friday();
        document["meta"]["scan_id"] = json!(format!("day-{day}"));
        document["meta"]["timestamp"] = json!(format!("2026-11-{day}T09:00:00Z"));
        documents.push(document);
    }
    ingest(&gateway, &documents).await;
    let all = gateway.get("/v1/estate/scans", &gateway.admin).await.body;
    let ids: Vec<&str> =
        all["items"].as_array().unwrap().iter().map(|scan| scan["scan_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["day-13", "day-12", "day-11", "day-10", "saturday", "friday", "monday"]);
    assert_eq!((&all["total"], &all["next_cursor"]), (&json!(7), &Value::Null));
    assert_eq!(json!(pages(&gateway, "/v1/estate/scans", 3).await), all["items"]);
    let newest = gateway.get("/v1/estate/scans?limit=1", &gateway.admin).await.body;
    assert_eq!((&newest["items"][0]["scan_id"], &newest["total"]), (&json!("day-13"), &json!(7)));
    assert_eq!(code(&gateway.get("/v1/estate/scans?cursor=x", &gateway.admin).await), (400, "bad_cursor"));
    assert_eq!(code(&gateway.get("/v1/estate/scans?limit=x", &gateway.admin).await), (400, "bad_query"));
    let shown = gateway.get("/v1/estate/scans/friday", &gateway.admin).await;
    assert_eq!(shown.body, all["items"][5]);
    let near = gateway.get("/v1/estate/scans/sat", &gateway.admin).await;
    assert_eq!(code(&near), (404, "scan_not_found"));
    assert!(near.body["detail"].as_str().unwrap().contains("did you mean `saturday`"), "{near:?}");
}

#[tokio::test]
async fn a_scan_that_is_taken_out_was_never_there() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let before = gateway.get("/v1/estate/summary", &gateway.admin).await.body;
    ingest(&gateway, &[friday()]).await;
    let between = gateway.get("/v1/estate/summary", &gateway.admin).await.body;
    assert_ne!(between["findings"], before["findings"]);
    let deleted = gateway.ask(Method::DELETE, "/v1/estate/scans/friday", &gateway.admin, None).await;
    assert_eq!((deleted.status, &deleted.body["scan_id"]), (200, &json!("friday")), "{deleted:?}");
    assert_eq!(gateway.get("/v1/estate/summary", &gateway.admin).await.body, before);
    let again = gateway.ask(Method::DELETE, "/v1/estate/scans/friday", &gateway.admin, None).await;
    assert_eq!(code(&again), (404, "scan_not_found"));
}

#[tokio::test]
async fn tenants_have_estates_of_their_own() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let (rival, _) = gateway.other_tenant("rival").await;
    for path in ["/v1/estate/scans", "/v1/estate/findings", "/v1/estate/summary"] {
        let answer = gateway.get(path, &rival).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        for word in ["monday", "\"cursor\"", "laptop"] {
            assert!(!answer.body.to_string().contains(word), "{path}: {answer:?}");
        }
    }
    let same = send(&gateway, JSON, &rival, monday().to_string()).await;
    assert_eq!(same.status, 201, "the same document is another tenant's own: {same:?}");
    let request = Request::builder().method("POST").uri(DOCUMENTS).header("host", "localhost").body(Body::empty());
    assert_eq!(gateway.send(request.unwrap()).await.status, 401);
}
