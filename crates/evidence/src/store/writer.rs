//! The thread that writes. It takes what waits, puts it into one transaction, commits, and then answers everybody.
//!
//! Durability costs one synchronisation of the disk for each group, however large it is; the group is what came in while
//! the one before was being written. An error of one change undoes that change alone. What a commit could not make
//! durable is answered with an error, and the next group starts afresh, so that a disk that has space again is enough.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};

use super::chains::Chains;
use super::ledger::{Ledger, Undo};
use crate::registry::{Change, Registry};
use crate::{Clock, Error};

/// How many changes may wait. More means that the disk does not keep up, and callers are told so.
const WAITING: usize = 8_192;
/// How many changes one transaction takes.
const GROUP: usize = 512;

/// Something that is to be written, and whom to tell.
trait Job: Send {
    /// Makes the change within the transaction and remembers the result.
    fn run(&mut self, ledger: &mut Ledger<'_>) -> bool;
    /// Whether it can fail after it has written something, and has to be undone alone.
    fn undo(&self) -> Undo;
    /// Tells the result, or why nothing was written.
    fn answer(self: Box<Self>, lost: Option<&str>);
}

struct Pending<T, C, A> {
    undo: Undo,
    change: Option<C>,
    result: Option<Result<T, Error>>,
    answer: A,
}

impl<T, C, A> Job for Pending<T, C, A>
where
    T: Send,
    C: FnOnce(&mut Ledger<'_>) -> Result<T, Error> + Send,
    A: FnOnce(Result<T, Error>) + Send,
{
    fn run(&mut self, ledger: &mut Ledger<'_>) -> bool {
        let Some(change) = self.change.take() else { return false };
        let result = change(ledger);
        let is_done = result.is_ok();
        self.result = Some(result);
        is_done
    }

    fn undo(&self) -> Undo {
        self.undo
    }

    fn answer(self: Box<Self>, lost: Option<&str>) {
        let result = match (self.result, lost) {
            (Some(Err(error)), _) => Err(error),
            (_, Some(why)) => Err(Error::Unavailable { why: why.to_owned() }),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(Error::Closed),
        };
        (self.answer)(result);
    }
}

/// Hands changes to the thread that writes.
pub(crate) struct Writer {
    sender: Option<SyncSender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writer")
    }
}

impl Writer {
    pub(crate) fn start(
        path: &Path,
        connection: Connection,
        chains: Chains,
        registry: Arc<Registry>,
        clock: Clock,
    ) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let path = path.to_owned();
        let thread = std::thread::spawn(move || Scribe { path, connection, chains, registry, clock }.work(&receiver));
        Self { sender: Some(sender), thread: Some(thread) }
    }

    /// Hands in a change. The answer is given by the writing thread, after the commit; it must not block.
    pub(crate) fn hand_in<T: Send + 'static>(
        &self,
        undo: Undo,
        change: impl FnOnce(&mut Ledger<'_>) -> Result<T, Error> + Send + 'static,
        answer: impl FnOnce(Result<T, Error>) + Send + 'static,
    ) {
        let job = Box::new(Pending { undo, change: Some(change), result: None, answer });
        let refused = match self.sender.as_ref().map(|sender| sender.try_send(job)) {
            Some(Ok(())) => return,
            Some(Err(TrySendError::Full(job))) => (job, "too many requests wait for the disk"),
            Some(Err(TrySendError::Disconnected(job))) => (job, "the writing thread has ended"),
            None => return,
        };
        refused.0.answer(Some(refused.1));
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // What waits is still written: the thread ends when there is nothing left and nobody can hand in more.
        drop(self.sender.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Scribe {
    path: PathBuf,
    connection: Connection,
    chains: Chains,
    registry: Arc<Registry>,
    clock: Clock,
}

impl Scribe {
    fn work(mut self, receiver: &Receiver<Box<dyn Job>>) {
        let mut waiting = VecDeque::with_capacity(GROUP);
        loop {
            if waiting.is_empty() {
                match receiver.recv() {
                    Ok(job) => waiting.push_back(job),
                    Err(_) => return,
                }
            }
            while waiting.len() < GROUP {
                match receiver.try_recv() {
                    Ok(job) => waiting.push_back(job),
                    Err(_) => break,
                }
            }
            self.write(&mut waiting);
        }
    }

    /// Writes as many of those that wait as go into one transaction.
    fn write(&mut self, waiting: &mut VecDeque<Box<dyn Job>>) {
        let mut done: Vec<Box<dyn Job>> = Vec::with_capacity(waiting.len());
        let written = self.transact(waiting, &mut done);
        let lost = written.err();
        if lost.is_some() {
            // What is in memory ran ahead of what is on disk.
            self.chains.forget();
        }
        for job in done {
            job.answer(lost.as_deref());
        }
    }

    /// Whoever takes the right to write away from the file means the process that has it open, too, and the one that may
    /// write to everything.
    fn is_read_only(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|file| file.permissions().readonly())
    }

    fn transact(&mut self, waiting: &mut VecDeque<Box<dyn Job>>, done: &mut Vec<Box<dyn Job>>) -> Result<(), String> {
        let failed = |error: rusqlite::Error| error.to_string();
        if self.is_read_only() {
            done.extend(waiting.drain(..));
            return Err("the store's file was made read-only".to_owned());
        }
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let mut transaction = match begun {
            Ok(transaction) => transaction,
            Err(error) => {
                done.extend(waiting.drain(..));
                return Err(failed(error));
            }
        };
        let mut changes = Vec::new();
        // Whoever comes behind a change of what is registered has to see it, so a group ends with such a change.
        while changes.is_empty() {
            let Some(mut job) = waiting.pop_front() else { break };
            let (chains, registry, undo) = (&mut self.chains, &self.registry, job.undo());
            let made = Ledger::with(&mut transaction, chains, registry, &self.clock, undo, |ledger| job.run(ledger));
            done.push(job);
            changes = made?;
        }
        transaction.commit().map_err(failed)?;
        for change in changes {
            match change {
                Change::Signer(next) => self.chains.set_signer(next),
                change => self.registry.apply(change),
            }
        }
        Ok(())
    }
}
