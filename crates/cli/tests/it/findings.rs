//! `tracehound findings` on the sample estate and on estates of several scans.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::harness::Place;

/// One agent, one open server with a critical file; the tool that opens the file is there or not.
fn scan(scan_id: &str, day: u32, has_tool: bool) -> Value {
    let node = |id: &str, kind: &str, properties: Value| json!({ "id": id, "kinds": [kind], "properties": properties });
    let edge = |source: &str, kind: &str, target: &str| json!({ "source": source, "target": target, "kind": kind, "properties": {} });
    let mut nodes = vec![
        node("a", "AgentInstance", json!({ "name": "agent" })),
        node("s", "MCPServer", json!({ "name": "files", "auth_method": "none" })),
        node("r", "MCPResource", json!({ "name": "secrets", "uri": "file:///etc/shadow", "sensitivity": "critical" })),
        node("u", "MCPTool", json!({ "name": "list_things" })),
    ];
    let mut edges =
        vec![edge("a", "TRUSTS_SERVER", "s"), edge("s", "PROVIDES_RESOURCE", "r"), edge("s", "PROVIDES_TOOL", "u")];
    if has_tool {
        nodes.push(node("t", "MCPTool", json!({ "name": "read_it", "capability_surface": ["file_read"] })));
        edges.push(edge("s", "PROVIDES_TOOL", "t"));
    }
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": scan_id,
                  "timestamp": format!("2026-01-{day:02}T00:00:00Z") },
        "graph": { "nodes": nodes, "edges": edges },
    })
}

/// Days on which the tool is there, not there, and there again.
fn week() -> Place {
    let place = Place::new();
    for (scan_id, day, has_tool) in [("one", 5, true), ("two", 6, false), ("three", 7, true)] {
        place.ingest(&scan(scan_id, day, has_tool));
    }
    place
}

