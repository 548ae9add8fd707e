//! How long facts live: what a document covers and does not show again is gone, and nothing else.

use crate::estate::{Home, expectation, live};

/// Whatever the order in which the documents arrive, exactly the expected nodes and edges are live.
#[track_caller]
pub(crate) fn check(documents: &[&str], expected: &str) {
    let forward = documents.to_vec();
    let backward: Vec<&str> = documents.iter().rev().copied().collect();
    for order in [forward, backward] {
        assert_eq!(live(&Home::with(&order).now()), expectation(expected), "arriving as {order:#?}");
    }
}

/// One client with two servers, of which one has two tools.
const SETUP: &str = "s1 scan@m t=1 covers=/a,X
    ConfigFile /a
    AgentInstance A config_path=/a
    MCPServer X
    MCPServer Y
    MCPTool T
    MCPTool U
    X CONFIGURED_IN /a
    Y CONFIGURED_IN /a
    A TRUSTS_SERVER X
    A TRUSTS_SERVER Y
    X PROVIDES_TOOL T
    X PROVIDES_TOOL U";

const SETUP_IS_THERE: &str = "/a A X Y T U
    X CONFIGURED_IN /a
    Y CONFIGURED_IN /a
    A TRUSTS_SERVER X
    A TRUSTS_SERVER Y
    X PROVIDES_TOOL T
    X PROVIDES_TOOL U";

#[test]
fn what_was_seen_once_is_live() {
    check(&[SETUP], SETUP_IS_THERE);
}

#[test]
fn a_tool_that_a_re_scan_no_longer_shows_is_gone() {
    check(
        &[SETUP, "s2 scan@m t=2 covers=X\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T"],
        &SETUP_IS_THERE.replace(" U\n", "\n").replace("X PROVIDES_TOOL U", ""),
    );
}

#[test]
fn a_server_that_answers_without_tools_loses_them_all() {
    check(
        &["s1 scan@m t=1\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T", "s2 scan@m t=2 covers=X\n MCPServer X"],
        "X",
    );
}

#[test]
fn a_document_that_covers_nothing_retires_nothing() {
    check(&[SETUP, "s2 scan@m t=2 covers=\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T"], SETUP_IS_THERE);
}

#[test]
fn a_scan_of_one_file_keeps_what_is_below_others() {
    let two_files = "s1 scan@m t=1 covers=/a,/b
        ConfigFile /a
        ConfigFile /b
        MCPServer X
        MCPServer Y
        X CONFIGURED_IN /a
        Y CONFIGURED_IN /b";
    check(&[two_files, "s2 scan@m t=2 covers=/a\n ConfigFile /a"], "/a /b Y\n Y CONFIGURED_IN /b");
}

#[test]
fn a_server_that_another_file_still_names_stays() {
    let shared = "s1 scan@m t=1 covers=/a,/b
        ConfigFile /a
        ConfigFile /b
        MCPServer X
        X CONFIGURED_IN /a
        X CONFIGURED_IN /b";
    check(&[shared, "s2 scan@m t=2 covers=/a\n ConfigFile /a"], "/a /b X\n X CONFIGURED_IN /b");
}

#[test]
fn the_secret_of_a_server_that_two_files_name_is_gone_only_when_neither_gives_it() {
    let shared = "s1 config@m t=1 covers=/a,/b
        ConfigFile /a
        ConfigFile /b
        MCPServer X
        Credential C
        X CONFIGURED_IN /a
        X CONFIGURED_IN /b
        X HAS_ENV_VAR C";
    let only_a = "s2 config@m t=2 covers=/a\n ConfigFile /a\n MCPServer X\n X CONFIGURED_IN /a";
    let only_b = "s3 config@m t=3 covers=/b\n ConfigFile /b\n MCPServer X\n X CONFIGURED_IN /b";
    let edges = "X CONFIGURED_IN /a\n X CONFIGURED_IN /b";
    check(&[shared, only_a], &format!("/a /b X C\n {edges}\n X HAS_ENV_VAR C"));
    check(&[shared, only_a, only_b], &format!("/a /b X\n {edges}"));
}

#[test]
fn a_file_that_was_looked_for_and_is_gone_takes_everything_below_it_along() {
    check(&[SETUP, "s2 scan@m t=2 covers=/a"], "");
}

#[test]
fn a_server_that_left_its_file_takes_its_tools_along() {
    let without_x = "s2 scan@m t=2 covers=/a
        ConfigFile /a
        AgentInstance A config_path=/a
        MCPServer Y
        Y CONFIGURED_IN /a
        A TRUSTS_SERVER Y";
    check(&[SETUP, without_x], "/a A Y\n Y CONFIGURED_IN /a\n A TRUSTS_SERVER Y");
}

#[test]
fn a_tool_that_another_server_still_offers_stays() {
    let shared = "s1 scan@m t=1
        MCPServer X
        MCPServer Y
        MCPTool T
        X PROVIDES_TOOL T
        Y PROVIDES_TOOL T";
    check(&[shared, "s2 scan@m t=2 covers=X\n MCPServer X"], "X Y T\n Y PROVIDES_TOOL T");
}

#[test]
fn a_client_hangs_on_the_file_that_its_property_names() {
    let setup = "s1 config@m t=1 covers=/a
        ConfigFile /a
        AgentInstance A config_path=/a
        AgentInstance B config_path=/a
        InstructionFile N
        A LOADS_INSTRUCTIONS N";
    check(&[setup, "s2 config@m t=2 covers=/a\n ConfigFile /a\n AgentInstance B config_path=/a"], "/a B N");
}

