//! Estates in which one thing leads to very many: counted to the last, and written down in part.

use std::fmt::Write as _;

use tracehound_analyze::Analysis;
use tracehound_graph::View as _;
use tracehound_model::EdgeKind;

use crate::drawn::drawn;

/// A server with so many tools that read files, and so many files.
fn server(tools: usize, files: usize) -> String {
    let mut drawing = "s MCPServer\n".to_owned();
    for tool in 0..tools {
        let _ = writeln!(
            drawing,
            "t{tool:05} MCPTool {{\"capability_surface\":[\"file_read\"]}}\ns PROVIDES_TOOL t{tool:05}"
        );
    }
    for file in 0..files {
        let _ =
            writeln!(drawing, "r{file:05} MCPResource {{\"uri\":\"file:///f{file}\"}}\ns PROVIDES_RESOURCE r{file:05}");
    }
    drawing
}

#[test]
fn a_server_with_many_tools_and_files_is_counted_exactly_and_written_down_in_part() {
    let graph = drawn(&server(3000, 3000));
    let analysis = Analysis::of(&graph);
    let access = analysis.derived.of(EdgeKind::HasAccessTo);
    assert_eq!((access.total(), access.len()), (9_000_000, 60_000));
    let tool = graph.find("t02999").unwrap();
    let written: Vec<_> = analysis.derived.outgoing(EdgeKind::HasAccessTo, tool).map(|(file, _)| file).collect();
    assert_eq!((access.count(tool), written.len()), (3000, 20));
    assert_eq!([written[0], written[19]], ["r00000", "r00019"].map(|id| graph.find(id).unwrap()));
}

#[test]
fn an_agent_that_reaches_much_is_counted_exactly_and_written_down_in_part() {
    let graph = drawn(&format!("a AgentInstance\na TRUSTS_SERVER s\n{}", server(1, 5000)));
    let analysis = Analysis::of(&graph);
    let reach = analysis.derived.of(EdgeKind::CanReach);
    assert_eq!((reach.total(), reach.len(), reach.count(graph.find("a").unwrap())), (5000, 100, 5000));
}

/// The rest is counted also where a part of it is reached in another way, and by several servers.
#[test]
fn what_is_reached_in_several_ways_is_counted_once() {
    let mut drawing = format!("a AgentInstance\na TRUSTS_SERVER s\n{}", server(1, 1500));
    drawing
        .push_str("u MCPServer {\"auth_method\":\"oauth\"}\nt99999 MCPTool {\"capability_surface\":[\"file_read\"]}\n");
    drawing.push_str("a TRUSTS_SERVER u\nu PROVIDES_TOOL t99999\nc Credential {\"value_hash\":\"v\"}\n");
    drawing.push_str("s HAS_ENV_VAR c\nv MCPServer\nv HAS_ENV_VAR c\nv PROVIDES_TOOL t99999\n");
    for file in 1000..1600 {
        let _ = writeln!(drawing, "u PROVIDES_RESOURCE r{file:05}\nv PROVIDES_RESOURCE r{file:05}");
    }
    for file in 1500..3000 {
        let _ =
            writeln!(drawing, "r{file:05} MCPResource {{\"uri\":\"file:///f{file}\"}}\nv PROVIDES_RESOURCE r{file:05}");
    }
    drawing = drawing.lines().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n");
    let graph = drawn(&drawing);
    let analysis = Analysis::of(&graph);
    let reach = analysis.derived.of(EdgeKind::CanReach);
    // 1,600 directly, of which 100 are written down, and 1,400 through the secret, of which 20 are.
    assert_eq!((reach.total(), reach.len()), (3000, 120));
}

/// Of what secrets lead to, the easiest is written down; what is sensitive may lie behind that.
#[test]
fn what_is_critical_can_be_sent_out_however_much_is_easier_to_reach() {
    let mut drawing =
        "a AgentInstance\nm MCPServer\na TRUSTS_SERVER m\nc Credential {\"value_hash\":\"v\"}\n".to_owned();
    drawing.push_str("m HAS_ENV_VAR c\nmail MCPTool {\"capability_surface\":[\"email_send\"]}\nm PROVIDES_TOOL mail\n");
    drawing.push_str(&server(1, 50));
    drawing.push_str("s HAS_ENV_VAR c\nz MCPServer\nz HAS_ENV_VAR c {\"risk_weight\":0.9}\nzt MCPTool ");
    drawing.push_str("{\"capability_surface\":[\"file_read\"]}\nz PROVIDES_TOOL zt\nz PROVIDES_RESOURCE zr\n");
    drawing.push_str("zr MCPResource {\"uri\":\"file:///payroll\",\"sensitivity\":\"critical\"}\n");
    let graph = drawn(&drawing);
    let analysis = Analysis::of(&graph);
    let (agent, far) = (graph.find("a").unwrap(), graph.find("zr").unwrap());
    assert!(analysis.derived.outgoing(EdgeKind::CanReach, agent).to(far).is_none(), "it is not among the easiest");
    let relation = analysis.derived.of(EdgeKind::CanExfiltrateVia);
    let (.., edge) = relation.iter().next().unwrap();
    assert_eq!(relation.total(), 1);
    assert!(relation.path(edge).iter().any(|hop| hop.to == far));
}
