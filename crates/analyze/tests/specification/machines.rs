//! Paths through commands that are started on several machines stay on one.

use std::collections::BTreeSet;

use serde_json::json;
use tracehound_analyze::choke::{self, Between, FixCosts};
use tracehound_analyze::routes::{Allowed, Direction, reach};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::{Analysis, Changes, Picture};
use tracehound_graph::{Access, Estate, Graph, Limits, Moment, NodeIx, Point, View as _};
use tracehound_model::EdgeKind;

use crate::again::everything;
use crate::drawn::{drawn, read};

/// The graph of drawings, each the scan of a machine. All of them cover the server `s`.
fn scanned(scans: &[(&str, &str)]) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let mut estate = Estate::open(folder.path(), "default", Access::Write, Limits::default()).unwrap();
    for (number, (origin, drawing)) in (1..).zip(scans) {
        let (nodes, edges) = read(drawing.lines());
        let document = json!({
            "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": format!("s{number}"),
                      "timestamp": format!("2026-01-0{number}T00:00:00Z"),
                      "extra": { "origin": origin, "covers": { "nodes": ["s"], "ports": [] } } },
            "graph": { "nodes": nodes, "edges": edges },
        });
        estate.ingest(document.to_string().as_bytes(), Moment(i64::MAX)).unwrap();
    }
    estate.graph(&Point::Now).unwrap()
}

/// The ids that an attacker gets to from a node.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let analysis = Analysis::of(graph);
    let picture = Picture::new(graph, &analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let places = terrain.places(&[graph.find(from).unwrap()]);
    let reached = reach(terrain.arcs(), &places, Direction::Forward, Allowed::Every, None);
    let nodes = reached.nodes.iter().filter_map(|reached| terrain.node(reached.node));
    nodes.map(|node| graph.id(node).into_owned()).collect()
}

/// A command that an agent of this name is told to start, with one tool.
fn machine(agent: &str, rest: &str) -> String {
    format!(
        "{agent} AgentInstance\n s MCPServer {{\"transport\":\"stdio\"}}\n {agent} TRUSTS_SERVER s\n \
         t MCPTool {{\"capability_surface\":[\"file_read\"]}}\n s PROVIDES_TOOL t\n {rest}"
    )
}

const FILE: &str = "r MCPResource {\"uri\":\"file:///srv/payroll\"}\n s PROVIDES_RESOURCE r";
const OTHER_TOOL: &str = "u MCPTool {\"capability_surface\":[\"file_read\"]}\n s PROVIDES_TOOL u";

fn ids(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|id| (*id).to_owned()).collect()
}

