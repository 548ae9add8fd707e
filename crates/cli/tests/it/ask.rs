//! `tracehound ask`.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::json;

use crate::harness::{Place, document};

/// The sample estate.
fn sample() -> Place {
    let place = Place::new();
    let data = place.data();
    place.ok(&[Path::new("demo"), Path::new("--no-serve"), Path::new("--keep"), &data]);
    place
}

#[test]
fn all_questions_are_listed() {
    let place = Place::new();
    let out = place.ok(&["ask"]);
    assert_eq!(out, place.ok(&["ask", "list"]));
    for line in ["Critical Paths", "  rug-pull ", "node=… what is reached (has to be given)", "  crown-jewels "] {
        assert!(out.contains(line), "{line} in {out}");
    }
    let all = place.json(&["ask"]);
    assert!(all.as_array().unwrap().len() >= 29, "{}", all.as_array().unwrap().len());
    let reach = all.as_array().unwrap().iter().find(|question| question["question"] == "who-can-reach").unwrap();
    assert_eq!(reach["parameters"][0]["required"], json!(true));
}

#[test]
fn questions_are_answered_from_the_estate() {
    let place = sample();
    assert_snapshot!(place.ok(&["ask", "chokepoint-servers"]), @"
    Which servers do several agents trust?

     SERVER_NAME  AGENT_COUNT  TOOL_COUNT  AUTH_METHOD  ENDPOINT  SERVER_ID
     files        2            1           none         npx       542ed2decbda

    1 row
    ");
    assert_snapshot!(place.ok(&["ask", "who-can-reach", "node=postgres://prod-db:5432/customers"]), @"
    Which agents get to this, and in how many steps?

     NAME            KIND           SENSITIVITY  HOPS  PATH                                                                                  ID
     cursor          AgentInstance               2     cursor → customers → postgres://prod-db:5432/customers                                850af1ce2862
     claude-desktop  AgentInstance               4     claude-desktop → files → lena-laptop → customers → postgres://prod-db:5432/customers  bdd858c8628b

    2 rows
    ");
    assert_snapshot!(place.ok(&["ask", "rug-pull", "--at", "monday-laptop"]), @"
    Which tools or their servers' instructions were rewritten without anybody having looked at it?

    nothing
    ");
    let answer = place.json(&["ask", "rug-pull"]);
    assert_eq!((&answer["total"], &answer["rows"][0]["tool_name"]), (&json!(1), &json!("format_report")));
}

#[test]
fn a_page_says_which_part_it_is() {
    let place = sample();
    let all = place.json(&["ask", "what-can-reach", "from=agents"]);
    let total = all["rows"].as_array().unwrap().len();
    assert!(total > 2 && all["total"] == json!(total), "{all}");
    let part = place.json(&["ask", "what-can-reach", "from=agents", "--limit", "1", "--offset", "1"]);
    assert_eq!((&part["total"], &part["offset"], &part["rows"][0]), (&json!(total), &json!(1), &all["rows"][1]));
    let text = place.ok(&["ask", "what-can-reach", "from=agents", "--limit", "1", "--offset", "1"]);
    assert!(text.contains(&format!("rows 2 to 2 of {total} ")), "{text}");
}

#[test]
fn what_is_wrong_is_said_and_fails() {
    let place = sample();
    for (arguments, expected) in [
        (&["ask", "rugpull"][..], "error: there is no question `rugpull`; did you mean `rug-pull`?\n"),
        (
            &["ask", "blast-radius"],
            "error: `blast-radius` needs `node` (what an attacker holds), for example: blast-radius node=MCPServer:files\n",
        ),
        (&["ask", "blast-radius", "node=curser"], "error: `node`: there is no node `curser`; did you mean `cursor`?\n"),
        (
            &["ask", "blast-radius", "node=cursor", "hops=x"],
            "error: `hops` has to be a whole number from 1 to 1000, and is `x`\n",
        ),
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (1, expected, ""));
    }
    let ran = place.run(&["ask", "blast-radius", "node"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a parameter is written as key=value"), "{}", ran.err);
}

#[test]
fn names_from_documents_play_no_tricks() {
    let place = Place::new();
    let mut document = document("monday", "2026-01-05T09:00:00Z", "one");
    document["graph"]["nodes"][1]["properties"]["name"] = "files\u{1b}[2J\nx".into();
    place.ingest(&document);
    let out = place.ok(&["ask", "no-auth-servers"]);
    assert!(out.contains("files\\u{1b}[2J\\u{a}x") && !out.contains('\u{1b}'), "{out}");
    let ran = place.run(&["ask", "blast-radius", "node=filesx"]);
    assert!(ran.code == 1 && !ran.err.contains('\u{1b}') && ran.err.lines().count() == 1, "{}", ran.err);
}
