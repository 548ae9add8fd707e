//! Whose facts a document can retire, and what it covers when it does not say so.

use tracehound_graph::Unplaceable;

use crate::estate::Home;
use crate::lifetimes::check;

const TOOLS: &str = "s1 mcp@m t=1 covers=X\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
const TOOLS_ARE_THERE: &str = "X T\n X PROVIDES_TOOL T";

#[test]
fn another_collectors_facts_are_untouched() {
    check(&[TOOLS, "s2 config@m t=2 covers=X\n MCPServer X"], TOOLS_ARE_THERE);
    check(&[TOOLS, "s2 mcp@m t=2 covers=X\n MCPServer X"], "X");
}

#[test]
fn another_machines_facts_are_untouched() {
    check(&[TOOLS, "s2 mcp@n t=2 covers=X\n MCPServer X"], TOOLS_ARE_THERE);
    check(&[TOOLS, "s2 mcp@ t=2 covers=X\n MCPServer X"], TOOLS_ARE_THERE);
}

#[test]
fn what_two_machines_saw_is_there_as_long_as_one_still_sees_it() {
    let other = TOOLS.replace("s1 mcp@m", "s2 mcp@n");
    let gone = "s3 mcp@m t=3 covers=X\n MCPServer X";
    let gone_too = "s4 mcp@n t=4 covers=X\n MCPServer X";
    check(&[TOOLS, &other, gone], TOOLS_ARE_THERE);
    check(&[TOOLS, &other, gone, gone_too], "X");
}

/// The machines of the one edge that documents leave.
fn machines(documents: &[&str]) -> Option<Vec<String>> {
    let graph = Home::with(documents).now();
    let edge = graph.edges().next().unwrap();
    edge.origins().map(|all| all.into_iter().map(Into::into).collect())
}

#[test]
fn an_edge_is_on_the_machines_that_still_see_it() {
    let other = TOOLS.replace("s1 mcp@m", "s2 mcp@n");
    let gone = "s3 mcp@n t=3 covers=X\n MCPServer X";
    let all = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(machines(&[TOOLS]), all(&["m"]));
    assert_eq!(machines(&[TOOLS, &other]), all(&["m", "n"]));
    assert_eq!(machines(&[TOOLS, &other, gone]), all(&["m"]), "the last look was the other machine's");
}

#[test]
fn a_document_without_a_machine_leaves_it_to_the_edge() {
    let foreign = TOOLS.replace("s1 mcp@m", "s2 mcp@");
    let naming = format!("{foreign} origin=k");
    let all = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(machines(&[&foreign]), None);
    assert_eq!(machines(&[TOOLS, &foreign]), None);
    assert_eq!(machines(&[&naming]), all(&["k"]));
    assert_eq!(machines(&[TOOLS, &naming]), all(&["k", "m"]));
}

#[test]
fn in_a_document_of_several_collectors_each_fact_counts_as_its_own_collectors() {
    let scan = "s1 scan@m t=1 covers=/a,X
        ConfigFile /a
        MCPServer X
        MCPTool T
        X CONFIGURED_IN /a
        X PROVIDES_TOOL T";
    check(&[scan, "s2 mcp@m t=2 covers=X\n MCPServer X"], "/a X\n X CONFIGURED_IN /a");
    check(&[scan, "s2 config@m t=2 covers=/a\n ConfigFile /a"], "/a");
    check(&[TOOLS, "s2 scan@m t=2 covers=X\n MCPServer X"], "X");
}

#[test]
fn an_edge_of_an_agent_or_a_service_belongs_to_whoever_looks_at_that() {
    let agent = "s1 scan@m t=1\n A2AAgent G\n Host M\n G RUNS_ON M";
    check(&[agent, "s2 scan@m t=2 covers=G\n A2AAgent G"], "G");
    check(&[agent, "s2 config@m t=2 covers=G\n A2AAgent G"], "G M\n G RUNS_ON M");
    let service = "s1 scan@m t=1\n OllamaInstance O\n Host M\n O RUNS_ON M";
    check(&[service, "s2 scan@m t=2 covers=O\n OllamaInstance O"], "O");
}

#[test]
fn a_document_that_does_not_say_covers_the_parents_whose_children_it_lists() {
    let two = "s1 mcp@ t=1
        MCPServer X
        MCPServer Y
        MCPTool T
        MCPTool U
        MCPTool V
        X PROVIDES_TOOL T
        X PROVIDES_TOOL U
        Y PROVIDES_TOOL V";
    let one = "s2 mcp@ t=2\n MCPServer X\n MCPServer Y\n MCPTool T\n X PROVIDES_TOOL T";
    check(&[two, one], "X Y T V\n X PROVIDES_TOOL T\n Y PROVIDES_TOOL V");
}

#[test]
fn listing_children_of_one_sort_covers_the_parent_for_its_collector() {
    let both = "s1 mcp@ t=1
        MCPServer X
        MCPTool T
        MCPResource R
        X PROVIDES_TOOL T
        X PROVIDES_RESOURCE R";
    check(&[both, "s2 mcp@ t=2\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T"], TOOLS_ARE_THERE);
}

#[test]
fn an_edge_that_lists_nothing_covers_nothing() {
    let env = "s1 config@ t=1\n MCPServer X\n Credential C\n Credential D\n X HAS_ENV_VAR C\n X HAS_ENV_VAR D";
    check(
        &[env, "s2 config@ t=2\n MCPServer X\n Credential C\n X HAS_ENV_VAR C"],
        "X C D\n X HAS_ENV_VAR C\n X HAS_ENV_VAR D",
    );
}