fn titles(json: &Value) -> Vec<String> {
    let findings = json["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|it| format!("{} {}", it["fate"].as_str().unwrap_or("-"), it["kind"].as_str().unwrap()))
        .collect()
}

#[test]
fn the_worst_comes_first_and_every_finding_says_why_and_what_to_do() {
    let place = Place::with_demo();
    let list = place.json(&["findings", "list"]);
    assert_eq!(list["total"], list["findings"].as_array().unwrap().len());
    let rank = |finding: &Value| ["critical", "high", "medium", "low"].iter().position(|it| finding["severity"] == *it);
    assert!(list["findings"].as_array().unwrap().is_sorted_by_key(rank));
    for finding in list["findings"].as_array().unwrap() {
        for key in ["title", "description", "evidence", "remediation", "category"] {
            assert!(finding[key].as_str().is_some_and(|text| text.len() > 3), "{key} of {finding}");
        }
        assert!(!finding["standards"].as_array().unwrap().is_empty(), "{finding}");
    }
    let page = place.json(&["findings", "list", "--limit", "2", "--offset", "3"]);
    assert_eq!(page["findings"][0], list["findings"][3]);
    assert_eq!((page["findings"].as_array().unwrap().len(), &page["total"]), (2, &list["total"]));
    let beyond = place.json(&["findings", "list", "--offset", "1000"]);
    assert_eq!((&beyond["findings"], &beyond["total"]), (&json!([]), &list["total"]));
}

#[test]
fn one_finding_is_told_whole() {
    let place = week();
    assert_snapshot!(place.ok(&["findings", "list", "--kind", "CAN_REACH"]), @"
    critical  Agent `agent` can reach resource `secrets` of `files` through tool `read_it` of `files`  [c00c3d10]

    1 finding fits: 1 critical; in all there are 2: 1 critical, 1 medium.
    `tracehound findings show ID` tells everything about one of them.
    ");
    let list = place.json(&["findings", "list", "--kind", "CAN_REACH"]);
    let id = list["findings"][0]["fingerprint"].as_str().unwrap();
    assert_snapshot!(place.ok(&["findings", "show", &id[..8], "--alone"]), @"
    critical  Agent `agent` can reach resource `secrets` of `files` through tool `read_it` of `files`
    id c00c3d10afd2a0be, kind CAN_REACH, confidence 1.00

    Whatever steers the agent, a poisoned page as well as its user, gets at resource `secrets` of `files` with `read_it`. No further step is needed: the agent trusts the server, and the tool has the access.

    Because
      `agent` trusts `files`, which offers `read_it`, which has access to `secrets`

    Path
      agent -TRUSTS_SERVER 0.10-> files
          `agent` trusts `files`
      files -PROVIDES_TOOL 0.10-> read_it
          `files` offers `read_it`
      read_it -HAS_ACCESS_TO 0.20-> secrets
          `read_it` has access to `secrets`
      weight 0.40, 3 hops

    What to do
      If agent `agent` does not need `secrets`, take server `files` out of its configuration, or turn `read_it` off there. If it does, give server `files` an account that sees no more than the task needs, and let the agent ask before it uses the tool.

    Standards
      MCP02:2025 Privilege Escalation via Scope Creep
      ASI02 Tool Misuse and Exploitation
      ASI03 Identity and Privilege Abuse
      AML.T0053 AI Agent Tool Invocation
      AML.T0085 Data from AI Services

    Without one edge of the path
      agent -TRUSTS_SERVER-> files: this finding is gone, 2 findings in all
      files -PROVIDES_TOOL-> read_it: this finding is gone, 2 findings in all
      files -PROVIDES_RESOURCE-> secrets: this finding is gone, 2 findings in all
    ");
    assert_eq!(place.run(&["findings", "show", "zz"]).code, 1);
    assert!(place.run(&["findings", "show", "0000"]).err.contains("there is no finding `0000`"));
}

#[test]
fn what_became_of_findings_is_told_against_another_point() {
    let place = week();
    let fixed = place.json(&["findings", "list", "--kind", "CAN_REACH", "--at", "two", "--since", "one"]);
    assert_eq!(titles(&fixed), ["fixed CAN_REACH"]);
    let back = place.json(&["findings", "list", "--kind", "CAN_REACH", "--since", "two"]);
    assert_eq!(titles(&back), ["reopened CAN_REACH"]);
    let stays = place.json(&["findings", "list", "--kind", "CAN_REACH", "--since", "one"]);
    assert_eq!(titles(&stays), ["persisting CAN_REACH"]);
    let new = place.json(&["findings", "list", "--kind", "CAN_REACH", "--at", "one", "--since", "2026-01-01"]);
    assert_eq!(titles(&new), ["new CAN_REACH"]);
    assert_eq!(place.json(&["findings", "list", "--new-since", "one"])["total"], 0);
    let diff = place.json(&["scans", "diff", "one", "two"]);
    assert!(diff["findings"]["fixed"].as_array().unwrap().iter().any(|it| it["kind"] == "CAN_REACH"));
    assert_eq!(diff["findings"]["new"], json!([]));
}

#[test]
fn a_gate_fails_on_what_is_new_and_not_on_what_was_accepted() {
    let place = week();
    let gate =
        |arguments: &[&str]| place.run(&[&["findings", "list", "--fail-on", "critical"], arguments].concat()).code;
    assert_eq!(gate(&[]), 10);
    assert_eq!(gate(&["--new-since", "two"]), 10);
    assert_eq!(gate(&["--new-since", "one"]), 0);
    assert_eq!(gate(&["--at", "two"]), 0);
    let id = place.json(&["findings", "list", "--kind", "CAN_REACH"])["findings"][0]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned();
    let accept = ["findings", "triage", &id, "--state", "accepted-risk", "--reason", "replaced in March"];
    place.ok(&[&accept[..], &["--expires", "2999-01-01"]].concat());
    assert_eq!(gate(&[]), 0);
    assert_eq!(gate(&["--all"]), 0, "what is shown all the same is accepted all the same");
    let list = place.json(&["findings", "list", "--kind", "CAN_REACH"]);
    assert_eq!((&list["total"], &list["suppressed"]), (&json!(0), &json!(1)));
    // A re-scan changes nothing about it, and neither does the deletion of scans.
    place.ingest(&scan("four", 8, true));
    place.ok(&["scans", "delete", "one"]);
    assert_eq!(gate(&[]), 0);
    place.ok(&["findings", "triage", &id, "--state", "new", "--reason", "March is over"]);
    assert_eq!(gate(&[]), 10);
    let history = place.json(&["findings", "show", &id])["history"].as_array().unwrap().clone();
    let states: Vec<&str> = history.iter().map(|record| record["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["accepted-risk", "new"]);
    assert_eq!((&history[0]["author"], &history[0]["reason"]), (&json!("tester"), &json!("replaced in March")));
}

#[test]
fn a_bad_decision_is_refused_and_nothing_is_written() {
    let place = week();
    let id = place.json(&["findings", "list"])["findings"][0]["fingerprint"].as_str().unwrap().to_owned();
    let decide = |more: &[&str]| place.run(&[&["findings", "triage", &id], more].concat());
    for (arguments, message) in [
        (&["--state", "confirmed", "--reason", " "][..], "a decision needs a reason"),
        (&["--state", "confirmed", "--reason", "x", "--author", ""], "a decision needs somebody who made it"),
        (&["--state", "confirmed", "--reason", "x", "--expires", "soon"], "`soon` is no time"),
        (&["--state", "confirmed", "--reason", "x", "--expires", "2001-01-01"], "2001-01-01"),
        (&["0000", "--state", "confirmed", "--reason", "x"], "there is no finding `0000`"),
    ] {
        let ran = decide(arguments);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    assert_eq!(decide(&["--state", "maybe", "--reason", "x"]).code, 2);
    assert_eq!(place.json(&["findings", "show", &id])["history"], json!([]));
}

/// A scan in which the file is this sensitive, and these tools open it.
fn shade(scan_id: &str, day: u32, sensitivity: &str, tools: &[&str]) -> Value {
    let mut document = scan(scan_id, day, false);
    document["graph"]["nodes"][2]["properties"]["sensitivity"] = json!(sensitivity);
    for tool in tools {
        let properties = json!({ "name": tool, "capability_surface": ["file_read"] });
        let (nodes, edges) = ("nodes", "edges");
        document["graph"][nodes]
            .as_array_mut()
            .unwrap()
            .push(json!({ "id": tool, "kinds": ["MCPTool"], "properties": properties }));
        document["graph"][edges]
            .as_array_mut()
            .unwrap()
            .push(json!({ "source": "s", "target": tool, "kind": "PROVIDES_TOOL", "properties": {} }));
    }
    document
}

#[test]
fn what_stays_and_is_worse_or_goes_another_way_is_told() {
    let place = Place::new();
    place.ingest(&shade("one", 5, "high", &["ta", "tb"]));
    place.ingest(&shade("two", 6, "critical", &["ta", "tb"]));
    place.ingest(&shade("three", 7, "critical", &["tb"]));
    let list = |arguments: &[&str]| place.json(&[&["findings", "list", "--kind", "CAN_REACH"], arguments].concat());
    let worse = list(&["--at", "two", "--since", "one"]);
    assert_eq!(worse["findings"][0]["changed"], json!({ "severity_was": "high", "other_path": false }));
    let elsewhere = list(&["--since", "two"]);
    assert_eq!(elsewhere["findings"][0]["changed"], json!({ "other_path": true }));
    assert_eq!(list(&["--at", "two", "--since", "two"])["findings"][0]["changed"], json!(null));
    assert_snapshot!(place.ok(&["findings", "list", "--kind", "CAN_REACH", "--since", "one"]), @"
    critical  persisting  Agent `agent` can reach resource `secrets` of `files` through tool `tb` of `files`  [c00c3d10]  (was high, another path)

    1 finding fits: 1 critical; in all there are 2: 1 critical, 1 medium.
    `tracehound findings show ID` tells everything about one of them.
    Between the two points, whatever else was asked for: 2 persisting, 1 of them changed, 1 fixed.
    ");
    let diff = place.json(&["scans", "diff", "one", "three"]);
    let changed = diff["findings"]["changed"].as_array().unwrap();
    let reach = changed.iter().find(|it| it["kind"] == "CAN_REACH").unwrap();
    assert_eq!(reach["changed"], json!({ "severity_was": "high", "other_path": true }));
    assert!(place.ok(&["scans", "diff", "one", "three"]).contains("(was high, another path)"));
    let what_if = ["what-if", "--remove-node", "ta", "--at", "two"];
    assert!(place.ok(&what_if).contains("findings that would change"));
}

#[test]
fn an_accepted_finding_that_got_worse_is_open_again() {
    let place = Place::new();
    place.ingest(&shade("one", 5, "high", &["ta"]));
    let list = || place.json(&["findings", "list", "--kind", "CAN_REACH"]);
    let id = list()["findings"][0]["fingerprint"].as_str().unwrap().to_owned();
    place.ok(&["findings", "triage", &id, "--state", "accepted-risk", "--reason", "for now"]);
    assert_eq!(list()["suppressed"], 1);
    place.ingest(&shade("two", 6, "critical", &["ta"]));
    let open = list();
    assert_eq!((&open["suppressed"], &open["findings"][0]["state"]), (&json!(0), &json!("new")));
    assert_eq!(
        (&open["findings"][0]["outgrown"], &open["findings"][0]["triage"]["record"]["severity"]),
        (&json!(true), &json!("high"))
    );
    assert_eq!(place.run(&["findings", "list", "--fail-on", "critical"]).code, 10);
    assert!(place.ok(&["findings", "list"]).contains("(accepted-risk at high, is critical now)"));
    assert!(place.ok(&["findings", "show", &id]).contains("decided at high, is critical now"));
    place.ok(&["findings", "triage", &id, "--state", "accepted-risk", "--reason", "still"]);
    assert_eq!(list()["suppressed"], 1);
    place.ingest(&shade("three", 7, "high", &["ta"]));
    assert_eq!(list()["suppressed"], 1, "milder than it was is fine");
}

#[test]
fn a_finding_that_is_fixed_is_shown_as_it_last_stood() {
    let place = week();
    let id = place.json(&["findings", "list", "--kind", "CAN_REACH"])["findings"][0]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned();
    place.ingest(&scan("four", 8, false));
    place.ingest(&scan("five", 9, false));
    let shown = place.json(&["findings", "show", &id]);
    assert_eq!((&shown["last_seen"]["scan_id"], &shown["fixed_since"]["scan_id"]), (&json!("three"), &json!("four")));
    assert_eq!(shown["path"].as_array().unwrap().len(), 3);
    let text = place.ok(&["findings", "show", &id[..6]]);
    assert!(
        text.starts_with("fixed since scan four of 2026-01-08T00:00:00Z; this is how it stood after scan three\n"),
        "{text}"
    );
    let then = place.json(&["findings", "show", &id, "--at", "two"]);
    assert_eq!((&then["last_seen"]["scan_id"], &then["fixed_since"]["scan_id"]), (&json!("one"), &json!("two")));
    assert_eq!(place.json(&["findings", "show", &id, "--at", "three"])["fixed_since"], json!(null));
    let never = place.run(&["findings", "show", "0000"]);
    assert!(never.err.contains("at this point or before; --at looks at another point"), "{}", never.err);
}

#[test]
fn a_path_shows_which_way_each_edge_is_walked() {
    let place = Place::with_demo();
    let list = place.json(&["findings", "list"]);
    let steps = |finding: &Value| finding["path"].as_array().cloned().unwrap_or_default();
    let mut against = 0;
    for finding in list["findings"].as_array().unwrap() {
        let text = || place.ok(&["findings", "show", finding["fingerprint"].as_str().unwrap()]);
        for step in steps(finding) {
            let starts_at = match step["kind"].as_str().unwrap() {
                "HAS_ENV_VAR" => "MCPServer",
                "EXPOSES_CREDENTIAL" => "LiteLLMGateway",
                "same-secret" | "reads" => {
                    assert_eq!(step["direction"], json!(null));
                    continue;
                }
                _ => continue,
            };
            let is_along = step["from"]["kind"] == starts_at;
            assert_eq!(step["direction"], if is_along { "along" } else { "against" }, "{step}");
            if !is_along && against == 0 {
                assert!(text().contains(&format!("<-{} ", step["kind"].as_str().unwrap())), "{}", text());
            }
            against += usize::from(!is_along);
        }
    }
    assert!(against > 0);
}

#[test]
fn what_was_asked_for_and_everything_are_both_counted() {
    let place = Place::with_demo();
    let (all, some) = (place.json(&["findings", "list"]), place.json(&["findings", "list", "--severity", "critical"]));
    assert_eq!(all["matching"]["total"], all["total"]);
    assert_eq!(some["in_all"], all["in_all"]);
    let critical = &all["matching"]["by_severity"]["critical"];
    assert_eq!(some["matching"]["by_severity"], json!({ "critical": critical }));
    assert!(some["matching"]["total"].as_u64() < all["in_all"]["total"].as_u64());
    let of_kinds: u64 =
        some["matching"]["by_kind"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(json!(of_kinds), some["total"]);
    let text = place.ok(&["findings", "list", "--severity", "critical"]);
    let whole = format!("fit: {critical} critical; in all there are {}: ", all["in_all"]["total"]);
    assert!(text.contains(&whole), "{text}");
    assert!(!place.ok(&["findings", "list"]).contains("in all there are"));
}

#[test]
fn very_long_names_lose_their_middle_in_lists_and_nowhere_else() {
    let place = Place::new();
    let mut document = scan("one", 5, true);
    let long = format!("secrets-{}-of-the-payroll", "x".repeat(400));
    document["graph"]["nodes"][2]["properties"]["name"] = json!(long);
    place.ingest(&document);
    let list = place.ok(&["findings", "list", "--kind", "CAN_REACH"]);
    assert!(list.contains("`secrets-xxx") && list.contains("…xx") && list.contains("x-of-the-payroll`"), "{list}");
    assert!(list.lines().all(|line| line.chars().count() < 250), "{list}");
    let path = place.ok(&["path", "agent", "kind:MCPResource"]);
    assert!(path.contains('…') && !path.contains(&long), "{path}");
    let json = place.json(&["findings", "list", "--kind", "CAN_REACH"]);
    assert!(json["findings"][0]["title"].as_str().unwrap().contains(&long));
    assert!(place.ok(&["findings", "show", json["findings"][0]["fingerprint"].as_str().unwrap()]).contains(&long));
    assert!(place.ok(&["graph", "show", "r"]).contains(&long));
}

/// One server with so many files, which one agent trusts.
fn crowded(id: &str, day: u32, files: usize) -> Value {
    let edge = |source: &str, kind: &str, target: &str| json!({ "source": source, "target": target, "kind": kind, "properties": {} });
    let mut nodes = vec![
        json!({ "id": "a", "kinds": ["AgentInstance"], "properties": { "name": "agent" } }),
        json!({ "id": "s", "kinds": ["MCPServer"], "properties": { "name": "files", "auth_method": "oauth" } }),
        json!({ "id": "t", "kinds": ["MCPTool"], "properties": { "name": "read", "capability_surface": ["file_read"] } }),
    ];
    let mut edges = vec![edge("a", "TRUSTS_SERVER", "s"), edge("s", "PROVIDES_TOOL", "t")];
    for number in 0..files {
        let file = format!("r{number:03}");
        nodes.push(
            json!({ "id": file, "kinds": ["MCPResource"], "properties": { "uri": format!("file:///{number}") } }),
        );
        edges.push(edge("s", "PROVIDES_RESOURCE", &file));
    }
    json!({
        "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": id,
                  "timestamp": format!("2026-01-0{day}T00:00:00Z") },
        "graph": { "nodes": nodes, "edges": edges },
    })
}

#[test]
fn a_gate_fails_when_more_came_that_is_not_written_down() {
    let place = Place::new();
    for (id, day, files) in [("one", 1, 150), ("two", 2, 150), ("three", 3, 151), ("four", 4, 140)] {
        place.ingest(&crowded(id, day, files));
    }
    let gate = |at: &str, since: &str| {
        let kind = ["--kind", "CAN_REACH", "--fail-on", "critical"];
        place.run(&[&["findings", "list", "--at", at, "--new-since", since], &kind[..]].concat()).code
    };
    assert_eq!(gate("two", "one"), 0, "as much as before");
    assert_eq!(gate("three", "two"), 10, "one more, behind the hundred that are written down");
    assert_eq!(gate("four", "three"), 0, "fewer than before");
    let told = place.json(&["findings", "list", "--at", "three", "--new-since", "two"]);
    assert_eq!(told["unwritten_more"]["CAN_REACH"], 1);
}
