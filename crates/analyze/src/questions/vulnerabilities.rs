//! Single weaknesses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{NodeIx, Rewrite, View as _};
use tracehound_model::{EdgeKind, NodeId, NodeKind, Severity};

use super::answer::{Cell, Page, Rows, node, number, text};
use super::context::Context;
use super::{Arguments, Category, Question, standards};

/// How much of a description is shown.
const PREVIEW: usize = 200;

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "no-auth-a2a",
        name: "Unauthenticated A2A Agents",
        asks: "Which agents on the network may anybody call?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::AUTHENTICATION, standards::PRIVILEGE],
        parameters: &[],
        columns: &[text("agent_name"), text("url"), text("provider"), number("skill_count"), node("agent_id")],
        ask: no_auth_a2a,
    },
    Question {
        id: "no-auth-servers",
        name: "Unauthenticated MCP Servers",
        asks: "Which tool servers demand nothing of their callers?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::AUTHENTICATION, standards::PRIVILEGE],
        parameters: &[],
        columns: &[text("server_name"), text("endpoint"), text("transport"), number("tool_count"), node("server_id")],
        ask: no_auth_servers,
    },
    Question {
        id: "poisoned-tools",
        name: "Poisoned Tool Descriptions",
        asks: "Which tools carry instructions for the model in their texts?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::POISONING, standards::HIJACK, standards::INJECTION, standards::TOOL_POISONING],
        parameters: &[],
        columns: &[
            text("tool_name"),
            text("server_name"),
            text("description_preview"),
            text("evidence"),
            number("confidence"),
            node("tool_id"),
            node("server_id"),
        ],
        ask: poisoned_tools,
    },
    Question {
        id: "rug-pull",
        name: "Tool Description Rug Pull",
        asks: "Which tools or their servers' instructions were rewritten without anybody having looked at it?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::POISONING, standards::SUPPLY, standards::RUG_PULL],
        parameters: &[],
        columns: &[
            text("tool_name"),
            text("server_name"),
            text("current_hash"),
            text("previous_hash"),
            text("change_kind"),
            node("tool_id"),
            node("server_id"),
        ],
        ask: rug_pull,
    },
    Question {
        id: "tool-name-collision",
        name: "Cross-Server Tool Name Collisions",
        asks: "Which servers offer tools of one name, so that one may be called in place of the other?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::POISONING, standards::MISUSE, standards::TOOL_POISONING],
        parameters: &[],
        columns: &[
            text("tool_name"),
            text("server_a"),
            text("server_b"),
            node("tool_a_id"),
            node("tool_b_id"),
            node("server_a_id"),
            node("server_b_id"),
        ],
        ask: tool_name_collision,
    },
    Question {
        id: "tool-shadowing",
        name: "Cross-Server Tool Shadowing",
        asks: "Which tools speak of a tool of another server in their descriptions?",
        category: Category::Vulnerabilities,
        severity: Severity::High,
        standards: &[standards::POISONING, standards::INTENT, standards::TOOL_POISONING],
        parameters: &[],
        columns: &[
            text("shadowing_tool"),
            text("shadowing_server"),
            text("shadowed_tool"),
            text("shadowed_server"),
            number("confidence"),
            text("evidence"),
            node("shadowing_tool_id"),
            node("shadowed_tool_id"),
        ],
        ask: tool_shadowing,
    },
];

/// Those of a kind that anybody may call, with how many things they offer; the most first.
fn open(context: &Context<'_>, kind: NodeKind, offers: EdgeKind) -> Vec<NodeIx> {
    let is_open = |node: &NodeIx| context.basis.auth(*node).is_open();
    let mut all: Vec<NodeIx> = context.basis.nodes(kind).filter(is_open).collect();
    let count = |node: NodeIx| context.picture.outgoing(offers, node).len();
    all.sort_by_cached_key(|node| (Reverse(count(*node)), context.name(*node), *node));
    all
}

