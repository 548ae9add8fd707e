//! Points over HTTP: what differs between two, the estate at a glance, marks and acknowledgements.

use axum::http::Method;
use serde_json::{Value, json};

use crate::estate_sample::{HARMLESS, POISONED, Sample, code, friday, ingest, monday, saturday};
use crate::gateway::{Answer, Gateway};

const TOOL: &str = "/v1/estate/nodes/report%2Fformat_report";

async fn get(gateway: &Gateway, path: &str) -> Value {
    let answer = gateway.get(path, &gateway.admin).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    answer.body
}

async fn put(gateway: &Gateway, node: &str, token: &str, body: Value) -> Answer {
    gateway.ask(Method::PUT, &format!("/v1/estate/nodes/{node}/marks"), token, Some(body)).await
}

#[tokio::test]
async fn two_points_are_compared() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let diff = get(&gateway, "/v1/estate/diff?from=monday&to=now").await;
    assert_eq!(diff["from"], json!({ "point": "monday", "scan_id": "monday", "time": "2026-11-02T09:00:00Z" }));
    assert_eq!((&diff["to"]["point"], &diff["to"]["scan_id"]), (&json!("now"), &json!("friday")));
    let of = |list: &str, change: &str| {
        diff[list].as_array().unwrap().iter().filter(|it| it["change"] == json!(change)).cloned().collect::<Vec<_>>()
    };
    let counts = &diff["counts"];
    for (list, change, count) in [
        ("nodes", "added", "nodes_added"),
        ("nodes", "removed", "nodes_removed"),
        ("nodes", "changed", "nodes_changed"),
        ("edges", "added", "edges_added"),
        ("edges", "removed", "edges_removed"),
        ("findings", "new", "findings_new"),
        ("findings", "fixed", "findings_fixed"),
        ("findings", "changed", "findings_changed"),
    ] {
        assert_eq!(json!(of(list, change).len()), counts[count], "{count}");
    }
    assert_eq!(of("nodes", "added")[0]["node"], json!({ "id": "desktop", "kind": "AgentInstance", "name": "desktop" }));
    assert!(
        of("edges", "removed")
            .iter()
            .any(|it| it["kind"] == json!("TRUSTS_SERVER") && it["target"]["id"] == json!("chat"))
    );
    let tool = of("nodes", "changed").into_iter().find(|it| it["node"]["id"] == json!("report/format_report")).unwrap();
    let told = tool["properties"].as_array().unwrap().iter().find(|it| it["name"] == json!("description")).unwrap();
    assert_eq!((&told["before"], &told["after"]), (&json!(HARMLESS), &json!(POISONED)));
    assert_eq!((&counts["rug_pulls"], &diff["truncated"]), (&json!(1), &json!(false)), "{diff}");
    let pull = &diff["rug_pulls"][0];
    assert_eq!((&pull["node"]["id"], &pull["property"]), (&json!("report/format_report"), &json!("description")));
    assert_eq!((&pull["before"], &pull["after"]), (&json!(HARMLESS), &json!(POISONED)));
    assert_eq!(
        (&pull["scan_id"], &pull["since_scan_id"], &pull["acknowledged"]),
        (&json!("friday"), &json!("monday"), &json!(false))
    );
    let same = get(&gateway, "/v1/estate/diff?from=friday&to=friday").await;
    assert!(
        same["counts"].as_object().unwrap().iter().all(|(name, it)| name == "findings_persisting" || *it == json!(0)),
        "{same}"
    );
}

#[tokio::test]
async fn lists_are_cut_and_counts_are_not() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let whole = get(&gateway, "/v1/estate/diff?from=2001-01-01").await;
    let cut = get(&gateway, "/v1/estate/diff?from=2001-01-01&limit=2").await;
    assert_eq!((&cut["counts"], &cut["truncated"]), (&whole["counts"], &json!(true)));
    for list in ["nodes", "edges", "findings"] {
        assert_eq!(cut[list].as_array().unwrap().len(), 2, "{list}");
        assert_eq!(cut[list][1], whole[list][1]);
    }
    assert_eq!(whole["from"]["scan_id"], Value::Null, "before the first scan there was nothing");
}

