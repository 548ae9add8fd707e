//! The server answers what the command line answers, about the same estate.

use serde_json::{Value, json};

use crate::gateway::{Server, ask};
use crate::harness::Place;

/// The sample estate, a server over it, and the token of somebody who may read.
struct Both {
    place: Place,
    server: Server,
    token: String,
}

impl Both {
    fn new() -> Self {
        let place = Place::with_demo();
        let added = place.json(&["people", "add", "ada", "--role", "auditor"]);
        let token = added["token"].as_str().unwrap().to_owned();
        let server = Server::start(&place);
        Self { place, server, token }
    }

    fn get(&self, path: &str) -> Value {
        self.asked("GET", path, None)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.asked("POST", path, Some(body))
    }

    fn asked(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = ask(&self.server.address, method, path, &self.token, body).unwrap();
        assert_eq!(status, 200, "{path} {body:?}: {answer}");
        answer
    }

    fn end(self) {
        self.server.kill();
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// The ids that a path of the server goes through.
fn nodes_of(path: &Value) -> Vec<Value> {
    let steps = list(&path["steps"]);
    let first = steps.first().map(|step| step["source"]["id"].clone());
    first.into_iter().chain(steps.iter().map(|step| step["target"]["id"].clone())).collect()
}

#[test]
fn paths_and_what_is_reached_are_those_of_the_command_line() {
    let both = Both::new();
    for (from, to, by) in
        [("agents", "critical", "weight"), ("cursor", "credentials", "hops"), ("untrusted", "hosts", "weight")]
    {
        let told = both.place.json(&["path", from, to, "--by", by, "-k", "5"]);
        let asked = both.post("/v1/estate/paths", &json!({ "from": from, "to": to, "by": by, "k": 5 }));
        assert_eq!(list(&told["paths"]).len(), list(&asked["paths"]).len(), "{from} {to}");
        for (one, other) in list(&told["paths"]).iter().zip(list(&asked["paths"])) {
            let ids: Vec<Value> = list(&one["nodes"]).iter().map(|node| node["id"].clone()).collect();
            assert_eq!((ids, &one["weight"]), (nodes_of(other), &other["weight"]), "{from} {to}");
            for (hop, step) in list(&one["hops"]).iter().zip(list(&other["steps"])) {
                assert_eq!((&hop["kind"], &hop["evidence"]), (&step["kind"], &step["evidence"]));
                assert_eq!(hop["direction"] == "against", step["reversed"].as_bool().unwrap());
            }
        }
    }
    for (from, direction) in [("cursor", "forward"), ("critical", "reverse")] {
        let mut arguments = vec!["reach", from];
        arguments.extend((direction == "reverse").then_some("--reverse"));
        let told = both.place.json(&arguments);
        let asked = both.post("/v1/estate/reach", &json!({ "from": from, "direction": direction }));
        let rings = list(&told["rings"]).iter();
        let told_nodes: Vec<(Value, Value)> = rings
            .flat_map(|ring| list(&ring["nodes"]).iter().map(|node| (ring["hops"].clone(), node["id"].clone())))
            .collect();
        let asked_nodes: Vec<(Value, Value)> = list(&asked["nodes"])
            .iter()
            .map(|reached| (reached["distance"].clone(), reached["node"]["id"].clone()))
            .collect();
        assert_eq!(told_nodes, asked_nodes, "{from}");
    }
    both.end();
}

#[test]
fn cuts_what_if_questions_and_nodes_are_those_of_the_command_line() {
    let both = Both::new();
    let told = both.place.json(&["chokepoints", "agents", "critical"]);
    let asked = both.post("/v1/estate/cuts", &json!({ "from": "agents", "to": "critical" }));
    assert_eq!(told["cost"], asked["value"]);
    let changes = |value: &Value| -> Vec<Value> { list(value).iter().map(|it| it["change"].clone()).collect() };
    assert_eq!(changes(&told["changes"]), changes(&asked["cuts"]));

    let told = both.place.json(&["what-if", "--remove-node", "MCPServer:files"]);
    let body = json!({ "remove_nodes": ["MCPServer:files"], "from": "agents", "to": "critical", "k": 1 });
    let asked = both.post("/v1/estate/what-if", &body);
    let fingerprints =
        |value: &Value| -> Vec<Value> { list(value).iter().map(|it| it["fingerprint"].clone()).collect() };
    assert_eq!(fingerprints(&told["findings_gone"]), fingerprints(&asked["gone"]));
    assert_eq!(list(&told["scores"]).len() as u64, asked["scores_total"].as_u64().unwrap());
    assert_eq!(told["path"]["after"]["weight"], asked["paths_after"]["paths"][0]["weight"]);

    let told = both.place.json(&["ask", "no-auth-servers"]);
    let asked = both.post("/v1/estate/questions/no-auth-servers", &json!({}));
    assert_eq!((&told["rows"], &told["total"]), (&asked["rows"], &asked["total"]));

    let told = both.place.json(&["graph", "show", "MCPServer:files"]);
    let asked = both.get("/v1/estate/nodes/MCPServer:files");
    assert_eq!(
        (&told["id"], list(&told["scans"]).len() as u64),
        (&asked["id"], asked["history"]["scans"].as_u64().unwrap())
    );
    for (key, value) in told["properties"].as_object().unwrap() {
        assert_eq!(*value, asked["properties"][key], "{key}");
    }

    let told = both.place.json(&["rules", "list"]);
    let asked = both.get("/v1/estate/rules");
    let ids = |value: &Value| -> Vec<Value> { list(value).iter().map(|it| it["id"].clone()).collect() };
    assert_eq!(ids(&told), ids(&asked["items"]));
    both.end();
}
