//! Judges values with the rules and with what their form says.

use std::collections::HashMap;

use tracehound_model::{Collector, NodeKind, hash};
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Evaluation, Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;

use super::candidates::{Candidate, Place};
use super::names::has_secret_word;
use super::reference::{self, Reference};
use super::{Sort, bare, form, parts, placeholder};
use crate::address::Authority;
use crate::config::server::cut;
use crate::config::tree::Position;
use crate::detection::Detection;

/// Longest value that is judged. Longer ones are texts, not secrets.
const VALUE_BYTES: usize = 16 << 10;

/// Values within values that are looked into: a URL in a script in an argument.
const PARTS: usize = 3;

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
    /// Whether the value is that of the variable, with nothing added.
    pub(crate) is_variable: bool,
    pub(crate) format: &'static str,
    pub(crate) high_entropy: bool,
    pub(crate) is_bearer: bool,
    /// What rules say of the name and of the value; positions only.
    pub(crate) name_matches: Vec<Match>,
    pub(crate) value_matches: Vec<Match>,
}

/// A credential, and what must not be shown because of it. Lives no longer than the definition that it is from.
pub(crate) struct Seen {
    pub(crate) sighting: Sighting,
    /// The secret as it may be written.
    pub(crate) hidden: Vec<String>,
    /// The number of the argument that it stands in.
    pub(crate) argument: Option<usize>,
}

/// Judges values. Holds working memory, so that each thread has its own.
pub(crate) struct Sight<'e> {
    engine: &'e Engine,
    normaliser: Normaliser<'static>,
    scratch: Scratch,
    /// What rules say of names: the same few come up in every file.
    names: HashMap<String, Vec<Match>>,
    /// Whether values that no built-in rule could match are not shown to the rules at all.
    is_choosy: bool,
}

/// Names that are remembered.
const NAMES: usize = 10_000;

impl<'e> Sight<'e> {
    pub(crate) fn new(detection: &'e Detection) -> Self {
        Self {
            engine: detection.settings(),
            is_choosy: !detection.has_own_secrets(),
            normaliser: Normaliser::new(builtin_vocabulary()),
            scratch: Scratch::default(),
            names: HashMap::new(),
        }
    }

    /// The credentials that a value is or holds.
    pub(crate) fn see(&mut self, candidate: &Candidate<'_>) -> Vec<Seen> {
        let mut seen = Vec::new();
        self.look(candidate, PARTS, &mut seen);
        seen
    }

    /// Takes a value as a whole, or its parts if the secret is one of them.
    fn look(&mut self, candidate: &Candidate<'_>, depth: usize, seen: &mut Vec<Seen>) {
        let whole = self.judge(candidate);
        let sort = whole.as_ref().map(|whole| whole.sighting.sort);
        let first = seen.len();
        if depth > 0 && sort != Some(Sort::VaultRef) && candidate.value.len() <= VALUE_BYTES {
            let is_named = self.is_named(candidate);
            for part in parts::of(candidate, is_named) {
                self.look(&part, depth - 1, seen);
            }
        }
        let mut parts = seen.iter().skip(first);
        let is_in_part = parts.len() > 0
            && (sort != Some(Sort::Hardcoded) || parts.any(|part| part.sighting.sort == Sort::Hardcoded));
        if !is_in_part && let Some(whole) = whole {
            seen.truncate(first);
            seen.push(whole);
        }
    }

    fn is_named(&mut self, candidate: &Candidate<'_>) -> bool {
        self.remember(candidate.key());
        let is_known = self.names.get(candidate.key()).map(|matches| !matches.is_empty());
        is_known.unwrap_or_else(|| !self.name(candidate.key()).is_empty()) || says_secret(candidate)
    }

