//! Signatures, in the forms that cosign writes for a blob and a key.
//!
//! With a given key, the key decides alone: entries of a transparency log and timestamps in a bundle are not looked at,
//! because they tell when something was signed and not by whom. What stands for a certificate instead of a key, or for
//! another sort of statement, is refused with that reason, so that nobody takes a bundle for verified that was not.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::key::PublicKey;
use super::limits::SIGNATURE_BYTES;

/// A file that holds a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureFile {
    /// What the file is called in messages.
    pub name: String,
    /// What is in it, up to a byte more than [`SIGNATURE_BYTES`].
    pub bytes: Vec<u8>,
}

/// The form of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The signature alone, as base64: `cosign sign-blob --output-signature`.
    Detached,
    /// A sigstore bundle: `cosign sign-blob --bundle` of cosign 3, and of 2 with `--new-bundle-format`.
    Sigstore,
    /// A bundle of cosign's own: `cosign sign-blob --bundle` of cosign 2.
    Cosign,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Detached => "detached signature",
            Self::Sigstore => "sigstore bundle",
            Self::Cosign => "cosign bundle",
        })
    }
}

/// Checks that a file holds a key's signature over a message. The error says why it does not.
pub(super) fn check(file: &SignatureFile, message: &[u8], key: &PublicKey) -> Result<Form, String> {
    if file.bytes.len() > SIGNATURE_BYTES {
        return Err(format!("it has more than {SIGNATURE_BYTES} bytes"));
    }
    let text = std::str::from_utf8(&file.bytes).map_err(|_| {
        "it is not text; a detached signature is base64 of what was signed, see `openssl base64 -A`".to_owned()
    })?;
    match text.trim_ascii() {
        "" => Err("it is empty".to_owned()),
        json if json.starts_with('{') => bundle(json, message, key),
        encoded => {
            let encoded: String = encoded.split_ascii_whitespace().collect();
            holds(&decoded(&encoded, "it")?, message, key)?;
            Ok(Form::Detached)
        }
    }
}

fn holds(signature: &[u8], message: &[u8], key: &PublicKey) -> Result<(), String> {
    if signature.is_empty() {
        return Err("its signature is empty".to_owned());
    }
    if key.verifies(message, signature) {
        return Ok(());
    }
    let fingerprint = key.fingerprint();
    Err(format!("it was not made by the key {fingerprint} for these bytes: one of the three is wrong"))
}

fn decoded(text: &str, what: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|_| format!("{what} is not base64"))
}

/// Either sort of bundle, told apart by what is at its top.
fn bundle(json: &str, message: &[u8], key: &PublicKey) -> Result<Form, String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Top {
        media_type: Option<IgnoredAny>,
        base64_signature: Option<IgnoredAny>,
    }
    let read = |error: serde_json::Error| format!("it is neither a sigstore bundle nor one of cosign's own: {error}");
    let top: Top = serde_json::from_str(json).map_err(read)?;
    match (top.media_type, top.base64_signature) {
        (Some(_), None) => sigstore(&serde_json::from_str(json).map_err(read)?, message, key),
        (None, Some(_)) => cosign(&serde_json::from_str(json).map_err(read)?, message, key),
        _ => {
            Err("it is neither a sigstore bundle (`mediaType`) nor one of cosign's own (`base64Signature`)".to_owned())
        }
    }
}

/// A sigstore bundle, as far as a key is concerned.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SigstoreBundle {
    media_type: String,
    verification_material: Material,
    message_signature: Option<MessageSignature>,
    dsse_envelope: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    public_key: Option<KeyHint>,
    certificate: Option<IgnoredAny>,
    x509_certificate_chain: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct KeyHint {
    #[serde(default)]
    hint: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessageSignature {
    message_digest: Option<MessageDigest>,
    #[serde(default)]
    signature: String,
}

#[derive(Debug, Deserialize)]
struct MessageDigest {
    algorithm: String,
    digest: String,
}

fn sigstore(bundle: &SigstoreBundle, message: &[u8], key: &PublicKey) -> Result<Form, String> {
    if !is_known(&bundle.media_type) {
        return Err(format!("its `mediaType` is `{}`; versions 0.1 to 0.3 are read", bundle.media_type));
    }
    let material = &bundle.verification_material;
    if material.certificate.is_some() || material.x509_certificate_chain.is_some() {
        return Err("it was signed with a certificate (keyless), which no given key can verify".to_owned());
    }
    let hint = material.public_key.as_ref().ok_or("its `verificationMaterial` names no public key")?;
    if bundle.dsse_envelope.is_some() {
        return Err("it holds an attestation (`dsseEnvelope`), not a signature of the bundle's bytes".to_owned());
    }
    let signed = bundle.message_signature.as_ref().ok_or("it has no `messageSignature`")?;
    if let Some(digest) = &signed.message_digest {
        digest.check(message)?;
    }
    let is_prehashed = signed.message_digest.as_ref().is_some_and(|digest| digest.algorithm == "SHA2_512");
    let signature = decoded(&signed.signature, "its `signature`")?;
    holds(&signature, message, key).map_err(|reason| {
        if key.may_be_prehashed() && is_prehashed {
            format!("{reason}; its digest is SHA-512, so it may be Ed25519ph, which is not verified: sign with plain Ed25519")
        } else if !hint.hint.is_empty() && hint.hint != key.hint() {
            format!("{reason}; it hints at another key")
        } else {
            reason
        }
    })?;
    Ok(Form::Sigstore)
}

/// The media types of versions 0.1 to 0.3, the last with or without a patch level.
fn is_known(media_type: &str) -> bool {
    let old = media_type.strip_prefix("application/vnd.dev.sigstore.bundle+json;version=");
    let new = media_type
        .strip_prefix("application/vnd.dev.sigstore.bundle.v0.3")
        .and_then(|rest| rest.strip_suffix("+json"))
        .map(|patch| patch.strip_prefix('.').unwrap_or(if patch.is_empty() { "0" } else { "" }));
    old.is_some_and(|version| ["0.1", "0.2", "0.3"].contains(&version))
        || new.is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit()))
}

impl MessageDigest {
    fn check(&self, message: &[u8]) -> Result<(), String> {
        let stated = decoded(&self.digest, "its `digest`")?;
        let is_equal = match self.algorithm.as_str() {
            "SHA2_256" => Sha256::digest(message)[..] == stated,
            "SHA2_384" => Sha384::digest(message)[..] == stated,
            "SHA2_512" => Sha512::digest(message)[..] == stated,
            other => return Err(format!("its digest is by `{other}`; SHA2_256, SHA2_384 and SHA2_512 are known")),
        };
        if is_equal { Ok(()) } else { Err("its digest is of other bytes: it was made for something else".to_owned()) }
    }
}

/// A bundle of cosign's own. What it keeps of a log is not looked at.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CosignBundle {
    base64_signature: String,
    /// Base64 of a certificate if one signed; empty for a key.
    #[serde(default)]
    cert: Option<String>,
}

fn cosign(bundle: &CosignBundle, message: &[u8], key: &PublicKey) -> Result<Form, String> {
    if bundle.cert.as_ref().is_some_and(|cert| !cert.is_empty()) {
        return Err("it was signed with a certificate (keyless), which no given key can verify".to_owned());
    }
    holds(&decoded(&bundle.base64_signature, "its `base64Signature`")?, message, key)?;
    Ok(Form::Cosign)
}
