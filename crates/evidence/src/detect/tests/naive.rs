//! The detector against one that keeps everything and looks at all of it each time.

use proptest::prelude::*;

use super::*;

/// Everything that an agent did, in the order of arrival.
#[derive(Default)]
struct Everything(Vec<i64>);

impl Everything {
    /// Whether the latest so many, the one that arrives among them, lie within the window.
    fn fires(&mut self, at: i64, at_least: usize, window: i64) -> bool {
        self.0.push(at);
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|place| self.0[*place]);
        let latest = &order[order.len().saturating_sub(at_least)..];
        let span = self.0[latest[latest.len() - 1]] - self.0[latest[0]];
        latest.len() == at_least && latest.contains(&(self.0.len() - 1)) && span <= window
    }
}

/// Times that mostly rise, sometimes by much, and sometimes lie up to two seconds before the latest: microseconds.
fn times(length: usize) -> impl Strategy<Value = Vec<i64>> {
    let step =
        prop_oneof![6 => 0..4_000_000_i64, 2 => 0..30_000_000_i64, 2 => -2_000_000..0_i64, 1 => Just(5_000_000_i64)];
    let from_latest = |latest: &mut i64, step: i64| {
        let at = *latest + step;
        *latest = at.max(*latest);
        Some(at)
    };
    proptest::collection::vec(step, 1..length).prop_map(move |steps| steps.into_iter().scan(0, from_latest).collect())
}

/// The latest start of a sequence that ends with the last event, found by trying every start.
fn latest_start(events: &[(i64, Vec<bool>)], steps: usize, window: i64) -> Option<i64> {
    let (last, before) = events.split_last()?;
    let is_start = |place: &usize| {
        let (start, is_step) = &before[*place];
        let is_near = |at: i64| start.abs_diff(at) <= window.unsigned_abs();
        let mut next = 1;
        for (at, is_step) in &before[place + 1..] {
            next += usize::from(next < steps - 1 && is_step[next] && is_near(*at));
        }
        is_step[0] && next == steps - 1 && last.1[next] && is_near(last.0)
    };
    (0..before.len()).filter(is_start).map(|place| before[place].0).max()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn counting_agrees_with_looking_at_everything(
        times in times(80),
        agents in proptest::collection::vec(0..2_usize, 80),
        denied in proptest::collection::vec(any::<bool>(), 80),
        at_least in 2..6_usize,
        within in 1..12_u32,
    ) {
        let mut detector = Detector::new([denials(at_least, within)]);
        let mut everything = [Everything::default(), Everything::default()];
        for ((at, agent), denied) in times.into_iter().zip(agents).zip(denied) {
            let name = ["one", "two"][agent];
            let event = call(at, name, if denied { "deny" } else { "allow" }, "act");
            let fired = detector.observe(&event).fired;
            let expected = denied && everything[agent].fires(at, at_least, i64::from(within) * SECOND);
            prop_assert_eq!(fired.len(), usize::from(expected));
            for fired in fired {
                prop_assert_eq!(fired.sources.len(), if fired.continues { 1 } else { at_least });
                prop_assert!(fired.sources.iter().any(|source| source.event_id == event.event_id));
                prop_assert_eq!(fired.agent_id.as_deref(), Some(name));
            }
        }
    }

    #[test]
    fn sequences_agree_with_trying_all(
        times in times(40),
        actions in proptest::collection::vec(0..4_usize, 40),
        within in 3..20_u32,
    ) {
        let rule = rule(&format!(
            "{{rule_key: steps, name: Steps, severity: high, sequence: {{within_seconds: {within}, steps: \
             [{{action_words: [a, x]}}, {{action_words: [b, x]}}, {{action_words: [c, x]}}]}}}}"
        ));
        let mut detector = Detector::new([rule]);
        let mut since_last: Vec<(i64, Vec<bool>)> = Vec::new();
        for (at, action) in times.into_iter().zip(actions) {
            let is_step = (0..3).map(|step| step == action || action == 3).collect();
            since_last.push((at, is_step));
            let expected = latest_start(&since_last, 3, i64::from(within) * SECOND);
            let fired = detector.observe(&call(at, "agent", "allow", ["a", "b", "c", "x"][action])).fired;
            prop_assert_eq!(fired.len(), usize::from(expected.is_some()));
            if let (Some(fired), Some(start)) = (fired.first(), expected) {
                prop_assert_eq!(fired.sources.len(), 3);
                let first = fired.sources[0].decision_id.clone().unwrap();
                prop_assert_eq!(first, format!("decision-agent-{start}"));
                since_last.clear();
            }
        }
    }

    #[test]
    fn a_detector_that_starts_again_goes_on_as_before(mut times in times(60), cut in 0..60_usize) {
        let rules = [denials(3, 6), rule(
            "{rule_key: pairs, name: Pairs, severity: low, sequence: {within_seconds: 9, same: [action], \
             steps: [{decision: deny}, {decision: allow}]}}"
        )];
        times.sort_unstable();
        let mut straight = Detector::new(rules.clone());
        let mut again = Detector::new(rules);
        let memory = i64::from(again.memory_seconds()) * SECOND;
        let events: Vec<_> = times.iter().enumerate().map(|(number, at)| {
            let decision = if number % 3 == 0 { "allow" } else { "deny" };
            call(*at, ["one", "two"][number % 2], decision, ["a", "b"][number / 2 % 2])
        }).collect();
        let (past, rest) = events.split_at(cut.min(events.len()));
        let restart = past.last().map_or(0, |event| event.occurred_at.micros());
        past.iter().for_each(|event| straight.warm(event));
        past.iter().filter(|it| it.occurred_at.micros() >= restart - memory).for_each(|event| again.warm(event));
        // How many events a storm had before is told differently, what fires and why is not.
        let told = |observed: Observed| -> Vec<_> {
            observed.fired.into_iter().map(|it| (it.rule_key, it.continues, it.sources)).collect()
        };
        for event in rest {
            prop_assert_eq!(told(straight.observe(event)), told(again.observe(event)));
        }
    }
}
