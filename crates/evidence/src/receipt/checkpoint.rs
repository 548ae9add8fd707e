//! Checkpoints: a signed statement of how long a chain is and what the root over it is.
//!
//! Kept where the server can't reach it, a checkpoint shows that a chain was cut short or rewritten afterwards.

use jiff::Timestamp;

use super::CHECKPOINT_VERSION;
use super::body::Members;
use super::hash::{Hash, sha256};
use super::json::{Json, Object, Refusal};
use super::keys::{Keys, SigningKey};
use super::listed::{Signature, shortened};

/// Members of a checkpoint that its hash does not cover.
const UNHASHED: [&str; 3] = ["checkpoint_hash", "signature", "signer_key_id"];

/// What a checkpoint states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Whose chain it is.
    pub tenant: String,
    /// How many receipts it covers, from the first on.
    pub size: u64,
    /// The root of the Merkle tree over them.
    pub root: Hash,
    /// The hash of the last of them; none if it covers none.
    pub last: Option<Hash>,
    /// When it was made, as written.
    pub ts: String,
}

/// A checkpoint that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedCheckpoint {
    /// Its hash.
    pub hash: Hash,
    /// The whole object in RFC 8785 form.
    pub json: String,
}

/// A checkpoint as somebody hands it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    statement: Statement,
    stated_hash: Hash,
    actual_hash: Hash,
    signature: Signature,
}

/// Why a checkpoint can't be read or relied on.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFault {
    /// It is not JSON of the strict form.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is of a version that we don't know.
    #[error("its `canon_version` is `{0}`, and only `{CHECKPOINT_VERSION}` is known here")]
    Version(String),
    /// A member is missing or not what it has to be.
    #[error("`{name}` is not {expected}")]
    Member {
        /// The member.
        name: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// Its contents don't have the hash that it states.
    #[error("its contents were altered: it states the hash {stated}, and they have {actual}")]
    Altered {
        /// What it states.
        stated: Hash,
        /// What its contents have.
        actual: Hash,
    },
    /// Nobody signed it.
    #[error("it is not signed")]
    Unsigned,
    /// It is signed by a key that is not trusted.
    #[error("it is signed by the key `{0}`, which is not trusted")]
    WrongKey(String),
    /// The key that it names did not sign it.
    #[error("its signature is not that of the key that it names")]
    BadSignature,
}

impl Statement {
    /// A statement about the first receipts of a chain.
    #[must_use]
    pub fn new(tenant: impl Into<String>, size: u64, root: Hash, last: Option<Hash>, ts: Timestamp) -> Self {
        Self { tenant: tenant.into(), size, root, last, ts: format!("{ts:.6}") }
    }

    /// Hashes and signs it.
    #[must_use]
    pub fn seal(&self, signer: &SigningKey) -> SealedCheckpoint {
        let hash = sha256(self.members(None));
        let json = self.members(Some((&hash, signer)));
        SealedCheckpoint { hash, json }
    }

    fn members(&self, sealed: Option<(&Hash, &SigningKey)>) -> String {
        let mut out = Members::with_capacity(768);
        out.text("canon_version", CHECKPOINT_VERSION);
        if let Some((hash, _)) = sealed {
            out.text("checkpoint_hash", &hash.hex());
        }
        out.text("last_receipt_hash", &self.last.map(|hash| hash.hex()).unwrap_or_default());
        out.text("root_hash", &self.root.hex());
        if let Some((hash, signer)) = sealed {
            out.text("signature", &signer.sign(hash));
            out.text("signer_key_id", signer.public().id());
        }
        out.number("size", self.size);
        out.text("tenant_id", &self.tenant);
        out.text("ts", &self.ts);
        out.closed()
    }
}

impl Checkpoint {
    /// Reads a checkpoint. Whether it is to be relied on, [`verify`](Self::verify) says.
    pub fn parse(text: &[u8]) -> Result<Self, CheckpointFault> {
        let object = Object::parse(text)?;
        match object.text("canon_version") {
            Some(CHECKPOINT_VERSION) => {}
            Some(other) => return Err(CheckpointFault::Version(shortened(other))),
            None => return Err(CheckpointFault::Member { name: "canon_version", expected: "a text" }),
        }
        let text = |name| object.text(name).ok_or(CheckpointFault::Member { name, expected: "a text" });
        let hash = |name| -> Result<Hash, CheckpointFault> {
            text(name)?.parse().map_err(|_| CheckpointFault::Member { name, expected: "64 lower-case hex digits" })
        };
        let size = object.get("size").and_then(Json::as_integer).and_then(|number| u64::try_from(number).ok());
        let size = size.ok_or(CheckpointFault::Member { name: "size", expected: "a number from 0 on" })?;
        let last =
            if size == 0 && text("last_receipt_hash")?.is_empty() { None } else { Some(hash("last_receipt_hash")?) };
        Ok(Self {
            statement: Statement {
                tenant: text("tenant_id")?.to_owned(),
                size,
                root: hash("root_hash")?,
                last,
                ts: text("ts")?.to_owned(),
            },
            stated_hash: hash("checkpoint_hash")?,
            actual_hash: sha256(object.canonical_without(&UNHASHED)),
            signature: Signature::of(&object),
        })
    }

