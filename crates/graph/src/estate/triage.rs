//! What people decided: triage of findings and marks on nodes, with who, why, when and until when.
//!
//! Decisions are records beside the scan log and never part of the graph. They name a finding by its fingerprint and a
//! node by its id, so they outlive scans, hold again for what comes back, and may speak of what is not there. Nothing
//! is ever overwritten: a look back shows what was in force then. Whether findings are left out is for others to say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tracehound_model::{Fingerprint, Mark, NodeId, Severity, TriageState};

use super::Estate;
use crate::Error;
use crate::facts::Moment;
use crate::store::TriageRow;

/// How long a reason may be.
const REASON_BYTES: usize = 4096;
/// How long the name of an author may be.
const AUTHOR_BYTES: usize = 256;
/// What the subjects of triage rows about findings are called.
const FINDING: &str = "finding";
/// What the subjects of triage rows about nodes are called.
const NODE: &str = "node";
/// The status of a node whose mark was taken away.
const UNMARKED: &str = "unmarked";

/// A decision about a finding, to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriageDecision {
    /// Which finding; it need not be there at present.
    pub fingerprint: Fingerprint,
    /// What is thought of it.
    pub state: TriageState,
    /// Why; at most 4096 bytes.
    pub reason: String,
    /// Who says so; at most 256 bytes.
    pub author: String,
    /// When it was decided.
    pub at: Moment,
    /// From when on it does not hold; later than `at`. Without it, the decision holds until the next.
    pub expires: Option<Moment>,
    /// How bad the finding was when it was decided about; a decision that lets it stay holds up to that.
    pub severity: Option<Severity>,
}

/// A decision about a finding, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TriageRecord {
    /// What was thought of it.
    pub state: TriageState,
    /// Why.
    pub reason: String,
    /// Who said so.
    pub author: String,
    /// When it was decided.
    pub at: Moment,
    /// From when on it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<Moment>,
    /// How bad the finding was then, if that was noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

/// How a finding stood at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Triage {
    /// The state in force: the record's, or new once that has expired.
    pub state: TriageState,
    /// Whether the record had expired. What was decided before it does not come back.
    pub is_expired: bool,
    /// The latest decision.
    pub record: TriageRecord,
}

/// A decision about a node, to be recorded. A node has one mark at most: a second takes the place of the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkDecision {
    /// Which node; it need not be there at present.
    pub node: NodeId,
    /// Its mark; none takes the mark away.
    pub mark: Option<Mark>,
    /// Why; at most 4096 bytes.
    pub reason: String,
    /// Who says so; at most 256 bytes.
    pub author: String,
    /// When it was decided.
    pub at: Moment,
}

/// A decision about a node, as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkRecord {
    /// The mark that it got; none if its mark was taken away.
    pub mark: Option<Mark>,
    /// Why.
    pub reason: String,
    /// Who said so.
    pub author: String,
    /// When it was decided.
    pub at: Moment,
}

impl Triage {
    /// How a finding stands that is this bad at present. A decision that lets it stay was made about what it was then: once
    /// it is worse, it is new.
    #[must_use]
    pub fn state_at(&self, severity: Severity) -> TriageState {
        if self.outgrown(severity).is_some() { TriageState::New } else { self.state }
    }

    /// How bad a finding was when somebody let it stay, if it is worse at present.
    #[must_use]
    pub fn outgrown(&self, severity: Severity) -> Option<Severity> {
        self.record.severity.filter(|then| self.state.is_suppressing() && severity > *then)
    }
}

impl Estate {
    /// Records decisions about findings: all of them or none. Of two about one finding, the later in the list counts.
    ///
    /// # Errors
    ///
    /// When a reason or an author is too long, a decision ends before it begins, or the store can't be written.
    pub fn triage(&mut self, decisions: &[TriageDecision]) -> Result<(), Error> {
        decisions.iter().try_for_each(TriageDecision::check)?;
        self.store.add_triage(decisions.iter().map(TriageDecision::row))
    }

    /// How every finding that somebody has decided about stood at a moment; all others are new. Of each, the decision
    /// that was recorded last counts, among those made up to then.
    ///
    /// Growth: one statement, linear in the records about findings.
    ///
    /// # Errors
    ///
    /// When the store can't be read or is damaged.
    pub fn triage_at(&self, at: Moment) -> Result<BTreeMap<Fingerprint, Triage>, Error> {
        let rows = self.store.latest_triage(&subjects(FINDING), at)?;
        rows.into_iter().map(|row| Ok((self.named(&row)?, self.record(row)?.at(at)))).collect()
    }

    /// Every decision about a finding in the order in which they were recorded, the newest last.
    ///
    /// # Errors
    ///
    /// When the store can't be read or is damaged.
    pub fn triage_history(&self, fingerprint: &Fingerprint) -> Result<Vec<TriageRecord>, Error> {
        let rows = self.store.triage_history(&subject(FINDING, fingerprint.as_str()))?;
        rows.into_iter().map(|row| self.record(row)).collect()
    }

    /// Puts marks on nodes or takes them away: all of it or nothing. Of two about one node, the later in the list
    /// counts.
    ///
    /// # Errors
    ///
    /// When a reason, an author or an id is too long, or the store can't be written.
    pub fn mark(&mut self, decisions: &[MarkDecision]) -> Result<(), Error> {
        for MarkDecision { node, reason, author, .. } in decisions {
            check_length("id", node.as_str(), node.as_str(), self.limits.name_bytes)?;
            check_words(node.as_str(), reason, author)?;
        }
        self.store.add_triage(decisions.iter().map(MarkDecision::row))
    }

