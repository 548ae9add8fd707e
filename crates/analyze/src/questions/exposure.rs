//! Things that anybody reaches.

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, NodeRole, Severity};

use super::answer::{Cell, Rows, flag, node, text};
use super::context::Context;
use super::{Arguments, Category, Question, standards};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "execution-on-hosts",
        name: "Execution on Hosts",
        asks: "On which machines can tools run commands or code?",
        category: Category::Exposure,
        severity: Severity::High,
        standards: &[standards::COMMANDS, standards::EXECUTION, standards::ESCAPE],
        parameters: &[],
        columns: &[
            text("host_name"),
            text("tool_name"),
            text("server_name"),
            text("evidence"),
            node("host_id"),
            node("tool_id"),
        ],
        ask: execution_on_hosts,
    },
    Question {
        id: "models",
        name: "Models and Who Serves Them",
        asks: "Which models are there, and does the service that offers them answer anyone?",
        category: Category::Exposure,
        severity: Severity::Low,
        standards: &[standards::AUTHENTICATION],
        parameters: &[],
        columns: &[
            text("model_name"),
            text("parameter_size"),
            text("service_name"),
            text("endpoint"),
            text("auth_method"),
            node("model_id"),
            node("service_id"),
        ],
        ask: models,
    },
    Question {
        id: "unauthenticated-on-the-network",
        name: "Unauthenticated on the Network",
        asks: "Which servers, agents and AI services answer anyone, and are reached from other machines?",
        category: Category::Exposure,
        severity: Severity::High,
        standards: &[standards::AUTHENTICATION, standards::PRIVILEGE],
        parameters: &[],
        columns: &[text("name"), text("kind"), text("address"), text("host_name"), flag("is_public"), node("id")],
        ask: unauthenticated_on_the_network,
    },
];

fn execution_on_hosts(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let relation = context.picture.analysis.derived.of(EdgeKind::CanExecute);
    let mut all: Vec<([NodeIx; 2], u32)> =
        relation.iter().map(|(number, tool, host, _)| ([host, tool], number)).collect();
    context.sort_by_names(&mut all, |(ends, _)| *ends);
    let mut rows = arguments.page.of(&all, |([host, tool], number)| {
        let edge = tracehound_graph::EdgeIx { kind: EdgeKind::CanExecute, number: *number };
        let mut servers = context.basis.sources(EdgeKind::ProvidesTool, *tool);
        let server = servers.find(|server| context.picture.outgoing(EdgeKind::RunsOn, *server).to(*host).is_some());
        vec![
            context.name_cell(*host),
            context.name_cell(*tool),
            server.map_or(Cell::Nothing, |server| context.name_cell(server)),
            context.edge_cell(edge, "evidence"),
            context.id_cell(*host),
            context.id_cell(*tool),
        ]
    });
    rows.beyond = context.beyond(EdgeKind::CanExecute);
    rows
}

fn models(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let models = context.basis.nodes(NodeKind::AiModel);
    let mut all: Vec<[NodeIx; 2]> = models
        .flat_map(|model| context.basis.sources(EdgeKind::ProvidesModel, model).map(move |service| [model, service]))
        .collect();
    context.sort_by_names(&mut all, |pair| *pair);
    arguments.page.of(&all, |[model, service]| {
        vec![
            context.name_cell(*model),
            context.text_cell(*model, "parameter_size"),
            context.name_cell(*service),
            context.text_cell(*service, "endpoint"),
            context.auth_cell(*service),
            context.id_cell(*model),
            context.id_cell(*service),
        ]
    })
}

/// The kinds that others call.
fn called() -> impl Iterator<Item = NodeKind> {
    let is_called = |kind: &NodeKind| {
        matches!(kind, NodeKind::McpServer | NodeKind::A2aAgent)
            || matches!(kind.role(), NodeRole::Service | NodeRole::Umbrella)
    };
    NodeKind::ALL.iter().copied().filter(is_called)
}

fn unauthenticated_on_the_network(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let nodes = called().flat_map(|kind| context.basis.nodes(kind));
    let is_meant = |node: &NodeIx| context.basis.auth(*node).is_open() && is_elsewhere(context, *node);
    let mut all: Vec<NodeIx> = nodes.filter(is_meant).collect();
    context.sort_by_names(&mut all, |node| [*node]);
    arguments.page.of(&all, |node| {
        let host = context.basis.targets(EdgeKind::RunsOn, *node).next();
        vec![
            context.name_cell(*node),
            context.kind_cell(*node),
            context.address_cell(*node),
            host.map_or(Cell::Nothing, |host| context.name_cell(host)),
            host.map_or(Cell::Nothing, |host| Cell::Flag(context.basis.is(host, "is_public"))),
            context.id_cell(*node),
        ]
    })
}

/// Whether something is called over a network. A command is not; what runs nowhere that is known is taken for elsewhere.
fn is_elsewhere(context: &Context<'_>, node: NodeIx) -> bool {
    if context.basis.text(node, "transport").as_deref() == Some("stdio") {
        return false;
    }
    let mut hosts = context.basis.targets(EdgeKind::RunsOn, node).peekable();
    hosts.peek().is_none() || hosts.any(|host| !context.basis.is(host, "is_local"))
}
