//! What answers about estates are made of.
//!
//! Names and texts in them come from scanned systems and are sent as they are: whoever shows them escapes them.

use serde::{Deserialize, Serialize};
use tracehound_analyze::Picture;
use tracehound_analyze::derived::Via;
use tracehound_analyze::findings::{Fate, Found, List};
use tracehound_analyze::naming::{self, Unfound};
use tracehound_analyze::terrain::{Trail, TrailHop};
use tracehound_graph::{EdgeIx, Moment, NodeIx, ScanRecord, View};
use tracehound_model::{
    Collector, Direction, EdgeKind, Finding, Fingerprint, NodeKind, Place, Severity, Standard, Subject, TriageState,
};

use crate::problem::Problem;

/// A node as it is named in answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct NodeRef {
    pub(crate) id: String,
    pub(crate) kind: NodeKind,
    /// What people call it.
    pub(crate) name: String,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct FilePlace {
    pub(crate) file: String,
    /// Counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// Counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u64>,
}

/// One hop of a path, as it is walked.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Step {
    /// The kind of the edge; `same-secret` between two copies of a secret, `reads` where a tool can read a secret.
    pub(crate) kind: String,
    /// From where it is walked.
    pub(crate) source: NodeRef,
    /// To where it is walked.
    pub(crate) target: NodeRef,
    /// Whether the edge points the other way.
    pub(crate) reversed: bool,
    /// Whether it was derived, not seen.
    pub(crate) composite: bool,
    /// How hard it is, from 0 (free) to 1.
    pub(crate) weight: f64,
    /// How sure we are, from 0 to 1; of hops that are no edges nothing is said.
    pub(crate) confidence: Option<f64>,
    /// Why it is there, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evidence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<FilePlace>,
}

/// A path from one node to another.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct FoundPath {
    /// The sum of the steps' weights.
    pub(crate) weight: f64,
    pub(crate) hops: usize,
    pub(crate) steps: Vec<Step>,
}

/// A finding in a list.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingRow {
    /// Its name from scan to scan.
    #[schema(value_type = String)]
    pub(crate) fingerprint: Fingerprint,
    /// The kind of an edge, or the id of a check or rule.
    pub(crate) kind: String,
    #[schema(inline)]
    pub(crate) severity: Severity,
    /// How sure we are, from 0 to 1.
    pub(crate) confidence: Option<f64>,
    pub(crate) title: String,
    /// Who it is about.
    pub(crate) subject: NodeRef,
    /// The other party, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<NodeRef>,
    /// The entries of OWASP's lists that it falls under.
    pub(crate) owasp: Vec<String>,
    /// Where its cause stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<FilePlace>,
    /// What people think of it.
    pub(crate) status: TriageState,
    /// What became of it since another point, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline)]
    pub(crate) lifecycle: Option<LifecycleName>,
}

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LifecycleName {
    /// It was never there before.
    New,
    /// It was gone and is there again.
    Reopened,
    /// It was there and still is.
    Persisting,
    /// It was there and is gone.
    Fixed,
}

/// A scan in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct ScanRow {
    pub(crate) scan_id: String,
    /// Who observed.
    pub(crate) collector: Collector,
    pub(crate) collector_version: String,
    /// The machine that it speaks for, if it names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) time: Moment,
    /// When it was made, as the document says.
    pub(crate) timestamp: String,
    /// When it came in.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) received: Moment,
    /// Nodes in the document.
    pub(crate) nodes: u64,
    /// Edges in the document.
    pub(crate) edges: u64,
    /// What was put right or left out when it was read.
    pub(crate) warnings: u64,
    /// The document's size in bytes.
    pub(crate) size: u64,
    /// Hex SHA-256 of the document.
    pub(crate) sha256: String,
}

/// A scan as others speak of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct ScanRef {
    pub(crate) scan_id: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) time: Moment,
}

/// An entry of a public catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct StandardRef {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl NodeRef {
    /// A node of a view.
    pub(crate) fn new(view: &dyn View, node: NodeIx) -> Self {
        Self { id: view.id(node).into_owned(), kind: view.kind(node), name: view.name(node).into_owned() }
    }
}

impl From<&Subject> for NodeRef {
    fn from(subject: &Subject) -> Self {
        Self { id: subject.id.as_str().to_owned(), kind: subject.kind, name: subject.name.clone() }
    }
}

impl FilePlace {
    /// The file and line that an edge says it stands in.
    pub(crate) fn of_edge(view: &dyn View, edge: EdgeIx) -> Option<Self> {
        let file = view.edge_property(edge, "file")?.as_text().filter(|file| !file.is_empty())?.to_owned();
        let number =
            |key| view.edge_property(edge, key).and_then(|value| value.as_number()).map(|number| number as u64);
        Some(Self { file, line: number("line"), column: number("column") })
    }
}

impl From<&Place> for FilePlace {
    fn from(place: &Place) -> Self {
        Self { file: place.file.clone(), line: Some(place.line.into()), column: Some(place.column.into()) }
    }
}

impl Step {
    /// A hop of a trail.
    pub(crate) fn of_hop(picture: &Picture<'_>, hop: &TrailHop) -> Self {
        let (composite, confidence) = of_kind(picture, hop.edge);
        Self {
            kind: hop.kind_name().to_owned(),
            source: NodeRef::new(picture, hop.from),
            target: NodeRef::new(picture, hop.to),
            reversed: matches!(hop.via, Via::Against(_)),
            composite: composite || matches!(hop.via, Via::Along(kind) | Via::Against(kind) if !kind.is_input()),
            weight: hop.weight,
            confidence,
            evidence: Some(hop.evidence(picture)),
            place: hop.edge.and_then(|edge| FilePlace::of_edge(picture, edge)),
        }
    }