#[tokio::test]
async fn what_came_back_is_told_apart_from_what_is_new() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday(), saturday()]).await;
    let diff = get(&gateway, "/v1/estate/diff?from=friday&to=saturday").await;
    let before = get(&gateway, "/v1/estate/diff?from=monday&to=friday").await;
    assert_eq!(diff["counts"]["findings_reopened"], before["counts"]["findings_fixed"]);
    assert!(diff["findings"].as_array().unwrap().iter().any(|it| it["change"] == json!("reopened")), "{diff}");
}

#[tokio::test]
async fn points_that_are_not_there_are_refused() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    for path in [
        "/v1/estate/diff?from=mon",
        "/v1/estate/diff?from=monday&to=never",
        "/v1/estate/summary?at=2026-13-01",
        "/v1/estate/findings?at=%00",
    ] {
        assert_eq!(code(&gateway.get(path, &gateway.admin).await), (400, "bad_point"), "{path}");
    }
    let near = gateway.get("/v1/estate/diff?from=mon", &gateway.admin).await;
    assert!(near.body["detail"].as_str().unwrap().contains("did you mean `monday`"), "{near:?}");
    assert_eq!(code(&gateway.get("/v1/estate/diff", &gateway.admin).await), (400, "bad_query"));
}

#[tokio::test]
async fn the_summary_of_nothing_is_empty() {
    let gateway = Gateway::new();
    let summary = get(&gateway, "/v1/estate/summary").await;
    assert_eq!((&summary["scans"], &summary["nodes"], &summary["last_scan"]), (&json!(0), &json!(0), &Value::Null));
    assert_eq!((&summary["trend"], &summary["trend_complete"]), (&json!([]), &json!(true)));
    assert_eq!((&summary["best_cuts"], &summary["changes"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn every_number_of_the_summary_is_that_of_the_list_behind_it() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday(), saturday()]).await;
    let summary = get(&gateway, "/v1/estate/summary").await;
    let findings = get(&gateway, "/v1/estate/findings?limit=1000").await;
    assert_eq!(summary["findings"]["total"], findings["total"]);
    assert_eq!(summary["findings"]["by_severity"], findings["facets"]["severity"]);
    assert_eq!(summary["findings"]["open_by_severity"], findings["facets"]["severity"]);
    assert_eq!(summary["findings"]["by_kind"], findings["facets"]["kind"]);
    assert_eq!(summary["findings"]["by_status"], findings["facets"]["status"]);
    for (list, prefix) in [("owasp_mcp", "MCP"), ("owasp_asi", "ASI")] {
        let mut of_list = findings["facets"]["category"].clone();
        of_list.as_object_mut().unwrap().retain(|id, _| id.starts_with(prefix));
        assert_eq!(summary["findings"][list], of_list, "{list}");
    }
    assert_eq!(
        summary["last_scan"],
        json!({ "scan_id": "saturday", "time": "2026-11-07T09:00:00Z", "origin": "laptop" })
    );
    assert_eq!(summary["unauthenticated_servers"], json!(3));
    assert_eq!(summary["nodes_by_kind"]["AgentInstance"], json!(2));
    let reached = json!({ "agents_reaching": 2, "agents": 2, "resources_reached": 1, "resources": 1 });
    assert_eq!(summary["exposure"], reached);
    let diff = get(&gateway, "/v1/estate/diff?from=friday").await;
    let changes = &summary["changes"];
    assert_eq!(changes["since_scan_id"], json!("friday"));
    for count in ["findings_new", "findings_fixed", "rug_pulls"] {
        assert_eq!(changes[count], diff["counts"][count], "{count}");
    }
    for (count, value) in changes["graph"].as_object().unwrap() {
        assert_eq!(value, &diff["counts"][count], "{count}");
    }
}

#[tokio::test]
async fn the_trend_tells_each_scan_as_it_stood() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let summary = get(&gateway, "/v1/estate/summary").await;
    assert_eq!(summary["trend_complete"], json!(true));
    for (point, scan) in summary["trend"].as_array().unwrap().iter().zip(["monday", "friday"]) {
        let then = get(&gateway, &format!("/v1/estate/summary?at={scan}")).await;
        assert_eq!(point["scan_id"], json!(scan));
        for number in ["nodes", "edges", "exposure"] {
            assert_eq!(point[number], then[number], "{scan} {number}");
        }
        assert_eq!(point["findings_by_severity"], then["findings"]["by_severity"], "{scan}");
    }
    // A scan of an earlier day changes what stood after it.
    let mut tuesday = Sample::new("tuesday", "2026-11-03T09:00:00Z");
    tuesday.node("other", "Host", json!({ "hostname": "other" }));
    ingest(&gateway, &[tuesday.document()]).await;
    let after = get(&gateway, "/v1/estate/summary").await;
    let ids: Vec<&Value> = after["trend"].as_array().unwrap().iter().map(|point| &point["scan_id"]).collect();
    assert_eq!(ids, [&json!("monday"), &json!("tuesday"), &json!("friday")]);
    assert_eq!(after["trend"][0], summary["trend"][0]);
    assert_eq!(after["trend"][2]["nodes"].as_u64().unwrap(), summary["trend"][1]["nodes"].as_u64().unwrap() + 1);
}

