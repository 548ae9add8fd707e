//! Search as you type, over everything.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_analyze::findings::{Found, Unfound};
use tracehound_analyze::search::{Hit, LONGEST_QUESTION, excerpt};
use tracehound_graph::{PropertyValue, View as _};

use super::told::row;
use super::{node_kinds, within, words};
use crate::App;
use crate::api::estate_shape::{FindingRow, NodeRef};
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Hits in an answer.
const MOST: usize = 200;
/// Hits in an answer if nobody says how many.
const USUAL: usize = 20;
/// Findings in an answer.
const FINDINGS: usize = 5;

/// What is looked for.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct SearchAsked {
    /// Part of a name, an id, an address, a command, a description or anything else, whatever the case of its letters.
    q: String,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    at: Option<String>,
    /// Only nodes of these kinds, with commas between them.
    kinds: Option<String>,
    /// How many hits, up to 200.
    limit: Option<usize>,
}

/// What fits.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct SearchAnswer {
    /// What fits best first.
    pub(crate) items: Vec<SearchHit>,
    /// How many nodes fit.
    pub(crate) total: usize,
    /// Findings whose kind or fingerprint fits, the worst first; not more than 5.
    pub(crate) findings: Vec<FindingRow>,
}

/// A node that fits.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct SearchHit {
    pub(crate) node: NodeRef,
    /// How well, from 1 to 100.
    pub(crate) score: u8,
    pub(crate) matched: SearchMatch,
}

/// What of a node fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct SearchMatch {
    /// The property; `name` for what people call it, `id` for its id.
    pub(crate) field: String,
    /// The part of it around what fits.
    pub(crate) excerpt: String,
}

pub(crate) async fn find(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<SearchAsked>,
) -> Result<Json<SearchAnswer>, Problem> {
    let SearchAsked { q, at, kinds, limit } = asked;
    if q.len() > LONGEST_QUESTION {
        let detail = format!("at most {LONGEST_QUESTION} bytes are looked for");
        return Err(Problem::invalid("question_too_long", detail));
    }
    let kinds = node_kinds(words(kinds.as_deref())?)?;
    let limit = within(limit, USUAL, MOST, "limit")?;
    let look = move |at: &At<'_>, said: &Said| {
        let found = at.search().find(&at.picture(), &q, &kinds, limit);
        Ok(Json(SearchAnswer {
            items: found.best.iter().map(|hit| told(at, &q, hit)).collect(),
            total: found.total,
            findings: findings(at, said, &q),
        }))
    };
    app.at(&caller.tenant, at.as_deref(), look).await
}

fn told(at: &At<'_>, question: &str, hit: &Hit) -> SearchHit {
    let picture = at.picture();
    let node = NodeRef::new(&picture, hit.node);
    let text = match hit.field.as_str() {
        "name" => node.name.clone(),
        "id" => node.id.clone(),
        key => match picture.property(hit.node, key) {
            Some(PropertyValue::Text(text)) => text.into_owned(),
            Some(list @ PropertyValue::List(_)) => list.texts().collect::<Vec<_>>().join(" "),
            _ => String::new(),
        },
    };
    let matched = SearchMatch { field: hit.field.clone(), excerpt: excerpt(&text, question) };
    SearchHit { node, score: hit.score, matched }
}

/// Findings by the digits of their fingerprint, or by their kind. The list is in order, so the first are the worst.
fn findings(at: &At<'_>, said: &Said, question: &str) -> Vec<FindingRow> {
    let list = at.findings();
    let by_digits: Vec<&Found<'_>> = match list.find(question) {
        Ok(found) => vec![found],
        Err(Unfound::Ambiguous(first, _)) => first.iter().filter_map(|fingerprint| list.get(fingerprint)).collect(),
        Err(Unfound::Malformed | Unfound::Unknown) => Vec::new(),
    };
    let wanted = plain(question.trim());
    let is_meant = |kind: &str| wanted.len() >= 3 && plain(kind).contains(&wanted);
    let kinds: Vec<&String> = list.tally().by_kind.keys().filter(|kind| is_meant(kind)).collect();
    let is_of_kind = |found: &&Found<'_>| kinds.iter().any(|kind| *kind == found.kind);
    let of_kind = list.iter().filter(|_| !kinds.is_empty()).filter(is_of_kind).take(FINDINGS);
    let all = by_digits.into_iter().chain(of_kind).take(FINDINGS);
    all.filter_map(|found| row(at, said, found)).collect()
}

/// A kind as people type it: in small letters, with blanks between its words.
fn plain(kind: &str) -> String {
    kind.to_lowercase().replace(['_', '-'], " ")
}
