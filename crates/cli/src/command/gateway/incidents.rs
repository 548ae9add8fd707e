//! `tracehound incidents`.

use serde_json::{Value, json};

use super::{asked, cell, show, show_one, whole_list};
use crate::args::{Contain, Containment, Format, Incidents, ListAlerts, ListIncidents};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(crate) fn run(which: &Incidents, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        Incidents::List(filter) => list(&gateway, filter, settings, output)?,
        Incidents::Show { incident } => {
            show_one(settings, output, &gateway.get(&format!("/v1/incidents/{}", part(incident)))?)?;
        }
        Incidents::Close { incident, reason } => {
            let path = format!("/v1/incidents/{}/close", part(incident));
            let told = gateway.post(&path, json!({ "reason": reason }))?;
            say(settings, output, &told, |told| format!("{} is {}", cell(told, "incident_id"), cell(told, "status")))?;
        }
        Incidents::Alerts(filter) => alerts(&gateway, filter, settings, output)?,
        Incidents::Contain(order) => contain(&gateway, order, settings, output)?,
        Incidents::Containments => {
            let found = whole_list(&gateway, "/v1/containments")?;
            let heading = ["CONTAINMENT", "KIND", "AGENT", "WHO", "WHEN", "UNDONE", "WHY"];
            let names = ["containment_id", "kind", "agent_id", "author", "created_at", "undone_at", "reason"];
            show(settings, output, &found, heading, names)?;
        }
        Incidents::Undo { containment, reason } => {
            let path = format!("/v1/containments/{}/undo", part(containment));
            let told = gateway.post(&path, json!({ "reason": reason }))?;
            say(settings, output, &told, |told| format!("agent {} is as it was before", cell(told, "agent_id")))?;
        }
    }
    Ok(Outcome::Clean)
}

fn list(gateway: &Gateway, filter: &ListIncidents, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    let status = (!filter.all).then_some("open");
    let path = asked(
        "/v1/incidents",
        &[
            ("status", status),
            ("severity", filter.severity.as_deref()),
            ("agent_id", filter.agent.as_deref()),
            ("kind", filter.kind.as_deref()),
        ],
    );
    let found = whole_list(gateway, &path)?;
    let heading = ["INCIDENT", "SEVERITY", "KIND", "STATUS", "EVENTS", "OPENED", "SUMMARY"];
    let names = ["incident_id", "severity", "kind", "status", "event_count", "opened_at", "summary"];
    show(settings, output, &found, heading, names)
}

fn alerts(gateway: &Gateway, filter: &ListAlerts, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    let path = asked(
        "/v1/alerts",
        &[
            ("severity", filter.severity.as_deref()),
            ("agent_id", filter.agent.as_deref()),
            ("rule", filter.rule.as_deref()),
        ],
    );
    let found = whole_list(gateway, &path)?;
    let heading = ["ALERT", "SEVERITY", "RULE", "AGENT", "WHEN", "SUMMARY"];
    show(settings, output, &found, heading, ["alert_id", "severity", "rule", "agent_id", "created_at", "summary"])
}

fn contain(gateway: &Gateway, order: &Contain, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    let kind = match order.by {
        Containment::Freeze => "freeze",
        Containment::Quarantine => "quarantine",
        Containment::ForceApproval => "force_approval",
    };
    let body = json!({ "kind": kind, "reason": order.reason, "incident_id": order.incident });
    let told = gateway.post(&format!("/v1/agents/{}/contain", part(&order.agent)), body)?;
    say(settings, output, &told, |told| {
        format!("{}; `tracehound incidents undo {}` takes it back", cell(told, "kind"), cell(told, "containment_id"))
    })
}

/// What was done, in a line or as JSON.
fn say(settings: &Settings, output: &mut Output, told: &Value, line: impl Fn(&Value) -> String) -> anyhow::Result<()> {
    if settings.format == Format::Json { output.json(told) } else { output.line(line(told)) }
}
