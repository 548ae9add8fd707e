//! Credentials of a configuration: which values are secrets, what sort each is, and the hash that stands for it.
//!
//! A value is looked at, hashed and let go here. What leaves this module has a hash and never a value.

pub(crate) mod candidates;
mod form;
mod names;
mod parts;
pub(crate) mod placeholder;
pub(crate) mod reference;
mod sight;

pub(crate) use candidates::{Candidate, Place};
pub(crate) use form::{format, starred};
pub(crate) use sight::{Seen, Sight, Sighting, is_bearer};

/// What sort of credential it is, by where its value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sort {
    /// The value stands there.
    Hardcoded,
    /// An environment variable has it.
    EnvVar,
    /// A secret store, a file or a command has it.
    VaultRef,
    /// A person is asked for it, or has yet to put it there.
    InputPrompt,
}

impl Sort {
    /// The `type` on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hardcoded => "hardcoded",
            Self::EnvVar => "envVar",
            Self::VaultRef => "vaultRef",
            Self::InputPrompt => "inputPrompt",
        }
    }
}

/// Words before a secret in a header that are not part of it.
const SCHEMES: &[&str] = &["bearer ", "token ", "basic ", "apikey ", "api-key "];

/// A value without the name of its scheme.
pub(crate) fn bare(value: &str) -> &str {
    let value = value.trim();
    let scheme =
        SCHEMES.iter().find(|scheme| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    scheme.and_then(|scheme| value.get(scheme.len()..)).map_or(value, str::trim)
}
