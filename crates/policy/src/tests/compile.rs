//! Tenant policies: what is refused, what is doubted, and where.

use std::collections::BTreeSet;

use super::{action, catalogue, compile};
use crate::{Catalogue, Check, Known, Policies, TenantPolicy};

#[track_caller]
fn check_refused(body: &str, place: (usize, usize), part: &str) {
    let problems = compile(&[body], &catalogue(), Check::Refuse).unwrap_err();
    let found =
        problems.iter().any(|it| (it.line, it.column) == place && it.message.contains(part) && it.policy == "t0");
    assert!(found, "{problems:#?}");
}

#[track_caller]
fn check_doubted(body: &str, place: (usize, usize), part: &str) {
    let (_, warnings) = compile(&[body], &catalogue(), Check::Refuse).unwrap();
    let found = warnings.iter().any(|it| (it.line, it.column) == place && it.message.contains(part));
    assert!(found, "{warnings:#?}");
}

#[test]
fn types_are_checked_with_place() {
    check_refused("forbid(principal, action, resource)\nwhen { context.risk == \"high\" };", (2, 8), "");
    check_refused(
        "forbid(principal, action == Action::\"github.merge\", resource);",
        (1, 29),
        "Action::\"github.merge\"",
    );
    check_refused("\n\n  forbid(principal is Agnt, action, resource);", (3, 23), "Agnt");
    check_refused(
        "forbid(principal, action == Action::\"github.merge_pull_request\", resource)\nwhen { context.input.base_branch == \"x\" };",
        (2, 8),
        "base_branch",
    );
    check_refused(
        "forbid(principal, action == Action::\"github.merge_pull_request\", resource)\nwhen { context.input.ratio > 1 };",
        (2, 8),
        "ratio",
    );
}

#[test]
fn typed_arguments_can_be_used() {
    let body = "forbid(principal, action == Action::\"github.merge_pull_request\", resource) when { context.input.number > 5 };";
    let forbidden = super::Asked::merge("topic").decided(&[body]);
    assert_eq!(forbidden.code.name(), "forbidden_by_policy");
    let body = body.replace("> 5", "> 50");
    assert_eq!(super::Asked::merge("topic").decided(&[&body]).code.name(), "allowed");
}

#[test]
fn scopes_of_teams_tools_and_groups_match() {
    for (body, is_forbidden) in [
        ("forbid(principal in Team::\"payments\", action, resource);", true),
        ("forbid(principal in Team::\"other\", action, resource);", false),
        ("forbid(principal is Agent in Team::\"payments\", action, resource);", true),
        ("forbid(principal, action in Action::\"github.*\", resource);", true),
        ("forbid(principal, action in Action::\"shop.*\", resource);", false),
        ("forbid(principal, action in [Action::\"shop.*\", Action::\"github.read_issue\"], resource);", true),
        ("forbid(principal, action in Action::\"tool_call\", resource);", true),
        ("forbid(principal, action in [], resource);", false),
        ("forbid(principal, action, resource in Tool::\"github\");", true),
        ("forbid(principal, action, resource in Tool::\"shop\");", false),
        ("forbid(principal, action, resource == Resource::\"shop/api#1\");", true),
        ("forbid(principal, action, resource) when { resource.name like \"shop/*\" };", true),
        ("forbid(principal, action, resource) when { principal.key == \"billing\" };", true),
        ("forbid(principal, action, resource) when { principal has framework };", false),
        ("forbid(principal, action, resource) when { context has user && context.user.role == \"x\" };", false),
    ] {
        let asked = super::Asked { target: Some("shop/api#1".to_owned()), ..super::Asked::of("github", "read_issue") };
        let code = asked.decided(&[body]).code.name();
        assert_eq!(code, if is_forbidden { "forbidden_by_policy" } else { "allowed" }, "{body}");
    }
}

#[test]
fn policies_that_can_never_match_are_doubted() {
    check_doubted("forbid(principal, action, resource)\nwhen { false };", (1, 1), "can never match");
    check_doubted("forbid(principal in Tool::\"github\", action, resource);", (1, 1), "can never match");
    let missing = "forbid(principal, action in Action::\"github.*\", resource)\nwhen { context has input && context.input has amount };";
    check_doubted(missing, (1, 1), "can never match");
}

#[test]
fn what_is_not_registered_is_doubted() {
    check_doubted("forbid(principal,\n action, resource in Tool::\"gitlab\");", (2, 22), "there is no tool `gitlab`");
    check_doubted("forbid(principal, action, resource in McpServer::\"x\");", (1, 39), "there is no MCP server `x`");
    let (agents, teams) = (BTreeSet::from(["a1".to_owned()]), BTreeSet::new());
    let catalogue = catalogue();
    let known = Known { catalogue: &catalogue, agents: Some(&agents), teams: Some(&teams) };
    let body = "forbid(principal == Agent::\"a1\", action, resource);forbid(principal == Agent::\"a2\", action, resource);\
                forbid(principal in Team::\"t\", action, resource);";
    let (_, warnings) = Policies::compile(&[TenantPolicy::new("k", "", 1, body)], &known, Check::Refuse).unwrap();
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["there is no agent `a2`", "there is no team `t`"]);
}

