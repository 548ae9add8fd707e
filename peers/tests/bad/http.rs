//! Servers that the product is given the address of.

use crate::harness::Place;
use crate::met::{IMPATIENT, called, called_with, serve, shown};

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
        called_with(&[scenario], IMPATIENT).0.expect_unreachable("no answer within 3 s");
    }
}

#[test]
fn answers_without_end_are_stopped() {
    called(&["flood"]).0.expect_unreachable("longer than");
    called(&["huge"]).0.expect_cut_short("longer than");
    called(&["gzip-bomb"]).0.expect_unreachable("compressed");
}

#[test]
fn answers_that_are_no_messages_are_named() {
    called(&["invalid-json"]).0.expect_unreachable("not JSON");
    called(&["not-json-rpc"]).0.expect_unreachable("not a message of JSON-RPC");
    called(&["wrong-ids"]).0.expect_unreachable("a request that was not made");
}

#[test]
fn lists_without_end_are_cut() {
    called(&["endless-pages"]).0.expect_cut_short("tools after 1000 pages");
    called(&["same-cursor"]).0.expect_cut_short("the same page was named twice");
    called(&["deep"]).0.expect_cut_short("nested too deeply");
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
    met.expect_unreachable("of another origin");
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

/// A file with a header that authorises.
fn headers(place: &Place) -> String {
    place.write("headers", "Authorization: Bearer peer-token-0123456789\n").to_str().unwrap().to_owned()
}

#[test]
fn headers_open_what_is_protected_and_are_not_told() {
    let place = Place::new();
    let (met, log) = called_with(&["protected"], &["--headers-file", &headers(&place)]);
    met.expect_whole();
    assert!(log.iter().any(|line| line.ends_with(" authorization")), "{log:?}");
    assert!(!met.report().contains("peer-token"), "{}", met.report());
}

#[test]
fn headers_go_to_no_other_address() {
    let place = Place::new();
    let (_, log) = called_with(&["redirect-other-site"], &["--headers-file", &headers(&place)]);
    assert!(!log.iter().any(|line| line.contains("localhost")), "{log:?}");
    let (_, log) = called_with(&["sse-foreign-endpoint"], &["--headers-file", &headers(&place)]);
    assert!(!log.iter().any(|line| line.contains("localhost")), "{log:?}");
}
