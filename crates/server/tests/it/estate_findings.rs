//! Findings over HTTP: lists, filters, counts, pages, details, and what people think of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::estate_sample::{POISONED, RULE, code, friday, ingest, monday, pages, saturday};
use crate::gateway::{Answer, Gateway};

const FINDINGS: &str = "/v1/estate/findings";
const TRIAGE: &str = "/v1/estate/findings/triage";

async fn list(gateway: &Gateway, query: &str) -> Value {
    let answer = gateway.get(&format!("{FINDINGS}?{query}"), &gateway.admin).await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    answer.body
}

fn fingerprints(page: &Value) -> Vec<String> {
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item["fingerprint"].as_str().unwrap().to_owned()).collect()
}

/// How many items have each value of a member.
fn counted(page: &Value, member: &str) -> Value {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for item in page["items"].as_array().unwrap() {
        let values = item[member].as_array().cloned().unwrap_or_else(|| vec![item[member].clone()]);
        for value in values {
            let known = item[member].as_str().or_else(|| {
                item[member].as_array().and_then(|all| all.iter().find(|it| **it == value)).and_then(Value::as_str)
            });
            *counts.entry(known.unwrap()).or_default() += 1;
        }
    }
    json!(counts)
}

async fn refused(gateway: &Gateway, query: &str) -> Answer {
    gateway.get(&format!("{FINDINGS}?{query}"), &gateway.admin).await
}

#[tokio::test]
async fn an_estate_without_scans_has_no_findings() {
    let gateway = Gateway::new();
    let page = list(&gateway, "").await;
    assert_eq!((&page["total"], &page["items"], &page["next_cursor"]), (&json!(0), &json!([]), &Value::Null));
}

#[tokio::test]
async fn facets_count_what_is_listed_and_each_what_the_others_leave() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let all = list(&gateway, "limit=1000").await;
    assert_eq!(all["total"], json!(all["items"].as_array().unwrap().len()));
    assert!(all["total"].as_u64().unwrap() >= 3, "{all}");
    for (facet, member) in [("severity", "severity"), ("kind", "kind"), ("status", "status"), ("category", "owasp")] {
        assert_eq!(all["facets"][facet], counted(&all, member), "{facet}");
    }
    let severe = list(&gateway, "severity=critical,high&limit=1000").await;
    assert_eq!(severe["facets"]["severity"], all["facets"]["severity"], "a facet ignores its own filter");
    assert_eq!(severe["facets"]["kind"], counted(&severe, "kind"));
    let of_severity = |name: &str| all["facets"]["severity"][name].as_u64().unwrap_or(0);
    assert_eq!(severe["total"], json!(of_severity("critical") + of_severity("high")));
    let reaching = list(&gateway, "kind=can_reach&limit=1000").await;
    assert_eq!(reaching["total"], all["facets"]["kind"]["CAN_REACH"], "whatever the case");
    assert_eq!(reaching["facets"]["kind"], all["facets"]["kind"]);
    for category in all["facets"]["category"].as_object().unwrap().keys() {
        let short = category.split(':').next().unwrap();
        let with_year = list(&gateway, &format!("category={category}")).await;
        assert_eq!(with_year["total"], all["facets"]["category"][category]);
        assert_eq!(list(&gateway, &format!("category={short}")).await, with_year);
    }
}

#[tokio::test]
async fn findings_are_filtered_by_node_and_title() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let of_env = list(&gateway, "node=env&limit=1000").await;
    assert!(of_env["total"].as_u64().unwrap() > 0);
    for item in of_env["items"].as_array().unwrap() {
        assert!(item["subject"]["id"] == json!("env") || item["object"]["id"] == json!("env"), "{item}");
    }
    let titled = list(&gateway, "q=CAN%20reach&limit=1000").await;
    assert!(titled["total"].as_u64().unwrap() > 0);
    for item in titled["items"].as_array().unwrap() {
        assert!(item["title"].as_str().unwrap().to_lowercase().contains("can reach"), "{item}");
    }
    assert_eq!(list(&gateway, "q=nothing+is+called+so").await["total"], json!(0));
    let unknown = refused(&gateway, "node=cursr").await;
    assert_eq!(code(&unknown), (404, "node_not_found"));
    assert_eq!(unknown.body["problems"][0]["suggestion"], json!("cursor"), "{unknown:?}");
}