#[test]
fn a_secret_that_is_no_servers_goes_with_the_file_that_its_property_names() {
    let setup = "s1 config@m t=1 covers=/a
        ConfigFile /a
        Credential C value_hash=h config_path=/a
        Credential D value_hash=h config_path=/a";
    check(&[setup, "s2 config@m t=2 covers=/a\n ConfigFile /a\n Credential D value_hash=h config_path=/a"], "/a D");
    check(&[setup, "s2 config@m t=2 covers=/a"], "");
}

/// The property is what is known of the client, not what the last document to arrive happened to say.
#[test]
fn a_client_hangs_on_its_file_although_a_later_document_does_not_name_it() {
    check(
        &[
            "s1 scan@m t=1 covers=/a\n ConfigFile /a\n AgentInstance A config_path=/a",
            "s2 scan@m t=2 covers=\n AgentInstance A name=cursor",
            "s3 scan@m t=3 covers=/a\n ConfigFile /a",
        ],
        "/a",
    );
}

#[test]
fn instructions_are_gone_when_the_instruction_file_was_read_again_without_them() {
    let setup = "s1 config@m t=1 covers=/a,N
        ConfigFile /a
        AgentInstance A config_path=/a
        InstructionFile N
        A LOADS_INSTRUCTIONS N";
    let only_the_client = "s2 config@m t=2 covers=/a\n ConfigFile /a\n AgentInstance A config_path=/a";
    check(&[setup, only_the_client], "/a A N\n A LOADS_INSTRUCTIONS N");
    check(&[setup, "s2 config@m t=2 covers=N\n InstructionFile N"], "/a A N");
    check(&[setup, "s2 config@m t=2 covers=N"], "/a A");
}

#[test]
fn a_delegation_ends_only_when_both_agents_were_read_at_once() {
    let setup = "s1 a2a@m t=1 covers=G,H
        A2AAgent G
        A2AAgent H
        G DELEGATES_TO H
        H SAME_AUTH_DOMAIN G";
    let both_edges = "G H\n G DELEGATES_TO H\n H SAME_AUTH_DOMAIN G";
    check(&[setup, "s2 a2a@m t=2 covers=G\n A2AAgent G"], both_edges);
    check(&[setup, "s2 a2a@m t=2 covers=G\n A2AAgent G", "s3 a2a@m t=3 covers=H\n A2AAgent H"], both_edges);
    check(&[setup, "s2 a2a@m t=2 covers=G,H\n A2AAgent G\n A2AAgent H"], "G H");
}

#[test]
fn what_hangs_below_a_server_of_a_covered_file_is_covered_with_it() {
    let setup = "s1 scan@m t=1 covers=/a
        ConfigFile /a
        MCPServer X
        Identity I
        Credential C
        Credential D
        Host M
        X CONFIGURED_IN /a
        X AUTHENTICATES_WITH I
        I USES_CREDENTIAL C
        I USES_CREDENTIAL D
        X RUNS_ON M";
    let less = "s2 scan@m t=2 covers=/a
        ConfigFile /a
        MCPServer X
        Identity I
        Credential C
        X CONFIGURED_IN /a
        X AUTHENTICATES_WITH I
        I USES_CREDENTIAL C";
    let left = "/a X I C\n X CONFIGURED_IN /a\n X AUTHENTICATES_WITH I\n I USES_CREDENTIAL C";
    check(&[setup, less], left);
}

#[test]
fn asking_a_server_says_nothing_about_its_configuration() {
    let setup = "s1 scan@m t=1 covers=/a,X
        ConfigFile /a
        MCPServer X
        MCPTool T
        Credential C
        X CONFIGURED_IN /a
        X HAS_ENV_VAR C
        X PROVIDES_TOOL T";
    check(&[setup, "s2 scan@m t=2 covers=X\n MCPServer X"], "/a X C\n X CONFIGURED_IN /a\n X HAS_ENV_VAR C");
}

#[test]
fn reading_the_configuration_says_nothing_about_a_servers_tools() {
    let config = "s2 scan@m t=2 covers=/a
        ConfigFile /a
        AgentInstance A config_path=/a
        MCPServer X
        MCPServer Y
        X CONFIGURED_IN /a
        Y CONFIGURED_IN /a
        A TRUSTS_SERVER X
        A TRUSTS_SERVER Y";
    check(&[SETUP, config], SETUP_IS_THERE);
}

#[test]
fn what_was_retired_is_back_when_it_is_seen_again() {
    let without = "s2 scan@m t=2 covers=X\n MCPServer X";
    let again = "s3 scan@m t=3 covers=X\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
    let first = "s1 scan@m t=1\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
    check(&[first, without], "X");
    check(&[first, without, again], "X T\n X PROVIDES_TOOL T");
}

#[test]
fn a_node_that_hangs_on_nothing_stays_until_it_was_looked_for() {
    check(&["s1 scan@m t=1\n Host M\n MCPTool T", "s2 scan@m t=2 covers=X\n MCPServer X"], "M T X");
    check(&["s1 scan@m t=1\n ConfigFile /a", "s2 scan@m t=2 covers=/a"], "");
}

/// A second label makes a node no worse a holder.
#[test]
fn what_a_node_with_several_labels_holds_goes_with_it() {
    let setup = "s1 scan@m t=1\n InstructionFile+MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
    check(&[setup, "s2 mcp@m t=2 covers=X\n InstructionFile+MCPServer X"], "X");
}