    /// What a candidate is; `None` for what is no credential.
    fn judge(&mut self, candidate: &Candidate<'_>) -> Option<Seen> {
        let value = candidate.value.as_ref();
        if value.len() > VALUE_BYTES {
            return None;
        }
        let is_named = self.is_named(candidate);
        let bare = bare(value);
        let mut value_matches = Vec::new();
        let reference = reference::of(value);
        let judged = match &reference {
            Some(reference) if is_named => self.by_reference(candidate, reference),
            Some(_) => return None,
            None if self.is_choosy && !is_named && candidate.context.is_none() && !may_be_secret(value) => return None,
            None => {
                value_matches = self.value(candidate, value);
                self.by_value(candidate, bare, is_named, &value_matches)?
            }
        };
        let Judged { sort, secret, variable } = judged;
        let is_known = sort == Sort::Hardcoded;
        let secret = secret.unwrap_or(bare);
        let is_shown = match sort {
            Sort::Hardcoded => false,
            Sort::InputPrompt if candidate.key() == "userinfo" => reference.is_some(),
            Sort::InputPrompt => reference.is_some() || placeholder::is_only_words(bare),
            Sort::EnvVar | Sort::VaultRef => true,
        };
        let sighting = Sighting {
            place: candidate.place,
            name: cut(&candidate.name).into_owned(),
            at: candidate.at,
            file: None,
            sort,
            value_hash: is_known.then(|| hash::credential_value(secret)),
            is_variable: sort == Sort::EnvVar && reference::variable_of(value).is_some(),
            variable,
            format: if is_known { form::format(secret) } else { "generic" },
            high_entropy: is_known && form::is_high_entropy(secret),
            is_bearer: is_bearer(value),
            name_matches: self.name(&cut(&candidate.name)),
            value_matches,
        };
        let hidden = if is_shown { Vec::new() } else { spellings(candidate, secret) };
        Some(Seen { sighting, hidden, argument: candidate.argument })
    }

    /// What a reference is; where it brings a value along for when there is none, that value counts.
    fn by_reference<'c>(&mut self, candidate: &Candidate<'_>, reference: &'c Reference) -> Judged<'c> {
        let (name, default) = match reference {
            Reference::Variable { name, default } => (name, default.as_deref().map(bare)),
            Reference::Prompt => return Judged::of(Sort::InputPrompt),
            Reference::Elsewhere => return Judged::of(Sort::VaultRef),
        };
        let variable = Some(name.clone());
        let is_secret = |default: &&str| {
            let whole = Candidate::new(candidate.place, candidate.key(), *default, candidate.at);
            let matches = self.value(&whole, default);
            let judged = self.by_value(&whole, default, true, &matches);
            judged.is_some_and(|judged| judged.sort == Sort::Hardcoded)
        };
        match default.filter(is_secret) {
            Some(default) => Judged { sort: Sort::Hardcoded, secret: Some(default), variable },
            None => Judged { sort: Sort::EnvVar, secret: None, variable },
        }
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
        let is_blank = placeholder::is_placeholder(candidate.key(), bare) || !has_real_password(bare);
        if is_blank {
            return (is_named && !is_outside).then(|| Judged::of(Sort::InputPrompt));
        }
        let is_secret = finds("credential_detected");
        if is_secret {
            return Some(Judged::of(Sort::Hardcoded));
        }
        if !is_named {
            // A random value alone proves little where nothing else says secret.
            let is_setting = match candidate.place {
                Place::Environment | Place::Header | Place::EnvironmentFile => true,
                // In a path it is more often the name of something.
                Place::Url => !candidate.key().is_empty(),
                Place::Argument | Place::Member | Place::Outside => false,
            };
            return (is_setting && finds("high_entropy_secret")).then(|| Judged::of(Sort::Hardcoded));
        }
        if is_outside && (bare.len() < OUTSIDE || bare.contains(char::is_whitespace)) {
            return None;
        }
        if is_path(bare) {
            return (!is_outside).then(|| Judged::of(Sort::VaultRef));
        }
        (!is_plain_setting(candidate.key(), bare)).then(|| Judged::of(Sort::Hardcoded))
    }

    fn finding(&self, found: &Match) -> &str {
        self.engine.rules().get(found.rule).map_or("", |rule| rule.emit.finding_type.as_str())
    }

    fn remember(&mut self, name: &str) {
        if self.names.len() < NAMES && !self.names.contains_key(name) {
            let matches = self.name(name);
            self.names.insert(name.to_owned(), matches);
        }
    }

