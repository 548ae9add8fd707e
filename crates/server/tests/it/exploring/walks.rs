//! Paths, what is reached, and cuts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::texts;
use crate::gateway::Gateway;

const PATHS: &str = "/v1/estate/paths";
const REACH: &str = "/v1/estate/reach";
const CUTS: &str = "/v1/estate/cuts";

#[tokio::test]
async fn paths_are_told_step_by_step_and_the_best_first() {
    let gateway = Gateway::explored();
    let answer = gateway.told(PATHS, json!({ "from": "cursor", "to": "critical", "k": 10 })).await;
    assert_eq!(answer["from"], json!({ "selection": "cursor", "nodes": 1 }));
    let paths = answer["paths"].as_array().unwrap();
    let weights: Vec<f64> = paths.iter().map(|path| path["weight"].as_f64().unwrap()).collect();
    assert!(paths.len() >= 2 && weights.windows(2).all(|pair| pair[0] <= pair[1]), "{weights:?}");
    assert_eq!(answer["complete"], true, "fewer were found than asked for");
    for path in paths {
        let steps = path["steps"].as_array().unwrap();
        assert_eq!((steps.len() as u64, &steps[0]["source"]["id"]), (path["hops"].as_u64().unwrap(), &"a1".into()));
        assert_eq!(steps.last().unwrap()["target"]["id"], "r1");
        let sum: f64 = steps.iter().map(|step| step["weight"].as_f64().unwrap()).sum();
        assert!((sum - path["weight"].as_f64().unwrap()).abs() < 1e-6, "{path}");
        assert!(steps.iter().all(|step| step["evidence"].is_string()), "{path}");
    }
    assert_eq!(paths[0]["steps"][0]["place"]["line"], 4);
    let agents = gateway.told(PATHS, json!({ "from": "all agents", "to": "critical resources", "k": 1 })).await;
    assert_eq!((&agents["from"]["nodes"], agents["paths"].as_array().unwrap().len()), (&2.into(), 1));
}

