//! What the policies that come with the product say.

use std::fmt::Write as _;

use tracehound_model::{TrustLevel, Verdict};

use super::{Asked, action, catalogue};
use crate::{Catalogue, Check, Known, Policies, PolicySource, TenantPolicy};

#[test]
fn outcomes_by_trust_effect_and_tier() {
    let mut table = String::new();
    for trust in TrustLevel::ALL {
        write!(table, "{trust:26}").unwrap();
        for (tool, tool_action) in [("github", "read_issue"), ("shop", "refund")] {
            for tier in ["low", "medium", "high"] {
                let mut asked = Asked { trust: *trust, ..Asked::of(tool, tool_action) };
                asked.agent.risk_tier = tier.to_owned();
                write!(table, " {:16}", asked.decided(&[]).verdict).unwrap();
            }
        }
        table = format!("{}\n", table.trim_end());
    }
    // Columns: reading by low, medium and high tier, then changing by the same.
    let expected = "\
trusted_internal_signed    allow            allow            allow            allow            allow            require_approval
trusted_internal_unsigned  allow            allow            allow            allow            allow            require_approval
semi_trusted_customer      allow            allow            allow            require_approval require_approval require_approval
untrusted_external         allow            allow            allow            deny             deny             deny
malicious_suspected        allow            allow            allow            deny             deny             deny
unknown                    allow            allow            allow            deny             deny             deny
";
    assert_eq!(table, expected);
}

#[test]
fn a_merge_into_main_needs_the_platform_leads() {
    let approved = Asked::merge("main").check(
        &[],
        Verdict::RequireApproval,
        "approval_required",
        &["require-approval-main-merge", "trusted-mutation-permit"],
    );
    assert_eq!(approved.approver_group.as_deref(), Some("platform-leads"));
    assert_eq!((approved.risk_score, approved.composite_risk_score), (40, 55));
    Asked::merge("topic").check(&[], Verdict::Allow, "allowed", &["trusted-mutation-permit"]);
}

#[test]
fn a_merge_whose_branch_nobody_can_see_counts_as_one_into_main() {
    let mut catalogue = Catalogue::default();
    catalogue.add(action("github", "merge_pull_request", true)).unwrap();
    let verdict = Asked { catalogue, ..Asked::merge("topic") }.decided(&[]).verdict;
    assert_eq!(verdict, Verdict::RequireApproval);
}

#[test]
fn secrets_are_redacted() {
    let redacted = Asked::of("secrets", "rotate_credential").check(
        &[],
        Verdict::Redact,
        "redacted",
        &["read-permit", "redact-secret-rotation"],
    );
    assert_eq!(redacted.redacted_fields, ["api_key", "password", "secret", "token"]);
}

#[test]
fn the_canary_stops_the_agent() {
    let names = ["quarantine-canary", "read-permit"];
    Asked::of("quarantine_canary", "trigger").check(&[], Verdict::Quarantine, "quarantined_by_policy", &names);
}

#[test]
fn an_untrusted_change_is_forbidden_by_name_and_clause() {
    let asked = Asked { trust: TrustLevel::Unknown, ..Asked::of("shop", "refund") };
    let decision = asked.check(&[], Verdict::Deny, "forbidden_by_policy", &["untrusted-mutation-forbid"]);
    assert_eq!(decision.reason, "What nobody vouches for may not change anything.");
    let matched = decision.policies.first().unwrap();
    assert_eq!((matched.version, matched.source, matched.hash.len()), (1, PolicySource::Default, 64));
    let clause = decision.explanation.clauses.first().unwrap();
    assert_eq!(&*clause.policy, "untrusted-mutation-forbid");
    assert!(clause.text.starts_with("when {\n  context.mutates_state &&"), "{}", clause.text);
    assert_eq!(Policies::default_text().lines().nth(clause.line - 1), Some("when {"));
}

#[test]
fn the_default_policies_fit_their_own_schema() {
    let text = Policies::default_text().replace("@id(\"", "@id(\"x-");
    let tenant = [TenantPolicy::new("d", "", 1, &text)];
    let (_, warnings) = Policies::compile(&tenant, &Known::tools(&catalogue()), Check::Refuse).unwrap();
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    // Said of any permit of a tenant's that asks for nothing.
    let expected =
        ["the permit `x-read-permit` changes nothing", "the permit `x-trusted-mutation-permit` changes nothing"];
    assert_eq!(messages, expected);
}

#[test]
fn without_tenant_policies_the_defaults_are_all_there_is() {
    assert!(Policies::defaults().list().iter().all(|policy| policy.source == PolicySource::Default));
    assert_eq!(Policies::defaults().list().len(), 8);
}

#[test]
fn what_is_compiled_can_be_shared_between_threads() {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Policies>();
    shared::<Catalogue>();
    shared::<crate::Principal>();
}
