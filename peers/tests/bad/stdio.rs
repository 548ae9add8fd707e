//! Servers that the product starts.

use std::net::TcpListener;

use crate::harness::{Mark, Place};
use crate::met::{IMPATIENT, command_line, shown, started, started_with};

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
    started_with(&["silent"], IMPATIENT).expect_unreachable("no answer within 3 s");
    started_with(&["silent", "--at", "tools/list"], IMPATIENT).expect_cut_short("tools: no answer within 3 s");
}

#[test]
fn a_server_that_drips_is_given_up() {
    started_with(&["drip"], IMPATIENT).expect_unreachable("no answer within 3 s");
}

#[test]
fn a_flood_is_stopped() {
    started(&["flood-first"]).expect_unreachable("longer than is listened to");
    started(&["flood"]).expect_unreachable("longer than is listened to");
}

#[test]
fn a_huge_answer_is_not_read() {
    started(&["huge"]).expect_cut_short("longer than is listened to");
}

#[test]
fn answers_that_are_no_messages_are_named() {
    started_with(&["invalid-json"], IMPATIENT).expect_unreachable("not JSON");
    started_with(&["not-json-rpc"], IMPATIENT).expect_unreachable("not a message of JSON-RPC");
    started_with(&["wrong-ids"], IMPATIENT).expect_unreachable("a request that was not made");
    started_with(&["invalid-json", "--at", "tools/list"], IMPATIENT).expect_cut_short("not JSON");
}

#[test]
fn no_question_that_only_the_newest_revision_has_lets_a_server_hide() {
    started(&["odd-discover"]).expect_whole();
}

#[test]
fn a_list_that_is_denied_halfway_is_not_read_to_its_end() {
    started(&["lost-page"]).expect_cut_short("the server says that it has no such list");
}

#[test]
fn a_batch_where_none_is_allowed_is_named() {
    started(&["batch", "--revision", "2025-06-18"]).expect_whole_but("several messages in one");
}

#[test]
fn pages_without_end_are_cut() {
    started(&["endless-pages"]).expect_cut_short("tools after 1000 pages");
}

#[test]
fn a_cursor_that_repeats_is_not_followed_for_ever() {
    let met = started(&["same-cursor"]);
    met.expect_cut_short("the same page was named twice");
    assert_eq!(met.tools(), ["again"]);
}

#[test]
fn of_very_many_tools_a_stated_number_is_kept() {
    let met = started(&["many-tools", "--page", "1000"]);
    met.expect_cut_short("tools after the first 10000");
    assert_eq!(met.tools().len(), 10_000);
}

#[test]
fn very_many_tools_on_one_page_are_bounded_too() {
    started(&["many-tools"]).expect_cut_short("longer than is listened to");
}

#[test]
fn a_very_long_description_is_cut_and_hides_no_other_tool() {
    let met = started(&["long-description"]);
    assert_eq!(met.tools(), ["long", "short"]);
    assert!(met.findings().contains(&"server-list-cut-short"), "{:?}", met.findings());
}

#[test]
fn schemas_that_refer_to_themselves_are_schemas() {
    assert_eq!(started(&["ref-cycle"]).tools(), ["circle", "deep", "itself"]);
}

#[test]
fn a_schema_without_bottom_is_named() {
    started_with(&["deep"], IMPATIENT).expect_cut_short("nested too deeply");
}

#[test]
fn two_tools_of_one_name_are_told() {
    started(&["duplicate-tools"]).expect_whole_but("under the same name, such as `add`");
}

#[test]
fn orders_in_descriptions_and_instructions_are_findings() {
    let met = started(&["injecting"]);
    assert_eq!(met.server()["instructions_has_injection"], true);
    let told = |kind: &str| met.findings().iter().filter(|told| **told == kind).count();
    // Of the instructions by the rule; of the description once for all rules that accuse it.
    assert_eq!((told("injection-override"), told("POISONED_DESCRIPTION")), (1, 1), "{:?}", met.findings());
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
    started(&["no-server-info"]).expect_whole_but("introduced itself in a way that the protocol does not allow");
}

#[test]
fn a_server_that_is_odd_about_its_capabilities_is_asked_all_the_same() {
    let met = started(&["odd-capabilities"]);
    met.expect_whole_but("introduced itself in a way that the protocol does not allow");
}

#[test]
fn a_revision_that_does_not_exist_is_named() {
    started(&["odd-version"]).expect_whole_but("1999-12-31");
}

#[test]
fn a_server_that_ends_in_the_middle_is_named() {
    started(&["exits-midway"]).expect_cut_short("tools: the connection ended");
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
fn noise_on_standard_error_is_no_obstacle() {
    started(&["noisy-stderr"]).expect_whole();
}

#[test]
fn a_line_for_people_is_no_obstacle() {
    started(&["banner"]).expect_whole_but("not JSON");
}

#[test]
fn a_server_that_ends_is_named_with_its_last_words() {
    let met = started(&["exits-at-once"]);
    met.expect_unreachable("exited with code 3");
    assert_eq!(met.server()["stderr"], "a setting is missing: PEER_TOKEN\\n");
}

#[test]
fn questions_of_a_server_are_answered_and_bounded() {
    started(&["server-requests"]).expect_whole();
    started_with(&["only-requests"], IMPATIENT).expect_cut_short("tools:");
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let text = shown(&["--stdio", "/nowhere/no-such-server --quiet"]);
    assert!(text.contains("no-such-server"), "{text}");
}

#[test]
fn a_server_is_told_nothing_of_the_users_environment() {
    // The binary is run with more variables than these; see the harness.
    assert_eq!(started(&["environment"]).tools(), ["HOME", "PATH"]);
}

#[test]
fn a_server_in_the_sandbox_gives_everything_or_is_not_started() {
    let met = started_with(&["honest"], &["--sandbox"]);
    match met.server()["status"].as_str() {
        Some("reachable") => met.expect_whole(),
        _ => met.expect_unreachable("sandbox"),
    }
}

#[test]
fn in_the_sandbox_nothing_is_written_and_nobody_is_called() {
    let (place, listener) = (Place::new(), TcpListener::bind("127.0.0.1:0").unwrap());
    let path = place.path("pried");
    let attempts = format!("{} {}", path.display(), listener.local_addr().unwrap());
    assert_eq!(started(&["prying", "--text", &attempts]).tools(), ["connected", "wrote"]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(started_with(&["prying", "--text", &attempts], &["--sandbox"]).tools(), [""; 0]);
    assert!(!path.exists());
}
