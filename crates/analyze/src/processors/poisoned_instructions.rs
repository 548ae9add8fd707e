//! Which instruction files carry instructions that their reader did not ask for.
//!
//! Growth: linear in instruction files and in who loads them.

use tracehound_model::{EdgeKind, NodeKind};

use super::{Output, Processor, Reads, Stage, Writes, hops};
use crate::derived::{Detail, Harvest, Hop, NewComposite};

pub(super) const PROCESSOR: Processor = Processor {
    name: "poisoned_instructions",
    purpose: "An instruction file carries suspicious instructions.",
    reads: &[
        Reads::Edges(EdgeKind::LoadsInstructions, &["risk_weight"]),
        Reads::Nodes(NodeKind::InstructionFile, &["is_suspicious"]),
    ],
    writes: &[Writes::Edges(EdgeKind::PoisonedInstructions)],
    run,
    holds: None,
};

fn run(stage: &Stage<'_>) -> Output {
    let basis = stage.basis;
    let mut harvest = Harvest::default();
    for file in basis.nodes(NodeKind::InstructionFile).filter(|file| basis.is(*file, "is_suspicious")) {
        let reader = hops::easiest(basis, basis.view.incoming(EdgeKind::LoadsInstructions, file));
        let path = reader.map(|(_, agent)| Hop::along(EdgeKind::LoadsInstructions, agent, file));
        let edge = NewComposite { confidence: 1.0, weight: 0.7, collector: "config", detail: Detail::Poison };
        harvest.add((file, file), edge, path.as_slice());
    }
    Output::of_edges(EdgeKind::PoisonedInstructions, harvest)
}
