//! Words that steer, content that flows, and agents that stand in for others.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Rows, node, number, text, texts};
use super::context::Context;
use super::{Arguments, Category, Question, standards};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "context-poisoning",
        name: "Context Poisoning",
        asks: "Which tools can steer other tools of the same agent by what their texts say?",
        category: Category::Influence,
        severity: Severity::High,
        standards: &[standards::CONTEXT, standards::MEMORY, standards::INJECTION],
        parameters: &[],
        columns: &[
            text("poisoning_tool"),
            text("steered_tool"),
            text("via_agent"),
            number("confidence"),
            text("evidence"),
            node("poisoning_tool_id"),
            node("steered_tool_id"),
        ],
        ask: |context, arguments| between(context, arguments, EdgeKind::PoisonsContext, &["via_agent"]),
    },
    Question {
        id: "deputies",
        name: "Confused Deputies",
        asks: "Which weakly authenticated agents act through strongly authenticated ones?",
        category: Category::Influence,
        severity: Severity::High,
        standards: &[standards::PRIVILEGE, standards::BETWEEN_AGENTS],
        parameters: &[],
        columns: &[
            text("caller"),
            text("deputy"),
            text("caller_demands"),
            text("deputy_demands"),
            number("confidence"),
            text("evidence"),
            node("caller_id"),
            node("deputy_id"),
        ],
        ask: |context, arguments| {
            between(context, arguments, EdgeKind::ConfusedDeputy, &["low_auth_method", "high_auth_method"])
        },
    },
    Question {
        id: "impersonators",
        name: "Agents That Read Alike",
        asks: "Which agents on the network read so much alike that one can stand in for the other?",
        category: Category::Influence,
        severity: Severity::Medium,
        standards: &[standards::BETWEEN_AGENTS, standards::ROGUE, standards::IMPERSONATION],
        parameters: &[],
        columns: &[
            text("agent"),
            text("looks_like"),
            number("confidence"),
            text("evidence"),
            node("agent_id"),
            node("looks_like_id"),
        ],
        ask: |context, arguments| between(context, arguments, EdgeKind::CanImpersonate, &[]),
    },
    Question {
        id: "information-flow",
        name: "Untrusted Content into Actions",
        asks: "Where can content from outside flow through a resource into a tool that acts?",
        category: Category::Influence,
        severity: Severity::High,
        standards: &[standards::INTENT, standards::HIJACK],
        parameters: &[],
        columns: &[
            text("bringing_tool"),
            text("acting_tool"),
            text("via_resource"),
            number("confidence"),
            text("evidence"),
            node("bringing_tool_id"),
            node("acting_tool_id"),
        ],
        ask: |context, arguments| between(context, arguments, EdgeKind::IfcViolation, &["via_resource"]),
    },
    Question {
        id: "look-alike-tools",
        name: "Look-Alike Tool Names",
        asks: "Which tools have names that differ only by case, separators, or letters and digits that look alike?",
        category: Category::Influence,
        severity: Severity::Medium,
        standards: &[standards::POISONING, standards::TOOL_POISONING],
        parameters: &[],
        columns: &[texts("tool_names"), texts("server_names"), number("tool_count"), texts("tool_ids")],
        ask: look_alike_tools,
    },
    Question {
        id: "taint-flows",
        name: "Taint Flows",
        asks: "Which tools bring in content from outside that can become the arguments of other tools?",
        category: Category::Influence,
        severity: Severity::Medium,
        standards: &[standards::INTENT, standards::MISUSE],
        parameters: &[],
        columns: &[
            text("bringing_tool"),
            text("tainted_tool"),
            number("confidence"),
            text("evidence"),
            node("bringing_tool_id"),
            node("tainted_tool_id"),
        ],
        ask: |context, arguments| between(context, arguments, EdgeKind::Taints, &[]),
    },
];

/// The derived edges of a kind: both names, some properties, how sure, why, both ids.
fn between(context: &Context<'_>, arguments: &Arguments, kind: EdgeKind, keys: &[&str]) -> Rows {
    context.edge_rows(
        arguments.page,
        kind,
        |_, _, _| true,
        |source, target, edge| {
            let mut row = vec![context.name_cell(source), context.name_cell(target)];
            row.extend(keys.iter().map(|key| context.edge_cell(edge, key)));
            row.extend([
                Cell::Number(context.confidence(edge)),
                context.edge_cell(edge, "evidence"),
                context.id_cell(source),
                context.id_cell(target),
            ]);
            row
        },
    )
}

/// Growth: linear in tools, but for sorting.
fn look_alike_tools(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut by_look: BTreeMap<String, Vec<NodeIx>> = BTreeMap::new();
    for tool in context.basis.nodes(NodeKind::McpTool) {
        if let Some(name) = context.basis.text(tool, "name") {
            by_look.entry(look(&name)).or_default().push(tool);
        }
    }
    let differ = |tools: &Vec<NodeIx>| {
        let first = tools.first().map(|tool| context.name(*tool));
        tools.iter().any(|tool| Some(context.name(*tool)) != first)
    };
    let groups: Vec<Vec<NodeIx>> = by_look.into_values().filter(differ).collect();
    arguments.page.of(&groups, |tools| {
        let mut names: Vec<String> = tools.iter().map(|tool| context.name(*tool).into_owned()).collect();
        names.sort();
        names.dedup();
        let servers = tools.iter().flat_map(|tool| context.picture.incoming(EdgeKind::ProvidesTool, *tool));
        let mut servers: Vec<NodeIx> = servers.map(|(server, _)| server).collect();
        servers.sort_unstable();
        servers.dedup();
        vec![
            Cell::Texts(names),
            context.names_cell(servers),
            Cell::Count(tools.len() as u64),
            context.ids_cell(tools.iter().copied()),
        ]
    })
}

/// How a name looks at a glance: without case and separators, and with one letter for all that look like it. Only the most
/// common look-alikes of Latin letters are known here.
fn look(name: &str) -> String {
    let letters = name.chars().flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric());
    letters
        .map(|letter| match letter {
            '0' | 'о' | 'ο' => 'o',
            '1' | 'i' | 'і' | 'ı' | 'ι' => 'l',
            '5' | 'ѕ' => 's',
            'а' | 'α' => 'a',
            'е' | 'ε' => 'e',
            'р' | 'ρ' => 'p',
            'с' => 'c',
            'х' | 'χ' => 'x',
            'у' => 'y',
            'ј' => 'j',
            other => other,
        })
        .collect()
}
