//! Policies over the API: versions, refusals, trials, differences, and the file that holds for everybody.

use axum::http::Method;
use serde_json::{Value, json};
use tracehound_evidence::TokenHash;
use tracehound_evidence::identity::Role;
use tracehound_server::{App, AppSettings, Doors, PolicyFileError, router};

use crate::gateway::{Answer, Gateway, request};

const NO_MERGE: &str = "@id(\"no-merge\")\n@reason(\"Not on Fridays.\")\nforbid (principal, action == Action::\"github.merge_pull_request\", resource);";
const NO_READ: &str = "@id(\"no-read\")\nforbid (principal, action == Action::\"github.get_pull_request\", resource);";

async fn add(gateway: &Gateway, key: &str, body: &str) -> Answer {
    let body = json!({ "policy_key": key, "name": key, "body": body, "reason": "a test" });
    gateway.post("/v1/policies", &gateway.admin, body).await
}

async fn put(gateway: &Gateway, key: &str, body: Value) -> Answer {
    gateway.ask(Method::PUT, &format!("/v1/policies/{key}"), &gateway.admin, Some(body)).await
}

/// What a trusted call is decided as, with its code.
async fn decided(gateway: &Gateway, agent: &(String, String), action: &str) -> (String, String) {
    let answer = gateway.post("/v1/authorize", &agent.1, request(&agent.0, action, "trusted_internal_signed")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let text = |name: &str| answer.body[name].as_str().unwrap().to_owned();
    (text("decision"), text("code"))
}

fn code(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.body["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn a_policy_has_versions_and_can_be_rolled_back() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let agent = gateway.agent("bot").await;
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.0, "allow");
    let added = add(&gateway, "house", NO_READ).await;
    assert_eq!((added.status, &added.body["version"]), (201, &json!(1)), "{added:?}");
    assert_eq!(added.body["policies"], json!(["no-read"]));
    assert_eq!(
        decided(&gateway, &agent, "get_pull_request").await,
        ("deny".to_owned(), "forbidden_by_policy".to_owned())
    );
    let changed = put(&gateway, "house", json!({ "body": NO_MERGE, "reason": "the other one" })).await;
    assert_eq!((changed.status, &changed.body["version"]), (200, &json!(2)), "{changed:?}");
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.0, "allow");
    let back = json!({ "version": 1, "reason": "it was right" });
    let back = gateway.post("/v1/policies/house/rollback", &gateway.admin, back).await;
    assert_eq!((back.status, &back.body["version"], &back.body["body"]), (200, &json!(3), &json!(NO_READ)), "{back:?}");
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.0, "deny");
    let gone = gateway.ask(Method::DELETE, "/v1/policies/house", &gateway.admin, None).await;
    assert_eq!((gone.status, &gone.body["is_active"]), (200, &json!(false)), "{gone:?}");
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.0, "allow");
    let history = gateway.get("/v1/policies/house/history", &gateway.admin).await;
    let told: Vec<_> = history.body["items"].as_array().unwrap().iter().map(|it| it["version"].clone()).collect();
    assert_eq!(told, [4, 3, 2, 1], "nothing is forgotten");
    let again = add(&gateway, "house", NO_READ).await;
    assert_eq!((again.status, &again.body["version"]), (201, &json!(5)), "a key that was taken out can be used again");
    let listed = gateway.get("/v1/receipts", &gateway.admin).await;
    let verified = gateway.post("/v1/receipts/verify-chain", &gateway.admin, listed.body.clone()).await;
    assert_eq!(verified.body["verified"], json!(true), "{verified:?}");
}

