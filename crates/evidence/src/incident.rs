//! Alerts, incidents, and what was done to stop something.

use serde::Serialize;

use crate::Moment;
use crate::detect::Response;
use crate::identity::words;

pub use crate::detect::{Severity, Source};

/// A rule matched.
#[derive(Debug, Clone)]
pub struct NewAlert {
    /// Whose it is.
    pub tenant: String,
    /// The rule.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The agent that it is about.
    pub agent_id: Option<String>,
    /// What it rests on.
    pub source: Source,
    /// What happened, in a sentence.
    pub summary: String,
    /// When.
    pub occurred_at: Moment,
}

/// A rule matched, on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[expect(missing_docs, reason = "as in `NewAlert`")]
pub struct Alert {
    #[serde(skip)]
    pub number: i64,
    #[serde(rename = "alert_id")]
    pub id: String,
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    pub rule: String,
    pub severity: Severity,
    pub agent_id: Option<String>,
    pub decision_id: Option<String>,
    pub event_id: String,
    pub summary: String,
    pub created_at: Moment,
}

/// Several things that belong together are an incident.
#[derive(Debug, Clone)]
pub struct NewIncident {
    /// Its id, which whoever puts things together knows already.
    pub id: String,
    /// Whose it is.
    pub tenant: String,
    /// What sort.
    pub kind: String,
    /// How bad it is.
    pub severity: Severity,
    /// The agent that it is about.
    pub agent_id: Option<String>,
    /// What happened, in a sentence.
    pub summary: String,
    /// When it showed.
    pub occurred_at: Moment,
    /// What it rests on.
    pub sources: Vec<Source>,
    /// How many events it rests on; more than are listed if there are very many.
    pub event_count: u64,
}

/// More of the same: what an incident gains.
#[derive(Debug, Clone)]
pub struct Growth {
    /// The incident.
    pub id: String,
    /// Whose it is.
    pub tenant: String,
    /// How bad it is with that.
    pub severity: Severity,
    /// What happened, in a sentence.
    pub summary: String,
    /// When.
    pub occurred_at: Moment,
    /// What it rests on besides.
    pub sources: Vec<Source>,
    /// How many events it rests on in all.
    pub event_count: u64,
}

/// An incident on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[expect(missing_docs, reason = "as in `NewIncident`")]
pub struct Incident {
    #[serde(skip)]
    pub number: i64,
    #[serde(rename = "incident_id")]
    pub id: String,
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    pub kind: String,
    pub severity: Severity,
    pub agent_id: Option<String>,
    pub summary: String,
    pub event_count: u64,
    pub status: IncidentStatus,
    pub opened_at: Moment,
    pub updated_at: Moment,
    pub closed_at: Option<Moment>,
    pub closed_by: Option<String>,
    pub closing_reason: Option<String>,
    #[serde(rename = "details_dropped_at", skip_serializing_if = "Option::is_none")]
    pub dropped_at: Option<Moment>,
}

/// Whether somebody has still to look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IncidentStatus {
    /// Yes.
    Open,
    /// No.
    Closed,
}

words!(IncidentStatus, "a status of an incident", Open => "open", Closed => "closed");

/// How an agent can be stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContainmentKind {
    /// It may do nothing until somebody lets it.
    Freeze,
    /// The same, because of what it did.
    Quarantine,
    /// A person has to agree to everything.
    ForceApproval,
}

words!(ContainmentKind, "a containment",
    Freeze => "freeze", Quarantine => "quarantine", ForceApproval => "force_approval");

impl From<Response> for ContainmentKind {
    fn from(response: Response) -> Self {
        match response {
            Response::Freeze => Self::Freeze,
            Response::Quarantine => Self::Quarantine,
            Response::ForceApproval => Self::ForceApproval,
        }
    }
}

/// What was done to stop an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Containment {
    /// Its id.
    #[serde(rename = "containment_id")]
    pub id: String,
    /// Whose it is.
    #[serde(rename = "tenant_id")]
    pub tenant: String,
    /// What was done.
    pub kind: ContainmentKind,
    /// To whom.
    pub agent_id: String,
    /// Because of which incident.
    pub incident_id: Option<String>,
    /// By whom; `automatic` if by a rule.
    pub author: String,
    /// Why.
    pub reason: String,
    /// How the agent was before.
    pub previous: serde_json::Value,
    /// When.
    pub created_at: Moment,
    /// When it was undone.
    pub undone_at: Option<Moment>,
    /// By whom.
    pub undone_by: Option<String>,
    /// Why it was undone.
    pub undo_reason: Option<String>,
}