    /// A step of the path that a finding rests on.
    pub(crate) fn of_finding(picture: &Picture<'_>, step: &tracehound_model::Step) -> Self {
        let reversed = step.direction == Some(Direction::Against);
        let (from, to) = if reversed { (&step.to, &step.from) } else { (&step.from, &step.to) };
        let kind = EdgeKind::from_name(&step.kind);
        let edge = kind
            .and_then(|kind| picture.outgoing(kind, picture.find(from.id.as_str())?).to(picture.find(to.id.as_str())?));
        let told = edge.and_then(|edge| picture.edge_property(edge, "evidence"));
        let told = told.as_ref().and_then(|value| value.as_text()).filter(|text| !text.is_empty());
        Self {
            kind: step.kind.clone(),
            source: NodeRef::from(&step.from),
            target: NodeRef::from(&step.to),
            reversed,
            composite: kind.is_some_and(|kind| !kind.is_input()),
            weight: step.weight,
            confidence: of_kind(picture, edge).1,
            evidence: Some(told.map_or_else(|| step.words.clone(), str::to_owned)),
            place: edge.and_then(|edge| FilePlace::of_edge(picture, edge)),
        }
    }
}

/// Whether an edge was derived, and how sure it is. What was seen and does not say is certain.
fn of_kind(picture: &Picture<'_>, edge: Option<EdgeIx>) -> (bool, Option<f64>) {
    let Some(edge) = edge else { return (false, None) };
    if let Some(composite) = picture.analysis.derived.get(edge).filter(|_| !edge.kind.is_input()) {
        return (true, Some(composite.confidence));
    }
    let told = picture.edge_property(edge, "confidence").and_then(|value| value.as_number());
    (false, Some(told.unwrap_or(1.0)))
}

impl FoundPath {
    /// A trail.
    pub(crate) fn new(picture: &Picture<'_>, trail: &Trail) -> Self {
        let steps: Vec<Step> = trail.hops.iter().map(|hop| Step::of_hop(picture, hop)).collect();
        Self { weight: trail.weight, hops: steps.len(), steps }
    }
}

impl FindingRow {
    /// A finding of a list, with what people think of it.
    pub(crate) fn new<'a>(
        list: &List<'a>,
        found: &Found<'a>,
        status: TriageState,
        lifecycle: Option<Fate>,
    ) -> Option<Self> {
        list.render(found).map(|finding| Self::of(&finding, status, lifecycle))
    }

    /// A finding in words, with what people think of it.
    pub(crate) fn of(finding: &Finding, status: TriageState, lifecycle: Option<Fate>) -> Self {
        let is_about_two = finding.source.id != finding.target.id;
        Self {
            fingerprint: finding.fingerprint,
            kind: finding.kind.clone(),
            severity: finding.severity,
            confidence: Some(finding.confidence),
            title: finding.title.clone(),
            subject: NodeRef::from(&finding.source),
            object: is_about_two.then(|| NodeRef::from(&finding.target)),
            owasp: finding.standards.iter().filter(|it| is_owasp(&it.id)).map(|it| it.id.clone()).collect(),
            place: finding.place.as_ref().map(FilePlace::from),
            status,
            lifecycle: lifecycle.map(LifecycleName::from),
        }
    }
}

/// Whether a catalogue entry is one of OWASP's lists for MCP, agents and skills.
pub(crate) fn is_owasp(id: &str) -> bool {
    ["MCP", "ASI", "AST"].iter().any(|list| id.starts_with(list))
}

impl From<Fate> for LifecycleName {
    fn from(fate: Fate) -> Self {
        match fate {
            Fate::New => Self::New,
            Fate::Reopened => Self::Reopened,
            Fate::Persisting => Self::Persisting,
            Fate::Fixed => Self::Fixed,
        }
    }
}

impl From<&ScanRecord> for ScanRow {
    fn from(scan: &ScanRecord) -> Self {
        Self {
            scan_id: scan.scan_id.clone(),
            collector: scan.collector,
            collector_version: scan.collector_version.clone(),
            origin: Some(scan.origin.clone()).filter(|origin| !origin.is_empty()),
            time: scan.time,
            timestamp: scan.timestamp.clone(),
            received: scan.ingested,
            nodes: scan.nodes,
            edges: scan.edges,
            warnings: scan.warnings,
            size: scan.bytes,
            sha256: scan.sha256.clone(),
        }
    }
}

impl From<&ScanRecord> for ScanRef {
    fn from(scan: &ScanRecord) -> Self {
        Self { scan_id: scan.scan_id.clone(), time: scan.time }
    }
}

impl From<&Standard> for StandardRef {
    fn from(standard: &Standard) -> Self {
        Self { id: standard.id.clone(), name: standard.name.clone() }
    }
}

/// The node that a text names: by its id, the beginning of one, its name or its address.
pub(crate) fn find_node(view: &dyn View, text: &str) -> Result<NodeIx, Problem> {
    naming::find(view, text).map_err(|unfound| not_found(&unfound))
}

/// That a text names no node, or too many; with what may have been meant.
pub(crate) fn not_found(unfound: &Unfound) -> Problem {
    let detail = unfound.to_string();
    match unfound {
        Unfound::Unknown { suggestions, .. } => {
            let meant = suggestions.iter().map(|text| serde_json::json!({ "suggestion": text })).collect();
            Problem::new(axum::http::StatusCode::NOT_FOUND, "node_not_found", detail).with(meant)
        }
        Unfound::Ambiguous { candidates, .. } => {
            let meant = candidates.iter().map(|candidate| serde_json::json!({ "suggestion": candidate.to_string() }));
            Problem::invalid("node_ambiguous", detail).with(meant.collect())
        }
    }
}
