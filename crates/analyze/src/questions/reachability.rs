//! Who gets where: along the ways that the kinds table lets an attacker move, never along edges that stand for whole paths.
//!
//! Growth: one walk over what is reached for each question, but for `crown-jewels`, which takes one for each marked node.

use std::cmp::Reverse;

use tracehound_graph::{NodeIx, View as _};
use tracehound_model::{Mark, NodeKind, Severity};

use super::answer::{Cell, Column, Rows, node, number, text};
use super::context::Context;
use super::walk::Walk;
use super::{Arguments, Category, Parameter, ParameterKind, Question, standards};
use crate::routes::Direction;

const HOPS: Parameter = Parameter {
    name: "hops",
    kind: ParameterKind::Number { default: 64, min: 1, max: 1000 },
    help: "how many steps at most",
    example: "4",
};

const COLUMNS: &[Column] = &[text("name"), text("kind"), text("sensitivity"), number("hops"), text("path"), node("id")];

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        id: "blast-radius",
        name: "Blast Radius",
        asks: "What does somebody get to who holds this, within so many steps?",
        category: Category::Reachability,
        severity: Severity::High,
        standards: &[standards::CASCADES, standards::PRIVILEGE],
        parameters: &[
            Parameter {
                name: "node",
                kind: ParameterKind::Nodes(None),
                help: "what an attacker holds",
                example: "MCPServer:files",
            },
            Parameter { kind: ParameterKind::Number { default: 6, min: 1, max: 1000 }, ..HOPS },
        ],
        columns: COLUMNS,
        ask: |context, arguments| walked(context, arguments, Direction::Forward, "node", |_| true),
    },
    Question {
        id: "crown-jewels",
        name: "Crown Jewels",
        asks: "How many agents get to each thing that was marked as mattering most, and how near is the nearest?",
        category: Category::Reachability,
        severity: Severity::Critical,
        standards: &[standards::SCOPE, standards::PRIVILEGE],
        parameters: &[HOPS],
        columns: &[
            text("name"),
            text("kind"),
            number("agent_count"),
            number("a2a_agent_count"),
            number("fewest_hops"),
            text("nearest_agent"),
            node("id"),
        ],
        ask: crown_jewels,
    },
    Question {
        id: "what-can-reach",
        name: "What an Agent Reaches",
        asks: "Which data, secrets and machines does an agent, or whatever else is named, get to?",
        category: Category::Reachability,
        severity: Severity::High,
        standards: &[standards::SCOPE, standards::PRIVILEGE],
        parameters: &[
            Parameter {
                name: "from",
                kind: ParameterKind::Nodes(None),
                help: "where paths begin",
                example: "AgentInstance:cursor",
            },
            HOPS,
        ],
        columns: COLUMNS,
        ask: |context, arguments| {
            walked(context, arguments, Direction::Forward, "from", |kind| {
                matches!(kind, NodeKind::McpResource | NodeKind::Credential | NodeKind::Host)
            })
        },
    },
    Question {
        id: "who-can-reach",
        name: "Who Reaches a Node",
        asks: "Which agents get to this, and in how many steps?",
        category: Category::Reachability,
        severity: Severity::High,
        standards: &[standards::SCOPE, standards::PRIVILEGE],
        parameters: &[
            Parameter {
                name: "node",
                kind: ParameterKind::Nodes(None),
                help: "what is reached",
                example: "postgres://prod-db:5432/customers",
            },
            HOPS,
        ],
        columns: COLUMNS,
        ask: |context, arguments| walked(context, arguments, Direction::Backward, "node", is_agent),
    },
];

const fn is_agent(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::AgentInstance | NodeKind::A2aAgent)
}

fn most_hops(arguments: &Arguments) -> u32 {
    u32::try_from(arguments.number("hops")).unwrap_or(u32::MAX)
}