#[tokio::test]
async fn pages_add_up_to_the_whole() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    for query in ["", "?since=monday", "?severity=high,medium"] {
        let sign = if query.is_empty() { "?" } else { "&" };
        let whole = gateway.get(&format!("{FINDINGS}{query}{sign}limit=1000"), &gateway.admin).await.body;
        for limit in [1, 3] {
            let items = pages(&gateway, &format!("{FINDINGS}{query}"), limit).await;
            assert_eq!(json!(items), whole["items"], "{query} by {limit}");
        }
        let unique: BTreeSet<String> = fingerprints(&whole).into_iter().collect();
        assert_eq!(json!(unique.len()), whole["total"], "{query}");
    }
}

#[tokio::test]
async fn a_page_goes_on_where_it_ended_although_the_list_has_changed() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let first = list(&gateway, "limit=2").await;
    let cursor = first["next_cursor"].as_str().unwrap().to_owned();
    ingest(&gateway, &[saturday()]).await;
    let rest = list(&gateway, &format!("limit=1000&cursor={cursor}")).await;
    let shown = fingerprints(&first);
    assert!(fingerprints(&rest).iter().all(|it| !shown.contains(it)), "nothing comes twice");
    for cursor in ["0.0000000000000000", "x", "1", "9999999999999999999999.ab", "0.%F0%9F%98%80"] {
        let answer = refused(&gateway, &format!("cursor={cursor}")).await;
        assert_eq!(code(&answer), (400, "bad_cursor"), "{cursor}");
    }
}

#[tokio::test]
async fn what_became_of_findings_since_another_point_is_told() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday(), saturday()]).await;
    let since_monday = list(&gateway, "at=friday&since=monday&limit=1000").await;
    let fates = &since_monday["facets"]["lifecycle"];
    for fate in ["new", "persisting", "fixed"] {
        assert!(fates[fate].as_u64().unwrap_or(0) > 0, "{fate}: {fates}");
        let only = list(&gateway, &format!("at=friday&since=monday&lifecycle={fate}&limit=1000")).await;
        assert_eq!((&only["total"], &only["facets"]["lifecycle"]), (&fates[fate], fates));
        assert!(only["items"].as_array().unwrap().iter().all(|item| item["lifecycle"] == json!(fate)));
    }
    let gone = list(&gateway, "at=friday&since=monday&lifecycle=fixed&limit=1000").await;
    assert!(gone["items"].to_string().contains("chat"), "{gone}");
    let back = list(&gateway, "since=friday&lifecycle=reopened&limit=1000").await;
    let fixed: BTreeSet<String> = fingerprints(&gone).into_iter().collect();
    assert_eq!(fingerprints(&back).into_iter().collect::<BTreeSet<_>>(), fixed, "what was gone is back");
    let of_chat = list(&gateway, "at=friday&since=monday&node=chat/send_message&limit=1000").await;
    assert!(of_chat["total"].as_u64().unwrap() > 0, "a node that is gone is found where it was: {of_chat}");
}

#[tokio::test]
async fn filters_that_make_no_sense_are_refused() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    for (query, expected) in [
        ("severity=severe", "bad_severity"),
        ("status=open", "bad_status"),
        ("lifecycle=new", "bad_lifecycle"),
        ("since=monday&lifecycle=gone", "bad_lifecycle"),
        ("kind=CAN_REECH", "bad_kind"),
        ("at=tomorrow", "bad_point"),
        ("since=tomorrow", "bad_point"),
        ("limit=-1", "bad_query"),
    ] {
        assert_eq!(code(&refused(&gateway, query).await), (400, expected), "{query}");
    }
    let near = refused(&gateway, "kind=CAN_REECH").await;
    assert!(near.body["detail"].as_str().unwrap().contains("did you mean `CAN_REACH`"), "{near:?}");
    let long = "x".repeat(5_000);
    for name in ["q", "kind", "node", "category"] {
        assert_eq!(code(&refused(&gateway, &format!("{name}={long}")).await), (400, "too_long"), "{name}");
    }
}

