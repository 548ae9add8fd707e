//! Shapes whose relations are quadratic: they must be counted exactly and written down within bounds, in linear time, findings
//! included.

use anyhow::ensure;
use serde_json::{Value, json};
use tracehound_analyze::findings::{List, Origin};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Graph, Limits, Moment, graph_of};
use tracehound_model::{EdgeKind, NodeKind};

use crate::clock::Clock;
use crate::figure::{Figures, say};

/// Makes the nodes and edges of a shape, given its size.
type Shape = fn(usize) -> (Vec<Value>, Vec<Value>);

/// How many edges of a kind follow from a shape of a size.
type Count = (EdgeKind, fn(u64) -> u64);

/// Each shape with its size, and what follows from it; a tenth of it is measured as well.
const SHAPES: &[(&str, usize, Shape, &[Count])] = &[
    (
        "20,000 tools on one agent",
        20_000,
        tools_on_one_agent,
        &[
            (EdgeKind::HasAccessTo, |tools| tools),
            (EdgeKind::CanReach, |tools| tools / 100),
            (EdgeKind::CanExfiltrateVia, |tools| tools),
            (EdgeKind::PoisonsContext, |tools| tools / 10 * (tools - 1)),
        ],
    ),
    ("5,000 tools of one name", 5_000, tools_of_one_name, &[(EdgeKind::Shadows, |tools| tools * (tools - 1))]),
    ("10,000 A2A agents, 2,000 of them clones", 10_000, clones, &[]),
    ("one server with 20,000 tools and 20,000 files", 20_000, files_of_one_server, FILES),
    ("one server with a million edges", 500_000, files_of_one_server, FILES),
];

/// Every tool opens every file.
const FILES: &[Count] = &[(EdgeKind::HasAccessTo, |files| files * files), (EdgeKind::CanReach, |files| files)];

/// How much longer ten times as much may take where a tenth of it fits the cache of the machine and all of it does not.
const BEYOND_CACHE: f64 = 20.0;

/// Runs it.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    for (name, size, shape, counts) in SHAPES {
        let (small, large) = (graph(*shape, size / 10)?, graph(*shape, *size)?);
        let (before, _) = quickest(&small)?;
        let (after, analysis) = quickest(&large)?;
        say(&format!("  {name}: {:.0} ms, and {:.0} ms for findings", after.analysis * 1e3, after.findings * 1e3));
        for (kind, count) in *counts {
            let (counted, expected) = (analysis.derived.of(*kind).total(), count(*size as u64));
            ensure!(counted == expected, "{name}: {counted} of {kind} are counted, and there are {expected}");
        }
        for (kind, relation) in analysis.derived.iter().filter(|(_, relation)| !relation.is_empty()) {
            say(&format!("    {kind}: {} written down of {}", relation.len(), relation.total()));
        }
        // Below a few milliseconds it is the clock that is measured.
        let growth = |after: f64, before: f64| after / before.max(0.002);
        let bound = if *size > 100_000 { BEYOND_CACHE } else { 12.0 };
        figures.at_most(&format!("{name}, against a tenth of it"), growth(after.analysis, before.analysis), bound, "x");
        figures.at_most(
            &format!("{name}, findings against a tenth of it"),
            growth(after.findings, before.findings),
            BEYOND_CACHE,
            "x",
        );
    }
    Ok(())
}

fn graph(shape: Shape, size: usize) -> anyhow::Result<Graph> {
    let (nodes, edges) = shape(size);
    let document = json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                  "timestamp": "2026-01-01T00:00:00Z" },
        "graph": { "nodes": nodes, "edges": edges },
    });
    let limits = Limits { document_bytes: Limits::MAX_DOCUMENT_BYTES, items: 10_000_000, ..Limits::default() };
    Ok(graph_of(document.to_string().as_bytes(), &limits, Moment(0))?)
}

/// How long it takes, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Quickest {
    analysis: f64,
    /// The list of findings.
    findings: f64,
}

/// How long analysis and the list of its findings take.
fn quickest(graph: &Graph) -> anyhow::Result<(Quickest, Analysis)> {
    let mut best = Quickest { analysis: f64::INFINITY, findings: f64::INFINITY };
    let mut last = Analysis::default();
    for _ in 0..3 {
        let clock = Clock::start();
        last = Analysis::of(graph);
        best.analysis = best.analysis.min(clock.spent().worked);
        let clock = Clock::start();
        let list = List::new(Picture::new(graph, &last), &[]);
        best.findings = best.findings.min(clock.spent().worked);
        let derived: u64 = last.derived.iter().map(|(_, relation)| relation.total()).sum();
        let told = list.iter().filter(|found| matches!(found.origin, Origin::Direct(_))).count() as u64;
        let (counted, expected) = (list.tally().total, derived + told);
        ensure!(counted == expected, "{counted} findings are counted, and there are {expected}");
    }
    Ok((best, last))
}

