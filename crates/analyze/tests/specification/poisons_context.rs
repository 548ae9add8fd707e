//! `POISONS_CONTEXT`: an instructing text stands beside a tool that can be steered, in one agent.

use std::collections::BTreeSet;

use serde_json::json;
use tracehound_analyze::Analysis;
use tracehound_graph::{Graph, View as _};
use tracehound_model::EdgeKind;

use crate::commands::{have, machines};
use crate::estates::{Little, started, tooled};
use crate::expected::{Expected, Reader as _, cost};
use crate::{compare_on, edges};

const STEERABLE: [&str; 4] = ["shell_access", "code_execution", "credential_access", "email_send"];

fn defined(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    for source in graph.all("MCPTool").into_iter().filter(|source| graph.is(source, "has_injection_patterns")) {
        for sink in graph.all("MCPTool").into_iter().filter(|sink| *sink != source) {
            let powers = graph.list(&sink, "capability_surface");
            if !powers.iter().any(|power| STEERABLE.contains(&power.as_str())) {
                continue;
            }
            if let Some((agent, server, beside)) = way(graph, &source, &sink) {
                let path = vec![
                    format!("{agent} TRUSTS_SERVER {server}"),
                    format!("{server} PROVIDES_TOOL {source}"),
                    format!("{agent} TRUSTS_SERVER {beside}"),
                    format!("{beside} PROVIDES_TOOL {sink}"),
                ];
                all.push(Expected::new(&source, &sink, 0.6, 0.4, "mcp", path));
            }
        }
    }
    all
}

fn way(graph: &Graph, source: &str, sink: &str) -> Option<(String, String, String)> {
    let mut ways = Vec::new();
    for agent in graph.all("AgentInstance") {
        let trusted: BTreeSet<String> = graph.to(&agent, EdgeKind::TrustsServer).into_iter().collect();
        let has = |server: &str, tool: &str| {
            let on = machines(graph, server, &[(&agent, EdgeKind::TrustsServer, server)]);
            trusted.contains(server) && have(graph, server, &on, &[(EdgeKind::ProvidesTool, tool)])
        };
        let of = |tool: &str| {
            let mut servers = graph.from(tool, EdgeKind::ProvidesTool);
            servers.retain(|server| has(server, tool));
            servers
        };
        for server in of(source) {
            for beside in of(sink) {
                let trust = |server: &str| cost(graph, &agent, EdgeKind::TrustsServer, server);
                ways.push((trust(&server) + trust(&beside), agent.clone(), server.clone(), beside));
            }
        }
    }
    ways.into_iter().min().map(|(_, agent, server, beside)| (agent, server, beside))
}

#[test]
fn is_as_defined() {
    compare_on(tooled(), EdgeKind::PoisonsContext, defined);
    compare_on(started(), EdgeKind::PoisonsContext, defined);
}

#[test]
fn tools_that_no_agent_has_together_never_meet() {
    let mut estate = Little::default();
    estate.tool("s1", "t1", json!({ "has_injection_patterns": true }));
    estate.tool("s2", "t2", json!({ "capability_surface": ["shell_access"] }));
    for (agent, server) in [("a1", "s1"), ("a2", "s2")] {
        estate.node("AgentInstance", agent, json!({}));
        estate.edge(EdgeKind::TrustsServer, agent, server);
    }
    assert_eq!(edges(&estate, EdgeKind::PoisonsContext).len(), 0);
    estate.edge(EdgeKind::TrustsServer, "a2", "s1");
    assert_eq!(edges(&estate, EdgeKind::PoisonsContext), [("t1".into(), "t2".into())]);
}

#[test]
fn the_easiest_twenty_are_written_down_and_all_are_counted() {
    let mut estate = Little::default();
    estate.node("AgentInstance", "a", json!({}));
    estate.tool("s", "source", json!({ "has_injection_patterns": true }));
    estate.edge(EdgeKind::TrustsServer, "a", "s");
    for number in 0..30 {
        // Of thirty, every third demands nothing, and every third a key.
        let server = format!("s{number:02}");
        let auth = ["mtls", "none", "apiKey"][number % 3];
        estate.node("MCPServer", &server, json!({ "auth_method": auth }));
        estate.node("MCPTool", &format!("t{number:02}"), json!({ "capability_surface": ["email_send"] }));
        estate.edge(EdgeKind::ProvidesTool, &server, &format!("t{number:02}"));
        estate.edge(EdgeKind::TrustsServer, "a", &server);
    }
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::PoisonsContext);
    let written: Vec<String> = relation.iter().map(|(_, _, sink, _)| graph.id(sink).into_owned()).collect();
    let expected: Vec<String> =
        (0..30).filter(|number| number % 3 != 0).map(|number| format!("t{number:02}")).collect();
    assert_eq!((written, relation.total()), (expected, 30));
}

#[test]
fn thousands_of_tools_of_one_agent_are_counted() {
    let mut estate = Little::default();
    estate.node("AgentInstance", "a", json!({}));
    let tool = json!({ "has_injection_patterns": true, "capability_surface": ["shell_access"] });
    for number in 0..3000 {
        let server = format!("s{}", number.min(1500));
        estate.tool(&server, &format!("t{number:04}"), tool.clone());
        estate.edge(EdgeKind::TrustsServer, "a", &server);
    }
    let graph = estate.graph();
    let analysis = Analysis::of(&graph);
    let relation = analysis.derived.of(EdgeKind::PoisonsContext);
    assert_eq!((relation.len(), relation.total()), (3000 * 20, 3000 * 2999));
}
