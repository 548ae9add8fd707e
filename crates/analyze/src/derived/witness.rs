//! The path that a composite edge rests on: each hop a fact of the graph, or something that follows from facts and says so.

use tracehound_graph::{NodeIx, View};
use tracehound_model::EdgeKind;

/// How one gets from one end of a hop to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// Along an edge.
    Along(EdgeKind),
    /// From the target of an edge to its source.
    Against(EdgeKind),
    /// Both are copies of one secret.
    SameSecret,
    /// The tool can read where the secret is kept.
    Reads(Link),
}

/// Why a tool can read a secret that another server is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// The tool's server and the secret's run on this machine.
    Host(NodeIx),
    /// The secret stands in a file that this resource of the tool's server leads to.
    File(NodeIx),
}

/// One hop, as it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// How.
    pub via: Via,
    /// From where.
    pub from: NodeIx,
    /// To where.
    pub to: NodeIx,
}

impl Hop {
    /// A hop along an edge.
    #[must_use]
    pub const fn along(kind: EdgeKind, from: NodeIx, to: NodeIx) -> Self {
        Self { via: Via::Along(kind), from, to }
    }

    /// A hop from the target of an edge to its source.
    #[must_use]
    pub const fn against(kind: EdgeKind, from: NodeIx, to: NodeIx) -> Self {
        Self { via: Via::Against(kind), from, to }
    }

    /// The same between nodes with other numbers; none if one of them has none.
    #[must_use]
    pub(super) fn renumbered(self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Option<Self> {
        let via = match self.via {
            Via::Reads(Link::Host(host)) => Via::Reads(Link::Host(number(host)?)),
            Via::Reads(Link::File(file)) => Via::Reads(Link::File(number(file)?)),
            other => other,
        };
        Some(Self { via, from: number(self.from)?, to: number(self.to)? })
    }

    /// The edge that is walked, with its source and target; none for hops that are no edges.
    #[must_use]
    pub const fn edge(self) -> Option<RawEdge> {
        match self.via {
            Via::Along(kind) => Some(RawEdge { kind, source: self.from, target: self.to }),
            Via::Against(kind) => Some(RawEdge { kind, source: self.to, target: self.from }),
            Via::SameSecret | Via::Reads(_) => None,
        }
    }
}

/// An edge by its kind and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawEdge {
    /// The kind.
    pub kind: EdgeKind,
    /// Where it starts.
    pub source: NodeIx,
    /// Where it ends.
    pub target: NodeIx,
}

/// The raw edges that a path rests on, sorted: its own, and for hops that were derived those that they were derived from.
#[must_use]
pub fn rests_on(view: &dyn View, path: &[Hop]) -> Vec<RawEdge> {
    let mut all = Vec::new();
    let mut provider = None;
    for hop in path {
        match hop.via {
            Via::Along(EdgeKind::HasAccessTo) => all.extend(access(view, provider, hop.from, hop.to)),
            Via::Against(EdgeKind::HasAccessTo) => all.extend(access(view, None, hop.to, hop.from)),
            Via::Along(EdgeKind::CanExecute) => all.extend(execution(view, provider, hop.from, hop.to)),
            Via::Along(kind) | Via::Against(kind) if kind.is_input() => all.extend(hop.edge()),
            Via::Along(_) | Via::Against(_) => all.extend(providing(view, hop.from).chain(providing(view, hop.to))),
            Via::Reads(link) => all.extend(reading(view, provider, link)),
            Via::SameSecret => {}
        }
        provider = matches!(hop.via, Via::Along(EdgeKind::ProvidesTool)).then_some(hop.from);
    }
    // The machine that a secret is read on has to be the one on which its server runs.
    for pair in path.windows(2) {
        if let [Hop { via: Via::Reads(Link::Host(host)), .. }, next] = pair {
            let edge = view.outgoing(EdgeKind::RunsOn, next.to).to(*host);
            all.extend(edge.map(|_| RawEdge { kind: EdgeKind::RunsOn, source: next.to, target: *host }));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn providing(view: &dyn View, tool: NodeIx) -> impl Iterator<Item = RawEdge> {
    let first = view.incoming(EdgeKind::ProvidesTool, tool).next();
    first.map(|(source, _)| RawEdge { kind: EdgeKind::ProvidesTool, source, target: tool }).into_iter()
}

/// The server that provides both the tool and what it acts on.
fn common(view: &dyn View, tool: NodeIx, other: EdgeKind, target: NodeIx) -> Option<NodeIx> {
    let mut servers = view.incoming(EdgeKind::ProvidesTool, tool).map(|(server, _)| server);
    servers.find(|server| view.outgoing(other, *server).to(target).is_some())
}

fn access(view: &dyn View, provider: Option<NodeIx>, tool: NodeIx, resource: NodeIx) -> Vec<RawEdge> {
    let Some(server) = provider.or_else(|| common(view, tool, EdgeKind::ProvidesResource, resource)) else {
        return Vec::new();
    };
    vec![
        RawEdge { kind: EdgeKind::ProvidesTool, source: server, target: tool },
        RawEdge { kind: EdgeKind::ProvidesResource, source: server, target: resource },
    ]
}

fn execution(view: &dyn View, provider: Option<NodeIx>, tool: NodeIx, host: NodeIx) -> Vec<RawEdge> {
    let Some(server) = provider.or_else(|| common(view, tool, EdgeKind::RunsOn, host)) else { return Vec::new() };
    vec![
        RawEdge { kind: EdgeKind::ProvidesTool, source: server, target: tool },
        RawEdge { kind: EdgeKind::RunsOn, source: server, target: host },
    ]
}

fn reading(view: &dyn View, provider: Option<NodeIx>, link: Link) -> Option<RawEdge> {
    let source = provider?;
    match link {
        Link::Host(host) => Some(RawEdge { kind: EdgeKind::RunsOn, source, target: host }),
        Link::File(file) => view.outgoing(EdgeKind::ProvidesResource, source).to(file).map(|_| RawEdge {
            kind: EdgeKind::ProvidesResource,
            source,
            target: file,
        }),
    }
}
