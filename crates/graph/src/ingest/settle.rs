//! The last look at a document as a whole: repeated nodes become one, edges that can't be are left out.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use tracehound_model::{EdgeKind, NodeKind};

use super::covers;
use super::document::{DraftEdge, Reader};
use super::parsed::{Head, Parsed, ParsedEdge, ParsedNode, Span, bytes_of};
use super::report::{WarningCode, Warnings, excerpt};
use crate::bag::Bag;
use crate::labels::Labels;
use crate::{Error, bag, packed_id};

/// Finishes a document, or refuses it with all that is wrong.
pub(super) fn settle(mut reader: Reader<'_>) -> Result<Parsed, Error> {
    let nodes = NodeTable::build(&mut reader);
    let draft = std::mem::take(&mut reader.head);
    let Some(collector) = draft.collector.filter(|_| reader.problems.is_empty()) else {
        return Err(Error::Invalid(reader.problems));
    };
    let mut edges = Vec::with_capacity(reader.edges.len());
    for (index, edge) in std::mem::take(&mut reader.edges).into_iter().enumerate() {
        match nodes.misfit(&reader.buffer, &edge) {
            None => {
                let DraftEdge { kind, source, target, bag, .. } = edge;
                edges.push(ParsedEdge { kind, source, target, bag });
            }
            Some(reason) => left_out(&mut reader.warnings, &reader.buffer, index, &edge, &reason),
        }
    }
    join_repeated_edges(&mut reader, &mut edges);
    if !reader.problems.is_empty() {
        return Err(Error::Invalid(reader.problems));
    }
    let mut warnings = reader.warnings;
    let head = Head {
        collector,
        collector_version: draft.collector_version,
        scan_id: draft.scan_id,
        timestamp: draft.timestamp,
        origin: covers::origin(&draft.extra, reader.limits.name_bytes),
        covers: covers::covers(&draft.extra, &mut warnings),
    };
    Ok(Parsed { head, buffer: reader.buffer, nodes: nodes.rows, edges, keys: reader.keys, warnings })
}

fn left_out(warnings: &mut Warnings, buffer: &[u8], index: usize, edge: &DraftEdge, reason: &str) {
    let message = || {
        let end = |span| excerpt(&packed_id::text(bytes_of(buffer, span)));
        format!("{} from {} to {} is left out: {reason}", edge.kind, end(edge.source), end(edge.target))
    };
    warnings.add(WarningCode::EndpointMismatch, || format!("graph.edges[{index}]"), message);
}

