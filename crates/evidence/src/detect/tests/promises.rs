//! What the detector promises beyond single rules.

use super::*;
use crate::identity::RiskTier;

fn fired(detector: &mut Detector, event: &Event) -> Vec<String> {
    detector.observe(event).fired.into_iter().map(|fired| fired.rule_key).collect()
}

#[test]
fn every_builtin_rule_proves_itself_both_ways() {
    for rule in builtin_rules().unwrap() {
        assert_eq!(rule.failed_tests(), Vec::<String>::new(), "{}", rule.rule_key);
        assert!(rule.tests.iter().any(|test| test.fires), "{} is never shown firing", rule.rule_key);
        assert!(rule.tests.iter().any(|test| !test.fires), "{} is never shown silent", rule.rule_key);
    }
}

#[test]
fn builtin_rules_are_named_like_their_files() {
    for ((file, _), rule) in builtin_sources().iter().zip(builtin_rules().unwrap()) {
        assert_eq!(*file, format!("{}.yaml", rule.rule_key));
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("detection");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), builtin_sources().len());
}

#[test]
fn a_rule_that_says_the_wrong_thing_about_itself_fails() {
    let wrong = rule(
        "{rule_key: wrong, name: Wrong, severity: low, condition: {decision: deny}, \
         tests: [{description: allowed, events: [{decision: allow}], fires: true}]}",
    );
    assert_eq!(wrong.failed_tests(), ["allowed"]);
}

#[test]
fn a_storm_is_told_whole_and_then_event_by_event() {
    let mut detector = Detector::new([denials(3, 10)]);
    let told: Vec<_> = (0..5)
        .map(|number| detector.observe(&call(number * SECOND, "agent", "deny", "act")).fired)
        .map(|fired| fired.into_iter().map(|it| (it.sources.len(), it.continues, it.summary)).collect::<Vec<_>>())
        .collect();
    assert_eq!(told[..2], [vec![], vec![]]);
    assert_eq!(told[2], [(3, false, "denied 3 times".to_owned())]);
    assert_eq!(told[3], [(1, true, "denied 4 times".to_owned())]);
    assert_eq!(told[4], [(1, true, "denied 5 times".to_owned())]);
    // The storm is over, and three more make another.
    let later = (0..3).map(|number| call((60 + number) * SECOND, "agent", "deny", "act"));
    let told: Vec<_> = later
        .map(|event| detector.observe(&event).fired.into_iter().map(|it| it.continues).collect::<Vec<_>>())
        .collect();
    assert_eq!(told, [vec![], vec![], vec![false]]);
}

#[test]
fn sources_carry_the_decision() {
    let mut detector = Detector::new([denials(2, 10)]);
    detector.warm(&call(0, "agent", "deny", "act"));
    let fired = detector.observe(&call(1, "agent", "deny", "act")).fired;
    let ids: Vec<_> = fired[0].sources.iter().map(|source| source.decision_id.as_deref()).collect();
    assert_eq!(ids, [Some("decision-agent-0"), Some("decision-agent-1")]);
}

#[test]
fn severity_follows_the_score() {
    let mut detector = Detector::new(builtin_rules().unwrap().iter().cloned());
    for (score, severity) in [(0, Severity::Low), (39, Severity::Low), (40, Severity::Medium), (75, Severity::High)] {
        let mut event = call(0, "system", "flag", "drift");
        event.kind = crate::event::MCP_MANIFEST_DRIFT.into();
        event.risk_score = score;
        let fired = detector.observe(&event).fired;
        assert_eq!(fired.iter().map(|it| it.severity).collect::<Vec<_>>(), [severity]);
    }
}

#[test]
fn alerts_and_incidents_are_not_looked_at() {
    let mut detector = Detector::new([rule("{rule_key: any, name: Any, severity: low, condition: {}}")]);
    for kind in [crate::event::ALERT, crate::event::INCIDENT] {
        let event = Event { kind: kind.into(), ..call(0, "agent", "deny", "act") };
        assert_eq!(detector.observe(&event), Observed::default());
    }
    assert_eq!(fired(&mut detector, &call(0, "agent", "deny", "act")), ["any"]);
}

