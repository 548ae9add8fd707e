//! Several weaknesses at once.

use std::cmp::Reverse;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::context::Context;
use super::{Arguments, Category, Parameter, ParameterKind, Question, standards};
use crate::basis::Capabilities;

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "floating-and-powerful",
        name: "Floating Packages with Powerful Tools",
        asks: "Which servers come in whatever version was published last, and offer tools that can do harm?",
        category: Category::Combined,
        severity: Severity::High,
        standards: &[standards::TAMPERING, standards::SUPPLY],
        parameters: &[Parameter {
            name: "risk",
            kind: ParameterKind::Number { default: 60, min: 1, max: 100 },
            help: "how dangerous the worst thing is that a tool can do, from 1 to 100",
            example: "80",
        }],
        columns: &[
            text("server_name"),
            text("package"),
            number("worst_risk"),
            texts("powerful_tools"),
            number("agent_count"),
            node("server_id"),
        ],
        ask: floating_and_powerful,
    },
    Question {
        id: "unpinned-shell",
        name: "Unpinned Packages with Shell Access",
        asks: "Which servers come in whatever version was published last, and offer a tool that runs commands or code?",
        category: Category::Combined,
        severity: Severity::Critical,
        standards: &[standards::TAMPERING, standards::COMMANDS, standards::SUPPLY, standards::EXECUTION],
        parameters: &[],
        columns: &[
            text("server_name"),
            text("tool_name"),
            text("command"),
            texts("capabilities"),
            node("server_id"),
            node("tool_id"),
        ],
        ask: unpinned_shell,
    },
    Question {
        id: "untrusted-to-execution",
        name: "Untrusted Content beside Execution",
        asks: "Which agents have a tool that brings in other people's words and a tool that runs commands or code?",
        category: Category::Combined,
        severity: Severity::Critical,
        standards: &[standards::HIJACK, standards::EXECUTION, standards::INJECTION],
        parameters: &[],
        columns: &[text("agent_name"), texts("bringing_tools"), texts("executing_tools"), node("agent_id")],
        ask: untrusted_to_execution,
    },
];

/// Whether a server is known to come in whatever version was published last.
pub(super) fn is_floating(context: &Context<'_>, server: NodeIx) -> bool {
    context.basis.view.property(server, "is_pinned").and_then(|value| value.as_bool()) == Some(false)
}

/// What is started, for a server that is: the command where a document says it, else the endpoint.
pub(super) fn command_cell(context: &Context<'_>, server: NodeIx) -> Cell {
    let is_started = context.basis.text(server, "transport").is_none_or(|transport| transport == "stdio");
    match context.text_cell(server, "command") {
        Cell::Nothing if is_started => context.text_cell(server, "endpoint"),
        command => command,
    }
}

fn unpinned_shell(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut all = context.tools(|tool| context.basis.capabilities(tool).meets(Capabilities::EXECUTION));
    all.retain(|(server, _)| is_floating(context, *server));
    arguments.page.of(&all, |(server, tool)| {
        vec![
            context.name_cell(*server),
            context.name_cell(*tool),
            command_cell(context, *server),
            context.texts_cell(*tool, "capability_surface"),
            context.id_cell(*server),
            context.id_cell(*tool),
        ]
    })
}

fn floating_and_powerful(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let basis = &context.basis;
    let least = arguments.number("risk");
    let risk = |tool: NodeIx| u64::from(basis.capabilities(tool).risk());
    let worst = |server| basis.targets(EdgeKind::ProvidesTool, server).map(risk).max().unwrap_or(0);
    let floating = basis.nodes(NodeKind::McpServer).filter(|server| is_floating(context, *server));
    let mut all: Vec<(u64, NodeIx)> =
        floating.map(|server| (worst(server), server)).filter(|(worst, _)| *worst >= least).collect();
    all.sort_by_cached_key(|(worst, server)| (Reverse(*worst), context.name(*server), *server));
    arguments.page.of(&all, |(worst, server)| {
        let tools = basis.targets(EdgeKind::ProvidesTool, *server).filter(|tool| risk(*tool) >= least);
        vec![
            context.name_cell(*server),
            context.text_cell(*server, "package"),
            Cell::Count(*worst),
            context.names_cell(tools),
            context.incoming(EdgeKind::TrustsServer, *server),
            context.id_cell(*server),
        ]
    })
}

/// Growth: linear in the tools of each agent's servers.
fn untrusted_to_execution(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let basis = &context.basis;
    let executes = |tool: NodeIx| basis.capabilities(tool).meets(Capabilities::EXECUTION);
    let brings = |tool: NodeIx| {
        let trust = basis.text(tool, "source_trust");
        context.picture.outgoing(EdgeKind::IngestsUntrusted, tool).len() > 0
            || trust.is_some_and(|trust| trust.starts_with("untrusted"))
    };
    let tools_of = |agent: NodeIx, is_meant: &dyn Fn(NodeIx) -> bool| -> Vec<NodeIx> {
        let servers = basis.targets(EdgeKind::TrustsServer, agent);
        let tools = servers.flat_map(|server| basis.targets(EdgeKind::ProvidesTool, server));
        let mut tools: Vec<NodeIx> = tools.filter(|tool| is_meant(*tool)).collect();
        tools.sort_unstable();
        tools.dedup();
        tools
    };
    let has = |agent: NodeIx, is_meant: &dyn Fn(NodeIx) -> bool| {
        let mut servers = basis.targets(EdgeKind::TrustsServer, agent);
        servers.any(|server| basis.targets(EdgeKind::ProvidesTool, server).any(is_meant))
    };
    let mut agents: Vec<NodeIx> =
        basis.nodes(NodeKind::AgentInstance).filter(|agent| has(*agent, &executes) && has(*agent, &brings)).collect();
    context.sort_by_names(&mut agents, |agent| [*agent]);
    arguments.page.of(&agents, |agent| {
        vec![
            context.name_cell(*agent),
            context.names_cell(tools_of(*agent, &brings)),
            context.names_cell(tools_of(*agent, &executes)),
            context.id_cell(*agent),
        ]
    })
}
