//! Answers that were not read to the end: longer than what is read, or broken off.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// How many cuts are told.
const TOLD: usize = 5;

/// Not all of what a server lists was looked at.
pub(super) const SERVER: Check = Check {
    id: "server-list-cut-short",
    category: "Not looked at",
    title: "Not all of what a server lists was looked at",
    description: "The server says more than a scan reads, or did not answer to the end. Agents may get to read it all, so \
                  something can hide in what was not looked at.",
    remediation: "Scan it again, with a longer --timeout if it was slow, and with what it asks for if it refused. If not all \
                  is read then either, ask whoever runs the server why it fails or says so much; few agents can use that \
                  many tools or such long texts. Until then let agents use only the tools by name that they need.",
    standards: &[("MCP03:2025", "Tool Poisoning"), ("MCP10:2025", "Context Injection & Over-Sharing")],
    find: |ground, check| find(ground, check, NodeKind::McpServer),
};

/// Not all of what an agent's card says was looked at.
pub(super) const CARD: Check = Check {
    id: "card-cut-short",
    category: "Not looked at",
    title: "Not all of what an agent's card says was looked at",
    description: "The card says more than a scan reads. Other agents may read it all, so something can hide in what was not \
                  looked at.",
    remediation: "Ask whoever runs the agent why its card says so much, and give it no tasks until that is clear.",
    standards: &[("ASI07", "Insecure Inter-Agent Communication")],
    find: |ground, check| find(ground, check, NodeKind::A2aAgent),
};

/// One finding for each server or agent, whatever of it was cut: a list, or a text of something in it.
fn find(ground: &Ground<'_>, check: &Check, kind: NodeKind) -> Vec<Finding> {
    let ask = |node: NodeIx| {
        let cuts = cuts(ground, node);
        if cuts.is_empty() {
            return None;
        }
        let evidence = match cuts.len().checked_sub(TOLD).filter(|more| *more > 0) {
            Some(more) => format!("{}; and {more} more", cuts.get(..TOLD).unwrap_or_default().join("; ")),
            None => cuts.join("; "),
        };
        let title = format!("Not all of what `{}` says was looked at", ground.name(node));
        let place = ground.cause(node);
        let case = Case { severity: Severity::Low, source: node, target: node, title, evidence, place };
        Some(ground.finding(check, case))
    };
    ground.nodes(kind).filter_map(ask).collect()
}

/// What of a node and of what it provides was cut, in words, its own first.
fn cuts(ground: &Ground<'_>, node: NodeIx) -> Vec<String> {
    let mut cuts = ground.texts(node, "cut_short");
    let edges =
        [EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt, EdgeKind::AdvertisesSkill];
    for (provided, _) in edges.into_iter().flat_map(|edge| ground.view.outgoing(edge, node)) {
        let of_it = ground.texts(provided, "cut_short");
        cuts.extend(of_it.iter().map(|cut| format!("`{}`: {cut}", ground.name(provided))));
    }
    cuts
}