#[tokio::test]
async fn the_trend_has_thirty_points_at_most() {
    let gateway = Gateway::new();
    for day in 1..=33 {
        let mut sample = Sample::new(&format!("scan-{day:02}"), &format!("2026-11-02T09:{day:02}:00Z"));
        sample.node("other", "Host", json!({ "hostname": "other" }));
        ingest(&gateway, &[sample.document()]).await;
    }
    let summary = get(&gateway, "/v1/estate/summary").await;
    let trend = summary["trend"].as_array().unwrap();
    assert_eq!((trend.len(), &trend[0]["scan_id"], &summary["scans"]), (30, &json!("scan-04"), &json!(33)));
}

#[tokio::test]
async fn the_worst_paths_and_the_cuts_that_end_them_are_told() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let summary = get(&gateway, "/v1/estate/summary").await;
    let worst = &summary["worst_paths"][0];
    let steps = worst["steps"].as_array().unwrap();
    assert_eq!(worst["hops"], json!(steps.len()));
    assert_eq!(steps.last().unwrap()["target"]["id"], json!("env"), "{worst}");
    assert_eq!(steps[0]["source"]["kind"], json!("AgentInstance"));
    let cuts = &summary["best_cuts"];
    let (removes, of) = (cuts["removes"].as_u64().unwrap(), cuts["of"].as_u64().unwrap());
    assert!(removes > 0 && removes <= of, "{cuts}");
    assert!((cuts["percent"].as_f64().unwrap() - 100.0 * removes as f64 / of as f64).abs() < 0.001, "{cuts}");
    let first = &cuts["changes"][0];
    assert!(!first["change"].as_str().unwrap().is_empty() && first["file"].is_string(), "{cuts}");
}

#[tokio::test]
async fn marks_decide_about_the_worst_paths_and_the_best_cuts() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let starts = |summary: &Value| {
        let paths = summary["worst_paths"].as_array().unwrap().iter();
        paths.map(|path| path["steps"][0]["source"]["id"].clone()).collect::<Vec<_>>()
    };
    let targets = |summary: &Value| {
        let paths = summary["worst_paths"].as_array().unwrap().iter();
        paths.map(|path| path["steps"].as_array().unwrap().last().unwrap()["target"]["id"].clone()).collect::<Vec<_>>()
    };
    let tool = json!("report/format_report");
    let before = get(&gateway, "/v1/estate/summary").await;
    assert!(!targets(&before).contains(&tool), "{before}");

    assert_eq!(
        put(&gateway, "report%2Fformat_report", &gateway.admin, json!({ "crown_jewel": true })).await.status,
        200
    );
    let jewelled = get(&gateway, "/v1/estate/summary").await;
    assert!(targets(&jewelled).contains(&tool), "{jewelled}");
    assert!(jewelled["best_cuts"]["of"].as_u64() >= before["best_cuts"]["of"].as_u64(), "{jewelled}");

    assert_eq!(put(&gateway, "files", &gateway.admin, json!({ "owned": true })).await.status, 200);
    let owned = get(&gateway, "/v1/estate/summary").await;
    assert!(starts(&owned).contains(&json!("files")), "{owned}");
    assert_eq!(owned["exposure"], before["exposure"], "how many agents reach what is critical does not change");

    put(&gateway, "files", &gateway.admin, json!({ "owned": false })).await;
    put(&gateway, "report%2Fformat_report", &gateway.admin, json!({ "crown_jewel": false })).await;
    let after = get(&gateway, "/v1/estate/summary").await;
    assert_eq!((&after["worst_paths"], &after["best_cuts"]), (&before["worst_paths"], &before["best_cuts"]));
}

