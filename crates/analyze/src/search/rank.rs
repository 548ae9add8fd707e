//! How well something fits.

/// What sort of text a property is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// What people call it.
    Name,
    /// Where it is, and how it is started.
    Address,
    /// What else is known.
    Other,
    /// Prose.
    Prose,
}

/// Properties that say where something is or how it is started.
const ADDRESSES: &[&str] = &[
    "args",
    "command",
    "config_path",
    "endpoint",
    "file",
    "hostname",
    "image",
    "ip",
    "package",
    "package_name",
    "path",
    "provider",
    "server_name",
    "title",
    "uri",
    "url",
];
/// Properties that are prose.
const PROSE: &[&str] = &["content", "description", "input_schema", "instructions", "output_schema"];

/// How well something fits, from 1 to 100.
pub(super) struct Fit;

impl Fit {
    /// It is the id.
    pub(super) const ID: u8 = 100;
    /// The id begins with it.
    pub(super) const ID_BEGINS: u8 = 55;
}

impl Class {
    /// What sort of text a property is; none if nobody looks for it by its words.
    pub(super) fn of(key: &str) -> Option<Self> {
        let is_digest = key.ends_with("hash") || key.ends_with("sha256") || key.ends_with("fingerprint");
        match key {
            _ if is_digest => None,
            "name" => Some(Self::Name),
            _ if ADDRESSES.contains(&key) => Some(Self::Address),
            _ if PROSE.contains(&key) => Some(Self::Prose),
            _ => Some(Self::Other),
        }
    }

    /// How well a place in a folded text fits: all of it, its beginning, the beginning of a word, or anywhere.
    pub(super) fn fit(self, whole: &str, begins: usize, length: usize) -> u8 {
        let [exact, prefix, word, anywhere] = match self {
            Self::Name => [100, 80, 70, 60],
            Self::Address => [90, 50, 45, 40],
            Self::Other => [35, 32, 31, 30],
            Self::Prose => [20, 20, 20, 10],
        };
        let before = whole.get(..begins).and_then(|before| before.chars().next_back());
        match before {
            None if whole.len() == length => exact,
            None => prefix,
            Some(before) if !before.is_alphanumeric() => word,
            Some(_) => anywhere,
        }
    }
}
