//! `tracehound approvals`.

use serde_json::{Value, json};

use super::{cell, read_json, show, show_one, whole_list};
use crate::args::{AnswerApproval, Approvals, EditApproval, Format};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(crate) fn run(which: &Approvals, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    match which {
        Approvals::List { all } => {
            let status = if *all { "all" } else { "pending" };
            let found = whole_list(&gateway, &format!("/v1/approvals?status={status}"))?;
            let heading = ["APPROVAL", "STATUS", "AGENT", "GROUP", "EXPIRES", "ACTION HASH"];
            let names = ["approval_id", "status", "agent_id", "approver_group", "expires_at", "action_hash"];
            show(settings, output, &found, heading, names)?;
        }
        Approvals::Show { approval } => {
            show_one(settings, output, &gateway.get(&format!("/v1/approvals/{}", part(approval)))?)?;
        }
        Approvals::Approve(answer) => say(&gateway, answer, "approve", settings, output)?,
        Approvals::Reject(answer) => say(&gateway, answer, "reject", settings, output)?,
        Approvals::Edit(edit) => put(&gateway, edit, settings, output)?,
    }
    Ok(Outcome::Clean)
}

fn say(
    gateway: &Gateway,
    answer: &AnswerApproval,
    verb: &str,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<()> {
    let path = format!("/v1/approvals/{}", part(&answer.approval));
    // Agreeing is agreeing to what is there now; what comes in between is refused.
    let seen = gateway.get(&path)?;
    let hash = seen.get("action_hash").and_then(Value::as_str);
    let body = json!({ "reason": answer.reason, "action_hash": hash });
    let told = gateway.post(&format!("{path}/{verb}"), body)?;
    if settings.format == Format::Json {
        return output.json(&told);
    }
    output.line(format!("{} is {}", cell(&told, "approval_id"), cell(&told, "approval_status")))
}

/// Puts another call in the place of the one that is there now.
fn put(gateway: &Gateway, edit: &EditApproval, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    let call = read_json(&edit.file)?;
    let path = format!("/v1/approvals/{}", part(&edit.approval));
    let seen = gateway.get(&path)?;
    let body = json!({
        "edited_tool_call": call, "reason": edit.reason, "action_hash": seen.get("action_hash").and_then(Value::as_str),
    });
    let told = gateway.post(&format!("{path}/edit"), body)?;
    if settings.format == Format::Json {
        return output.json(&told);
    }
    let (id, hash) = (cell(&told, "approval_id"), cell(&told, "effective_action_hash"));
    output.line(format!("{id} is edited; somebody else has to agree to {hash}"))
}
