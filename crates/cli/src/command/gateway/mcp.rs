//! `tracehound mcp`.

use anyhow::bail;
use reqwest::Method;
use serde_json::{Value, json};

use super::{cell, read_json, show, show_one, whole_list};
use crate::args::{AboutServer, AboutTool, AddServer, Format, Mcp};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::{Output, note};
use crate::settings::Settings;

pub(crate) fn run(which: &Mcp, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    let place = |server: &str| format!("/v1/mcp/servers/{}", part(server));
    match which {
        Mcp::List => {
            let all = whole_list(&gateway, "/v1/mcp/servers")?;
            let heading = ["KEY", "NAME", "STATUS", "TRANSPORT", "TRUST", "WHY"];
            let names = ["server_key", "name", "status", "transport", "trust_level", "status_reason"];
            show(settings, output, &all, heading, names)?;
        }
        Mcp::Add(new) => state(settings, output, &gateway.post("/v1/mcp/servers", registration(new))?)?,
        Mcp::Show { server } => server_with_tools(settings, output, &gateway.get(&place(server))?)?,
        Mcp::Submit { server, file, risk } => {
            let manifest = manifest(read_json(file)?, risk)?;
            submitted(settings, output, &gateway.post(&format!("{}/tools", place(server)), manifest)?)?;
        }
        Mcp::Approve(about) => tool(&gateway, about, "approve", settings, output)?,
        Mcp::Disable(about) => tool(&gateway, about, "disable", settings, output)?,
        Mcp::Quarantine(about) => server(&gateway, about, "quarantine", settings, output)?,
        Mcp::Restore(about) => server(&gateway, about, "restore", settings, output)?,
        Mcp::History { server } => {
            let found = whole_list(&gateway, &format!("{}/manifest-history", place(server)))?;
            show(settings, output, &found, ["MANIFEST", "WHEN", "HASH"], ["number", "seen_at", "manifest_hash"])?;
        }
        Mcp::Remove { server } => {
            state(settings, output, &gateway.ask(Method::DELETE, &place(server), None)?)?;
        }
    }
    Ok(Outcome::Clean)
}

fn registration(new: &AddServer) -> Value {
    let transport = match (&new.url, new.sse) {
        (None, _) => "stdio",
        (Some(_), true) => "sse",
        (Some(_), false) => "http",
    };
    let (command, args) = match new.command.split_first() {
        Some((command, args)) => (Some(command), args),
        None => (None, Default::default()),
    };
    json!({
        "server_key": new.key, "name": new.name.as_ref().unwrap_or(&new.key), "owner_team": new.owner_team,
        "transport": transport, "command": command, "args": args, "endpoint": new.url, "trust_level": new.trust,
    })
}

/// What a server shows, as the API takes it: tools that are as a server lists them are put into our words.
fn manifest(read: Value, risk: &str) -> anyhow::Result<Value> {
    let listed = read.get("result").unwrap_or(&read);
    let Some(tools) = listed.get("tools").unwrap_or(listed).as_array() else {
        bail!("the file is no list of tools: it has to be what a server answers to `tools/list`");
    };
    Ok(json!({ "tools": tools.iter().map(|tool| in_our_words(tool, risk)).collect::<Vec<_>>() }))
}

fn in_our_words(tool: &Value, risk: &str) -> Value {
    if tool.get("tool_key").is_some() {
        return tool.clone();
    }
    let hints = tool.get("annotations").unwrap_or(&Value::Null);
    let title = [tool.get("title"), hints.get("title"), tool.get("name")].into_iter().flatten().next();
    let is_read_only = hints.get("readOnlyHint") == Some(&json!(true));
    json!({
        "tool_key": tool.get("name"), "name": title, "description": tool.get("description"),
        "input_schema": tool.get("inputSchema"), "risk": risk, "mutates_state": !is_read_only,
    })
}

fn submitted(settings: &Settings, output: &mut Output, told: &Value) -> anyhow::Result<()> {
    for found in told.get("rule_matches").and_then(Value::as_array).into_iter().flatten() {
        let (tool, name) = (cell(found, "tool_key"), cell(found, "name"));
        note(&format!("warning: `{tool}` tries to steer whoever reads it: {name}: {}", cell(found, "excerpt")));
    }
    if settings.format == Format::Json {
        return output.json(told);
    }
    if told.get("is_changed") == Some(&json!(false)) {
        return output.line(format!("{} shows what it showed before", cell(told, "server_key")));
    }
    for drift in told.get("drift").and_then(Value::as_array).into_iter().flatten() {
        let (tool, kind) = (cell(drift, "tool_key"), cell(drift, "kind"));
        output.line(format!("{tool}: {kind} ({})", cell(drift, "severity")))?;
    }
    state(settings, output, told)
}

fn server(
    gateway: &Gateway,
    about: &AboutServer,
    verb: &str,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<()> {
    let path = format!("/v1/mcp/servers/{}/{verb}", part(&about.server));
    state(settings, output, &gateway.post(&path, json!({ "reason": about.reason }))?)
}

fn tool(
    gateway: &Gateway,
    about: &AboutTool,
    verb: &str,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<()> {
    let place = format!("/v1/mcp/servers/{}", part(&about.server));
    // Agreeing is agreeing to what is there now; what comes in between is refused.
    let seen = gateway.get(&place)?;
    let mut tools = seen.get("tools").and_then(Value::as_array).into_iter().flatten();
    let hash = tools.find(|tool| cell(tool, "tool_key") == about.tool).map(|tool| cell(tool, "hash"));
    let body = json!({ "hash": hash, "reason": about.reason });
    let told = gateway.post(&format!("{place}/tools/{}/{verb}", part(&about.tool)), body)?;
    server_with_tools(settings, output, &told)
}

/// How a server is, in a line.
fn state(settings: &Settings, output: &mut Output, server: &Value) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(server);
    }
    let why = server.get("status_reason").and_then(Value::as_str).map(|_| cell(server, "status_reason"));
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    output.line(format!("{} is {}{why}", cell(server, "server_key"), cell(server, "status")))
}

fn server_with_tools(settings: &Settings, output: &mut Output, server: &Value) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(server);
    }
    let mut about = server.clone();
    let tools = about.as_object_mut().and_then(|members| members.remove("tools")).unwrap_or_default();
    show_one(settings, output, &about)?;
    let rows = tools.as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        return Ok(());
    }
    show(settings, output, rows, ["TOOL", "STATUS", "RISK", "HASH"], ["tool_key", "status", "risk", "hash"])
}
