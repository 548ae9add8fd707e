//! `tracehound graph mark` and `tracehound graph marks`.

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::Place;

#[test]
fn a_mark_makes_a_set() {
    let place = Place::with_demo();
    assert_snapshot!(place.ok(&["graph", "marks"]), @"no node is marked");
    let out = place.ok(&["graph", "mark", "helpdesk", "a2aagent:deployer", "--owned", "--reason", "phished"]);
    assert_snapshot!(out, @"
    marked A2AAgent helpdesk as owned
    marked A2AAgent deployer as owned
    ");
    place.ok(&["graph", "mark", "build-01", "--crown-jewel", "--author", "ann"]);
    assert_snapshot!(place.ok(&["path", "owned", "crown-jewels", "--brief"]), @"deployer -RUNS_ON 0.00-> build-01   weight 0.00, 1 hop");
    let marks = place.json(&["graph", "marks"]);
    let told: Vec<_> =
        marks.as_array().unwrap().iter().map(|mark| (&mark["name"], &mark["mark"], &mark["author"])).collect();
    assert!(told.contains(&(&json!("helpdesk"), &json!("owned"), &json!("tester"))), "{marks}");
    assert!(told.contains(&(&json!("build-01"), &json!("crown-jewel"), &json!("ann"))), "{marks}");
    let listed = place.ok(&["graph", "marks"]);
    assert!(listed.contains("phished") && listed.contains("A2AAgent"), "{listed}");
}

#[test]
fn the_last_mark_counts_and_can_be_taken_away() {
    let place = Place::with_demo();
    place.ok(&["graph", "mark", "cursor", "--owned"]);
    place.ok(&["graph", "mark", "cursor", "--crown-jewel"]);
    assert_eq!(place.json(&["path", "owned", "crown-jewels"])["from"]["nodes"], 0);
    assert_eq!(place.json(&["graph", "mark", "cursor", "--none"])["mark"], json!(null));
    assert_eq!(place.json(&["graph", "marks"]), json!([]));
}

#[test]
fn a_look_back_shows_the_marks_of_then() {
    let place = Place::with_demo();
    place.ok(&["graph", "mark", "cursor", "--owned"]);
    assert_eq!(place.json(&["graph", "marks", "--at", "2020-01-01T00:00:00Z"]), json!([]));
}

#[test]
fn one_unknown_name_keeps_all_marks_out() {
    let place = Place::with_demo();
    let ran = place.run(&["graph", "mark", "cursor", "nobody", "--owned"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, "error: there is no node `nobody`\n"));
    assert_eq!(place.json(&["graph", "marks"]), json!([]));
    assert_eq!(place.run(&["graph", "mark", "cursor"]).code, 2, "which mark?");
    assert_eq!(place.run(&["graph", "mark", "cursor", "--owned", "--none"]).code, 2);
    assert_eq!(place.run(&["graph", "mark", "cursor", "--owned", "--author", " "]).code, 1);
}
