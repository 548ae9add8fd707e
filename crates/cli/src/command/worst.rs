//! The worst of an estate: the easiest path to what matters most, and the one change that cuts it.

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, Change, carried_by};
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::findings::{List, Origin};
use tracehound_analyze::naming::{Marks, Selection};
use tracehound_analyze::routes::{Allowed, By, Query, Route, Workspace, best};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::what_if::{Alteration, what_if};
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::Severity;

use super::changes::{sentence, where_to_change, without};
use super::estate_view::{counted, place_words};
use super::findings::Analysed;
use super::walk::{Path, Walk};
use crate::output::{Output, safe};

/// The easiest path from an agent to a critical resource, and the edge on it to take away.
pub(super) struct Worst {
    path: Option<Path>,
    cut: Option<Carrier>,
    critical: usize,
}

impl Worst {
    pub(super) fn find(analysed: &Analysed, list: &List<'_>) -> Self {
        let picture = analysed.picture();
        let nodes = |text: &str| Selection::parse(text).nodes(&picture, &Marks::default()).unwrap_or_default();
        let walk = Walk::everywhere(&picture);
        let route = easiest(&walk.terrain, &nodes("agents"), &nodes("critical"));
        let critical = critical_edges(list);
        let cut = route.as_ref().and_then(|route| cut(&picture, &walk.terrain, route, &critical));
        Self { path: walk.paths(&picture, route.as_slice()).pop(), cut, critical: critical.len() }
    }

    pub(super) fn print(&self, picture: &Picture<'_>, output: &mut Output) -> anyhow::Result<()> {
        if let Some(path) = &self.path {
            output.line("The easiest way from an agent to something critical\n")?;
            output.line(path.line(picture))?;
            for reason in path.reasons(picture) {
                output.line(format!("    {reason}"))?;
            }
        }
        if let Some((carrier, change)) = self.change(picture) {
            output.line("\nThe one change that cuts it\n")?;
            let place = where_to_change(picture, &change)
                .map_or_else(String::new, |place| format!(" ({})", place_words(&place)));
            let what = format!("  {}{place}", safe(&sentence(picture, &change)));
            output.line(what)?;
            let gone = carrier.carries.len();
            output.line(format!("  {gone} of {} are gone with it", counted(self.critical, "critical finding")))?;
        }
        Ok(())
    }

    fn change(&self, picture: &Picture<'_>) -> Option<(&Carrier, Change)> {
        let carrier = self.cut.as_ref()?;
        without(picture, carrier).map(|change| (carrier, change))
    }

    pub(super) fn json(&self, picture: &Picture<'_>) -> Value {
        let change = self.change(picture).map(|(carrier, change)| {
            json!({ "change": sentence(picture, &change), "ends": carrier.carries.len(), "of": self.critical })
        });
        json!({ "path": self.path.as_ref().map(|path| path.json(picture)), "cut": change })
    }
}

fn easiest(terrain: &Terrain, from: &[NodeIx], to: &[NodeIx]) -> Option<Route> {
    let (sources, targets) = (terrain.places(from), terrain.places(to));
    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
    best(terrain.arcs(), &query, &mut Workspace::default())
}

/// The composite edges behind critical findings, sorted.
fn critical_edges(list: &List<'_>) -> Vec<EdgeIx> {
    let critical = list.iter().filter(|found| found.severity == Severity::Critical);
    let edge = |origin: Origin| match origin {
        Origin::Edge(edge) => Some(edge),
        Origin::Direct(_) => None,
    };
    let mut edges: Vec<EdgeIx> = critical.filter_map(|found| edge(found.origin)).collect();
    edges.sort_unstable();
    edges
}

/// Of the edges on a path without any one of which its end can't be reached from its start, the one that carries most
/// critical findings alone.
fn cut(picture: &Picture<'_>, terrain: &Terrain, route: &Route, critical: &[EdgeIx]) -> Option<Carrier> {
    let trail = terrain.trail(picture, route)?;
    let ends = (trail.start, trail.hops.last()?.to);
    let mut best: Option<Carrier> = None;
    for edge in trail.hops.iter().filter_map(|hop| hop.edge).filter(|edge| edge.kind.is_input()) {
        let (source, target) = picture.ends(edge);
        let edge = RawEdge { kind: edge.kind, source, target };
        let (altered, after) = what_if(picture.view, picture.analysis, &[Alteration::RemoveEdge(edge)]);
        let without = Terrain::new(&Picture::new(&altered, &after), Shortcuts::No);
        if easiest(&without, &[ends.0], &[ends.1]).is_some() {
            continue;
        }
        let mut carrier = carried_by(picture.view, picture.analysis, edge);
        carrier.carries.retain(|edge| critical.binary_search(edge).is_ok());
        if best.as_ref().is_none_or(|best| carrier.carries.len() > best.carries.len()) {
            best = Some(carrier);
        }
    }
    best
}
