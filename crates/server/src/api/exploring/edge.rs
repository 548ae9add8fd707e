//! Everything about one edge.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracehound_analyze::Picture;
use tracehound_analyze::basis::weight;
use tracehound_analyze::derived::Hop;
use tracehound_analyze::terrain::TrailHop;
use tracehound_analyze::words;
use tracehound_graph::{EdgeIx, Moment, View as _};
use tracehound_model::EdgeKind;

use super::one_edge_kind;
use super::told::{composite, confidence, rows};
use crate::App;
use crate::api::estate_shape::{FilePlace, FindingRow, NodeRef, Step, find_node};
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Findings that are told with an edge.
const FINDINGS: usize = 100;

/// Which edge.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub(crate) struct EdgeAsked {
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    at: Option<String>,
    /// Where it starts: an id or a name.
    source: String,
    /// Where it ends: an id or a name.
    target: String,
    /// What it means.
    kind: String,
}

/// Everything about an edge.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct EdgeDetail {
    pub(crate) kind: EdgeKind,
    pub(crate) source: NodeRef,
    pub(crate) target: NodeRef,
    /// Whether it was derived, not seen.
    pub(crate) composite: bool,
    /// How hard it is to walk, from 0 (free) to 1.
    pub(crate) weight: f64,
    /// How sure we are, from 0 to 1.
    pub(crate) confidence: f64,
    /// Why it is there, in words.
    pub(crate) evidence: Option<String>,
    /// The hops that a derived edge rests on.
    pub(crate) witness: Vec<Step>,
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    pub(crate) properties: BTreeMap<String, Value>,
    /// The machines on which it is seen; derived ones name none.
    pub(crate) origins: Vec<String>,
    /// When it was seen first; of derived ones nothing is said.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) first_seen: Option<Moment>,
    /// When it was seen last.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(crate) last_seen: Option<Moment>,
    pub(crate) place: Option<FilePlace>,
    /// The findings between its ends.
    pub(crate) findings: Vec<FindingRow>,
    /// How many there are.
    pub(crate) findings_total: usize,
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<EdgeAsked>,
) -> Result<Json<EdgeDetail>, Problem> {
    let kind = one_edge_kind(&asked.kind)?;
    let look = move |at: &At<'_>, said: &Said| {
        let picture = at.picture();
        let (source, target) = (find_node(&picture, &asked.source)?, find_node(&picture, &asked.target)?);
        let edge = picture.outgoing(kind, source).to(target).ok_or_else(|| {
            let (from, to) = (picture.name(source), picture.name(target));
            let detail = format!("there is no {kind} from `{from}` to `{to}`");
            Problem::new(StatusCode::NOT_FOUND, "edge_not_found", detail)
        })?;
        Ok(Json(detail(at, said, edge)))
    };
    app.at(&caller.tenant, asked.at.as_deref(), look).await
}

fn detail(at: &At<'_>, said: &Said, edge: EdgeIx) -> EdgeDetail {
    let picture = at.picture();
    let (source, target) = picture.ends(edge);
    let (findings, findings_total) = rows(at, said, FINDINGS, |found| found.source == source && found.target == target);
    let told = picture.edge_property(edge, "evidence");
    let evidence = told.and_then(|value| value.as_text().map(str::to_owned)).filter(|text| !text.is_empty());
    let seen = edge.kind.is_input().then(|| at.graph.edge(edge));
    EdgeDetail {
        kind: edge.kind,
        source: NodeRef::new(&picture, source),
        target: NodeRef::new(&picture, target),
        composite: !edge.kind.is_input(),
        weight: weight_of(&picture, edge),
        confidence: confidence(&picture, edge),
        evidence,
        witness: witness(&picture, edge),
        properties: properties(at, &picture, edge),
        origins: picture.origins(edge).unwrap_or_default().into_iter().map(|origin| origin.into_owned()).collect(),
        first_seen: seen.map(|seen| seen.first_scan().time),
        last_seen: seen.map(|seen| seen.last_scan().time),
        place: FilePlace::of_edge(&picture, edge),
        findings,
        findings_total,
    }
}

fn properties(at: &At<'_>, picture: &Picture<'_>, edge: EdgeIx) -> BTreeMap<String, Value> {
    if edge.kind.is_input() {
        let seen = at.graph.edge(edge).properties();
        return seen.into_iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect();
    }
    let told = |key: &&str| Some(((*key).to_owned(), words::property(picture, edge, key)?.to_json()));
    words::KEYS.iter().filter_map(told).collect()
}

/// The hops that a derived edge rests on.
fn witness(picture: &Picture<'_>, edge: EdgeIx) -> Vec<Step> {
    if edge.kind.is_input() {
        return Vec::new();
    }
    let relation = picture.analysis.derived.of(edge.kind);
    let hops = relation.get(edge.number).map_or(&[][..], |composite| relation.path(composite));
    hops.iter().map(|hop| Step::of_hop(picture, &walked(picture, *hop))).collect()
}

/// A hop with the edge that it goes along and how hard that is.
fn walked(picture: &Picture<'_>, hop: Hop) -> TrailHop {
    let edge = hop.edge().and_then(|raw| picture.outgoing(raw.kind, raw.source).to(raw.target));
    TrailHop {
        via: hop.via,
        from: hop.from,
        to: hop.to,
        weight: edge.map_or(0.0, |edge| weight_of(picture, edge)),
        edge,
    }
}

fn weight_of(picture: &Picture<'_>, edge: EdgeIx) -> f64 {
    composite(picture, edge).map_or_else(|| weight(picture.view, edge), |composite| composite.weight)
}
