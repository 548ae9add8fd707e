//! The whole room behind one type: what is registered, what writes, what reads.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use rusqlite::Connection;

use crate::decision::{NewDecision, Outcome};
use crate::identity::{DEFAULT_TENANT, Person, Role};
use crate::receipt::PublicKey;
use crate::registry::Registry;
use crate::store::chains::Chains;
use crate::store::ledger::{Ledger, Undo};
use crate::store::open::{self, Held};
use crate::store::read::{self, Readers};
use crate::store::writer::Writer;
use crate::{Clock, Error, Moment, Token, signing_key};

/// An open evidence store.
#[derive(Debug)]
pub struct Evidence {
    directory: PathBuf,
    registry: Arc<Registry>,
    writer: Writer,
    readers: Readers,
    clock: ClockBox,
    // Last, so that the lock is held until everything is written.
    _held: Held,
}

struct ClockBox(Clock);

impl std::fmt::Debug for ClockBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

/// The first administrator, made with the store.
#[derive(Debug)]
pub struct FirstStart {
    /// Who they are.
    pub admin: Person,
    /// Their token, which is shown once.
    pub token: Token,
}

impl Evidence {
    /// Opens the store of a data directory, making it if there is none. The first start makes the default tenant and its
    /// administrator.
    pub fn open(directory: &Path, clock: Clock) -> Result<(Self, Option<FirstStart>), Error> {
        let (held, connection) = open::take(directory)?;
        let registry = Arc::new(read::load::registry(&connection)?);
        let is_new = registry.tenants().is_empty();
        let in_force = read::receipts::key_in_force(&connection)?;
        let signer = signing_key::load(directory, in_force.as_deref())?;
        if in_force.is_none() {
            remember_key(&connection, &signer, clock())?;
        }
        let readers = Readers::new(&held.path);
        let writer = Writer::start(&held.path, connection, Chains::new(signer), registry.clone(), clock.clone());
        let directory = directory.to_owned();
        let evidence = Self { directory, registry, writer, readers, clock: ClockBox(clock), _held: held };
        let first = if is_new { Some(evidence.first_start()?) } else { None };
        Ok((evidence, first))
    }

    fn first_start(&self) -> Result<FirstStart, Error> {
        self.write(|ledger| {
            ledger.add_tenant(DEFAULT_TENANT, "Default")?;
            let (admin, token) = ledger.add_person(DEFAULT_TENANT, "admin", Role::Admin, "first start")?;
            Ok(FirstStart { admin, token })
        })
    }

    /// How many bytes are free where the store is, as far as the system tells.
    #[must_use]
    pub fn free_bytes(&self) -> Option<u64> {
        #[cfg(unix)]
        return rustix::fs::statvfs(&self.directory).ok().map(|place| place.f_bavail.saturating_mul(place.f_frsize));
        #[cfg(not(unix))]
        None
    }

    /// Who and what is registered.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Moment {
        (self.clock.0)()
    }

    /// Hands in a change; the answer is given by the writing thread once the change is durable. It must not block.
    pub fn hand_in<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Ledger<'_>) -> Result<T, Error> + Send + 'static,
        answer: impl FnOnce(Result<T, Error>) + Send + 'static,
    ) {
        self.writer.hand_in(Undo::Alone, change, answer);
    }

    /// Hands in a decision; the answer is given by the writing thread once it is durable. It must not block.
    pub fn decide(&self, new: NewDecision, answer: impl FnOnce(Result<Outcome, Error>) + Send + 'static) {
        self.writer.hand_in(Undo::WithGroup, move |ledger| ledger.decide(new), answer);
    }

    /// Makes a change and waits until it is durable.
    pub fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Ledger<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = sync_channel(1);
        self.hand_in(change, move |result| {
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or(Err(Error::Closed))
    }

    /// Lets another key sign from here on: every chain says so, signed by the old one.
    pub fn rotate_key(&self) -> Result<PublicKey, Error> {
        let next = signing_key::make_next(&self.directory)?;
        let key = next.public().clone();
        self.write(move |ledger| ledger.rotate_key(&next))?;
        signing_key::adopt(&self.directory)?;
        Ok(key)
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        self.readers.look(look)
    }
}

fn remember_key(connection: &Connection, signer: &crate::receipt::SigningKey, now: Moment) -> Result<(), Error> {
    let sql = "INSERT INTO signing_keys (key_id, public_key, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let key = signer.public();
    let written = connection.execute(sql, rusqlite::params![key.id(), key.hex(), now.micros()]);
    written.map(drop).map_err(|source| Error::Store { doing: "write to", source })
}