#[test]
fn what_one_machine_shows_is_not_reached_from_another() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn what_both_machines_show_is_reached_from_both_whoever_came_last() {
    let graph = scanned(&[("m", &machine("a", FILE)), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn a_tool_of_one_machine_does_not_open_files_of_another() {
    let graph = scanned(&[("m", &machine("a", OTHER_TOOL)), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t", "u"]));
}

#[test]
fn what_a_machine_shows_no_longer_is_not_reached_there() {
    let scans = [("m", machine("a", FILE)), ("n", machine("b", FILE)), ("m", machine("a", ""))];
    let graph = scanned(&scans.each_ref().map(|(origin, drawing)| (*origin, drawing.as_str())));
    assert_eq!(reached(&graph, "a"), ids(&["a", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn a_machine_that_never_showed_what_a_command_provides_may_have_what_others_showed() {
    let configured = "a AgentInstance\n s MCPServer {\"transport\":\"stdio\"}\n a TRUSTS_SERVER s";
    let graph = scanned(&[("m", configured), ("n", &machine("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
}

#[test]
fn what_a_document_without_a_machine_shows_may_be_on_any() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", "")), ("", &format!("s MCPServer\n {FILE}"))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
    assert_eq!(reached(&graph, "b"), ids(&["b", "r", "s", "t"]));
}

#[test]
fn what_is_reached_over_the_network_is_reached_from_everywhere() {
    let network = |agent: &str, rest: &str| machine(agent, rest).replace("stdio", "http");
    let graph = scanned(&[("m", &network("a", "")), ("n", &network("b", FILE))]);
    assert_eq!(reached(&graph, "a"), ids(&["a", "r", "s", "t"]));
}

#[test]
fn a_command_is_removed_on_each_of_its_machines_by_itself() {
    let graph = scanned(&[("m", &machine("a", FILE)), ("n", &machine("b", FILE))]);
    let analysis = Analysis::of(&graph);
    let picture = Picture::new(&graph, &analysis);
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let [a, b, r, s] = ["a", "b", "r", "s"].map(|id| graph.find(id).unwrap());
    let removed = |sources: &[NodeIx]| {
        let cut = choke::nodes(&picture, &terrain, Between { sources, targets: &[r] }, &FixCosts::default()).unwrap();
        let on = |removal: choke::Removal| (removal.node, removal.machine.unwrap_or_default());
        (cut.cost, cut.removals.into_iter().map(on).collect::<Vec<_>>())
    };
    assert_eq!(removed(&[a]), (1, vec![(s, "m".to_owned())]));
    assert_eq!(removed(&[a, b]), (2, vec![(s, "m".to_owned()), (s, "n".to_owned())]));
}

/// What an agent reaches by the composite edges of a kind.
fn composite(graph: &Graph, kind: EdgeKind, from: &str) -> BTreeSet<String> {
    let analysis = Analysis::of(graph);
    let from = graph.find(from).unwrap();
    analysis.derived.outgoing(kind, from).map(|(to, _)| graph.id(to).into_owned()).collect()
}

#[test]
fn an_agent_reaches_what_its_own_machine_shows() {
    let graph = scanned(&[("m", &machine("a", "")), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&graph, EdgeKind::CanReach, "a"), ids(&[]));
    assert_eq!(composite(&graph, EdgeKind::CanReach, "b"), ids(&["r"]));
    let both = scanned(&[("m", &machine("a", FILE)), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&both, EdgeKind::CanReach, "a"), ids(&["r"]));
    let never_asked = "a AgentInstance\n s MCPServer {\"transport\":\"stdio\"}\n a TRUSTS_SERVER s";
    let graph = scanned(&[("m", never_asked), ("n", &machine("b", FILE))]);
    assert_eq!(composite(&graph, EdgeKind::CanReach, "a"), ids(&["r"]));
}

#[test]
fn what_is_gone_on_one_machine_alone_is_noticed() {
    let scans = [("m", machine("a", FILE)), ("n", machine("b", FILE)), ("m", machine("a", ""))];
    let scans = scans.each_ref().map(|(origin, drawing)| (*origin, drawing.as_str()));
    let (before, after) = (scanned(&scans[..2]), scanned(&scans));
    let again = Analysis::again(&after, &Analysis::of(&before), &Changes::between(&before, &after));
    assert_eq!(everything(&after, &again), everything(&after, &Analysis::of(&after)));
    assert!(again.ran.contains(&"can_reach"), "{:?}", again.ran);
}

/// However many resources a command has, those that an agent reaches are counted.
#[test]
fn what_is_not_written_down_is_counted_by_machine() {
    let files = |range: std::ops::Range<u32>| {
        let one = |number| {
            format!("r{number} MCPResource {{\"uri\":\"file:///srv/{number}\"}}\n s PROVIDES_RESOURCE r{number}\n")
        };
        range.map(one).collect::<String>()
    };
    let graph = scanned(&[("m", &machine("a", &files(0..130))), ("n", &machine("b", &files(100..400)))]);
    let analysis = Analysis::of(&graph);
    let count = |agent: &str| analysis.derived.of(EdgeKind::CanReach).count(graph.find(agent).unwrap());
    assert_eq!((count("a"), count("b")), (130, 300));
}

/// A command on two machines, on each of which an agent uses it.
const COMMAND: &str = r#"
    a AgentInstance
    b AgentInstance
    s MCPServer {"transport":"stdio"}
    t MCPTool {"capability_surface":["file_read"]}
    h1 Host {"hostname":"m"}
    h2 Host {"hostname":"n"}
    a TRUSTS_SERVER s {"origin":"m"}
    b TRUSTS_SERVER s {"origin":"n"}
    s RUNS_ON h1 {"origin":"m"}
    s RUNS_ON h2 {"origin":"n"}
    s PROVIDES_TOOL t
"#;

/// A server over the network with a database, and a secret that opens it.
const BEHIND: &str = r#"
    d MCPServer {"auth_method":"oauth","transport":"http"}
    q MCPTool {"capability_surface":["database_access"]}
    r MCPResource {"uri":"postgres://prod/x","sensitivity":"critical"}
    i Identity
    c Credential {"value_hash":"v"}
    d PROVIDES_TOOL q
    d PROVIDES_RESOURCE r
    d AUTHENTICATES_WITH i
    i USES_CREDENTIAL c
    d HAS_ENV_VAR c {"origin":"n"}
"#;

/// Whom the composite edges of a kind connect, sorted.
#[track_caller]
fn check(kind: EdgeKind, drawing: &str, expected: &[&str]) {
    let graph = drawn(drawing);
    let analysis = Analysis::of(&graph);
    let ends = analysis.derived.of(kind).iter().map(|(_, from, to, _)| format!("{} {}", graph.id(from), graph.id(to)));
    assert_eq!(ends.collect::<BTreeSet<_>>(), ids(expected));
    assert_eq!(analysis.derived.of(kind).total(), expected.len() as u64);
}

#[test]
fn a_tool_has_access_to_what_is_on_a_machine_with_it() {
    let file = |origin: &str| {
        let shown = COMMAND.replace("s PROVIDES_TOOL t", "s PROVIDES_TOOL t {\"origin\":\"m\"}");
        let file = "f MCPResource {\"uri\":\"file:///srv/x\"}\n s PROVIDES_RESOURCE f";
        format!("{shown}\n{file} {{\"origin\":\"{origin}\"}}")
    };
    check(EdgeKind::HasAccessTo, &file("m"), &["t f"]);
    check(EdgeKind::HasAccessTo, &file("n"), &[]);
    check(EdgeKind::HasAccessTo, &file("n").replace("stdio", "http"), &["t f"]);
    // A machine that starts the command and was never asked may have both.
    check(EdgeKind::HasAccessTo, &format!("{}\n h3 Host\n s RUNS_ON h3 {{\"origin\":\"o\"}}", file("n")), &["t f"]);
    // Nor does an agent get at it whose machine nobody knows.
    check(EdgeKind::CanReach, &file("n").replace("a TRUSTS_SERVER s {\"origin\":\"m\"}", "a TRUSTS_SERVER s"), &[]);
}

#[test]
fn untrusted_content_stays_on_the_machine_that_brings_it_in() {
    let flow = |origin: &str| {
        let writer =
            "u MCPTool {\"capability_surface\":[\"file_write\"]}\n v MCPTool\n s PROVIDES_TOOL v {\"origin\":\"m\"}";
        let file = "f MCPResource {\"uri\":\"file:///srv/x\"}\n s PROVIDES_RESOURCE f\n v INGESTS_UNTRUSTED f";
        format!("{COMMAND}\n{writer}\n{file} {{\"origin\":\"m\"}}\n s PROVIDES_TOOL u {{\"origin\":\"{origin}\"}}")
    };
    check(EdgeKind::IfcViolation, &flow("m"), &["v u"]);
    check(EdgeKind::IfcViolation, &flow("n"), &[]);
    check(EdgeKind::IfcViolation, &flow("n").replace("stdio", "http"), &["v u"]);
}

#[test]
fn a_tool_runs_commands_on_the_machines_that_show_it() {
    let shell = "u MCPTool {\"capability_surface\":[\"shell_access\"]}";
    check(EdgeKind::CanExecute, &format!("{COMMAND}\n{shell}\n s PROVIDES_TOOL u"), &["u h1", "u h2"]);
    let on_one = format!("{COMMAND}\n{shell}\n s PROVIDES_TOOL u {{\"origin\":\"m\"}}");
    check(EdgeKind::CanExecute, &on_one, &["u h1", "u h2"]);
    let both_asked = format!("{on_one}\n v MCPTool\n s PROVIDES_TOOL v {{\"origin\":\"n\"}}");
    check(EdgeKind::CanExecute, &both_asked, &["u h1"]);
}

#[test]
fn a_secret_is_read_by_who_uses_the_reader_on_its_machine() {
    check(EdgeKind::CanReach, &format!("{COMMAND}\n{BEHIND}"), &["b r"]);
    // The same command over the network is used from everywhere.
    check(EdgeKind::CanReach, &format!("{COMMAND}\n{BEHIND}").replace("stdio", "http"), &["a r", "b r"]);
}

#[test]
fn a_secret_is_read_by_a_tool_of_its_machine() {
    let shown = COMMAND.replace("s PROVIDES_TOOL t", "s PROVIDES_TOOL t {\"origin\":\"m\"}");
    check(EdgeKind::CanReach, &format!("{shown}\n{BEHIND}"), &["b r"]);
    let both_asked = format!("{shown}\n{BEHIND}\n v MCPTool\n s PROVIDES_TOOL v {{\"origin\":\"n\"}}");
    check(EdgeKind::CanReach, &both_asked, &[]);
}

#[test]
fn a_secret_that_a_command_is_given_on_one_machine_is_used_from_there() {
    let no_reader = COMMAND.replace("file_read", "email_send");
    let twice = "e Credential {\"value_hash\":\"v\"}\n s HAS_ENV_VAR e {\"origin\":\"m\"}";
    check(EdgeKind::CanReach, &format!("{no_reader}\n{BEHIND}\n{twice}"), &["a r"]);
    let service = "g LiteLLMGateway\n k Credential {\"value_hash\":\"v\"}\n o Credential {\"value_hash\":\"w\"}\n \
                   g EXPOSES_CREDENTIAL k\n g EXPOSES_CREDENTIAL o";
    check(EdgeKind::CanReach, &format!("{no_reader}\n{twice}\n{service}"), &["a o"]);
}

#[test]
fn a_secret_opens_a_command_where_it_is_given_to_it() {
    // The secret is given on one machine, and what it opens was shown on the other.
    let opened =
        BEHIND.replace("\"http\"", "\"stdio\"").replace("d PROVIDES_TOOL q", "d PROVIDES_TOOL q {\"origin\":\"n\"}");
    check(EdgeKind::CanReach, &format!("{COMMAND}\n{opened}"), &["b r"]);
    let elsewhere = opened.replace("d PROVIDES_RESOURCE r", "d PROVIDES_RESOURCE r {\"origin\":\"m\"}");
    check(EdgeKind::CanReach, &format!("{COMMAND}\n{elsewhere}"), &[]);
}

#[test]
fn an_agent_on_the_network_finds_what_its_own_machine_shows() {
    let network = "x A2AAgent\n x RUNS_ON h1\n f MCPResource {\"uri\":\"file:///srv/x\"}\n s PROVIDES_RESOURCE f";
    check(EdgeKind::CanReach, &format!("{COMMAND}\n{network}"), &["a f", "b f", "x f"]);
    let elsewhere =
        format!("{COMMAND}\n{network} {{\"origin\":\"n\"}}\n v MCPTool\n s PROVIDES_TOOL v {{\"origin\":\"m\"}}");
    check(EdgeKind::CanReach, &elsewhere, &["b f"]);
    // Nobody uses the command on the machine that the agent is on.
    let unused = format!("{COMMAND}\n{network}").replace("a TRUSTS_SERVER s {\"origin\":\"m\"}", "");
    check(EdgeKind::CanReach, &unused, &["b f"]);
}

#[test]
fn data_is_sent_out_by_a_tool_of_the_agents_machine() {
    let sender = "u MCPTool {\"capability_surface\":[\"email_send\"]}\n s PROVIDES_TOOL u {\"origin\":\"m\"}\n v MCPTool\n \
                  s PROVIDES_TOOL v {\"origin\":\"n\"}\n a TRUSTS_SERVER d\n b TRUSTS_SERVER d";
    check(EdgeKind::CanExfiltrateVia, &format!("{COMMAND}\n{BEHIND}\n{sender}"), &["a u"]);
}

/// Two commands, each shown on a machine of its own.
fn two_commands(other: &str) -> String {
    let first = "{\"name\":\"first_tool\",\"description\":\"better than query_db\",\"has_injection_patterns\":true,\
                 \"schema_keys\":[\"path\",\"url\"],\"source_trust\":\"private\"}";
    let second = "{\"name\":\"query_db\",\"capability_surface\":[\"shell_access\"],\"schema_keys\":[\"path\",\"url\"]}";
    format!(
        "s1 MCPServer {{\"transport\":\"stdio\"}}\n s2 MCPServer {{\"transport\":\"stdio\"}}\n t1 MCPTool {first}\n \
         t2 MCPTool {second}\n s1 PROVIDES_TOOL t1 {{\"origin\":\"m\"}}\n s2 PROVIDES_TOOL t2 {{\"origin\":\"{other}\"}}"
    )
}

#[test]
fn commands_on_different_machines_do_not_speak_of_each_other() {
    for kind in [EdgeKind::Shadows, EdgeKind::Taints] {
        check(kind, &two_commands("m"), &["t1 t2"]);
        check(kind, &two_commands("n"), &[]);
        check(kind, &two_commands("n").replacen("stdio", "http", 1), &["t1 t2"]);
        // A machine that starts the command and was never asked may have the tool.
        let silent = format!("{}\n h Host\n s1 RUNS_ON h {{\"origin\":\"n\"}}", two_commands("n"));
        check(kind, &silent, &["t1 t2"]);
    }
}

#[test]
fn an_agent_has_the_tools_of_its_own_machine_in_its_context() {
    let trusted = |origin: &str| {
        format!(
            "{}\n a AgentInstance\n a TRUSTS_SERVER s1 {{\"origin\":\"m\"}}\n a TRUSTS_SERVER s2 {{\"origin\":\"m\"}}\n \
             t3 MCPTool\n s2 PROVIDES_TOOL t3 {{\"origin\":\"{origin}\"}}",
            two_commands("n")
        )
    };
    check(EdgeKind::PoisonsContext, &trusted("n"), &["t1 t2"]);
    check(EdgeKind::PoisonsContext, &trusted("m"), &[]);
}
