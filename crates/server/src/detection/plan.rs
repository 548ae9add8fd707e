//! What follows from some events, put together in memory and then written in one change.

use std::collections::BTreeMap;

use tracehound_evidence::detect::{Change, Fired, Raise, Source};
use tracehound_evidence::event::{ALERT, Event, INCIDENT, Proof};
use tracehound_evidence::incident::{Alert, ContainmentKind, Growth, Incident, NewAlert, NewIncident};
use tracehound_evidence::reading::Place;
use tracehound_evidence::{Error, Ledger, Moment, Order};

/// Who carries responses out when nobody does.
const AUTOMATIC: &str = "automatic";

/// What is to be written.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    place: Place,
    alerts: Vec<PlannedAlert>,
    /// In the order in which they were touched first.
    incidents: Vec<PlannedIncident>,
    raises: Vec<Raise>,
    responses: Vec<PlannedResponse>,
    /// By hour, tenant, rule and agent.
    hours: BTreeMap<(i64, String, String, String), u32>,
    /// Hours before this one are forgotten.
    forget_before: Option<i64>,
}

#[derive(Debug, Clone)]
struct PlannedAlert {
    alert: NewAlert,
    once: Option<String>,
}

#[derive(Debug, Clone)]
struct PlannedIncident {
    /// If it is opened: its kind and agent.
    opened: Option<(String, Option<String>, Moment)>,
    growth: Growth,
}

#[derive(Debug, Clone)]
struct PlannedResponse {
    tenant: String,
    agent: String,
    kind: ContainmentKind,
    incident: Option<String>,
    reason: String,
}

/// What was written, as live viewers are told.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) events: Vec<Event>,
}

impl Plan {
    /// How many rows it will take, roughly.
    pub(super) fn size(&self) -> usize {
        let sources: usize = self.incidents.iter().map(|incident| incident.growth.sources.len()).sum();
        self.alerts.len() + self.incidents.len() + sources + 4 * (self.raises.len() + self.responses.len())
    }

    /// Everything up to a place was looked at.
    pub(super) fn reach(&mut self, place: Place) {
        self.place = place;
    }

    /// An hour of an agent had one more event that concerns a rule.
    pub(super) fn count(&mut self, hour: i64, tenant: &str, rule: &str, agent: &str) {
        *self.hours.entry((hour, tenant.to_owned(), rule.to_owned(), agent.to_owned())).or_default() += 1;
    }

    pub(super) fn forget_hours(&mut self, before: i64) {
        self.forget_before = Some(before);
    }

    pub(super) fn raise(&mut self, raise: Raise) {
        self.raises.push(raise);
    }

    /// A rule fired, and belongs to an incident or not.
    pub(super) fn fired(&mut self, fired: &Fired, incident: Option<(String, Change)>, is_automatic: bool) {
        let incident_id = incident.as_ref().map(|(id, _)| id.clone());
        if let Some((id, change)) = incident {
            self.grow(fired, id, change);
        }
        if fired.continues {
            return;
        }
        // What made the rule fire comes last.
        let source = fired.sources.last().cloned().unwrap_or(Source { event_id: String::new(), decision_id: None });
        let alert = NewAlert {
            tenant: fired.tenant_id.clone(),
            rule: fired.rule_key.clone(),
            severity: fired.severity,
            agent_id: fired.agent_id.clone(),
            source,
            summary: fired.summary.clone(),
            occurred_at: fired.at,
        };
        self.alerts.push(PlannedAlert { alert, once: fired.once.clone() });
        if let (true, Some(respond), Some(agent)) = (is_automatic, fired.respond, &fired.agent_id) {
            self.responses.push(PlannedResponse {
                tenant: fired.tenant_id.clone(),
                agent: agent.clone(),
                kind: respond.into(),
                incident: incident_id,
                reason: format!("{}: {}", fired.rule_key, fired.summary),
            });
        }
    }

    /// A storm adds to one incident again and again; that is written once.
    fn grow(&mut self, fired: &Fired, id: String, change: Change) {
        let (opened, severity, summary, mut sources, event_count) = match change {
            Change::Open(opening) => {
                let count = opening.sources.len() as u64;
                let opened = (opening.kind, opening.agent_id, opening.opened_at);
                (Some(opened), opening.severity, opening.summary, opening.sources, count)
            }
            Change::Extend(more) => (None, more.severity, more.summary, more.added, more.source_count),
        };
        let planned = self.incidents.iter_mut().rev().find(|planned| planned.growth.id == id);
        if let Some(PlannedIncident { growth, .. }) = planned {
            (growth.severity, growth.summary, growth.event_count) = (severity, summary, event_count);
            growth.occurred_at = fired.at;
            growth.sources.append(&mut sources);
            return;
        }
        let tenant = fired.tenant_id.clone();
        let growth = Growth { id, tenant, severity, summary, occurred_at: fired.at, sources, event_count };
        self.incidents.push(PlannedIncident { opened, growth });
    }

