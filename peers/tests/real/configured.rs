//! A home folder whose client names one server, scanned into an estate: what the graph then shows.

use serde_json::{Value, json};

use crate::harness::{Graph, Mark, Place, texts};

/// What the graph shows behind the one agent of the home.
pub(crate) struct Shown {
    graph: Graph,
    /// What the report of the scan said, for messages.
    report: Value,
}

/// Scans a home in which Cursor names one server, live, and returns the estate's graph.
pub(crate) fn scanned(server: &Value) -> Shown {
    let place = Place::new();
    let home = place.path("home");
    let mark = Mark::new();
    let mut server = server.clone();
    if server["command"].is_string() {
        server["env"] = json!({ "PEER_MARK": mark.word() });
    }
    place.write("home/.cursor/mcp.json", json!({ "mcpServers": { "peer": server } }).to_string());
    let home = home.to_str().unwrap();
    let claimed = place.path("claimed.json");
    let ran = place.run(&["scan", "--home", home, "--no-store", "--output", claimed.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let claimed = Graph::of(serde_json::from_slice(&std::fs::read(claimed).unwrap()).unwrap());

    let report = place.json(&["scan", "--home", home, "--mcp", "--start", "--timeout", "60"]);
    mark.expect_none();
    let ran = place.run(&["graph", "export"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let graph = Graph::of(serde_json::from_str(&ran.out).unwrap());
    // INVARIANT: what the configuration says and what the server answers are one node.
    assert_eq!(graph.only("MCPServer")["id"], claimed.only("MCPServer")["id"]);
    Shown { graph, report }
}

impl Shown {
    /// The one server, reached from the agent that trusts it.
    pub(crate) fn server(&self) -> &Value {
        let agent = self.graph.only("AgentInstance");
        let servers = self.graph.behind(agent, "TRUSTS_SERVER");
        assert_eq!(servers.len(), 1, "{}", self.report);
        assert_eq!(servers[0]["properties"]["status"], "reachable", "{}", self.report);
        servers[0]
    }

    /// The names of its tools.
    pub(crate) fn tools(&self) -> Vec<&str> {
        texts(&self.graph.behind(self.server(), "PROVIDES_TOOL"), "name")
    }

    /// The addresses of its resources.
    pub(crate) fn resources(&self) -> Vec<&str> {
        texts(&self.graph.behind(self.server(), "PROVIDES_RESOURCE"), "uri")
    }

    /// The names of its prompts.
    pub(crate) fn prompts(&self) -> Vec<&str> {
        texts(&self.graph.behind(self.server(), "PROVIDES_PROMPT"), "name")
    }
}