/// The nodes of some kinds that are reached from nodes, or that reach them; the nearest first.
fn walked(
    context: &Context<'_>,
    arguments: &Arguments,
    direction: Direction,
    parameter: &str,
    is_meant: fn(NodeKind) -> bool,
) -> Rows {
    let terrain = context.terrain();
    let from = arguments.nodes(parameter);
    let walk = Walk::new(terrain.arcs(), direction, &terrain.places(from), most_hops(arguments));
    let is_other = |node: &NodeIx| from.binary_search(node).is_err() && is_meant(context.picture.kind(*node));
    let reached = walk.nodes(terrain).into_iter().filter(|(node, _)| is_other(node));
    let mut all: Vec<(u32, NodeIx, u32)> = reached.map(|(node, (hops, place))| (hops, node, place)).collect();
    all.sort_by_cached_key(|(hops, node, _)| {
        (*hops, Reverse(context.basis.sensitivity(*node)), context.name(*node), *node)
    });
    arguments.page.of(&all, |(hops, node, place)| {
        vec![
            context.name_cell(*node),
            context.kind_cell(*node),
            context.sensitivity_cell(*node),
            Cell::Count(u64::from(*hops)),
            path_cell(context, &walk, *place),
            context.id_cell(*node),
        ]
    })
}

/// A path as one line of names.
fn path_cell(context: &Context<'_>, walk: &Walk, place: u32) -> Cell {
    let trail = context.terrain().trail_with(&context.picture, &context.basis, &walk.route(place));
    trail.map_or(Cell::Nothing, |trail| {
        let steps = std::iter::once(trail.start).chain(trail.hops.iter().map(|hop| hop.to));
        let names: Vec<String> = steps.map(|node| context.name(node).into_owned()).collect();
        Cell::Text(names.join(" → "))
    })
}

/// One marked node and who gets there.
struct Jewel {
    node: NodeIx,
    agents: u64,
    a2a_agents: u64,
    nearest: Option<(u32, NodeIx)>,
}

fn crown_jewels(context: &Context<'_>, arguments: &Arguments) -> Rows {
    let marked = context.marks.iter().filter(|(_, mark)| **mark == Mark::CrownJewel);
    let nodes =
        marked.filter_map(|(id, _)| context.picture.find(id.as_str())).filter(|node| context.picture.has(*node));
    let mut all: Vec<Jewel> = nodes.map(|node| jewel(context, node, most_hops(arguments))).collect();
    all.sort_by_cached_key(|jewel| (Reverse(jewel.agents + jewel.a2a_agents), context.name(jewel.node), jewel.node));
    arguments.page.of(&all, |jewel| {
        vec![
            context.name_cell(jewel.node),
            context.kind_cell(jewel.node),
            Cell::Count(jewel.agents),
            Cell::Count(jewel.a2a_agents),
            jewel.nearest.map_or(Cell::Nothing, |(hops, _)| Cell::Count(u64::from(hops))),
            jewel.nearest.map_or(Cell::Nothing, |(_, agent)| context.name_cell(agent)),
            context.id_cell(jewel.node),
        ]
    })
}

fn jewel(context: &Context<'_>, node: NodeIx, most: u32) -> Jewel {
    let terrain = context.terrain();
    let walk = Walk::new(terrain.arcs(), Direction::Backward, &terrain.places(&[node]), most);
    let mut jewel = Jewel { node, agents: 0, a2a_agents: 0, nearest: None };
    for (agent, (hops, _)) in walk.nodes(terrain).into_iter().filter(|(other, _)| *other != node) {
        let count = match context.picture.kind(agent) {
            NodeKind::AgentInstance => &mut jewel.agents,
            NodeKind::A2aAgent => &mut jewel.a2a_agents,
            _ => continue,
        };
        *count += 1;
        let found = (hops, agent);
        jewel.nearest = Some(jewel.nearest.map_or(found, |best| best.min(found)));
    }
    jewel
}