fn no_auth_a2a(context: &Context<'_>, arguments: &Arguments) -> Rows {
    arguments.page.of(&open(context, NodeKind::A2aAgent, EdgeKind::AdvertisesSkill), |agent| {
        vec![
            context.name_cell(*agent),
            context.text_cell(*agent, "url"),
            context.text_cell(*agent, "provider"),
            context.outgoing(EdgeKind::AdvertisesSkill, *agent),
            context.id_cell(*agent),
        ]
    })
}

fn no_auth_servers(context: &Context<'_>, arguments: &Arguments) -> Rows {
    arguments.page.of(&open(context, NodeKind::McpServer, EdgeKind::ProvidesTool), |server| {
        vec![
            context.name_cell(*server),
            context.text_cell(*server, "endpoint"),
            context.text_cell(*server, "transport"),
            context.outgoing(EdgeKind::ProvidesTool, *server),
            context.id_cell(*server),
        ]
    })
}

fn poisoned_tools(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let kind = EdgeKind::PoisonedDescription;
    let edges = context.surest(kind, |_, _, _| true);
    let rows: Vec<_> = edges
        .into_iter()
        .flat_map(|edge| {
            let tool = context.picture.ends(edge).0;
            context.basis.sources(EdgeKind::ProvidesTool, tool).map(move |server| (edge, tool, server))
        })
        .collect();
    let mut rows = arguments.page.of(&rows, |(edge, tool, server)| {
        let preview = |text: std::borrow::Cow<'_, str>| Cell::Text(text.chars().take(PREVIEW).collect());
        vec![
            context.name_cell(*tool),
            context.name_cell(*server),
            context.basis.text(*tool, "description").map_or(Cell::Nothing, preview),
            context.edge_cell(*edge, "evidence"),
            Cell::Number(context.confidence(*edge)),
            context.id_cell(*tool),
            context.id_cell(*server),
        ]
    });
    rows.beyond = context.beyond(kind);
    rows
}

/// What was rewritten of a tool and its server.
#[derive(Default)]
struct Rewritten {
    kinds: Vec<&'static str>,
    previous: Option<String>,
}

fn rug_pull(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut all: Vec<((NodeIx, Option<NodeIx>), Rewritten)> = rewritten(context).into_iter().collect();
    all.sort_by_cached_key(|((server, tool), _)| {
        (context.name(*server), tool.map(|tool| context.name(tool)), *server, *tool)
    });
    arguments.page.of(&all, |((server, tool), what)| {
        vec![
            tool.map_or(Cell::Nothing, |tool| context.name_cell(tool)),
            context.name_cell(*server),
            tool.map_or(Cell::Nothing, |tool| context.text_cell(tool, "description_hash")),
            what.previous.clone().map_or(Cell::Nothing, Cell::Text),
            Cell::Text(what.kinds.join(",")),
            tool.map_or(Cell::Nothing, |tool| context.id_cell(tool)),
            context.id_cell(*server),
        ]
    })
}

/// What was rewritten, by server and tool. Instructions of a server concern each of its tools; a server without tools stands
/// for itself.
fn rewritten(context: &Context<'_>) -> BTreeMap<(NodeIx, Option<NodeIx>), Rewritten> {
    let rewrites = context.picture.rewrites();
    let mut all: BTreeMap<(NodeIx, Option<NodeIx>), Rewritten> = BTreeMap::new();
    let changes = rewrites.iter().map(|rewrite| rewrite.change);
    let with_schema: BTreeSet<&NodeId> =
        changes.filter(|change| change.property == "input_schema_hash").map(|change| &change.id).collect();
    for rewrite in rewrites.iter().filter(|rewrite| !is_schema_alone(rewrite, &with_schema)) {
        let Some(node) = context.picture.find(rewrite.change.id.as_str()) else { continue };
        let rows: Vec<(NodeIx, Option<NodeIx>)> = match context.picture.kind(node) {
            NodeKind::McpTool => {
                context.basis.sources(EdgeKind::ProvidesTool, node).map(|server| (server, Some(node))).collect()
            }
            NodeKind::McpServer => {
                let tools = context.basis.targets(EdgeKind::ProvidesTool, node).map(|tool| (node, Some(tool)));
                let rows: Vec<_> = tools.collect();
                if rows.is_empty() { vec![(node, None)] } else { rows }
            }
            _ => Vec::new(),
        };
        for row in rows {
            let what = all.entry(row).or_default();
            what.kinds.push(rewrite.change.property.trim_end_matches("_hash"));
            what.kinds.sort_unstable();
            if rewrite.change.property == "description_hash" {
                what.previous = Some(rewrite.change.from.clone());
            }
        }
    }
    all
}

