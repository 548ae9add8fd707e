//! Findings, filtered, counted and in pages.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tracehound_analyze::findings::{Fate, Found, List, known_kind};
use tracehound_analyze::naming::did_you_mean;
use tracehound_graph::NodeIx;
use tracehound_model::{Severity, TriageState};
use tracehound_rules::rule::Rule;

use super::{bad_cursor, check_length, limit};
use crate::App;
use crate::api::estate_shape::{FindingRow, find_node, is_owasp};
use crate::body::Asked;
use crate::caller::Caller;
use crate::estate::{At, Compared, Said};
use crate::problem::Problem;

/// Which findings are asked for.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub(crate) struct FindingFilter {
    /// The point that is looked at: a scan id, a date, a time, or `now`.
    at: Option<String>,
    /// The point that they are compared with; what is fixed since then is listed, too.
    since: Option<String>,
    /// Severities, separated by commas.
    severity: Option<String>,
    /// Kinds of edges, checks or rules, separated by commas.
    kind: Option<String>,
    /// Entries of OWASP's lists, with or without the year, separated by commas.
    category: Option<String>,
    /// What people think of them, separated by commas.
    status: Option<String>,
    /// What became of them since the other point, separated by commas.
    lifecycle: Option<String>,
    /// The node that they are about.
    node: Option<String>,
    /// What their title says, whatever the case of its letters.
    q: Option<String>,
    /// Where the page before ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many; 1,000 at most.
    limit: Option<usize>,
}

/// A part of the findings, the worst first.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingPage {
    items: Vec<FindingRow>,
    /// What to ask for to get the next page; nothing if this is the last.
    next_cursor: Option<String>,
    /// How many fit.
    total: usize,
    /// How many findings are counted and not written down, whatever was asked for.
    unwritten: u64,
    facets: FindingFacets,
}

/// How many findings there are of each sort, among those that fit everything else that was asked for.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub(crate) struct FindingFacets {
    severity: BTreeMap<String, u64>,
    kind: BTreeMap<String, u64>,
    category: BTreeMap<String, u64>,
    status: BTreeMap<String, u64>,
    lifecycle: BTreeMap<String, u64>,
}

pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    Asked(asked): Asked<FindingFilter>,
) -> Result<Json<FindingPage>, Problem> {
    for (name, text) in [("kind", &asked.kind), ("node", &asked.node), ("q", &asked.q), ("category", &asked.category)] {
        check_length(name, text.as_deref())?;
    }
    let page = match &asked.since {
        None => {
            let point = asked.at.clone();
            app.at(&caller.tenant, point.as_deref(), move |at, said| page(&asked, at, None, said)).await?
        }
        Some(since) => {
            let points = (since.clone(), asked.at.clone().unwrap_or_else(|| "now".to_owned()));
            app.compared(&caller.tenant, points, move |both, said| page(&asked, both.now, Some(both), said)).await?
        }
    };
    Ok(Json(page))
}

/// What is asked for, read.
struct Wanted<'a> {
    severities: Vec<Severity>,
    kinds: Vec<&'a str>,
    categories: Vec<String>,
    states: Vec<TriageState>,
    fates: Vec<Fate>,
    /// In lower case.
    title: Option<String>,
}

/// A finding of the list: of the point that was asked for, or gone since the other.
struct Row<'l> {
    list: &'l List<'l>,
    found: &'l Found<'l>,
    state: TriageState,
    fate: Option<Fate>,
}

/// The findings of one of the points, with the node that is asked for.
struct Side<'l> {
    list: &'l List<'l>,
    node: Option<NodeIx>,
}

fn page(
    asked: &FindingFilter,
    now: &At<'_>,
    both: Option<&Compared<'_, '_, '_>>,
    said: &Said,
) -> Result<FindingPage, Problem> {
    let wanted = Wanted::read(asked, now.rules)?;
    let mut facets = FindingFacets::default();
    let mut rows = Vec::new();
    let sides = sides(asked.node.as_deref(), now, both.map(|both| both.then))?;
    for (side, is_past) in sides.iter().zip([false, true]) {
        for found in side.list.iter() {
            let fate = both.and_then(|both| both.lifecycle.of(&found.fingerprint));
            if is_past && fate != Some(Fate::Fixed) || !side.has(found) {
                continue;
            }
            let state = said.state(found);
            let row = Row { list: side.list, found, state, fate };
            if wanted.count(&row, &mut facets) {
                rows.push(row);
            }
        }
    }
    let begin = asked.cursor.as_deref().map_or(Ok(0), |cursor| behind(cursor, &rows))?;
    let limit = limit(asked.limit);
    let shown = rows.get(begin..).unwrap_or_default();
    let has_more = shown.len() > limit;
    let shown = shown.get(..limit).unwrap_or(shown);
    let last = shown.last().filter(|_| has_more);
    Ok(FindingPage {
        items: shown.iter().filter_map(Row::render).collect(),
        next_cursor: last.map(|row| format!("{}.{}", begin + shown.len() - 1, row.found.fingerprint)),
        total: rows.len(),
        unwritten: now.findings().unwritten().iter().map(|(_, count, _)| count).sum(),
        facets,
    })
}

/// What is looked through: the point itself, and the one that it is compared with.
fn sides<'l>(node: Option<&str>, now: &'l At<'_>, then: Option<&'l At<'_>>) -> Result<Vec<Side<'l>>, Problem> {
    let lists = std::iter::once(now.findings() as &List<'l>).chain(then.map(|then| then.findings() as &List<'l>));
    let Some(text) = node else {
        return Ok(lists.map(|list| Side { list, node: None }).collect());
    };
    let here = find_node(&now.picture(), text);
    let there = then.map(|then| find_node(&then.picture(), text));
    // A node that is gone is found where it was.
    if !matches!(there, Some(Ok(_))) {
        here.clone()?;
    }
    let nobody = NodeIx(u32::MAX);
    let nodes = [Some(here), there].into_iter().flatten().map(|node| Some(node.unwrap_or(nobody)));
    Ok(lists.zip(nodes).map(|(list, node)| Side { list, node }).collect())
}

