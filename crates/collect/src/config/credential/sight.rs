//! Judges values with the rules and with what their form says.

use std::collections::HashMap;

use tracehound_model::{Collector, NodeKind, hash};
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Evaluation, Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;

use super::candidates::{Candidate, Place};
use super::reference::{self, Reference};
use super::{Sort, bare, form, placeholder};
use crate::config::tree::Position;

/// Longest value that is judged. Longer ones are texts, not secrets.
const VALUE_BYTES: usize = 16 << 10;

/// Shortest value outside a server that is a secret by its name alone; shorter ones are settings.
const OUTSIDE: usize = 6;

/// A credential that was found, without its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) place: Place,
    pub(crate) name: String,
    pub(crate) at: Position,
    /// The file that it stands in, if that is not the configuration.
    pub(crate) file: Option<String>,
    pub(crate) sort: Sort,
    /// The hash of the value, where the value is known.
    pub(crate) value_hash: Option<String>,
    /// The variable that has the value.
    pub(crate) variable: Option<String>,
    pub(crate) format: &'static str,
    pub(crate) high_entropy: bool,
    pub(crate) is_bearer: bool,
    /// What rules say of the name and of the value; positions only.
    pub(crate) name_matches: Vec<Match>,
    pub(crate) value_matches: Vec<Match>,
}

/// Judges values. Holds working memory, so that each thread has its own.
pub(crate) struct Sight<'e> {
    engine: &'e Engine,
    normaliser: Normaliser<'static>,
    scratch: Scratch,
    /// What rules say of names: the same few come up in every file.
    names: HashMap<String, Vec<Match>>,
}

/// Names that are remembered.
const NAMES: usize = 10_000;

impl<'e> Sight<'e> {
    pub(crate) fn new(engine: &'e Engine) -> Self {
        Self {
            engine,
            normaliser: Normaliser::new(builtin_vocabulary()),
            scratch: Scratch::default(),
            names: HashMap::new(),
        }
    }

    /// What a candidate is; `None` for what is no credential.
    pub(crate) fn judge(&mut self, candidate: &Candidate<'_>) -> Option<Sighting> {
        let value = candidate.value.as_ref();
        if value.len() > VALUE_BYTES {
            return None;
        }
        let name_matches = self.name(&candidate.name);
        let is_named = !name_matches.is_empty() || says_secret(candidate);
        let bare = bare(value);
        let reference = reference::of(value);
        let mut judged = match &reference {
            Some(reference) if is_named => Some(by_reference(candidate, reference)),
            Some(_) => return None,
            None => None,
        };
        let mut value_matches = Vec::new();
        if judged.is_none() {
            value_matches = self.value(candidate, value);
            judged = self.by_value(candidate, bare, is_named, &value_matches);
        }
        let Judged { sort, secret, variable } = judged?;
        let is_known = sort == Sort::Hardcoded;
        let secret = secret.unwrap_or(bare);
        Some(Sighting {
            place: candidate.place,
            name: candidate.name.clone().into_owned(),
            at: candidate.at,
            file: None,
            sort,
            value_hash: is_known.then(|| hash::credential_value(secret)),
            variable,
            format: if is_known { form::format(secret) } else { "generic" },
            high_entropy: is_known && form::is_high_entropy(secret),
            is_bearer: value.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer ")),
            name_matches,
            value_matches,
        })
    }

