//! Public keys that bundles are verified with: PEM as cosign and openssl write them, and nothing else.
//!
//! One key, one algorithm, so that no signature can choose a weaker one: ECDSA on P-256 with SHA-256, which is what
//! `cosign generate-key-pair` makes; ECDSA on P-384 with SHA-384, RSA (PKCS #1 v1.5) with SHA-256 and plain Ed25519 for
//! keys that were imported.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P384_SHA384_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey,
    VerificationAlgorithm,
};
use sha2::{Digest as _, Sha256};
use tracehound_model::hash;

use super::der::{Tag, element, only};
use super::limits::KEY_BYTES;

/// Bits of the smallest and the largest RSA key that is accepted.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// How a key of each sort names itself: the whole `AlgorithmIdentifier` of its SubjectPublicKeyInfo, parameters
/// included.
const SORTS: &[(Sort, &[u8])] = &[
    (Sort::P256, b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"),
    (Sort::P384, b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22"),
    (Sort::Ed25519, b"\x06\x03\x2b\x65\x70"),
    (Sort::Rsa, b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00"),
];

/// Why a key can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it {0}")]
pub struct KeyProblem(String);

/// A public key that bundles may be signed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    sort: Sort,
    /// The SubjectPublicKeyInfo, which the fingerprint is over.
    info: Vec<u8>,
    /// The key itself, as its algorithm wants it.
    material: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    P256,
    P384,
    Ed25519,
    Rsa,
}

impl PublicKey {
    /// Reads a PEM file with one public key.
    ///
    /// # Errors
    ///
    /// If it is anything else, or a key that is too weak or of a sort that is not verified.
    pub fn read(pem: &[u8]) -> Result<Self, KeyProblem> {
        let info = block(pem).map_err(KeyProblem)?;
        let (sort, material) = split(&info).map_err(KeyProblem)?;
        Ok(Self { sort, material, info })
    }

    /// `sha256:` over the key's SubjectPublicKeyInfo, as `openssl pkey -pubin -outform DER | sha256sum` has it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("sha256:{}", hash::content(&self.info))
    }

    /// The same digest as sigstore bundles hint at a key.
    pub(super) fn hint(&self) -> String {
        STANDARD.encode(Sha256::digest(&self.info))
    }

    /// Whether a signature of this key over a digest of SHA-512 would be the prehashed one, which is another algorithm.
    pub(super) fn may_be_prehashed(&self) -> bool {
        self.sort == Sort::Ed25519
    }

    /// Whether a signature over a message is this key's.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let algorithm: &'static dyn VerificationAlgorithm = match self.sort {
            Sort::P256 => &ECDSA_P256_SHA256_ASN1,
            Sort::P384 => &ECDSA_P384_SHA384_ASN1,
            Sort::Ed25519 => &ED25519,
            Sort::Rsa => &RSA_PKCS1_2048_8192_SHA256,
        };
        UnparsedPublicKey::new(algorithm, &self.material).verify(message, signature).is_ok()
    }
}

/// Its algorithm.
impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.sort {
            Sort::P256 => "ECDSA P-256 with SHA-256",
            Sort::P384 => "ECDSA P-384 with SHA-384",
            Sort::Ed25519 => "Ed25519",
            Sort::Rsa => "RSA PKCS #1 v1.5 with SHA-256",
        })
    }
}

/// The bytes of the one PEM block in a file.
fn block(pem: &[u8]) -> Result<Vec<u8>, String> {
    const BEGIN: &str = "-----BEGIN PUBLIC KEY-----";
    const END: &str = "-----END PUBLIC KEY-----";
    if pem.len() > KEY_BYTES {
        return Err(format!("has more than {KEY_BYTES} bytes, which no public key has"));
    }
    let text = std::str::from_utf8(pem).map_err(|_| "is not text; a public key is a PEM file".to_owned())?.trim();
    if text.contains("PRIVATE KEY-----") {
        return Err("holds a private key, which signs; verifying takes the public one".to_owned());
    }
    if text.contains("-----BEGIN CERTIFICATE-----") {
        return Err("is a certificate, not a public key".to_owned());
    }
    if text.contains("-----BEGIN RSA PUBLIC KEY-----") {
        let command = "openssl rsa -RSAPublicKey_in -pubout";
        return Err(format!("is an RSA key in its own form; `{command}` writes it as `PUBLIC KEY`"));
    }
    let inner = text.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
    let inner = inner.ok_or_else(|| format!("does not begin with `{BEGIN}` and end with `{END}`"))?;
    if inner.contains("-----") {
        return Err("holds more than one block; one key is wanted".to_owned());
    }
    let encoded: String = inner.split_ascii_whitespace().collect();
    STANDARD.decode(encoded).map_err(|_| "holds a block that is not base64".to_owned())
}

/// The sort of a key and the key itself.
fn split(info: &[u8]) -> Result<(Sort, Vec<u8>), String> {
    let broken = || "holds a block that is no public key".to_owned();
    let inner = only(info, Tag::Sequence).ok_or_else(broken)?;
    let (algorithm, rest) = element(inner, Tag::Sequence).ok_or_else(broken)?;
    let bits = only(rest, Tag::BitString).ok_or_else(broken)?;
    let Some((0, material)) = bits.split_first().map(|(unused, rest)| (*unused, rest)) else { return Err(broken()) };
    let Some((sort, _)) = SORTS.iter().find(|(_, known)| *known == algorithm) else {
        return Err("is a key of a sort that is not verified: use ECDSA P-256 or P-384, Ed25519 or RSA".to_owned());
    };
    match sort {
        Sort::P256 if !is_point(material, 32) => return Err(broken_point()),
        Sort::P384 if !is_point(material, 48) => return Err(broken_point()),
        Sort::Ed25519 if material.len() != 32 => return Err(broken()),
        Sort::Rsa => rsa(material).unwrap_or_else(|| Err(broken()))?,
        Sort::P256 | Sort::P384 | Sort::Ed25519 => {}
    }
    Ok((*sort, material.to_vec()))
}

fn is_point(material: &[u8], size: usize) -> bool {
    material.first() == Some(&4) && material.len() == 1 + 2 * size
}

fn broken_point() -> String {
    "is an elliptic curve key whose point is not written in full; `openssl ec -conv_form uncompressed` does that"
        .to_owned()
}

/// Whether an RSA key is neither too weak nor absurd; `None` if it is none.
fn rsa(material: &[u8]) -> Option<Result<(), String>> {
    let inner = only(material, Tag::Sequence)?;
    let (modulus, rest) = element(inner, Tag::Integer)?;
    only(rest, Tag::Integer)?;
    let modulus = modulus.strip_prefix(&[0]).unwrap_or(modulus);
    let bits = modulus.len() * 8 - modulus.first()?.leading_zeros() as usize;
    let (least, most) = (RSA_BITS.start(), RSA_BITS.end());
    Some(if bits < *least {
        Err(format!("is a weak RSA key of {bits} bits; {least} are the least"))
    } else if bits > *most {
        Err(format!("is an RSA key of {bits} bits, which is more than {most}"))
    } else {
        Ok(())
    })
}