#[tokio::test]
async fn the_list_has_the_default_policies_with_names_and_text() {
    let gateway = Gateway::new();
    gateway.tool().await;
    add(&gateway, "a", NO_MERGE).await;
    add(&gateway, "b", NO_READ).await;
    let listed = gateway.get("/v1/policies?limit=1", &gateway.admin).await;
    let items = listed.body["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["source"], &items[1]["policy_key"]), (2, &json!("default"), &json!("a")));
    assert!(items[0]["policies"].as_array().unwrap().contains(&json!("read-permit")));
    assert!(items[0]["body"].as_str().unwrap().contains("@id(\"read-permit\")"));
    let next = gateway.get("/v1/policies?limit=1&cursor=a", &gateway.admin).await;
    assert_eq!(next.body["items"][0]["policy_key"], json!("b"));
    assert_eq!(next.body["next_cursor"], Value::Null);
    let default = gateway.get("/v1/policies/default", &gateway.admin).await;
    assert_eq!(default.body, items[0]);
    let schema = gateway.get("/v1/policies/schema", &gateway.admin).await;
    assert!(schema.body[""]["actions"]["github.merge_pull_request"].is_object(), "{schema:?}");
}

#[tokio::test]
async fn what_can_not_be_used_is_refused_with_its_place() {
    let gateway = Gateway::new();
    gateway.tool().await;
    for (body, line, says) in [
        ("permit (principal, action, resource)\nwhen { true }\n", 2, "unexpected end"),
        ("\n\nforbid (principal, action, resource) when { context.mutates_stat };", 3, "mutates_stat"),
        ("forbid (principal, action == Action::\"github.merge\", resource);", 1, "github.merge"),
        ("forbid (principal, action, resource) when { context.risk == \"high\" };", 1, "String"),
        ("@id(\"read-permit\")\nforbid (principal, action, resource);", 1, "read-permit"),
        ("@decison(\"require_approval\")\npermit (principal, action, resource);", 1, "@decison"),
        ("@id(\"tool_unknown\")\nforbid (principal, action, resource);", 1, "built in"),
        ("permit (principal == ?principal, action, resource);", 1, "template"),
        ("", 1, "no policy"),
    ] {
        let refused = add(&gateway, "house", body).await;
        assert_eq!(code(&refused), (422, "policy_refused"), "{body}: {refused:?}");
        let problem = &refused.body["problems"][0];
        assert_eq!((&problem["policy"], &problem["line"]), (&json!("house"), &json!(line)), "{body}: {refused:?}");
        assert!(problem["message"].as_str().unwrap().contains(says), "{body}: {problem}");
        let body = json!({ "policy_key": "house", "body": body });
        let checked = gateway.post("/v1/policies/validate", &gateway.admin, body).await;
        assert_eq!(checked.body["problems"], refused.body["problems"], "a check says what adding says");
    }
    assert_eq!(gateway.get("/v1/policies/house", &gateway.admin).await.status, 404);
    assert_eq!(code(&add(&gateway, "bad key!", NO_READ).await).0, 422);
    for key in ["default", "Schema", "policy-file", "reload"] {
        assert_eq!(code(&add(&gateway, key, NO_READ).await), (400, "reserved_key"));
    }
}

#[tokio::test]
async fn what_can_not_be_done_is_said() {
    let gateway = Gateway::new();
    gateway.tool().await;
    add(&gateway, "house", NO_READ).await;
    assert_eq!(code(&add(&gateway, "house", NO_MERGE).await), (409, "policy_exists"));
    let taken = add(&gateway, "other", NO_READ).await;
    assert_eq!(code(&taken), (422, "policy_refused"), "one name, one policy: {taken:?}");
    assert_eq!(code(&put(&gateway, "none", json!({ "body": NO_MERGE })).await), (404, "policy_not_found"));
    assert_eq!(code(&put(&gateway, "house", json!({ "reason": "none" })).await), (400, "nothing_changed"));
    assert_eq!(code(&put(&gateway, "house", json!({ "text": "?" })).await), (400, "bad_body"));
    let rollback = |version: u32| json!({ "version": version, "reason": "" });
    let back = gateway.post("/v1/policies/house/rollback", &gateway.admin, rollback(7)).await;
    assert_eq!(code(&back), (404, "policy_version_not_found"));
    let back = gateway.post("/v1/policies/none/rollback", &gateway.admin, rollback(1)).await;
    assert_eq!(code(&back), (404, "policy_not_found"));
    assert_eq!(gateway.get("/v1/policies/none/history", &gateway.admin).await.status, 404);
    assert_eq!(gateway.ask(Method::DELETE, "/v1/policies/none", &gateway.admin, None).await.status, 404);
    let reason = json!({ "name": "x", "reason": "y".repeat(1_001) });
    assert_eq!(code(&put(&gateway, "house", reason).await), (400, "too_long"));
    let reload = gateway.post("/v1/policies/reload", &gateway.admin, json!({})).await;
    assert_eq!(code(&reload), (403, "forbidden"), "the file is not the tenant's");
}

#[tokio::test]
async fn only_administrators_change_policies() {
    let gateway = Gateway::new();
    gateway.tool().await;
    add(&gateway, "house", NO_READ).await;
    let agent = gateway.agent("bot").await;
    for role in ["analyst", "approver", "auditor"] {
        let token = gateway.person(role, role).await;
        assert_eq!(gateway.get("/v1/policies/house", &token).await.status, 200);
        let body = json!({ "policy_key": "x", "body": NO_MERGE });
        assert_eq!(gateway.post("/v1/policies/validate", &token, body.clone()).await.status, 200);
        assert_eq!(gateway.post("/v1/policies", &token, body).await.status, 403);
        let put = gateway.ask(Method::PUT, "/v1/policies/house", &token, Some(json!({ "is_active": false }))).await;
        assert_eq!(put.status, 403);
        assert_eq!(gateway.ask(Method::DELETE, "/v1/policies/house", &token, None).await.status, 403);
    }
    assert_eq!(gateway.get("/v1/policies", &agent.1).await.status, 403);
}

#[tokio::test]
async fn a_policy_that_can_not_be_evaluated_denies() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let agent = gateway.agent("bot").await;
    let overflow =
        "@id(\"sum\")\nforbid (principal, action, resource) when { context.risk * 9223372036854775807 < 0 };";
    assert_eq!(add(&gateway, "sum", overflow).await.status, 201);
    let decided = decided(&gateway, &agent, "get_pull_request").await;
    assert_eq!(decided, ("deny".to_owned(), "policy_error".to_owned()));
    let listed = gateway.get("/v1/decisions", &gateway.admin).await;
    let errors = &listed.body["items"][0]["explanation"]["errors"];
    assert_eq!(errors[0]["policy"], json!("sum"), "operators are told which: {listed:?}");
}