    /// The nodes that had a mark at a moment.
    ///
    /// Growth: one statement, linear in the records about nodes.
    ///
    /// # Errors
    ///
    /// When the store can't be read or is damaged.
    pub fn marks_at(&self, at: Moment) -> Result<BTreeMap<NodeId, Mark>, Error> {
        let rows = self.store.latest_triage(&subjects(NODE), at)?;
        let mut marks = BTreeMap::new();
        for row in &rows {
            if let Some(mark) = self.mark_of(row)? {
                marks.insert(self.named(row)?, mark);
            }
        }
        Ok(marks)
    }

    /// Every decision about a node's mark in the order in which they were recorded, the newest last.
    ///
    /// # Errors
    ///
    /// When the store can't be read or is damaged.
    pub fn mark_history(&self, node: &NodeId) -> Result<Vec<MarkRecord>, Error> {
        let rows = self.store.triage_history(&subject(NODE, node.as_str()))?;
        let record = |row: TriageRow<'static>| {
            let mark = self.mark_of(&row)?;
            Ok(MarkRecord { mark, reason: row.note.into_owned(), author: row.author.into_owned(), at: row.at })
        };
        rows.into_iter().map(record).collect()
    }

    fn record(&self, row: TriageRow<'static>) -> Result<TriageRecord, Error> {
        let state = TriageState::from_name(&row.status).ok_or_else(|| self.unknown_status(&row))?;
        let severity = match row.severity.as_deref() {
            Some(name) => Some(Severity::from_name(name).ok_or_else(|| self.unknown_severity(&row, name))?),
            None => None,
        };
        let TriageRow { note, author, at, expires, .. } = row;
        Ok(TriageRecord { state, reason: note.into_owned(), author: author.into_owned(), at, expires, severity })
    }

    fn mark_of(&self, row: &TriageRow<'_>) -> Result<Option<Mark>, Error> {
        if row.status == UNMARKED {
            return Ok(None);
        }
        Mark::from_name(&row.status).map(Some).ok_or_else(|| self.unknown_status(row))
    }

    /// What a row's subject names.
    fn named<T: DeserializeOwned>(&self, row: &TriageRow<'_>) -> Result<T, Error> {
        let subject = serde_json::from_str::<(String, T)>(&row.subject);
        let unreadable = |bad| format!("the triage of `{}` is about nothing known ({bad})", row.subject.escape_debug());
        subject.map(|(_, named)| named).map_err(|bad| self.store.damaged(unreadable(bad)))
    }

    fn unknown_severity(&self, row: &TriageRow<'_>, severity: &str) -> Error {
        let (subject, severity) = (row.subject.escape_debug(), severity.escape_debug());
        self.store.damaged(format!("the triage of `{subject}` has the unknown severity `{severity}`"))
    }

    /// Fails closed: a decision that can't be understood must neither hide a finding nor be passed over.
    fn unknown_status(&self, row: &TriageRow<'_>) -> Error {
        let (subject, status) = (row.subject.escape_debug(), row.status.escape_debug());
        self.store.damaged(format!("the triage of `{subject}` has the unknown status `{status}`"))
    }
}

impl TriageDecision {
    fn check(&self) -> Result<(), Error> {
        check_words(self.fingerprint.as_str(), &self.reason, &self.author)?;
        match self.expires {
            Some(expires) if expires <= self.at => {
                let subject = self.fingerprint.as_str().to_owned();
                Err(Error::EndsBeforeItBegins { subject, at: self.at, expires })
            }
            _ => Ok(()),
        }
    }

    fn row(&self) -> TriageRow<'_> {
        TriageRow {
            subject: subject(FINDING, self.fingerprint.as_str()).into(),
            status: self.state.name().into(),
            note: self.reason.as_str().into(),
            author: self.author.as_str().into(),
            at: self.at,
            expires: self.expires,
            severity: self.severity.map(|severity| severity.name().into()),
        }
    }
}

impl TriageRecord {
    /// How the finding stands by this record.
    fn at(self, at: Moment) -> Triage {
        let is_expired = self.expires.is_some_and(|expires| expires <= at);
        Triage { state: if is_expired { TriageState::New } else { self.state }, is_expired, record: self }
    }
}

impl MarkDecision {
    fn row(&self) -> TriageRow<'_> {
        TriageRow {
            subject: subject(NODE, self.node.as_str()).into(),
            status: self.mark.map_or(UNMARKED, Mark::name).into(),
            note: self.reason.as_str().into(),
            author: self.author.as_str().into(),
            at: self.at,
            expires: None,
            severity: None,
        }
    }
}

/// The subject of rows about one thing.
fn subject(sort: &str, name: &str) -> String {
    serde_json::json!([sort, name]).to_string()
}

/// How the subjects of rows about all things of a sort begin.
fn subjects(sort: &str) -> String {
    format!("[\"{sort}\",")
}

pub(super) fn check_words(subject: &str, reason: &str, author: &str) -> Result<(), Error> {
    check_length("reason", subject, reason, REASON_BYTES)?;
    check_length("author", subject, author, AUTHOR_BYTES)
}

fn check_length(what: &'static str, subject: &str, text: &str, limit: usize) -> Result<(), Error> {
    if text.len() <= limit {
        return Ok(());
    }
    // The subject itself may be what is too long.
    let subject = subject.chars().take(100).collect();
    Err(Error::TooLong { what, subject, bytes: text.len(), limit })
}
