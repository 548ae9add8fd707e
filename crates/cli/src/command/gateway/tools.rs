//! `tracehound tool`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{cell, read_json, whole_list};
use crate::args::{Format, Tools};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::{Output, note, safe};
use crate::settings::Settings;

pub(crate) fn run(which: &Tools, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        Tools::Add { file } => {
            let made = gateway.post("/v1/tools", read_json(file)?)?;
            for warning in made.get("warnings").and_then(Value::as_array).into_iter().flatten() {
                note(&format!("warning: {}", safe(warning.as_str().unwrap_or_default())));
            }
            if settings.format == Format::Json {
                output.json(&made)?;
            } else {
                output.line(format!(
                    "registered {} with {} actions",
                    cell(&made, "tool_key"),
                    cell(&made, "actions")
                ))?;
            }
        }
        Tools::List => list(settings, output, &whole_list(&gateway, "/v1/tools")?)?,
        Tools::Remove { tool } => {
            gateway.ask(Method::DELETE, &format!("/v1/tools/{}", part(tool)), None)?;
            output.line("removed")?;
        }
    }
    Ok(Outcome::Clean)
}

fn list(settings: &Settings, output: &mut Output, tools: &[Value]) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(&tools);
    }
    let rows = tools.iter().flat_map(|tool| {
        let actions = tool.get("actions").and_then(Value::as_array).into_iter().flatten();
        actions.map(move |action| {
            let changes = if action.get("mutates_state") == Some(&json!(true)) { "changes" } else { "reads" };
            let name = format!("{}.{}", cell(tool, "tool_key"), cell(action, "action_key"));
            [name, cell(action, "risk"), changes.to_owned(), cell(action, "default_decision")]
        })
    });
    output.table(["ACTION", "RISK", "EFFECT", "DEFAULT"], rows)
}