#[test]
fn an_alert_can_be_followed_by_silence() {
    let text = "{rule_key: any, name: Any, severity: low, condition: {}, dedup_seconds: 10}";
    let mut detector = Detector::new([rule(text)]);
    let told = |at: i64, agent: &str, detector: &mut Detector| fired(detector, &call(at, agent, "deny", "act")).len();
    assert_eq!(told(0, "one", &mut detector), 1);
    assert_eq!(told(10 * SECOND - 1, "one", &mut detector), 0);
    assert_eq!(told(10 * SECOND - 1, "two", &mut detector), 1);
    assert_eq!(told(10 * SECOND, "one", &mut detector), 1);
}

#[test]
fn a_tenant_is_counted_as_a_whole_if_the_rule_says_so() {
    let text = "{rule_key: all, name: All, severity: low, condition: {decision: deny}, \
                count: {at_least: 3, within_seconds: 9, per: tenant}}";
    let mut detector = Detector::new([rule(text)]);
    assert!(fired(&mut detector, &call(0, "one", "deny", "act")).is_empty());
    assert!(fired(&mut detector, &call(1, "two", "deny", "act")).is_empty());
    let elsewhere = Event { tenant_id: "other".into(), ..call(2, "three", "deny", "act") };
    assert!(fired(&mut detector, &elsewhere).is_empty());
    let told = detector.observe(&call(3, "three", "deny", "act")).fired;
    assert_eq!(told.iter().map(|it| it.agent_id.clone()).collect::<Vec<_>>(), [None]);
}

#[test]
fn what_was_seen_once_is_not_new() {
    let text = "{rule_key: fresh, name: Fresh, severity: info, condition: {}, first_seen: [agent, tool, action]}";
    let mut detector = Detector::new([rule(text)]);
    assert!(!detector.knows("tenant", "agent"));
    assert_eq!(fired(&mut detector, &call(0, "agent", "allow", "act")).len(), 1);
    assert!(detector.knows("tenant", "agent"));
    assert_eq!(fired(&mut detector, &call(1, "agent", "allow", "ACT")).len(), 0);
    assert_eq!(fired(&mut detector, &call(2, "agent", "allow", "other")).len(), 1);
    assert_eq!(fired(&mut detector, &call(3, "second", "allow", "act")).len(), 1);
    // A month later it still is not new.
    assert_eq!(fired(&mut detector, &call(30 * 86_400 * SECOND, "agent", "allow", "act")).len(), 0);
}