#[tokio::test]
async fn what_is_probably_not_meant_is_a_warning() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let never = "forbid (principal, action, resource) when { context.mutates_state && !context.mutates_state && context.risk == 1 && false };";
    let added = add(&gateway, "never", never).await;
    assert_eq!(added.status, 201, "{added:?}");
    assert!(added.body["warnings"][0]["message"].as_str().unwrap().contains("never match"), "{added:?}");
    let nobody = "forbid (principal == Agent::\"nobody\", action, resource);";
    let added = add(&gateway, "nobody", nobody).await;
    assert_eq!(added.body["warnings"][0]["message"], json!("there is no agent `nobody`"), "{added:?}");
    let permit = add(&gateway, "permit", "permit (principal, action, resource);").await;
    assert!(permit.body["warnings"][0]["message"].as_str().unwrap().contains("changes nothing"), "{permit:?}");
}

#[tokio::test]
async fn a_tool_that_goes_leaves_its_policies_with_a_warning() {
    let gateway = Gateway::new();
    gateway.tool().await;
    add(&gateway, "house", NO_READ).await;
    gateway.ask(Method::DELETE, "/v1/tools/github", &gateway.admin, None).await;
    let listed = gateway.get("/v1/policies", &gateway.admin).await;
    assert_eq!(listed.body["problems"], json!([]));
    assert_eq!(listed.body["warnings"][0]["policy"], json!("house"), "{listed:?}");
    let other =
        add(&gateway, "other", "@id(\"other\")\nforbid (principal, action, resource) when { context.risk > 90 };")
            .await;
    assert_eq!(other.status, 201, "what does not fit any more is not held against others: {other:?}");
    assert_eq!(put(&gateway, "house", json!({ "is_active": false })).await.status, 200, "it can be taken out");
    assert_eq!(code(&put(&gateway, "house", json!({ "is_active": true })).await), (422, "policy_refused"));
}

#[tokio::test]
async fn policies_are_a_tenants_own() {
    let gateway = Gateway::new();
    gateway.tool().await;
    add(&gateway, "house", NO_READ).await;
    let other = other_tenant(&gateway);
    let listed = gateway.get("/v1/policies", &other).await;
    assert_eq!(listed.body["items"].as_array().unwrap().len(), 1, "{listed:?}");
    let unknown = gateway.get("/v1/policies/never-there", &other).await;
    let theirs = gateway.get("/v1/policies/house", &other).await;
    assert_eq!((theirs.status, &theirs.body), (404, &unknown.body), "another's is as good as none");
    for (method, path, body) in [
        (Method::PUT, "/v1/policies/house", Some(json!({ "is_active": false }))),
        (Method::DELETE, "/v1/policies/house", None),
        (Method::GET, "/v1/policies/house/history", None),
        (Method::POST, "/v1/policies/house/rollback", Some(json!({ "version": 1 }))),
        (Method::POST, "/v1/policies/diff", Some(json!({ "policy_key": "house" }))),
    ] {
        let answer = gateway.ask(method.clone(), path, &other, body).await;
        assert_eq!(code(&answer), (404, "policy_not_found"), "{method} {path}");
    }
    let same =
        json!({ "policy_key": "house", "body": "forbid (principal, action, resource) when { context.risk > 99 };" });
    assert_eq!(gateway.post("/v1/policies", &other, same).await.status, 201, "both may use one key");
    let first = gateway.get("/v1/policies/house", &gateway.admin).await;
    assert_eq!(first.body["body"], json!(NO_READ));
}