#[test]
fn names_are_unique_across_all_policies() {
    let named = |name: &str| format!("@id(\"{name}\") forbid(principal, action, resource);");
    let problems = compile(&[&named("x"), &named("X")], &catalogue(), Check::Report).unwrap_err();
    assert_eq!(problems.first().unwrap().to_string(), "t1:1:1: the name `X` is taken by t0");
    let problems = compile(&[&named("Read-Permit")], &catalogue(), Check::Report).unwrap_err();
    assert!(problems.first().unwrap().message.contains("the default policies"));
    let problems =
        compile(&[&named("t1"), "forbid(principal, action, resource);"], &catalogue(), Check::Report).unwrap_err();
    assert_eq!(problems.first().unwrap().policy, "t1");
}

#[test]
fn all_problems_of_all_policies_are_told() {
    let problems =
        compile(&["permit(", "forbid(principal, action, resource", "nope"], &catalogue(), Check::Refuse).unwrap_err();
    let policies: BTreeSet<&str> = problems.iter().map(|problem| problem.policy.as_str()).collect();
    assert_eq!(policies, BTreeSet::from(["t0", "t1", "t2"]));
}

#[test]
fn a_policy_in_force_whose_tool_is_gone_is_told_and_stays() {
    let body = "forbid(principal, action == Action::\"shop.refund\", resource);";
    let mut fewer = Catalogue::default();
    fewer.add(action("github", "read_issue", false)).unwrap();
    assert!(compile(&[body], &fewer, Check::Refuse).is_err());
    let (policies, warnings) = compile(&[body], &fewer, Check::Report).unwrap();
    assert!(warnings.iter().any(|warning| warning.message.contains("shop.refund")), "{warnings:?}");
    assert!(policies.list().iter().any(|policy| &*policy.name == "t0"));
}

#[test]
fn hostile_schemas_still_give_a_schema() {
    let mut catalogue = Catalogue::default();
    for (at, schema) in [
        serde_json::json!({"properties": {"__cedar": {"type": "string"}, "__entity": {"type": "object", "properties": {"type": {"type": "string"}}}}}),
        serde_json::json!({"properties": {"a b\"\n": {"type": "integer"}, "if": {"type": "boolean"}, "": {"type": "string"}}}),
        serde_json::json!({"properties": {"x": {"$ref": "#/properties/x"}}}),
    ]
    .into_iter()
    .enumerate()
    {
        let facts = crate::ActionFacts { input_schema: Some(schema), ..action("t\"x", &format!("a{at}::\"b"), false) };
        catalogue.add(facts).unwrap();
    }
    compile(&["forbid(principal, action, resource) when { context.is_mcp };"], &catalogue, Check::Refuse).unwrap();
}

#[test]
fn checking_for_relevant_actions_finds_what_checking_for_all_finds() {
    let mut catalogue = catalogue();
    for at in 0..20 {
        let schema = serde_json::json!({"properties": {format!("p{}", at % 3): {"type": "string"}}});
        catalogue
            .add(crate::ActionFacts { input_schema: Some(schema), ..action("many", &format!("a{at}"), true) })
            .unwrap();
    }
    let all = cedar_policy::Schema::from_json_value(Policies::schema(&catalogue)).unwrap();
    let validator = cedar_policy::Validator::new(all);
    for scope in [
        "action",
        "action == Action::\"many.a1\"",
        "action in Action::\"many.*\"",
        "action in Action::\"tool_call\"",
        "action == Action::\"many.b\"",
        "action in []",
    ] {
        for condition in [
            "true",
            "false",
            "context.nothing",
            "context.risk == \"x\"",
            "context.input.p1 == \"x\"",
            "context has input && context.input has p1 && context.input.p1 == \"x\"",
            "context has input && context.input has p1 && context.input.p1 == 5",
            "context has input && context.input has number && context.input.number == 5",
            "action == Action::\"shop.refund\"",
            "action == Action::\"shop.refund\" && context.nothing",
            "action == Action::\"github.merge_pull_request\" && context.input.number == 5",
            "action in Action::\"many.*\" && context.input.p0 == \"\"",
            "action == Action::\"gone.x\"",
        ] {
            let body = format!("forbid(principal, {scope}, resource) when {{ {condition} }};");
            let set: cedar_policy::PolicySet = body.parse().unwrap();
            let result = validator.validate(&set, cedar_policy::ValidationMode::Strict);
            let is_valid = compile(&[&body], &catalogue, Check::Refuse);
            assert_eq!(is_valid.is_ok(), result.validation_passed(), "{body} {is_valid:?} {result}");
            if let Ok((_, warnings)) = is_valid {
                assert_eq!(warnings.is_empty(), result.validation_passed_without_warnings(), "{body} {warnings:?}");
            }
        }
    }
}
