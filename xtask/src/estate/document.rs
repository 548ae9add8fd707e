//! One wire document in the making: nodes and edges are appended as bytes, the head is written last.

use anyhow::Result;
use serde::Serialize;
use tracehound_model::wire::{self, Covers, Endpoint};
use tracehound_model::{Collector, EdgeKind, NodeId, NodeKind};

use super::Summary;

/// Room for the head without its covered nodes, and for the brackets around the lists.
const HEAD_BYTES: usize = 1024;
/// An id with its quotes and comma.
const ID_BYTES: usize = 74;
/// 2026-01-01, in days since 1970-01-01.
const FIRST_DAY: usize = 20_454;

/// A relation to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relation<'a> {
    kind: EdgeKind,
    source: Endpoint<'a>,
    target: Endpoint<'a>,
    evidence: &'a str,
    risk_weight: f64,
    place: Option<Place<'a>>,
    source_trust: Option<&'a str>,
}

impl<'a> Relation<'a> {
    /// A relation, with the weight that collectors give its kind.
    pub(super) fn new(kind: EdgeKind, source: Endpoint<'a>, target: Endpoint<'a>, evidence: &'a str) -> Self {
        Self { kind, source, target, evidence, risk_weight: usual_weight(kind), place: None, source_trust: None }
    }

    /// With this weight in place of the usual one.
    pub(super) fn weighing(self, risk_weight: f64) -> Self {
        Self { risk_weight, ..self }
    }

    /// Made by a configuration file, at this place.
    pub(super) fn at(self, place: Place<'a>) -> Self {
        Self { place: Some(place), ..self }
    }

    /// Bringing in content from such a source.
    pub(super) fn labelled(self, source_trust: &'a str) -> Self {
        Self { source_trust: Some(source_trust), ..self }
    }
}

/// A place in a configuration file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A document in the making.
#[derive(Debug)]
pub(super) struct Document {
    scan_id: String,
    timestamp: String,
    origin: String,
    nodes: Vec<u8>,
    edges: Vec<u8>,
    covers: Vec<NodeId>,
    /// What this document and those before it hold.
    made: Summary,
}

/// How far a document was written.
#[derive(Debug)]
pub(super) struct Mark {
    nodes: usize,
    edges: usize,
    covers: usize,
    made: Summary,
}

impl Document {
    /// The document with this number, after those that `made` sums up.
    pub(super) fn new(seed: u64, number: usize, made: Summary) -> Self {
        Self {
            scan_id: format!("estate-{seed}-{number:05}"),
            timestamp: timestamp(number),
            origin: format!("machines-{number:05}"),
            nodes: Vec::new(),
            edges: Vec::new(),
            covers: Vec::new(),
            made,
        }
    }

    /// Writes a node.
    pub(super) fn node(&mut self, id: &NodeId, kind: NodeKind, properties: &impl Serialize) -> Result<()> {
        match kind.umbrella() {
            Some(umbrella) => append(&mut self.nodes, &Node { id, kinds: &[kind, umbrella], properties })?,
            None => append(&mut self.nodes, &Node { id, kinds: &[kind], properties })?,
        }
        *self.made.nodes.entry(kind).or_default() += 1;
        Ok(())
    }

    /// Writes an edge.
    pub(super) fn edge(&mut self, relation: &Relation<'_>) -> Result<()> {
        let place = relation.place;
        let edge = Edge {
            source: relation.source.0,
            target: relation.target.0,
            kind: relation.kind,
            source_kind: relation.source.1,
            target_kind: relation.target.1,
            properties: EdgeProperties {
                column: place.map(|place| place.column),
                confidence: confidence(relation.kind),
                evidence: relation.evidence,
                file: place.map(|place| place.file),
                is_composite: false,
                last_seen: &self.timestamp,
                line: place.map(|place| place.line),
                origin: &self.origin,
                risk_weight: relation.risk_weight,
                scan_id: &self.scan_id,
                source_trust: relation.source_trust,
            },
        };
        append(&mut self.edges, &edge)?;
        *self.made.edges.entry(relation.kind).or_default() += 1;
        Ok(())
    }

    /// Says that everything below this node is in this document.
    pub(super) fn covers(&mut self, id: &NodeId) {
        self.covers.push(id.clone());
    }

