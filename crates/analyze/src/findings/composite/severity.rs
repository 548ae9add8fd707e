//! How bad a composite edge is.
//!
//! Three things can never make a finding milder: that the target is more sensitive, that we are surer, and that anybody can do it.
//! And nothing outranks the reach of guarded data that is less sensitive than that, whoever reaches it.

use tracehound_graph::{NodeIx, View};
use tracehound_model::{EdgeKind, NodeKind, Severity};

use crate::basis::Sensitivity;
use crate::derived::{Composite, Detail, Reach};

/// From where on we are sure enough to call the reach of a critical resource critical.
const SURE: f64 = 0.8;

/// How bad edges of a kind are where neither their target nor their path matters; none for `CAN_REACH`.
#[must_use]
pub const fn of_kind(kind: EdgeKind) -> Option<Severity> {
    match kind {
        EdgeKind::CanReach => None,
        EdgeKind::CanExfiltrateVia => Some(Severity::Critical),
        EdgeKind::PoisonedDescription
        | EdgeKind::PoisonedInstructions
        | EdgeKind::Shadows
        | EdgeKind::ConfusedDeputy
        | EdgeKind::IfcViolation
        | EdgeKind::PoisonsContext => Some(Severity::High),
        EdgeKind::CanImpersonate | EdgeKind::CanExecute | EdgeKind::HasAccessTo | EdgeKind::Taints => {
            Some(Severity::Medium)
        }
        _ => Some(Severity::Low),
    }
}

/// How bad it is that an agent reaches a resource.
#[must_use]
pub fn of_reach(sensitivity: Sensitivity, confidence: f64) -> Severity {
    match sensitivity {
        Sensitivity::Critical if confidence >= SURE => Severity::Critical,
        Sensitivity::Critical | Sensitivity::High => Severity::High,
        Sensitivity::Medium | Sensitivity::Low | Sensitivity::Unknown => Severity::Medium,
    }
}

/// How bad it is that anybody reaches a resource, through an agent that asks nothing of its callers: at least high, whatever it is,
/// and critical without our being sure if it is.
#[must_use]
pub fn of_open_reach(sensitivity: Sensitivity) -> Severity {
    of_reach(sensitivity, 1.0).max(Severity::High)
}

/// The sensitivities of all resources, so that rating many edges reads each resource once.
pub(in crate::findings) struct Ratings<'a> {
    view: &'a dyn View,
    first: u32,
    sensitivities: Vec<Sensitivity>,
}

impl<'a> Ratings<'a> {
    pub(in crate::findings) fn new(view: &'a dyn View) -> Self {
        let resources = view.range_of(NodeKind::McpResource);
        let of = |node: u32| {
            let value = view.property(NodeIx(node), "sensitivity");
            Sensitivity::of(value.as_ref().and_then(|value| value.as_text()))
        };
        Self { view, first: resources.start, sensitivities: resources.map(of).collect() }
    }

    /// How bad an edge is.
    pub(in crate::findings) fn of(&self, kind: EdgeKind, target: NodeIx, composite: &Composite) -> Severity {
        if let Some(severity) = of_kind(kind) {
            return severity;
        }
        // A secret opens whatever it opens.
        if self.view.kind(target) == NodeKind::Credential {
            return Severity::Critical;
        }
        let offset = target.0.checked_sub(self.first);
        let sensitivity =
            offset.and_then(|offset| self.sensitivities.get(offset as usize)).copied().unwrap_or_default();
        match composite.detail {
            Detail::Reach(Reach::CrossProtocol { .. }) => of_open_reach(sensitivity),
            _ => of_reach(sensitivity, composite.confidence),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use tracehound_graph::{Limits, Moment, graph_of};

    use super::*;
    use crate::derived::{Harvest, NewComposite, Relation};

    const ALL: [Sensitivity; 5] =
        [Sensitivity::Unknown, Sensitivity::Low, Sensitivity::Medium, Sensitivity::High, Sensitivity::Critical];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        /// Neither more sensitive nor surer is ever milder.
        #[test]
        fn severity_never_inverts(a in 0..5_usize, b in 0..5_usize, x in 0.0..=1.0_f64, y in 0.0..=1.0_f64) {
            let (mild, grave) = (a.min(b), a.max(b));
            let (doubtful, sure) = (x.min(y), x.max(y));
            prop_assert!(of_reach(ALL[mild], doubtful) <= of_reach(ALL[grave], sure));
        }
    }

    /// One resource of each sensitivity, the mildest first.
    fn resources() -> tracehound_graph::Graph {
        let node = |(number, name): (usize, &str)| json!({ "id": format!("r{number}"), "kinds": ["MCPResource"], "properties": { "sensitivity": name } });
        let nodes: Vec<_> = ["", "low", "medium", "high", "critical"].into_iter().enumerate().map(node).collect();
        let document = json!({
            "meta": { "version": 1, "type": "agenthound-ingest", "collector": "scan", "scan_id": "s",
                      "timestamp": "2026-01-01T00:00:00Z" },
            "graph": { "nodes": nodes, "edges": [] },
        });
        graph_of(document.to_string().as_bytes(), &Limits::default(), Moment(0)).unwrap()
    }

    /// How bad it is to reach one of them, by a known agent or by anybody.
    fn rated(ratings: &Ratings<'_>, resource: u32, confidence: f64, is_open: bool) -> Severity {
        let node = NodeIx(ratings.first + resource);
        let reach = match is_open {
            true => Reach::CrossProtocol { server: node, tool: node, host: node },
            false => Reach::Direct { server: node, tool: node },
        };
        let edge = NewComposite { confidence, weight: 0.1, collector: "mcp", detail: Detail::Reach(reach) };
        let mut harvest = Harvest::default();
        harvest.add((node, node), edge, &[]);
        let relation = Relation::new(vec![harvest]);
        ratings.of(EdgeKind::CanReach, node, relation.get(0).unwrap())
    }

    #[test]
    fn nothing_outranks_what_is_more_sensitive_and_guarded() {
        let graph = resources();
        let ratings = Ratings::new(&graph);
        let ways = [(0.5, false), (0.6, false), (1.0, false), (0.5, true)];
        for (mild, grave) in (0..5).flat_map(|grave| (0..=grave).map(move |mild| (mild, grave))) {
            for (one, other) in ways.iter().flat_map(|one| ways.iter().map(move |other| (one, other))) {
                let (first, second) = (rated(&ratings, mild, one.0, one.1), rated(&ratings, grave, other.0, other.1));
                let is_no_worse = one.0 <= other.0 && one.1 <= other.1;
                if is_no_worse || mild < grave && grave >= 3 {
                    assert!(first <= second, "{mild} by {one:?} is {first:?}, {grave} by {other:?} is {second:?}");
                }
            }
        }
        let open = [0, 1, 2, 3, 4].map(|resource| rated(&ratings, resource, 0.5, true));
        assert_eq!(open, [Severity::High, Severity::High, Severity::High, Severity::High, Severity::Critical]);
    }

    #[test]
    fn every_derived_kind_is_rated() {
        for kind in EdgeKind::ALL.iter().filter(|kind| !kind.is_input()) {
            let severity = of_kind(*kind).unwrap_or(Severity::Medium);
            assert!(severity > Severity::Low, "{kind} has no line of its own");
        }
        assert_eq!(of_reach(Sensitivity::Critical, 0.79), Severity::High);
        assert_eq!(of_reach(Sensitivity::Critical, 0.8), Severity::Critical);
        assert_eq!(of_reach(Sensitivity::High, 0.1), Severity::High);
    }
}
