//! Described calls, and what a change of policies would change.

use tracehound_model::Verdict;

use super::{Asked, catalogue, compile};
use crate::{Case, Check, Policies, diff};

fn case(json: &str) -> Case {
    serde_json::from_str(json).unwrap()
}

#[test]
fn described_calls_are_decided_and_compared() {
    let cases = [
        case(
            r#"{"name": "merge", "agent": {"id": "a1"}, "tool": "github", "action": "merge_pull_request",
            "parameters": {"number": 1, "base_branch": "main"}, "source_trust": "trusted_internal_signed",
            "expect": {"decision": "require_approval", "policy": "require-approval-main-merge"}}"#,
        ),
        case(
            r#"{"name": "refund", "agent": {"id": "a1", "risk_tier": "high"}, "tool": "shop", "action": "refund",
            "source_trust": "trusted_internal_signed", "root_trust_level": "unknown", "expect": {"decision": "allow"}}"#,
        ),
        case(
            r#"{"agent": {"id": "a1"}, "tool": "mcp:files", "action": "read_file", "source_trust": "unknown",
            "expect": {"decision": "allow", "code": "allowed"}}"#,
        ),
    ];
    let trials = Policies::defaults().test(&catalogue(), &cases);
    assert_eq!(trials.iter().map(|trial| trial.is_met).collect::<Vec<_>>(), [true, false, true]);
    let refund = trials.get(1).unwrap();
    assert_eq!(
        (refund.got.decision, refund.got.policies.as_slice()),
        (Verdict::Deny, &["untrusted-mutation-forbid".to_owned()][..])
    );
    assert!(refund.clauses.first().unwrap().text.contains("trust_level"));
}

#[test]
fn a_case_with_a_misspelt_field_is_refused() {
    let text = r#"{"agent": {"id": "a"}, "tool": "t", "action": "a", "source_trust": "unknown", "expct": {}, "expect": {"decision": "deny"}}"#;
    assert!(serde_json::from_str::<Case>(text).unwrap_err().to_string().contains("expct"));
}

#[test]
fn only_calls_that_are_decided_differently_are_told() {
    let forbid = "forbid(principal, action == Action::\"shop.refund\", resource);";
    let (new, _) = compile(&[forbid], &catalogue(), Check::Refuse).unwrap();
    let old = Policies::defaults();
    let (read, refund) = (Asked::of("github", "read_issue"), Asked::of("shop", "refund"));
    let changed = read.with_call(|read| refund.with_call(|refund| diff(&old, &new, [*read, *refund, *read])));
    assert_eq!(changed.len(), 1);
    let changed = changed.first().unwrap();
    assert_eq!((changed.call, changed.before.decision, changed.after.decision), (1, Verdict::Allow, Verdict::Deny));
}
