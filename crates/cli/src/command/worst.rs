//! The worst of an estate: the easiest path to what matters most, and the one change that ends most of it.

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, Change, strongest};
use tracehound_analyze::findings::{List, Origin};
use tracehound_analyze::naming::{Marks, Selection};
use tracehound_analyze::routes::{Allowed, By, Query, Workspace, best};
use tracehound_graph::{EdgeIx, View as _};
use tracehound_model::Severity;

use super::changes::{sentence, where_to_change};
use super::estate_view::{counted, place_words};
use super::findings::Analysed;
use super::walk::{Path, Walk};
use crate::output::{Output, safe};

/// The easiest path from an agent to a critical resource, and the change that ends most critical findings.
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
        let (sources, targets) = (walk.terrain.places(&nodes("agents")), walk.terrain.places(&nodes("critical")));
        let query =
            Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
        let route = best(walk.terrain.arcs(), &query, &mut Workspace::default());
        let mut critical: Vec<EdgeIx> = list
            .iter()
            .filter(|found| found.severity == Severity::Critical)
            .filter_map(|found| match found.origin {
                Origin::Edge(edge) => Some(edge),
                Origin::Direct(_) => None,
            })
            .collect();
        critical.sort_unstable();
        let is_critical = |edge: EdgeIx| critical.binary_search(&edge).is_ok();
        let cut = strongest(picture.view, picture.analysis, 1, &is_critical).into_iter().next();
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
            output.line("\nThe one change that ends most\n")?;
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
        let edge = picture.outgoing(carrier.edge.kind, carrier.edge.source).to(carrier.edge.target)?;
        Some((carrier, Change { edge, machine: None, cost: 1 }))
    }

    pub(super) fn json(&self, picture: &Picture<'_>) -> Value {
        let change = self.change(picture).map(|(carrier, change)| {
            json!({ "change": sentence(picture, &change), "ends": carrier.carries.len(), "of": self.critical })
        });
        json!({ "path": self.path.as_ref().map(|path| path.json(picture)), "cut": change })
    }
}
