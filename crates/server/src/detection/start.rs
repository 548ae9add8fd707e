//! What detection needs to go on where it stopped: rules, settings, windows, habits, open incidents.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tracehound_evidence::detect::{
    Detector, Escalation, Incidents, OpenIncident, Opening, Rule, builtin_rules, limits, read_rule,
};
use tracehound_evidence::incident::{Incident, Source};
use tracehound_evidence::reading::{AgentHour, Place};
use tracehound_evidence::{Error, Evidence, Moment};

use super::plan::subject;

/// The setting that says when risk tiers are raised.
pub(crate) const ESCALATION: &str = "risk_escalation";
/// The setting that says whether responses are carried out.
pub(crate) const AUTOMATIC: &str = "response";

/// Most events that are shown again after a start. More happened only in windows of extreme length or rate.
const MOST_WARM: i64 = 1_000_000;
/// How many are read at one time.
const WARM_PAGE: i64 = 2_000;
/// Most open incidents that are taken up again; of older ones a second may be opened.
const MOST_OPEN: i64 = 10_000;

/// When risk tiers are raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EscalationSetting {
    /// Whether they are.
    pub(crate) enabled: bool,
    /// So many denials are not too many.
    pub(crate) denies: u16,
    /// Within so many minutes.
    pub(crate) minutes: u16,
}

impl Default for EscalationSetting {
    fn default() -> Self {
        let Escalation { denies, minutes } = Escalation::default();
        Self { enabled: true, denies, minutes }
    }
}

impl EscalationSetting {
    /// The numbers, whether they count or not.
    pub(crate) const fn numbers(self) -> Escalation {
        Escalation { denies: self.denies, minutes: self.minutes }
    }
}

/// Whether what rules respond is carried out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResponseSetting {
    /// Whether it is, without anybody agreeing.
    pub(crate) automatic: bool,
}

/// What is known of a tenant.
#[derive(Debug, Default)]
pub(super) struct Tenant {
    /// Which rulebook the settings are from.
    pub(super) epoch: u64,
    /// Whether responses are carried out.
    pub(super) is_automatic: bool,
    /// Rules about what is usual.
    pub(super) rates: Vec<Arc<Rule>>,
}

/// All tenants.
pub(super) type Tenants = FxHashMap<String, Tenant>;

/// A detector as it would be if it had never stopped, the incidents that are open, and the place to go on from.
pub(super) fn resume(evidence: &Evidence) -> Result<(Detector, Incidents, Tenants, Place), Error> {
    let broken = |error: &dyn std::error::Error| Error::Damaged { what: error.to_string() };
    let builtin = builtin_rules().map_err(|error| broken(error))?;
    let mut detector = Detector::new(builtin.iter().cloned()).with_escalation(Escalation::default());
    let mut tenants = Tenants::default();
    for (tenant, ..) in evidence.registry().tenants() {
        load(evidence, &mut detector, &mut tenants, &tenant)?;
    }
    let place = evidence.detected()?;
    warm(evidence, &mut detector, place)?;
    Ok((detector, incidents(evidence)?, tenants, place))
}

/// Reads a tenant's rules and settings.
pub(super) fn load(
    evidence: &Evidence,
    detector: &mut Detector,
    tenants: &mut Tenants,
    tenant: &str,
) -> Result<(), Error> {
    let builtin = builtin_rules().map_err(|error| Error::Damaged { what: error.to_string() })?;
    let mut rules: Vec<Arc<Rule>> = builtin.to_vec();
    for (key, body, ..) in evidence.detection_rules(tenant)? {
        match read_rule(&body) {
            Ok(rule) => rules.push(Arc::new(rule)),
            // It was checked when it was handed in, so this is a rule of another version of the product.
            Err(problem) => crate::log::note(&format!("detection rule `{key}` of `{tenant}` is left out: {problem}")),
        }
    }
    detector.set_rules(tenant, rules);
    let known = tenants.entry(tenant.to_owned()).or_default();
    known.rates = detector.rate_rules(tenant);
    known.epoch = u64::MAX;
    settings(evidence, detector, tenants, tenant);
    Ok(())
}

/// Reads a tenant's settings, if they may have changed.
pub(super) fn settings(evidence: &Evidence, detector: &mut Detector, tenants: &mut Tenants, tenant: &str) {
    let book = evidence.registry().rulebook(tenant);
    let known = tenants.entry(tenant.to_owned()).or_default();
    if known.epoch == book.epoch {
        return;
    }
    known.epoch = book.epoch;
    let setting = |name: &str| book.settings.get(name).map(|value| (**value).clone()).unwrap_or_default();
    let response: ResponseSetting = serde_json::from_value(setting(AUTOMATIC)).unwrap_or_default();
    known.is_automatic = response.automatic;
    let escalation: EscalationSetting = serde_json::from_value(setting(ESCALATION)).unwrap_or_default();
    detector.set_escalation(tenant, escalation.enabled.then_some(escalation.numbers()));
}

/// Shows the detector what it saw before it stopped, as far back as it matters.
fn warm(evidence: &Evidence, detector: &mut Detector, place: Place) -> Result<(), Error> {
    let last = last_seen(evidence, place)?;
    let Some(last) = last else { return Ok(()) };
    let mut at = evidence.place_at(last.plus_seconds(-i64::from(detector.memory_seconds())))?;
    at.decisions = at.decisions.max(place.decisions - MOST_WARM);
    at.events = at.events.max(place.events - MOST_WARM);
    loop {
        let page = evidence.happened(None, at, place, WARM_PAGE)?;
        let Some(end) = page.last() else { break };
        at = end.place;
        for happened in page {
            detector.warm(&subject(happened.event));
        }
    }
    // Hours are known from what was counted, of which the events above are a part.
    let from = hour_of(last) - i64::from(limits::RATE_DAYS) * 24;
    for AgentHour { tenant, rule_key: rule, agent_id: agent, hour, events } in evidence.agent_hours(from)? {
        detector.baseline(&tenant, &rule, &agent, Moment::from_micros(hour.saturating_mul(HOUR)), events);
    }
    Ok(())
}

/// When the last thing happened that detection has seen.
fn last_seen(evidence: &Evidence, place: Place) -> Result<Option<Moment>, Error> {
    let before = Place { decisions: place.decisions - 1, events: place.events - 1 };
    let found = evidence.happened(None, before, place, 2)?;
    Ok(found.iter().map(|happened| happened.event.occurred_at).max())
}

const HOUR: i64 = 3_600_000_000;

/// The hour of a moment.
pub(super) fn hour_of(moment: Moment) -> i64 {
    moment.micros().div_euclid(HOUR)
}

fn incidents(evidence: &Evidence) -> Result<Incidents, Error> {
    let since = evidence.now().plus_seconds(-i64::from(limits::INCIDENT_SECONDS));
    let mut incidents = Incidents::default();
    for (incident, sources) in evidence.open_incidents(since, MOST_OPEN)? {
        incidents.restore(restored(incident, sources));
    }
    Ok(incidents)
}

fn restored(incident: Incident, sources: Vec<Source>) -> OpenIncident {
    let opening = Opening {
        tenant_id: incident.tenant,
        agent_id: incident.agent_id,
        kind: incident.kind,
        rule_key: String::new(),
        severity: incident.severity,
        summary: incident.summary,
        opened_at: incident.opened_at,
        sources,
        respond: None,
    };
    let mut open = OpenIncident::new(incident.id, &opening);
    open.source_count = incident.event_count;
    open
}
