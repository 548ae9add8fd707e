//! Ways to what matters most.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use super::answer::{Cell, Column, ColumnKind, Rows, node, number, text, texts};
use super::context::{Context, thousandths};
use super::walk::Walk;
use super::{Arguments, Category, Parameter, ParameterKind, Question, standards};
use crate::basis::{Basis, Capabilities, Family};
use crate::derived::{Detail, Reach};
use crate::routes::{Allowed, By, Direction, Query, Workspace, best};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "agents-shell-access",
        name: "Agents with Shell Access",
        asks: "Which agents trust a server with a tool that runs commands or code?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::COMMANDS, standards::EXECUTION],
        parameters: &[],
        columns: &[
            text("agent_name"),
            text("server_name"),
            text("tool_name"),
            text("auth_method"),
            node("agent_id"),
            node("server_id"),
            node("tool_id"),
        ],
        ask: agents_shell_access,
    },
    Question {
        id: "credential-chain",
        name: "Credential Chain Paths",
        asks: "Which agents reach data through a secret that was not given to them?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::SECRETS, standards::PRIVILEGE, standards::HARVESTING],
        parameters: &[],
        columns: &[
            text("agent_name"),
            text("agent_kind"),
            text("resource_uri"),
            text("sensitivity"),
            text("via_credential"),
            number("hops"),
            number("confidence"),
            text("evidence"),
            node("agent_id"),
            node("resource_id"),
        ],
        ask: credential_chain,
    },
    Question {
        id: "cross-protocol-paths",
        name: "Cross-Protocol Attack Paths",
        asks: "Which agents on the network reach data through a machine that they share with a tool server?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::BETWEEN_AGENTS, standards::CASCADES],
        parameters: &[],
        columns: &[
            text("source_name"),
            text("source_kind"),
            text("target_resource"),
            text("sensitivity"),
            text("via_host"),
            text("via_mcp_server"),
            text("via_mcp_tool"),
            number("confidence"),
            text("evidence"),
            node("source_id"),
            node("target_id"),
        ],
        ask: cross_protocol_paths,
    },
    Question {
        id: "exfiltration-routes",
        name: "Data Exfiltration Routes",
        asks: "Which agents reach sensitive data and have a tool that can send it out?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::CONTEXT, standards::MISUSE, standards::EXFILTRATION],
        parameters: &[],
        columns: &[
            text("agent_name"),
            text("exfil_tool"),
            number("exfil_confidence"),
            Column { name: "sensitive_resources", kind: ColumnKind::Objects },
            text("evidence"),
            node("agent_id"),
            node("tool_id"),
        ],
        ask: exfiltration_routes,
    },
    Question {
        id: "litellm-credential-leak",
        name: "LiteLLM Credential Leak",
        asks: "Which agents are given a key of a model gateway, and which further keys does the gateway hold?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::SECRETS, standards::PRIVILEGE, standards::UNSECURED],
        parameters: &[],
        columns: &[
            text("agent_name"),
            text("via_server"),
            text("via_credential"),
            text("via_gateway"),
            text("gateway_endpoint"),
            text("upstream_credential"),
            text("upstream_provider"),
            node("agent_id"),
            node("gateway_id"),
            node("upstream_credential_id"),
        ],
        ask: litellm_credential_leak,
    },
    Question {
        id: "shortest-to-database",
        name: "Shortest Path to Database",
        asks: "In how few steps does each agent get to each database?",
        category: Category::CriticalPaths,
        severity: Severity::Critical,
        standards: &[standards::SCOPE, standards::MISUSE],
        parameters: &[
            Parameter {
                name: "from",
                kind: ParameterKind::Nodes(Some("agents")),
                help: "where paths begin",
                example: "agents",
            },
            Parameter {
                name: "hops",
                kind: ParameterKind::Number { default: 10, min: 1, max: 64 },
                help: "how many steps a path may have",
                example: "10",
            },
        ],
        columns: &[
            text("agent_name"),
            text("resource_uri"),
            text("sensitivity"),
            number("path_length"),
            texts("path_nodes"),
            texts("path_edges"),
            node("agent_id"),
            node("resource_id"),
        ],
        ask: shortest_to_database,
    },
];

fn agents_shell_access(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let tools = context.tools(|tool| context.basis.capabilities(tool).meets(Capabilities::EXECUTION));
    let mut rows: Vec<[NodeIx; 3]> = Vec::new();
    for (server, tool) in tools {
        rows.extend(context.basis.sources(EdgeKind::TrustsServer, server).map(|agent| [agent, server, tool]));
    }
    context.sort_by_names(&mut rows, |row| *row);
    arguments.page.of(&rows, |[agent, server, tool]| {
        vec![
            context.name_cell(*agent),
            context.name_cell(*server),
            context.name_cell(*tool),
            context.auth_cell(*server),
            context.id_cell(*agent),
            context.id_cell(*server),
            context.id_cell(*tool),
        ]
    })
}

