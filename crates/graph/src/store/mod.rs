//! The store: one SQLite file that holds the scan log, snapshots and triage. All SQL of this room is here.
//!
//! Write-ahead logging with full synchronisation: what was committed survives the process and the machine. Every
//! change is one transaction. One process writes at a time, guarded by a lock file that the operating system releases
//! however the process ends.

pub(crate) mod copy;
pub(crate) mod open;
mod stream;
mod triage;

use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::facts::ScanRecord;
use crate::{Error, snapshot};

pub(crate) use stream::StreamReader;
pub(crate) use triage::TriageRow;

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading, also while another process writes.
    Read,
    /// Reading and writing, alone, what is there.
    Change,
    /// The same, and what is not there is made.
    Write,
}

/// A snapshot as the store knows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SnapshotHead {
    pub(crate) stream: i64,
    /// Size of the documents that it stands for.
    pub(crate) document_bytes: u64,
}

/// A stored scan.
#[derive(Debug, Clone)]
pub(crate) struct StoredScan {
    pub(crate) seq: i64,
    pub(crate) document: i64,
    pub(crate) record: ScanRecord,
}

/// The open store, seen by one tenant.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    connection: Connection,
    tenant: String,
    /// Held as long as the store may write.
    lock: Option<std::sync::Arc<std::fs::File>>,
}

impl Store {
    /// All scans, in order of arrival.
    pub(crate) fn scans(&self) -> Result<Vec<StoredScan>, Error> {
        let read = || {
            let mut statement = self
                .connection
                .prepare_cached("SELECT seq, document, record FROM scans WHERE tenant = ?1 ORDER BY seq")?;
            let rows = statement.query_map([&self.tenant], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect::<Result<Vec<(i64, i64, String)>, _>>()
        };
        let rows = read().map_err(|source| self.failed("read", source))?;
        rows.into_iter()
            .map(|(seq, document, record)| {
                let record = serde_json::from_str(&record)
                    .map_err(|bad| self.damaged(format!("the record of scan number {seq} is unreadable ({bad})")))?;
                Ok(StoredScan { seq, document, record })
            })
            .collect()
    }

    /// Keeps a document.
    pub(crate) fn add_scan(&mut self, record: ScanRecord, compressed: &[u8]) -> Result<StoredScan, Error> {
        let tenant = self.tenant.clone();
        let text = serde_json::to_string(&record).map_err(|bad| self.damaged(bad.to_string()))?;
        self.write("add a scan to", |transaction| {
            let document = stream::create(transaction)?;
            stream::write(transaction, document, compressed)?;
            transaction.execute(
                "INSERT INTO scans (tenant, scan_id, record, document) VALUES (?1, ?2, ?3, ?4)",
                params![tenant, record.scan_id, text, document],
            )?;
            Ok(StoredScan { seq: transaction.last_insert_rowid(), document, record })
        })
    }

    /// Takes scans out, and the snapshot that still shows them.
    pub(crate) fn delete_scans(&mut self, scans: &[StoredScan]) -> Result<(), Error> {
        let tenant = self.tenant.clone();
        self.write("delete scans from", |transaction| {
            drop_snapshot(transaction, &tenant)?;
            for scan in scans {
                transaction.execute("DELETE FROM scans WHERE seq = ?1", [scan.seq])?;
                transaction.execute("DELETE FROM streams WHERE id = ?1", [scan.document])?;
            }
            Ok(())
        })
    }

    /// The snapshot, if there is one that this version can read.
    pub(crate) fn snapshot(&self) -> Result<Option<SnapshotHead>, Error> {
        let read = || {
            let mut statement = self
                .connection
                .prepare_cached("SELECT stream, document_bytes FROM snapshots WHERE tenant = ?1 AND format = ?2")?;
            let head = |row: &rusqlite::Row<'_>| {
                Ok(SnapshotHead { stream: row.get(0)?, document_bytes: row.get::<_, i64>(1)?.unsigned_abs() })
            };
            statement.query_row(params![self.tenant, snapshot::FORMAT], head).optional()
        };
        read().map_err(|source| self.failed("read", source))
    }

    /// Replaces the snapshot by what `fill` writes.
    pub(crate) fn replace_snapshot(
        &mut self,
        document_bytes: u64,
        fill: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let tenant = self.tenant.clone();
        self.write("write a snapshot to", |transaction| {
            drop_snapshot(transaction, &tenant)?;
            let stream = stream::create(transaction)?;
            stream::fill(transaction, stream, fill)?;
            transaction.execute(
                "INSERT INTO snapshots (tenant, format, document_bytes, stream) VALUES (?1, ?2, ?3, ?4)",
                params![tenant, snapshot::FORMAT, i64::try_from(document_bytes).unwrap_or(i64::MAX), stream],
            )?;
            Ok(())
        })
    }

    /// A stream's bytes.
    pub(crate) const fn stream(&self, id: i64) -> StreamReader<'_> {
        StreamReader::new(&self.connection, id)
    }

    /// Runs one change as one transaction.
    fn write<T>(
        &mut self,
        doing: &'static str,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if self.lock.is_none() {
            return Err(Error::ReadOnly);
        }
        let path = &self.path;
        let run = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let result = change(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        run(&mut self.connection).map_err(|source| open::explain(path, doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> Error {
        open::explain(&self.path, doing, source)
    }

    /// That something in the file is not as it should be.
    pub(crate) fn damaged(&self, what: String) -> Error {
        Error::Damaged { path: self.path.clone(), what }
    }
}

fn drop_snapshot(transaction: &Transaction<'_>, tenant: &str) -> rusqlite::Result<()> {
    let stream: Option<i64> = transaction
        .query_row("SELECT stream FROM snapshots WHERE tenant = ?1", [tenant], |row| row.get(0))
        .optional()?;
    transaction.execute("DELETE FROM snapshots WHERE tenant = ?1", [tenant])?;
    if let Some(stream) = stream {
        transaction.execute("DELETE FROM streams WHERE id = ?1", [stream])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_as_such_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), "default", Access::Write).unwrap();
        store.add_scan(ScanRecord::sample("first"), b"small").unwrap();
        let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        let limit = |store: &Store, pages: i64| {
            store.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
        };
        limit(&store, pages + 10);
        let refused = store.add_scan(ScanRecord::sample("second"), &vec![7; 1 << 20]);
        assert!(matches!(refused, Err(Error::DiskFull { .. })), "{refused:?}");
        assert_eq!(store.scans().unwrap().len(), 1);
        limit(&store, 1 << 20);
        store.add_scan(ScanRecord::sample("second"), &vec![7; 1 << 20]).unwrap();
        assert_eq!(store.scans().unwrap().len(), 2);
    }

    #[test]
    fn a_store_that_was_opened_for_reading_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path(), "default", Access::Write).unwrap());
        let mut store = Store::open(folder.path(), "default", Access::Read).unwrap();
        assert!(matches!(store.add_scan(ScanRecord::sample("any"), b"x"), Err(Error::ReadOnly)));
    }
}
