//! Packages whose version is left to whoever publishes them.

use tracehound_model::{Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A server is fetched in whatever version is there.
pub(super) const FLOATING: Check = Check {
    id: "floating-package",
    category: "Supply chain",
    title: "A server is fetched in whatever version is there",
    description: "The code that runs is decided by whoever can publish the package at the time of the start, with the \
                  rights of the user and the secrets that the server is given.",
    remediation: "Name one version: `package@1.2.3` for npm, `package==1.2.3` for PyPI, `image@sha256:...` for images, a \
                  commit for repositories. Change it on purpose, after looking at what changed.",
    standards: &[
        ("MCP04:2025", "Software Supply Chain Attacks & Dependency Tampering"),
        ("ASI04", "Agentic Supply Chain Vulnerabilities"),
    ],
    find,
};

fn find(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    let mut found = Vec::new();
    for server in ground.nodes(NodeKind::McpServer) {
        let package = ground.text(server, "package");
        if ground.flag(server, "is_pinned") != Some(false) || package.is_empty() {
            continue;
        }
        let name = ground.name(server);
        let from = ground.text(server, "registry");
        let version = match ground.text(server, "package_version") {
            version if version.is_empty() => "without a version".to_owned(),
            version => format!("as `{version}`, which does not stay the same"),
        };
        let title = format!("`{name}` runs whatever version of `{package}` is there");
        let evidence = format!("the command of `{name}` fetches `{package}` from {from} {version}");
        let place = ground.definition(server);
        let case = Case { severity: Severity::Medium, source: server, target: server, title, evidence, place };
        found.push(ground.finding(check, case));
    }
    found
}
