//! Why a bundle is refused.

/// Why a bundle is refused, whole. Names in it come from the bundle and are shown escaped by whoever prints them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no signature.
    #[error("it is not signed")]
    Unsigned,
    /// There is a signature, and nothing to check it with.
    #[error("it is signed, but no key was given to verify that with")]
    NoKey,
    /// There is a signature, and it is not the key's over these bytes.
    #[error("the signature `{file}` does not hold: {reason}")]
    Signature {
        /// The file with the signature.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// The archive as a whole is not what it must be.
    #[error("the archive {0}")]
    Archive(String),
    /// Something in the bundle is not what it must be.
    #[error("`{path}` in it {reason}")]
    Entry {
        /// Its path within the bundle, as it stands there.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A directory without a manifest has nothing that could be signed.
    #[error("there is no `{}` in it, so nothing of it can be signed", super::MANIFEST)]
    NoManifest,
    /// The manifest is none, or does not speak of these files.
    #[error("its manifest {0}")]
    Manifest(String),
    /// There are no rules in it.
    #[error("there is no rule file (*.yaml, *.yml) in it")]
    Empty,
}

impl Refusal {
    pub(super) fn entry(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Entry { path: path.into(), reason: reason.into() }
    }
}