impl Side<'_> {
    fn has(&self, found: &Found<'_>) -> bool {
        self.node.is_none_or(|node| found.source == node || found.target == node)
    }
}

/// The place behind the last row of the page before.
fn behind(cursor: &str, rows: &[Row<'_>]) -> Result<usize, Problem> {
    let (number, fingerprint) = cursor.split_once('.').ok_or_else(bad_cursor)?;
    let number: usize = number.parse().map_err(|_| bad_cursor())?;
    let is_last = |row: &Row<'_>| row.found.fingerprint.as_str() == fingerprint;
    if rows.get(number).is_some_and(is_last) {
        return Ok(number + 1);
    }
    // The list has changed since; what was shown last may still be in it.
    rows.iter().position(is_last).map(|place| place + 1).ok_or_else(bad_cursor)
}

impl Row<'_> {
    fn render(&self) -> Option<FindingRow> {
        FindingRow::new(self.list, self.found, self.state, self.fate)
    }
}

impl Said {
    /// What people think of a finding.
    pub(super) fn state(&self, found: &Found<'_>) -> TriageState {
        let decision = self.decisions.get(&found.fingerprint);
        decision.map_or(TriageState::New, |decision| decision.state_at(found.severity))
    }
}

impl<'a> Wanted<'a> {
    fn read(asked: &FindingFilter, rules: &'a [Rule]) -> Result<Self, Problem> {
        let severities = each(asked.severity.as_deref(), |text| {
            named(text, Severity::from_name(text), Severity::ALL.iter().map(|it| it.name()), "severity")
        })?;
        let states = each(asked.status.as_deref(), |text| {
            named(text, TriageState::from_name(text), TriageState::ALL.iter().map(|it| it.name()), "status")
        })?;
        let fates = each(asked.lifecycle.as_deref(), |text| {
            named(text, Fate::from_name(text), Fate::ALL.iter().map(|it| it.name()), "lifecycle")
        })?;
        if !fates.is_empty() && asked.since.is_none() {
            let detail = "name the point to compare with in `since` to filter by `lifecycle`";
            return Err(Problem::invalid("bad_lifecycle", detail));
        }
        let kinds = each(asked.kind.as_deref(), |text| {
            known_kind(text, rules).map_err(|near| {
                let detail = format!("there is no kind of findings `{text}`{}", did_you_mean(&near));
                Problem::invalid("bad_kind", detail)
            })
        })?;
        let categories = each(asked.category.as_deref(), |text| Ok(short(text).to_ascii_uppercase()))?;
        let title = asked.q.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_lowercase);
        Ok(Self { severities, kinds, categories, states, fates, title })
    }

    /// Counts a finding; gives whether it fits. A facet counts what everything else that was asked for leaves.
    fn count(&self, row: &Row<'_>, facets: &mut FindingFacets) -> bool {
        let found = row.found;
        let standards = row.list.standards(found);
        let owasp: Vec<&str> = standards.into_iter().filter(|id| is_owasp(id)).collect();
        let fits = [
            fits(&self.severities, &found.severity),
            fits(&self.kinds, &found.kind),
            self.categories.is_empty() || owasp.iter().any(|id| self.categories.iter().any(|it| it == short(id))),
            fits(&self.states, &row.state),
            self.fates.is_empty() || row.fate.is_some_and(|fate| self.fates.contains(&fate)),
        ];
        let failing = fits.iter().filter(|fits| !**fits).count();
        // To put a title into words takes longest, so it is asked last.
        if failing > 1 || !self.is_titled(row) {
            return false;
        }
        let counts = |facet: usize| failing == 0 || fits.get(facet) == Some(&false);
        if counts(0) {
            add(&mut facets.severity, found.severity.name());
        }
        if counts(1) {
            add(&mut facets.kind, found.kind);
        }
        if counts(2) {
            owasp.iter().for_each(|id| add(&mut facets.category, id));
        }
        if counts(3) {
            add(&mut facets.status, row.state.name());
        }
        if let Some(fate) = row.fate.filter(|_| counts(4)) {
            add(&mut facets.lifecycle, fate.name());
        }
        failing == 0
    }

    fn is_titled(&self, row: &Row<'_>) -> bool {
        self.title.as_ref().is_none_or(|text| row.list.title(row.found).to_lowercase().contains(text))
    }
}

fn fits<T: PartialEq>(wanted: &[T], value: &T) -> bool {
    wanted.is_empty() || wanted.contains(value)
}

fn add(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(counts.insert(name.to_owned(), 1)),
    }
}

/// The entry of a catalogue without its year.
fn short(id: &str) -> &str {
    id.split(':').next().unwrap_or(id)
}

/// The parts of a list that is separated by commas.
fn each<T>(text: Option<&str>, read: impl Fn(&str) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    let parts = text.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(read).collect()
}

/// What a word names, or which words would.
fn named<T>(text: &str, found: Option<T>, known: impl Iterator<Item = &'static str>, what: &str) -> Result<T, Problem> {
    found.ok_or_else(|| {
        let known: Vec<&str> = known.collect();
        Problem::invalid(&format!("bad_{what}"), format!("`{text}` is no {what}; there are {}", known.join(", ")))
    })
}
