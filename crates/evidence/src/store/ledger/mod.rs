//! What a change may do within the transaction: write rows, add receipts, and say what changes in memory afterwards.

mod approvals;
mod containments;
mod decisions;
mod identities;
mod incidents;
mod retention;
mod rules;

pub use approvals::Step;
pub use containments::Order;
pub use decisions::Report;
pub use rules::NewPolicy;

use std::cell::Cell;
use std::sync::Arc;

use rusqlite::{CachedStatement, Params, Transaction};
use serde_json::Value;

use super::chains::Chains;
use crate::decision::ReceiptRef;
use crate::receipt::{self, Draft, EventKind, SigningKey};
use crate::registry::{Change, Registry};
use crate::{Clock, Error, Moment};

/// How much is written to see whether anything can be written.
const TRIAL_BYTES: usize = 128 << 10;

/// The open transaction, as one change sees it.
#[derive(Debug)]
pub struct Ledger<'t> {
    transaction: &'t Transaction<'t>,
    chains: &'t mut Chains,
    registry: &'t Registry,
    now: Moment,
    changes: Vec<Change>,
    has_sealed: bool,
    has_written: Cell<bool>,
}

/// What is undone when a change fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undo {
    /// That change, whatever it has written.
    Alone,
    /// Nothing, if it has written nothing, and else the whole group. For changes that look before they write, so that only
    /// a store that fails makes them fail half-way; being able to undo them alone would cost as much as they do.
    WithGroup,
}

impl<'t> Ledger<'t> {
    /// Makes one change. If it fails, nothing of it stays, and what others did in the same transaction does.
    ///
    /// # Errors
    /// Nothing of the transaction may stay.
    pub(crate) fn with(
        transaction: &'t mut Transaction<'_>,
        chains: &'t mut Chains,
        registry: &'t Registry,
        clock: &Clock,
        undo: Undo,
        change: impl FnOnce(&mut Ledger<'_>) -> bool,
    ) -> Result<Vec<Change>, String> {
        let say = |words: &str| {
            let said = transaction.prepare_cached(words).and_then(|mut words| words.execute([]));
            said.map(drop).map_err(|error| error.to_string())
        };
        if undo == Undo::Alone {
            say("SAVEPOINT change")?;
        }
        let mut ledger = Ledger {
            transaction,
            chains: &mut *chains,
            registry,
            now: clock(),
            changes: Vec::new(),
            has_sealed: false,
            has_written: Cell::new(false),
        };
        let is_done = change(&mut ledger);
        let (changes, has_sealed, has_written) =
            (std::mem::take(&mut ledger.changes), ledger.has_sealed, ledger.has_written.get());
        if undo == Undo::WithGroup {
            return match is_done || !(has_written || has_sealed) {
                true => Ok(changes),
                false => Err("a decision could not be written whole".to_owned()),
            };
        }
        if is_done {
            say("RELEASE change")?;
            return Ok(changes);
        }
        if has_sealed {
            // The receipts that it added are undone, so the chains have to be read again.
            chains.forget();
        }
        // A full disk may have ended the whole transaction; then this fails, and nothing of the group counts.
        say("ROLLBACK TO change")?;
        say("RELEASE change")?;
        Ok(Vec::new())
    }

    /// The time that everything in this change carries.
    #[must_use]
    pub const fn now(&self) -> Moment {
        self.now
    }

    /// Who and what is registered, every earlier change included.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        self.registry
    }

    /// Adds a receipt to a tenant's chain.
    pub(crate) fn seal(&mut self, tenant: &str, draft: &Draft) -> Result<ReceiptRef, Error> {
        self.has_sealed = true;
        self.chains.seal(self.transaction, tenant, draft, self.now)
    }

    /// Adds a receipt about something that is no decision.
    pub(crate) fn attest(&mut self, tenant: &str, attested: Attested<'_>) -> Result<ReceiptRef, Error> {
        let mut event = receipt::Event::new(attested.kind)
            .detailed(&attested.detail)
            .map_err(|error| Error::Damaged { what: error.to_string() })?;
        if let Some(id) = attested.decision_id {
            event = event.of_decision(id);
        }
        if let Some(id) = attested.approval_id {
            event = event.of_approval(id);
        }
        if let Some(person) = attested.approver {
            event = event.by(person);
        }
        if let Some(agent) = attested.detail.get("agent_id").and_then(Value::as_str) {
            event = event.of_agent(agent);
        }
        self.seal(tenant, &event.into())
    }

    /// Writes something that means nothing and is as large as a busy group of decisions, to see whether that can be written.
    pub fn probe(&self) -> Result<(), Error> {
        let content = [0_u8; TRIAL_BYTES];
        let sql = "INSERT INTO trial (id, content) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET content = ?1";
        self.execute(sql, [content.as_slice()]).map(drop)
    }

    /// Hands all chains over to another key, from the next change on.
    pub(crate) fn rotate_key(&mut self, next: &Arc<SigningKey>) -> Result<(), Error> {
        for (tenant, ..) in self.registry.tenants() {
            self.seal(&tenant, &receipt::Event::next_key(next.public()).into())?;
        }
        let now = self.now.micros();
        self.execute("UPDATE signing_keys SET retired_at = ?1 WHERE retired_at IS NULL", [now])?;
        let sql = "INSERT INTO signing_keys (key_id, public_key, created_at) VALUES (?1, ?2, ?3)";
        self.execute(sql, rusqlite::params![next.public().id(), next.public().hex(), now])?;
        self.then(Change::Signer(next.clone()));
        Ok(())
    }

    /// Signs how long a tenant's chain is and what its root is.
    pub fn checkpoint(&mut self, tenant: &str) -> Result<String, Error> {
        if !self.registry.has_tenant(tenant) {
            return Err(Error::unknown("tenant", tenant));
        }
        Ok(self.chains.checkpoint(self.transaction, tenant, self.now)?.json)
    }

    /// What is to change in memory once this is durable.
    fn then(&mut self, change: Change) {
        self.changes.push(change);
    }

    fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, Error> {
        self.transaction.prepare_cached(sql).map_err(|source| Error::Store { doing: "write to", source })
    }

    fn execute(&self, sql: &str, values: impl Params) -> Result<usize, Error> {
        self.has_written.set(true);
        self.statement(sql)?.execute(values).map_err(|source| Error::Store { doing: "write to", source })
    }
}

/// What a receipt that is no decision's says.
#[derive(Debug)]
pub(crate) struct Attested<'a> {
    pub(crate) kind: EventKind,
    pub(crate) decision_id: Option<&'a str>,
    pub(crate) approval_id: Option<&'a str>,
    /// The person who answered an approval.
    pub(crate) approver: Option<&'a str>,
    pub(crate) detail: Value,
}

impl<'a> Attested<'a> {
    pub(crate) const fn of(kind: EventKind, detail: Value) -> Self {
        Self { kind, decision_id: None, approval_id: None, approver: None, detail }
    }
}

/// An id for something on record: it begins with the time, so that an index grows at its end.
fn record_id() -> String {
    uuid::Uuid::now_v7().hyphenated().to_string()
}

/// An id for somebody: nothing can be read from it.
fn plain_id() -> String {
    uuid::Uuid::new_v4().hyphenated().to_string()
}

/// JSON as it is kept. What we make ourselves always has one.
fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Damaged { what: error.to_string() })
}
