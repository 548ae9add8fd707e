//! Receipts: one, that of a decision, those behind a place of the chain; checkpoints and parts of the tree.

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;

use super::{all, first, in_groups};
use crate::Error;
use crate::decision::ReceiptRef;
use crate::receipt::RECEIPT_VERSION;

/// A receipt as it is listed: the exact text.
pub(crate) fn by_id(connection: &Connection, tenant: &str, id: &str) -> Result<Option<(u64, String)>, Error> {
    let sql = "SELECT sequence, receipt FROM receipts WHERE tenant = ?1 AND id = ?2";
    first(connection, sql, params![tenant, id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The decision that a receipt is about.
pub(crate) fn decision_of(connection: &Connection, tenant: &str, id: &str) -> Result<Option<String>, Error> {
    let sql = "SELECT decision_id FROM receipts WHERE tenant = ?1 AND id = ?2 AND kind = 'decision'";
    Ok(first(connection, sql, params![tenant, id], |row| row.get(0))?.flatten())
}

fn reference(row: &rusqlite::Row<'_>) -> rusqlite::Result<ReceiptRef> {
    Ok(ReceiptRef {
        receipt_id: row.get("id")?,
        receipt_hash: row.get("hash")?,
        prev_receipt_hash: row.get::<_, Option<String>>("prev")?.unwrap_or_default(),
        sequence: row.get("sequence")?,
        canon_version: RECEIPT_VERSION.to_owned(),
    })
}

/// The receipt that a decision produced.
pub(crate) fn of_decision(connection: &Connection, tenant: &str, decision: &str) -> Result<Option<ReceiptRef>, Error> {
    let sql = "SELECT r.id, r.hash, r.sequence, (SELECT before.hash FROM receipts before WHERE before.tenant = r.tenant \
               AND before.sequence = r.sequence - 1) AS prev FROM decisions d \
               JOIN receipts r ON r.tenant = d.tenant AND r.sequence = d.receipt_sequence \
               WHERE d.tenant = ?1 AND d.id = ?2";
    first(connection, sql, params![tenant, decision], reference)
}

/// The receipts that decisions produced, by the ids of the decisions. What they link to is not looked up.
pub(crate) fn of_decisions(
    connection: &Connection,
    tenant: &str,
    decisions: &[String],
) -> Result<FxHashMap<String, ReceiptRef>, Error> {
    let sql = "SELECT r.id, r.hash, r.sequence, NULL AS prev, d.id AS decision_id FROM decisions d \
               JOIN receipts r ON r.tenant = d.tenant AND r.sequence = d.receipt_sequence \
               WHERE d.tenant = ?1 AND d.id IN ";
    let found = in_groups(connection, sql, tenant, decisions, |row| {
        Ok((row.get::<_, String>("decision_id")?, reference(row)?))
    })?;
    Ok(found.into_iter().collect())
}

/// Receipts from a place on, oldest first.
pub(crate) fn from(
    connection: &Connection,
    tenant: &str,
    sequence: u64,
    limit: i64,
) -> Result<Vec<(u64, String)>, Error> {
    let sql = "SELECT sequence, receipt FROM receipts WHERE tenant = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3";
    all(connection, sql, params![tenant, sequence, limit], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// A receipt with what stands beside it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) sequence: u64,
    pub(crate) hash: String,
    pub(crate) json: String,
}

/// Receipts from a place on with what stands beside them, oldest first.
pub(crate) fn rows(connection: &Connection, tenant: &str, from: u64, limit: i64) -> Result<Vec<Row>, Error> {
    let sql = "SELECT sequence, hash, receipt FROM receipts WHERE tenant = ?1 AND sequence >= ?2 \
               ORDER BY sequence LIMIT ?3";
    all(connection, sql, params![tenant, from, limit], |row| {
        Ok(Row { sequence: row.get(0)?, hash: row.get(1)?, json: row.get(2)? })
    })
}

/// The checkpoint of the first so many receipts, if there is one.
pub(crate) fn checkpoint_of(connection: &Connection, tenant: &str, size: u64) -> Result<Option<String>, Error> {
    let sql = "SELECT checkpoint FROM checkpoints WHERE tenant = ?1 AND size = ?2";
    first(connection, sql, params![tenant, size], |row| row.get(0))
}

/// Receipts before a place, newest first.
pub(crate) fn before(
    connection: &Connection,
    tenant: &str,
    sequence: u64,
    limit: i64,
) -> Result<Vec<(u64, String)>, Error> {
    let sql =
        "SELECT sequence, receipt FROM receipts WHERE tenant = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT ?3";
    all(connection, sql, params![tenant, sequence, limit], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The end of a chain: the last sequence and its hash.
pub(crate) fn head(connection: &Connection, tenant: &str) -> Result<Option<(u64, String)>, Error> {
    let sql = "SELECT sequence, hash FROM receipts WHERE tenant = ?1 ORDER BY sequence DESC LIMIT 1";
    first(connection, sql, params![tenant], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The hashes of receipts from a place on.
pub(crate) fn hashes(connection: &Connection, tenant: &str, from: u64, count: u64) -> Result<Vec<String>, Error> {
    let sql = "SELECT hash FROM receipts WHERE tenant = ?1 AND sequence >= ?2 AND sequence < ?3 ORDER BY sequence";
    all(connection, sql, params![tenant, from, from + count], |row| row.get(0))
}

/// A node of the tree that was kept.
pub(crate) fn node(
    connection: &Connection,
    tenant: &str,
    level: u32,
    position: u64,
) -> Result<Option<[u8; 32]>, Error> {
    let sql = "SELECT hash FROM tree WHERE tenant = ?1 AND level = ?2 AND position = ?3";
    first(connection, sql, params![tenant, level, position], |row| row.get(0))
}

/// The newest checkpoint.
pub(crate) fn checkpoint(connection: &Connection, tenant: &str) -> Result<Option<(u64, String)>, Error> {
    let sql = "SELECT size, checkpoint FROM checkpoints WHERE tenant = ?1 ORDER BY size DESC LIMIT 1";
    first(connection, sql, params![tenant], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The public keys that have signed, oldest first.
pub(crate) fn keys(connection: &Connection) -> Result<Vec<String>, Error> {
    all(connection, "SELECT public_key FROM signing_keys ORDER BY created_at, key_id", [], |row| row.get(0))
}

/// The tenants that have receipts.
pub(crate) fn tenants(connection: &Connection) -> Result<Vec<String>, Error> {
    all(connection, "SELECT id FROM tenants ORDER BY id", [], |row| row.get(0))
}

/// The id of the key that signs.
pub(crate) fn key_in_force(connection: &Connection) -> Result<Option<String>, Error> {
    first(connection, "SELECT key_id FROM signing_keys WHERE retired_at IS NULL", [], |row| row.get(0))
}
