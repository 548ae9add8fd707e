//! The growing ends of all chains, in memory, and how a receipt gets its row.
//!
//! Of the Merkle tree only subtrees of 256 leaves and more are kept: what is below is made again from the receipts.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;
use uuid::Uuid;

use super::read::receipts;
use crate::decision::ReceiptRef;
use crate::receipt::merkle::{Frontier, Subtrees, leaf};
use crate::receipt::{Chain, Draft, Hash, Last, RECEIPT_VERSION, SealedCheckpoint, SigningKey, Statement};
use crate::{Error, Moment};

/// Subtrees from this level on are kept.
const KEPT: u32 = 8;
/// A checkpoint is made without being asked for whenever the chain has grown by so many receipts.
const STEP: u64 = 4_096;

/// The growing ends of all chains.
#[derive(Debug)]
pub(crate) struct Chains {
    signer: Arc<SigningKey>,
    ends: FxHashMap<String, End>,
}

#[derive(Debug)]
struct End {
    chain: Chain,
    frontier: Frontier,
}

impl Chains {
    pub(crate) fn new(signer: Arc<SigningKey>) -> Self {
        Self { signer, ends: FxHashMap::default() }
    }

    /// What is in memory does not count; the store is asked again.
    pub(crate) fn forget(&mut self) {
        self.ends.clear();
    }

    /// Finds out where a tenant's chain ends, if that is not known.
    pub(crate) fn open(&mut self, connection: &Connection, tenant: &str) -> Result<(), Error> {
        self.end(connection, tenant).map(drop)
    }

    /// Gives a draft its place at the end of a tenant's chain, and writes it.
    pub(crate) fn seal(
        &mut self,
        connection: &Connection,
        tenant: &str,
        draft: &Draft,
        now: Moment,
    ) -> Result<ReceiptRef, Error> {
        let end = self.end(connection, tenant)?;
        let previous = end.chain.last();
        let sealed = end.chain.seal(draft, Uuid::now_v7(), timestamp(now));
        let reference = ReceiptRef {
            receipt_id: sealed.receipt_id.hyphenated().to_string(),
            receipt_hash: sealed.hash.hex(),
            prev_receipt_hash: previous.map(|last| last.hash.hex()).unwrap_or_default(),
            sequence: sealed.sequence,
            canon_version: RECEIPT_VERSION.to_owned(),
        };
        let row = Row { draft, reference: &reference, json: &sealed.json };
        row.insert(connection, tenant)?;
        let mut kept = Vec::new();
        end.frontier.append(leaf(&sealed.hash), |level, position, hash| {
            if level >= KEPT {
                kept.push((level, position, hash));
            }
        });
        keep(connection, tenant, &kept)?;
        if end.frontier.size().is_multiple_of(STEP) {
            self.checkpoint(connection, tenant, now)?;
        }
        Ok(reference)
    }

    /// Signs how long a tenant's chain is and what its root is.
    pub(crate) fn checkpoint(
        &mut self,
        connection: &Connection,
        tenant: &str,
        now: Moment,
    ) -> Result<SealedCheckpoint, Error> {
        let signer = self.signer.clone();
        let end = self.end(connection, tenant)?;
        let (size, last) = (end.frontier.size(), end.chain.last().map(|last| last.hash));
        let sealed = Statement::new(tenant, size, end.frontier.root(), last, timestamp(now)).seal(&signer);
        let sql = "INSERT INTO checkpoints (tenant, size, checkpoint, created_at) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT (tenant, size) DO UPDATE SET checkpoint = ?3, created_at = ?4";
        execute(connection, sql, params![tenant, size, sealed.json, now.micros()])?;
        Ok(sealed)
    }

    /// Another key signs from here on.
    pub(crate) fn set_signer(&mut self, signer: Arc<SigningKey>) {
        self.signer = signer;
        // Chains remember their signer; they are opened again with the next one.
        self.forget();
    }

