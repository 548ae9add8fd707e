//! From where something can be reached.

use tracehound_graph::NodeIx;

use super::Component;
use super::ground::Ground;
use super::points::Points;
use crate::basis::Exposure;

/// How exposed the most exposed machine is that something runs on: public 100, private 50, local 20, unknown 0.
pub(super) const fn component(percent: u64) -> Component {
    Component { name: "exposure", percent, points, why }
}

fn points(ground: &Ground<'_>, node: NodeIx) -> Points {
    ground.basis.most_exposed_host(node).map_or(Points::NONE, |(exposure, _)| Points::whole(exposure.score()))
}

fn why(ground: &Ground<'_>, node: NodeIx) -> String {
    match ground.basis.most_exposed_host(node) {
        None => "nobody knows which machine it runs on".to_owned(),
        Some((Exposure::Unknown, host)) => {
            format!("it runs on {}, and nobody knows from where that can be reached", ground.quoted(host))
        }
        Some((exposure, host)) => {
            format!("it runs on {}, which can be reached {}", ground.quoted(host), from(exposure))
        }
    }
}

/// From where a machine can be reached.
pub(super) const fn from(exposure: Exposure) -> &'static str {
    match exposure {
        Exposure::Unknown => "from nobody knows where",
        Exposure::Local => "from itself",
        Exposure::Private => "from a private network",
        Exposure::Public => "from anywhere",
    }
}
