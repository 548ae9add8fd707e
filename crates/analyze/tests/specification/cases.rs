//! Single estates, each named after a fault that its like had elsewhere.

use proptest::prelude::*;
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{EdgeIx, View as _};
use tracehound_model::EdgeKind;

use crate::again::everything;
use crate::drawn::drawn;
use crate::estates::Little;
use crate::tight::tight;

/// The ends of all edges of a kind that follow from a drawing, sorted.
fn derived(kind: EdgeKind, drawing: &str) -> Vec<String> {
    let graph = drawn(drawing);
    let analysis = Analysis::of(&graph);
    let ends = analysis.derived.of(kind).iter().map(|(_, from, to, _)| format!("{} {}", graph.id(from), graph.id(to)));
    let mut ends: Vec<String> = ends.collect();
    ends.sort();
    ends
}

/// A server that anybody may ask to read files, and a server with a secret of its own and a database behind.
const TWO_SERVERS: &str = r#"
    a AgentInstance
    s1 MCPServer {"auth_method":"none"}
    t1 MCPTool {"capability_surface":["file_read"]}
    s2 MCPServer {"auth_method":"oauth"}
    t2 MCPTool {"capability_surface":["database_access"]}
    r MCPResource {"uri":"postgres://prod/x"}
    i Identity
    c Credential {"value_hash":"v","source":"/home/u/.cursor/mcp.json#s2"}
    h1 Host {"hostname":"m1"}
    h2 Host {"hostname":"m2"}
    a TRUSTS_SERVER s1
    s1 PROVIDES_TOOL t1
    s2 PROVIDES_TOOL t2
    s2 PROVIDES_RESOURCE r
    s2 AUTHENTICATES_WITH i
    i USES_CREDENTIAL c
    s1 RUNS_ON h1
"#;

#[test]
fn a_secret_on_another_machine_is_not_reached() {
    let reached = |rest: &str| derived(EdgeKind::CanReach, &format!("{TWO_SERVERS}\n{rest}"));
    assert_eq!(reached("s2 HAS_ENV_VAR c\n s2 RUNS_ON h2"), [""; 0]);
    assert_eq!(reached("s2 HAS_ENV_VAR c {\"origin\":\"m2\"}"), [""; 0]);
    assert_eq!(reached("s2 HAS_ENV_VAR c\n s2 RUNS_ON h1"), ["a r"]);
    assert_eq!(reached("s2 HAS_ENV_VAR c {\"origin\":\"M1\"}"), ["a r"]);
    // Where the machine is not known, a tool that reads files in general says nothing.
    assert_eq!(reached("s2 HAS_ENV_VAR c"), [""; 0]);
}

#[test]
fn a_secret_in_a_file_is_reached_by_who_reads_the_file() {
    let reached = |uri: &str, rest: &str| {
        let file = format!("f MCPResource {{\"uri\":\"{uri}\"}}\n s1 PROVIDES_RESOURCE f");
        derived(EdgeKind::CanReach, &format!("{TWO_SERVERS}\n{file}\n{rest}"))
    };
    assert_eq!(reached("file:///home/u/.cursor/mcp.json", "s2 HAS_ENV_VAR c"), ["a f", "a r"]);
    assert_eq!(reached("file:///home/u", "s2 HAS_ENV_VAR c"), ["a f", "a r"]);
    for elsewhere in ["file:///home", "file:///", "file:///home/u/.cur", "file:///srv/u"] {
        assert_eq!(reached(elsewhere, "s2 HAS_ENV_VAR c"), ["a f"], "{elsewhere}");
    }
    assert_eq!(reached("file:///home/u", "s2 HAS_ENV_VAR c\n s2 RUNS_ON h2"), ["a f"], "another machine");
}

#[test]
fn an_empty_or_short_resource_name_matches_nothing() {
    let named = |name: &str| {
        derived(
            EdgeKind::HasAccessTo,
            &format!(
                "s MCPServer\n t MCPTool {{\"description\":\"gets all of db and users\"}}\n \
                 r MCPResource {{\"name\":\"{name}\",\"uri\":\"https://x/y\"}}\n s PROVIDES_TOOL t\n s PROVIDES_RESOURCE r"
            ),
        )
    };
    for name in ["", " ", "db", "all", "gets a", "user", "????"] {
        assert_eq!(named(name), [""; 0], "`{name}`");
    }
    assert_eq!([named("users"), named("Users ")], [["t r"], ["t r"]]);
}

