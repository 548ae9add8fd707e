//! Checking stored chains while the store is in use, a little at a time.
//!
//! Whoever can write to the file can change a receipt, take one out or cut the end off, but can't sign. So every receipt is
//! verified as somebody outside would verify it, and it is remembered how far that went: what was there once must stay. Decisions on
//! record are compared with their receipts, and each has to have one.

use rusqlite::Connection;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::receipt::merkle::{Frontier, leaf};
use crate::receipt::{self, Checkpoint, Hash, Status};
use crate::store::read::decisions;
use crate::store::read::receipts::{self, Row};
use crate::{Error, Evidence, record};

/// How far a chain was checked.
#[derive(Debug, Default)]
pub struct Watch {
    tree: Frontier,
    last: Option<Hash>,
    /// Up to which decision it was checked that each names a receipt of its own.
    decisions: i64,
}

impl Watch {
    /// How many receipts were found sound.
    #[must_use]
    pub const fn receipts(&self) -> u64 {
        self.tree.size()
    }

    /// The root over the receipts that were found sound.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.tree.root()
    }
}

/// The fault of a decision on record that is not what its receipt says.
const ROW_ALTERED: &str = "record_altered";

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// So many more receipts are sound; or decisions, if all receipts were checked.
    Sound(u64),
    /// Something is wrong. It is looked at again the next time, until it is right.
    Broken {
        /// A stable code: one of the faults that verification tells.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl Evidence {
    /// Checks the next receipts of a tenant's chain, at most so many; none means that all were checked. Linear in them.
    ///
    /// # Errors
    /// The store can't be read.
    pub fn check_chain(&self, tenant: &str, watch: &mut Watch, most: usize) -> Result<Checked, Error> {
        let size = watch.tree.size();
        // The last one that was checked is looked at again, so that the link to it is.
        let from = size.saturating_sub(1);
        let limit = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
        let (rows, checkpoint, altered, attested) = self.read(|connection| {
            let rows = receipts::rows(connection, tenant, from, limit)?;
            let end = rows.last().map_or(0, |row| row.sequence + 1);
            let altered = altered(connection, tenant, &rows)?;
            let attested = decisions::attested(connection, tenant, watch.decisions, limit)?;
            Ok((rows, receipts::checkpoint_of(connection, tenant, end)?, altered, attested))
        })?;
        if let Some((code, message)) = missing(&rows, from, watch.last) {
            return Ok(Checked::Broken { code, message });
        }
        let keys = self.trusted_keys()?;
        let lines = rows.iter().map(|row| Ok::<_, Error>(row.json.as_str()));
        let report = receipt::verify(lines, &keys, None)?;
        if !matches!(report.status, Status::Verified | Status::Empty) {
            let (code, message) = match report.problems.first() {
                Some(problem) => (problem.fault.name(), told(problem.sequence, &problem.message)),
                None => (report.status.name(), "the receipts don't verify".to_owned()),
            };
            return Ok(Checked::Broken { code, message });
        }
        let (mut tree, mut last) = (watch.tree.clone(), watch.last);
        for row in rows.iter().filter(|row| row.sequence >= size) {
            match row.hash.parse::<Hash>() {
                Ok(hash) if row.json.contains(&format!("\"receipt_hash\":\"{hash}\"")) => {
                    tree.append(leaf(&hash), |_, _, _| ());
                    last = Some(hash);
                }
                _ => {
                    let message = told(Some(row.sequence), "the hash beside it is not its own");
                    return Ok(Checked::Broken { code: receipt::Fault::Altered.name(), message });
                }
            }
        }
        if let Some(text) = checkpoint {
            let sound = Checkpoint::parse(text.as_bytes()).ok().filter(|it| it.verify(&keys).is_ok());
            if sound.is_none_or(|checkpoint| checkpoint.statement().root != tree.root()) {
                let message = format!("the first {} receipts are not those that the checkpoint covers", tree.size());
                return Ok(Checked::Broken { code: receipt::Fault::Rewritten.name(), message });
            }
        }
        let unattested = attested.iter().find(|decision| !decision.is_attested);
        let unattested = unattested.map(|it| format!("decision `{}` on record has no receipt of its own", it.id));
        if let Some(message) = altered.or(unattested) {
            return Ok(Checked::Broken { code: ROW_ALTERED, message });
        }
        let receipts = tree.size() - size;
        let more = if receipts > 0 { receipts } else { attested.len() as u64 };
        (watch.tree, watch.last) = (tree, last);
        watch.decisions = attested.last().map_or(watch.decisions, |last| last.number);
        Ok(Checked::Sound(more))
    }
}

/// The first decision on record that is not what its receipt says.
fn altered(connection: &Connection, tenant: &str, rows: &[Row]) -> Result<Option<String>, Error> {
    // What can't be read is told by verification.
    let said: Vec<(u64, Value)> =
        rows.iter().filter_map(|row| Some((row.sequence, serde_json::from_str(&row.json).ok()?))).collect();
    let id_of = |receipt: &Value| receipt.get("decision_id").and_then(Value::as_str).map(ToOwned::to_owned);
    let is_decision = |receipt: &Value| receipt.get("kind").and_then(Value::as_str) == Some("decision");
    let ids: Vec<String> =
        said.iter().filter(|(_, receipt)| is_decision(receipt)).filter_map(|(_, receipt)| id_of(receipt)).collect();
    let found = match decisions::with_places(connection, tenant, &ids) {
        Err(error) if record::is_nonsense(&error) => {
            let message = "a decision on record holds something that it can't hold";
            return Ok(Some(told(said.first().map(|(sequence, _)| *sequence), &format!("at or behind it, {message}"))));
        }
        found => found?,
    };
    let by_id: FxHashMap<&str, _> = found.iter().map(|found| (found.0.id.as_str(), found)).collect();
    for (sequence, receipt) in &said {
        let row = id_of(receipt).and_then(|id| by_id.get(id.as_str()).copied());
        let differing = record::differences(receipt, *sequence, row);
        if !differing.is_empty() {
            let what = match row {
                Some(_) => format!("the decision on record differs from it in {}", differing.join(", ")),
                None => "its decision is missing from the records".to_owned(),
            };
            return Ok(Some(told(Some(*sequence), &what)));
        }
    }
    Ok(None)
}

/// Whether what was there before is there no more, or is something else.
fn missing(rows: &[Row], from: u64, last: Option<Hash>) -> Option<(&'static str, String)> {
    match (rows.first(), last) {
        (None, None) => None,
        (None, Some(_)) => Some((receipt::Fault::Truncated.name(), told(Some(from), "it is missing"))),
        (Some(row), _) if row.sequence != from => Some((receipt::Fault::Gap.name(), told(Some(from), "it is missing"))),
        (Some(row), Some(last)) if row.hash != last.hex() => {
            Some((receipt::Fault::Rewritten.name(), told(Some(from), "it is another one than before")))
        }
        _ => None,
    }
}

fn told(sequence: Option<u64>, what: &str) -> String {
    match sequence {
        Some(sequence) => format!("receipt of sequence {sequence}: {what}"),
        None => what.to_owned(),
    }
}
