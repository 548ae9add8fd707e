//! How many resources an agent reaches. Secrets that it reaches are not counted.

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::Component;
use super::ground::{Ground, counted};
use super::points::Points;
use crate::processors::reach::MOST_BY_SECRET;

/// Ten points for each resource, 100 at most.
pub(super) const fn component(percent: u64) -> Component {
    Component { name: "blast_radius", percent, points, why }
}

/// The resources among the edges that are written down.
fn written<'a>(ground: &'a Ground<'_>, agent: NodeIx) -> impl Iterator<Item = NodeIx> + 'a {
    let reached = ground.derived.outgoing(EdgeKind::CanReach, agent).map(|(target, _)| target);
    reached.filter(|target| ground.basis.view.kind(*target) == NodeKind::McpResource)
}

/// What is not written down needs no look: of the resources that an agent reaches in one way, at least the first ten are.
fn points(ground: &Ground<'_>, agent: NodeIx) -> Points {
    Points::each(written(ground, agent).take(10).count(), 10)
}

/// Some of what is not written down are resources only if one way to resources is at its bound, and some are secrets only if
/// those are at theirs. Where both are, nobody knows which.
fn why(ground: &Ground<'_>, agent: NodeIx) -> String {
    let (resources, all) = (written(ground, agent).count(), ground.derived.outgoing(EdgeKind::CanReach, agent).len());
    let beyond = (ground.derived.of(EdgeKind::CanReach).count(agent) as usize).saturating_sub(all);
    if beyond == 0 || resources < MOST_BY_SECRET {
        return format!("it reaches {}", counted(resources, "resource"));
    }
    if all - resources >= MOST_BY_SECRET {
        return format!("it reaches at least {}", counted(resources, "resource"));
    }
    format!("it reaches {}", counted(resources + beyond, "resource"))
}
