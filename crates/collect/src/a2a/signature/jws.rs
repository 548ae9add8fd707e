//! One signature of a card: a JSON Web Signature (RFC 7515), in parts or as one text.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

use super::forms::Form;
use super::keys::{Algorithm, Key};
use crate::json::{parse, sort};

/// Bytes of a header or of a signature, encoded.
const PART: usize = 16_384;
/// Keys that are tried for one signature.
const TRIED: usize = 16;

/// A signature that can be checked.
#[derive(Debug)]
pub(super) struct Jws {
    pub(super) algorithm: Algorithm,
    pub(super) kid: Option<String>,
    /// Where the signer says that its keys are.
    pub(super) jku: Option<String>,
    /// The key that the signer brings along.
    pub(super) jwk: Option<Value>,
    /// The protected header as it stands, which is part of what is signed.
    protected: String,
    /// What was signed, encoded, if the signature has it with it.
    payload: Option<String>,
    signature: Vec<u8>,
}

impl Jws {
    /// Reads an entry of `signatures`, or says why it can't be checked.
    pub(super) fn read(entry: &Value) -> Result<Self, String> {
        match entry {
            Value::String(text) => Self::compact(text),
            Value::Object(members) => {
                let part = |key: &str| match members.get(key) {
                    Some(Value::String(text)) if !text.is_empty() => Ok(text.as_str()),
                    Some(Value::String(_)) | None => Err(format!("it has no `{key}`")),
                    Some(other) => Err(format!("its `{key}` is {}, not text", sort(other))),
                };
                let header = match members.get("header") {
                    None | Some(Value::Null) => None,
                    Some(Value::Object(header)) => Some(header),
                    Some(other) => return Err(format!("its `header` is {}, not an object", sort(other))),
                };
                Self::of(part("protected")?, header, None, part("signature")?)
            }
            other => Err(format!("it is {}, not an object", sort(other))),
        }
    }

    fn compact(text: &str) -> Result<Self, String> {
        let mut parts = text.split('.');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(protected), Some(payload), Some(signature), None) => {
                Self::of(protected, None, Some(payload).filter(|it| !it.is_empty()), signature)
            }
            _ => Err("it is not three parts with dots between".to_owned()),
        }
    }

    fn of(
        protected: &str,
        header: Option<&Map<String, Value>>,
        payload: Option<&str>,
        signature: &str,
    ) -> Result<Self, String> {
        if protected.len() > PART || signature.len() > PART {
            return Err(format!("a part of it is longer than {PART} bytes"));
        }
        let bytes = decode(protected, "header")?;
        let Ok(Value::Object(own)) = parse(&bytes) else {
            return Err("its protected header is not a JSON object".to_owned());
        };
        let empty = Map::new();
        let header = header.unwrap_or(&empty);
        if own.keys().any(|key| header.contains_key(key)) {
            return Err("a member stands in both its headers".to_owned());
        }
        let is_raw =
            |header: &serde_json::Map<String, Value>| header.get("b64").is_some_and(|it| *it != Value::Bool(true));
        if is_raw(&own) || is_raw(header) {
            return Err("it is over a payload that is not encoded".to_owned());
        }
        if own.contains_key("crit") || header.contains_key("crit") {
            return Err("its `crit` demands an extension that is not known here".to_owned());
        }
        let text = |key: &str| own.get(key).and_then(Value::as_str).map(str::to_owned);
        let algorithm = text("alg").ok_or("its protected header has no `alg`")?;
        Ok(Self {
            algorithm: Algorithm::named(&algorithm)?,
            kid: text("kid").or_else(|| header.get("kid").and_then(Value::as_str).map(str::to_owned)),
            // Where keys come from is believed only if the signature covers it.
            jku: text("jku"),
            jwk: own.get("jwk").cloned(),
            protected: protected.to_owned(),
            payload: payload.map(str::to_owned),
            signature: decode(signature, "signature")?,
        })
    }

    /// Whether a key may be the signer's: the id is the same if there is one, and the algorithm is the key's.
    pub(super) fn is_by(&self, key: &Key) -> bool {
        let is_named = self.kid.is_none() || self.kid == key.id;
        is_named && key.algorithm() == self.algorithm
    }

    /// The form of the card that one of these keys signed.
    pub(super) fn signed<'f>(&self, forms: &'f [Form], keys: &[&Key]) -> Option<&'f Form> {
        forms.iter().find(|form| {
            let Some(message) = self.message(form) else { return false };
            keys.iter().take(TRIED).any(|key| key.verifies(&message, &self.signature))
        })
    }

    /// What is signed: header and payload. A payload that comes along has to be the card.
    fn message(&self, form: &Form) -> Option<Vec<u8>> {
        let payload = match &self.payload {
            None => URL_SAFE_NO_PAD.encode(&form.text),
            Some(payload) => {
                let mut value = parse(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
                value.as_object_mut()?.remove("signatures");
                (serde_json_canonicalizer::to_vec(&value).ok()? == form.text).then(|| payload.clone())?
            }
        };
        Some(format!("{}.{payload}", self.protected).into_bytes())
    }
}

fn decode(text: &str, part: &str) -> Result<Vec<u8>, String> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| format!("its {part} is not base64url"))
}
