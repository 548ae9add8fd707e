//! Which tools carry instructions for the model in their descriptions.
//!
//! Growth: linear in tools and their providers.

use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Processor, Reads, Stage, Writes, hops};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

pub(super) const PROCESSOR: Processor = Processor {
    name: "poisoned_description",
    purpose: "The description of a tool carries instructions for the model.",
    reads: &[Reads::Edges(EdgeKind::ProvidesTool, &[]), Reads::Nodes(NodeKind::McpTool, &["has_injection_patterns"])],
    writes: &[Writes::Edges(EdgeKind::PoisonedDescription)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    for tool in basis.nodes(NodeKind::McpTool).filter(|tool| basis.is(*tool, "has_injection_patterns")) {
        let provider = hops::easiest(basis, basis.view.incoming(EdgeKind::ProvidesTool, tool));
        let path = provider.map(|(_, server)| Hop::along(EdgeKind::ProvidesTool, server, tool));
        let edge = NewComposite { confidence: 1.0, weight: 0.8, collector: "mcp", detail: Detail::Poison };
        harvest.add((tool, tool), edge, path.as_slice());
    }
    Output::of_edges(EdgeKind::PoisonedDescription, harvest)
}