/// Adds a tenant; gives its administrator's token.
pub(crate) fn other_tenant(gateway: &Gateway) -> String {
    let written = gateway.app.evidence().write(|ledger| {
        ledger.add_tenant("other", "Other")?;
        ledger.add_person("other", "eve", Role::Admin, "test")
    });
    written.unwrap().1.reveal().to_owned()
}

#[tokio::test]
async fn of_those_who_race_for_a_name_one_gets_it() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let keys: Vec<String> = (0..8).map(|number| format!("racer-{number}")).collect();
    let all = futures_util::future::join_all(keys.iter().map(|key| add(&gateway, key, NO_READ))).await;
    let count = |status: u16| all.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(422)), (1, 7), "{all:?}");
    let listed = gateway.get("/v1/policies", &gateway.admin).await;
    assert_eq!(listed.body["problems"], json!([]));
}

fn case(name: &str, action: &str, expected: &str) -> Value {
    json!({
        "name": name, "agent": { "id": "bot", "environment": "prod" }, "tool": "github", "action": action,
        "source_trust": "trusted_internal_signed", "expect": { "decision": expected },
    })
}

#[tokio::test]
async fn described_calls_are_tried_and_nothing_is_stored() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let cases = [case("reads", "get_pull_request", "allow"), case("reads not", "get_pull_request", "deny")];
    let tried = gateway.post("/v1/policies/test", &gateway.admin, json!({ "cases": cases })).await;
    assert_eq!((&tried.body["met"], &tried.body["failed"]), (&json!(1), &json!(1)), "{tried:?}");
    let body = json!({ "cases": cases, "policies": [{ "body": NO_READ }] });
    let tried = gateway.post("/v1/policies/test", &gateway.admin, body).await;
    let results = tried.body["results"].as_array().unwrap();
    assert_eq!((&results[0]["is_met"], &results[1]["is_met"]), (&json!(false), &json!(true)), "{tried:?}");
    assert_eq!(results[1]["got"]["policies"], json!(["no-read"]));
    let broken = json!({ "cases": cases, "policies": [{ "policy_key": "p", "body": "forbid" }] });
    let broken = gateway.post("/v1/policies/test", &gateway.admin, broken).await;
    assert_eq!(code(&broken), (422, "policy_refused"));
    let many = json!({ "cases": vec![case("", "x", "deny"); 1_001] });
    assert_eq!(code(&gateway.post("/v1/policies/test", &gateway.admin, many).await), (400, "too_many"));
    let listed = gateway.get("/v1/policies", &gateway.admin).await;
    assert_eq!(listed.body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_change_is_compared_over_what_was_decided() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let agent = gateway.agent("bot").await;
    decided(&gateway, &agent, "get_pull_request").await;
    decided(&gateway, &agent, "merge_pull_request").await;
    let differs = gateway.post("/v1/policies/diff", &gateway.admin, json!({ "body": NO_READ })).await;
    assert_eq!((differs.status, &differs.body["compared"]), (200, &json!(2)), "{differs:?}");
    let changed = differs.body["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{differs:?}");
    assert_eq!(
        (&changed[0]["before"]["decision"], &changed[0]["after"]["decision"]),
        (&json!("allow"), &json!("deny"))
    );
    assert_eq!(changed[0]["recorded"]["decision"], json!("allow"));
    // The default policy about merges reads the branch, which is an argument.
    let inexact = differs.body["inexact"].as_array().unwrap();
    assert_eq!((inexact.len(), &inexact[0]["because"]), (1, &json!(["input"])), "{differs:?}");
    add(&gateway, "house", NO_READ).await;
    let without = gateway.post("/v1/policies/diff", &gateway.admin, json!({ "policy_key": "house" })).await;
    assert_eq!(without.body["changed"][0]["after"]["decision"], json!("allow"), "{without:?}");
    let mut unexpected = case("reads", "get_pull_request", "allow");
    unexpected.as_object_mut().unwrap().remove("expect");
    let body = json!({ "policy_key": "house", "cases": [unexpected] });
    let described = gateway.post("/v1/policies/diff", &gateway.admin, body).await;
    assert_eq!((&described.body["over"], &described.body["changed"][0]["name"]), (&json!("cases"), &json!("reads")));
    let broken = gateway.post("/v1/policies/diff", &gateway.admin, json!({ "body": "permit" })).await;
    assert_eq!(code(&broken), (422, "policy_refused"));
}

