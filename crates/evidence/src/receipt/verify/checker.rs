//! What goes from receipt to receipt: links, keys, the Merkle tree; and at the end the checkpoint.

use std::collections::BTreeMap;

use super::facts::{Facts, Read};
use super::report::{CheckpointOutcome, Fault, KeyUse, Problem, Problems, Report, Status};
use super::sequence::{Gap, Sequence};
use crate::receipt::checkpoint::{Checkpoint, Statement};
use crate::receipt::hash::Hash;
use crate::receipt::keys::{Keys, PublicKey};
use crate::receipt::listed::Signature;
use crate::receipt::merkle::Frontier;

/// The state between receipts.
pub(super) struct Checker<'a> {
    /// Those that were given, and those that they handed over to.
    keys: Keys,
    /// Keys that handed over, with the place of the last receipt that they may sign.
    retired: BTreeMap<String, u64>,
    uses: Vec<KeyUse>,
    checkpoint: Option<&'a Checkpoint>,
    tenant: Option<String>,
    receipts: u64,
    sequence: Sequence,
    /// The Merkle tree, as long as nothing is missing.
    tree: Option<Frontier>,
    /// The root of the tree as large as the checkpoint's.
    root: Option<Hash>,
    /// The hash at the last place that the checkpoint covers.
    covered: Option<Hash>,
    newest_first: bool,
    dropped: u64,
    problems: Problems,
}

/// A signature that has to be verified.
pub(super) struct Job {
    /// Which of the facts it belongs to.
    position: usize,
    key: PublicKey,
    hash: Hash,
    signature: [u8; 64],
}

impl Job {
    pub(super) fn is_signed(&self) -> bool {
        self.key.has_signed(&self.hash, &self.signature)
    }
}

impl<'a> Checker<'a> {
    pub(super) fn new(keys: &Keys, checkpoint: Option<&'a Checkpoint>) -> Self {
        let statement = checkpoint.map(Checkpoint::statement);
        let tree = Frontier::default();
        let root = statement.filter(|statement| statement.size == 0).map(|_| tree.root());
        Self {
            keys: keys.clone(),
            retired: BTreeMap::new(),
            uses: Vec::new(),
            tenant: statement.map(|statement| statement.tenant.clone()),
            checkpoint,
            receipts: 0,
            sequence: Sequence::default(),
            tree: Some(tree),
            root,
            covered: None,
            newest_first: false,
            dropped: 0,
            problems: Problems::default(),
        }
    }

    /// Notes that the list was turned round.
    pub(super) const fn set_newest_first(&mut self) {
        self.newest_first = true;
    }

    /// Follows the chain through some receipts and gives the signatures that have to be verified.
    pub(super) fn link(&mut self, facts: &[Facts]) -> Vec<Job> {
        let mut jobs = Vec::with_capacity(facts.len());
        for (position, fact) in facts.iter().enumerate() {
            self.receipts += 1;
            match &fact.read {
                Err(unreadable) => {
                    let (fault, message) = (unreadable.fault, unreadable.message.clone());
                    let (index, sequence, receipt_id) = (Some(fact.index), None, None);
                    self.problems.push(Problem { fault, index, sequence, receipt_id, message });
                }
                Ok(read) => {
                    if !read.is_whole() {
                        let message =
                            format!("its contents have the hash {}, but it states {}", read.actual, read.stated);
                        self.wrong(fact.index, read, Fault::Altered, message);
                    }
                    let is_ours = self.place(fact.index, read);
                    if is_ours && read.is_whole() {
                        self.dropped = self.dropped.saturating_add(read.dropped);
                    }
                    jobs.extend(self.signer(position, fact.index, read, is_ours));
                }
            }
        }
        jobs
    }

    /// Takes note of which signatures are good.
    pub(super) fn sign(&mut self, facts: &[Facts], jobs: &[Job], signed: &[bool]) {
        for (job, is_signed) in jobs.iter().zip(signed) {
            let Some(Facts { index, read: Ok(read) }) = facts.get(job.position) else { continue };
            if *is_signed {
                self.count(job.key.id());
            } else {
                let message = format!("its signature is not that of the key `{}`, which it names", job.key.id());
                self.wrong(*index, read, Fault::BadSignature, message);
            }
        }
    }

