//! What servers and agents answered, as a scan prints it.

use serde_json::{Value, json};
use tracehound_collect::{a2a, mcp};

use super::{Scanned, services};
use crate::output::{Output, SHOWN, more, safe, shortened};

/// How many problems of one server or agent are shown.
const OF_ONE: usize = 5;
/// How much of a command or address is shown.
const ADDRESS: usize = 60;

/// Prints a table of the servers and one of the agents, and what went wrong with each.
pub(super) fn print(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    print_servers(scanned, output)?;
    print_agents(scanned, output)?;
    print_troubles(scanned, &mut |line| output.line(line))
}

/// Prints what went wrong, and with whom.
pub(super) fn print_troubles(
    scanned: &Scanned,
    line: &mut dyn FnMut(String) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let lines = lines(&troubles(scanned));
    if lines.is_empty() {
        return Ok(());
    }
    line(String::new())?;
    line("About what was asked:".to_owned())?;
    lines.into_iter().try_for_each(line)
}

/// What is shown of troubles. However much there is about one, the others are seen.
fn lines(troubles: &[(&str, Vec<String>)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, problems) in troubles.iter().take(SHOWN) {
        lines.extend(problems.iter().take(OF_ONE).map(|problem| format!("  {}: {}", safe(name), safe(problem))));
        if problems.len() > OF_ONE {
            lines.push(format!("  {}: … and {} more about it", safe(name), problems.len() - OF_ONE));
        }
    }
    lines.extend(Some(more(troubles.len(), "  ")).filter(|rest| !rest.is_empty()));
    lines
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
            shortened(&server.shown, ADDRESS),
        ]
    });
    let heading = ["SERVER", "STATUS", "DEMANDS", "TOOLS", "RESOURCES", "PROMPTS", "PROTOCOL", "ADDRESS"];
    output.table(heading, rows)?;
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

/// With whom something went wrong, and what.
fn troubles(scanned: &Scanned) -> Vec<(&str, Vec<String>)> {
    let lived = &scanned.lived;
    let cut = |cut: &String| format!("not read to its end: {cut}");
    let servers = lived.servers.iter().map(|server| {
        (server.name.as_str(), server.problems.iter().cloned().chain(server.cut_short.iter().map(cut)).collect())
    });
    let agents = lived.agents.iter().map(|agent| {
        (agent.name.as_ref().unwrap_or(&agent.target).as_str(), agent.cut_short.iter().map(cut).collect())
    });
    let by_agent = lived.agent_problems.chunk_by(|one, other| one.0 == other.0);
    let others = by_agent.filter_map(|problems| {
        Some((problems.first()?.0.as_str(), problems.iter().map(|(_, problem)| problem.clone()).collect()))
    });
    let services = services::troubles(scanned).into_iter();
    services
        .chain(servers)
        .chain(agents)
        .chain(others)
        .filter(|(_, problems): &(&str, Vec<String>)| !problems.is_empty())
        .collect()
}

/// What was given one by one and not reached. A server of a configuration that is not there is what a scan finds out, not
/// its failure.
pub(super) fn unreached(scanned: &Scanned) -> impl Iterator<Item = &str> {
    let is_given = |server: &mcp::Server| scanned.lived.given.contains(&server.id);
    let is_lost = move |it: &&mcp::Server| it.status == mcp::Status::Unreachable.name() && is_given(it);
    let servers = scanned.lived.servers.iter().filter(is_lost).map(|server| server.name.as_str());
    let is_lost = |it: &&a2a::Looked| it.status == a2a::Status::Unreachable && it.named_by.is_none();
    servers.chain(scanned.lived.agents.iter().filter(is_lost).map(|agent| agent.target.as_str()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_does_not_bury_the_others() {
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let lines = lines(&[("loud", many), ("quiet", vec!["a\u{1b}".to_owned()])]);
        assert_eq!(lines.len(), OF_ONE + 2);
        assert_eq!(lines[OF_ONE..], ["  loud: … and 95 more about it", "  quiet: a\\u{1b}"]);
    }

    #[test]
    fn what_is_not_shown_of_many_servers_is_said() {
        let lines = lines(&vec![("x", vec!["y".to_owned()]); SHOWN + 3]);
        assert_eq!(lines.last().unwrap(), "  … and 3 more (all with --format json)");
    }
}
