//! Public keys, as JSON Web Keys (RFC 7517) give them, and what they verify.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde_json::{Map, Value};

use crate::json::{parse, shown};

/// Keys of one set that are looked at.
const KEYS: usize = 64;
/// Bits of the smallest and the largest RSA key that is accepted.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// An algorithm of signatures. There are no others: `none` proves nothing, and the key of an HMAC would be a secret that
/// whoever verifies could sign with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Es256,
    Rs256,
    EdDsa,
}

/// A public key.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) id: Option<String>,
    material: Material,
}

#[derive(Debug, Clone)]
enum Material {
    /// A point on P-256, uncompressed.
    P256(Vec<u8>),
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
    Ed25519(Vec<u8>),
}

/// Keys, and why others can't be used.
#[derive(Debug, Clone, Default)]
pub(super) struct KeySet {
    pub(super) keys: Vec<Key>,
    pub(super) problems: Vec<String>,
}

impl Algorithm {
    /// The algorithm with a name of RFC 7518, or why it is not accepted.
    pub(super) fn named(name: &str) -> Result<Self, String> {
        match name {
            "ES256" => Ok(Self::Es256),
            "RS256" => Ok(Self::Rs256),
            "EdDSA" | "Ed25519" => Ok(Self::EdDsa),
            "none" => Err("its `alg` is `none`, which proves nothing".to_owned()),
            "HS256" | "HS384" | "HS512" => {
                Err(format!("its `alg` is `{name}`, whose key is a secret that whoever verifies would share"))
            }
            other => Err(format!("its `alg` is `{}`, which is not one of ES256, RS256 and EdDSA", shown(other))),
        }
    }
}

impl KeySet {
    /// Reads a set from the bytes of a file or an answer.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let value = parse(bytes).map_err(|error| format!("the key set is not JSON: {error}"))?;
        Self::read(&value)
    }

    /// Reads a set, or a single key.
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        let single = std::slice::from_ref(value);
        let items = match value.get("keys") {
            Some(Value::Array(keys)) => keys.as_slice(),
            None if value.get("kty").is_some() => single,
            _ => return Err("the key set has no list `keys`".to_owned()),
        };
        let mut set = Self::default();
        if items.len() > KEYS {
            set.problems.push(format!("only {KEYS} of its {} keys were looked at", items.len()));
        }
        for (position, item) in items.iter().take(KEYS).enumerate() {
            match Key::read(item) {
                Ok(key) => set.keys.push(key),
                Err(problem) => set.problems.push(format!("key {position} {problem}")),
            }
        }
        Ok(set)
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.problems.extend(other.problems);
    }
}

impl Key {
    fn read(value: &Value) -> Result<Self, String> {
        let Value::Object(members) = value else { return Err("is not an object".to_owned()) };
        let text = |key: &str| members.get(key).and_then(Value::as_str);
        if members.contains_key("d") {
            return Err("is a private key, which whoever reads it can sign with".to_owned());
        }
        if text("use").is_some_and(|it| it != "sig") {
            return Err("is not for signatures".to_owned());
        }
        if let Some(Value::Array(operations)) = members.get("key_ops")
            && !operations.contains(&Value::from("verify"))
        {
            return Err("is not for verifying".to_owned());
        }
        let material = match (text("kty"), text("crv")) {
            (Some("EC"), Some("P-256")) => Material::P256(point(members)?),
            (Some("OKP"), Some("Ed25519")) => Material::Ed25519(sized(members, "x", 32)?),
            (Some("RSA"), _) => rsa(members)?,
            (Some("oct"), _) => return Err("is a shared secret".to_owned()),
            _ => return Err("is of a type that is not read".to_owned()),
        };
        let key = Self { id: text("kid").map(str::to_owned), material };
        match text("alg") {
            Some(name) if Algorithm::named(name).ok() != Some(key.algorithm()) => {
                Err(format!("says `alg` `{}`, which its type can't do", shown(name)))
            }
            _ => Ok(key),
        }
    }

    /// What it can verify. One key, one algorithm: nobody may choose another for it.
    pub(super) fn algorithm(&self) -> Algorithm {
        match self.material {
            Material::P256(_) => Algorithm::Es256,
            Material::Rsa { .. } => Algorithm::Rs256,
            Material::Ed25519(_) => Algorithm::EdDsa,
        }
    }

    /// Whether a signature over a message is this key's.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let result = match &self.material {
            Material::P256(point) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature),
            Material::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Material::Rsa { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        result.is_ok()
    }
}

fn bytes(members: &Map<String, Value>, key: &str) -> Result<Vec<u8>, String> {
    let text = members.get(key).and_then(Value::as_str).ok_or_else(|| format!("has no `{key}`"))?;
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| format!("has a `{key}` that is not base64url"))
}

fn sized(members: &Map<String, Value>, key: &str, size: usize) -> Result<Vec<u8>, String> {
    let found = bytes(members, key)?;
    if found.len() == size { Ok(found) } else { Err(format!("has a `{key}` of {} bytes, not {size}", found.len())) }
}

fn point(members: &Map<String, Value>) -> Result<Vec<u8>, String> {
    let mut point = vec![4];
    point.extend(sized(members, "x", 32)?);
    point.extend(sized(members, "y", 32)?);
    Ok(point)
}

fn rsa(members: &Map<String, Value>) -> Result<Material, String> {
    let number = |key: &str| {
        let bytes = bytes(members, key)?;
        let start = bytes.iter().position(|byte| *byte != 0).ok_or_else(|| format!("has a `{key}` of nothing"))?;
        Ok::<_, String>(bytes.get(start..).unwrap_or_default().to_vec())
    };
    let (n, e) = (number("n")?, number("e")?);
    let unused = n.first().map_or(0, |byte| byte.leading_zeros() as usize);
    let bits = n.len() * 8 - unused;
    if bits < *RSA_BITS.start() {
        return Err(format!("is a weak RSA key of {bits} bits"));
    }
    if bits > *RSA_BITS.end() {
        return Err(format!("is an RSA key of {bits} bits, which is more than {}", RSA_BITS.end()));
    }
    Ok(Material::Rsa { n, e })
}
