//! `tracehound incidents` over a server that runs.

use std::time::Duration;

use serde_json::{Value, json};

use crate::gateway::{Server, ask, prepared, request};
use crate::harness::Place;

/// Lets an agent be denied until that is an incident; gives its id.
fn storm(place: &Place, server: &Server, token: &str) -> String {
    for _ in 0..5 {
        let (status, answer) =
            ask(&server.address, "POST", "/v1/authorize", token, Some(&request("no_such_action"))).unwrap();
        assert_eq!((status, &answer["decision"]), (200, &json!("deny")), "{answer}");
    }
    // Detection runs behind the decisions.
    for _ in 0..200 {
        let found = place.json(&["incidents", "list"]);
        if let Some(incident) = found.as_array().unwrap().first() {
            return incident["incident_id"].as_str().unwrap().to_owned();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("five denials are no incident");
}

#[test]
fn an_incident_is_looked_at_its_agent_stopped_and_let_go_and_it_is_closed() {
    let place = Place::new();
    let token = prepared(&place);
    let server = Server::start(&place);
    let id = storm(&place, &server, &token);
    let listed = place.ok(&["incidents", "list", "--agent", "bot"]);
    assert!(listed.contains("INCIDENT") && listed.contains(&id), "{listed}");
    assert_eq!(place.json(&["incidents", "list", "--agent", "nobody"]), json!([]));
    let shown = place.json(&["incidents", "show", &id]);
    assert!(shown["decision_ids"].as_array().unwrap().len() >= 5, "{shown}");
    let alerts = place.json(&["incidents", "alerts", "--agent", "bot", "--rule", "rule_deny_storm"]);
    assert!(!alerts.as_array().unwrap().is_empty());

    let contain = ["incidents", "contain", "bot", "--by", "force-approval", "--incident", &id, "--reason", "look"];
    let contained = place.json(&contain);
    assert_eq!(contained["kind"], "force_approval");
    let decide = || ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap().1;
    assert_eq!(decide()["decision"], "require_approval");
    let containment = contained["containment_id"].as_str().unwrap();
    assert!(place.ok(&["incidents", "containments"]).contains(containment));
    let undone = place.ok(&["incidents", "undo", containment, "--reason", "all well"]);
    assert!(undone.contains("as it was before"), "{undone}");
    assert_eq!(decide()["decision"], "allow");

    assert_eq!(place.ok(&["incidents", "close", &id, "--reason", "done"]), format!("{id} is closed\n"));
    assert!(!place.ok(&["incidents", "list"]).contains(&id));
    let all: Value = place.json(&["incidents", "list", "--all"]);
    let closed = all.as_array().unwrap().iter().find(|incident| incident["incident_id"] == id.as_str()).unwrap();
    assert_eq!((&closed["status"], &closed["closing_reason"]), (&json!("closed"), &json!("done")));
    server.kill();
    assert!(place.ok(&["incidents", "list", "--all"]).contains(&id), "the same without a server");
}

#[test]
fn what_is_not_there_or_not_said_is_told() {
    let place = Place::new();
    let ran = place.run(&["incidents", "show", "nothing"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("incident_not_found"), "{}", ran.err);
    assert_eq!(place.run(&["incidents", "close", "nothing"]).code, 2, "a reason is needed");
    let ran = place.run(&["incidents", "contain", "nobody", "--by", "freeze", "--reason", "x"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("agent_not_found"), "{}", ran.err);
    assert_eq!(place.run(&["incidents", "contain", "nobody", "--by", "shout", "--reason", "x"]).code, 2);
    let ran = place.run(&["incidents", "list", "--severity", "bad"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("bad_query"), "{}", ran.err);
}
