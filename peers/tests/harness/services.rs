//! What a scan of addresses says of the services there.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::harness::{Graph, Place};

/// Scans addresses, stores nothing, and gives back the document.
#[track_caller]
pub(crate) fn scanned(targets: &[&str]) -> Graph {
    let place = Place::new();
    let file = place.path("document.json");
    let mut arguments = vec!["scan"];
    arguments.extend(targets);
    arguments.extend(["--format", "json", "--no-store", "--output", file.to_str().unwrap()]);
    let ran = place.run(&arguments);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    Graph::of(serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())
}

/// The services of a graph, whatever they are.
pub(crate) fn services(graph: &Graph) -> Vec<&Value> {
    let kinds = |node: &Value| node["kinds"].as_array().unwrap().contains(&json!("AIService"));
    graph.all().into_iter().filter(|node| kinds(node)).collect()
}

/// Scans one address and compares what is there: this service, this one alone, with these properties. A property that
/// is expected to be null is not there.
#[track_caller]
pub(crate) fn check_service(url: &str, kind: &str, properties: &Value) {
    let graph = scanned(&[url]);
    let found = services(&graph);
    assert_eq!(found.len(), 1, "{found:#?}");
    let node = found[0];
    assert_eq!(node["kinds"], json!([kind, "AIService"]));
    assert_eq!(node["id"], id(kind, url));
    assert_eq!(
        (&node["properties"]["endpoint"], &node["properties"]["discovered_via"]),
        (&json!(url), &json!("network_scan"))
    );
    for (key, expected) in properties.as_object().unwrap() {
        assert_eq!(&node["properties"][key], expected, "`{key}` of {node:#}");
    }
    let hosts = graph.behind(node, "RUNS_ON");
    assert_eq!(hosts.len(), 1, "{graph:#?}");
}

/// The id of a service: its kind and its address, hashed as the wire says.
fn id(kind: &str, url: &str) -> String {
    let hash = Sha256::digest(format!("{kind}:{url}"));
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}
