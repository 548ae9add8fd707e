//! Who may call something.

use tracehound_graph::NodeIx;

use super::Component;
use super::ground::Ground;
use super::points::Points;
use crate::words::demand;

/// How weak the authentication is: none, absent or unknown 100, apiKey 70, bearer 50, oauth 25, mtls 10.
pub(super) const fn component(percent: u64) -> Component {
    Component { name: "auth_strength", percent, points, why }
}

fn points(ground: &Ground<'_>, node: NodeIx) -> Points {
    Points::whole(ground.basis.auth(node).weakness())
}

fn why(ground: &Ground<'_>, node: NodeIx) -> String {
    format!("it demands {} of its callers", demand(ground.basis.auth(node)))
}
