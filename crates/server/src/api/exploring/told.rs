//! Nodes, edges and findings, told as parts of answers.

use tracehound_analyze::Picture;
use tracehound_analyze::basis::Basis;
use tracehound_analyze::derived::Composite;
use tracehound_analyze::findings::Found;
use tracehound_analyze::naming::Marks;
use tracehound_analyze::scores::RISK_SCORE;
use tracehound_graph::{EdgeIx, NodeIx, View as _};
use tracehound_model::{Mark, NodeId, Severity, TriageState};

use super::shape::{GraphEdge, GraphNode};
use crate::api::estate_shape::FindingRow;
use crate::estate::{At, Said};

/// What is looked at to tell of nodes and edges.
pub(crate) struct Teller<'t, 'a> {
    at: &'t At<'a>,
    picture: Picture<'a>,
    basis: Basis<'a>,
    said: &'t Said,
    /// The worst finding about each node, by number.
    severities: Vec<Option<Severity>>,
}

impl<'t, 'a> Teller<'t, 'a> {
    /// Growth: linear in nodes and findings.
    pub(crate) fn new(at: &'t At<'a>, said: &'t Said) -> Self {
        let picture = at.picture();
        Self { at, picture, basis: Basis::new(picture.view), said, severities: severities(at, said) }
    }

    /// How bad the worst finding about a node is that nobody let stand.
    pub(crate) fn severity(&self, node: NodeIx) -> Option<Severity> {
        self.severities.get(node.0 as usize).copied().flatten()
    }

    /// A node.
    pub(crate) fn node(&self, node: NodeIx) -> GraphNode {
        let picture = &self.picture;
        let id = picture.id(node).into_owned();
        let mark = mark_of(&self.said.marks, &id);
        let seen = ((node.0 as usize) < self.at.graph.node_count()).then(|| self.at.graph.node(node));
        GraphNode {
            kind: picture.kind(node),
            name: picture.name(node).into_owned(),
            risk_score: picture.property(node, RISK_SCORE).and_then(|score| score.as_number()),
            severity: self.severity(node),
            degree: self.at.listing().degree(node),
            owned: mark == Some(Mark::Owned),
            crown_jewel: mark == Some(Mark::CrownJewel),
            origins: self.at.listing().origins(node).to_vec(),
            first_seen: seen.map(|seen| seen.first_scan().time),
            last_seen: seen.map(|seen| seen.last_scan().time),
            id,
        }
    }

    /// An edge.
    pub(crate) fn edge(&self, edge: EdgeIx) -> GraphEdge {
        let (source, target) = self.picture.ends(edge);
        let derived = composite(&self.picture, edge);
        let origins = self.picture.origins(edge).unwrap_or_default();
        GraphEdge {
            kind: edge.kind,
            source: self.picture.id(source).into_owned(),
            target: self.picture.id(target).into_owned(),
            composite: !edge.kind.is_input(),
            confidence: confidence(&self.picture, edge),
            weight: derived.map_or_else(|| self.basis.weight(edge), |derived| derived.weight),
            origins: origins.into_iter().map(|origin| origin.into_owned()).collect(),
        }
    }
}

/// How sure we are of an edge. What was seen and does not say is certain.
pub(crate) fn confidence(picture: &Picture<'_>, edge: EdgeIx) -> f64 {
    if let Some(composite) = composite(picture, edge) {
        return composite.confidence;
    }
    picture.edge_property(edge, "confidence").and_then(|value| value.as_number()).unwrap_or(1.0)
}

/// What is known of an edge that was derived.
pub(crate) fn composite<'p>(picture: &Picture<'p>, edge: EdgeIx) -> Option<&'p Composite> {
    if edge.kind.is_input() { None } else { picture.analysis.derived.get(edge) }
}

/// What people say about a node.
pub(crate) fn mark_of(marks: &Marks, id: &str) -> Option<Mark> {
    if marks.is_empty() { None } else { marks.get(&NodeId::from_wire(id)).copied() }
}

/// What people think of a finding.
pub(crate) fn status_of(said: &Said, found: &Found<'_>) -> TriageState {
    let decision = said.decisions.get(&found.fingerprint);
    decision.map_or(TriageState::New, |decision| decision.state_at(found.severity))
}

/// A finding as a row.
pub(crate) fn row<'a>(at: &At<'a>, said: &Said, found: &Found<'a>) -> Option<FindingRow> {
    FindingRow::new(at.findings(), found, status_of(said, found), None)
}

/// The findings about which something holds, in the order of the list: the first of them, and how many there are.
pub(crate) fn rows<'a>(
    at: &At<'a>,
    said: &Said,
    most: usize,
    is_meant: impl Fn(&Found<'a>) -> bool,
) -> (Vec<FindingRow>, usize) {
    let meant: Vec<&Found<'a>> = at.findings().iter().filter(|found| is_meant(found)).collect();
    let rows = meant.iter().take(most).filter_map(|found| row(at, said, found)).collect();
    (rows, meant.len())
}

fn severities(at: &At<'_>, said: &Said) -> Vec<Option<Severity>> {
    let mut worst = vec![None; at.picture().node_count()];
    for found in at.findings().iter() {
        if !said.decisions.is_empty() && status_of(said, found).is_suppressing() {
            continue;
        }
        if let Some(known) = worst.get_mut(found.source.0 as usize) {
            *known = (*known).max(Some(found.severity));
        }
    }
    worst
}
