//! Servers that are reached over a network.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A server elsewhere is spoken to in the clear.
pub(super) const UNENCRYPTED: Check = Check {
    id: "unencrypted-connection",
    category: "Unprotected connection",
    title: "A server elsewhere is spoken to in the clear",
    description: "Whoever is on the way can read what goes over the connection, secrets included, and can answer in the \
                  server's place.",
    remediation: "Use the server's https address, or reach it through an encrypted tunnel.",
    standards: &[("MCP07:2025", "Insufficient Authentication & Authorization")],
    find: unencrypted,
};

/// A server elsewhere is used without authentication.
pub(super) const UNAUTHENTICATED: Check = Check {
    id: "unauthenticated-server",
    category: "Unprotected connection",
    title: "A server elsewhere is used without authentication",
    description: "The configuration gives the server nothing to tell its users apart by. If the server does not ask for \
                  it by itself, anybody who can reach it can use it.",
    remediation: "Check that the server asks for authentication on its own (OAuth), or configure a token for it.",
    standards: &[("MCP07:2025", "Insufficient Authentication & Authorization")],
    find: unauthenticated,
};

fn unencrypted(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut found = Vec::new();
    for server in ground.nodes(NodeKind::McpServer).filter(|server| is_elsewhere(ground, *server)) {
        let endpoint = ground.text(server, "endpoint");
        let is_clear = ["http:", "ws:"].iter().any(|scheme| endpoint.to_ascii_lowercase().starts_with(scheme));
        if !is_clear {
            continue;
        }
        let name = ground.name(server);
        let secrets = ground.view.outgoing(EdgeKind::HasEnvVar, server).len();
        let (severity, with) = match secrets {
            0 => (Severity::Medium, String::new()),
            count => (Severity::High, format!(", with {count} of its secrets")),
        };
        let title = format!("`{name}` is spoken to in the clear");
        let evidence = format!("the address of `{name}` is {endpoint}{with}");
        let place = ground.definition(server);
        found.push(ground.finding(check, Case { severity, source: server, target: server, title, evidence, place }));
    }
    found
}

fn unauthenticated(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut found = Vec::new();
    for server in ground.nodes(NodeKind::McpServer).filter(|server| is_elsewhere(ground, *server)) {
        // What a configuration says matters only as long as nobody has asked the server.
        let was_asked = !ground.text(server, "auth_observed").is_empty();
        if was_asked || !matches!(ground.text(server, "auth_method").as_str(), "none" | "") {
            continue;
        }
        let name = ground.name(server);
        let title = format!("`{name}` is used without authentication");
        let evidence = format!("nothing in the configuration authenticates to {}", ground.text(server, "endpoint"));
        let place = ground.definition(server);
        let case = Case { severity: Severity::Low, source: server, target: server, title, evidence, place };
        found.push(ground.finding(check, case));
    }
    found
}

/// Whether a server is known to be reached over a network and not on the machine itself.
fn is_elsewhere(ground: &Ground<'_>, server: NodeIx) -> bool {
    let runs_somewhere = ground.view.outgoing(EdgeKind::RunsOn, server).len() > 0;
    ground.text(server, "transport") == "http" && runs_somewhere && ground.is_elsewhere(server)
}
