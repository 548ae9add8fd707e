//! Agents and what they are given.

use std::cmp::Reverse;

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::context::Context;
use super::{Arguments, Category, Parameter, ParameterKind, Question, standards};

/// The property that scores write.
const RISK: &str = "risk_score";

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "riskiest",
        name: "Riskiest First",
        asks: "Which agents, or whatever else is named, have the highest risk scores?",
        category: Category::Agents,
        severity: Severity::Medium,
        standards: &[standards::SCOPE, standards::PRIVILEGE],
        parameters: &[Parameter {
            name: "of",
            kind: ParameterKind::Nodes(Some("agents,a2a-agents")),
            help: "what is compared",
            example: "servers",
        }],
        columns: &[text("name"), text("kind"), number("risk_score"), number("reaches"), node("id")],
        ask: riskiest,
    },
    Question {
        id: "servers-of-one-agent",
        name: "Servers of a Single Agent",
        asks: "Which servers does only one agent trust, so that nobody else would notice a change?",
        category: Category::Agents,
        severity: Severity::Low,
        standards: &[standards::SUPPLY],
        parameters: &[],
        columns: &[
            text("server_name"),
            text("agent_name"),
            number("tool_count"),
            text("auth_method"),
            node("server_id"),
            node("agent_id"),
        ],
        ask: servers_of_one_agent,
    },
    Question {
        id: "standing-approvals",
        name: "Standing Approvals",
        asks: "Which agents call tools without asking anybody?",
        category: Category::Agents,
        severity: Severity::High,
        standards: &[standards::MISUSE, standards::HUMAN_TRUST],
        parameters: &[],
        columns: &[text("agent_name"), text("server_name"), texts("approved"), node("agent_id"), node("server_id")],
        ask: standing_approvals,
    },
];

fn riskiest(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let risk = |node| context.picture.property(node, RISK).and_then(|value| value.as_number());
    let mut all: Vec<(Option<u64>, NodeIx)> = arguments
        .nodes("of")
        .iter()
        .map(|node| (risk(*node).map(|risk| (risk.max(0.0) * 1000.0).round() as u64), *node))
        .collect();
    all.sort_by_cached_key(|(risk, node)| (Reverse(*risk), context.name(*node), *node));
    let reached = context.picture.analysis.derived.of(EdgeKind::CanReach);
    arguments.page.of(&all, |(_, node)| {
        vec![
            context.name_cell(*node),
            context.kind_cell(*node),
            risk(*node).map_or(Cell::Nothing, Cell::Number),
            Cell::Count(reached.count(*node)),
            context.id_cell(*node),
        ]
    })
}

fn servers_of_one_agent(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let sole = |server: NodeIx| Some([server, context.basis.sole_provider(EdgeKind::TrustsServer, server)?]);
    let mut all: Vec<[NodeIx; 2]> = context.basis.nodes(NodeKind::McpServer).filter_map(sole).collect();
    context.sort_by_names(&mut all, |pair| *pair);
    arguments.page.of(&all, |[server, agent]| {
        vec![
            context.name_cell(*server),
            context.name_cell(*agent),
            context.outgoing(EdgeKind::ProvidesTool, *server),
            context.auth_cell(*server),
            context.id_cell(*server),
            context.id_cell(*agent),
        ]
    })
}

fn standing_approvals(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let approved = |edge: EdgeIx| -> Vec<String> {
        let list = context.picture.edge_property(edge, "auto_approve");
        list.map(|list| list.texts().map(str::to_owned).collect()).unwrap_or_default()
    };
    let mut all: Vec<([NodeIx; 2], EdgeIx)> = Vec::new();
    for agent in context.basis.nodes(NodeKind::AgentInstance) {
        let edges = context.picture.outgoing(EdgeKind::TrustsServer, agent);
        all.extend(edges.filter(|(_, edge)| !approved(*edge).is_empty()).map(|(server, edge)| ([agent, server], edge)));
    }
    context.sort_by_names(&mut all, |(ends, _)| *ends);
    arguments.page.of(&all, |([agent, server], edge)| {
        vec![
            context.name_cell(*agent),
            context.name_cell(*server),
            Cell::Texts(approved(*edge)),
            context.id_cell(*agent),
            context.id_cell(*server),
        ]
    })
}
