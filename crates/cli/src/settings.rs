//! Settings: one file, every key also a flag and an environment variable, read once at start-up.
//!
//! A flag wins over the environment, the environment over the file, the file over the default. An unknown key is an
//! error, because a misspelt limit that silently does nothing is worse than none.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde::Deserialize;
use tracehound_graph::Limits;

use crate::args::{Format, Global};
use crate::size;

/// The configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    data: Option<PathBuf>,
    tenant: Option<String>,
    format: Option<Format>,
    rules: Option<PathBuf>,
    rules_bundle: Option<PathBuf>,
    rules_key: Option<PathBuf>,
    rules_signature: Option<PathBuf>,
    #[serde(default)]
    ingest: IngestSection,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct IngestSection {
    max_document_bytes: Option<toml::Value>,
}

/// Everything that can be set.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The data directory.
    pub(crate) data: PathBuf,
    /// Whose estate it is.
    pub(crate) tenant: String,
    /// How results are printed.
    pub(crate) format: Format,
    /// What a document may demand.
    pub(crate) limits: Limits,
    /// The directory of the user's own rules.
    pub(crate) rules: Option<PathBuf>,
    /// The bundle of rules.
    pub(crate) rules_bundle: Option<PathBuf>,
    /// Whom a bundle has to be from.
    pub(crate) signer: Signer,
}

/// Whom a bundle of rules has to be from.
#[derive(Debug, Clone)]
pub(crate) struct Signer {
    /// The file with the public key.
    pub(crate) key: Option<PathBuf>,
    /// The file with the signature, if it is not beside the bundle.
    pub(crate) signature: Option<PathBuf>,
    /// Whether a bundle may be from anybody if there is no key.
    pub(crate) allow_unsigned: bool,
}

impl Settings {
    /// Puts together the command line (which knows the environment) and the file.
    pub(crate) fn load(global: &Global) -> anyhow::Result<Self> {
        let file = match &global.config {
            Some(path) => read(path)?,
            None => match directory(Directory::Config).map(|home| home.join("config.toml")) {
                Some(path) if path.exists() => read(&path)?,
                _ => File::default(),
            },
        };
        let data = global.data.clone().or(file.data);
        let tenant = match (&global.tenant, &file.tenant) {
            (Some(given), _) => given.clone(),
            (None, Some(given)) => tenant(given).map_err(|reason| anyhow!("`tenant`: {reason}"))?,
            (None, None) => "default".to_owned(),
        };
        let mut limits = Limits::default();
        limits.document_bytes = match (global.max_document_bytes, &file.ingest.max_document_bytes) {
            (Some(bytes), _) => bytes,
            (None, Some(given)) => {
                let text = match given {
                    toml::Value::String(text) => text.clone(),
                    toml::Value::Integer(bytes) => bytes.to_string(),
                    other => format!("{other:?}"),
                };
                document_bytes(&text).map_err(|reason| anyhow!("`ingest.max_document_bytes`: {reason}"))?
            }
            (None, None) => limits.document_bytes,
        };
        let data = match data {
            Some(data) => data,
            None => directory(Directory::Data)
                .ok_or_else(|| anyhow!("there is no home directory to keep data in; give one with --data DIR"))?,
        };
        let format = global.format.or(file.format).unwrap_or_default();
        let rules = global.rules.clone().or(file.rules);
        let rules_bundle = global.rules_bundle.clone().or(file.rules_bundle);
        let signer = Signer {
            key: global.rules_key.clone().or(file.rules_key),
            signature: global.rules_signature.clone().or(file.rules_signature),
            allow_unsigned: global.allow_unsigned,
        };
        Ok(Self { data, tenant, format, limits, rules, rules_bundle, signer })
    }
}

fn read(path: &Path) -> anyhow::Result<File> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the configuration `{shown}`"))?;
    toml::from_str(&text).with_context(|| format!("`{shown}` is not a configuration"))
}

/// Reads the largest size that a document may have.
pub(crate) fn document_bytes(text: &str) -> Result<u64, String> {
    let bytes = size::parse(text)?;
    if bytes == 0 || bytes > Limits::MAX_DOCUMENT_BYTES {
        return Err(format!("must be between 1 B and {}", size::show(Limits::MAX_DOCUMENT_BYTES)));
    }
    Ok(bytes)
}

/// Reads a tenant's name: plain enough to be shown and typed anywhere.
pub(crate) fn tenant(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    if text.is_empty() || text.len() > 64 || !text.bytes().all(is_plain) {
        return Err(format!("`{}` is not a tenant's name: use 1 to 64 of a-z, 0-9, - and _", text.escape_debug()));
    }
    Ok(text.to_owned())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Directory {
    Config,
    Data,
}

/// The platform's directory for our files.
fn directory(which: Directory) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME");
    let base = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else if which == Directory::Config {
        variable("XDG_CONFIG_HOME").or_else(|| home().map(|home| home.join(".config")))
    } else {
        variable("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("tracehound"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(toml: &str, global: Global) -> anyhow::Result<Settings> {
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), toml)?;
        Settings::load(&Global { config: Some(file.path().to_owned()), ..global })
    }

    #[test]
    fn every_key_can_stand_in_the_file() {
        let toml = "data = '/srv/t'\ntenant = 'blue'\nformat = 'json'\nrules = '/srv/r'\nrules_bundle = '/srv/b.tar.gz'\n\
                    rules_key = '/srv/k.pub'\nrules_signature = '/srv/s'\n[ingest]\nmax_document_bytes = '1MiB'";
        let settings = load(toml, Global::default()).unwrap();
        assert_eq!(settings.data, Path::new("/srv/t"));
        assert_eq!(settings.rules.as_deref(), Some(Path::new("/srv/r")));
        assert_eq!(settings.rules_bundle.as_deref(), Some(Path::new("/srv/b.tar.gz")));
        assert_eq!(settings.signer.key.as_deref(), Some(Path::new("/srv/k.pub")));
        assert_eq!(settings.signer.signature.as_deref(), Some(Path::new("/srv/s")));
        assert_eq!((settings.tenant.as_str(), settings.format), ("blue", Format::Json));
        assert_eq!(settings.limits.document_bytes, 1 << 20);
    }

    #[test]
    fn a_flag_wins_over_the_file() {
        let global = Global { tenant: Some("red".to_owned()), max_document_bytes: Some(5), ..Global::default() };
        let settings = load("tenant = 'blue'\n[ingest]\nmax_document_bytes = 9", global).unwrap();
        assert_eq!((settings.tenant.as_str(), settings.limits.document_bytes), ("red", 5));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for toml in [
            "tenat = 'x'",
            "allow_unsigned = true",
            "[ingest]\nmax_bytes = 1",
            "tenant = 'Two Words'",
            "tenant = ''",
            "format = 'xml'",
            "[ingest]\nmax_document_bytes = '5 GiB'",
            "[ingest]\nmax_document_bytes = 'much'",
            "not toml",
        ] {
            assert!(load(toml, Global::default()).is_err(), "{toml}");
        }
    }
}
