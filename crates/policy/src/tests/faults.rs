//! Faults that gateways are known for, each as a test that it is not here.

use serde_json::json;
use tracehound_model::{TrustLevel, Verdict};

use super::{Asked, compile, names};
use crate::{Check, action_hash, redacted};

const PERMIT_ALL: &str = "permit(principal, action, resource);";

#[test]
fn w15_a_false_claim_of_reading_only_doesn_t_count() {
    let asked = Asked { claims_mutation: false, trust: TrustLevel::UntrustedExternal, ..Asked::of("shop", "refund") };
    assert!(asked.check(&[], Verdict::Deny, "forbidden_by_policy", &["untrusted-mutation-forbid"]).mutates_state);
    let tightened = Asked { claims_mutation: true, trust: TrustLevel::Unknown, ..Asked::of("github", "read_issue") };
    tightened.check(&[], Verdict::Deny, "forbidden_by_policy", &["untrusted-mutation-forbid"]);
}

#[test]
fn w16_the_principal_is_who_authenticated_and_quotes_in_ids_are_just_quotes() {
    for id in ["a\"1", "\\", "\"}; permit(principal, action, resource);", "\n", "Agent::\"root\"", &"x".repeat(1 << 20)]
    {
        let quoted = format!("forbid(principal == Agent::{id:?}, action, resource);");
        let mut asked = Asked { target: Some(id.to_owned()), ..Asked::of("github", "read_issue") };
        asked.agent.id = id.to_owned();
        asked.agent.owner_team = Some(id.to_owned());
        assert_eq!(asked.decided(&[]).verdict, Verdict::Allow);
        if id.len() < 100 {
            asked.check(&[&quoted], Verdict::Deny, "forbidden_by_policy", &["t0"]);
            Asked::of("github", "read_issue").check(&[&quoted], Verdict::Allow, "allowed", &["read-permit"]);
        }
    }
}

#[test]
fn w17_a_forbid_that_errs_denies() {
    let erring = "forbid(principal, action, resource) when { context.risk + 9223372036854775807 > 0 };";
    let decision = Asked::of("github", "read_issue").check(
        &[erring],
        Verdict::Deny,
        "policy_error",
        &["policy_error", "read-permit"],
    );
    let told: Vec<(&str, &str)> =
        decision.explanation.errors.iter().map(|error| (&*error.policy, error.message)).collect();
    assert_eq!(told, [("t0", "a calculation overflows")]);
    assert!(!decision.reason.contains("t0"));
}

#[test]
fn w17_a_permit_that_errs_denies_too() {
    let erring = "permit(principal, action, resource) when { Agent::\"other\".name == \"x\" };";
    Asked::of("github", "read_issue").check(&[erring], Verdict::Deny, "policy_error", &["policy_error", "read-permit"]);
}

#[test]
fn w17_a_policy_for_somebody_else_that_errs_harms_nobody() {
    let erring =
        "forbid(principal == Agent::\"a2\", action, resource) when { context.risk + 9223372036854775807 > 0 };";
    Asked::of("github", "read_issue").check(&[erring], Verdict::Allow, "allowed", &["read-permit"]);
}

#[test]
fn w17_policies_are_checked_against_the_schema() {
    let unknown = "forbid(principal, action, resource) when { context.amount > 5 };";
    let problems = compile(&[unknown], &super::catalogue(), Check::Refuse).unwrap_err();
    assert!(problems.iter().any(|problem| problem.message.contains("amount")), "{problems:?}");
    // In force all the same, because the tools changed under it, it denies.
    assert_eq!(Asked::of("github", "read_issue").decided(&[unknown]).code.name(), "policy_error");
}

#[test]
fn w21_an_edited_call_is_another_call_with_another_hash() {
    let forbid = "forbid(principal, action == Action::\"github.merge_pull_request\", resource)\n\
                  when { context.input has base_branch && context.input.base_branch like \"release/*\" };";
    let (approved, edited) = (Asked::merge("main"), Asked::merge("release/1"));
    assert_eq!(approved.decided(&[forbid]).verdict, Verdict::RequireApproval);
    edited.check(&[forbid], Verdict::Deny, "forbidden_by_policy", &["t0"]);
    let hash = |asked: &Asked| action_hash(&asked.tool, &asked.action, None, true, &asked.arguments);
    assert_ne!(hash(&approved), hash(&edited));
}