    /// What it states.
    #[must_use]
    pub const fn statement(&self) -> &Statement {
        &self.statement
    }

    /// Whether its contents are what a trusted key signed; gives that key's id.
    pub fn verify(&self, keys: &Keys) -> Result<&str, CheckpointFault> {
        if self.stated_hash != self.actual_hash {
            return Err(CheckpointFault::Altered { stated: self.stated_hash, actual: self.actual_hash });
        }
        match &self.signature {
            Signature::Missing => Err(CheckpointFault::Unsigned),
            Signature::Unreadable => Err(CheckpointFault::BadSignature),
            Signature::By { key_id, bytes } => {
                let key = keys.get(key_id).ok_or_else(|| CheckpointFault::WrongKey(key_id.clone()))?;
                if key.has_signed(&self.stated_hash, bytes) { Ok(key_id) } else { Err(CheckpointFault::BadSignature) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receipt::{Seed, merkle};

    fn signer(byte: u8) -> SigningKey {
        SigningKey::from_seed(&Seed::from_bytes([byte; 32])).unwrap()
    }

    fn statement() -> Statement {
        Statement::new("default", 3, sha256("root"), Some(sha256("last")), "2026-01-02T03:04:05Z".parse().unwrap())
    }

    fn check(json: &str) -> Result<String, String> {
        let keys = [signer(1).public().clone()].into_iter().collect();
        let checkpoint = Checkpoint::parse(json.as_bytes()).map_err(|fault| fault.to_string())?;
        checkpoint.verify(&keys).map(str::to_owned).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_checkpoint_is_verified_as_it_was_made() {
        let sealed = statement().seal(&signer(1));
        let object: serde_json::Value = serde_json::from_str(&sealed.json).unwrap();
        assert_eq!(serde_json_canonicalizer::to_string(&object).unwrap(), sealed.json);
        assert_eq!(check(&sealed.json), Ok(signer(1).public().id().to_owned()));
        assert_eq!(Checkpoint::parse(sealed.json.as_bytes()).unwrap().statement(), &statement());
        let empty = Statement { size: 0, root: merkle::empty_root(), last: None, ..statement() };
        let sealed = empty.seal(&signer(1));
        assert_eq!(Checkpoint::parse(sealed.json.as_bytes()).unwrap().statement(), &empty);
    }

    #[test]
    fn every_refusal_says_why() {
        let json = statement().seal(&signer(1)).json;
        let failed = |json: &str| check(json).unwrap_err();
        assert!(failed(&json.replace(r#""size":3"#, r#""size":2"#)).starts_with("its contents were altered"));
        assert!(failed(&json.replace("default", "other")).starts_with("its contents were altered"));
        let other = statement().seal(&signer(2)).json;
        assert_eq!(
            failed(&other),
            format!("it is signed by the key `{}`, which is not trusted", signer(2).public().id())
        );
        let borrowed = other.replace(signer(2).public().id(), signer(1).public().id());
        assert_eq!(failed(&borrowed), "its signature is not that of the key that it names");
        let mut object: serde_json::Value = serde_json::from_str(&json).unwrap();
        object["signature"] = serde_json::Value::Null;
        assert_eq!(failed(&object.to_string()), "it is not signed");
        object["canon_version"] = "tracehound-checkpoint-9".into();
        assert_eq!(
            failed(&object.to_string()),
            "its `canon_version` is `tracehound-checkpoint-9`, and only `tracehound-checkpoint-1` is known here"
        );
        assert_eq!(failed("{}"), "`canon_version` is not a text");
        assert_eq!(failed(&json.replace(r#""size":3"#, r#""size":-3"#)), "`size` is not a number from 0 on");
        assert!(failed(&json.replace('{', r#"{"size":3,"#)).starts_with("the key `size` stands twice"));
    }
}
