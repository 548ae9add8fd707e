//! Which agents can send guarded data out.

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::commands::{have, machines};
use crate::expected::{Expected, Reader as _};
use crate::reach::{Way, resources, trusted};
use crate::walk::easiest;

const OUTBOUND: &[&str] = &["email_send", "network_outbound", "file_write", "auto_fetch_render", "allowlisted_proxy"];

/// `CAN_EXFILTRATE_VIA`.
pub(crate) fn can_exfiltrate_via(graph: &Graph) -> Vec<Expected> {
    let mut all = Vec::new();
    for agent in graph.all("AgentInstance") {
        let guarded = resources(graph, &agent).into_iter().filter_map(|(resource, (way, walk))| {
            let sensitivity = graph.text(&resource, "sensitivity")?;
            let rank = ["critical", "high"].iter().position(|level| *level == sensitivity)?;
            Some(((rank, way != Way::Direct, walk.cost, resource), walk))
        });
        let Some((_, reached)) = guarded.min_by_key(|(key, _)| key.clone()) else { continue };
        for tool in graph.all("MCPTool") {
            let powers = graph.list(&tool, "capability_surface");
            let sends = trusted(graph, &agent)
                .into_iter()
                .filter(|at_server| graph.to(&at_server.at, EdgeKind::ProvidesTool).contains(&tool))
                .filter(|at_server| {
                    let on = machines(graph, &at_server.at, &[(&agent, EdgeKind::TrustsServer, &at_server.at)]);
                    have(graph, &at_server.at, &on, &[(EdgeKind::ProvidesTool, &tool)])
                })
                .map(|at_server| at_server.along(EdgeKind::ProvidesTool, &tool));
            let sends: Vec<_> = sends.filter(|_| powers.iter().any(|it| OUTBOUND.contains(&it.as_str()))).collect();
            let Some(sending) = easiest(&sends) else { continue };
            let path = [reached.lines.clone(), sending.lines].concat();
            all.push(Expected::new(&agent, &tool, 0.8, 0.1, "mcp", path));
        }
    }
    all
}
