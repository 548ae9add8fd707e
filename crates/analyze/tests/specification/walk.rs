//! Walks over a graph, step by step, with what each costs: the witnesses of the specification.

use tracehound_graph::{Graph, NodeIx, View as _};
use tracehound_model::EdgeKind;

use crate::expected::Reader as _;

/// A walk from a node, with every way to compare it.
#[derive(Clone)]
pub(crate) struct Walk<'g> {
    graph: &'g Graph,
    /// Where it has come to.
    pub(crate) at: String,
    /// What it costs, in thousandths.
    pub(crate) cost: u64,
    /// The steps in the form of [`crate::expected::Expected`].
    pub(crate) lines: Vec<String>,
    nodes: Vec<NodeIx>,
    /// Where secrets are read, which is no node on the way: machines come before files, then by id.
    places: Vec<NodeIx>,
}

impl<'g> Walk<'g> {
    pub(crate) fn starting(graph: &'g Graph, at: &str) -> Self {
        let nodes = vec![graph.find(at).unwrap()];
        Self { graph, at: at.to_owned(), cost: 0, lines: Vec::new(), nodes, places: Vec::new() }
    }

    /// Follows an edge.
    pub(crate) fn along(&self, kind: EdgeKind, to: &str) -> Self {
        self.step(kind.name(), cost(self.graph, &self.at, kind, to), to)
    }

    /// Goes from the target of an edge to its source.
    pub(crate) fn against(&self, kind: EdgeKind, to: &str) -> Self {
        self.step(&format!("~{}", kind.name()), cost(self.graph, to, kind, &self.at), to)
    }

    /// Goes from one copy of a secret to another. If both are one node, that is no step.
    pub(crate) fn same_secret(&self, to: &str) -> Self {
        if self.at == to { self.clone() } else { self.step("=secret", 0, to) }
    }

    /// Reads a secret in a place: a machine or a file.
    pub(crate) fn reads(&self, place: &str, to: &str) -> Self {
        let mut walk = self.step(&format!("=reads({place})"), 0, to);
        walk.places.push(self.graph.find(place).unwrap());
        walk
    }

    fn step(&self, via: &str, cost: u64, to: &str) -> Self {
        let mut walk = self.clone();
        walk.lines.push(format!("{} {via} {to}", self.at));
        walk.nodes.push(self.graph.find(to).unwrap());
        walk.cost += cost;
        walk.at = to.to_owned();
        walk
    }

    /// The least cost first, then the fewest steps, then the smallest ids in walking order.
    fn key(&self) -> impl Ord {
        let is_machine = |place: &NodeIx| self.graph.kind(*place) == tracehound_model::NodeKind::Host;
        let places: Vec<(bool, NodeIx)> = self.places.iter().map(|place| (!is_machine(place), *place)).collect();
        (self.cost, self.lines.len(), self.nodes.clone(), places)
    }
}

/// The best of several walks.
pub(crate) fn easiest<'w, 'g>(walks: impl IntoIterator<Item = &'w Walk<'g>>) -> Option<Walk<'g>>
where
    'g: 'w,
{
    walks.into_iter().min_by_key(|walk| walk.key()).cloned()
}

/// What an edge costs, in thousandths.
fn cost(graph: &Graph, source: &str, kind: EdgeKind, target: &str) -> u64 {
    match (kind, auth(graph, target).as_str()) {
        (EdgeKind::TrustsServer, "apikey" | "static_key") => 300,
        (EdgeKind::TrustsServer, "bearer") => 500,
        (EdgeKind::TrustsServer, "oauth") => 700,
        (EdgeKind::TrustsServer, "mtls") => 900,
        (EdgeKind::TrustsServer | EdgeKind::ProvidesTool, _) | (EdgeKind::DelegatesTo, "none") => 100,
        (EdgeKind::DelegatesTo, _) => 500,
        (EdgeKind::ProvidesResource | EdgeKind::HasAccessTo, _) => 200,
        _ => {
            let given = graph.edge_number(source, kind, target, "risk_weight");
            given.filter(|weight| (0.0..=1.0).contains(weight)).map_or(500, |weight| (weight * 1000.0).round() as u64)
        }
    }
}

/// What a node demands of its callers, in lower case.
pub(crate) fn auth(graph: &Graph, id: &str) -> String {
    graph.text(id, "auth_method").map_or_else(|| "none".to_owned(), |method| method.to_lowercase())
}
