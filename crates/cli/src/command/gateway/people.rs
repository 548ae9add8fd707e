//! `tracehound people` and `tracehound tenant`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{cell, show, whole_list};
use crate::args::{Format, People, Tenants};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(crate) fn run(which: &People, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        People::Add { name, role } => {
            let made = gateway.post("/v1/people", json!({ "name": name, "role": role }))?;
            token(settings, output, &made, "token")?;
        }
        People::List => {
            let all = whole_list(&gateway, "/v1/people")?;
            show(settings, output, &all, ["NAME", "ROLE", "SINCE", "ID"], ["name", "role", "created_at", "id"])?;
        }
        People::Rotate { id } => {
            let made = gateway.post(&format!("/v1/people/{}/rotate-token", part(id)), json!({}))?;
            token(settings, output, &made, "token")?;
        }
        People::Remove { id } => {
            gateway.ask(Method::DELETE, &format!("/v1/people/{}", part(id)), None)?;
            output.line("removed")?;
        }
    }
    Ok(Outcome::Clean)
}

fn token(settings: &Settings, output: &mut Output, made: &Value, name: &str) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(made);
    }
    output.line(format!("the token, shown once: {}", cell(made, name)))
}

pub(crate) fn tenants(which: &Tenants, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        Tenants::Add { id, name } => {
            let made = gateway.post("/v1/tenants", json!({ "tenant_id": id, "name": name.as_ref().unwrap_or(id) }))?;
            let admin = made.get("admin").cloned().unwrap_or_default();
            if settings.format == Format::Json {
                output.json(&made)?;
            } else {
                output.line(format!("the administrator's token, shown once: {}", cell(&admin, "token")))?;
            }
        }
        Tenants::List => {
            let all = whole_list(&gateway, "/v1/tenants")?;
            show(settings, output, &all, ["ID", "NAME", "SINCE"], ["tenant_id", "name", "created_at"])?;
        }
    }
    Ok(Outcome::Clean)
}
