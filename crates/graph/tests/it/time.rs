//! Points in time: the graph as it was, and what counts as the time of a document.

use tracehound_graph::{Error, Point, WarningCode};

use crate::estate::{Dump, Home, document, expectation, live, moment, now};

const COMES: &str = "s1 mcp@m t=10\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
const GOES: &str = "s2 mcp@m t=20 covers=X\n MCPServer X";
const RETURNS: &str = "s3 mcp@m t=30\n MCPServer X\n MCPTool T name=t\n X PROVIDES_TOOL T";

#[track_caller]
fn check(documents: &[&str], point: &Point, expected: &str) {
    assert_eq!(live(&Home::with(documents).at(point)), expectation(expected));
}

fn scan(id: &str) -> Point {
    Point::Scan(id.to_owned())
}

#[test]
fn a_graph_as_of_a_scan_knows_nothing_of_later_ones() {
    for order in [[COMES, GOES, RETURNS], [RETURNS, GOES, COMES]] {
        check(&order, &scan("s1"), "X T\n X PROVIDES_TOOL T");
        check(&order, &scan("s2"), "X");
        check(&order, &scan("s3"), "X T\n X PROVIDES_TOOL T");
    }
}

#[test]
fn a_graph_as_of_a_date_counts_what_was_made_up_to_it() {
    let all = [GOES, RETURNS, COMES];
    check(&all, &Point::At(moment(9)), "");
    check(&all, &Point::At(moment(10)), "X T\n X PROVIDES_TOOL T");
    check(&all, &Point::At(moment(25)), "X");
    check(&all, &Point::At(moment(99)), "X T\n X PROVIDES_TOOL T");
}

#[test]
fn a_graph_as_of_a_scan_is_what_it_was_before_later_scans_came() {
    let mut home = Home::with(&[COMES]);
    let before = Dump::of(&home.now());
    home.take(GOES);
    home.take(RETURNS);
    assert_eq!(Dump::of(&home.at(&scan("s1"))), before);
}

/// A client's file and a service's place are as the documents up to the point say, not as later ones do.
#[test]
fn what_things_hang_on_is_as_it_was_at_the_point() {
    let client = "s1 config@m t=1 covers=/a\n ConfigFile /a\n AgentInstance A config_path=/a";
    let gone = "s2 config@m t=2 covers=/a\n ConfigFile /a";
    let moved = "s3 config@n t=3 covers=\n ConfigFile /b\n AgentInstance A config_path=/b";
    check(&[client, gone, moved], &scan("s2"), "/a");
}

#[test]
fn scans_of_one_moment_are_taken_in_order_of_their_ids() {
    let a = "a mcp@m t=5 covers=X\n MCPServer X\n MCPTool T\n X PROVIDES_TOOL T";
    let b = "b mcp@m t=5 covers=X\n MCPServer X";
    for order in [[a, b], [b, a]] {
        check(&order, &Point::Now, "X");
        check(&order, &scan("a"), "X T\n X PROVIDES_TOOL T");
    }
}

#[test]
fn a_point_at_a_scan_that_is_not_there_names_the_closest() {
    let refused = Home::with(&["scan-17 mcp@m t=1"]).estate.graph(&scan("scan-1")).unwrap_err();
    assert!(matches!(&refused, Error::NoSuchScan { scan_id, .. } if scan_id == "scan-1"));
    assert_eq!(refused.to_string(), "there is no scan `scan-1`; did you mean `scan-17`?");
}

/// The time of ingest stands for this timestamp, and a warning says so.
#[track_caller]
fn check_replaced(timestamp: &str, reason: &str) {
    let mut home = Home::new();
    let text = document(&format!("s mcp@m t={timestamp}"));
    let done = home.estate.ingest(&text, moment(100)).unwrap();
    assert_eq!((done.scan.time, done.scan.timestamp.as_str()), (moment(100), timestamp));
    let warning = done.warnings.first().unwrap();
    assert_eq!((warning.code, warning.places[0].path.as_str()), (WarningCode::TimestampReplaced, "meta.timestamp"));
    assert!(warning.places[0].message.contains(reason), "{}", warning.places[0].message);
    assert_eq!(home.reopened().estate.scans()[0].time, moment(100));
}

#[test]
fn a_timestamp_in_the_future_is_replaced_by_the_time_of_ingest() {
    check_replaced("2999-01-01T00:00:00Z", "lies in the future");
}

#[test]
fn an_unreadable_timestamp_is_replaced_by_the_time_of_ingest() {
    for unreadable in ["yesterday", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", "1767225600.5"] {
        check_replaced(unreadable, "is not an RFC 3339 time");
    }
}

#[test]
fn a_timestamp_of_any_offset_or_precision_is_the_moment_that_it_names() {
    let mut home = Home::new();
    for (scan_id, timestamp) in [("a", "2026-01-01T02:00:00+02:00"), ("b", "2026-01-01T00:00:00.000000Z")] {
        let done = home.estate.ingest(&document(&format!("{scan_id} mcp@m t={timestamp}")), now()).unwrap();
        assert_eq!((done.scan.time, done.warnings.len()), (moment(0), 0));
    }
}
