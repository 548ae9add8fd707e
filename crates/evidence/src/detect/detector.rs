//! The detector: takes events one after the other and tells which rules fire.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracehound_model::Verdict;

use super::escalation::{Escalation, Raise};
use super::fired::{Fired, Hit, Kept};
use super::limits;
use super::memory::{Memory, Recent, micros};
use super::rule::{Per, Rule, Shape, Subject};
use super::rule_set::{ROOMS, RuleSet};
use crate::Moment;
use crate::event::{self, Event};

/// Takes events one after the other and tells which rules fire.
///
/// One event takes time in proportion to the tenant's rules, amortised, whatever the agent did before. Memory is bounded by
/// the number of agents that are remembered, times what the rules ask for: with the built-in rules about 2 KiB for an
/// agent that is busy, and as much again for its habits. Windows are forgotten when an agent was idle for so long that
/// none can matter; windows and habits both when there are too many agents, of those first that were idle for longest.
#[derive(Debug)]
pub struct Detector {
    usual: Arc<RuleSet>,
    tenants: FxHashMap<String, Arc<RuleSet>>,
    usual_escalation: Option<Escalation>,
    escalations: FxHashMap<String, Option<Escalation>>,
    windows: Recent<Memory>,
    habits: Recent<Memory>,
    most_agents: usize,
    memory_seconds: u32,
    key: String,
}

/// What one event led to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The rules that fired, in a fixed order.
    pub fired: Vec<Fired>,
    /// An agent whose risk tier goes up.
    pub raise: Option<Raise>,
}

impl Detector {
    /// With rules for every tenant that has none of its own, and without escalation.
    #[must_use]
    pub fn new(rules: impl IntoIterator<Item = Arc<Rule>>) -> Self {
        let usual = Arc::new(RuleSet::new(rules));
        Self {
            memory_seconds: usual.memory_seconds(),
            usual,
            tenants: FxHashMap::default(),
            usual_escalation: None,
            escalations: FxHashMap::default(),
            windows: Recent::default(),
            habits: Recent::default(),
            most_agents: limits::AGENTS,
            key: String::new(),
        }
    }

    /// Remembers at most so many agents, instead of [`limits::AGENTS`].
    #[must_use]
    pub fn with_most_agents(mut self, most: usize) -> Self {
        self.most_agents = most.max(1);
        self
    }

    /// Raises risk tiers, in every tenant that does not say otherwise.
    #[must_use]
    pub fn with_escalation(mut self, escalation: Escalation) -> Self {
        self.usual_escalation = Some(escalation);
        self.find_memory();
        self
    }

    /// Gives a tenant its own rules: all of them, the built-in ones included. Of two with one key the later counts.
    ///
    /// What unchanged rules remember stays. An agent takes the rules over with its next event, so the time taken here
    /// does not depend on the number of agents.
    pub fn set_rules(&mut self, tenant: &str, rules: impl IntoIterator<Item = Arc<Rule>>) {
        self.tenants.insert(tenant.to_owned(), Arc::new(RuleSet::new(rules)));
        self.find_memory();
    }

    /// Says when a tenant's risk tiers are raised; with nothing they are not.
    pub fn set_escalation(&mut self, tenant: &str, escalation: Option<Escalation>) {
        self.escalations.insert(tenant.to_owned(), escalation);
        self.find_memory();
    }

    /// Forgets a tenant's own rules and settings.
    pub fn remove_tenant(&mut self, tenant: &str) {
        self.tenants.remove(tenant);
        self.escalations.remove(tenant);
        self.find_memory();
    }

    /// How far back any rule must remember, in seconds. Whoever starts again shows the events of so long to [`Self::warm`].
    #[must_use]
    pub fn memory_seconds(&self) -> u32 {
        self.memory_seconds
    }

    /// The rules of a tenant that compare with what is usual. Their past is given with [`Self::baseline`].
    #[must_use]
    pub fn rate_rules(&self, tenant: &str) -> Vec<Arc<Rule>> {
        self.rules_of(tenant).iter().filter(|rule| rule.rate.is_some()).cloned().collect()
    }

    /// Whether anything is known about what the agent usually does. If not, what it did before can be shown to
    /// [`Self::warm`], so that not everything counts as new.
    #[must_use]
    pub fn knows(&self, tenant: &str, agent: &str) -> bool {
        let mut key = String::new();
        write_key(&mut key, tenant, Some(agent));
        self.habits.contains(&key)
    }