    fn end(&mut self, connection: &Connection, tenant: &str) -> Result<&mut End, Error> {
        if !self.ends.contains_key(tenant) {
            let end = open(connection, tenant, self.signer.clone())?;
            self.ends.insert(tenant.to_owned(), end);
        }
        self.ends.get_mut(tenant).ok_or(Error::Closed)
    }
}

struct Row<'a> {
    draft: &'a Draft,
    reference: &'a ReceiptRef,
    json: &'a str,
}

impl Row<'_> {
    fn insert(&self, connection: &Connection, tenant: &str) -> Result<(), Error> {
        let sql = "INSERT INTO receipts (tenant, sequence, id, kind, decision_id, hash, receipt) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let Self { draft, reference, json } = self;
        let values = params![
            tenant,
            reference.sequence,
            reference.receipt_id,
            draft.kind(),
            draft.decision_id(),
            reference.receipt_hash,
            json
        ];
        execute(connection, sql, values)
    }
}

fn keep(connection: &Connection, tenant: &str, kept: &[(u32, u64, Hash)]) -> Result<(), Error> {
    let sql = "INSERT INTO tree (tenant, level, position, hash) VALUES (?1, ?2, ?3, ?4)";
    kept.iter().try_for_each(|(level, position, hash)| {
        execute(connection, sql, params![tenant, level, position, hash.0.as_slice()])
    })
}

fn execute(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<(), Error> {
    let failed = |source| Error::Store { doing: "write to", source };
    connection.prepare_cached(sql).map_err(failed)?.execute(values).map_err(failed).map(drop)
}

fn timestamp(now: Moment) -> Timestamp {
    Timestamp::from_microsecond(now.micros()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Where a chain stands, from what is stored. Reads at most 256 receipts and a node for each bit of the size.
fn open(connection: &Connection, tenant: &str, signer: Arc<SigningKey>) -> Result<End, Error> {
    let head = receipts::head(connection, tenant)?;
    let last = head.map(|(sequence, hash)| Ok::<_, Error>(Last { sequence, hash: read_hash(&hash)? })).transpose()?;
    let size = last.map_or(0, |last| last.sequence + 1);
    let whole = size >> KEPT << KEPT;
    let mut bytes = whole.to_be_bytes().to_vec();
    let mut start = 0;
    for level in (KEPT..u64::BITS).rev().filter(|level| whole >> level & 1 == 1) {
        let hash = receipts::node(connection, tenant, level, start >> level)?;
        bytes.extend(hash.ok_or_else(|| damaged(tenant))?);
        start += 1 << level;
    }
    let mut frontier = Frontier::from_bytes(&bytes).map_err(|_| damaged(tenant))?;
    for hash in receipts::hashes(connection, tenant, whole, size - whole)? {
        frontier.append(leaf(&read_hash(&hash)?), |_, _, _| {});
    }
    if frontier.size() != size {
        return Err(damaged(tenant));
    }
    Ok(End { chain: Chain::new(tenant, last, Some(signer)), frontier })
}

fn damaged(tenant: &str) -> Error {
    Error::Damaged { what: format!("receipts of tenant `{tenant}` are missing") }
}

fn read_hash(text: &str) -> Result<Hash, Error> {
    text.parse().map_err(|_| Error::Damaged { what: "a receipt's hash is not a hash".to_owned() })
}

/// The tree over a stored chain, for proofs.
pub(crate) struct StoredTree<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) tenant: &'a str,
}

impl Subtrees for StoredTree<'_> {
    type Error = Error;

    fn hash(&self, level: u32, index: u64) -> Result<Hash, Error> {
        if level >= KEPT {
            let node = receipts::node(self.connection, self.tenant, level, index)?;
            return node.map(Hash).ok_or_else(|| damaged(self.tenant));
        }
        let count = 1 << level;
        let hashes = receipts::hashes(self.connection, self.tenant, index * count, count)?;
        let mut tree = Frontier::default();
        for hash in &hashes {
            tree.append(leaf(&read_hash(hash)?), |_, _, _| {});
        }
        if tree.size() == count { Ok(tree.root()) } else { Err(damaged(self.tenant)) }
    }
}
