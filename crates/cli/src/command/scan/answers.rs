//! What servers and agents answered, as a scan prints it.

use serde_json::{Value, json};
use tracehound_collect::a2a;

use super::Scanned;
use crate::args::Scan;
use crate::output::{Output, SHOWN, safe};

/// Prints a table of the servers and one of the agents, and what went wrong with each.
pub(super) fn print(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    print_servers(scanned, output)?;
    print_agents(scanned, output)?;
    let troubles = troubles(scanned);
    if troubles.is_empty() {
        return Ok(());
    }
    output.line("")?;
    output.line("About what was asked:")?;
    for (name, problem) in troubles.iter().take(SHOWN) {
        output.line(format!("  {}: {}", safe(name), safe(problem)))?;
    }
    output.rest(troubles.len(), "  ")
}

fn print_servers(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let servers = &scanned.lived.servers;
    if servers.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let rows = servers.iter().take(SHOWN).map(|server| {
        let mark = if server.cut_short.is_empty() { "" } else { "+" };
        [
            safe(&server.name),
            server.status.replace('_', " "),
            server.auth.unwrap_or("").to_owned(),
            format!("{}{mark}", server.tools),
            server.resources.to_string(),
            server.prompts.to_string(),
            safe(&server.protocol_version),
        ]
    });
    output.table(["SERVER", "STATUS", "DEMANDS", "TOOLS", "RESOURCES", "PROMPTS", "PROTOCOL"], rows)?;
    output.rest(servers.len(), "")
}

fn print_agents(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let agents = &scanned.lived.agents;
    if agents.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let rows = agents.iter().take(SHOWN).map(|agent| {
        [
            safe(agent.name.as_deref().unwrap_or(&agent.target)),
            agent.status.name().to_owned(),
            agent.auth_method.unwrap_or("").to_owned(),
            signature(agent).to_owned(),
            agent.skills.to_string(),
            safe(&agent.target),
        ]
    });
    output.table(["AGENT", "STATUS", "DEMANDS", "SIGNATURE", "SKILLS", "ADDRESS"], rows)?;
    output.rest(agents.len(), "")
}

fn signature(agent: &a2a::Looked) -> &'static str {
    match (agent.status, agent.is_signed, agent.signature_valid) {
        (a2a::Status::Reachable, true, true) => "valid",
        (a2a::Status::Reachable, true, false) => "not valid",
        (a2a::Status::Reachable, false, _) => "none",
        _ => "",
    }
}

/// Everything that went wrong, with whom.
fn troubles(scanned: &Scanned) -> Vec<(String, String)> {
    let lived = &scanned.lived;
    let mut troubles: Vec<(String, String)> = Vec::new();
    for server in &lived.servers {
        let cuts = server.cut_short.iter().map(|cut| format!("not read to its end: {cut}"));
        let all = server.problems.iter().cloned().chain(cuts);
        troubles.extend(all.map(|problem| (server.name.clone(), problem)));
    }
    for agent in &lived.agents {
        let name = agent.name.as_ref().unwrap_or(&agent.target);
        troubles.extend(agent.cut_short.iter().map(|cut| (name.clone(), format!("not read to its end: {cut}"))));
    }
    troubles.extend(lived.agent_problems.iter().cloned());
    troubles
}

/// What was given one by one and not reached.
pub(super) fn unreached<'s>(scanned: &'s Scanned, arguments: &'s Scan) -> impl Iterator<Item = &'s str> {
    // A server of a configuration that is not there is what a scan finds out, not its failure.
    let is_given = |shown: &str| {
        let given = arguments.live.url.iter().chain(&arguments.live.stdio);
        arguments.live.mcp.then_some(()).is_none() || given.into_iter().any(|text| text.trim() == shown)
    };
    let servers = scanned.lived.servers.iter().filter(move |it| it.status == "unreachable" && is_given(&it.shown));
    let agents =
        scanned.lived.agents.iter().filter(|it| it.status == a2a::Status::Unreachable && it.named_by.is_none());
    servers.map(|server| server.name.as_str()).chain(agents.map(|agent| agent.target.as_str()))
}

/// What was started and contacted, in words.
pub(super) fn deeds(scanned: &Scanned) -> String {
    let lived = &scanned.lived;
    let started = match lived.started {
        0 => "nothing was started".to_owned(),
        1 => format!("one command was started ({})", lived.keeping),
        many => format!("{many} commands were started ({})", lived.keeping),
    };
    let contacted = match lived.contacted {
        0 => "nobody was contacted".to_owned(),
        1 => "one address was contacted".to_owned(),
        many => format!("{many} addresses were contacted"),
    };
    let interrupted = if lived.is_interrupted { "Interrupted; " } else { "" };
    let text = format!("{started}, {contacted}");
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    if interrupted.is_empty() { format!("{first}{}", letters.as_str()) } else { format!("{interrupted}{text}") }
}

/// The same for programs.
pub(super) fn as_json(scanned: &Scanned) -> Value {
    let lived = &scanned.lived;
    let problems: Vec<Value> =
        lived.agent_problems.iter().map(|(agent, message)| json!({ "agent": agent, "message": message })).collect();
    json!({
        "servers": lived.servers,
        "agents": lived.agents,
        "agent_problems": problems,
        "allowed": { "start": lived.allowed.start, "network": lived.allowed.network },
        "commands_started": lived.started,
        "addresses_contacted": lived.contacted,
        "interrupted": lived.is_interrupted,
    })
}
