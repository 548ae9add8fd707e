//! The keys of services that an operator administers: each for one base URL, and sent nowhere else.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use tracehound_model::NodeKind;
use url::Url;

use super::limits::KEYS;
use crate::config::credential;
use crate::secrets::Secrets;

/// Keys by the base URL of their service. They are never printed, not even for debugging.
#[derive(Default)]
pub struct Keys {
    by_base: BTreeMap<String, Key>,
}

/// The key of one service.
pub struct Key {
    value: String,
}

/// A list of keys that can't be used. Tells the line and nothing of what is in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeysProblem {
    /// There is only one word.
    #[error("line {line}: an address and a key are wanted, with a space between them")]
    Form {
        /// The line, counted from 1.
        line: usize,
    },
    /// The first word is no address of a service.
    #[error("line {line}: the address is not of the form `http://host:port`")]
    Address {
        /// The line.
        line: usize,
    },
    /// The key can't be one.
    #[error("line {line}: the key holds characters that no key has")]
    Characters {
        /// The line.
        line: usize,
    },
    /// There is a key for the same service already.
    #[error("line {line}: there is a key for this address already")]
    Twice {
        /// The line.
        line: usize,
    },
    /// There are too many.
    #[error("more than {KEYS} keys")]
    TooMany,
}

impl Keys {
    /// Reads lines of a base URL and a key. Blank lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// When a line can't be understood, or speaks of an address that another spoke of.
    pub fn read(text: &str) -> Result<Self, KeysProblem> {
        let mut by_base = BTreeMap::new();
        for (index, content) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let (line, content) = (index + 1, content.trim());
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let (base, key) = content.split_once(char::is_whitespace).ok_or(KeysProblem::Form { line })?;
            let base = normal_base(base).ok_or(KeysProblem::Address { line })?;
            let key = Key { value: credential::bare(key).to_owned() };
            if key.value.is_empty() {
                return Err(KeysProblem::Form { line });
            }
            if key.value.chars().any(char::is_control) {
                return Err(KeysProblem::Characters { line });
            }
            if by_base.insert(base, key).is_some() {
                return Err(KeysProblem::Twice { line });
            }
            if by_base.len() > KEYS {
                return Err(KeysProblem::TooMany);
            }
        }
        Ok(Self { by_base })
    }

    /// The key of the service at a base URL.
    #[must_use]
    pub fn for_base(&self, base: &str) -> Option<&Key> {
        self.by_base.get(&normal_base(base)?)
    }

    /// What must not be shown, whoever says it.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets::new(self.by_base.values().flat_map(Key::secrets))
    }

    /// The base URLs that there are keys for.
    pub fn bases(&self) -> impl Iterator<Item = &str> {
        self.by_base.keys().map(String::as_str)
    }
}

impl Key {
    /// The key itself, to be hashed.
    pub(super) fn value(&self) -> &str {
        &self.value
    }

    /// The key, the password in it if it is a name and a password, and the form in which these are sent.
    pub(super) fn secrets(&self) -> impl Iterator<Item = String> {
        let password = self.value.split_once(':').map(|(_, password)| password.to_owned());
        [self.value.clone(), STANDARD.encode(&self.value)].into_iter().chain(password)
    }

    /// How a service of a kind wants to be shown the key, unless no header can carry it.
    pub(super) fn header(&self, kind: NodeKind) -> Option<(HeaderName, HeaderValue)> {
        let (name, text) = match kind {
            NodeKind::QdrantInstance => (HeaderName::from_static("api-key"), self.value.clone()),
            NodeKind::JupyterServer => (AUTHORIZATION, format!("token {}", self.value)),
            NodeKind::MlflowServer => (AUTHORIZATION, format!("Basic {}", STANDARD.encode(&self.value))),
            _ => (AUTHORIZATION, format!("Bearer {}", self.value)),
        };
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some((name, value))
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keys({})", self.by_base.len())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// `scheme://host:port` of a URL: the port always stands there, and neither a user nor a path does.
pub(super) fn normal_base(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let (host, port) = (url.host_str().filter(|host| !host.is_empty())?, url.port_or_known_default()?);
    Some(format!("{}://{host}:{port}", url.scheme()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_the_address_however_it_is_written() {
        let text = "# the gateway\n\nhttp://127.0.0.1:4000 sk-one\n  https://Gate.example/ui?x=1\tBearer sk-two  \nhttp://[::1]:5000 admin:pass word\n";
        let keys = Keys::read(text).unwrap();
        for (base, expected) in [
            ("http://127.0.0.1:4000", Some("sk-one")),
            ("https://gate.example:443", Some("sk-two")),
            ("http://[::1]:5000", Some("admin:pass word")),
            ("http://127.0.0.1:4001", None),
            ("https://127.0.0.1:4000", None),
            ("http://gate.example:443", None),
            ("nonsense", None),
        ] {
            assert_eq!(keys.for_base(base).map(Key::value), expected, "{base}");
        }
        assert_eq!(
            keys.bases().collect::<Vec<_>>(),
            ["http://127.0.0.1:4000", "http://[::1]:5000", "https://gate.example:443"]
        );
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told_without_its_content() {
        for (text, expected) in [
            ("\nsk-planted", KeysProblem::Form { line: 2 }),
            ("sk-planted http://a:1", KeysProblem::Address { line: 1 }),
            ("ftp://a:1 sk-planted", KeysProblem::Address { line: 1 }),
            ("http://a:1 sk-pl\u{7}anted", KeysProblem::Characters { line: 1 }),
            ("http://a:1 x\nhttp://A:1/v1 sk-planted", KeysProblem::Twice { line: 2 }),
        ] {
            let found = Keys::read(text).unwrap_err();
            assert!(!format!("{found:?} {found}").contains("planted"));
            assert_eq!(found, expected, "{text}");
        }
        let many: String = (0..=KEYS).map(|port| format!("http://h{port}:1 k\n")).collect();
        assert_eq!(Keys::read(&many).err(), Some(KeysProblem::TooMany));
    }

    #[test]
    fn keys_are_not_printed() {
        let keys = Keys::read("http://a:1 sk-planted").unwrap();
        let (_, value) = keys.for_base("http://a:1").unwrap().header(NodeKind::LitellmGateway).unwrap();
        let shown = format!("{keys:?} {:?} {value:?}", keys.for_base("http://a:1"));
        assert!(!shown.contains("planted"), "{shown}");
    }

    #[test]
    fn each_service_is_shown_the_key_in_its_own_way() {
        let key = Key { value: "u:p".to_owned() };
        for (kind, name, value) in [
            (NodeKind::LitellmGateway, "authorization", "Bearer u:p"),
            (NodeKind::OpenWebuiInstance, "authorization", "Bearer u:p"),
            (NodeKind::JupyterServer, "authorization", "token u:p"),
            (NodeKind::QdrantInstance, "api-key", "u:p"),
            (NodeKind::MlflowServer, "authorization", "Basic dTpw"),
        ] {
            let (found, text) = key.header(kind).unwrap();
            assert_eq!((found.as_str(), text.to_str().unwrap()), (name, value), "{kind}");
        }
        assert!(Key { value: "schlüssel\u{1}".to_owned() }.header(NodeKind::QdrantInstance).is_none());
    }
}
