//! AI services that show the credentials which they hold.
//!
//! An edge says that a service holds a credential. That is no exposure where the service only said that there is one, where it is the
//! key by which the service was asked, and where the service tells just the hash of a key that it gave out.

use tracehound_graph::{EdgeIx, NodeIx};
use tracehound_model::{EdgeKind, Finding, NodeKind, NodeRole, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A service shows a credential to who may ask it.
pub(super) const CREDENTIAL: Check = Check {
    id: "service-exposes-credential",
    category: "Exposed secret",
    title: "An AI service shows a credential that it holds",
    description: "The service holds a credential, such as a provider's key or a key of its own, and it could be seen there. Whoever may \
                  ask the service what it holds can act with the rights of that credential, at the cost of its owner.",
    remediation: "Revoke the credential where it was issued and issue another. Let the service keep it where no answer shows it, \
                  and let it demand authentication of whoever asks for its settings.",
    standards: &[
        ("MCP01:2025", "Token Mismanagement & Secret Exposure"),
        ("ASI03", "Identity and Privilege Abuse"),
        ("AML.T0055", "Unsecured Credentials"),
    ],
    find: credentials,
};

fn credentials(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut found = Vec::new();
    for kind in NodeKind::ALL.iter().copied().filter(|kind| kind.role() == NodeRole::Service) {
        for service in ground.nodes(kind) {
            let severity = severity(ground, service);
            let held = ground.view.outgoing(EdgeKind::ExposesCredential, service);
            for (credential, edge) in held.filter(|(credential, _)| is_shown(ground, *credential)) {
                let case = case(ground, (kind, service), (credential, edge), severity);
                found.push(ground.finding(check, case));
            }
        }
    }
    found
}

fn is_shown(ground: &Ground<'_>, credential: NodeIx) -> bool {
    let is_told = ground.flag(credential, "value_known") != Some(false);
    is_told && !matches!(ground.text(credential, "type").as_str(), "master_key" | "virtual_key")
}

fn case(
    ground: &Ground<'_>,
    (kind, service): (NodeKind, NodeIx),
    (credential, edge): (NodeIx, EdgeIx),
    severity: Severity,
) -> Case {
    let endpoint = ground.text(service, "endpoint");
    let at = if endpoint.is_empty() { format!("`{}`", ground.name(service)) } else { format!("at {endpoint}") };
    let name = ground.name(credential);
    let told = ground.edge_text(edge, "evidence");
    let evidence = if told.is_empty() { format!("{kind} {at} holds `{name}` and showed it") } else { told };
    let title = format!("{kind} {at} shows the credential `{name}`");
    Case { severity, source: service, target: credential, title, evidence, place: ground.place(edge) }
}

/// By who can ask: anybody, or whoever has a key; and from where.
fn severity(ground: &Ground<'_>, service: NodeIx) -> Severity {
    let is_open = ground.flag(service, "is_anonymous_loot") == Some(true);
    match (ground.is_elsewhere(service), is_open) {
        (true, true) => Severity::Critical,
        (true, false) | (false, true) => Severity::High,
        (false, false) => Severity::Medium,
    }
}
