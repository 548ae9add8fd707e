//! Routes over places, told as hops between nodes.

use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::EdgeKind;

use super::{Meaning, Terrain};
use crate::basis::Basis;
use crate::derived::Via;
use crate::routes::{Direction, Route};
use crate::{Picture, words};

/// One hop of a trail.
#[derive(Debug, Clone, PartialEq)]
pub struct TrailHop {
    /// How.
    pub via: Via,
    /// From where.
    pub from: NodeIx,
    /// To where.
    pub to: NodeIx,
    /// How hard it is, from 0 (free) to 1.
    pub weight: f64,
    /// The edge that is walked, if it is one that is written down.
    pub edge: Option<EdgeIx>,
}

/// A way from one node to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    /// Where it begins.
    pub start: NodeIx,
    /// The hops.
    pub hops: Vec<TrailHop>,
    /// The sum of their weights.
    pub weight: f64,
}

impl Terrain {
    /// A route as hops between nodes.
    #[must_use]
    pub fn trail(&self, picture: &Picture<'_>, route: &Route) -> Option<Trail> {
        let basis = Basis::new(picture.view);
        self.trail_with(picture, &basis, route)
    }

    /// The same, with what was read of the graph before.
    #[must_use]
    pub fn trail_with(&self, picture: &Picture<'_>, basis: &Basis<'_>, route: &Route) -> Option<Trail> {
        let start = self.node(*route.nodes.first()?)?;
        let mut hops: Vec<TrailHop> = Vec::new();
        let mut at = start;
        let mut pending = None;
        for (arc, place) in route.arcs.iter().zip(route.nodes.iter().skip(1)) {
            let meaning = match (self.meaning(*arc)?, pending) {
                (Meaning::Onwards, Some(meaning)) => meaning,
                (meaning, _) => meaning,
            };
            let Some(to) = self.node(*place) else {
                pending = Some(meaning);
                continue;
            };
            pending = None;
            hops.push(hop(picture, basis, meaning, at, to));
            at = to;
        }
        Some(Trail { start, hops, weight: route.cost as f64 / crate::routes::COST_OF_ONE as f64 })
    }
}

impl Terrain {
    /// The easiest hop from one node to another; none if there is none.
    ///
    /// Growth: linear in the arcs of the first, and of the hubs that it leads to.
    #[must_use]
    pub fn hop_between(&self, picture: &Picture<'_>, basis: &Basis<'_>, from: NodeIx, to: NodeIx) -> Option<TrailHop> {
        let mut best: Option<TrailHop> = None;
        for place in self.places(&[from]) {
            for step in self.arcs.steps(Direction::Forward, place) {
                let Some(meaning) = self.meaning_towards(step.arc, step.node, to) else { continue };
                let found = hop(picture, basis, meaning, from, to);
                if best.as_ref().is_none_or(|best| found.weight < best.weight) {
                    best = Some(found);
                }
            }
        }
        best
    }
}

impl Terrain {
    /// What an arc stands for, if it leads to a node, itself or through hubs.
    fn meaning_towards(&self, arc: u32, place: u32, to: NodeIx) -> Option<Meaning> {
        let own = self.meaning(arc)?;
        if let Some(node) = self.node(place) {
            return (node == to).then_some(own);
        }
        let mut onwards = self.arcs.steps(Direction::Forward, place);
        let next = onwards.find_map(|step| self.meaning_towards(step.arc, step.node, to))?;
        Some(if own == Meaning::Onwards { next } else { own })
    }
}

fn hop(picture: &Picture<'_>, basis: &Basis<'_>, meaning: Meaning, from: NodeIx, to: NodeIx) -> TrailHop {
    let derived = |kind: EdgeKind| picture.outgoing(kind, from).to(to);
    let (via, weight, edge) = match meaning {
        Meaning::Along(edge) => (Via::Along(edge.kind), weight(picture, basis, edge), Some(edge)),
        Meaning::Against(edge) => (Via::Against(edge.kind), weight(picture, basis, edge), Some(edge)),
        Meaning::Access(_) => (Via::Along(EdgeKind::HasAccessTo), 0.2, derived(EdgeKind::HasAccessTo)),
        Meaning::Execution(_) => (Via::Along(EdgeKind::CanExecute), 0.1, derived(EdgeKind::CanExecute)),
        Meaning::Reads(_, link) => (Via::Reads(link), 0.0, None),
        Meaning::SameSecret | Meaning::Onwards => (Via::SameSecret, 0.0, None),
    };
    TrailHop { via, from, to, weight, edge }
}

fn weight(picture: &Picture<'_>, basis: &Basis<'_>, edge: EdgeIx) -> f64 {
    picture.analysis.derived.get(edge).map_or_else(|| basis.weight(edge), |composite| composite.weight)
}

impl TrailHop {
    /// The name of what is walked: an edge kind's, or what the hop is otherwise.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self.via {
            Via::Along(kind) | Via::Against(kind) => kind.name(),
            Via::SameSecret => "same-secret",
            Via::Reads(_) => "reads",
        }
    }

    /// Why the hop is there, in words.
    #[must_use]
    pub fn evidence(&self, picture: &Picture<'_>) -> String {
        let told = self.edge.and_then(|edge| picture.edge_property(edge, "evidence"));
        let told = told.as_ref().and_then(|value| value.as_text()).filter(|text| !text.is_empty());
        told.map_or_else(
            || {
                let name = |node| picture.name(node);
                format!("`{}` {} `{}`", name(self.from), words::verb(picture, self.via), name(self.to))
            },
            str::to_owned,
        )
    }
}
