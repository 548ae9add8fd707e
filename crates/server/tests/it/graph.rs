//! The evidence graph, held to its contract: paths, kinds, shapes, depths, limits, and what is not there.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use crate::gateway::{Gateway, request};

const GROUPS: [&str; 9] =
    ["agent", "run", "tool_call", "decision", "approval", "receipt", "incident", "mcp_server", "policy"];
const LABELS: [&str; 6] = ["triggered_by", "executed", "decided", "approved", "produced", "linked_to"];

/// What holds for every graph.
fn check(graph: &Value) {
    let nodes = graph["nodes"].as_array().unwrap();
    let edges = graph["edges"].as_array().unwrap();
    let mut ids = BTreeSet::new();
    for node in nodes {
        let (id, group) = (node["id"].as_str().unwrap(), node["group"].as_str().unwrap());
        assert!(ids.insert(id), "{id} is there twice");
        assert!(GROUPS.contains(&group) && id.starts_with(&format!("{group}:")), "{node}");
        assert!(node["label"].is_string(), "{node}");
        check_time(&node["timestamp"]);
        if group == "decision" {
            let metadata = node["metadata"].as_object().unwrap();
            assert!(metadata["risk_score"].is_u64() && metadata["reason"].is_string(), "{node}");
        } else {
            assert!(node.as_object().unwrap().contains_key("metadata") && node["metadata"].is_null(), "{node}");
        }
    }
    let mut touched = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for edge in edges {
        let text = |name: &str| edge[name].as_str().unwrap();
        assert!(LABELS.contains(&text("label")), "{edge}");
        check_time(&edge["timestamp"]);
        for end in ["from", "to"] {
            assert!(ids.contains(text(end)), "{edge} leads nowhere");
            touched.insert(text(end));
        }
        assert!(seen.insert((text("from"), text("to"), text("label"))), "{edge} is there twice");
    }
    if nodes.len() > 1 {
        assert_eq!(ids, touched, "no node stands alone");
    }
}

fn check_time(time: &Value) {
    let time = time.as_str().unwrap();
    assert!(time.ends_with('Z') && time.contains('T'), "{time}");
}

fn count(graph: &Value) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for node in graph["nodes"].as_array().unwrap() {
        *counts.entry(node["group"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    counts
}

fn labels(graph: &Value) -> BTreeSet<String> {
    graph["nodes"].as_array().unwrap().iter().map(|node| node["label"].as_str().unwrap().to_owned()).collect()
}

fn edges(graph: &Value, from: &str, label: &str) -> Vec<String> {
    let all = graph["edges"].as_array().unwrap().iter();
    let found = all.filter(|edge| edge["from"].as_str().unwrap().starts_with(from) && edge["label"] == label);
    found.map(|edge| edge["to"].as_str().unwrap().to_owned()).collect()
}

/// An agent with a read that is allowed and a merge that somebody agreed to, in one run; gives id and token.
async fn story(gateway: &Gateway) -> (String, String) {
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "semi_trusted_customer")).await;
    let asked =
        gateway.post("/v1/authorize", &token, request(&id, "merge_pull_request", "semi_trusted_customer")).await;
    let approval = asked.body["approval"]["approval_id"].as_str().unwrap();
    let lee = gateway.person("lee", "approver").await;
    let path = format!("/v1/approvals/{approval}/approve");
    assert_eq!(gateway.post(&path, &lee, json!({ "reason": "fine" })).await.status, 200);
    (id, token)
}

#[tokio::test]
async fn a_run_has_everything() {
    let gateway = Gateway::new();
    let (id, token) = story(&gateway).await;
    let graph = gateway.get("/v1/graph/run/run_7", &token).await.body;
    check(&graph);
    let counts = count(&graph);
    for (group, expected) in
        [("agent", 1), ("run", 1), ("tool_call", 2), ("decision", 2), ("approval", 1), ("receipt", 2)]
    {
        assert_eq!(counts[group], expected, "{group}: {graph}");
    }
    assert!(counts["policy"] >= 1);
    let shown = labels(&graph);
    for label in [
        "Agent bot",
        "run_7",
        "github.get_pull_request",
        "github.merge_pull_request",
        "allow",
        "require_approval",
        "APPROVED",
    ] {
        assert!(shown.contains(label), "{label}: {shown:?}");
    }
    assert_eq!(edges(&graph, "run:run_7", "triggered_by"), [format!("agent:{id}")]);
    assert_eq!(edges(&graph, "run:run_7", "executed").len(), 2);
    assert_eq!((&graph["truncated"], &graph["total_decisions"]), (&json!(false), &json!(2)));
}