#[tokio::test]
async fn a_finding_tells_its_path_and_what_is_gone_without_each_edge() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let row = list(&gateway, "kind=CAN_REACH").await["items"][0].clone();
    let id = row["fingerprint"].as_str().unwrap();
    let shown = gateway.get(&format!("{FINDINGS}/{id}"), &gateway.admin).await.body;
    for (name, value) in row.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name}");
    }
    let path = shown["path"].as_array().unwrap();
    let kinds: Vec<&str> = path.iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["TRUSTS_SERVER", "PROVIDES_TOOL", "HAS_ACCESS_TO"]);
    assert_eq!((&path[0]["source"]["id"], &path[2]["target"]["id"]), (&json!("cursor"), &json!("env")));
    assert_eq!(path[0]["place"]["line"], json!(7));
    assert_eq!((&path[0]["composite"], &path[2]["composite"]), (&json!(false), &json!(true)));
    assert_eq!(path[0]["evidence"], json!("cursor TRUSTS_SERVER files"));
    assert!(path.iter().all(|step| step["weight"].is_number() && step["confidence"].is_number()), "{shown}");
    for text in ["description", "evidence", "remediation", "category"] {
        assert!(!shown[text].as_str().unwrap().is_empty(), "{text}");
    }
    assert!(!shown["standards"].as_array().unwrap().is_empty());
    assert_eq!(
        (&shown["carried_alone_by"], &shown["triage"], &shown["last_seen"]),
        (&Value::Null, &json!([]), &Value::Null)
    );
    let alone = gateway.get(&format!("{FINDINGS}/{id}?alone=true"), &gateway.admin).await.body;
    let carriers = alone["carried_alone_by"].as_array().unwrap();
    let trust = carriers.iter().find(|it| it["kind"] == json!("TRUSTS_SERVER")).unwrap();
    assert_eq!((&trust["removes_this"], &trust["source"]["id"]), (&json!(true), &json!("cursor")), "{alone}");
    assert!(trust["findings"].as_u64().unwrap() >= 1);
    let short = gateway.get(&format!("{FINDINGS}/{}", &id[..8]), &gateway.admin).await.body;
    assert_eq!(short["fingerprint"], json!(id), "the first digits are enough");
}

#[tokio::test]
async fn the_text_that_matched_is_shown_with_where() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let page = list(&gateway, "kind=POISONED_DESCRIPTION").await;
    let id = page["items"][0]["fingerprint"].as_str().unwrap();
    let shown = gateway.get(&format!("{FINDINGS}/{id}"), &gateway.admin).await.body;
    let matched = &shown["matched"][0];
    assert_eq!((&matched["field"], &matched["text"]), (&json!("description"), &json!(POISONED)), "{shown}");
    let span = &matched["spans"][0];
    let (start, end) = (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
    let units: Vec<u16> = POISONED.encode_utf16().collect();
    assert_eq!(String::from_utf16(&units[start..end]).unwrap(), "Ignore all previous instructions");
    assert_eq!(span["rule"], json!(RULE));
}

#[tokio::test]
async fn a_finding_that_is_gone_is_shown_as_it_last_stood() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday(), friday()]).await;
    let gone = list(&gateway, "since=monday&lifecycle=fixed").await["items"][0].clone();
    let id = gone["fingerprint"].as_str().unwrap();
    let shown = gateway.get(&format!("{FINDINGS}/{id}"), &gateway.admin).await;
    assert_eq!(shown.status, 200, "{shown:?}");
    assert_eq!((&shown.body["title"], &shown.body["severity"]), (&gone["title"], &gone["severity"]));
    assert_eq!(shown.body["last_seen"]["scan_id"], json!("monday"));
    assert_eq!(shown.body["fixed_since"], json!({ "scan_id": "friday", "time": "2026-11-06T09:00:00Z" }));
    let then = gateway.get(&format!("{FINDINGS}/{id}?at=monday"), &gateway.admin).await.body;
    assert_eq!(then["last_seen"], Value::Null, "at that point it stood");
}

#[tokio::test]
async fn unknown_findings_are_refused_alike() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    for id in ["0000000000000000", "nobody", "abc", "00000000000000000", "%3Cscript%3E"] {
        let answer = gateway.get(&format!("{FINDINGS}/{id}"), &gateway.admin).await;
        assert_eq!(code(&answer), (404, "finding_not_found"), "{id}");
    }
    let answer = gateway.get(&format!("{FINDINGS}/0000000000000000?at=tomorrow"), &gateway.admin).await;
    assert_eq!(code(&answer), (400, "bad_point"));
}

