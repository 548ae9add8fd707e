//! The last look at a document as a whole: repeated nodes become one, edges that can't be are left out.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tracehound_model::{EdgeKind, NodeKind};

use super::covers;
use super::document::Reader;
use super::edge::DraftEdge;
use super::local_ids::{LocalId, LocalIds};
use super::parsed::{Head, Parsed, ParsedEdge, ParsedNode, Span, bytes_of};
use super::report::{WarningCode, Warnings, excerpt};
use crate::bag::Bag;
use crate::labels::Labels;
use crate::{Error, bag, packed_id};

/// Finishes a document, or refuses it with all that is wrong.
pub(super) fn settle(mut reader: Reader<'_>) -> Result<Parsed, Error> {
    let nodes = Nodes::settle(&mut reader);
    let draft = std::mem::take(&mut reader.head);
    let Some(collector) = draft.collector.filter(|_| reader.problems.is_empty()) else {
        return Err(Error::Invalid(reader.problems));
    };
    let mut edges = Vec::with_capacity(reader.edges.len());
    for (index, edge) in std::mem::take(&mut reader.edges).into_iter().enumerate() {
        match nodes.misfit(&edge) {
            None => {
                let DraftEdge { kind, source, target, bag, .. } = edge;
                edges.push(ParsedEdge { kind, source, target, bag });
            }
            Some(reason) => left_out(&mut reader.warnings, &reader.ids, index, &edge, &reason),
        }
    }
    join_repeated_edges(&mut reader, &mut edges);
    if !reader.problems.is_empty() {
        return Err(Error::Invalid(reader.problems));
    }
    let mut warnings = reader.warnings;
    let (origin, covers) = covers::origin_and_covers(&draft.extra, reader.limits.name_bytes, &mut warnings);
    let head = Head {
        collector,
        collector_version: draft.collector_version,
        scan_id: draft.scan_id,
        timestamp: draft.timestamp,
        origin,
        covers,
    };
    let (ids, buffer, keys) = (reader.ids, reader.buffer, reader.keys);
    Ok(Parsed { head, ids, buffer, nodes: nodes.rows, edges, keys, warnings })
}

fn left_out(warnings: &mut Warnings, ids: &LocalIds, index: usize, edge: &DraftEdge, reason: &str) {
    let message = || {
        let end = |id| excerpt(&packed_id::text(ids.get(id)));
        format!("{} from {} to {} is left out: {reason}", edge.kind, end(edge.source), end(edge.target))
    };
    warnings.add(WarningCode::EndpointMismatch, || format!("graph.edges[{index}]"), message);
}

/// Edges that stand more than once become one; later properties win. Collectors repeat edges freely, so this is no
/// cause for a warning. All mentions of an edge are joined at once: a document can't make us write more than it says.
fn join_repeated_edges(reader: &mut Reader<'_>, edges: &mut Vec<ParsedEdge>) {
    let mut first: FxHashMap<(EdgeKind, LocalId, LocalId), usize> = FxHashMap::default();
    first.reserve(edges.len());
    let mut kept: Vec<ParsedEdge> = Vec::with_capacity(edges.len());
    let mut repeats: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    for edge in edges.drain(..) {
        let position = *first.entry((edge.kind, edge.source, edge.target)).or_insert(kept.len());
        if position == kept.len() {
            kept.push(edge);
        } else {
            repeats.entry(position).or_default().push(edge.bag);
        }
    }
    for (position, later) in repeats {
        let Some(edge) = kept.get_mut(position) else { continue };
        let mentions = std::iter::once(edge.bag).chain(later);
        let joined = bag::overlay(mentions.map(|span| Bag(bytes_of(&reader.buffer, span))));
        edge.bag = append(reader, &joined);
    }
    *edges = kept;
}

fn append(reader: &mut Reader<'_>, bytes: &[u8]) -> Span {
    let start = reader.buffer.len();
    reader.buffer.extend_from_slice(bytes);
    reader.span_from(start)
}

/// The nodes of a document, each id once.
struct Nodes {
    rows: Vec<ParsedNode>,
    /// What each id that the document mentions is called, where it stands as a node.
    labels: Vec<Option<Labels>>,
}

impl Nodes {
    fn settle(reader: &mut Reader<'_>) -> Self {
        let mut rows: Vec<ParsedNode> = Vec::with_capacity(reader.nodes.len());
        let mut first: Vec<Option<usize>> = vec![None; reader.ids.len()];
        let mut repeats: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for (index, node) in std::mem::take(&mut reader.nodes).into_iter().enumerate() {
            let Some(first) = first.get_mut(node.id as usize) else { continue };
            let Some(position) = *first else {
                *first = Some(rows.len());
                rows.push(node);
                continue;
            };
            let id = excerpt(&packed_id::text(reader.ids.get(node.id)));
            let message = || format!("{id} stands more than once; later properties win");
            reader.warnings.add(WarningCode::DuplicateNode, || format!("graph.nodes[{index}].id"), message);
            repeats.entry(position).or_default().push(node.blob);
        }
        for (position, later) in repeats {
            if let Some(row) = rows.get_mut(position) {
                row.blob = join(reader, row.blob, later);
            }
        }
        let mut labels = vec![None; reader.ids.len()];
        for row in &rows {
            if let Some(slot) = labels.get_mut(row.id as usize) {
                *slot = Labels::split(bytes_of(&reader.buffer, row.blob)).map(|(labels, _)| labels);
            }
        }
        Self { rows, labels }
    }

    /// Why an edge can't be, as far as this document tells.
    fn misfit(&self, edge: &DraftEdge) -> Option<String> {
        let labels = |id: LocalId| self.labels.get(id as usize).copied().flatten();
        side(labels(edge.source), edge.source_kind, edge.kind.sources(), "source")
            .or_else(|| side(labels(edge.target), edge.target_kind, edge.kind.targets(), "target"))
    }
}

/// Makes one node of all its mentions.
fn join(reader: &mut Reader<'_>, first: Span, later: Vec<Span>) -> Span {
    let mentions = std::iter::once(first).chain(later);
    let split: Vec<(Labels, Bag<'_>)> =
        mentions.filter_map(|span| Labels::split(bytes_of(&reader.buffer, span))).collect();
    let Some(labels) = split.iter().map(|(labels, _)| *labels).reduce(Labels::with) else { return first };
    let mut blob = Vec::new();
    labels.write(&mut blob);
    blob.extend(bag::overlay(split.iter().map(|(_, bag)| *bag)));
    append(reader, &blob)
}

/// Why something can't be an end of an edge: what the document calls it counts, else what the edge claims it is.
fn side(node: Option<Labels>, claim: Option<NodeKind>, allowed: &[NodeKind], which: &str) -> Option<String> {
    let found = match (node, claim) {
        (Some(labels), _) if allowed.iter().any(|kind| labels.all & kind.bit() != 0) => return None,
        (Some(labels), _) => labels.primary,
        (None, Some(claim)) if may_be(claim, allowed) => return None,
        (None, Some(claim)) => claim,
        (None, None) => return None,
    };
    let names: Vec<&str> = allowed.iter().map(|kind| kind.name()).collect();
    Some(format!("its {which} is {found}, not {}", names.join(" or ")))
}

/// Whether something called `claim` may turn out to be of an allowed kind: the umbrella stands for any service.
fn may_be(claim: NodeKind, allowed: &[NodeKind]) -> bool {
    allowed.iter().any(|kind| *kind == claim || kind.umbrella() == Some(claim) || claim.umbrella() == Some(*kind))
}
