//! Checking stored chains while the store is in use, a little at a time.
//!
//! Whoever can write to the file can change a receipt, take one out or cut the end off, but can't sign. So every receipt is
//! verified as somebody outside would verify it, and it is remembered how far that went: what was there once must stay.

use crate::receipt::merkle::{Frontier, leaf};
use crate::receipt::{self, Checkpoint, Hash, Status};
use crate::store::read::receipts::{self, Row};
use crate::{Error, Evidence};

/// How far a chain was checked.
#[derive(Debug, Default)]
pub struct Watch {
    tree: Frontier,
    last: Option<Hash>,
}

impl Watch {
    /// How many receipts were found sound.
    #[must_use]
    pub const fn receipts(&self) -> u64 {
        self.tree.size()
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// So many more receipts are sound.
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
        let (rows, checkpoint) = self.read(|connection| {
            let rows = receipts::rows(connection, tenant, from, limit)?;
            let end = rows.last().map_or(0, |row| row.sequence + 1);
            Ok((rows, receipts::checkpoint_of(connection, tenant, end)?))
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
        let mut tree = watch.tree.clone();
        for row in rows.iter().filter(|row| row.sequence >= size) {
            match row.hash.parse::<Hash>() {
                Ok(hash) if row.json.contains(&format!("\"receipt_hash\":\"{hash}\"")) => {
                    tree.append(leaf(&hash), |_, _, _| ());
                    watch.last = Some(hash);
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
        let more = tree.size() - size;
        watch.tree = tree;
        Ok(Checked::Sound(more))
    }
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
