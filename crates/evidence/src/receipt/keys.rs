//! Ed25519 keys: those that sign, and those that are trusted.
//!
//! A key that can't be read is an error everywhere; it never means that nothing is signed or checked. Where a secret key
//! is kept is the caller's business.

use std::collections::BTreeMap;
use std::fmt;
use std::hint::black_box;
use std::str::FromStr;
use std::sync::Arc;

use ed25519_dalek::Signer as _;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ED25519, UnparsedPublicKey};

use super::hash::{Hash, from_hex, push_hex, sha256};

/// Why a key can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A secret key is not 32 bytes in hex.
    #[error("a secret key is 64 lower-case hex digits")]
    Seed,
    /// A public key is not 32 bytes in hex.
    #[error("a public key is 64 lower-case hex digits, or a line `ed25519 <key id> <64 hex digits>`")]
    PublicKey,
    /// Anybody could sign for it, or it has a second text.
    #[error("the public key `{0}` is one that anybody can sign for")]
    Weak(String),
    /// A line of a key file names another id than its key has.
    #[error("the key id is `{stated}`, but this key's id is `{actual}`")]
    KeyId {
        /// What the line says.
        stated: String,
        /// What the key has.
        actual: String,
    },
    /// A line of a key file can't be used.
    #[error("line {line}: {source}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Why.
        source: Box<KeyError>,
    },
    /// A key file has no key.
    #[error("there is no key in it")]
    NoKey,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes for a key")]
    Random,
}

/// The 32 secret bytes of a key. They are never printed and are overwritten when they are dropped.
pub struct Seed([u8; 32]);

impl Seed {
    /// Fresh bytes from the system.
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        SystemRandom::new().fill(&mut bytes).map_err(|_| KeyError::Random)?;
        Ok(Self(bytes))
    }

    /// Bytes that were kept.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Bytes that were kept as hex. White space around them is no part of them.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        from_hex(text.trim_ascii()).map(Self).ok_or(KeyError::Seed)
    }

    /// The bytes, to be kept where nobody else reads them.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Seed(secret)")
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        self.0 = [0; 32];
        // Seen by the compiler as read, so that the zeros are really written.
        black_box(&self.0);
    }
}

/// A key that signs.
pub struct SigningKey {
    // Overwritten when it is dropped.
    secret: ed25519_dalek::SigningKey,
    public: PublicKey,
}

impl SigningKey {
    /// The key behind the secret bytes.
    pub fn from_seed(seed: &Seed) -> Result<Self, KeyError> {
        let secret = ed25519_dalek::SigningKey::from_bytes(seed.bytes());
        Ok(Self { public: PublicKey::from_bytes(secret.verifying_key().to_bytes())?, secret })
    }

    /// The key that checks its signatures.
    #[must_use]
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a hash: the signature covers its 64 hex digits.
    #[must_use]
    pub fn sign(&self, hash: &Hash) -> String {
        let signature = self.secret.sign(&hash.digits());
        let mut text = String::with_capacity(128);
        push_hex(&mut text, &signature.to_bytes());
        text
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SigningKey({}, secret)", self.public.id())
    }
}

/// A key that checks signatures.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    bytes: [u8; 32],
    id: Arc<str>,
}

impl PublicKey {
    /// The key of these bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, KeyError> {
        if is_weak(&bytes) {
            let mut text = String::new();
            push_hex(&mut text, &bytes);
            return Err(KeyError::Weak(text));
        }
        let mut id = sha256(bytes).hex();
        id.truncate(16);
        Ok(Self { bytes, id: id.into() })
    }

    /// The raw bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Its id: the first 16 hex digits of the SHA-256 of its bytes.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The 64 hex digits of its bytes.
    #[must_use]
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(64);
        push_hex(&mut text, &self.bytes);
        text
    }

    /// Whether it signed the 64 hex digits of this hash.
    #[must_use]
    pub fn has_signed(&self, hash: &Hash, signature: &[u8; 64]) -> bool {
        UnparsedPublicKey::new(&ED25519, &self.bytes).verify(&hash.digits(), signature).is_ok()
    }
}

impl fmt::Display for PublicKey {
    /// The line of a key file.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ed25519 {} {}", self.id, self.hex())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    /// Reads 64 hex digits, or a line of a key file.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let words: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
        let (stated, digits) = match words[..] {
            [digits] => (None, digits),
            ["ed25519", id, digits] => (Some(id), digits),
            _ => return Err(KeyError::PublicKey),
        };
        let key = Self::from_bytes(from_hex(digits).ok_or(KeyError::PublicKey)?)?;
        match stated {
            Some(stated) if stated != key.id() => {
                Err(KeyError::KeyId { stated: stated.to_owned(), actual: key.id().to_owned() })
            }
            _ => Ok(key),
        }
    }
}

/// Keys that are trusted, by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    by_id: BTreeMap<Arc<str>, PublicKey>,
}

