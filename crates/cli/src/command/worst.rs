//! The worst of an estate: the easiest path to what matters most, and the one change that cuts it.

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, Change, carried_by, sentence, where_to_change, without};
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::findings::List;
use tracehound_analyze::overview::{critical_edges, easiest, easiest_to_critical};
use tracehound_analyze::routes::Route;
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::walk::{Path, Walk};
use tracehound_analyze::what_if::{Alteration, what_if};
use tracehound_graph::{EdgeIx, View as _};

use super::estate_view::{counted, place_words};
use super::findings::Analysed;
use super::walk::{line, path_json, reasons};
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
        let terrain = Terrain::new(&picture, Shortcuts::No);
        let route = easiest_to_critical(&picture, &terrain);
        let critical = critical_edges(list);
        let cut = route.as_ref().and_then(|route| cut(&picture, &terrain, route, &critical));
        Self { path: Walk::everywhere(&terrain).paths(&picture, route.as_slice()).pop(), cut, critical: critical.len() }
    }

    pub(super) fn print(&self, picture: &Picture<'_>, output: &mut Output) -> anyhow::Result<()> {
        if let Some(path) = &self.path {
            output.line("The easiest way from an agent to something critical\n")?;
            output.line(line(path, picture))?;
            for reason in reasons(path, picture) {
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
        without(picture, carrier.edge).map(|change| (carrier, change))
    }

    pub(super) fn json(&self, picture: &Picture<'_>) -> Value {
        let change = self.change(picture).map(|(carrier, change)| {
            json!({ "change": sentence(picture, &change), "ends": carrier.carries.len(), "of": self.critical })
        });
        json!({ "path": self.path.as_ref().map(|path| path_json(path, picture)), "cut": change })
    }
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
