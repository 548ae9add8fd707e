//! What belongs together: firings of the same kind about the same agent become one incident.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fired::{Fired, Source};
use super::limits;
use super::memory::{Recent, micros};
use super::rule::{Response, Severity};
use crate::Moment;

/// An incident that is open, as far as correlation needs to know it.
#[derive(Debug, Clone)]
pub struct OpenIncident {
    /// The incident.
    pub id: String,
    /// Whose it is.
    pub tenant_id: String,
    /// The agent that it is about.
    pub agent_id: Option<String>,
    /// The kind of incident.
    pub kind: String,
    /// How bad it is.
    pub severity: Severity,
    /// When it was opened.
    pub opened_at: Moment,
    /// How many events it rests on.
    pub source_count: u64,
    pub(super) listed: FxHashSet<String>,
}

impl OpenIncident {
    /// What was opened, under the id that it was given. For one that is restored the opening has all its sources.
    #[must_use]
    pub fn new(id: String, opening: &Opening) -> Self {
        Self {
            id,
            tenant_id: opening.tenant_id.clone(),
            agent_id: opening.agent_id.clone(),
            kind: opening.kind.clone(),
            severity: opening.severity,
            opened_at: opening.opened_at,
            source_count: opening.sources.len() as u64,
            listed: opening.sources.iter().map(|source| source.event_id.clone()).collect(),
        }
    }

    /// Takes in what an extension adds.
    pub fn extend(&mut self, extension: &Extension) {
        self.severity = extension.severity;
        self.source_count = extension.source_count;
        self.listed.extend(extension.added.iter().map(|source| source.event_id.clone()));
    }

    /// Whether a firing belongs to it.
    #[must_use]
    pub fn takes_in(&self, fired: &Fired) -> bool {
        let age = fired.at.micros().saturating_sub(self.opened_at.micros());
        fired.incident.as_deref() == Some(&*self.kind)
            && fired.tenant_id == self.tenant_id
            && fired.agent_id == self.agent_id
            && age <= micros(fired.dedup_seconds)
    }
}

/// What becomes of a firing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// An incident is opened.
    Open(Opening),
    /// An open incident grows.
    Extend(Extension),
}

/// An incident to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Whose it is.
    pub tenant_id: String,
    /// The agent that it is about.
    pub agent_id: Option<String>,
    /// The kind of incident.
    pub kind: String,
    /// The rule that opened it.
    pub rule_key: String,
    /// How bad it is.
    pub severity: Severity,
    /// What to tell people.
    pub summary: String,
    /// When: the time of the event that made the rule fire.
    pub opened_at: Moment,
    /// The events that it rests on, and their decisions.
    pub sources: Vec<Source>,
    /// What to do about the agent.
    pub respond: Option<Response>,
}

/// What an open incident gains. When it was opened stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// The incident.
    pub incident_id: String,
    /// The worse of both.
    pub severity: Severity,
    /// What to tell people about all of it.
    pub summary: String,
    /// The events that it does not rest on yet.
    pub added: Vec<Source>,
    /// How many it rests on with them. More than are listed, if there are more than [`limits::INCIDENT_SOURCES`].
    pub source_count: u64,
}

/// Says what becomes of a firing: nothing if it belongs to no incident, an extension if there is an open one that takes it
/// in, else an incident of its own.
///
/// Takes time in proportion to the events of the firing, however many the incident has.
#[must_use]
pub fn correlate(fired: &Fired, open: Option<&OpenIncident>) -> Option<Change> {
    let kind = fired.incident.clone()?;
    let Some(open) = open.filter(|open| open.takes_in(fired)) else {
        return Some(Change::Open(Opening {
            tenant_id: fired.tenant_id.clone(),
            agent_id: fired.agent_id.clone(),
            kind,
            rule_key: fired.rule_key.clone(),
            severity: fired.severity,
            summary: fired.summary_for(fired.sources.len() as u64),
            opened_at: fired.at,
            sources: fired.sources.clone(),
            respond: fired.respond,
        }));
    };
    let further: Vec<_> = fired.sources.iter().filter(|source| !open.listed.contains(&source.event_id)).collect();
    let source_count = open.source_count.saturating_add(further.len() as u64);
    let room = limits::INCIDENT_SOURCES.saturating_sub(open.listed.len() as u64);
    let added = further.into_iter().take(usize::try_from(room).unwrap_or(usize::MAX)).cloned().collect();
    Some(Change::Extend(Extension {
        incident_id: open.id.clone(),
        severity: open.severity.max(fired.severity),
        summary: fired.summary_for(source_count),
        added,
        source_count,
    }))
}

/// The open incidents of all tenants, by tenant, agent and kind. At most as many as [`limits::AGENTS`]: of the one that
/// grew longest ago a second one may be opened.
#[derive(Debug, Default)]
pub struct Incidents {
    open: Recent<OpenIncident>,
    /// The key of each, by its id.
    places: FxHashMap<String, String>,
}

impl Incidents {
    /// What becomes of a firing; `make_id` names an incident that is opened. Remembered as if it were already done.
    pub fn take(&mut self, fired: &Fired, make_id: impl FnOnce() -> String) -> Option<(String, Change)> {
        let kind = fired.incident.as_deref()?;
        let key = key(&fired.tenant_id, fired.agent_id.as_deref(), kind);
        let mut open = self.open.touched(&key);
        let change = correlate(fired, open.as_deref())?;
        let id = match &change {
            Change::Open(opening) => {
                let id = make_id();
                self.insert(key, OpenIncident::new(id.clone(), opening));
                id
            }
            Change::Extend(extension) => {
                open.iter_mut().for_each(|open| open.extend(extension));
                extension.incident_id.clone()
            }
        };
        Some((id, change))
    }

    /// Takes an incident that was opened before a restart and is still open.
    pub fn restore(&mut self, incident: OpenIncident) {
        self.insert(key(&incident.tenant_id, incident.agent_id.as_deref(), &incident.kind), incident);
    }

    /// Forgets an incident that was closed: what follows opens another.
    pub fn close(&mut self, incident_id: &str) {
        if let Some(key) = self.places.remove(incident_id) {
            self.open.remove(&key);
        }
    }

    fn insert(&mut self, key: String, incident: OpenIncident) {
        let replaced = self.open.remove(&key);
        let crowded_out = if self.open.len() >= limits::AGENTS { self.open.pop_oldest() } else { None };
        for gone in [replaced, crowded_out].into_iter().flatten() {
            self.places.remove(&gone.id);
        }
        self.places.insert(incident.id.clone(), key.clone());
        self.open.used(&key, || incident);
    }
}

fn key(tenant: &str, agent: Option<&str>, kind: &str) -> String {
    // A kind has no line break, and the length of the tenant's id says where the agent's starts.
    format!("{kind}\n{}{}{tenant}{}", tenant.len(), if agent.is_some() { '/' } else { '.' }, agent.unwrap_or_default())
}