#[tokio::test]
async fn depth_says_how_much_of_an_agent_is_shown() {
    let gateway = Gateway::new();
    let (id, token) = story(&gateway).await;
    let at = async |depth: &str| gateway.get(&format!("/v1/graph/agent/{id}{depth}"), &token).await;
    let groups = |graph: &Value| count(graph).into_keys().collect::<BTreeSet<_>>();
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let first = ["agent", "run", "tool_call", "decision"];
    let (one, two, three) = (at("?depth=1").await.body, at("?depth=2").await.body, at("?depth=3").await.body);
    [&one, &two, &three].into_iter().for_each(check);
    assert_eq!(groups(&one), set(&first));
    assert_eq!(groups(&two), set(&[&first[..], &["approval", "receipt"]].concat()));
    assert_eq!(groups(&three), set(&[&first[..], &["approval", "receipt", "policy"]].concat()));
    for same in ["", "?depth=4", "?depth=5", "?depth=99"] {
        assert_eq!(at(same).await.body, three, "{same}");
    }
    for same in ["?depth=0", "?depth=-7"] {
        assert_eq!(at(same).await.body, one, "{same}");
    }
    assert_eq!(at("?depth=deep").await.status, 400);
}

#[tokio::test]
async fn an_agent_shows_its_newest_50_and_says_that_there_are_more() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let alone = gateway.get(&format!("/v1/graph/agent/{id}"), &token).await;
    assert_eq!((alone.status, alone.body["nodes"].as_array().unwrap().len()), (200, 1), "an agent that did nothing");
    for _ in 0..60 {
        gateway.post("/v1/authorize", &token, request(&id, "get_pull_request", "trusted_internal_signed")).await;
    }
    let first = gateway.get(&format!("/v1/graph/agent/{id}"), &token).await.body;
    check(&first);
    assert_eq!(
        (count(&first)["decision"], &first["truncated"], &first["total_decisions"]),
        (50, &json!(true), &json!(60))
    );
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = gateway.get(&format!("/v1/graph/agent/{id}?cursor={cursor}"), &token).await.body;
    check(&rest);
    assert_eq!((count(&rest)["decision"], &rest["truncated"]), (10, &json!(false)));
    let bad = gateway.get(&format!("/v1/graph/agent/{id}?cursor=x"), &token).await;
    assert_eq!((bad.status, &bad.body["code"]), (400, &json!("bad_cursor")));
}

#[tokio::test]
async fn what_is_not_there_is_404_and_people_read_what_agents_read() {
    let gateway = Gateway::new();
    let (id, token) = story(&gateway).await;
    for path in
        ["/v1/graph/run/nobody", "/v1/graph/incident/nobody", "/v1/graph/agent/nobody", "/v1/graph/chain/nobody"]
    {
        assert_eq!(gateway.get(path, &token).await.status, 404, "{path}");
    }
    let auditor = gateway.person("ada", "auditor").await;
    for path in ["/v1/graph/run/run_7".to_owned(), format!("/v1/graph/agent/{id}")] {
        assert_eq!(gateway.get(&path, &auditor).await.body, gateway.get(&path, &token).await.body, "{path}");
    }
}

#[tokio::test]
async fn a_call_without_a_run_hangs_on_its_agent() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
    body.as_object_mut().unwrap().remove("trace");
    gateway.post("/v1/authorize", &token, body).await;
    let graph = gateway.get(&format!("/v1/graph/agent/{id}?depth=1"), &token).await.body;
    check(&graph);
    assert_eq!(edges(&graph, "tool_call:", "triggered_by"), [format!("agent:{id}")]);
    assert!(!count(&graph).contains_key("run"));
}

