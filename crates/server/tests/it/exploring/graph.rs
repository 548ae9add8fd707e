//! The graph.

use std::collections::BTreeSet;

use serde_json::Value;

use super::texts;
use crate::gateway::Gateway;

fn edges(graph: &Value) -> Vec<String> {
    let name = |edge: &Value| format!("{} {} {}", edge["source"], edge["kind"], edge["target"]).replace('"', "");
    graph["edges"].as_array().unwrap().iter().map(name).collect()
}

#[tokio::test]
async fn the_graph_has_everything_and_the_riskiest_first() {
    let gateway = Gateway::explored();
    let graph = gateway.look("/v1/estate/graph").await;
    let scores: Vec<Option<f64>> =
        graph["nodes"].as_array().unwrap().iter().map(|node| node["risk_score"].as_f64()).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    assert_eq!(graph["nodes"].as_array().unwrap().len() as u64, graph["total_nodes"].as_u64().unwrap());
    assert_eq!(edges(&graph).len() as u64, graph["total_edges"].as_u64().unwrap());
    assert_eq!((&graph["truncated"], &graph["next_cursor"]), (&false.into(), &Value::Null));
    for expected in ["a1 TRUSTS_SERVER s1", "s2 PROVIDES_RESOURCE r1", "t2 HAS_ACCESS_TO r1", "a1 CAN_REACH r1"] {
        assert!(edges(&graph).contains(&expected.to_owned()), "{expected}: {:?}", edges(&graph));
    }
    let cursor = graph["nodes"].as_array().unwrap().iter().find(|node| node["id"] == "a1").unwrap();
    assert_eq!(cursor["kind"], "AgentInstance");
    assert_eq!(cursor["first_seen"], "2026-10-01T10:00:00Z");
    assert_eq!(cursor["last_seen"], "2026-10-02T10:00:00Z");
    assert!(cursor["degree"].as_u64().unwrap() >= 4 && !cursor["severity"].is_null(), "{cursor}");
    let derived = graph["edges"].as_array().unwrap().iter().find(|edge| edge["kind"] == "CAN_REACH").unwrap();
    assert_eq!(derived["composite"], true);
    assert!(derived["confidence"].as_f64().unwrap() <= 1.0 && derived["weight"].as_f64().is_some(), "{derived}");
}

#[tokio::test]
async fn pages_of_any_size_add_up_to_the_whole_and_tell_nothing_twice() {
    let gateway = Gateway::explored();
    let whole = gateway.look("/v1/estate/graph").await;
    for limit in [1, 3, 7] {
        let (mut nodes, mut edges_told) = (Vec::new(), Vec::new());
        let mut address = format!("/v1/estate/graph?limit={limit}");
        loop {
            let page = gateway.look(&address).await;
            assert_eq!((&page["total_nodes"], &page["total_edges"]), (&whole["total_nodes"], &whole["total_edges"]));
            assert_eq!(page["truncated"], true);
            nodes.extend(page["nodes"].as_array().unwrap().clone());
            let known: BTreeSet<&str> = nodes.iter().map(|node: &Value| node["id"].as_str().unwrap()).collect();
            for edge in page["edges"].as_array().unwrap() {
                assert!(known.contains(edge["source"].as_str().unwrap()), "{edge} comes before its end");
                assert!(known.contains(edge["target"].as_str().unwrap()), "{edge} comes before its end");
            }
            edges_told.extend(edges(&page));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            address = format!("/v1/estate/graph?limit={limit}&cursor={cursor}");
        }
        assert_eq!(Value::from(nodes), whole["nodes"], "{limit}");
        let unique: BTreeSet<&String> = edges_told.iter().collect();
        assert_eq!(unique.len(), edges_told.len(), "an edge is told once");
        assert_eq!(unique, edges(&whole).iter().collect(), "{limit}");
    }
}

#[tokio::test]
async fn nodes_and_edges_can_be_narrowed_down() {
    let gateway = Gateway::explored();
    let servers = gateway.look("/v1/estate/graph?kinds=mcpserver,Host").await;
    let names: BTreeSet<&str> = texts(&servers["nodes"], "/name").into_iter().collect();
    assert_eq!(names, BTreeSet::from(["customers", "files", "lena-laptop", "mail"]));
    assert_eq!(edges(&servers), ["s1 RUNS_ON h1"]);
    assert_eq!((&servers["total_nodes"], &servers["total_edges"]), (&4.into(), &1.into()));
    let seen = gateway.look("/v1/estate/graph?composite=no").await;
    assert_eq!(edges(&seen).len(), 10);
    let derived = gateway.look("/v1/estate/graph?composite=only&edge_kinds=HAS_ACCESS_TO").await;
    assert!(!edges(&derived).is_empty() && edges(&derived).iter().all(|edge| edge.contains("HAS_ACCESS_TO")));
    let trusts = gateway.look("/v1/estate/graph?edge_kinds=trusts_server").await;
    assert_eq!(edges(&trusts).len(), 4);
    let critical = gateway.look("/v1/estate/graph?severity=critical").await;
    assert!(texts(&critical["nodes"], "/severity").iter().all(|severity| *severity == "critical"));
    let nowhere = gateway.look("/v1/estate/graph?origin=elsewhere").await;
    assert_eq!(nowhere["total_nodes"], 0);
    let there = gateway.look("/v1/estate/graph?origin=lena-laptop").await;
    assert_eq!(there["total_nodes"], 11, "what analysis made up was seen on no machine");
    assert!(there["nodes"].as_array().unwrap().iter().all(|node| node["origins"][0] == "lena-laptop"));
}

#[tokio::test]
async fn an_earlier_point_shows_what_was_there() {
    let gateway = Gateway::explored();
    let then = gateway.look("/v1/estate/graph?at=first").await;
    let cursor = then["nodes"].as_array().unwrap().iter().find(|node| node["id"] == "a1").unwrap();
    assert_eq!(cursor["last_seen"], "2026-10-01T10:00:00Z");
    let before = gateway.look("/v1/estate/graph?at=2020-01-01").await;
    assert_eq!((&before["total_nodes"], &before["truncated"]), (&0.into(), &false.into()));
}

#[tokio::test]
async fn what_can_not_be_is_refused_in_words() {
    let gateway = Gateway::explored();
    for (query, code, word) in [
        ("kinds=MCPServr", "bad_kind", "did you mean `MCPServer`"),
        ("edge_kinds=TRUST_SERVER", "bad_kind", "did you mean `TRUSTS_SERVER`"),
        ("severity=awful", "bad_severity", "low, medium, high and critical"),
        ("limit=0", "out_of_range", "from 1 to 50000"),
        ("limit=50001", "out_of_range", "from 1 to 50000"),
        ("limit=many", "bad_query", ""),
        ("composite=perhaps", "bad_query", ""),
        ("cursor=x", "bad_cursor", "next_cursor"),
        ("cursor=1-1-0", "bad_cursor", "has changed"),
        ("at=someday", "bad_point", "a point is"),
    ] {
        gateway.check_refusal(&format!("/v1/estate/graph?{query}"), None, (400, code, word)).await;
    }
    let many = vec!["Host"; 101].join(",");
    gateway.check_refusal(&format!("/v1/estate/graph?kinds={many}"), None, (400, "too_many", "at most 100")).await;
}
