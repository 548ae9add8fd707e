//! AI services that are open to whoever reaches them, as seen when they were asked.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, Finding, NodeKind, NodeRole, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A service hands out what it has without authentication.
pub(super) const OPEN: Check = Check {
    id: "service-answers-anyone",
    category: "Open access",
    title: "An AI service answers without authentication",
    description: "The service was asked without any credential and answered. Anybody who can reach it can use it: run code in \
                  its notebooks, use its models at the owner's cost, read and change what it stores.",
    remediation: "Let the service demand authentication (a token or key of its own, or a proxy before it that does), and let \
                  it listen only where its users are, such as 127.0.0.1 on the machine itself.",
    standards: &[
        ("MCP07:2025", "Insufficient Authentication & Authorization"),
        ("ASI03", "Identity and Privilege Abuse"),
    ],
    find: open,
};

/// A service has a certificate that nobody can check.
pub(super) const CERTIFICATE: Check = Check {
    id: "service-certificate-invalid",
    category: "Unprotected connection",
    title: "An AI service has an invalid certificate",
    description: "The service speaks https, but its certificate does not prove who it is. Whoever sits between it and its \
                  users can read what they send, keys and prompts included, and answer in its place.",
    remediation: "Give the service a certificate for the name that it is called by, from an authority that its users trust, and \
                  renew it in time.",
    standards: &[("MCP07:2025", "Insufficient Authentication & Authorization")],
    find: certificates,
};

fn services<'g>(ground: &'g Ground<'_>) -> impl Iterator<Item = (NodeKind, NodeIx)> + 'g {
    let kinds = NodeKind::ALL.iter().copied().filter(|kind| kind.role() == NodeRole::Service);
    kinds.flat_map(|kind| ground.nodes(kind).map(move |node| (kind, node)))
}

fn open(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let is_open = |(_, service): &(NodeKind, NodeIx)| ground.flag(*service, "is_anonymous_loot") == Some(true);
    let case = |(kind, service): (NodeKind, NodeIx)| {
        let endpoint = ground.text(service, "endpoint");
        let rules = ground.texts(service, "recognised_by").join(", ");
        let by = if rules.is_empty() { String::new() } else { format!(" (rules {rules})") };
        Case {
            severity: severity(ground, kind, service),
            source: service,
            target: service,
            title: format!("{kind} at {endpoint} answers anyone who asks"),
            evidence: format!("{endpoint} answered without a credential{by}"),
            place: None,
        }
    };
    services(ground).filter(is_open).map(|service| ground.finding(check, case(service))).collect()
}

/// By who can reach the service, and whether it runs what they send it.
fn severity(ground: &Ground<'_>, kind: NodeKind, service: NodeIx) -> Severity {
    let is_public =
        ground.view.outgoing(EdgeKind::RunsOn, service).any(|(host, _)| ground.flag(host, "is_public") == Some(true));
    let runs_code = kind == NodeKind::JupyterServer;
    match (ground.is_elsewhere(service), runs_code) {
        (true, true) => Severity::Critical,
        (true, false) if is_public => Severity::High,
        (true, false) | (false, true) => Severity::Medium,
        (false, false) => Severity::Low,
    }
}

fn certificates(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let case = |(kind, service): (NodeKind, NodeIx)| {
        let problem = ground.text(service, "certificate_problem");
        let endpoint = ground.text(service, "endpoint");
        (!problem.is_empty()).then(|| Case {
            severity: if ground.is_elsewhere(service) { Severity::Medium } else { Severity::Low },
            source: service,
            target: service,
            title: format!("{kind} at {endpoint} has a certificate that proves nothing"),
            evidence: format!("the certificate of {endpoint}: {problem}"),
            place: None,
        })
    };
    services(ground).filter_map(case).map(|case| ground.finding(check, case)).collect()
}
