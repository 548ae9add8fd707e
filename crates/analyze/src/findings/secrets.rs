//! Secrets that stand in files, that several servers share, or that a server tells.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground, severity};

/// A secret stands in a file.
pub(super) const HARDCODED: Check = Check {
    id: "hardcoded-credential",
    category: "Exposed secret",
    title: "A secret stands in a configuration",
    description: "Whoever reads the file has the secret: other programs of the user, backups, and everybody who is sent \
                  the file or sees it in a repository.",
    remediation: "Revoke the secret where it was issued, since it has to be taken as known. Issue another, keep it in a \
                  secret store or the environment, and let the configuration refer to it by name.",
    standards: &[("MCP01:2025", "Token Mismanagement & Secret Exposure"), ("AML.T0055", "Unsecured Credentials")],
    find: hardcoded,
};

/// Several servers are given the same secret.
pub(super) const SHARED: Check = Check {
    id: "shared-credential",
    category: "Shared secret",
    title: "Servers share a secret",
    description: "Each server that holds the secret can act as the others, and revoking it for one breaks all.",
    remediation: "Issue one credential for each server, each with the least rights that the server needs.",
    standards: &[("MCP01:2025", "Token Mismanagement & Secret Exposure"), ("ASI03", "Identity and Privilege Abuse")],
    find: shared,
};

/// A server tells a secret that it was given.
pub(super) const REPEATED: Check = Check {
    id: "server-repeats-secret",
    category: "Exposed secret",
    title: "A server repeats a secret that it was given",
    description: "The server put a secret that it was given into what it answers. Every agent that uses the server can read \
                  it there, and so can whoever reads the agent's conversations and logs.",
    remediation: "Revoke the secret where it was issued and issue another. Report this to the server's maker, and do not use \
                  the server until it is mended.",
    standards: &[("MCP01:2025", "Token Mismanagement & Secret Exposure"), ("AML.T0055", "Unsecured Credentials")],
    find: repeated,
};

fn hardcoded(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut found = Vec::new();
    for credential in ground.nodes(NodeKind::Credential) {
        if ground.text(credential, "type") != "hardcoded" || ground.flag(credential, "is_exposed") == Some(false) {
            continue;
        }
        let (worst, recognised) = recognised(ground, credential);
        let name = ground.name(credential);
        let holders: Vec<_> = ground.view.incoming(EdgeKind::HasEnvVar, credential).collect();
        for (server, edge) in &holders {
            let title = format!(
                "The secret of `{}` stands in the configuration, as {}",
                ground.user_of(credential, *server),
                place_words(ground, credential, &name)
            );
            let evidence = format!("{}{recognised}", ground.edge_text(*edge, "evidence"));
            let place = ground.place(*edge);
            found.push(
                ground.finding(
                    check,
                    Case { severity: worst, source: *server, target: credential, title, evidence, place },
                ),
            );
        }
        if holders.is_empty() {
            let title = format!("A secret stands in the configuration, as {}", place_words(ground, credential, &name));
            let evidence = format!("the value of `{name}` is the secret itself{recognised}");
            let place = ground.place_of(credential);
            found.push(ground.finding(
                check,
                Case { severity: worst, source: credential, target: credential, title, evidence, place },
            ));
        }
    }
    found
}

fn place_words(ground: &Ground<'_>, credential: NodeIx, name: &str) -> String {
    match ground.text(credential, "kept_in").as_str() {
        "" => format!("`{name}`"),
        // Anybody on the machine can list what programs were started with.
        "command-line argument" => {
            format!("the command-line argument `{name}`, which every program on the machine can see")
        }
        words => format!("the {words} `{name}`"),
    }
}

/// How bad a secret is by the rules that know its form, and their names.
fn recognised(ground: &Ground<'_>, credential: NodeIx) -> (Severity, String) {
    let matches = ground.matches(credential);
    let of_value = matches.iter().filter(|found| found.field == "value").filter_map(|found| ground.rule(&found.rule));
    let rules: BTreeMap<&str, _> = of_value.map(|rule| (rule.id.as_str(), rule)).collect();
    let worst = rules.values().filter_map(|rule| severity(rule.severity)).max().unwrap_or(Severity::High);
    let names: Vec<&str> = rules.values().map(|rule| rule.name.as_str()).collect();
    let words = if names.is_empty() { String::new() } else { format!(" (recognised as: {})", names.join(", ")) };
    (worst.max(Severity::High), words)
}

fn shared(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut by_hash: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
    for credential in ground.nodes(NodeKind::Credential) {
        let hash = ground.text(credential, "value_hash");
        if ground.flag(credential, "value_known") != Some(false) && !hash.is_empty() {
            by_hash.entry(hash).or_default().push(credential);
        }
    }
    let mut found = Vec::new();
    for credentials in by_hash.values().filter(|credentials| credentials.len() > 1) {
        let holders: Vec<(NodeIx, NodeIx)> = credentials
            .iter()
            .filter_map(|credential| {
                Some((ground.view.incoming(EdgeKind::HasEnvVar, *credential).next()?.0, *credential))
            })
            .collect();
        let Some(((first, kept), others)) = holders.split_first() else { continue };
        for (server, credential) in others.iter().filter(|(server, _)| server != first) {
            let (one, other) = (ground.user_of(*kept, *first), ground.user_of(*credential, *server));
            let title = format!("`{one}` and `{other}` are given the same secret");
            let evidence = format!(
                "the value of `{}` has the same hash in both; {} credentials have it in all",
                ground.name(*credential),
                credentials.len()
            );
            let edge = ground.view.incoming(EdgeKind::HasEnvVar, *credential).next().map(|(_, edge)| edge);
            let place = edge.and_then(|edge| ground.place(edge));
            let case = Case { severity: Severity::Medium, source: *first, target: *server, title, evidence, place };
            found.push(ground.finding(check, case));
        }
    }
    found
}

fn repeated(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let ask = |server: NodeIx| {
        let name = ground.name(server);
        let title = format!("`{name}` repeats a secret that it was given");
        let evidence = format!("a secret that `{name}` was given stands in what it answers");
        let place = ground.cause(server);
        let case = Case { severity: Severity::High, source: server, target: server, title, evidence, place };
        ground.finding(check, case)
    };
    let servers = ground.nodes(NodeKind::McpServer);
    servers.filter(|server| ground.flag(*server, "repeats_secret") == Some(true)).map(ask).collect()
}