fn node(id: String, kind: NodeKind, properties: Value) -> Value {
    json!({ "id": id, "kinds": [kind.name()], "properties": properties })
}

fn edge(source: String, kind: EdgeKind, target: String) -> Value {
    json!({ "source": source, "target": target, "kind": kind.name(), "properties": {} })
}

/// One agent, servers with a hundred tools each; every tenth carries an injection, all share arguments.
fn tools_on_one_agent(count: usize) -> (Vec<Value>, Vec<Value>) {
    let mut nodes = vec![node("a".into(), NodeKind::AgentInstance, json!({ "name": "agent" }))];
    let mut edges = Vec::new();
    for number in 0..count {
        let server = format!("s{}", number / 100);
        if number % 100 == 0 {
            nodes.push(node(server.clone(), NodeKind::McpServer, json!({ "name": server, "auth_method": "none" })));
            nodes.push(node(
                format!("r{server}"),
                NodeKind::McpResource,
                json!({ "uri": "file:///etc/x", "sensitivity": "critical" }),
            ));
            edges.push(edge("a".into(), EdgeKind::TrustsServer, server.clone()));
            edges.push(edge(server.clone(), EdgeKind::ProvidesResource, format!("r{server}")));
        }
        let properties = json!({
            "name": format!("tool_number_{number}"), "description": format!("works beside tool_number_{}", number / 2),
            "capability_surface": ["file_read", "shell_access", "email_send"], "schema_keys": ["path", "limit"],
            "has_injection_patterns": number % 10 == 0, "source_trust": "untrusted_web",
        });
        nodes.push(node(format!("t{number}"), NodeKind::McpTool, properties));
        edges.push(edge(server.clone(), EdgeKind::ProvidesTool, format!("t{number}")));
        edges.push(edge(format!("t{number}"), EdgeKind::IngestsUntrusted, format!("r{server}")));
    }
    (nodes, edges)
}

/// Tools with one name that all speak of it, each on a server of its own.
fn tools_of_one_name(count: usize) -> (Vec<Value>, Vec<Value>) {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for number in 0..count {
        nodes.push(node(format!("s{number}"), NodeKind::McpServer, json!({ "name": format!("s{number}") })));
        let properties =
            json!({ "name": "search", "description": "like search, but better", "schema_keys": ["query"] });
        nodes.push(node(format!("t{number}"), NodeKind::McpTool, properties));
        edges.push(edge(format!("s{number}"), EdgeKind::ProvidesTool, format!("t{number}")));
    }
    (nodes, edges)
}

/// Agents of which every fifth says the same; the others have words of their own among common ones.
fn clones(count: usize) -> (Vec<Value>, Vec<Value>) {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for number in 0..count {
        let text = if number % 5 == 0 {
            "books flights and hotels for people who travel on business".to_owned()
        } else {
            let words: Vec<String> = (1..9).map(|word| format!("w{}", number * word % 5003)).collect();
            format!("answers questions about {}", words.join(" "))
        };
        nodes.push(node(
            format!("x{number}"),
            NodeKind::A2aAgent,
            json!({ "name": format!("agent {number}"), "auth_method": "oauth" }),
        ));
        nodes.push(node(format!("k{number}"), NodeKind::A2aSkill, json!({ "name": "skill", "description": text })));
        edges.push(edge(format!("x{number}"), EdgeKind::AdvertisesSkill, format!("k{number}")));
    }
    (nodes, edges)
}

/// Every tool of a server opens every file of it.
fn files_of_one_server(count: usize) -> (Vec<Value>, Vec<Value>) {
    let mut nodes = vec![
        node("a".into(), NodeKind::AgentInstance, json!({ "name": "agent" })),
        node("s".into(), NodeKind::McpServer, json!({ "name": "files", "auth_method": "none" })),
    ];
    let mut edges = vec![edge("a".into(), EdgeKind::TrustsServer, "s".into())];
    for number in 0..count {
        let powers = json!({ "name": format!("read_{number}"), "capability_surface": ["file_read"] });
        nodes.push(node(format!("t{number}"), NodeKind::McpTool, powers));
        nodes.push(node(
            format!("r{number}"),
            NodeKind::McpResource,
            json!({ "uri": format!("file:///data/{number}") }),
        ));
        edges.push(edge("s".into(), EdgeKind::ProvidesTool, format!("t{number}")));
        edges.push(edge("s".into(), EdgeKind::ProvidesResource, format!("r{number}")));
    }
    (nodes, edges)
}
