//! The rules of one tenant, sorted by what they must remember.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::limits;
use super::rule::{Field, Per, Rule, Shape};

/// Where a rule keeps what it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Whose events it puts together.
    pub(super) per: Per,
    /// Whether it remembers for good, and not only for the length of a window.
    pub(super) is_lasting: bool,
}

/// All rooms, in the order in which rules look at an event.
pub(super) const ROOMS: [Room; 4] = [
    Room { per: Per::Agent, is_lasting: false },
    Room { per: Per::Agent, is_lasting: true },
    Room { per: Per::Tenant, is_lasting: false },
    Room { per: Per::Tenant, is_lasting: true },
];

/// The rules of one tenant.
#[derive(Debug, Default)]
pub(super) struct RuleSet {
    /// Rules that need to remember nothing.
    pub(super) simple: Vec<Arc<Rule>>,
    /// The others, in the order of [`ROOMS`].
    pub(super) rooms: [Arc<[Arc<Rule>]>; 4],
}

impl RuleSet {
    /// The later of two rules with one key takes the earlier one's place. Rules that are off take no part, and neither do
    /// those beyond the limit.
    pub(super) fn new(rules: impl IntoIterator<Item = Arc<Rule>>) -> Self {
        let mut ordered: Vec<Arc<Rule>> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        for rule in rules {
            let next = ordered.len();
            let place = *places.entry(rule.rule_key.clone()).or_insert(next);
            match ordered.get_mut(place) {
                Some(earlier) => *earlier = rule,
                None if place < limits::RULES => ordered.push(rule),
                None => {}
            }
        }
        let active: Vec<_> = ordered.into_iter().filter(|rule| rule.enabled).collect();
        let of = |room: Option<Room>| active.iter().filter(move |rule| room_of(rule) == room).cloned();
        Self { simple: of(None).collect(), rooms: ROOMS.map(|room| of(Some(room)).collect()) }
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Rule>> {
        self.simple.iter().chain(self.rooms.iter().flat_map(|room| room.iter()))
    }

    /// How far back the rules must remember.
    pub(super) fn memory_seconds(&self) -> u32 {
        self.iter().map(|rule| rule.memory_seconds()).max().unwrap_or(0)
    }
}

fn room_of(rule: &Rule) -> Option<Room> {
    match rule.shape() {
        Shape::Single if rule.silence_seconds() == 0 => None,
        Shape::Single | Shape::Sequence(_) => Some(Room { per: Per::Agent, is_lasting: false }),
        Shape::Count(count) => Some(Room { per: count.per, is_lasting: false }),
        Shape::Rate(_) => Some(Room { per: Per::Agent, is_lasting: true }),
        Shape::FirstSeen(fields) => {
            let per = if fields.contains(&Field::Agent) { Per::Agent } else { Per::Tenant };
            Some(Room { per, is_lasting: true })
        }
    }
}