#[test]
fn a_parent_that_is_listed_without_being_a_node_of_the_document_is_not_gone() {
    check(&[TOOLS, "s2 mcp@m t=2\n MCPTool T\n X PROVIDES_TOOL T"], TOOLS_ARE_THERE);
}

#[test]
fn a_foreign_list_of_a_config_files_servers_retires_the_others() {
    let two = "s1 config@ t=1\n ConfigFile /a\n MCPServer X\n MCPServer Y\n X CONFIGURED_IN /a\n Y CONFIGURED_IN /a";
    check(&[two, "s2 config@ t=2\n ConfigFile /a\n MCPServer X\n X CONFIGURED_IN /a"], "/a X\n X CONFIGURED_IN /a");
}

/// The edges of a service are the network's, also those of a kind that servers have as well.
#[test]
fn a_foreign_list_of_a_notebook_servers_resources_retires_the_others() {
    let two = "s1 scan@ t=1
        JupyterServer J
        MCPResource R
        MCPResource S
        J PROVIDES_RESOURCE R
        J PROVIDES_RESOURCE S";
    check(
        &[two, "s2 scan@ t=2\n JupyterServer J\n MCPResource R\n J PROVIDES_RESOURCE R"],
        "J R\n J PROVIDES_RESOURCE R",
    );
}

const MODELS: &str = "s1 scan@m t=1
    OllamaInstance O endpoint=http://h:1
    OllamaInstance P endpoint=http://h:2
    AIModel L
    AIModel K
    O PROVIDES_MODEL L
    P PROVIDES_MODEL K";

#[test]
fn a_place_that_was_probed_and_no_longer_answers_loses_its_service() {
    check(&[MODELS, "s2 scan@m t=2 ports=h:1"], "P K\n P PROVIDES_MODEL K");
    check(&[MODELS, "s2 scan@m t=2 ports=h:1,h:2"], "");
    check(&[MODELS, "s2 scan@n t=2 ports=h:1,h:2"], "O P L K\n O PROVIDES_MODEL L\n P PROVIDES_MODEL K");
}

#[test]
fn a_place_that_was_probed_and_answers_keeps_its_service_and_loses_what_it_no_longer_lists() {
    check(&[MODELS, "s2 scan@m t=2 ports=h:1\n OllamaInstance O endpoint=http://h:1"], "O P K\n P PROVIDES_MODEL K");
}

/// Where a service is, is what is known of it, not what the last document to arrive happened to say.
#[test]
fn a_service_is_at_its_place_although_a_later_document_does_not_say_so() {
    check(
        &[
            "s1 scan@m t=1 covers=\n OllamaInstance O endpoint=http://h:1",
            "s2 scan@m t=2 covers=\n OllamaInstance O version=1.0",
            "s3 scan@m t=3 ports=h:1",
        ],
        "",
    );
}

#[test]
fn an_edge_waits_for_its_ends_and_becomes_real_in_whatever_order_they_arrive() {
    let edge = "s1 mcp@m t=1 covers=\n X PROVIDES_TOOL T";
    let tool = "s2 mcp@m t=2 covers=\n MCPTool T";
    let server = "s3 config@n t=3 covers=\n MCPServer X";
    check(&[edge], "");
    check(&[edge, tool], "T");
    check(&[edge, tool, server], TOOLS_ARE_THERE);
    check(&[server, edge, tool], TOOLS_ARE_THERE);
    let graph = Home::with(&[edge, tool]).now();
    let waiting: Vec<_> = graph.unplaced().iter().map(|edge| (edge.source.as_str(), edge.reason)).collect();
    assert_eq!(waiting, [("X", Unplaceable::EndMissing)]);
    assert_eq!(graph.hidden().pending_edges, 1);
}

#[test]
fn an_edge_whose_end_turns_out_to_be_something_else_is_not_placed() {
    let mut home = Home::with(&["s1 mcp@m t=1 covers=\n X PROVIDES_TOOL T\n MCPTool T", "s2 mcp@m t=2\n Host X"]);
    let graph = home.now();
    assert_eq!((graph.edge_count(), graph.hidden().misfit_edges), (0, 1));
    assert_eq!(graph.unplaced()[0].reason, Unplaceable::EndMisfit);
}

#[test]
fn an_end_that_is_called_by_its_umbrella_is_the_concrete_service() {
    let service = "s1 scan@m t=1 covers=\n LiteLLMGateway+AIService S";
    let secret = "s2 scan@m t=2 covers=\n Credential C\n S:AIService EXPOSES_CREDENTIAL C";
    check(&[service, secret], "S C\n S EXPOSES_CREDENTIAL C");
    let vague = "s3 scan@m t=0 covers=\n AIService S";
    check(&[service, secret, vague], "S C\n S EXPOSES_CREDENTIAL C");
    let graph = Home::with(&[service, secret, vague]).now();
    let kinds: Vec<String> = graph.nodes().map(|node| node.kind().to_string()).collect();
    assert_eq!(kinds, ["Credential", "LiteLLMGateway"]);
}

#[test]
fn labels_accumulate_and_the_first_stays_primary() {
    let documents = ["s1 scan@m t=1\n MCPServer X", "s2 scan@m t=2\n Host X", "s3 scan@m t=3\n Host+MCPTool X"];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let graph = Home::with(&order.map(|position| documents[position])).now();
        let kinds: Vec<String> = graph.nodes().next().unwrap().kinds().iter().map(ToString::to_string).collect();
        assert_eq!(kinds, ["MCPServer", "MCPTool", "Host"]);
    }
}
