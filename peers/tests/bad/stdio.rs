//! Servers that the product starts.

use crate::harness::Mark;
use crate::met::{command_line, shown, started};

#[test]
fn an_honest_server_gives_everything_in_every_revision() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let met = started(&["honest", "--revision", revision]);
        met.expect_whole();
        assert_eq!(met.server()["protocol_version"], revision);
        assert_eq!(met.code, 0);
    }
}

#[test]
fn a_silent_server_is_given_up() {
    started(&["silent"]).expect_unreachable("time");
    started(&["silent", "--at", "tools/list"]).expect_cut_short("tools");
}

#[test]
fn a_server_that_drips_is_given_up() {
    started(&["drip"]).expect_unreachable("time");
}

#[test]
fn a_flood_is_stopped() {
    started(&["flood-first"]).expect_unreachable("large");
    started(&["flood"]).expect_unreachable("large");
}

#[test]
fn a_huge_answer_is_not_read() {
    started(&["huge"]).expect_cut_short("tools");
}

#[test]
fn answers_that_are_no_messages_are_named() {
    started(&["invalid-json"]).expect_unreachable("JSON");
    started(&["not-json-rpc"]).expect_unreachable("JSON-RPC");
    started(&["wrong-ids"]).expect_unreachable("time");
    started(&["invalid-json", "--at", "tools/list"]).expect_cut_short("tools");
}

#[test]
fn a_batch_is_an_answer_or_named() {
    started(&["batch", "--revision", "2025-06-18"]).expect_unreachable("batch");
}

#[test]
fn pages_without_end_are_cut() {
    started(&["endless-pages"]).expect_cut_short("tools");
}

#[test]
fn a_cursor_that_repeats_is_not_followed_for_ever() {
    let met = started(&["same-cursor"]);
    met.expect_cut_short("cursor");
    assert_eq!(met.tools(), ["again"]);
}

#[test]
fn of_very_many_tools_a_stated_number_is_kept() {
    let met = started(&["many-tools", "--page", "1000"]);
    met.expect_cut_short("tools");
    assert_eq!(met.tools().len(), 10_000);
}

#[test]
fn very_many_tools_on_one_page_are_bounded_too() {
    started(&["many-tools"]).expect_cut_short("tools");
}

#[test]
fn a_very_long_description_is_cut_and_hides_no_other_tool() {
    let met = started(&["long-description"]);
    assert_eq!(met.tools(), ["long", "short"]);
}

#[test]
fn schemas_that_refer_to_themselves_are_schemas() {
    assert_eq!(started(&["ref-cycle"]).tools(), ["circle", "deep", "itself"]);
}

#[test]
fn a_schema_without_bottom_is_named() {
    started(&["deep"]).expect_cut_short("tools");
}

#[test]
fn two_tools_of_one_name_are_told() {
    assert!(started(&["duplicate-tools"]).report().contains("add"));
}

#[test]
fn orders_in_descriptions_and_instructions_are_findings() {
    let met = started(&["injecting"]);
    assert_eq!(met.server()["instructions_has_injection"], true);
    assert!(met.findings().len() >= 2, "{:?}", met.findings());
}

#[test]
fn names_do_nothing_to_terminals() {
    let met = started(&["escapes"]);
    assert_eq!((met.count("MCPTool"), met.server()["status"].as_str()), (1, Some("reachable")));
    let mark = Mark::new();
    shown(&["--stdio", &command_line(&["escapes"], &mark)]);
    mark.expect_none();
}

#[test]
fn odd_greetings_are_named() {
    started(&["odd-capabilities"]).expect_unreachable("initialize");
    started(&["odd-version"]).expect_unreachable("1999-12-31");
}

#[test]
fn children_that_outlive_their_server_are_ended() {
    started(&["fork"]).expect_whole();
}

#[test]
fn a_server_that_ignores_signals_is_ended() {
    started(&["stubborn"]).expect_whole();
}

#[test]
fn what_is_said_on_standard_error_is_kept_in_part() {
    let met = started(&["noisy-stderr"]);
    met.expect_whole();
    let said = met.server()["stderr"].as_str().unwrap();
    assert!(said.contains("about to be noisy") && said.len() < 10_000, "{said}");
}

#[test]
fn a_line_for_people_is_no_obstacle() {
    started(&["banner"]).expect_whole();
}

#[test]
fn a_server_that_ends_is_named_with_its_last_words() {
    let met = started(&["exits-at-once"]);
    met.expect_unreachable("ended");
    assert!(met.report().contains("PEER_TOKEN"), "{}", met.report());
    started(&["exits-midway"]).expect_cut_short("tools");
}

#[test]
fn questions_of_a_server_are_answered_and_bounded() {
    started(&["server-requests"]).expect_whole();
    started(&["only-requests"]).expect_cut_short("tools");
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let text = shown(&["--stdio", "/nowhere/no-such-server --quiet"]);
    assert!(text.contains("no-such-server"), "{text}");
}
