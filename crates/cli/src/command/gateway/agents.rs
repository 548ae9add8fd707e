//! `tracehound agent`.

use serde_json::json;

use super::{cell, show, show_one, whole_list};
use crate::args::{Agents, Format, StopAgent};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(crate) fn run(which: &Agents, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        Agents::Add(new) => {
            let body = json!({
                "agent_key": new.key, "name": new.name.as_ref().unwrap_or(&new.key), "environment": new.environment,
                "risk_tier": new.risk_tier, "owner_team": new.owner_team, "purpose": new.purpose,
                "allowed_tools": new.tools, "allowed_environments": new.environments,
                "force_approval": new.force_approval,
            });
            let made = gateway.post("/v1/agents", body)?;
            if settings.format == Format::Json {
                output.json(&made)?;
            } else {
                output.line(format!("registered {} as {}", cell(&made, "agent_key"), cell(&made, "id")))?;
                output.line(format!("its token, shown once: {}", cell(&made, "agent_token")))?;
            }
        }
        Agents::List => {
            let all = whole_list(&gateway, "/v1/agents")?;
            let heading = ["KEY", "NAME", "STATUS", "RISK TIER", "ENVIRONMENT", "ID"];
            show(settings, output, &all, heading, ["agent_key", "name", "status", "risk_tier", "environment", "id"])?;
        }
        Agents::Show { agent } => show_one(settings, output, &gateway.get(&format!("/v1/agents/{}", part(agent)))?)?,
        Agents::Freeze(stop) => set(&gateway, stop, "freeze", settings, output)?,
        Agents::Quarantine(stop) => set(&gateway, stop, "quarantine", settings, output)?,
        Agents::Revoke(stop) => set(&gateway, stop, "revoke", settings, output)?,
        Agents::Restore(stop) => set(&gateway, stop, "restore", settings, output)?,
        Agents::Rotate { agent } => {
            let made = gateway.post(&format!("/v1/agents/{}/rotate-token", part(agent)), json!({}))?;
            if settings.format == Format::Json {
                output.json(&made)?;
            } else {
                output.line(format!("the token, shown once: {}", cell(&made, "agent_token")))?;
            }
        }
    }
    Ok(Outcome::Clean)
}

fn set(
    gateway: &Gateway,
    stop: &StopAgent,
    verb: &str,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<()> {
    let path = format!("/v1/agents/{}/{verb}", part(&stop.agent));
    let agent = gateway.post(&path, json!({ "reason": stop.reason }))?;
    if settings.format == Format::Json {
        return output.json(&agent);
    }
    output.line(format!("{} is {}", cell(&agent, "agent_key"), cell(&agent, "status")))
}
