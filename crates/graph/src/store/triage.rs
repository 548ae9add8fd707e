//! Triage rows: added, never changed or taken out, also when scans are. What a row means is not known here.
//!
//! Of two rows about one subject, the one that was written later counts, whatever their times say: a clock that was put
//! right does not bring back what somebody has revoked.

use std::borrow::Cow;

use rusqlite::{Row, params};

use super::Store;
use crate::Error;
use crate::facts::Moment;

/// Of each subject that begins so, the latest row up to a moment: next to `max`, SQLite takes all columns from the row
/// that has it. A subject goes on as JSON does, so never with the last character of all.
const LATEST: &str = "
    SELECT subject, status, note, author, at, expires, severity, max(id) FROM triage
    WHERE tenant = ?1 AND subject >= ?2 AND subject < ?2 || char(0x10ffff) AND at <= ?3
    GROUP BY subject";
/// All rows about a subject, in the order in which they were written.
const HISTORY: &str = "
    SELECT subject, status, note, author, at, expires, severity FROM triage
    WHERE tenant = ?1 AND subject = ?2 ORDER BY id";

/// What somebody decided about something, as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct TriageRow<'a> {
    /// A JSON list: what sort of thing, and which.
    pub(crate) subject: Cow<'a, str>,
    pub(crate) status: Cow<'a, str>,
    pub(crate) note: Cow<'a, str>,
    pub(crate) author: Cow<'a, str>,
    pub(crate) at: Moment,
    pub(crate) expires: Option<Moment>,
    pub(crate) severity: Option<Cow<'a, str>>,
}

impl Store {
    /// Adds rows: all of them or none.
    pub(crate) fn add_triage<'a>(&mut self, rows: impl Iterator<Item = TriageRow<'a>>) -> Result<(), Error> {
        let tenant = self.tenant.clone();
        self.write("write triage to", |transaction| {
            let mut statement = transaction.prepare(
                "INSERT INTO triage (tenant, subject, status, note, author, at, expires, severity)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?;
            for row in rows {
                let TriageRow { subject, status, note, author, at, expires, severity } = row;
                let expires = expires.map(|moment| moment.0);
                statement.execute(params![tenant, subject, status, note, author, at.0, expires, severity])?;
            }
            Ok(())
        })
    }

    /// The latest row up to a moment about each subject that begins so, by subject. One statement along the index:
    /// linear in the rows about such subjects.
    pub(crate) fn latest_triage(&self, prefix: &str, until: Moment) -> Result<Vec<TriageRow<'static>>, Error> {
        self.triage_rows(LATEST, params![self.tenant, prefix, until.0])
    }

    /// All rows about a subject, oldest first.
    pub(crate) fn triage_history(&self, subject: &str) -> Result<Vec<TriageRow<'static>>, Error> {
        self.triage_rows(HISTORY, params![self.tenant, subject])
    }

    fn triage_rows(
        &self,
        statement: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<TriageRow<'static>>, Error> {
        let read = || {
            let mut statement = self.connection.prepare_cached(statement)?;
            let rows = statement.query_map(parameters, triage_row)?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        read().map_err(|source| self.failed("read", source))
    }
}

fn triage_row(row: &Row<'_>) -> rusqlite::Result<TriageRow<'static>> {
    let text = |column: usize| row.get::<_, String>(column).map(Cow::Owned);
    Ok(TriageRow {
        subject: text(0)?,
        status: text(1)?,
        note: text(2)?,
        author: text(3)?,
        at: Moment(row.get(4)?),
        expires: row.get::<_, Option<i64>>(5)?.map(Moment),
        severity: row.get::<_, Option<String>>(6)?.map(Cow::Owned),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Access;
    use super::*;

    /// The index ends with the row's number, as every index of SQLite, so it serves as one by subject and number.
    #[test]
    fn rows_are_found_along_the_index_without_sorting() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "default", Access::Write).unwrap();
        let all_so = "SEARCH triage USING INDEX triage_by_subject (tenant=? AND subject>? AND subject<?)";
        let one = "SEARCH triage USING INDEX triage_by_subject (tenant=? AND subject=?)";
        for (statement, expected) in [(LATEST, all_so), (HISTORY, one)] {
            let mut plan = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
            let (given, wanted) = (["default", "[", "0"], plan.parameter_count());
            let parameters = rusqlite::params_from_iter(given.iter().take(wanted));
            let steps: Vec<String> =
                plan.query_map(parameters, |row| row.get("detail")).unwrap().collect::<Result<_, _>>().unwrap();
            assert_eq!(steps, [expected]);
        }
    }
}