impl Keys {
    /// Reads a key file: a key a line, as hex or as `ed25519 <key id> <hex>`; empty lines and what follows `#` don't count.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut keys = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line_part = line.split('#').next().unwrap_or_default().trim_ascii();
            if !line_part.is_empty() {
                let wrong = |source| KeyError::Line { line: index + 1, source: Box::new(source) };
                keys.insert(line_part.parse().map_err(wrong)?);
            }
        }
        if keys.is_empty() { Err(KeyError::NoKey) } else { Ok(keys) }
    }

    /// Trusts a key.
    pub fn insert(&mut self, key: PublicKey) {
        self.by_id.insert(key.id.clone(), key);
    }

    /// The key of this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&PublicKey> {
        self.by_id.get(id)
    }

    /// All keys, by their ids.
    pub fn iter(&self) -> impl Iterator<Item = &PublicKey> {
        self.by_id.values()
    }

    /// Whether no key is trusted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }
}

impl FromIterator<PublicKey> for Keys {
    fn from_iter<I: IntoIterator<Item = PublicKey>>(keys: I) -> Self {
        let mut all = Self::default();
        keys.into_iter().for_each(|key| all.insert(key));
        all
    }
}

impl Extend<PublicKey> for Keys {
    fn extend<I: IntoIterator<Item = PublicKey>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| self.insert(key));
    }
}

/// Whether a point has so small an order that signatures for it can be made without a secret, or is not written as RFC
/// 8032 has it, which would give one key two ids.
fn is_weak(bytes: &[u8; 32]) -> bool {
    /// The second coordinates of the points of small order that are written canonically.
    const SMALL_ORDER: [&str; 5] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];
    let mut coordinate = *bytes;
    let [first, middle @ .., last] = &mut coordinate;
    *last &= 0x7f;
    // The coordinate is a number below 2^255 - 19.
    let is_too_large = *first >= 0xed && *last == 0x7f && middle.iter().all(|byte| *byte == 0xff);
    is_too_large || SMALL_ORDER.iter().any(|point| from_hex(point) == Some(coordinate))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";

    fn example() -> SigningKey {
        SigningKey::from_seed(&Seed::from_bytes(std::array::from_fn(|index| index as u8))).unwrap()
    }

    #[test]
    fn a_seed_gives_its_public_key_and_id() {
        let key = example();
        assert_eq!(key.public().hex(), PUBLIC);
        assert_eq!(key.public().id(), "56475aa75463474c");
        assert_eq!(key.public().to_string(), format!("ed25519 56475aa75463474c {PUBLIC}"));
    }

    #[test]
    fn secrets_are_not_printed() {
        let seed = Seed::from_bytes([0x41; 32]);
        assert_eq!(format!("{seed:?}"), "Seed(secret)");
        assert_eq!(format!("{:?}", example()), "SigningKey(56475aa75463474c, secret)");
    }

    #[test]
    fn only_what_was_signed_is_signed() {
        let (key, hash) = (example(), sha256("receipt"));
        let signature: [u8; 64] = from_hex(&key.sign(&hash)).unwrap();
        assert!(key.public().has_signed(&hash, &signature));
        assert!(!key.public().has_signed(&sha256("other"), &signature));
        let mut bent = signature;
        bent[40] ^= 1;
        assert!(!key.public().has_signed(&hash, &bent));
        let other = SigningKey::from_seed(&Seed::generate().unwrap()).unwrap();
        assert!(!other.public().has_signed(&hash, &signature));
    }

    #[test]
    fn a_key_file_holds_keys_and_remarks() {
        let text = format!("# two ways to write it\n{PUBLIC}\n\n  ed25519 56475aa75463474c {PUBLIC}  # old\r\n");
        let keys = Keys::parse(&text).unwrap();
        assert_eq!(keys.iter().map(PublicKey::hex).collect::<Vec<_>>(), [PUBLIC]);
        assert!(keys.get("56475aa75463474c").is_some() && keys.get("56475aa75463474d").is_none());
    }

    #[test]
    fn a_key_that_cannot_be_read_is_an_error() {
        let line = |line, source| Err(KeyError::Line { line, source: Box::new(source) });
        assert_eq!(Keys::parse(""), Err(KeyError::NoKey));
        assert_eq!(Keys::parse("# nothing\n"), Err(KeyError::NoKey));
        for text in ["x", &PUBLIC[2..], &PUBLIC.to_uppercase(), &format!("rsa 56475aa75463474c {PUBLIC}")] {
            assert_eq!(Keys::parse(&format!("{PUBLIC}\n{text}")), line(2, KeyError::PublicKey), "{text}");
        }
        let stated = KeyError::KeyId { stated: "0000".to_owned(), actual: "56475aa75463474c".to_owned() };
        assert_eq!(Keys::parse(&format!("ed25519 0000 {PUBLIC}")), line(1, stated));
        for text in ["", "00", &"0".repeat(63), &"g".repeat(64)] {
            assert_eq!(Seed::from_hex(text).err(), Some(KeyError::Seed), "{text}");
        }
        assert!(Seed::from_hex(&format!("{}\n", "0".repeat(64))).is_ok());
    }

    #[test]
    fn keys_that_anybody_can_sign_for_are_refused() {
        for (first, rest, last) in
            [(0, 0, 0), (1, 0, 0), (1, 0, 0x80), (0xec, 0xff, 0x7f), (0xed, 0xff, 0x7f), (0xee, 0xff, 0xff)]
        {
            let mut bytes = [rest; 32];
            (bytes[0], bytes[31]) = (first, last);
            assert!(matches!(PublicKey::from_bytes(bytes), Err(KeyError::Weak(_))), "{bytes:?}");
        }
        let point = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85";
        assert_eq!(point.parse::<PublicKey>(), Err(KeyError::Weak(point.to_owned())));
    }
}
