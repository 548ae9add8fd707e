//! Receipts: what was recorded, in a form that somebody who does not trust us can check.
//!
//! A receipt is a JSON object. Its hash is the SHA-256 of its RFC 8785 form without the members `receipt_hash`,
//! `signature` and `signer_key_id`, it names the hash of the receipt before it, and the hash is signed. The hashes are the
//! leaves of a Merkle tree whose root a checkpoint signs, so that a chain that was cut short or rewritten shows.
//!
//! Pure: no store, no clock, no files. What is sealed here is stored elsewhere, and the same code verifies it offline and
//! in the server.

mod body;
mod chain;
mod checkpoint;
mod hash;
mod json;
mod keys;
mod lines;
mod listed;
pub mod merkle;
#[cfg(test)]
mod vectors;
mod verify;

pub use body::{ApprovalStep, Decision, Draft, Event, EventKind, PolicyUsed};
pub use chain::{Chain, Last, Mark, Sealed};
pub use checkpoint::{Checkpoint, CheckpointFault, SealedCheckpoint, Statement};
pub use hash::{Hash, sha256};
pub use json::{Json, LINE_LIMIT, Object, Refusal, SafeInteger};
pub use keys::{KeyError, Keys, PublicKey, Seed, SigningKey};
pub use lines::Lines;
pub use listed::{Receipt, Shape, Signature};
pub use verify::{CheckpointOutcome, Fault, KeyUse, PROBLEMS_KEPT, Problem, Report, Status, verify};

/// The version of the receipt's form, which every receipt names.
pub const RECEIPT_VERSION: &str = "tracehound-receipt-1";
/// The version of the checkpoint's form, which every checkpoint names.
pub const CHECKPOINT_VERSION: &str = "tracehound-checkpoint-1";

/// Members of a receipt that its hash does not cover: the hash itself and what proves who made it.
const UNHASHED: [&str; 3] = ["receipt_hash", "signature", "signer_key_id"];
