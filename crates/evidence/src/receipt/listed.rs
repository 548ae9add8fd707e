//! A receipt as somebody hands it in: read strictly, judged elsewhere.

use super::hash::{Hash, from_hex, sha256};
use super::json::{Json, Object, Refusal};
use super::keys::PublicKey;
use super::{EventKind, RECEIPT_VERSION, UNHASHED};

/// A receipt that has all the members that its place in a chain needs.
#[derive(Debug)]
pub struct Receipt<'a> {
    object: Object<'a>,
    sequence: u64,
    hash: Hash,
    previous: Option<Hash>,
}

/// Why something is not a receipt of this version.
#[derive(Debug, thiserror::Error)]
pub enum Shape {
    /// It is not JSON of the strict form.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is of a version that we don't know.
    #[error("its `canon_version` is `{0}`, and only `{RECEIPT_VERSION}` is known here")]
    Version(String),
    /// A member is missing or not what it has to be.
    #[error("`{name}` is not {expected}")]
    Member {
        /// The member.
        name: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
}

/// The signature that a receipt carries, not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// It carries none.
    Missing,
    /// What it carries can't be a signature.
    Unreadable,
    /// It says that the key of this id has signed it.
    By {
        /// The key's id.
        key_id: String,
        /// The signature.
        bytes: [u8; 64],
    },
}

impl<'a> Receipt<'a> {
    /// Reads a receipt. Linear in its length, but for sorting keys that are out of order.
    pub fn parse(text: &'a [u8]) -> Result<Self, Shape> {
        let object = Object::parse(text)?;
        match object.text("canon_version") {
            Some(RECEIPT_VERSION) => {}
            Some(other) => return Err(Shape::Version(shortened(other))),
            None => return Err(Shape::Member { name: "canon_version", expected: "a text" }),
        }
        for name in ["event_id", "kind", "tenant_id"] {
            object.text(name).ok_or(Shape::Member { name, expected: "a text" })?;
        }
        let sequence = object.get("sequence").and_then(Json::as_integer).and_then(|number| u64::try_from(number).ok());
        let hash = object.text("receipt_hash").and_then(|text| text.parse().ok());
        let previous = match object.text("prev_receipt_hash") {
            Some("") => Some(None),
            other => other.and_then(|text| text.parse().ok()).map(Some),
        };
        Ok(Self {
            sequence: sequence.ok_or(Shape::Member { name: "sequence", expected: "a number from 0 on" })?,
            hash: hash.ok_or(Shape::Member { name: "receipt_hash", expected: "64 lower-case hex digits" })?,
            previous: previous
                .ok_or(Shape::Member { name: "prev_receipt_hash", expected: "empty or 64 lower-case hex digits" })?,
            object,
        })
    }

    /// All members.
    #[must_use]
    pub const fn object(&self) -> &Object<'a> {
        &self.object
    }

    /// The receipt's id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.object.text("event_id").unwrap_or_default()
    }

    /// Whose it is.
    #[must_use]
    pub fn tenant(&self) -> &str {
        self.object.text("tenant_id").unwrap_or_default()
    }

    /// Its place in the chain.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The hash that it states.
    #[must_use]
    pub const fn stated_hash(&self) -> Hash {
        self.hash
    }

    /// The hash that it states for the receipt before it; none for the first.
    #[must_use]
    pub const fn previous(&self) -> Option<Hash> {
        self.previous
    }

    /// The hash that it has. If nothing was altered it is the one that it states.
    #[must_use]
    pub fn actual_hash(&self) -> Hash {
        sha256(self.object.canonical_without(&UNHASHED))
    }

    /// The signature that it carries.
    #[must_use]
    pub fn signature(&self) -> Signature {
        Signature::of(&self.object)
    }

    /// Of how many decisions it says that retention took the details out; none if it is of another kind.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        if self.object.text("kind") != Some(EventKind::Retention.name()) {
            return 0;
        }
        let detail = self.object.get("detail").and_then(Json::as_object);
        let count = detail.and_then(|detail| detail.get("decisions")).and_then(Json::as_integer);
        count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default()
    }

    /// The key that it hands over to, if it is a receipt of that kind.
    #[must_use]
    pub fn next_key(&self) -> Option<Result<PublicKey, Shape>> {
        if self.object.text("kind") != Some(EventKind::Key.name()) {
            return None;
        }
        let expected = "the key that signs from the next receipt on";
        let key = self.object.get("detail").and_then(Json::as_object).and_then(|detail| {
            let key: PublicKey = PublicKey::from_bytes(from_hex(detail.text("next_public_key")?)?).ok()?;
            (detail.text("next_key_id") == Some(key.id())).then_some(key)
        });
        Some(key.ok_or(Shape::Member { name: "detail.next_public_key", expected }))
    }
}

impl Signature {
    /// The signature that an object carries: a receipt or a checkpoint.
    pub(super) fn of(object: &Object<'_>) -> Self {
        let [_, signature, key_id] = UNHASHED.map(|name| object.get(name));
        match (signature, key_id) {
            (None | Some(Json::Null), _) => Self::Missing,
            (Some(signature), Some(Json::Text(key_id))) => match signature.as_text().and_then(from_hex) {
                Some(bytes) => Self::By { key_id: shortened(key_id), bytes },
                None => Self::Unreadable,
            },
            _ => Self::Unreadable,
        }
    }
}

/// How many characters of a text from outside are enough to recognise it by.
pub(super) const SHOWN: usize = 80;

/// The beginning of a text from outside, enough to recognise it by.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