#[test]
fn what_is_usual_can_be_told_after_a_restart() {
    let rules = builtin_rules().unwrap().iter().filter(|rule| rule.rate.is_some()).cloned();
    let mut detector = Detector::new(rules);
    let key = detector.rate_rules("tenant")[0].rule_key.clone();
    let hour = 3_600 * SECOND;
    for number in 0..48 {
        let start = Moment::from_micros(START + number * hour);
        detector.baseline("tenant", &key, "agent", start, 4 + u32::from(number % 2 == 0));
    }
    // The mean is 4.5 and the deviation 0.5: the seventh call of the hour is unusual, and told once.
    let told: Vec<_> =
        (0..9).map(|it| fired(&mut detector, &call(48 * hour + it, "agent", "allow", "act")).len()).collect();
    assert_eq!(told, [0, 0, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn rules_of_a_tenant_take_the_place_of_others_and_unchanged_ones_remember() {
    let mut detector = Detector::new([denials(3, 10)]);
    detector.warm(&call(0, "agent", "deny", "act"));
    detector.warm(&call(1, "agent", "deny", "act"));
    let further = rule("{rule_key: further, name: Further, severity: low, condition: {decision: deny}}");
    detector.set_rules("tenant", [denials(3, 10), Arc::clone(&further)]);
    assert_eq!(fired(&mut detector, &call(2, "agent", "deny", "act")), ["further", "denials"]);
    detector.set_rules("tenant", [denials(3, 10), denials(2, 10)]);
    assert!(fired(&mut detector, &call(3, "agent", "deny", "act")).is_empty());
    assert_eq!(fired(&mut detector, &call(4, "agent", "deny", "act")), ["denials"]);
    detector.set_rules("tenant", [Arc::new(Rule { enabled: false, ..(*further).clone() })]);
    assert!(fired(&mut detector, &call(5, "agent", "deny", "act")).is_empty());
}

#[test]
fn idle_agents_are_forgotten_and_the_number_is_bounded() {
    let fresh = rule("{rule_key: fresh, name: Fresh, severity: info, condition: {}, first_seen: [agent, action]}");
    let mut detector = Detector::new([denials(3, 10), fresh]).with_most_agents(50);
    for number in 0..1_000 {
        detector.warm(&call(number, &format!("agent-{number}"), "deny", "act"));
    }
    assert_eq!(detector.remembered(), 50);
    assert!(detector.knows("tenant", "agent-950") && !detector.knows("tenant", "agent-949"));
    // With time windows are forgotten, habits are not.
    detector.warm(&call(3_600 * SECOND, "agent-999", "deny", "act"));
    assert!(detector.knows("tenant", "agent-950"));
    let mut detector = Detector::new([denials(3, 10)]);
    for number in 0..1_000 {
        detector.warm(&call(number, &format!("agent-{number}"), "deny", "act"));
    }
    assert_eq!(detector.remembered(), 1_000);
    detector.warm(&call(3_600 * SECOND, "agent-999", "deny", "act"));
    assert_eq!(detector.remembered(), 1);
}

#[test]
fn a_clock_that_is_set_back_does_not_blind_a_rule() {
    let mut detector = Detector::new([denials(3, 10)]);
    detector.warm(&call(86_400 * SECOND, "agent", "deny", "act"));
    let told: Vec<_> = (0..3).map(|it| fired(&mut detector, &call(it, "agent", "deny", "act")).len()).collect();
    assert_eq!(told, [0, 0, 1]);
}

#[test]
fn more_denials_than_allowed_raise_the_tier_with_each() {
    let escalation = Escalation { denies: 5, minutes: 60 };
    let mut detector = Detector::new([]).with_escalation(escalation);
    assert_eq!(detector.memory_seconds(), 3_600);
    let mut raised = |at: i64, decision: &str| detector.observe(&call(at, "agent", decision, "act")).raise.is_some();
    let told: Vec<_> = (0..8).map(|number| raised(number * SECOND, "deny")).collect();
    assert_eq!(told, [false, false, false, false, false, true, true, true]);
    assert!(!raised(9 * SECOND, "allow"));
    assert!(!raised(3_610 * SECOND, "deny"));
    assert_eq!(escalation.raised(RiskTier::Low, 6), Some(RiskTier::Medium));
    assert_eq!(escalation.raised(RiskTier::Low, 5), None);
    assert_eq!(escalation.raised(RiskTier::High, 60), None);
    detector.set_escalation("tenant", None);
    assert_eq!(detector.observe(&call(3_611 * SECOND, "agent", "deny", "act")).raise, None);
}

#[test]
fn a_backtest_says_what_would_have_been_said() {
    let day = 86_400 * SECOND;
    let events = (0..20).map(|number| call(number / 10 * day + number * SECOND, "agent", "deny", "act"));
    let result = backtest(&denials(5, 60), events);
    assert_eq!((result.scanned, result.matches, result.matched_decisions), (20, 2, 20));
    assert_eq!(result.matched_decision_ids.len(), 20);
    let days: Vec<_> = result.per_day.into_iter().collect();
    assert_eq!(days, [("2026-01-01".to_owned(), 1), ("2026-01-02".to_owned(), 1)]);
}

#[test]
fn a_backtest_lists_a_bounded_number_of_decisions() {
    let any = rule("{rule_key: any, name: Any, severity: low, condition: {}, enabled: false}");
    let result = backtest(&any, (0..1_500).map(|at| call(at, "agent", "deny", "act")));
    assert_eq!((result.matches, result.matched_decisions), (1_500, 1_500));
    assert_eq!(result.matched_decision_ids.len(), limits::BACKTEST_IDS);
}

#[test]
fn many_keys_of_a_sequence_push_out_the_earliest() {
    let text = "{rule_key: pairs, name: Pairs, severity: low, sequence: {within_seconds: 99, same: [action], \
                steps: [{decision: deny}, {decision: allow}]}}";
    let mut detector = Detector::new([rule(text)]);
    for number in 0..5_000 {
        detector.warm(&call(number, "agent", "deny", &format!("act{number}")));
    }
    assert!(fired(&mut detector, &call(5_000, "agent", "allow", "act0")).is_empty());
    assert_eq!(fired(&mut detector, &call(5_001, "agent", "allow", "act4999")), ["pairs"]);
}
