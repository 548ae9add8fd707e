//! Policies by scope give what all policies together give; and a tenant's policies only tighten.

use std::collections::BTreeSet;

use cedar_policy::{Authorizer, Decision as Permission, PolicySet};
use proptest::prelude::*;
use proptest::sample::select;
use tracehound_model::TrustLevel;

use super::{Asked, compile};
use crate::catalogue::Lookup;
use crate::evaluate::{Facts, Question};
use crate::{Check, Policies, decide};

fn scope() -> impl Strategy<Value = String> {
    let principal = select(vec![
        "principal",
        "principal == Agent::\"a1\"",
        "principal == Agent::\"a2\"",
        "principal in Agent::\"a1\"",
        "principal in Team::\"payments\"",
        "principal in Team::\"other\"",
        "principal is Agent",
        "principal is Team",
        "principal is Agent in Team::\"payments\"",
        "principal is Agent in Team::\"other\"",
    ]);
    let action = select(vec![
        "action",
        "action == Action::\"github.read_issue\"",
        "action == Action::\"shop.refund\"",
        "action in Action::\"github.*\"",
        "action in Action::\"tool_call\"",
        "action in [Action::\"shop.*\", Action::\"github.*\"]",
        "action in [Action::\"github.*\", Action::\"github.read_issue\"]",
        "action in [Action::\"tool_call\", Action::\"shop.refund\"]",
        "action in []",
    ]);
    let resource = select(vec![
        "resource",
        "resource in Tool::\"github\"",
        "resource == Resource::\"x\"",
        "resource is Resource in Tool::\"shop\"",
    ]);
    (principal, action, resource)
        .prop_map(|(principal, action, resource)| format!("({principal}, {action}, {resource})"))
}

fn policy() -> impl Strategy<Value = String> {
    let annotation = select(vec![
        "",
        "",
        "@decision(\"require_approval\") @approver_group(\"g\")",
        "@decision(\"redact\") @redact_fields(\"f\")",
        "@decision(\"quarantine\")",
    ]);
    let condition = select(vec![
        "",
        "when { true }",
        "when { context.mutates_state }",
        "unless { context.mutates_state }",
        "when { principal.risk_tier == \"high\" }",
        "when { context.risk + 9223372036854775807 > 0 }",
        "when { Agent::\"nobody\".name == \"\" }",
        "when { context.nothing }",
        "when { resource.name == \"x\" }",
        "when { resource in Tool::\"github\" && action in Action::\"tool_call\" }",
    ]);
    (any::<bool>(), annotation, scope(), condition).prop_map(|(is_permit, annotation, scope, condition)| {
        if is_permit {
            format!("{annotation} permit{scope} {condition};")
        } else {
            format!("forbid{scope} {condition};")
        }
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let call = select(vec![("github", "read_issue"), ("shop", "refund"), ("secrets", "rotate_credential")]);
    let id = select(vec!["a1", "a2", "a3"]);
    let team = select(vec![None, Some("payments"), Some("other")]);
    let tier = select(vec!["low", "high"]);
    let trust = select(TrustLevel::ALL);
    (call, id, team, tier, trust, any::<bool>()).prop_map(|((tool, action), id, team, tier, trust, has_target)| {
        let mut asked = Asked { trust, target: has_target.then(|| "x".to_owned()), ..Asked::of(tool, action) };
        asked.agent.id = id.to_owned();
        asked.agent.owner_team = team.map(str::to_owned);
        asked.agent.risk_tier = tier.to_owned();
        asked
    })
}

/// Whether it is permitted, by what, and what could not be evaluated.
type Found = (bool, Vec<String>, BTreeSet<String>);

fn sliced(question: &Question<'_>, policies: &Policies) -> Found {
    let answer = question.ask(&policies.index);
    let determining = answer.determining.iter().map(|rule| rule.name().to_owned()).collect();
    (answer.is_permitted, determining, answer.errors.iter().map(|error| error.policy.to_string()).collect())
}

/// What Cedar says by itself, working out what every entity is in.
fn full(question: &Question<'_>, policies: &Policies) -> Found {
    let all = PolicySet::from_policies(policies.rules.values().map(|rule| rule.policy.clone())).unwrap();
    let (request, entities) = question.parts();
    let bare = |entity: &cedar_policy_core::ast::Entity| {
        let entity = cedar_policy::Entity::from(entity.clone());
        let (uid, attributes, parents) = entity.into_inner();
        cedar_policy::Entity::new(uid, attributes, parents).unwrap()
    };
    let entities = cedar_policy::Entities::from_entities(entities.iter().map(bare), None).unwrap();
    let response = Authorizer::new().is_authorized(&request.clone().into(), &all, &entities);
    let mut determining: Vec<String> = response.diagnostics().reason().map(ToString::to_string).collect();
    determining.sort_unstable();
    let errors = response.diagnostics().errors().map(|error| {
        let cedar_policy::AuthorizationError::PolicyEvaluationError(error) = error;
        error.policy_id().to_string()
    });
    (response.decision() == Permission::Allow, determining, errors.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn by_scope_is_as_good_as_all_together(
        tenant in proptest::collection::vec(policy(), 0..12),
        asked in proptest::collection::vec(asked(), 1..6),
    ) {
        let tenant: Vec<&str> = tenant.iter().map(String::as_str).collect();
        let (policies, _) = compile(&tenant, &super::catalogue(), Check::Report).unwrap();
        for asked in asked {
            asked.with_call(|call| {
                let Lookup::Known(action) = call.registered else { panic!("it is registered") };
                let facts = Facts { mutates_state: action.facts.mutates_state, risk_score: 10, is_mcp: false };
                let question = Question::new(call, action, &facts).unwrap();
                prop_assert_eq!(sliced(&question, &policies), full(&question, &policies), "{:?}", tenant);
                Ok(())
            })?;
        }
    }

    #[test]
    fn a_tenant_s_policies_only_tighten(tenant in proptest::collection::vec(policy(), 0..8), asked in asked()) {
        let tenant: Vec<&str> = tenant.iter().map(String::as_str).collect();
        let (with, _) = compile(&tenant, &super::catalogue(), Check::Report).unwrap();
        let (without, with) = asked.with_call(|call| (decide(&Policies::defaults(), call), decide(&with, call)));
        prop_assert!(with.verdict >= without.verdict, "{:?} {:?}", with, tenant);
        prop_assert!(with.verdict == tracehound_model::Verdict::Deny || with.verdict == tracehound_model::Verdict::Quarantine
            || without.redacted_fields.iter().all(|field| with.redacted_fields.contains(field)));
    }
}
