//! Things that come from others.

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::combined::{command_cell, is_floating};
use super::context::Context;
use super::{Arguments, Category, Question, standards};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "high-entropy-secrets",
        name: "High-Entropy Secrets in Config",
        asks: "Which secrets stand in configurations and look like real ones?",
        category: Category::SupplyChain,
        severity: Severity::High,
        standards: &[standards::SECRETS, standards::UNSECURED],
        parameters: &[],
        columns: &[
            text("credential_name"),
            text("credential_type"),
            text("source"),
            text("server_name"),
            node("credential_id"),
            node("server_id"),
        ],
        ask: high_entropy_secrets,
    },
    Question {
        id: "instruction-poisoning",
        name: "Poisoned Instruction Files",
        asks: "Which instruction files carry text that works against their readers, and which agents load them?",
        category: Category::SupplyChain,
        severity: Severity::High,
        standards: &[standards::INTENT, standards::HIJACK, standards::INJECTION],
        parameters: &[],
        columns: &[
            text("file_path"),
            text("file_type"),
            text("evidence"),
            number("confidence"),
            texts("agent_names"),
            node("file_id"),
        ],
        ask: instruction_poisoning,
    },
    Question {
        id: "unpinned-packages",
        name: "Unpinned MCP Server Packages",
        asks: "Which servers come in whatever version was published last?",
        category: Category::SupplyChain,
        severity: Severity::Medium,
        standards: &[standards::TAMPERING, standards::SUPPLY],
        parameters: &[],
        columns: &[text("server_name"), text("endpoint"), text("command"), text("transport"), node("server_id")],
        ask: unpinned_packages,
    },
    Question {
        id: "unsigned-cards",
        name: "Unsigned A2A Agent Cards",
        asks: "Which agents on the network have a card that nobody signed?",
        category: Category::SupplyChain,
        severity: Severity::Medium,
        standards: &[standards::SUPPLY, standards::BETWEEN_AGENTS],
        parameters: &[],
        columns: &[text("agent_name"), text("url"), text("provider"), text("version"), node("agent_id")],
        ask: unsigned_cards,
    },
];

fn high_entropy_secrets(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let basis = &context.basis;
    let mut all: Vec<(NodeIx, Option<NodeIx>)> = Vec::new();
    for credential in basis.nodes(NodeKind::Credential).filter(|credential| basis.is(*credential, "high_entropy")) {
        let mut servers = basis.sources(EdgeKind::HasEnvVar, credential).map(Some).peekable();
        if servers.peek().is_none() {
            all.push((credential, None));
        }
        all.extend(servers.map(|server| (credential, server)));
    }
    all.sort_by_cached_key(|(credential, server)| {
        (context.name(*credential), server.map(|server| context.name(server)), *credential, *server)
    });
    arguments.page.of(&all, |(credential, server)| {
        vec![
            context.name_cell(*credential),
            context.text_cell(*credential, "type"),
            context.text_cell(*credential, "source"),
            server.map_or(Cell::Nothing, |server| context.name_cell(server)),
            context.id_cell(*credential),
            server.map_or(Cell::Nothing, |server| context.id_cell(server)),
        ]
    })
}

fn instruction_poisoning(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let row = |file, _, edge| {
        vec![
            context.text_cell(file, "path"),
            context.text_cell(file, "type"),
            context.edge_cell(edge, "evidence"),
            Cell::Number(context.confidence(edge)),
            context.names_cell(context.basis.sources(EdgeKind::LoadsInstructions, file)),
            context.id_cell(file),
        ]
    };
    context.edge_rows(arguments.page, EdgeKind::PoisonedInstructions, |_, _, _| true, row)
}

fn unpinned_packages(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut all: Vec<NodeIx> =
        context.basis.nodes(NodeKind::McpServer).filter(|server| is_floating(context, *server)).collect();
    context.sort_by_names(&mut all, |server| [*server]);
    arguments.page.of(&all, |server| {
        vec![
            context.name_cell(*server),
            context.text_cell(*server, "endpoint"),
            command_cell(context, *server),
            context.text_cell(*server, "transport"),
            context.id_cell(*server),
        ]
    })
}

fn unsigned_cards(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let is_signed = |agent: NodeIx| context.basis.is(agent, "is_signed");
    let mut all: Vec<NodeIx> =
        context.picture.nodes_of(NodeKind::A2aAgent).filter(|agent| !is_signed(*agent)).collect();
    context.sort_by_names(&mut all, |agent| [*agent]);
    arguments.page.of(&all, |agent| {
        vec![
            context.name_cell(*agent),
            context.text_cell(*agent, "url"),
            context.text_cell(*agent, "provider"),
            context.text_cell(*agent, "version"),
            context.id_cell(*agent),
        ]
    })
}