#[tokio::test]
async fn a_node_has_one_mark_at_most() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let analyst = gateway.person("ann", "analyst").await;
    let marks = |owned: bool, crown_jewel: bool| {
        let node = json!({ "id": "files", "kind": "MCPServer", "name": "files" });
        json!({ "node": node, "owned": owned, "crown_jewel": crown_jewel })
    };
    for (body, expected) in [
        (json!({ "owned": true, "reason": "we were told" }), marks(true, false)),
        (json!({ "crown_jewel": false }), marks(true, false)),
        (json!({ "crown_jewel": true }), marks(false, true)),
        (json!({ "owned": false }), marks(false, true)),
        (json!({ "crown_jewel": false }), marks(false, false)),
    ] {
        let answer = put(&gateway, "files", &analyst, body.clone()).await;
        assert_eq!((answer.status, answer.body), (200, expected), "{body}");
    }
    for (body, expected) in [
        (json!({ "owned": true, "crown_jewel": true }), (400, "two_marks")),
        (json!({}), (400, "nothing_said")),
        (json!({ "owned": true, "mark": 1 }), (400, "bad_body")),
        (json!({ "owned": true, "reason": "x".repeat(5_000) }), (400, "bad_decision")),
        (json!({ "owned": true, "author": "somebody else" }), (403, "forbidden")),
    ] {
        assert_eq!(code(&put(&gateway, "files", &analyst, body.clone()).await), expected, "{body}");
    }
    let unknown = put(&gateway, "filez", &analyst, json!({ "owned": true })).await;
    assert_eq!(
        (code(&unknown), &unknown.body["problems"][0]["suggestion"]),
        ((404, "node_not_found"), &json!("files"))
    );
    let auditor = gateway.person("ada", "auditor").await;
    assert_eq!(code(&put(&gateway, "files", &auditor, json!({ "owned": true })).await), (403, "forbidden"));
    let (rival, _) = gateway.other_tenant("rival").await;
    assert_eq!(code(&put(&gateway, "files", &rival, json!({ "owned": true })).await), (404, "node_not_found"));
}

#[tokio::test]
async fn what_somebody_has_looked_at_is_a_rug_pull_that_is_acknowledged() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let before = get(&gateway, "/v1/estate/findings?limit=1000").await;
    let path = format!("{TOOL}/acknowledge");
    let auditor = gateway.person("ada", "auditor").await;
    assert_eq!(code(&gateway.post(&path, &auditor, json!({ "note": "x" })).await), (403, "forbidden"));
    let long = gateway.post(&path, &gateway.admin, json!({ "note": "x".repeat(5_000) })).await;
    assert_eq!(code(&long), (400, "bad_decision"), "{long:?}");
    assert_eq!(code(&gateway.post(&path, &gateway.admin, json!({})).await), (400, "bad_body"));
    let done = gateway.post(&path, &gateway.admin, json!({ "note": "the author explained it" })).await;
    assert_eq!((done.status, &done.body), (200, &json!({ "acknowledged": 1 })), "{done:?}");
    let after = get(&gateway, "/v1/estate/findings?limit=1000").await;
    assert!(after["total"].as_u64() < before["total"].as_u64(), "its finding is gone");
    let diff = get(&gateway, "/v1/estate/diff?from=monday").await;
    assert_eq!(
        (&diff["counts"]["rug_pulls"], &diff["rug_pulls"][0]["acknowledged"]),
        (&json!(1), &json!(true)),
        "{diff}"
    );
    assert_eq!(diff["rug_pulls"][0]["after"], json!(POISONED));
    let again = gateway.post(&path, &gateway.admin, json!({ "note": "again" })).await;
    assert_eq!(again.body, json!({ "acknowledged": 0 }));
    let unknown = gateway.post("/v1/estate/nodes/nobody/acknowledge", &gateway.admin, json!({ "note": "x" })).await;
    assert_eq!(code(&unknown), (404, "node_not_found"));
}