/// The hash of a tool's description covers its schema; a change of that alone is told once.
fn is_schema_alone(rewrite: &Rewrite<'_>, with_schema: &BTreeSet<&NodeId>) -> bool {
    let (before, after) = (rewrite.before("description"), rewrite.after("description"));
    rewrite.change.property == "description_hash"
        && before.is_some()
        && before == after
        && with_schema.contains(&rewrite.change.id)
}

/// The servers that offer a tool of one name, each with the first of its tools of that name.
type Namesakes = BTreeMap<NodeIx, NodeIx>;

/// Growth: linear in tools, but for sorting, and in the rows that are shown: pairs are counted, not written down.
fn tool_name_collision(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let mut by_name: BTreeMap<String, Namesakes> = BTreeMap::new();
    for tool in context.basis.nodes(NodeKind::McpTool) {
        let Some(name) = context.basis.text(tool, "name") else { continue };
        let folded = name.trim().to_lowercase();
        if folded.is_empty() {
            continue;
        }
        let servers = by_name.entry(folded).or_default();
        for server in context.basis.sources(EdgeKind::ProvidesTool, tool) {
            servers.entry(server).or_insert(tool);
        }
    }
    let mut rows = Rows::default();
    for (name, servers) in &by_name {
        collide(context, name, servers, arguments.page, &mut rows);
    }
    rows
}

/// Adds the pairs of one name: those of the page to the rows, all of them to the total.
fn collide(context: &Context<'_>, name: &str, servers: &Namesakes, page: Page, rows: &mut Rows) {
    let all: Vec<(NodeIx, NodeIx)> = servers.iter().map(|(server, tool)| (*server, *tool)).collect();
    for (position, (server_a, tool_a)) in all.iter().enumerate() {
        let others = all.get(position + 1..).unwrap_or(&[]);
        let skipped = usize::try_from(page.offset.saturating_sub(rows.total)).unwrap_or(usize::MAX);
        let room = page.limit.map_or(u64::MAX, |limit| limit.saturating_sub(rows.rows.len() as u64));
        let shown = others.iter().skip(skipped).take(usize::try_from(room).unwrap_or(usize::MAX));
        rows.rows.extend(shown.map(|(server_b, tool_b)| {
            vec![
                Cell::Text(name.to_owned()),
                context.name_cell(*server_a),
                context.name_cell(*server_b),
                context.id_cell(*tool_a),
                context.id_cell(*tool_b),
                context.id_cell(*server_a),
                context.id_cell(*server_b),
            ]
        }));
        rows.total += others.len() as u64;
    }
}

fn tool_shadowing(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let first = |tool| context.basis.sources(EdgeKind::ProvidesTool, tool).next();
    // The processor compares servers already; a shared one says nothing.
    let is_meant = |source, target, _| first(source) != first(target);
    let server = |tool| first(tool).map_or(Cell::Nothing, |server| context.name_cell(server));
    context.edge_rows(arguments.page, EdgeKind::Shadows, is_meant, |source, target, edge| {
        vec![
            context.name_cell(source),
            server(source),
            context.name_cell(target),
            server(target),
            Cell::Number(context.confidence(edge)),
            context.edge_cell(edge, "evidence"),
            context.id_cell(source),
            context.id_cell(target),
        ]
    })
}
