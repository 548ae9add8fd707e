//! Servers and agents that answer whoever asks, as seen when they were asked.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// What tools can do that must not be had for the asking.
const POWERS: [&str; 5] = ["code_execution", "credential_access", "database_access", "file_write", "shell_access"];
/// How many tools are named.
const NAMED: usize = 5;

/// A server answers without authentication.
pub(super) const SERVER: Check = Check {
    id: "server-answers-anyone",
    category: "Open access",
    title: "A server answers without authentication",
    description: "The server was asked without any credential and answered. Anybody who can reach it can use its tools. \
                  On the machine itself that is every program, and web pages too if the server does not check who asks.",
    remediation: "Let the server demand authentication (OAuth, or at least a token), and let it listen only where its users \
                  are. A server on the machine itself should check the `Origin` and `Host` of requests.",
    standards: &[
        ("MCP07:2025", "Insufficient Authentication & Authorization"),
        ("ASI03", "Identity and Privilege Abuse"),
    ],
    find: servers,
};

/// An agent takes tasks from anybody.
pub(super) const AGENT: Check = Check {
    id: "agent-answers-anyone",
    category: "Open access",
    title: "An agent takes tasks from anybody",
    description: "The agent's card names no authentication. Anybody who can reach the agent can give it tasks, and through \
                  it whoever it passes tasks on to.",
    remediation: "Let the agent demand authentication, and let its card say which.",
    standards: &[
        ("ASI07", "Insecure Inter-Agent Communication"),
        ("MCP07:2025", "Insufficient Authentication & Authorization"),
    ],
    find: agents,
};

fn servers(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let is_open = |server: &NodeIx| {
        ground.text(*server, "transport") == "http" && ground.text(*server, "auth_observed") == "none"
    };
    let case = |server: NodeIx| {
        let powerful = powerful_tools(ground, server);
        let name = ground.name(server);
        let endpoint = ground.text(server, "endpoint");
        let tools = ground.view.outgoing(EdgeKind::ProvidesTool, server).len();
        let among = match powerful.as_slice() {
            [] => String::new(),
            some => format!(", among them {}", some.join(", ")),
        };
        Case {
            severity: server_severity(ground, server, !powerful.is_empty()),
            source: server,
            target: server,
            title: format!("`{name}` answers anyone who asks"),
            evidence: format!("{endpoint} answered without a credential and offers {tools} tools{among}"),
            place: ground.cause(server),
        }
    };
    ground.nodes(NodeKind::McpServer).filter(is_open).map(|server| ground.finding(check, case(server))).collect()
}

/// By who can reach the server and what it would do for them. On the machine itself other programs of the user can do
/// as much already; web pages and other users can't.
fn server_severity(ground: &Ground<'_>, server: NodeIx, is_powerful: bool) -> Severity {
    let is_public =
        ground.view.outgoing(EdgeKind::RunsOn, server).any(|(host, _)| ground.flag(host, "is_public") == Some(true));
    match (ground.is_elsewhere(server), is_powerful) {
        (true, true) if is_public => Severity::Critical,
        (true, true) => Severity::High,
        (true, false) | (false, true) => Severity::Medium,
        (false, false) => Severity::Low,
    }
}

/// The first of the tools with such powers, each with what it can do, and how many more there are.
fn powerful_tools(ground: &Ground<'_>, server: NodeIx) -> Vec<String> {
    let with_powers = |tool: NodeIx| {
        let powers: Vec<String> =
            ground.texts(tool, "capability_surface").into_iter().filter(|it| POWERS.contains(&it.as_str())).collect();
        (!powers.is_empty()).then(|| format!("`{}` ({})", ground.name(tool), powers.join(", ")))
    };
    let mut tools: Vec<String> =
        ground.view.outgoing(EdgeKind::ProvidesTool, server).filter_map(|(tool, _)| with_powers(tool)).collect();
    tools.sort();
    let more = tools.len().saturating_sub(NAMED);
    tools.truncate(NAMED);
    if more > 0 {
        tools.push(format!("and {more} more"));
    }
    tools
}

fn agents(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let is_open = |agent: &NodeIx| ground.text(*agent, "auth_method") == "none" && ground.is_elsewhere(*agent);
    let case = |agent: NodeIx| {
        let name = ground.name(agent);
        // Whoever may not ask the one may ask the other to ask it.
        let guarded = ground
            .view
            .outgoing(EdgeKind::DelegatesTo, agent)
            .map(|(other, _)| other)
            .find(|other| !matches!(ground.text(*other, "auth_method").as_str(), "none" | ""));
        let (severity, and) = match guarded {
            Some(other) => (Severity::High, format!(", and passes tasks on to `{}`, which does", ground.name(other))),
            None => (Severity::Medium, String::new()),
        };
        Case {
            severity,
            source: agent,
            target: agent,
            title: format!("`{name}` takes tasks from anybody"),
            evidence: format!("the card at {} names no authentication{and}", ground.text(agent, "url")),
            place: None,
        }
    };
    ground.nodes(NodeKind::A2aAgent).filter(is_open).map(|agent| ground.finding(check, case(agent))).collect()
}