    fn name(&mut self, name: &str) -> Vec<Match> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let spelled = name.trim_start_matches('-');
        let dashes = name.len() - spelled.len();
        let mut matches = self.evaluate("name", name, spelled).matches;
        for found in &mut matches {
            found.span = found.span.start + dashes..found.span.end + dashes;
        }
        matches
    }

    /// Rules see the value as it would stand in a file: after its name, or in its URL.
    fn value(&mut self, candidate: &Candidate<'_>, value: &str) -> Vec<Match> {
        let key = candidate.key();
        let name = key.trim_start_matches('-');
        let is_alone = name.is_empty() || name.starts_with("args[");
        let text = if is_alone { value.to_owned() } else { format!("{name}={value}") };
        let mut matches = self.evaluate("value", key, &text).matches;
        if let Some(context) = &candidate.context
            && !matches.iter().any(|found| self.finding(found) == "credential_detected")
        {
            matches.extend(self.evaluate("value", key, context).matches);
        }
        matches
    }

    fn evaluate(&mut self, property: &str, name: &str, source: &str) -> Evaluation {
        let field = Field { collector: Collector::Config, kind: NodeKind::Credential, property, name, source };
        let text = self.normaliser.normalise(source);
        self.engine.evaluate(&mut self.scratch, &field, &text)
    }
}

/// Whether a value could be a secret although nothing around it says so: it has a long unbroken stretch with a digit in
/// it, or a password in an address. Most arguments and settings are not, and rules take a hundred times as long to say it.
fn may_be_secret(value: &str) -> bool {
    const STRETCH: usize = 12;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut stretches = value.as_bytes().split(|byte| !is_part(*byte));
    let is_long = |stretch: &[u8]| stretch.len() >= STRETCH && stretch.iter().any(u8::is_ascii_digit);
    stretches.any(is_long) || (value.contains("://") && value.contains('@')) || value.contains("PRIVATE KEY")
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

/// Whether a value begins with the name of the scheme.
pub(crate) fn is_bearer(value: &str) -> bool {
    value.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("bearer "))
}

/// How a secret may be written where it was found.
fn spellings(candidate: &Candidate<'_>, secret: &str) -> Vec<String> {
    let written = candidate.written.as_deref().map(bare);
    let mut spellings: Vec<String> = written.into_iter().chain([secret]).map(str::to_owned).collect();
    spellings.dedup();
    spellings
}

/// Whether a candidate is a credential by where it stands or by what its placeholder says, whatever rules say of names.
fn says_secret(candidate: &Candidate<'_>) -> bool {
    let (name, value) = (candidate.key().to_ascii_lowercase(), candidate.value.as_ref());
    let is_connection = Authority::of_url(value).user.is_some_and(|user| user.contains(':'));
    let is_header = || {
        candidate.place == Place::Header && ["-key", "-token", "-secret", "-auth"].iter().any(|end| name.ends_with(end))
    };
    let is_blank = || {
        let folded = value.to_ascii_lowercase();
        let is_secret =
            ["token", "api_key", "api-key", "apikey", "secret", "password"].iter().any(|word| folded.contains(word));
        name.starts_with("args[") && is_secret && placeholder::is_placeholder("", value)
    };
    name == "userinfo" || is_connection || is_header() || is_blank() || has_secret_word(candidate.key())
}

/// Whether the password of a connection string is one, and not a word that stands for it.
fn has_real_password(value: &str) -> bool {
    let user = Authority::of_url(value).user;
    let password = user.and_then(|user| user.split_once(':')).map(|(_, password)| password);
    password.is_none_or(|password| !placeholder::is_placeholder("", password))
}

/// Whether a value names a file.
fn is_path(value: &str) -> bool {
    let has_drive = matches!(value.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic());
    let starts = ["/", "~/", "./", "../"].iter().any(|start| value.starts_with(start));
    // A random value may begin with a slash.
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_random = value.len() >= 32 && digits > 2 && form::is_high_entropy(value) && !value.contains('.');
    (starts || has_drive)
        && !value.contains(char::is_whitespace)
        && value.len() > 2
        && !value.ends_with('=')
        && !is_random
}

/// Whether a value under the name of a credential is a setting all the same: a switch, a count, a URL without a password.
fn is_plain_setting(name: &str, value: &str) -> bool {
    let is_password = ["pass", "pwd"].iter().any(|word| name.to_ascii_lowercase().contains(word));
    let folded = value.to_ascii_lowercase();
    let is_switch = matches!(folded.as_str(), "yes" | "no" | "on" | "off" | "0" | "1" | "oauth" | "basic" | "required");
    let is_number = !is_password && value.len() < 12 && value.parse::<f64>().is_ok();
    let is_address = value.contains("://") && !value.contains('@');
    // `API_KEY_HEADER=X-Api-Key` says which header the key goes into.
    let is_header = name.to_ascii_lowercase().ends_with("header")
        && value.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    is_switch || is_number || is_address || is_header
}