    fn by_value<'c>(
        &self,
        candidate: &Candidate<'c>,
        bare: &'c str,
        is_named: bool,
        matches: &[Match],
    ) -> Option<Judged<'c>> {
        let finds = |finding: &str| matches.iter().any(|found| self.finding(found) == finding);
        if finds("credential_type") {
            return is_named.then(|| Judged::of(Sort::VaultRef));
        }
        let is_outside = candidate.place == Place::Outside;
        let is_blank = placeholder::is_placeholder(&candidate.name, bare) || !has_real_password(bare);
        if is_blank {
            return (is_named && !is_outside).then(|| Judged::of(Sort::InputPrompt));
        }
        let is_secret = finds("credential_detected");
        if is_secret {
            return Some(Judged::of(Sort::Hardcoded));
        }
        if !is_named {
            // A random value alone proves little where nothing else says secret.
            let is_setting = matches!(candidate.place, Place::Environment | Place::Header | Place::EnvironmentFile);
            return (is_setting && finds("high_entropy_secret")).then(|| Judged::of(Sort::Hardcoded));
        }
        if is_outside && (bare.len() < OUTSIDE || bare.contains(char::is_whitespace)) {
            return None;
        }
        if is_path(bare) {
            return (!is_outside).then(|| Judged::of(Sort::VaultRef));
        }
        (!is_plain_setting(&candidate.name, bare)).then(|| Judged::of(Sort::Hardcoded))
    }

    fn finding(&self, found: &Match) -> &str {
        self.engine.rules().get(found.rule).map_or("", |rule| rule.emit.finding_type.as_str())
    }

    fn name(&mut self, name: &str) -> Vec<Match> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let spelled = name.trim_start_matches('-');
        let matches = self.evaluate("name", name, spelled).matches;
        if self.names.len() < NAMES {
            self.names.insert(name.to_owned(), matches.clone());
        }
        matches
    }

    /// Rules see the value as it would stand in a file: after its name.
    fn value(&mut self, candidate: &Candidate<'_>, value: &str) -> Vec<Match> {
        let name = candidate.name.trim_start_matches('-');
        let text = if name.starts_with("args[") { value.to_owned() } else { format!("{name}={value}") };
        self.evaluate("value", &candidate.name, &text).matches
    }

    fn evaluate(&mut self, property: &str, name: &str, source: &str) -> Evaluation {
        let field = Field { collector: Collector::Config, kind: NodeKind::Credential, property, name, source };
        let text = self.normaliser.normalise(source);
        self.engine.evaluate(&mut self.scratch, &field, &text)
    }
}

/// A judgement. Without a secret, the bare value is it.
struct Judged<'c> {
    sort: Sort,
    secret: Option<&'c str>,
    variable: Option<String>,
}

impl Judged<'_> {
    fn of(sort: Sort) -> Self {
        Self { sort, secret: None, variable: None }
    }
}

fn by_reference<'c>(candidate: &Candidate<'_>, reference: &'c Reference) -> Judged<'c> {
    match reference {
        Reference::Variable { name, default } => match default.as_deref() {
            Some(default) if !placeholder::is_placeholder(&candidate.name, default) => {
                Judged { sort: Sort::Hardcoded, secret: Some(default), variable: Some(name.clone()) }
            }
            _ => Judged { sort: Sort::EnvVar, secret: None, variable: Some(name.clone()) },
        },
        Reference::Prompt => Judged::of(Sort::InputPrompt),
        Reference::Elsewhere => Judged::of(Sort::VaultRef),
    }
}

/// Whether a candidate is a credential by where it stands or by what its placeholder says, whatever rules say of names.
fn says_secret(candidate: &Candidate<'_>) -> bool {
    let (name, value) = (candidate.name.to_ascii_lowercase(), candidate.value.as_ref());
    let is_connection = value.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
    });
    let is_header = || {
        candidate.place == Place::Header && ["-key", "-token", "-secret", "-auth"].iter().any(|end| name.ends_with(end))
    };
    let is_blank = || {
        let folded = value.to_ascii_lowercase();
        let is_secret =
            ["token", "api_key", "api-key", "apikey", "secret", "password"].iter().any(|word| folded.contains(word));
        name.starts_with("args[") && is_secret && placeholder::is_placeholder("", value)
    };
    name == "userinfo" || is_connection || is_header() || is_blank()
}

/// Whether the password of a connection string is one, and not a word that stands for it.
fn has_real_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else { return true };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let password = authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
    password.is_none_or(|password| !placeholder::is_placeholder("", password))
}

/// Whether a value names a file.
fn is_path(value: &str) -> bool {
    let has_drive = matches!(value.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    let starts = ["/", "~/", "./", "../"].iter().any(|start| value.starts_with(start));
    (starts || has_drive) && !value.contains(char::is_whitespace) && value.len() > 2 && !value.ends_with('=')
}

/// Whether a value under the name of a credential is a setting all the same: a switch, a count, a URL without a password.
fn is_plain_setting(name: &str, value: &str) -> bool {
    let is_password = ["pass", "pwd"].iter().any(|word| name.to_ascii_lowercase().contains(word));
    let folded = value.to_ascii_lowercase();
    let is_switch = matches!(folded.as_str(), "yes" | "no" | "on" | "off" | "0" | "1" | "oauth" | "basic" | "required");
    let is_number = !is_password && value.len() < 12 && value.parse::<f64>().is_ok();
    let is_address = value.contains("://") && !value.contains('@');
    is_switch || is_number || is_address
}
