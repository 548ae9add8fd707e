//! Rule bundles: rules that somebody keeps for others, as one archive or as a directory with a manifest, and signed.
//!
//! Bytes come in, rule files go out, and the types keep the order: nothing in a bundle is looked at before it is
//! [`Trusted`], for which a given key must have signed it or the user must have said that nobody need. A bundle is taken
//! whole or refused whole. What is in it is never written to disk.
//!
//! Signatures are checked here and not by the `sigstore-verify` crate (0.15.1), which would add 24 crates to the tree, a
//! second cryptographic library in C and a second version of `untrusted` among them; it reads one of the three forms that
//! cosign writes for a key, and wants the keys of transparency logs whenever a bundle mentions one. A given key needs a
//! tenth of that, and the library that TLS uses anyway.

mod archive;
mod contents;
mod der;
mod key;
pub mod limits;
mod manifest;
mod pack;
mod path;
mod refusal;
mod signature;

#[cfg(test)]
mod tests;

use tracehound_model::hash;

use crate::library::RuleFile;
use contents::Contents;

pub use key::{KeyProblem, PublicKey};
pub use manifest::MANIFEST;
pub use pack::{manifest, pack};
pub use refusal::Refusal;
pub use signature::{Form, SignatureFile};

/// Whom a bundle has to be from.
#[derive(Debug, Clone, Copy)]
pub enum Trust<'k> {
    /// Whoever has this key.
    Key(&'k PublicKey),
    /// Nobody in particular: the user said that a bundle need not be signed.
    Anybody,
    /// Nobody was named, so that no bundle is trusted.
    Nobody,
}

/// What is known of where a bundle comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The key signed it, in each of these files.
    Signed(Vec<(String, Form)>),
    /// Nothing: there is no signature, or no key to check it with, and the user accepts that.
    None,
}

/// An archive or a manifest that may be looked at.
#[derive(Debug)]
pub struct Trusted<'b> {
    bytes: &'b [u8],
    proof: Proof,
}

/// What was in a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The rule files, sorted, named by their paths within the bundle.
    pub files: Vec<RuleFile>,
    /// SHA-256 of the bytes that a signature is over: the archive, or the manifest of a directory.
    pub digest: Option<String>,
    /// Where it comes from.
    pub proof: Proof,
    /// Whether a manifest lists the files.
    pub has_manifest: bool,
}

/// Checks where an archive or a manifest comes from. Every signature that is there has to hold: one that does not is a
/// sign of trouble, whatever another one says.
///
/// # Errors
///
/// If there is no signature or no key, unless anybody is trusted; and if a signature is not the key's.
pub fn verify<'b>(bytes: &'b [u8], signatures: &[SignatureFile], trust: Trust<'_>) -> Result<Trusted<'b>, Refusal> {
    let key = match trust {
        Trust::Key(key) => key,
        Trust::Anybody => return Ok(Trusted { bytes, proof: Proof::None }),
        Trust::Nobody if signatures.is_empty() => return Err(Refusal::Unsigned),
        Trust::Nobody => return Err(Refusal::NoKey),
    };
    if signatures.is_empty() {
        return Err(Refusal::Unsigned);
    }
    let check = |file: &SignatureFile| match signature::check(file, bytes, key) {
        Ok(form) => Ok((file.name.clone(), form)),
        Err(reason) => Err(Refusal::Signature { file: file.name.clone(), reason }),
    };
    let forms = signatures.iter().map(check).collect::<Result<_, _>>()?;
    Ok(Trusted { bytes, proof: Proof::Signed(forms) })
}

impl Trusted<'_> {
    /// Unpacks an archive. If it has a manifest, that has to be true as well.
    ///
    /// # Errors
    ///
    /// With the first thing in it that must not be there.
    pub fn unpack(self) -> Result<Opened, Refusal> {
        let contents = archive::unpack(self.bytes)?;
        if let Some(manifest) = &contents.manifest {
            manifest::check(manifest, &contents.rules)?;
        }
        let has_manifest = contents.manifest.is_some();
        Ok(Opened { files: contents.into_files()?, digest: Some(self.digest()), proof: self.proof, has_manifest })
    }

    /// Takes the files that a manifest lists, which have to be all that are there and as they were listed.
    ///
    /// # Errors
    ///
    /// With the files that are missing, altered or not listed.
    pub fn list(self, files: Vec<(String, Vec<u8>)>) -> Result<Opened, Refusal> {
        let contents = gathered(files)?;
        manifest::check(self.bytes, &contents.rules)?;
        Ok(Opened { files: contents.into_files()?, digest: Some(self.digest()), proof: self.proof, has_manifest: true })
    }

    fn digest(&self) -> String {
        hash::content(self.bytes)
    }
}

/// Takes the files of a directory that has no manifest, which nobody can have signed.
///
/// # Errors
///
/// Unless anybody is trusted.
pub fn unlisted(files: Vec<(String, Vec<u8>)>, trust: Trust<'_>) -> Result<Opened, Refusal> {
    match trust {
        Trust::Anybody => {}
        Trust::Key(_) | Trust::Nobody => return Err(Refusal::NoManifest),
    }
    let files = gathered(files)?.into_files()?;
    Ok(Opened { files, digest: None, proof: Proof::None, has_manifest: false })
}

fn gathered(files: Vec<(String, Vec<u8>)>) -> Result<Contents, Refusal> {
    let mut contents = Contents::default();
    for (name, bytes) in files {
        let path = contents.enter(&name)?.to_owned();
        contents.keep(&path, bytes)?;
    }
    Ok(contents)
}