fn credential_chain(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let relation = context.picture.analysis.derived.of(EdgeKind::CanReach);
    let is_meant = |target: NodeIx, detail: Detail| {
        matches!(detail, Detail::Reach(Reach::Credential { .. } | Reach::Chain { .. }))
            && context.picture.kind(target) == NodeKind::McpResource
    };
    let mut edges: Vec<_> =
        relation.iter().filter(|(_, _, target, composite)| is_meant(*target, composite.detail)).collect();
    edges.sort_by_cached_key(|(_, source, target, composite)| {
        let hops = relation.path(composite).len();
        let surest = std::cmp::Reverse((hops, thousandths(composite.confidence)));
        (surest, context.name(*source), context.name(*target), *source, *target)
    });
    let mut rows = arguments.page.of(&edges, |(number, source, target, composite)| {
        let edge = tracehound_graph::EdgeIx { kind: EdgeKind::CanReach, number: *number };
        vec![
            context.name_cell(*source),
            context.kind_cell(*source),
            context.address_cell(*target),
            context.sensitivity_cell(*target),
            context.edge_cell(edge, "via_credential"),
            Cell::Count(relation.path(composite).len() as u64),
            Cell::Number(composite.confidence),
            context.edge_cell(edge, "evidence"),
            context.id_cell(*source),
            context.id_cell(*target),
        ]
    });
    rows.beyond = context.beyond(EdgeKind::CanReach);
    rows
}

fn cross_protocol_paths(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let derived = &context.picture.analysis.derived;
    let is_meant = |_, target, edge| {
        let detail = derived.get(edge).map(|composite| composite.detail);
        matches!(detail, Some(Detail::Reach(Reach::CrossProtocol { .. })))
            && context.picture.kind(target) == NodeKind::McpResource
    };
    context.edge_rows(arguments.page, EdgeKind::CanReach, is_meant, |source, target, edge| {
        vec![
            context.name_cell(source),
            context.kind_cell(source),
            context.address_cell(target),
            context.sensitivity_cell(target),
            context.edge_cell(edge, "via_host"),
            context.edge_cell(edge, "via_mcp_server"),
            context.edge_cell(edge, "via_mcp_tool"),
            Cell::Number(context.confidence(edge)),
            context.edge_cell(edge, "evidence"),
            context.id_cell(source),
            context.id_cell(target),
        ]
    })
}

fn exfiltration_routes(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let row = |agent, tool, edge| {
        vec![
            context.name_cell(agent),
            context.name_cell(tool),
            Cell::Number(context.confidence(edge)),
            Cell::Objects(sensitive_of(context, agent)),
            context.edge_cell(edge, "evidence"),
            context.id_cell(agent),
            context.id_cell(tool),
        ]
    };
    context.edge_rows(arguments.page, EdgeKind::CanExfiltrateVia, |_, _, _| true, row)
}

/// The sensitive resources that an agent reaches, by address.
fn sensitive_of(context: &Context<'_>, agent: NodeIx) -> Vec<BTreeMap<&'static str, String>> {
    let basis = &context.basis;
    let reached = context.picture.outgoing(EdgeKind::CanReach, agent).map(|(target, _)| target);
    let sensitive = reached.filter(|target| {
        context.picture.kind(*target) == NodeKind::McpResource && basis.sensitivity(*target).is_guarded()
    });
    let mut all: Vec<_> = sensitive
        .map(|resource| {
            let uri = basis.text(resource, "uri").unwrap_or_else(|| context.name(resource)).into_owned();
            BTreeMap::from([("sensitivity", basis.sensitivity(resource).name().to_owned()), ("uri", uri)])
        })
        .collect();
    all.sort_by(|a, b| a.get("uri").cmp(&b.get("uri")));
    all.dedup();
    all
}

/// The way of one leak.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Leak {
    agent: NodeIx,
    gateway: NodeIx,
    server: NodeIx,
    credential: NodeIx,
    upstream: NodeIx,
}

