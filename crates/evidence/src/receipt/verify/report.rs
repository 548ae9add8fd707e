//! What verification says.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::receipt::hash::Hash;

/// How many problems are told; the others are counted.
pub const PROBLEMS_KEPT: usize = 100;

/// What is known of a list of receipts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = VerificationReport)]
pub struct Report {
    /// The answer in a word.
    #[schema(value_type = String)]
    pub status: Status,
    /// Whose receipts they are.
    pub tenant: Option<String>,
    /// How many lines the list has.
    pub receipts: u64,
    /// The least place in the chain.
    pub first: Option<u64>,
    /// The greatest place in the chain.
    pub last: Option<u64>,
    /// The hash of the receipt at the greatest place.
    #[schema(value_type = Option<String>)]
    pub head: Option<Hash>,
    /// The root of the Merkle tree, if every receipt from the first on is there.
    #[schema(value_type = Option<String>)]
    pub root: Option<Hash>,
    /// Whether the list had its newest receipt first.
    pub newest_first: bool,
    /// Of how many decisions retention took the details out, as the receipts say. The receipts themselves stay.
    pub details_dropped: u64,
    /// The keys that signed, in the order in which they were met.
    pub signed_by: Vec<KeyUse>,
    /// What the checkpoint showed.
    #[schema(value_type = String)]
    pub checkpoint: CheckpointOutcome,
    /// How often each thing is wrong.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub counts: BTreeMap<Fault, u64>,
    /// What is wrong, in the order of the list: the first [`PROBLEMS_KEPT`].
    pub problems: Vec<Problem>,
    /// What to know that is not wrong.
    pub notes: Vec<String>,
}

impl Report {
    /// How many things are wrong in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }
}

/// The answer in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// There are receipts, they are whole, linked, and signed by trusted keys, and the checkpoint agrees if one was given.
    Verified,
    /// There is nothing to verify.
    Empty,
    /// The only thing that is wrong is that receipts are not signed.
    Unsigned,
    /// Something is wrong.
    Failed,
}

impl Status {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Verified, Self::Empty, Self::Unsigned, Self::Failed];

    /// The name, which stays as it is.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Empty => "empty",
            Self::Unsigned => "unsigned",
            Self::Failed => "failed",
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A way in which receipts can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A line is not a receipt.
    Malformed,
    /// A key stands twice in an object, so that two programs could read it differently.
    DuplicateKey,
    /// A receipt is of a version that is not known here.
    UnknownVersion,
    /// A receipt's contents don't have the hash that it states.
    Altered,
    /// A receipt does not name the hash of the one before it.
    BrokenLink,
    /// Receipts are missing in between.
    Gap,
    /// Two different receipts have one place.
    Fork,
    /// A receipt is there twice.
    Repeated,
    /// A receipt comes after a later one.
    OutOfOrder,
    /// A receipt belongs to another tenant.
    OtherTenant,
    /// A receipt is not signed.
    Unsigned,
    /// A receipt is signed by a key that is not trusted, or that had handed over to another.
    WrongKey,
    /// A signature is not that of the key that the receipt names.
    BadSignature,
    /// The list ends before the checkpoint does.
    Truncated,
    /// The checkpoint covers other receipts than the list has.
    Rewritten,
    /// The checkpoint itself can't be relied on.
    BadCheckpoint,
    /// The checkpoint ends before the list begins, so that it shows nothing.
    CheckpointOutside,
}

impl Fault {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Malformed,
        Self::DuplicateKey,
        Self::UnknownVersion,
        Self::Altered,
        Self::BrokenLink,
        Self::Gap,
        Self::Fork,
        Self::Repeated,
        Self::OutOfOrder,
        Self::OtherTenant,
        Self::Unsigned,
        Self::WrongKey,
        Self::BadSignature,
        Self::Truncated,
        Self::Rewritten,
        Self::BadCheckpoint,
        Self::CheckpointOutside,
    ];

    /// The name, which stays as it is.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::DuplicateKey => "duplicate_key",
            Self::UnknownVersion => "unknown_version",
            Self::Altered => "altered",
            Self::BrokenLink => "broken_link",
            Self::Gap => "gap",
            Self::Fork => "fork",
            Self::Repeated => "repeated",
            Self::OutOfOrder => "out_of_order",
            Self::OtherTenant => "other_tenant",
            Self::Unsigned => "unsigned",
            Self::WrongKey => "wrong_key",
            Self::BadSignature => "bad_signature",
            Self::Truncated => "truncated",
            Self::Rewritten => "rewritten",
            Self::BadCheckpoint => "bad_checkpoint",
            Self::CheckpointOutside => "checkpoint_outside",
        }
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = ReceiptProblem)]
pub struct Problem {
    /// In a word.
    #[schema(value_type = String)]
    pub fault: Fault,
    /// The receipt's place in the list as it was given, from 0; none if it is about the list.
    pub index: Option<u64>,
    /// The receipt's place in the chain.
    pub sequence: Option<u64>,
    /// The receipt's id.
    pub receipt_id: Option<String>,
    /// In a sentence. Holds text from the receipt.
    pub message: String,
}

/// A key that signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct KeyUse {
    /// Its id.
    pub key_id: String,
    /// How many receipts it signed.
    pub receipts: u64,
}

/// What a checkpoint showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointOutcome {
    /// None was given.
    NotGiven,
    /// The list has the receipts that it covers.
    Agrees {
        /// How many it covers.
        size: u64,
    },
    /// It does not agree with the list, can't be relied on, or can't be compared.
    Disagrees,
}

impl Serialize for CheckpointOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::NotGiven => "not_given",
            Self::Agrees { .. } => "agrees",
            Self::Disagrees => "disagrees",
        })
    }
}

/// Problems as they are found.
#[derive(Debug, Default)]
pub(super) struct Problems {
    counts: BTreeMap<Fault, u64>,
    // INVARIANT: of those that were found, none that is kept comes after one that is not, up to a factor of two.
    kept: Vec<Problem>,
}

impl Problems {
    /// Keeps a problem if it may be among the first, and counts it.
    pub(super) fn push(&mut self, problem: Problem) {
        *self.counts.entry(problem.fault).or_default() += 1;
        self.kept.push(problem);
        if self.kept.len() >= 2 * PROBLEMS_KEPT {
            self.cut();
        }
    }

    /// Those about receipts come first, in the order of the list.
    fn cut(&mut self) {
        self.kept.sort_by_key(|problem| (problem.index.unwrap_or(u64::MAX), problem.fault));
        self.kept.truncate(PROBLEMS_KEPT);
    }

    /// Those that are kept, and how many of each there were.
    pub(super) fn finish(mut self) -> (Vec<Problem>, BTreeMap<Fault, u64>) {
        self.cut();
        (self.kept, self.counts)
    }
}