    fn count(&mut self, key_id: &str) {
        match self.uses.iter_mut().find(|key| key.key_id == key_id) {
            Some(key) => key.receipts += 1,
            None => self.uses.push(KeyUse { key_id: key_id.to_owned(), receipts: 1 }),
        }
    }

    fn wrong(&mut self, index: u64, read: &Read, fault: Fault, message: String) {
        let (sequence, receipt_id) = (Some(read.sequence), Some(read.id.clone()));
        self.problems.push(Problem { fault, index: Some(index), sequence, receipt_id, message });
    }

    /// Gives a receipt its place in the chain; says whether it belongs to it.
    fn place(&mut self, index: u64, read: &Read) -> bool {
        let tenant = self.tenant.get_or_insert_with(|| read.tenant.clone());
        if *tenant != read.tenant {
            let message = format!("it belongs to the tenant `{}`, the others to `{tenant}`", read.tenant);
            self.wrong(index, read, Fault::OtherTenant, message);
            return false;
        }
        let (wrong, gap) = self.sequence.add(read, index);
        if let Some(gap) = gap {
            self.missing(&gap);
        }
        if let Some((fault, message)) = wrong {
            self.wrong(index, read, fault, message);
        }
        self.grow(read);
        true
    }

    /// Adds the receipt to the tree, if it is the next of it, and remembers what the checkpoint is compared with.
    fn grow(&mut self, read: &Read) {
        let size = self.checkpoint.map(|checkpoint| checkpoint.statement().size);
        if size.is_some_and(|size| size.checked_sub(1) == Some(read.sequence)) {
            self.covered.get_or_insert(read.stated);
        }
        let Some(tree) = &mut self.tree else { return };
        if tree.size() == read.sequence {
            tree.append(read.leaf, |_, _, _| ());
            if size == Some(tree.size()) {
                self.root = Some(tree.root());
            }
        } else if tree.size() < read.sequence {
            self.tree = None;
        }
    }

    /// The signature that has to be verified, if a trusted key may have made it.
    fn signer(&mut self, position: usize, index: u64, read: &Read, is_ours: bool) -> Option<Job> {
        let (key_id, bytes) = match &read.signature {
            Signature::By { key_id, bytes } => (key_id, bytes),
            Signature::Missing => {
                self.wrong(index, read, Fault::Unsigned, "it is not signed".to_owned());
                return None;
            }
            Signature::Unreadable => {
                let message = "what it carries as its signature and key id can't be one".to_owned();
                self.wrong(index, read, Fault::BadSignature, message);
                return None;
            }
        };
        let Some(key) = self.keys.get(key_id).cloned() else {
            let message = format!("it is signed by the key `{key_id}`, which is not trusted");
            self.wrong(index, read, Fault::WrongKey, message);
            return None;
        };
        if let Some(last) = self.retired.get(key_id).filter(|last| is_ours && read.sequence > **last) {
            let message =
                format!("it is signed by the key `{key_id}`, which handed over to another at sequence {last}");
            self.wrong(index, read, Fault::WrongKey, message);
            return None;
        }
        let job = Job { position, key, hash: read.stated, signature: *bytes };
        if is_ours {
            self.hand_over(index, read, &job);
        }
        Some(job)
    }

    /// Trusts the key that a receipt hands over to. That receipt's signature decides about all that follow, so it is verified
    /// at once.
    fn hand_over(&mut self, index: u64, read: &Read, job: &Job) {
        match &read.next_key {
            None => {}
            Some(Err(shape)) => self.wrong(index, read, Fault::Malformed, shape.to_string()),
            Some(Ok(next)) if read.is_whole() && next.id() != job.key.id() && job.is_signed() => {
                self.retired.remove(next.id());
                self.retired.insert(job.key.id().to_owned(), read.sequence);
                self.keys.insert(next.clone());
            }
            Some(Ok(_)) => {}
        }
    }

    fn missing(&mut self, gap: &Gap) {
        let message = match gap.last - gap.first {
            0 => format!("the receipt of sequence {} is missing", gap.first),
            more => format!("{} receipts are missing, of sequence {} to {}", more + 1, gap.first, gap.last),
        };
        let (fault, sequence) = (Fault::Gap, Some(gap.first));
        self.problems.push(Problem { fault, index: Some(gap.index), sequence, receipt_id: None, message });
    }

