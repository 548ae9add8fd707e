//! What verification keeps of a receipt once its text is read. Made on all cores.

use super::quick;
use super::report::Fault;
use crate::receipt::hash::Hash;
use crate::receipt::keys::PublicKey;
use crate::receipt::listed::{Receipt, Shape, Signature, shortened};
use crate::receipt::{Refusal, merkle};

/// A line of the list.
#[derive(Debug)]
pub(super) struct Facts {
    /// Its place in the list as it was given.
    pub(super) index: u64,
    /// What it says, or why it says nothing.
    pub(super) read: Result<Read, Unreadable>,
}

/// A line that is no receipt of a known version.
#[derive(Debug)]
pub(super) struct Unreadable {
    pub(super) fault: Fault,
    pub(super) message: String,
}

/// What a receipt says.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) id: String,
    pub(super) tenant: String,
    pub(super) sequence: u64,
    pub(super) previous: Option<Hash>,
    pub(super) stated: Hash,
    pub(super) actual: Hash,
    /// Its leaf in the Merkle tree.
    pub(super) leaf: Hash,
    pub(super) signature: Signature,
    pub(super) next_key: Option<Result<PublicKey, Shape>>,
    /// Of how many decisions it says that their details were dropped.
    pub(super) dropped: u64,
}

impl Facts {
    pub(super) fn read(index: u64, text: &[u8]) -> Self {
        match quick::read(text) {
            Some(read) => Self { index, read: Ok(read) },
            None => Self::read_with_care(index, text),
        }
    }

    /// Reads a line in whatever order and with whatever white space it is written.
    pub(super) fn read_with_care(index: u64, text: &[u8]) -> Self {
        Self { index, read: Receipt::parse(text).map(|receipt| Read::of(&receipt)).map_err(Unreadable::from) }
    }

    /// The place in the chain that the line claims.
    pub(super) fn sequence(&self) -> Option<u64> {
        self.read.as_ref().ok().map(|read| read.sequence)
    }
}

impl Read {
    fn of(receipt: &Receipt<'_>) -> Self {
        let stated = receipt.stated_hash();
        Self {
            id: shortened(receipt.id()),
            tenant: receipt.tenant().to_owned(),
            sequence: receipt.sequence(),
            previous: receipt.previous(),
            stated,
            actual: receipt.actual_hash(),
            leaf: merkle::leaf(&stated),
            signature: receipt.signature(),
            next_key: receipt.next_key(),
            dropped: receipt.dropped(),
        }
    }

    /// Whether its contents have the hash that it states.
    pub(super) fn is_whole(&self) -> bool {
        self.stated == self.actual
    }
}

impl From<Shape> for Unreadable {
    fn from(shape: Shape) -> Self {
        let fault = match &shape {
            Shape::Version(_) => Fault::UnknownVersion,
            Shape::Refused(Refusal::DuplicateKey(_)) => Fault::DuplicateKey,
            Shape::Refused(_) | Shape::Member { .. } => Fault::Malformed,
        };
        Self { fault, message: shortened_message(&shape.to_string()) }
    }
}

/// A key that stands twice may be long.
fn shortened_message(message: &str) -> String {
    const SHOWN: usize = 300;
    match message.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    }
}