#[test]
fn w22_redacted_fields_are_redacted_in_copies_too() {
    let fields = Asked::of("secrets", "rotate_credential").decided(&[]).redacted_fields;
    let copy = redacted(&json!({"name": "db", "nested": [{"Password": "hunter2"}], "token": 1}), &fields);
    assert!(!copy.to_string().contains("hunter2"));
    assert_eq!(copy["name"], "db");
}

#[test]
fn w23_a_question_that_can_t_be_put_denies() {
    let asked = Asked { arguments: json!([]), ..Asked::merge("main") };
    assert_eq!(asked.decided(&[PERMIT_ALL]).verdict, Verdict::Deny);
}

#[test]
fn w24_permitting_everything_widens_nothing_and_draws_a_warning() {
    let (_, warnings) = compile(&[PERMIT_ALL], &super::catalogue(), Check::Refuse).unwrap();
    assert_eq!(warnings.first().unwrap().message, "the permit `t0` changes nothing");
    for trust in TrustLevel::ALL {
        for (tool, action) in [("shop", "refund"), ("github", "read_issue"), ("secrets", "rotate_credential")] {
            let asked = Asked { trust: *trust, ..Asked::of(tool, action) };
            assert_eq!(asked.decided(&[PERMIT_ALL]).verdict, asked.decided(&[]).verdict, "{trust} {tool}");
        }
    }
    assert_eq!(Asked::merge("main").decided(&[PERMIT_ALL]).approver_group.as_deref(), Some("platform-leads"));
}

#[test]
fn a_tool_under_another_spelling_meets_the_same_policies() {
    let forbid = "forbid(principal, action == Action::\"shop.refund\", resource);";
    for (tool, action) in
        [("shop", "refund"), ("Shop", "REFUND"), ("ｓｈｏｐ", "refund"), ("%73hop", "refu%6Ed"), (" shop", "refund\t")]
    {
        Asked::of(tool, action).check(&[forbid], Verdict::Deny, "forbidden_by_policy", &["t0"]);
    }
}

#[test]
fn of_several_policies_the_strongest_counts_and_equals_go_by_name() {
    let tenant = [
        "@id(\"z\") @decision(\"require_approval\") @approver_group(\"z-group\") @reason(\"z\") permit(principal, action, resource);",
        "@id(\"m\") @decision(\"require_approval\") @approver_group(\"m-group\") permit(principal, action, resource);",
        "@id(\"a\") @decision(\"redact\") @redact_fields(\"x\") @reason(\"a\") permit(principal, action, resource);",
    ];
    let asked = Asked::of("github", "read_issue");
    let names = ["a", "m", "read-permit", "z"];
    let decision = asked.check(&tenant, Verdict::RequireApproval, "approval_required", &names);
    assert_eq!((decision.approver_group.as_deref(), decision.reason.as_str()), (Some("m-group"), "z"));
    assert_eq!(decision.redacted_fields, ["x"]);
    let versions: Vec<u32> = decision.policies.iter().map(|policy| policy.version).collect();
    assert_eq!(versions, [7, 7, 1, 7]);
}

#[test]
fn the_same_call_is_always_decided_the_same() {
    let tenant: Vec<String> = (0..20)
        .map(|at| format!("@decision(\"require_approval\") @reason(\"r{at}\") permit(principal, action, resource) when {{ context.risk < {} }};", 50 + at))
        .collect();
    let tenant: Vec<&str> = tenant.iter().map(String::as_str).collect();
    let first = Asked::of("github", "read_issue").decided(&tenant);
    assert!((0..5).all(|_| Asked::of("github", "read_issue").decided(&tenant) == first));
    let mut sorted = names(&first);
    sorted.sort_unstable();
    assert_eq!(names(&first), sorted);
}
