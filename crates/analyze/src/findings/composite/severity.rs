//! How bad a composite edge is.
//!
//! Two things can never make a finding milder: that the target is more sensitive, and that we are surer.

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
        // Whoever may call the agent is not even known; and a secret opens whatever it opens.
        let is_open = matches!(composite.detail, Detail::Reach(Reach::CrossProtocol { .. }));
        if is_open || self.view.kind(target) == NodeKind::Credential {
            return Severity::Critical;
        }
        let offset = target.0.checked_sub(self.first);
        let sensitivity = offset.and_then(|offset| self.sensitivities.get(offset as usize));
        of_reach(sensitivity.copied().unwrap_or_default(), composite.confidence)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
