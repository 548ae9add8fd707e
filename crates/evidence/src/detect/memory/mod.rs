//! What is remembered about one agent, or about one tenant as a whole, on behalf of the rules.

mod baseline;
mod chains;
mod latest;
mod recent;
mod storm;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use self::baseline::Baseline;
pub(super) use self::baseline::hour_of;
use self::chains::Chains;
pub(super) use self::latest::Latest;
pub(super) use self::recent::Recent;
use self::storm::Storm;
use super::fired::{Hit, Kept};
use super::limits;
use super::rule::{Field, Rule, Shape, Subject};

/// One microsecond arithmetic for all: seconds of rules become microseconds of events.
pub(super) fn micros(seconds: u32) -> i64 {
    i64::from(seconds).saturating_mul(1_000_000)
}

/// What the rules of one room remember. The slots stand in the order of the rules.
///
/// Memory is bounded by the rules: a counting rule keeps as many events as it counts, a sequence its open beginnings,
/// whatever the rate of the agent.
#[derive(Debug)]
pub(super) struct Memory {
    rules: Arc<[Arc<Rule>]>,
    slots: Vec<Slot>,
    /// The latest event so far.
    pub(super) newest: i64,
    /// The agent's latest denials, for the escalation of its risk.
    pub(super) denials: Latest<()>,
}

impl Memory {
    pub(super) fn new(rules: &Arc<[Arc<Rule>]>) -> Self {
        let slots = rules.iter().map(|rule| Slot::new(rule)).collect();
        Self { rules: Arc::clone(rules), slots, newest: i64::MIN, denials: Latest::default() }
    }

    /// Takes over other rules. What unchanged rules remember stays.
    pub(super) fn adopt(&mut self, rules: &Arc<[Arc<Rule>]>) {
        if Arc::ptr_eq(&self.rules, rules) {
            return;
        }
        let before = std::mem::replace(&mut self.rules, Arc::clone(rules));
        let mut slots: Vec<Option<Slot>> = std::mem::take(&mut self.slots).into_iter().map(Some).collect();
        let mut inherit = |rule: &Arc<Rule>| {
            let position = before.iter().position(|old| Arc::ptr_eq(old, rule) || old == rule)?;
            slots.get_mut(position)?.take()
        };
        self.slots = rules.iter().map(|rule| inherit(rule).unwrap_or_else(|| Slot::new(rule))).collect();
    }

    /// Forgets every window if the event is so early that the clock must have been set back: what is remembered would
    /// lie in the future and keep rules from firing until then.
    pub(super) fn notice(&mut self, at: i64) {
        if at < self.newest.saturating_sub(limits::LATE_SECONDS * 1_000_000) {
            self.slots.iter_mut().for_each(Slot::forget_windows);
            self.denials = Latest::default();
            self.newest = at;
        }
        self.newest = self.newest.max(at);
    }

    pub(super) fn slot(&mut self, position: usize) -> Option<&mut Slot> {
        self.slots.get_mut(position)
    }
}

/// What one rule remembers.
#[derive(Debug)]
pub(super) struct Slot {
    /// When it last alerted.
    alerted: Option<i64>,
    state: State,
}

#[derive(Debug)]
enum State {
    Nothing,
    Storm(Storm),
    Chains(Chains),
    Seen(FxHashSet<u64>),
    Baseline(Baseline),
}

impl Slot {
    fn new(rule: &Rule) -> Self {
        let state = match rule.shape() {
            Shape::Single => State::Nothing,
            Shape::Count(_) => State::Storm(Storm::default()),
            Shape::Sequence(_) => State::Chains(Chains::default()),
            Shape::FirstSeen(_) => State::Seen(FxHashSet::default()),
            Shape::Rate(_) => State::Baseline(Baseline::default()),
        };
        Self { alerted: None, state }
    }

    fn forget_windows(&mut self) {
        self.alerted = None;
        match &mut self.state {
            State::Storm(storm) => *storm = Storm::default(),
            State::Chains(chains) => *chains = Chains::default(),
            State::Nothing | State::Seen(_) | State::Baseline(_) => {}
        }
    }

    /// Takes an event that concerns the rule, and tells whether the rule fires.
    pub(super) fn take(&mut self, rule: &Rule, subject: &Subject<'_>, kept: Kept) -> Option<Hit> {
        let at = kept.at;
        let hit = match (&mut self.state, rule.shape()) {
            (State::Storm(storm), Shape::Count(count)) => storm.take(count, kept),
            (State::Chains(chains), Shape::Sequence(sequence)) => chains.take(sequence, subject, kept),
            (State::Seen(seen), Shape::FirstSeen(fields)) => is_new(seen, subject, fields).then(|| Hit::single(kept)),
            (State::Baseline(baseline), Shape::Rate(rate)) => baseline.take(rate, kept),
            (State::Nothing, _) => Some(Hit::single(kept)),
            // A slot is made for its rule, so that the two always fit.
            _ => None,
        }?;
        self.is_told(rule, &hit, at).then_some(hit)
    }

    /// Whether a hit is worth telling: more of the same only for an incident, an alert only after the silence.
    fn is_told(&mut self, rule: &Rule, hit: &Hit, at: i64) -> bool {
        if rule.incident.is_some() {
            return true;
        }
        let silence = micros(rule.silence_seconds());
        let is_silent = self.alerted.is_some_and(|alerted| silence > 0 && at.saturating_sub(alerted) < silence);
        if hit.continues || is_silent {
            return false;
        }
        self.alerted = Some(at);
        true
    }

    /// Sets how much happened in an hour of the past.
    pub(super) fn set_hour(&mut self, hour: i64, count: u32) {
        if let State::Baseline(baseline) = &mut self.state {
            baseline.set(hour, count);
        }
    }
}

/// Whether the parts of the event, together, were not there before. They are from here on.
fn is_new(seen: &mut FxHashSet<u64>, subject: &Subject<'_>, fields: &[Field]) -> bool {
    let Some(parts) = subject.joined(fields) else { return false };
    // The keys of this hasher are fixed, so the same events give the same result. Two texts with one hash would only
    // hide that the second is new.
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    seen.len() < limits::SEEN && seen.insert(hasher.finish())
}