    /// No smaller than the document will be.
    pub(super) fn size(&self) -> usize {
        self.nodes.len() + self.edges.len() + self.covers.len() * ID_BYTES + HEAD_BYTES
    }

    /// How far it is written.
    pub(super) fn mark(&self) -> Mark {
        let made = self.made.clone();
        Mark { nodes: self.nodes.len(), edges: self.edges.len(), covers: self.covers.len(), made }
    }

    /// Takes back what was written since the mark.
    pub(super) fn take_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.edges.truncate(mark.edges);
        self.covers.truncate(mark.covers);
        self.made = mark.made;
    }

    /// Whether nothing was written yet.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.edges.is_empty()
    }

    /// The document as bytes, and what was made up to its end.
    pub(super) fn finish(self) -> Result<(Vec<u8>, Summary)> {
        let mut bytes = Vec::with_capacity(self.size());
        let mut meta = wire::Document::new(Collector::Scan, &self.scan_id, &self.timestamp).meta;
        meta.extra.origin = Some(self.origin);
        meta.extra.covers = Some(Covers { nodes: self.covers, ports: Vec::new() });
        bytes.extend_from_slice(br#"{"meta":"#);
        serde_json::to_writer(&mut bytes, &meta)?;
        bytes.extend_from_slice(br#","graph":{"nodes":["#);
        bytes.extend_from_slice(&self.nodes);
        bytes.extend_from_slice(br#"],"edges":["#);
        bytes.extend_from_slice(&self.edges);
        bytes.extend_from_slice(b"]}}");
        let mut made = self.made;
        made.documents += 1;
        made.bytes += bytes.len() as u64;
        Ok((bytes, made))
    }
}

#[derive(Serialize)]
struct Node<'a, P> {
    id: &'a NodeId,
    kinds: &'a [NodeKind],
    properties: &'a P,
}

#[derive(Serialize)]
struct Edge<'a> {
    source: &'a NodeId,
    target: &'a NodeId,
    kind: EdgeKind,
    source_kind: NodeKind,
    target_kind: NodeKind,
    properties: EdgeProperties<'a>,
}

// INVARIANT: fields stand in the order of their names, which is the order of keys on the wire.
#[derive(Serialize)]
struct EdgeProperties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    confidence: f64,
    evidence: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    is_composite: bool,
    last_seen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    origin: &'a str,
    risk_weight: f64,
    scan_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_trust: Option<&'a str>,
}

fn append(list: &mut Vec<u8>, item: &impl Serialize) -> Result<()> {
    if !list.is_empty() {
        list.push(b',');
    }
    serde_json::to_writer(list, item)?;
    Ok(())
}

fn confidence(kind: EdgeKind) -> f64 {
    match kind {
        EdgeKind::IngestsUntrusted => 0.6,
        EdgeKind::DelegatesTo => 0.7,
        EdgeKind::SameAuthDomain => 0.9,
        _ => 1.0,
    }
}

fn usual_weight(kind: EdgeKind) -> f64 {
    match kind {
        EdgeKind::ProvidesTool
        | EdgeKind::ProvidesPrompt
        | EdgeKind::AdvertisesSkill
        | EdgeKind::ExposesCredential
        | EdgeKind::ProvidesModel => 0.1,
        EdgeKind::ProvidesResource => 0.2,
        EdgeKind::IngestsUntrusted => 0.3,
        EdgeKind::UsesCredential | EdgeKind::Exposes => 0.5,
        _ => 0.0,
    }
}

/// One minute per document from the start of 2026 on, as RFC 3339.
fn timestamp(number: usize) -> String {
    let (days, minute) = (FIRST_DAY + number / 1440, number % 1440);
    // The civil calendar in eras of 400 years that start on 1 March, so that the leap day comes last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:00Z", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn documents_are_a_minute_apart() {
        for (number, expected) in [
            (0, "2026-01-01T00:00:00Z"),
            (61, "2026-01-01T01:01:00Z"),
            (1440 * 59, "2026-03-01T00:00:00Z"),
            (1440 * 365, "2027-01-01T00:00:00Z"),
            (1440 * (365 + 365 + 59), "2028-02-29T00:00:00Z"),
        ] {
            assert_eq!(timestamp(number), expected);
        }
    }
}