    /// How many agents and tenants are remembered.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.windows.len().max(self.habits.len())
    }

    /// Takes an event of the past: it counts for what follows, and nobody is told about it.
    pub fn warm(&mut self, event: &Event) {
        let _told_before = self.observe(event);
    }

    /// Says how many events that concern a rule an agent had in the hour of a moment. Hours are given in their order.
    pub fn baseline(&mut self, tenant: &str, rule_key: &str, agent: &str, hour: Moment, count: u32) {
        let rules = Arc::clone(self.rules_of(tenant));
        for (room, rules) in ROOMS.iter().zip(&rules.rooms) {
            let place = rules.iter().position(|rule| rule.rate.is_some() && rule.rule_key == rule_key);
            let Some(place) = place.filter(|_| room.is_lasting) else { continue };
            write_key(&mut self.key, tenant, Some(agent));
            let memory = remember(&mut self.habits, &self.key, rules, self.most_agents);
            if let Some(slot) = memory.and_then(|memory| memory.slot(place)) {
                slot.set_hour(super::memory::hour_of(hour.micros()), count);
            }
        }
    }

    /// Takes an event, and tells what follows from it. Events come in the order in which they were recorded.
    pub fn observe(&mut self, event: &Event) -> Observed {
        if matches!(event.kind.as_str(), event::ALERT | event::INCIDENT) {
            return Observed::default();
        }
        let rules = Arc::clone(self.rules_of(&event.tenant_id));
        let subject = Subject::new(event);
        let mut fired = Vec::new();
        for rule in rules.simple.iter().filter(|rule| rule.concerns(&subject)) {
            fired.push(Fired::new(rule, &subject, event.agent_id.clone(), Hit::single(Kept::new(event))));
        }
        for (place, rules) in rules.rooms.iter().enumerate() {
            self.observe_in(place, rules, &subject, &mut fired);
        }
        let raise = self.escalate(&rules, event);
        self.forget_idle(event.occurred_at.micros());
        Observed { fired, raise }
    }

    /// Shows the event to the rules of one room.
    fn observe_in(&mut self, place: usize, rules: &Arc<[Arc<Rule>]>, subject: &Subject<'_>, fired: &mut Vec<Fired>) {
        let Some(room) = ROOMS.get(place) else { return };
        let event = subject.event;
        // An event of nobody can't be one of many of the same agent.
        let is_somebodys = event.agent_id.is_some() || room.per == Per::Tenant;
        let concerned = |rule: &Rule| (is_somebodys || matches!(rule.shape(), Shape::Single)) && rule.concerns(subject);
        let concerned: Vec<_> = rules.iter().enumerate().filter(|(_, rule)| concerned(rule)).collect();
        if concerned.is_empty() {
            return;
        }
        let agent = match room.per {
            Per::Agent => Some(event.agent_id.as_deref().unwrap_or_default()),
            Per::Tenant => None,
        };
        write_key(&mut self.key, &event.tenant_id, agent);
        let memories = if room.is_lasting { &mut self.habits } else { &mut self.windows };
        let Some(memory) = remember(memories, &self.key, rules, self.most_agents) else { return };
        memory.notice(event.occurred_at.micros());
        let about = event.agent_id.as_ref().filter(|_| agent.is_some());
        for (slot, rule) in concerned {
            let hit = memory.slot(slot).and_then(|slot| slot.take(rule, subject, Kept::new(event)));
            fired.extend(hit.map(|hit| Fired::new(rule, subject, about.cloned(), hit)));
        }
    }

    fn escalate(&mut self, rules: &RuleSet, event: &Event) -> Option<Raise> {
        let escalation = (*self.escalations.get(&event.tenant_id).unwrap_or(&self.usual_escalation))?;
        let agent = event.agent_id.as_deref()?;
        let is_denial =
            event.kind == event::AUTHORIZE_DECISION && event.decision.as_deref() == Some(Verdict::Deny.name());
        if !is_denial {
            return None;
        }
        let [windows, ..] = &rules.rooms;
        write_key(&mut self.key, &event.tenant_id, Some(agent));
        let memory = remember(&mut self.windows, &self.key, windows, self.most_agents)?;
        memory.notice(event.occurred_at.micros());
        let raise = || Raise { tenant_id: event.tenant_id.clone(), agent_id: agent.to_owned(), escalation };
        escalation.take(&mut memory.denials, event.occurred_at.micros()).then(raise)
    }

    /// Each memory that is forgotten was made by an event, so this costs each event a constant.
    fn forget_idle(&mut self, at: i64) {
        // An event may still come that is a little late.
        let longest = micros(self.memory_seconds).saturating_add(limits::LATE_SECONDS * 1_000_000);
        while self.windows.oldest().is_some_and(|memory| at.saturating_sub(memory.newest) > longest) {
            self.windows.pop_oldest();
        }
    }

    fn rules_of(&self, tenant: &str) -> &Arc<RuleSet> {
        self.tenants.get(tenant).unwrap_or(&self.usual)
    }

    fn find_memory(&mut self) {
        let of_rules = self.tenants.values().chain([&self.usual]).map(|rules| rules.memory_seconds());
        let escalations = self.escalations.values().chain([&self.usual_escalation]).flatten();
        let longest = of_rules.chain(escalations.map(|it| it.window_seconds())).max();
        self.memory_seconds = longest.unwrap_or(0);
    }
}

/// The memory with this key. If there are too many, the one that was idle for longest goes.
fn remember<'m>(
    memories: &'m mut Recent<Memory>,
    key: &str,
    rules: &Arc<[Arc<Rule>]>,
    most: usize,
) -> Option<&'m mut Memory> {
    if memories.len() >= most && !memories.contains(key) {
        memories.pop_oldest();
    }
    let memory = memories.used(key, || Memory::new(rules))?;
    memory.adopt(rules);
    Some(memory)
}

/// The length of the tenant's id stands first, so that no two pairs of ids read alike.
fn write_key(key: &mut String, tenant: &str, agent: Option<&str>) {
    key.clear();
    key.push_str(&tenant.len().to_string());
    key.push(if agent.is_some() { '/' } else { '.' });
    key.push_str(tenant);
    key.push_str(agent.unwrap_or_default());
}
