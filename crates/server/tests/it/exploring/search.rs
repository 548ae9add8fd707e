//! Search.

use super::texts;
use crate::gateway::Gateway;

#[tokio::test]
async fn what_fits_a_name_best_comes_first_with_what_fits() {
    let gateway = Gateway::explored();
    let found = gateway.look("/v1/estate/search?q=CUSTOM").await;
    assert_eq!(texts(&found["items"], "/node/name"), ["customers", "customer table", "send", "query"]);
    let fields = texts(&found["items"], "/matched/field");
    assert_eq!(fields, ["name", "name", "description", "description"]);
    assert_eq!(found["items"][2]["matched"]["excerpt"], "Sends mail to customers.");
    assert_eq!(found["total"], 4);
    let servers = gateway.look("/v1/estate/search?q=custom&kinds=MCPTool&limit=1").await;
    assert_eq!((texts(&servers["items"], "/node/name"), &servers["total"]), (vec!["send"], &2.into()));
}

#[tokio::test]
async fn addresses_commands_ids_and_findings_are_found() {
    let gateway = Gateway::explored();
    for (question, id, field) in [
        ("prod/customers", "r1", "uri"),
        ("@acme", "s1", "args"),
        ("npx", "s1", "command"),
        ("t3", "t3", "id"),
        ("mail.example", "s3", "endpoint"),
        ("lena-lap", "h1", "name"),
    ] {
        let found = gateway.look(&format!("/v1/estate/search?q={question}")).await;
        let first = &found["items"][0];
        assert_eq!((&first["node"]["id"], &first["matched"]["field"]), (&id.into(), &field.into()), "{question}");
    }
    let by_kind = gateway.look("/v1/estate/search?q=can%20reach").await;
    let findings = by_kind["findings"].as_array().unwrap();
    assert!(!findings.is_empty() && findings.iter().all(|finding| finding["kind"] == "CAN_REACH"), "{by_kind}");
    let digits = findings[0]["fingerprint"].as_str().unwrap();
    let by_digits = gateway.look(&format!("/v1/estate/search?q={digits}")).await;
    assert_eq!(texts(&by_digits["findings"], "/fingerprint"), [digits]);
}

#[tokio::test]
async fn nothing_is_found_by_nothing_and_too_much_is_refused() {
    let gateway = Gateway::explored();
    for question in ["", "%20", "zzzz", "%00"] {
        let found = gateway.look(&format!("/v1/estate/search?q={question}")).await;
        assert_eq!((&found["total"], found["items"].as_array().unwrap().len()), (&0.into(), 0), "{question}");
    }
    let long = format!("/v1/estate/search?q={}", "x".repeat(257));
    gateway.check_refusal(&long, None, (400, "question_too_long", "256")).await;
    gateway.check_refusal("/v1/estate/search?q=x&limit=201", None, (400, "out_of_range", "200")).await;
    gateway.check_refusal("/v1/estate/search?q=x&kinds=Tool", None, (400, "bad_kind", "MCPTool")).await;
    gateway.check_refusal("/v1/estate/search", None, (400, "bad_query", "")).await;
}