    /// Compares with the checkpoint and says what is known.
    pub(super) fn finish(mut self) -> Report {
        let gaps: Vec<Gap> = self.sequence.gaps().collect();
        gaps.iter().for_each(|gap| self.missing(gap));
        let checkpoint = match self.checkpoint {
            Some(checkpoint) => self.compare(checkpoint),
            None => CheckpointOutcome::NotGiven,
        };
        let notes = self.notes(checkpoint);
        let (problems, counts) = self.problems.finish();
        let status = match (self.receipts, counts.keys().collect::<Vec<_>>().as_slice()) {
            (0, []) => Status::Empty,
            (_, []) => Status::Verified,
            (_, [Fault::Unsigned]) => Status::Unsigned,
            _ => Status::Failed,
        };
        let root = self.tree.filter(|tree| tree.size() > 0).map(|tree| tree.root());
        Report {
            status,
            tenant: self.tenant,
            receipts: self.receipts,
            first: self.sequence.first(),
            last: self.sequence.last().map(|(sequence, _)| sequence),
            head: self.sequence.last().map(|(_, hash)| hash),
            root,
            newest_first: self.newest_first,
            details_dropped: self.dropped,
            signed_by: self.uses,
            checkpoint,
            counts,
            problems,
            notes,
        }
    }

    fn compare(&mut self, checkpoint: &Checkpoint) -> CheckpointOutcome {
        let found = match self.reliable(checkpoint) {
            Err(message) => Err((Fault::BadCheckpoint, message)),
            Ok(()) => self.covers(checkpoint.statement()),
        };
        match found {
            Ok(outcome) => outcome,
            Err((fault, message)) => {
                self.problems.push(Problem { fault, index: None, sequence: None, receipt_id: None, message });
                CheckpointOutcome::Disagrees
            }
        }
    }

    /// A checkpoint may be signed by a key that handed over, if it covers no more than that key signed.
    fn reliable(&self, checkpoint: &Checkpoint) -> Result<(), String> {
        let key_id =
            checkpoint.verify(&self.keys).map_err(|fault| format!("the checkpoint can't be relied on: {fault}"))?;
        match self.retired.get(key_id) {
            Some(last) if checkpoint.statement().size > last + 1 => Err(format!(
                "the checkpoint can't be relied on: it is signed by the key `{key_id}`, which handed over to another at \
                 sequence {last}"
            )),
            _ => Ok(()),
        }
    }

    fn covers(&self, statement: &Statement) -> Result<CheckpointOutcome, (Fault, String)> {
        let size = statement.size;
        let agrees = CheckpointOutcome::Agrees { size };
        let end = self.sequence.last().map_or(0, |(last, _)| last + 1);
        if end < size {
            let message = format!("the checkpoint covers {size} receipts, but the list ends after the first {end}");
            return Err((Fault::Truncated, message));
        }
        if self.sequence.first().is_some_and(|first| first >= size && first > 0) {
            let message = format!("the checkpoint covers {size} receipts, and the list begins after them");
            return Err((Fault::CheckpointOutside, message));
        }
        if self.root.is_some_and(|root| root != statement.root) {
            let message = format!("the first {size} receipts are not those that the checkpoint covers: another root");
            return Err((Fault::Rewritten, message));
        }
        match self.covered {
            Some(hash) if Some(hash) != statement.last => {
                let message = format!("the receipt of sequence {} is not the one that the checkpoint covers", size - 1);
                Err((Fault::Rewritten, message))
            }
            None if size > 0 => Ok(CheckpointOutcome::Disagrees), // It is missing, which is told as a gap.
            _ => Ok(agrees),
        }
    }

    fn notes(&self, checkpoint: CheckpointOutcome) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(first) = self.sequence.first().filter(|first| *first > 0) {
            notes.push(format!("the chain before sequence {first} is not part of this list"));
        }
        if self.dropped > 0 {
            notes.push(format!("details of {} decisions were dropped by retention; their receipts stay", self.dropped));
        }
        match (checkpoint, self.sequence.last()) {
            (CheckpointOutcome::NotGiven, Some(_)) => {
                notes.push("without a checkpoint, receipts that are missing at the end don't show".to_owned());
            }
            (CheckpointOutcome::Agrees { size }, Some((last, _))) if last + 1 > size => {
                notes.push(format!("the checkpoint covers {size} receipts, not the {} after them", last + 1 - size));
            }
            _ => {}
        }
        notes
    }
}
