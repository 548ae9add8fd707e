//! Bundles of rules on disk: read within limits, with the key and the signatures that belong to them.
//!
//! What a bundle must be is decided in the room of rules. Here files are found, and refusals are told with what to do.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tracehound_rules::bundle::{self, MANIFEST, Opened, PublicKey, Refusal, SignatureFile, Trust, limits};

use crate::output::safe;
use crate::rule_files::{self, read_within, there};
use crate::settings::Signer;

/// How signatures beside a bundle are called: the detached one, and bundles of either sort as cosign's users name them.
const ENDINGS: [&str; 4] = [".sig", ".sigstore.json", ".bundle", ".cosign.bundle"];

/// A bundle that was accepted.
#[derive(Debug)]
pub(crate) struct Found {
    /// What is in it, and what is known of its origin.
    pub(crate) opened: Opened,
    /// The key that signed it, if one was given.
    pub(crate) key: Option<PublicKey>,
    /// Signatures that nobody checked, for want of a key.
    pub(crate) unchecked: Vec<String>,
}

/// A bundle that was refused: why, and what to do about it.
#[derive(Debug)]
pub(crate) struct Refused {
    path: PathBuf,
    /// Why.
    pub(crate) refusal: Refusal,
    help: Option<&'static str>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A path in a bundle may break the line, so the reason is escaped before lines are told apart.
        let (path, reason) = (self.path.display().to_string(), self.refusal.to_string());
        write!(f, "the rule bundle `{}` is refused: {}", safe(&path), safe(&reason))?;
        self.help.map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

impl std::error::Error for Refused {}

/// Reads a bundle and checks whom it is from before anything in it is looked at.
pub(crate) fn open(path: &Path, signer: &Signer) -> anyhow::Result<Found> {
    let key = signer.key.as_deref().map(read_key).transpose()?;
    let trust = match &key {
        // Who names a key wants its signature: nothing makes up for one that is missing.
        Some(key) => Trust::Key(key),
        None if signer.allow_unsigned => Trust::Anybody,
        None => Trust::Nobody,
    };
    let refused = |refusal| Refused { path: path.to_owned(), help: help(&refusal, key.is_some()), refusal };
    let is_directory = there(path)?.is_dir();
    let signed_path = if is_directory { path.join(MANIFEST) } else { path.to_owned() };
    let most = if is_directory { limits::MANIFEST_BYTES } else { limits::ARCHIVE_BYTES };
    let Some(bytes) = read_if_there(&signed_path, most)? else {
        // A directory without a manifest. Its files are read only if that can lead anywhere.
        let files = if matches!(trust, Trust::Anybody) { rule_files::read_below(path)? } else { Vec::new() };
        let opened = bundle::unlisted(files, trust).map_err(refused)?;
        return Ok(Found { opened, key, unchecked: Vec::new() });
    };
    let signatures = signatures(&signed_path, signer)?;
    let trusted = bundle::verify(&bytes, &signatures, trust).map_err(refused)?;
    let opened = if is_directory { trusted.list(rule_files::read_below(path)?) } else { trusted.unpack() };
    let opened = opened.map_err(refused)?;
    let unchecked = if key.is_some() { Vec::new() } else { signatures.into_iter().map(|file| file.name).collect() };
    Ok(Found { opened, key, unchecked })
}

/// What to do about a refusal, where that is not plain.
fn help(refusal: &Refusal, has_key: bool) -> Option<&'static str> {
    match refusal {
        Refusal::Unsigned if has_key => Some(
            "put its signature beside it (.sig, .sigstore.json) or name it with --rules-signature FILE; \
             a bundle has to be signed when a key is given",
        ),
        Refusal::Unsigned => Some(
            "get it with its signature and name the signer's public key with --rules-key FILE; \
             --allow-unsigned takes it as it is, from anybody",
        ),
        Refusal::NoKey => Some(
            "name the signer's public key with --rules-key FILE; --allow-unsigned takes the bundle without that, \
             from anybody",
        ),
        Refusal::NoManifest => Some(
            "`tracehound rules bundle create DIR --manifest` writes one to be signed; without a key, --allow-unsigned \
             takes the directory as it is",
        ),
        _ => None,
    }
}

fn read_key(path: &Path) -> anyhow::Result<PublicKey> {
    let failed = || format!("the key `{}` can't be used", path.display());
    let bytes = read_within(path, limits::KEY_BYTES)?;
    PublicKey::read(&bytes).with_context(failed)
}

/// The signatures that belong to a file: the one that the user names, or all that are beside it.
fn signatures(signed: &Path, signer: &Signer) -> anyhow::Result<Vec<SignatureFile>> {
    let name = |path: &Path| path.display().to_string();
    if let Some(path) = &signer.signature {
        return Ok(vec![SignatureFile { name: name(path), bytes: read_within(path, limits::SIGNATURE_BYTES)? }]);
    }
    let mut found = Vec::new();
    for ending in ENDINGS {
        let path = beside(signed, ending);
        if let Some(bytes) = read_if_there(&path, limits::SIGNATURE_BYTES)? {
            found.push(SignatureFile { name: name(&path), bytes });
        }
    }
    Ok(found)
}

/// A path with something added to its last name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut whole = OsString::from(path);
    whole.push(ending);
    PathBuf::from(whole)
}

fn read_if_there(path: &Path, most: usize) -> anyhow::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        _ => read_within(path, most).map(Some),
    }
}
