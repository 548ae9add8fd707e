//! `POISONED_DESCRIPTION` and `POISONED_INSTRUCTIONS`: texts that instruct whoever reads them.

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::compare;
use crate::expected::{Expected, Reader as _, cost};

/// The line of the easiest edge of a kind that ends at a node.
fn witness(graph: &Graph, kind: EdgeKind, node: &str) -> Vec<String> {
    let sources = graph.from(node, kind).into_iter();
    let first = sources.map(|source| (cost(graph, &source, kind, node), source)).min();
    first.map(|(_, source)| format!("{source} {} {node}", kind.name())).into_iter().collect()
}

#[test]
fn descriptions_are_as_defined() {
    compare(EdgeKind::PoisonedDescription, |graph| {
        let tools = graph.all("MCPTool").into_iter().filter(|tool| graph.is(tool, "has_injection_patterns"));
        tools
            .map(|tool| {
                let path = witness(graph, EdgeKind::ProvidesTool, &tool);
                Expected::new(&tool, &tool, 1.0, 0.8, "mcp", path)
            })
            .collect()
    });
}

#[test]
fn instructions_are_as_defined() {
    compare(EdgeKind::PoisonedInstructions, |graph| {
        let files = graph.all("InstructionFile").into_iter().filter(|file| graph.is(file, "is_suspicious"));
        files
            .map(|file| {
                let path = witness(graph, EdgeKind::LoadsInstructions, &file);
                Expected::new(&file, &file, 1.0, 0.7, "config", path)
            })
            .collect()
    });
}
