//! Tools that an agent uses without asking.

use tracehound_model::{EdgeKind, Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// Every tool of a server is used without asking.
pub(super) const EVERYTHING: Check = Check {
    id: "approves-every-tool",
    category: "Missing approval",
    title: "Every tool of a server is used without asking",
    description: "Whatever steers the agent, a poisoned page as well as its user, can make it call any tool of the \
                  server, also tools that the server adds later.",
    remediation: "Approve the few tools by name that only read, and let the agent ask for the rest.",
    standards: &[("ASI02", "Tool Misuse and Exploitation"), ("MCP02:2025", "Privilege Escalation via Scope Creep")],
    find: |ground, check| find(ground, check, true),
};

/// Some tools of a server are used without asking.
pub(super) const SOME: Check = Check {
    id: "approves-tools",
    category: "Missing approval",
    title: "Tools of a server are used without asking",
    description: "Whatever steers the agent can make it call these tools.",
    remediation: "Keep only tools that read, and that read nothing secret, on the list.",
    standards: &[("ASI02", "Tool Misuse and Exploitation")],
    find: |ground, check| find(ground, check, false),
};

fn find(ground: &Ground<'_>, check: &Check, everything: bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for agent in ground.nodes(NodeKind::AgentInstance) {
        for (server, edge) in ground.view.outgoing(EdgeKind::TrustsServer, agent) {
            let tools: Vec<String> = ground
                .view
                .edge_property(edge, "auto_approve")
                .map(|value| value.texts().map(str::to_owned).collect())
                .unwrap_or_default();
            if tools.is_empty() || tools.iter().any(|tool| tool == "*") != everything {
                continue;
            }
            let (client, name) = (ground.name(agent), ground.name(server));
            let (severity, which) = match everything {
                true => (Severity::High, "every tool".to_owned()),
                false => (Severity::Low, format!("{} ({})", count(tools.len()), tools.join(", "))),
            };
            let title = format!(
                "{client} uses {} of `{name}` without asking",
                if everything { "every tool" } else { "some tools" }
            );
            let evidence = format!("the configuration approves {which} of `{name}` beforehand");
            let place = ground.place(edge);
            found.push(ground.finding(check, Case { severity, source: agent, target: server, title, evidence, place }));
        }
    }
    found
}

fn count(tools: usize) -> String {
    if tools == 1 { "one tool".to_owned() } else { format!("{tools} tools") }
}