#[tokio::test]
async fn what_may_be_walked_can_be_narrowed() {
    let gateway = Gateway::explored();
    let ask = |more: Value| {
        let mut body = json!({ "from": "cursor", "to": "r1", "k": 20 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let kinds = |answer: &Value| -> BTreeSet<String> {
        let paths = answer["paths"].as_array().unwrap().iter();
        paths.flat_map(|path| texts(&path["steps"], "/kind")).map(str::to_owned).collect()
    };
    let only = gateway.told(PATHS, ask(json!({ "kinds": ["TRUSTS_SERVER", "PROVIDES_RESOURCE"] }))).await;
    assert_eq!(kinds(&only), BTreeSet::from(["PROVIDES_RESOURCE".to_owned(), "TRUSTS_SERVER".to_owned()]));
    let without = gateway.told(PATHS, ask(json!({ "without": ["PROVIDES_RESOURCE"] }))).await;
    assert!(!kinds(&without).contains("PROVIDES_RESOURCE") && !kinds(&without).is_empty());
    let short = gateway.told(PATHS, ask(json!({ "max_hops": 2, "by": "hops" }))).await;
    assert!(short["paths"].as_array().unwrap().iter().all(|path| path["hops"].as_u64().unwrap() <= 2));
    let shortcut = gateway.told(PATHS, ask(json!({ "shortcuts": true, "kinds": ["CAN_REACH"] }))).await;
    assert_eq!(kinds(&shortcut), BTreeSet::from(["CAN_REACH".to_owned()]));
    let nowhere = gateway.told(PATHS, ask(json!({ "avoid": "customers" }))).await;
    assert_eq!(nowhere["paths"], json!([]));
    let nothing = gateway.told(PATHS, json!({ "from": "owned", "to": "critical" })).await;
    assert_eq!(nothing["notes"], json!(["`owned` has no nodes here"]));
}

#[tokio::test]
async fn paths_that_can_not_be_are_refused() {
    let gateway = Gateway::explored();
    let ends = json!({ "from": "cursor", "to": "r1" });
    for (more, expected) in [
        (json!({ "k": 0 }), (400, "out_of_range", "from 1 to 100")),
        (json!({ "k": 101 }), (400, "out_of_range", "from 1 to 100")),
        (json!({ "max_hops": 1001 }), (400, "out_of_range", "from 1 to 1000")),
        (json!({ "kinds": ["TRUST_SERVER"] }), (400, "bad_kind", "did you mean `TRUSTS_SERVER`")),
        (json!({ "kinds": ["CAN_REACH"] }), (400, "bad_kind", "only with `shortcuts`")),
        (json!({ "without": ["POISONED_DESCRIPTION"] }), (400, "bad_kind", "nobody gets anywhere")),
        (json!({ "kinds": vec!["RUNS_ON"; 101] }), (400, "too_many", "at most 100")),
        (json!({ "from": "curser" }), (404, "node_not_found", "did you mean `cursor`")),
        (json!({ "avoid": "servres" }), (404, "node_not_found", "did you mean `servers`")),
        (json!({ "from": vec!["cursor"; 51].join(",") }), (400, "selection_too_long", "50 parts")),
        (json!({ "from": "x".repeat(5_000) }), (400, "selection_too_long", "4096 bytes")),
        (json!({ "by": "luck" }), (400, "bad_body", "luck")),
        (json!({ "hops": 3 }), (400, "bad_body", "unknown field")),
        (json!({ "at": "someday" }), (400, "bad_point", "")),
    ] {
        let mut body = ends.clone();
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        gateway.check_refusal(PATHS, Some(body), expected).await;
    }
}

#[tokio::test]
async fn what_is_reached_comes_ring_by_ring_and_page_by_page() {
    let gateway = Gateway::explored();
    let whole = gateway.told(REACH, json!({ "from": "cursor" })).await;
    let nodes = whole["nodes"].as_array().unwrap();
    assert_eq!(nodes.len() as u64, whole["total"].as_u64().unwrap());
    let distances: Vec<u64> = nodes.iter().map(|node| node["distance"].as_u64().unwrap()).collect();
    assert!(distances.windows(2).all(|pair| pair[0] <= pair[1]), "{distances:?}");
    assert_eq!(whole["by_distance"]["1"], 3, "{whole}");
    assert_eq!(whole["by_kind"]["MCPServer"], 3);
    assert!(!texts(&whole["nodes"], "/node/id").contains(&"a1"), "where it begins is not reached");
    let mut told = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = gateway.told(REACH, json!({ "from": "cursor", "limit": 2, "cursor": cursor })).await;
        assert_eq!((&page["total"], &page["by_kind"]), (&whole["total"], &whole["by_kind"]));
        told.extend(page["nodes"].as_array().unwrap().clone());
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(Value::from(told), whole["nodes"]);
}

#[tokio::test]
async fn who_gets_somewhere_is_asked_in_reverse() {
    let gateway = Gateway::explored();
    let body = json!({ "from": "r1", "direction": "reverse", "kinds": ["AgentInstance"] });
    let answer = gateway.told(REACH, body).await;
    assert_eq!(texts(&answer["nodes"], "/node/name"), ["cursor", "claude"]);
    assert_eq!(answer["by_kind"], json!({ "AgentInstance": 2 }));
    let near = gateway.told(REACH, json!({ "from": "r1", "direction": "reverse", "max_hops": 1 })).await;
    assert!(near["nodes"].as_array().unwrap().iter().all(|node| node["distance"] == 1), "{near}");
    let nobody = gateway.told(REACH, json!({ "from": "crown jewels" })).await;
    assert_eq!((&nobody["total"], &nobody["notes"][0]), (&0.into(), &"`crown jewels` has no nodes here".into()));
    for (body, expected) in [
        (json!({ "from": "r1", "limit": 10_001 }), (400, "out_of_range", "10000")),
        (json!({ "from": "r1", "kinds": ["Agent"] }), (400, "bad_kind", "no kind of node")),
        (json!({ "from": "r1", "cursor": "zz" }), (400, "bad_cursor", "")),
        (json!({ "from": "r1", "direction": "up" }), (400, "bad_body", "up")),
        (json!({ "from": "r7" }), (404, "node_not_found", "no node")),
    ] {
        gateway.check_refusal(REACH, Some(body), expected).await;
    }
}

#[tokio::test]
async fn a_cut_is_proven_and_says_what_goes_with_each_change() {
    let gateway = Gateway::explored();
    let answer = gateway.told(CUTS, json!({ "from": "agents", "to": "critical" })).await;
    let costs: u64 = answer["cuts"].as_array().unwrap().iter().map(|cut| cut["cost"].as_u64().unwrap()).sum();
    assert_eq!(Some(costs), answer["value"].as_u64());
    let proven: u64 = answer["paths"].as_array().unwrap().iter().map(|path| path["amount"].as_u64().unwrap()).sum();
    assert_eq!(Some(proven), answer["value"].as_u64(), "as many ways as the cut costs");
    assert_eq!((&answer["connected_sources"], &answer["connected_targets"]), (&2.into(), &1.into()));
    for path in answer["paths"].as_array().unwrap() {
        assert_eq!(path["nodes"].as_array().unwrap().len(), path["steps"].as_array().unwrap().len() + 1, "{path}");
    }
    let cut = &answer["cuts"][0];
    assert!(cut["findings"].as_u64().unwrap() > 0 && cut["change"].is_string(), "{cut}");
    // What is left after the cut leads nowhere.
    let edges: Vec<Value> = answer["cuts"].as_array().unwrap().iter().map(|cut| named(&cut["edge"])).collect();
    let body = json!({ "remove_edges": edges, "from": "agents", "to": "critical" });
    let after = gateway.told("/v1/estate/what-if", body).await;
    assert_eq!(after["paths_after"]["paths"], json!([]));
    assert!(!after["paths_before"]["paths"].as_array().unwrap().is_empty());
}

fn named(step: &Value) -> Value {
    json!({ "source": step["source"]["id"], "kind": step["kind"], "target": step["target"]["id"] })
}

#[tokio::test]
async fn nodes_can_be_cut_and_costs_count() {
    let gateway = Gateway::explored();
    let nodes = gateway.told(CUTS, json!({ "from": "agents", "to": "critical", "nodes": true })).await;
    assert_eq!(texts(&nodes["nodes"], "/node/name"), ["customers"]);
    assert_eq!((&nodes["value"], &nodes["cuts"]), (&1.into(), &json!([])));
    assert_eq!(texts(&nodes["unavoidable"], "/name"), ["customers"]);
    let costs = json!({ "PROVIDES_RESOURCE": null, "PROVIDES_TOOL": 5, "TRUSTS_SERVER": 3 });
    let costly = gateway.told(CUTS, json!({ "from": "agents", "to": "critical", "costs": costs })).await;
    assert!(texts(&costly["cuts"], "/edge/kind").iter().all(|kind| *kind == "TRUSTS_SERVER"), "{costly}");
    assert_eq!(costly["value"], 6);
    for (more, expected) in [
        (json!({ "costs": { "TRUST_SERVER": 1 } }), (400, "bad_cost", "did you mean `TRUSTS_SERVER`")),
        (json!({ "costs": { "TRUSTS_SERVER": 0 } }), (400, "bad_cost", "from 1 to")),
        (json!({ "costs": { "Host": 1 } }), (400, "bad_cost", "only edges are removed")),
        (json!({ "nodes": true, "costs": { "RUNS_ON": 1 } }), (400, "bad_cost", "only nodes are removed")),
        (json!({ "to": "cursor" }), (422, "no_cut", "both where attackers start")),
        (json!({ "to": "nobody at all" }), (404, "node_not_found", "")),
    ] {
        let mut body = json!({ "from": "agents", "to": "critical" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        gateway.check_refusal(CUTS, Some(body), expected).await;
    }
    let costs: serde_json::Map<String, Value> = (0..101).map(|number| (format!("k{number}"), 1.into())).collect();
    let body = json!({ "from": "agents", "to": "critical", "costs": costs });
    gateway.check_refusal(CUTS, Some(body), (400, "too_many", "100 costs")).await;
}
