//! Tokens: made from randomness, shown once, kept as hashes.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::Error;

/// Begins every token of an agent.
pub const AGENT_PREFIX: &str = "agent_tok_";
/// Begins every token of a person or machine.
pub const PERSON_PREFIX: &str = "th_key_";

/// A token in the clear. It has no `Debug` that shows it and can't be stored.
#[derive(Clone)]
pub struct Token(String);

/// What is kept of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Token {
    pub(crate) fn of_agent() -> Result<Self, Error> {
        Ok(Self(format!("{AGENT_PREFIX}{}", random_hex::<16>()?)))
    }

    /// A token for whoever holds the data directory, good as long as a server runs.
    pub fn of_operator() -> Result<Self, Error> {
        Self::of_person()
    }

    pub(crate) fn of_person() -> Result<Self, Error> {
        Ok(Self(format!("{PERSON_PREFIX}{}", random_hex::<32>()?)))
    }

    /// The token itself, for the one time that it is shown.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl TokenHash {
    /// The hash of what somebody sent.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    pub(crate) fn to_hex(self) -> String {
        hex(&self.0)
    }

    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return None;
        }
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn random_hex<const N: usize>() -> Result<String, Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|source| Error::Randomness { source })?;
    Ok(hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_form_and_are_never_printed() {
        let token = Token::of_agent().unwrap();
        assert_eq!(token.reveal().len(), AGENT_PREFIX.len() + 32);
        assert!(token.reveal().starts_with(AGENT_PREFIX));
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_ne!(token.reveal(), Token::of_agent().unwrap().reveal());
    }

    #[test]
    fn a_hash_survives_its_text() {
        let hash = Token::of_person().unwrap().hash();
        assert_eq!(TokenHash::from_hex(&hash.to_hex()), Some(hash));
        assert_eq!(TokenHash::from_hex("xyz"), None);
    }
}