#[tokio::test]
async fn a_chain_crosses_agents_and_is_trusted_as_far_as_its_weakest_part() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let agents = [gateway.agent("planner").await, gateway.agent("coder").await, gateway.agent("merger").await];
    let trusts = ["untrusted_external", "trusted_internal_signed", "trusted_internal_signed"];
    for (depth, ((id, token), trust)) in agents.iter().zip(trusts).enumerate() {
        let mut body = request(id, "get_pull_request", trust);
        body["trace"] = json!({ "run_id": format!("run_{depth}"), "trace_id": "t" });
        if depth > 0 {
            body["trace"]["parent_run_id"] = json!(format!("run_{}", depth - 1));
        }
        let answer = gateway.post("/v1/authorize", token, body).await;
        assert_eq!(answer.body["root_trust_level"], "untrusted_external", "{depth}: {answer:?}");
    }
    let (id, token) = &agents[2];
    let mut body = request(id, "merge_pull_request", "trusted_internal_signed");
    body["trace"] = json!({ "run_id": "run_2", "trace_id": "t", "parent_run_id": "run_1", "root_trust_level": "trusted_internal_signed" });
    let merged = gateway.post("/v1/authorize", token, body).await;
    assert_eq!(merged.body["decision"], "deny", "a caller can't make its chain look better: {merged:?}");
    for run in ["run_0", "run_1", "run_2"] {
        let graph = gateway.get(&format!("/v1/graph/chain/{run}"), token).await.body;
        check(&graph);
        let counts = count(&graph);
        assert_eq!((counts["run"], counts["agent"], counts["decision"]), (3, 3, 4), "{run}: {graph}");
        assert!(edges(&graph, "run:run_2", "triggered_by").contains(&"run:run_1".to_owned()));
    }
}

#[tokio::test]
async fn reading_a_graph_changes_nothing() {
    let gateway = Gateway::new();
    let (id, token) = story(&gateway).await;
    let before = gateway.get("/v1/receipts?from=0", &gateway.admin).await.body;
    for _ in 0..3 {
        gateway.get("/v1/graph/run/run_7", &token).await;
        gateway.get(&format!("/v1/graph/agent/{id}"), &token).await;
    }
    assert_eq!(gateway.get("/v1/receipts?from=0", &gateway.admin).await.body, before);
}

#[tokio::test]
async fn a_long_chain_is_told_in_parts_and_says_when_runs_are_left_out() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let (id, token) = gateway.agent("bot").await;
    let ask = async |run: usize| {
        let mut body = request(&id, "get_pull_request", "trusted_internal_signed");
        body["trace"] = json!({ "run_id": format!("r{run}"), "trace_id": "t" });
        if run > 0 {
            body["trace"]["parent_run_id"] = json!(format!("r{}", run - 1));
        }
        assert_eq!(gateway.post("/v1/authorize", &token, body).await.status, 200);
    };
    for run in 0..67 {
        ask(run).await;
    }
    let whole = gateway.get("/v1/graph/chain/r64", &gateway.admin).await.body;
    assert_eq!((&whole["truncated"], &whole["total_decisions"]), (&json!(false), &json!(67)), "64 steps up, all down");
    let cut = gateway.get("/v1/graph/chain/r66", &gateway.admin).await.body;
    assert_eq!((&cut["truncated"], &cut["next_cursor"]), (&json!(true), &json!(null)), "65 steps would be needed");
    for _ in 0..520 {
        ask(1).await;
    }
    let (mut seen, mut cursor, mut parts) = (std::collections::BTreeSet::new(), String::new(), 0);
    loop {
        let part = gateway.get(&format!("/v1/graph/chain/r5{cursor}"), &gateway.admin).await.body;
        assert_eq!(part["total_decisions"], 587, "{}", part["total_decisions"]);
        for node in part["nodes"].as_array().unwrap().iter().filter(|node| node["group"] == "decision") {
            assert!(seen.insert(node["id"].as_str().unwrap().to_owned()), "twice: {node}");
        }
        parts += 1;
        assert_eq!(part["truncated"].as_bool().unwrap(), part["next_cursor"].is_string());
        let Some(next) = part["next_cursor"].as_str() else { break };
        cursor = format!("?cursor={next}");
    }
    assert_eq!((seen.len(), parts), (587, 2));
    let wrong = gateway.get("/v1/graph/chain/r5?cursor=1.nothing", &gateway.admin).await;
    assert_eq!((wrong.status, &wrong.body["code"]), (400, &json!("bad_cursor")));
}
