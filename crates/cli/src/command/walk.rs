//! Walking an estate: which hops are allowed, and how paths are drawn.

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::basis::Basis;
use tracehound_analyze::derived::Via;
use tracehound_analyze::routes::Route;
use tracehound_analyze::terrain::{Shortcuts, Terrain, TrailHop};
use tracehound_graph::NodeIx;

use super::estate_view::{EstateView, counted, name, node_json, place, place_words};
use crate::args::Walking;
use crate::hop_kind::HopKind;
use crate::output::{safe, titled};

/// The terrain of an estate, and what of it may be walked.
pub(super) struct Walk {
    pub(super) terrain: Terrain,
    /// Nodes that are not to be passed, sorted.
    pub(super) avoided: Vec<NodeIx>,
    /// By the number of an arc.
    is_allowed: Vec<bool>,
}

impl Walk {
    /// Lays out what the arguments allow. Linear in the terrain.
    pub(super) fn new(estate: &EstateView, walking: &Walking) -> anyhow::Result<Self> {
        let shortcuts = if walking.shortcuts { Shortcuts::Yes } else { Shortcuts::No };
        if let Some(kind) = walking.only_kinds.iter().find(|kind| kind.is_shortcut() && !walking.shortcuts) {
            bail!("`{}` stands for whole paths and is walked only with --shortcuts", kind.name());
        }
        let avoided = match &walking.avoid {
            Some(text) => estate.choose(text)?.nodes,
            None => Vec::new(),
        };
        let terrain = Terrain::new(&estate.picture(), shortcuts);
        let is_avoided = |place: u32| terrain.node(place).is_some_and(|node| avoided.binary_search(&node).is_ok());
        let is_of_kind = |number: u32| match terrain.meaning(number).and_then(HopKind::of) {
            Some(kind) => {
                let is_listed = walking.only_kinds.is_empty() || walking.only_kinds.contains(&kind);
                is_listed && !walking.without_kinds.contains(&kind)
            }
            // The second half of a hop goes with the first.
            None => true,
        };
        let arcs = (0..).zip(terrain.all_ends());
        let is_allowed =
            arcs.map(|(number, (from, to))| is_of_kind(number) && !is_avoided(*from) && !is_avoided(*to)).collect();
        Ok(Self { terrain, avoided, is_allowed })
    }

    /// Lays out the terrain of a picture, all of which may be walked but for what stands for whole paths.
    pub(super) fn everywhere(picture: &Picture<'_>) -> Self {
        let terrain = Terrain::new(picture, Shortcuts::No);
        let is_allowed = vec![true; terrain.all_ends().len()];
        Self { terrain, avoided: Vec::new(), is_allowed }
    }

    /// Whether an arc may be taken.
    pub(super) fn permits(&self, arc: u32) -> bool {
        self.is_allowed.get(arc as usize).copied().unwrap_or(false)
    }

    /// Routes as nodes and hops.
    pub(super) fn paths(&self, picture: &Picture<'_>, routes: &[Route]) -> Vec<Path> {
        let basis = Basis::new(picture.view);
        routes.iter().filter_map(|route| self.path(picture, &basis, route)).collect()
    }

    fn path(&self, picture: &Picture<'_>, basis: &Basis<'_>, route: &Route) -> Option<Path> {
        let trail = self.terrain.trail_with(picture, basis, route)?;
        let machine = |place: &u32| self.terrain.machine(*place).map(str::to_owned);
        let places = route.nodes.iter().filter(|place| self.terrain.node(**place).is_some());
        let nodes = std::iter::once(trail.start).chain(trail.hops.iter().map(|hop| hop.to));
        let nodes = nodes.zip(places.map(machine)).collect();
        Some(Path { nodes, hops: trail.hops, weight: trail.weight })
    }
}

/// A way from one node to another, to be shown.
pub(super) struct Path {
    /// The nodes, with the machine of each that is on several.
    nodes: Vec<(NodeIx, Option<String>)>,
    hops: Vec<TrailHop>,
    pub(super) weight: f64,
}

impl Path {
    /// The path as one line.
    pub(super) fn line(&self, picture: &Picture<'_>) -> String {
        let called = |(node, machine): &(NodeIx, Option<String>)| {
            let on = machine.as_ref().map_or_else(String::new, |machine| format!(" on {}", safe(machine)));
            format!("{}{on}", name(picture, *node))
        };
        let mut nodes = self.nodes.iter().map(called);
        let mut line = nodes.next().unwrap_or_default();
        for (hop, node) in self.hops.iter().zip(nodes) {
            let (kind, weight) = (hop.kind_name(), hop.weight);
            match hop.via {
                Via::Against(_) => line += &format!(" <-{kind} {weight:.2}- {node}"),
                Via::Along(_) | Via::SameSecret | Via::Reads(_) => line += &format!(" -{kind} {weight:.2}-> {node}"),
            }
        }
        format!("{line}   weight {:.2}, {}", self.weight, counted(self.hops.len(), "hop"))
    }

    /// Why each hop is there, a line for each.
    pub(super) fn reasons(&self, picture: &Picture<'_>) -> Vec<String> {
        let reason = |hop: &TrailHop| {
            let at = hop.edge.and_then(|edge| place(picture, edge));
            let at = at.map_or_else(String::new, |at| format!(" ({})", place_words(&at)));
            format!("{}: {}{at}", hop.kind_name(), titled(&hop.evidence(picture)))
        };
        self.hops.iter().map(reason).collect()
    }

    /// The path for programs.
    pub(super) fn json(&self, picture: &Picture<'_>) -> Value {
        let node = |(node, machine): &(NodeIx, Option<String>)| {
            let mut json = node_json(picture, *node);
            if let (Some(machine), Some(members)) = (machine, json.as_object_mut()) {
                members.insert("machine".to_owned(), Value::from(machine.as_str()));
            }
            json
        };
        let hop = |hop: &TrailHop| {
            let (file, line) = hop.edge.and_then(|edge| place(picture, edge)).unzip();
            json!({
                "kind": hop.kind_name(),
                "direction": direction(hop.via),
                "weight": hop.weight,
                "evidence": hop.evidence(picture),
                "file": file,
                "line": line.flatten(),
            })
        };
        json!({
            "weight": self.weight,
            "length": self.hops.len(),
            "nodes": self.nodes.iter().map(node).collect::<Vec<_>>(),
            "hops": self.hops.iter().map(hop).collect::<Vec<_>>(),
        })
    }
}

/// Which way an edge is walked; a hop that is no edge has no way.
const fn direction(via: Via) -> Option<&'static str> {
    match via {
        Via::Along(_) => Some("along"),
        Via::Against(_) => Some("against"),
        Via::SameSecret | Via::Reads(_) => None,
    }
}