    /// Writes everything, and the place that was reached, in one change.
    pub(super) fn write(&self, ledger: &mut Ledger<'_>) -> Result<Written, Error> {
        let mut written = Written::default();
        for planned in &self.incidents {
            if let Some(event) = planned.write(ledger)? {
                written.events.push(event);
            }
        }
        for planned in &self.alerts {
            let alert = &planned.alert;
            let is_known = match &planned.once {
                Some(once) => !ledger.tells_first(&alert.tenant, &alert.rule, once)?,
                None => false,
            };
            if !is_known {
                written.events.push(event_of_alert(&ledger.alert(alert.clone())?));
            }
        }
        for Raise { tenant_id, agent_id, escalation } in &self.raises {
            let why = format!("more than {} denials within {} minutes", escalation.denies, escalation.minutes);
            unless_gone(ledger.escalate(tenant_id, agent_id, &why))?;
        }
        for response in &self.responses {
            unless_gone(response.carry_out(ledger))?;
        }
        for ((hour, tenant, rule, agent), events) in &self.hours {
            ledger.count_hour(tenant, rule, agent, *hour, *events)?;
        }
        if let Some(hour) = self.forget_before {
            ledger.forget_hours(hour)?;
        }
        ledger.detected_up_to(self.place)?;
        Ok(written)
    }
}

/// What can't be done because somebody is not there, or was stopped for good, is no reason to hold everything up.
fn unless_gone<T>(done: Result<T, Error>) -> Result<(), Error> {
    match done {
        Err(Error::Unknown { .. } | Error::Conflict { .. }) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

impl PlannedIncident {
    fn write(&self, ledger: &mut Ledger<'_>) -> Result<Option<Event>, Error> {
        let growth = &self.growth;
        let Some((kind, agent_id, opened_at)) = &self.opened else {
            let grown = ledger.extend_incident(growth)?;
            return Ok(grown.map(|incident| event_of_incident(&incident, "incident_updated", incident.updated_at)));
        };
        let opened = ledger.open_incident(NewIncident {
            id: growth.id.clone(),
            tenant: growth.tenant.clone(),
            kind: kind.clone(),
            severity: growth.severity,
            agent_id: agent_id.clone(),
            summary: growth.summary.clone(),
            occurred_at: *opened_at,
            sources: growth.sources.clone(),
            event_count: growth.event_count,
        })?;
        Ok(Some(event_of_incident(&opened, "incident_opened", opened.opened_at)))
    }
}

impl PlannedResponse {
    fn carry_out(&self, ledger: &mut Ledger<'_>) -> Result<(), Error> {
        if ledger.is_contained(&self.tenant, &self.agent, self.kind)? {
            return Ok(());
        }
        let order =
            Order { kind: self.kind, incident_id: self.incident.as_deref(), by: AUTOMATIC, reason: &self.reason };
        ledger.contain(&self.tenant, &self.agent, order).map(drop)
    }
}

/// An alert, as viewers see it. It has the id that is on record.
fn event_of_alert(alert: &Alert) -> Event {
    Event {
        event_id: alert.id.clone(),
        occurred_at: alert.created_at,
        kind: ALERT.to_owned(),
        reason: alert.summary.clone(),
        code: alert.rule.clone(),
        severity: Some(alert.severity),
        evidence: Proof {
            decision_id: alert.decision_id.clone(),
            alert_id: Some(alert.id.clone()),
            ..Proof::default()
        },
        ..Event::about_agent(&alert.tenant, alert.agent_id.as_deref())
    }
}

/// An incident, as viewers see it. It names the id that is on record.
fn event_of_incident(incident: &Incident, code: &str, at: Moment) -> Event {
    Event {
        event_id: uuid::Uuid::now_v7().hyphenated().to_string(),
        occurred_at: at,
        kind: INCIDENT.to_owned(),
        reason: format!("{}: {}", incident.kind, incident.summary),
        code: code.to_owned(),
        severity: Some(incident.severity),
        evidence: Proof { incident_id: Some(incident.id.clone()), ..Proof::default() },
        ..Event::about_agent(&incident.tenant, incident.agent_id.as_deref())
    }
}

/// An event with names as look-ups see them, so that nobody gets past a rule by writing a name in another way.
///
/// Letters keep their case, which rules don't look at but which shows where the words of a name begin.
pub(crate) fn subject(mut event: Event) -> Event {
    for name in [&mut event.tool, &mut event.action].into_iter().flatten() {
        let normal = tracehound_policy::name::normal(name);
        if let Some(normal) = normal.filter(|normal| *normal != name.to_lowercase()) {
            *name = normal;
        }
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_as_they_are_looked_up() {
        let seen = |action: &str| {
            let event = Event { action: Some(action.to_owned()), ..Event::about_agent("t", None) };
            subject(event).action.unwrap()
        };
        assert_eq!(seen("sendEmail"), "sendEmail");
        assert_eq!(seen("send%5Femail"), "send_email");
        assert_eq!(seen(" ｓｅｎｄ_email "), "send_email");
        assert_eq!(seen("send\u{200b}email"), "send\u{200b}email", "what has no normal form stays as it is");
    }
}