/// Edges that stand more than once become one; later properties win. Collectors repeat edges freely, so this is no
/// cause for a warning. All mentions of an edge are joined at once: a document can't make us write more than it says.
fn join_repeated_edges(reader: &mut Reader<'_>, edges: &mut Vec<ParsedEdge>) {
    let hasher = RandomState::default();
    let mut table: HashTable<u32> = HashTable::with_capacity(edges.len());
    let mut kept: Vec<ParsedEdge> = Vec::with_capacity(edges.len());
    let mut repeats: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    let buffer = reader.buffer.as_slice();
    let key = |edge: &ParsedEdge| (edge.kind, bytes_of(buffer, edge.source), bytes_of(buffer, edge.target));
    for edge in edges.drain(..) {
        let hash = hasher.hash_one(key(&edge));
        let is_same = |other: &u32| kept.get(*other as usize).is_some_and(|other| key(other) == key(&edge));
        if let Some(first) = table.find(hash, is_same) {
            repeats.entry(*first).or_default().push(edge.bag);
            continue;
        }
        let position = kept.len() as u32;
        kept.push(edge);
        let rehash = |other: &u32| kept.get(*other as usize).map_or(0, |other| hasher.hash_one(key(other)));
        table.insert_unique(hash, position, rehash);
    }
    for (first, later) in repeats {
        let Some(edge) = kept.get_mut(first as usize) else { continue };
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

/// The nodes of a document, each id once, found by id.
struct NodeTable {
    rows: Vec<ParsedNode>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl NodeTable {
    fn build(reader: &mut Reader<'_>) -> Self {
        let count = reader.nodes.len();
        let hasher = RandomState::default();
        let mut nodes = Self { rows: Vec::with_capacity(count), table: HashTable::with_capacity(count), hasher };
        let mut repeats: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for (index, node) in std::mem::take(&mut reader.nodes).into_iter().enumerate() {
            let Some(first) = nodes.position(&reader.buffer, node.id) else {
                nodes.insert(&reader.buffer, node);
                continue;
            };
            let id = excerpt(&packed_id::text(bytes_of(&reader.buffer, node.id)));
            let message = || format!("{id} stands more than once; later properties win");
            reader.warnings.add(WarningCode::DuplicateNode, || format!("graph.nodes[{index}].id"), message);
            repeats.entry(first).or_default().push(node.blob);
        }
        for (first, later) in repeats {
            nodes.join(reader, first, later);
        }
        nodes
    }

    fn insert(&mut self, buffer: &[u8], node: ParsedNode) {
        let hash = self.hasher.hash_one(bytes_of(buffer, node.id));
        let position = self.rows.len() as u32;
        self.rows.push(node);
        let (rows, hasher) = (&self.rows, &self.hasher);
        self.table.insert_unique(hash, position, |other| {
            rows.get(*other as usize).map_or(0, |row| hasher.hash_one(bytes_of(buffer, row.id)))
        });
    }

    fn position(&self, buffer: &[u8], id: Span) -> Option<usize> {
        let id = bytes_of(buffer, id);
        let is_same = |other: &u32| self.rows.get(*other as usize).is_some_and(|row| bytes_of(buffer, row.id) == id);
        self.table.find(self.hasher.hash_one(id), is_same).map(|position| *position as usize)
    }

    /// Makes one node of all its mentions.
    fn join(&mut self, reader: &mut Reader<'_>, first: usize, later: Vec<Span>) {
        let Some(row) = self.rows.get_mut(first) else { return };
        let mentions = std::iter::once(row.blob).chain(later);
        let split: Vec<(Labels, Bag<'_>)> =
            mentions.filter_map(|span| Labels::split(bytes_of(&reader.buffer, span))).collect();
        let Some(labels) = split.iter().map(|(labels, _)| *labels).reduce(Labels::with) else { return };
        let mut blob = Vec::new();
        labels.write(&mut blob);
        blob.extend(bag::overlay(split.iter().map(|(_, bag)| *bag)));
        row.blob = append(reader, &blob);
    }

    /// Why an edge can't be, as far as this document tells.
    fn misfit(&self, buffer: &[u8], edge: &DraftEdge) -> Option<String> {
        let labels = |id| {
            let row = self.rows.get(self.position(buffer, id)?)?;
            Labels::split(bytes_of(buffer, row.blob)).map(|(labels, _)| labels)
        };
        let side = |node: Option<Labels>, claim: Option<NodeKind>, allowed: &[NodeKind], which: &str| {
            let found = match (node, claim) {
                (Some(labels), _) if allowed.iter().any(|kind| labels.all & kind.bit() != 0) => return None,
                (Some(labels), _) => labels.primary,
                (None, Some(claim)) if may_be(claim, allowed) => return None,
                (None, Some(claim)) => claim,
                (None, None) => return None,
            };
            let names: Vec<&str> = allowed.iter().map(|kind| kind.name()).collect();
            Some(format!("its {which} is {found}, not {}", names.join(" or ")))
        };
        let kind: EdgeKind = edge.kind;
        side(labels(edge.source), edge.source_kind, kind.sources(), "source")
            .or_else(|| side(labels(edge.target), edge.target_kind, kind.targets(), "target"))
    }
}

/// Whether something called `claim` may turn out to be of an allowed kind: the umbrella stands for any service.
fn may_be(claim: NodeKind, allowed: &[NodeKind]) -> bool {
    allowed.iter().any(|kind| *kind == claim || kind.umbrella() == Some(claim) || claim.umbrella() == Some(*kind))
}