#[test]
fn postgresql_and_mongodb_srv_are_databases() {
    for scheme in ["postgresql", "mongodb+srv", "postgres", "PostgreSQL+asyncpg", "rediss"] {
        let drawing = format!(
            "s MCPServer\n t MCPTool {{\"capability_surface\":[\"database_access\"]}}\n \
             r MCPResource {{\"uri_scheme\":\"{scheme}\"}}\n s PROVIDES_TOOL t\n s PROVIDES_RESOURCE r"
        );
        assert_eq!(derived(EdgeKind::HasAccessTo, &drawing), ["t r"], "{scheme}");
    }
}

/// An agent on the network, two machines, and a server that somebody trusts on the second.
const NETWORK: &str = r#"
    x A2AAgent
    y A2AAgent {"auth_method":"oauth"}
    h1 Host {"hostname":"m1"}
    h2 Host {"hostname":"m2"}
    a AgentInstance
    s MCPServer
    t MCPTool {"capability_surface":["shell_access","database_access"]}
    r MCPResource {"uri":"redis://r"}
    a TRUSTS_SERVER s
    s PROVIDES_TOOL t
    s PROVIDES_RESOURCE r
    s RUNS_ON h2
"#;

#[test]
fn hosts_of_different_machines_do_not_mix() {
    let with = |rest: &str| format!("{NETWORK}\n{rest}");
    assert_eq!(derived(EdgeKind::CanReach, &with("x RUNS_ON h1")), ["a r"]);
    assert_eq!(derived(EdgeKind::CanReach, &with("x DELEGATES_TO y\n y RUNS_ON h1")), ["a r"]);
    assert_eq!(derived(EdgeKind::CanReach, &with("x DELEGATES_TO y\n y RUNS_ON h2")), ["a r", "x r"]);
    assert_eq!(derived(EdgeKind::CanExecute, NETWORK), ["t h2"]);
}

#[test]
fn an_open_agent_without_delegation_on_the_machine_is_found() {
    assert_eq!(derived(EdgeKind::CanReach, &format!("{NETWORK}\n x RUNS_ON h2")), ["a r", "x r"]);
    // An agent that asks who calls is none that anybody may call.
    assert_eq!(derived(EdgeKind::CanReach, &format!("{NETWORK}\n y RUNS_ON h2")), ["a r"]);
}

#[test]
fn open_webuis_secrets_are_joined_as_litellms_are() {
    for service in ["LiteLLMGateway", "OpenWebUIInstance", "MLflowServer"] {
        let drawing = format!(
            "a AgentInstance\n s MCPServer\n g {service} {{\"name\":\"the gateway\"}}\n \
             c1 Credential {{\"value_hash\":\"v\"}}\n c2 Credential {{\"value_hash\":\"v\"}}\n \
             c3 Credential {{\"value_hash\":\"w\",\"provider\":\"openai\"}}\n a TRUSTS_SERVER s\n s HAS_ENV_VAR c1\n \
             g EXPOSES_CREDENTIAL c2\n g EXPOSES_CREDENTIAL c3"
        );
        assert_eq!(derived(EdgeKind::CanReach, &drawing), ["a c3"], "{service}");
        let graph = drawn(&drawing);
        let analysis = Analysis::of(&graph);
        let picture = Picture::new(&graph, &analysis);
        let said = ["via_gateway", "upstream_provider", "merge_value_hash"].map(|key| {
            let value = picture.edge_property(EdgeIx { kind: EdgeKind::CanReach, number: 0 }, key);
            value.and_then(|value| value.as_text().map(str::to_owned)).unwrap_or_default()
        });
        assert_eq!(said, ["the gateway", "openai", "v"], "{service}");
    }
}

#[test]
fn a_secret_of_one_server_that_opens_another_is_found() {
    let reached = |known: bool| {
        let drawing = format!(
            "{TWO_SERVERS}\n b Credential {{\"value_hash\":\"v\",\"value_known\":{known}}}\n s1 HAS_ENV_VAR b\n \
             s2 HAS_ENV_VAR c"
        );
        derived(EdgeKind::CanReach, &drawing)
    };
    assert_eq!(reached(true), ["a r"]);
    assert_eq!(reached(false), [""; 0], "a secret that nobody saw is like no other");
}

#[test]
fn the_witness_is_the_same_whatever_the_order_of_the_document() {
    let shuffled = tight().prop_flat_map(|estate| {
        let orders = (Just(estate.nodes.clone()).prop_shuffle(), Just(estate.edges.clone()).prop_shuffle());
        (Just(estate), orders.prop_map(|(nodes, edges)| Little { nodes, edges }))
    });
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((one, other) in shuffled)| {
        let (one, other) = (one.graph(), other.graph());
        prop_assert_eq!(everything(&one, &Analysis::of(&one)), everything(&other, &Analysis::of(&other)));
    });
}
