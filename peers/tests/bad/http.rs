//! Servers that the product is given the address of.

use crate::met::{called, serve, shown};

#[test]
fn an_honest_server_gives_everything_in_every_revision() {
    for revision in ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        for more in [&[][..], &["--events"]] {
            let (met, _) = called(&[&["honest", "--revision", revision], more].concat());
            met.expect_whole();
            assert_eq!(met.server()["spoken"], "streamable_http");
            assert_eq!(met.server()["protocol_version"], revision);
        }
    }
}

#[test]
fn the_older_transport_is_spoken_where_it_is_the_only_one() {
    let (met, _) = called(&["sse-legacy", "--revision", "2024-11-05"]);
    met.expect_whole();
    assert_eq!(met.server()["spoken"], "sse");
}

#[test]
fn a_session_is_kept_and_ended() {
    let (met, log) = called(&["session"]);
    met.expect_whole();
    assert!(log.last().is_some_and(|line| line.starts_with("DELETE ")), "{log:?}");
}

#[test]
fn servers_that_do_not_answer_in_time_are_given_up() {
    for scenario in ["silent", "drip", "slow-headers"] {
        called(&[scenario]).0.expect_unreachable("time");
    }
}

#[test]
fn answers_without_end_are_stopped() {
    called(&["flood"]).0.expect_unreachable("");
    called(&["huge"]).0.expect_cut_short("tools");
    called(&["gzip-bomb"]).0.expect_unreachable("");
}

#[test]
fn answers_that_are_no_messages_are_named() {
    for scenario in ["invalid-json", "not-json-rpc", "wrong-ids"] {
        called(&[scenario]).0.expect_unreachable("");
    }
}

#[test]
fn lists_without_end_are_cut() {
    called(&["endless-pages"]).0.expect_cut_short("tools");
    called(&["same-cursor"]).0.expect_cut_short("cursor");
    called(&["deep"]).0.expect_cut_short("tools");
}

#[test]
fn no_redirect_leads_to_where_secrets_are() {
    called(&["redirect-metadata"]).0.expect_unreachable("169.254.169.254");
}

#[test]
fn redirects_are_counted() {
    let (met, log) = called(&["redirect-loop"]);
    met.expect_unreachable("redirect");
    assert!(log.len() < 50, "{log:?}");
}

#[test]
fn no_redirect_leads_to_another_site() {
    let (met, log) = called(&["redirect-other-site"]);
    met.expect_unreachable("redirect");
    assert!(!log.iter().any(|line| line.contains("localhost")), "{log:?}");
}

#[test]
fn an_endpoint_elsewhere_is_not_written_to() {
    let (met, log) = called(&["sse-foreign-endpoint"]);
    met.expect_unreachable("endpoint");
    assert!(!log.iter().any(|line| line.contains("localhost")), "{log:?}");
}

/// A server that asks for authentication is known by what it asks for.
#[track_caller]
fn check_protected(scenario: &str, method: &str) {
    let (met, _) = called(&[scenario]);
    assert_eq!(met.server()["status"], "protected", "{:#}", met.server());
    assert_eq!(met.server()["auth_observed"], method, "{:#}", met.server());
    assert_eq!(met.code, 0, "{}", met.report());
}

#[test]
fn protected_servers_are_facts_and_no_errors() {
    check_protected("protected", "oauth");
    check_protected("protected-plain", "bearer");
    check_protected("forbidden", "unknown");
}

#[test]
fn what_an_authorization_server_says_of_itself_is_kept() {
    let (met, _) = called(&["protected"]);
    assert_eq!(met.server()["oauth_scopes"], serde_json::json!(["mcp:admin", "mcp:read"]));
    assert!(met.count("Identity") > 0);
}

#[test]
fn names_do_nothing_to_terminals() {
    let server = serve("http", &["escapes"]);
    shown(&["--url", &server.url("/mcp")]);
}

#[test]
fn a_port_where_nobody_listens_is_named() {
    let text = shown(&["--url", "http://127.0.0.1:9/mcp"]);
    assert!(text.contains("127.0.0.1:9"), "{text}");
}