/// Growth: linear in secrets and their edges, and in the rows of the answer.
fn litellm_credential_leak(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let basis = &context.basis;
    let held = held_by_gateways(basis);
    let mut leaks = Vec::new();
    for credential in basis.nodes(NodeKind::Credential) {
        let Some(copies) = basis.known_secret(credential).and_then(|value| held.get(value.as_ref())) else { continue };
        for (_, gateway) in copies.iter().filter(|(copy, _)| *copy != credential) {
            for server in basis.sources(EdgeKind::HasEnvVar, credential) {
                for agent in basis.sources(EdgeKind::TrustsServer, server) {
                    let further = basis.targets(EdgeKind::ExposesCredential, *gateway).filter(|it| is_key(basis, *it));
                    leaks.extend(further.map(|upstream| Leak {
                        agent,
                        gateway: *gateway,
                        server,
                        credential,
                        upstream,
                    }));
                }
            }
        }
    }
    leaks.sort_unstable();
    leaks.dedup();
    context.sort_by_names(&mut leaks, |leak| [leak.agent, leak.gateway, leak.server, leak.credential, leak.upstream]);
    arguments.page.of(&leaks, |leak| {
        let provider = context.text_cell(leak.upstream, "provider");
        vec![
            context.name_cell(leak.agent),
            context.name_cell(leak.server),
            context.name_cell(leak.credential),
            context.name_cell(leak.gateway),
            context.text_cell(leak.gateway, "endpoint"),
            context.name_cell(leak.upstream),
            if provider == Cell::Nothing { Cell::Text("unknown".to_owned()) } else { provider },
            context.id_cell(leak.agent),
            context.id_cell(leak.gateway),
            context.id_cell(leak.upstream),
        ]
    })
}

/// The secrets that model gateways hold, by their hashes.
fn held_by_gateways(basis: &Basis<'_>) -> BTreeMap<String, Vec<(NodeIx, NodeIx)>> {
    let mut held: BTreeMap<String, Vec<(NodeIx, NodeIx)>> = BTreeMap::new();
    for gateway in basis.nodes(NodeKind::LitellmGateway) {
        for copy in basis.targets(EdgeKind::ExposesCredential, gateway) {
            if let Some(value) = basis.known_secret(copy) {
                held.entry(value.into_owned()).or_default().push((copy, gateway));
            }
        }
    }
    held
}

fn is_key(basis: &Basis<'_>, credential: NodeIx) -> bool {
    matches!(basis.text(credential, "type").as_deref(), Some("apiKey" | "virtual_key"))
}

/// Growth: one walk over what can be reached for each agent, or for each database if there are fewer of those; and one search
/// for each row that is shown.
fn shortest_to_database(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let (terrain, access) = (context.terrain(), context.basis.access());
    let agents = arguments.nodes("from");
    let databases: Vec<NodeIx> = context
        .basis
        .nodes(NodeKind::McpResource)
        .filter(|resource| access.family(*resource) == Family::Database)
        .collect();
    let most = u32::try_from(arguments.number("hops")).unwrap_or(u32::MAX);
    let is_forward = agents.len() <= databases.len();
    let (near, far) = if is_forward { (agents, databases.as_slice()) } else { (databases.as_slice(), agents) };
    let direction = if is_forward { Direction::Forward } else { Direction::Backward };
    let mut pairs: Vec<(u32, NodeIx, NodeIx)> = Vec::new();
    for one in near {
        let reached = Walk::new(terrain.arcs(), direction, &terrain.places(&[*one]), most).nodes(terrain);
        for other in far {
            let Some((hops, _)) = reached.get(other) else { continue };
            let (agent, database) = if is_forward { (*one, *other) } else { (*other, *one) };
            pairs.push((*hops, agent, database));
        }
    }
    pairs.sort_by_cached_key(|(hops, agent, database)| {
        (*hops, context.name(*agent), context.name(*database), *agent, *database)
    });
    arguments.page.of(&pairs, |pair| shortest_row(context, *pair))
}

fn shortest_row(context: &Context<'_>, (hops, agent, database): (u32, NodeIx, NodeIx)) -> Vec<Cell> {
    let terrain = context.terrain();
    let (sources, targets) = (terrain.places(&[agent]), terrain.places(&[database]));
    let query =
        Query { sources: &sources, targets: &targets, by: By::Hops, allowed: Allowed::Every, max_hops: Some(hops) };
    let route = best(terrain.arcs(), &query, &mut Workspace::default());
    let trail = route.and_then(|route| terrain.trail_with(&context.picture, &context.basis, &route));
    let (mut nodes, mut edges) = (vec![context.name(agent).into_owned()], Vec::new());
    for hop in trail.iter().flat_map(|trail| &trail.hops) {
        nodes.push(context.name(hop.to).into_owned());
        edges.push(hop.kind_name().to_owned());
    }
    vec![
        context.name_cell(agent),
        context.address_cell(database),
        context.sensitivity_cell(database),
        Cell::Count(u64::from(hops)),
        Cell::Texts(nodes),
        Cell::Texts(edges),
        context.id_cell(agent),
        context.id_cell(database),
    ]
}
