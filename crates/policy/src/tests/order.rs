//! The checks around the policies, and their order.

use serde_json::json;
use tracehound_model::{RiskLevel, TrustLevel, Verdict};

use super::{Asked, action, catalogue, names};
use crate::{ActionFacts, AgentStatus, Catalogue, DefaultDecision, McpFacts, McpToolStatus};

const FILES: McpFacts<'static> = McpFacts {
    server_key: "files",
    trust_level: "semi_trusted",
    is_quarantined: false,
    tool_status: McpToolStatus::Approved,
    hash_matches: true,
};

#[track_caller]
fn check_denied(asked: &Asked, code: &str, marker: &str, risk: u8) {
    let decision = asked.check(&[], Verdict::Deny, code, &[marker]);
    assert_eq!(decision.risk_score, risk);
}

#[test]
fn an_agent_that_may_not_act_gets_nowhere() {
    for (status, code) in [
        (AgentStatus::Frozen, "agent_frozen"),
        (AgentStatus::Revoked, "agent_revoked"),
        (AgentStatus::Quarantined, "agent_quarantined"),
    ] {
        // Even for a tool that is not registered, in an environment that is not allowed.
        let mut asked = Asked { environment: "moon".to_owned(), ..Asked::of("nowhere", "x") };
        asked.agent.status = status;
        asked.agent.allowed_environments = vec!["production".to_owned()];
        check_denied(&asked, code, code, 100);
    }
}

#[test]
fn environments_and_tools_can_be_limited() {
    let mut asked = Asked { environment: "staging".to_owned(), ..Asked::of("github", "read_issue") };
    asked.agent.allowed_environments = vec!["production".to_owned()];
    check_denied(&asked, "environment_not_allowed", "environment_not_allowed", 10);
    let mut asked = Asked::of("GitHub", "read_issue");
    asked.agent.allowed_tools = vec!["shop".to_owned()];
    check_denied(&asked, "tool_not_permitted", "tool_not_permitted", 10);
    asked.agent.allowed_tools = vec!["GITHUB".to_owned()];
    asked.check(&[], Verdict::Allow, "allowed", &["read-permit"]);
}

#[test]
fn what_is_not_registered_is_denied_with_what_to_do() {
    let asked = Asked::of("GitHub", "Close");
    check_denied(&asked, "tool_unknown", "mcp_unknown_tool", 10);
    let reason = asked.decided(&[]).reason;
    assert_eq!(
        reason,
        "The action `close` of the tool `github` is not registered. An administrator registers it with POST /v1/tools."
    );
    check_denied(&Asked::of("git%2568ub", "merge"), "tool_name_refused", "tool_name_refused", 100);
}

#[test]
fn mcp_servers_and_their_tools_must_be_in_order() {
    let with = |mcp: Option<McpFacts<'static>>| Asked { mcp, ..Asked::of("mcp:files", "read_file") };
    with(Some(FILES)).check(&[], Verdict::Allow, "allowed", &["read-permit"]);
    check_denied(&with(None), "mcp_server_unknown", "mcp_server_unknown", 100);
    let quarantined = McpFacts { is_quarantined: true, tool_status: McpToolStatus::Pending, ..FILES };
    check_denied(&with(Some(quarantined)), "mcp_server_quarantined", "mcp_server_quarantined", 100);
    for tool_status in [McpToolStatus::Pending, McpToolStatus::Disabled] {
        let facts = McpFacts { tool_status, ..FILES };
        check_denied(&with(Some(facts)), "mcp_tool_not_approved", "mcp_tool_status", 10);
    }
    let changed = McpFacts { hash_matches: false, ..FILES };
    check_denied(&with(Some(changed)), "mcp_tool_changed", "mcp_tool_changed", 100);
    let unknown = Asked { mcp: Some(FILES), ..Asked::of("mcp:files", "wipe") };
    check_denied(&unknown, "tool_unknown", "mcp_unknown_tool", 100);
    assert!(unknown.decided(&[]).reason.contains("POST /v1/mcp/servers/files/tools"));
}

fn with_registered(change: impl FnOnce(&mut ActionFacts)) -> Asked {
    let mut facts = action("db", "query", false);
    change(&mut facts);
    let mut catalogue = Catalogue::default();
    catalogue.add(facts).unwrap();
    Asked { catalogue, ..Asked::of("db", "query") }
}

#[test]
fn what_is_registered_tightens_whatever_the_policies_say() {
    let check = |asked: Asked, verdict, code: &str| {
        let mut names = ["read-permit", code];
        names.sort_unstable();
        asked.check(&[], verdict, code, &names)
    };
    check(
        with_registered(|it| it.default_decision = DefaultDecision::Deny),
        Verdict::Deny,
        "registered_action_default_deny",
    );
    let approval = "registered_action_approval_required";
    check(with_registered(|it| it.approval_required = true), Verdict::RequireApproval, approval);
    check(
        with_registered(|it| it.default_decision = DefaultDecision::RequireApproval),
        Verdict::RequireApproval,
        approval,
    );
    let critical = with_registered(|it| it.risk = RiskLevel::Critical);
    check(critical, Verdict::RequireApproval, "critical_risk_requires_approval");
    let mut forced = with_registered(|_| {});
    forced.agent.force_approval = true;
    check(forced, Verdict::RequireApproval, "soc_response_force_approval");
}

#[test]
fn approval_on_top_of_redaction_keeps_the_fields() {
    let mut asked = Asked::of("secrets", "rotate_credential");
    asked.agent.force_approval = true;
    let decision = asked.decided(&[]);
    assert_eq!((decision.verdict, decision.redacted_fields.len()), (Verdict::RequireApproval, 4));
}

#[test]
fn nothing_lifts_a_denial_or_a_quarantine() {
    let mut asked = Asked::of("quarantine_canary", "trigger");
    asked.agent.force_approval = true;
    assert_eq!(asked.decided(&[]).verdict, Verdict::Quarantine);
    let mut asked = Asked { trust: TrustLevel::Unknown, ..Asked::of("shop", "refund") };
    asked.agent.force_approval = true;
    assert_eq!(names(&asked.decided(&[])), ["untrusted-mutation-forbid"]);
}

#[test]
fn arguments_that_do_not_fit_are_denied_and_their_values_are_not_told() {
    for arguments in [
        json!({}),
        json!({"number": "sk-secret"}),
        json!({"number": 1.5}),
        json!({"number": 1, "base_branch": ["sk-secret"]}),
        json!(["sk-secret"]),
    ] {
        let asked = Asked { arguments, ..Asked::merge("main") };
        let decision = asked.check(&[], Verdict::Deny, "arguments_do_not_fit", &["arguments_do_not_fit"]);
        assert!(!format!("{decision:?}").contains("sk-secret"), "{decision:?}");
    }
    let fraction = Asked { arguments: json!({"number": 1, "ratio": 0.5, "base_branch": "x"}), ..Asked::merge("main") };
    assert_eq!(fraction.decided(&[]).verdict, Verdict::Allow);
    assert_eq!(catalogue().actions().map(|action| action.notes().len()).sum::<usize>(), 1);
}