/// The same data under a server with a policy file.
fn with_file(mut gateway: Gateway, text: &str) -> (Gateway, std::path::PathBuf) {
    let path = gateway.directory.path().join("house.cedar");
    std::fs::write(&path, text).unwrap();
    let settings = AppSettings { policy_file: Some(path.clone()), ..AppSettings::new(gateway.directory.path()) };
    gateway.app = App::new(gateway.app.evidence().clone(), Some(TokenHash::of("operator")), settings);
    gateway.router = router(&gateway.app, Doors::default());
    (gateway, path)
}

#[tokio::test]
async fn a_broken_policy_file_on_reload_keeps_what_was_in_force() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let agent = gateway.agent("bot").await;
    let (gateway, path) = with_file(gateway, NO_READ);
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.1, "policies_unusable", "not read, nothing allowed");
    let loaded = gateway.app.load_policy_file().unwrap().unwrap();
    assert_eq!((loaded.version, loaded.policies), (1, vec!["no-read".to_owned()]));
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.1, "forbidden_by_policy");
    let listed = gateway.get("/v1/policies", &gateway.admin).await;
    assert_eq!(listed.body["items"][1]["source"], json!("file"), "{listed:?}");
    for broken in
        ["\nforbid (principal, action, resource", "forbid (principal, action, resource) when { context.nothing };"]
    {
        std::fs::write(&path, broken).unwrap();
        let reload = gateway.post("/v1/policies/reload", "operator", json!({})).await;
        assert_eq!(code(&reload), (422, "policy_file_unusable"), "{reload:?}");
        assert_eq!(reload.body["problems"][0]["policy"], json!("policy-file"), "{reload:?}");
        assert_eq!(decided(&gateway, &agent, "get_pull_request").await.1, "forbidden_by_policy", "it stays");
    }
    std::fs::remove_file(&path).unwrap();
    let reload = gateway.post("/v1/policies/reload", "operator", json!({})).await;
    assert_eq!(code(&reload), (422, "policy_file_unusable"));
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.1, "forbidden_by_policy", "it stays");
    std::fs::write(&path, NO_MERGE).unwrap();
    let reload = gateway.post("/v1/policies/reload", "operator", json!({})).await;
    assert_eq!((reload.status, &reload.body["version"]), (200, &json!(2)), "{reload:?}");
    assert_eq!(decided(&gateway, &agent, "get_pull_request").await.0, "allow", "it is taken");
    let again = gateway.post("/v1/policies/reload", "operator", json!({})).await;
    assert_eq!(again.body["version"], json!(2), "the same text is the same version");
}

#[tokio::test]
async fn a_server_with_a_broken_policy_file_does_not_start() {
    let (gateway, _) = with_file(Gateway::new(), "permit");
    let refused = gateway.app.load_policy_file().unwrap_err();
    assert!(matches!(refused, PolicyFileError::Broken { .. }), "{refused}");
}

#[tokio::test]
async fn the_file_holds_for_all_tenants_and_its_names_are_taken() {
    let gateway = Gateway::new();
    gateway.tool().await;
    let other = other_tenant(&gateway);
    let (gateway, path) = with_file(gateway, NO_READ);
    gateway.app.load_policy_file().unwrap();
    let shown = gateway.get("/v1/policies/policy-file", &other).await;
    assert_eq!(shown.body["body"], json!(NO_READ), "{shown:?}");
    let taken = add(&gateway, "mine", NO_READ).await;
    assert_eq!(code(&taken), (422, "policy_refused"), "{taken:?}");
    assert_eq!(add(&gateway, "mine", NO_MERGE).await.status, 201);
    std::fs::write(&path, NO_MERGE).unwrap();
    let reload = gateway.post("/v1/policies/reload", "operator", json!({})).await;
    assert_eq!(code(&reload), (422, "policy_file_unusable"), "a tenant has that name: {reload:?}");
}