#[tokio::test]
async fn one_request_decides_about_many_findings() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let analyst = gateway.person("ann", "analyst").await;
    let all = list(&gateway, "limit=1000").await;
    let mut some: Vec<String> = fingerprints(&all).into_iter().take(3).collect();
    some.push(some[0].clone());
    some.extend(["0000000000000000".to_owned(), "no finding".to_owned()]);
    let body = json!({ "fingerprints": some, "status": "accepted-risk", "reason": "known", "until": "2999-01-01" });
    let decided = gateway.post(TRIAGE, &analyst, body).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    assert_eq!(decided.body, json!({ "changed": 3, "unknown": ["0000000000000000", "no finding"] }));
    let after = list(&gateway, "limit=1000").await;
    assert_eq!((&after["total"], &after["facets"]["status"]["accepted-risk"]), (&all["total"], &json!(3)));
    let accepted = list(&gateway, "status=accepted-risk&limit=1000").await;
    assert_eq!(accepted["total"], json!(3));
    let summary = gateway.get("/v1/estate/summary", &gateway.admin).await.body;
    assert_eq!(summary["findings"]["open"], json!(all["total"].as_u64().unwrap() - 3));
    assert_eq!(summary["findings"]["by_status"]["accepted-risk"], json!(3));
    let again = json!({ "fingerprints": [some[0]], "status": "confirmed", "reason": "looked again" });
    assert_eq!(gateway.post(TRIAGE, &gateway.admin, again).await.body["changed"], json!(1));
    let shown = gateway.get(&format!("{FINDINGS}/{}", some[0]), &gateway.admin).await.body;
    let notes = shown["triage"].as_array().unwrap();
    assert_eq!((&shown["status"], notes.len()), (&json!("confirmed"), 2), "{shown}");
    assert_eq!((&notes[0]["reason"], &notes[1]["reason"]), (&json!("looked again"), &json!("known")), "newest first");
    assert_eq!((&notes[1]["author"], &notes[1]["until"]), (&json!("ann"), &json!("2999-01-01T23:59:59.999999Z")));
    assert_eq!(notes[1]["severity"], shown["severity"]);
}

#[tokio::test]
async fn decisions_that_can_not_be_made_are_refused_and_change_nothing() {
    let gateway = Gateway::new();
    ingest(&gateway, &[monday()]).await;
    let id = fingerprints(&list(&gateway, "limit=1").await).remove(0);
    let with = |name: &str, value: Value| {
        let mut body = json!({ "fingerprints": [id], "status": "confirmed", "reason": "so it is" });
        body[name] = value;
        body
    };
    for (body, expected) in [
        (with("fingerprints", json!([])), (400, "too_many")),
        (with("fingerprints", json!(vec!["0000000000000000"; 10_001])), (400, "too_many")),
        (with("status", json!("fine")), (400, "bad_body")),
        (with("reason", json!("  ")), (400, "bad_reason")),
        (with("reason", json!("x".repeat(5_000))), (400, "bad_decision")),
        (with("until", json!("soon")), (400, "bad_time")),
        (with("until", json!("2001-01-01")), (400, "bad_decision")),
        (with("unknown", json!(1)), (400, "bad_body")),
        (with("author", json!("somebody else")), (403, "forbidden")),
    ] {
        let refused = gateway.post(TRIAGE, &gateway.admin, body).await;
        assert_eq!(code(&refused), expected, "{refused:?}");
    }
    let auditor = gateway.person("ada", "auditor").await;
    assert_eq!(code(&gateway.post(TRIAGE, &auditor, with("reason", json!("x"))).await), (403, "forbidden"));
    let (rival, _) = gateway.other_tenant("rival").await;
    let foreign = gateway.post(TRIAGE, &rival, with("reason", json!("x"))).await;
    assert_eq!(foreign.body, json!({ "changed": 0, "unknown": [id] }));
    assert_eq!(list(&gateway, "status=new").await["total"], list(&gateway, "").await["total"], "nothing was decided");
}
