//! SHA-256 hashes and their hex form. Only lower case counts, so that one hash has one text.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(
    /// The raw bytes.
    pub [u8; 32],
);

/// The hash of some bytes.
#[must_use]
pub fn sha256(bytes: impl AsRef<[u8]>) -> Hash {
    Hash(Sha256::digest(bytes.as_ref()).into())
}

/// The hash of several pieces, one after the other.
pub(super) fn sha256_of(pieces: &[&[u8]]) -> Hash {
    let mut hash = Sha256::new();
    pieces.iter().for_each(|piece| hash.update(piece));
    Hash(hash.finalize().into())
}

impl Hash {
    /// The 64 hex digits, which are what a signature covers.
    #[must_use]
    pub fn hex(&self) -> String {
        // Hex digits are always text.
        String::from_utf8(self.digits().to_vec()).unwrap_or_default()
    }

    /// The 64 hex digits as ASCII.
    #[must_use]
    pub fn digits(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        let (pairs, _) = digits.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(self.0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        digits
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

/// A text is not 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash is 64 lower-case hex digits")]
pub struct NotAHash;

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        from_hex(text).map(Self).ok_or(NotAHash)
    }
}

/// Adds the hex form of some bytes.
pub(super) fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push(char::from(digit(byte >> 4)));
        text.push(char::from(digit(byte & 15)));
    }
}

const fn digit(nibble: u8) -> u8 {
    if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble }
}

/// The bytes behind exactly as many lower-case hex digits as they need.
pub(super) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_one_text() {
        let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256("").to_string(), text);
        assert_eq!(text.parse(), Ok(sha256("")));
        for wrong in
            ["", "e3b0", &text.to_uppercase(), &format!("{text}0"), &format!("{text}00"), &text.replace('0', "g")]
        {
            assert_eq!(wrong.parse::<Hash>(), Err(NotAHash), "{wrong}");
        }
    }

    #[test]
    fn pieces_hash_as_the_whole() {
        assert_eq!(sha256_of(&[b"ab", b"", b"c"]), sha256("abc"));
    }
}
