//! Things that much depends on.

use std::cmp::Reverse;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::context::Context;
use super::{Arguments, Category, Parameter, ParameterKind, Question, standards};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "chokepoint-servers",
        name: "Chokepoint Servers",
        asks: "Which servers do several agents trust?",
        category: Category::Chokepoints,
        severity: Severity::Medium,
        standards: &[standards::SCOPE, standards::CASCADES],
        parameters: &[Parameter {
            name: "agents",
            kind: ParameterKind::Number { default: 2, min: 1, max: u32::MAX as u64 },
            help: "how many agents at least",
            example: "5",
        }],
        columns: &[
            text("server_name"),
            number("agent_count"),
            number("tool_count"),
            text("auth_method"),
            text("endpoint"),
            node("server_id"),
        ],
        ask: servers,
    },
    Question {
        id: "chokepoint-tools",
        name: "Chokepoint Tools",
        asks: "Which tools have access to several resources?",
        category: Category::Chokepoints,
        severity: Severity::Medium,
        standards: &[standards::SCOPE, standards::MISUSE],
        parameters: &[Parameter {
            name: "resources",
            kind: ParameterKind::Number { default: 3, min: 1, max: u32::MAX as u64 },
            help: "how many resources at least",
            example: "10",
        }],
        columns: &[
            text("tool_name"),
            text("server_name"),
            number("resource_count"),
            texts("capabilities"),
            node("tool_id"),
            node("server_id"),
        ],
        ask: tools,
    },
    Question {
        id: "resources-by-exposure",
        name: "Resources by Exposure",
        asks: "How many agents reach each resource through a tool of a server that they trust, the most sensitive first?",
        category: Category::Chokepoints,
        severity: Severity::Medium,
        standards: &[standards::SCOPE, standards::CONTEXT],
        parameters: &[],
        columns: &[
            text("resource_name"),
            text("resource_uri"),
            text("sensitivity"),
            number("agent_count"),
            node("resource_id"),
        ],
        ask: resources,
    },
];

fn servers(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let count = |kind, server| context.picture.incoming(kind, server).len() as u64;
    let tools = |server| context.picture.outgoing(EdgeKind::ProvidesTool, server).len();
    let least = arguments.number("agents");
    let mut all: Vec<NodeIx> = context
        .basis
        .nodes(NodeKind::McpServer)
        .filter(|server| count(EdgeKind::TrustsServer, *server) >= least)
        .collect();
    all.sort_by_cached_key(|server| {
        let size = Reverse((count(EdgeKind::TrustsServer, *server), tools(*server)));
        (size, context.name(*server), *server)
    });
    arguments.page.of(&all, |server| {
        vec![
            context.name_cell(*server),
            context.incoming(EdgeKind::TrustsServer, *server),
            context.outgoing(EdgeKind::ProvidesTool, *server),
            context.auth_cell(*server),
            context.text_cell(*server, "endpoint"),
            context.id_cell(*server),
        ]
    })
}

fn tools(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let relation = context.picture.analysis.derived.of(EdgeKind::HasAccessTo);
    let least = arguments.number("resources");
    let mut all = context.tools(|tool| relation.count(tool) >= least);
    // Stable: equal counts stay sorted by name.
    all.sort_by_key(|(_, tool)| Reverse(relation.count(*tool)));
    arguments.page.of(&all, |(server, tool)| {
        vec![
            context.name_cell(*tool),
            context.name_cell(*server),
            Cell::Count(relation.count(*tool)),
            context.texts_cell(*tool, "capability_surface"),
            context.id_cell(*tool),
            context.id_cell(*server),
        ]
    })
}

/// Growth: linear in resources and their providers; where several servers provide one resource, also in their agents.
fn resources(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let basis = &context.basis;
    let mut all: Vec<(NodeIx, u64)> =
        basis.nodes(NodeKind::McpResource).map(|resource| (resource, agents_of(context, resource))).collect();
    all.sort_by_cached_key(|(resource, count)| {
        (Reverse((basis.sensitivity(*resource), *count)), context.name(*resource), *resource)
    });
    arguments.page.of(&all, |(resource, count)| {
        vec![
            context.name_cell(*resource),
            context.text_cell(*resource, "uri"),
            context.sensitivity_cell(*resource),
            Cell::Count(*count),
            context.id_cell(*resource),
        ]
    })
}

fn agents_of(context: &Context<'_>, resource: NodeIx) -> u64 {
    let basis = &context.basis;
    let access = basis.access();
    let mut servers: Vec<NodeIx> = basis.sources(EdgeKind::ProvidesResource, resource).collect();
    servers.retain(|server| access.find(*server, resource).is_some());
    if let [only] = servers.as_slice() {
        return basis.sources(EdgeKind::TrustsServer, *only).len() as u64;
    }
    let mut agents: Vec<NodeIx> =
        servers.iter().flat_map(|server| basis.sources(EdgeKind::TrustsServer, *server)).collect();
    agents.sort_unstable();
    agents.dedup();
    agents.len() as u64
}
