//! Whether a card is what its signer signed.
//!
//! A signature is worth what its key is worth. Keys that the user gives say who signed; keys from the signer's own site
//! say that the site did; keys within the card only say that nobody changed it without changing them, too.

mod forms;
mod jws;
mod keys;
mod site;

use std::collections::BTreeMap;

use serde_json::Value;
use url::Url;

use crate::json::{shown, sort};
use forms::Form;
pub(super) use forms::Part;
use jws::Jws;
use keys::{Key, KeySet};
pub(super) use site::Site;

/// Signatures of one card that are looked at.
const SIGNATURES: usize = 16;
/// Places that keys of one card are fetched from.
const PLACES: usize = 4;

/// Keys that the user gives. If there are any, no others count.
#[derive(Debug, Clone)]
pub struct GivenKeys(KeySet);

/// A file of keys that can't be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct KeysError(String);

/// Where a key comes from, the more telling last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Inline,
    Jku,
    Given,
}

/// What is known of the signatures of a card.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) is_signed: bool,
    /// Where the keys come from, if one signature is right and none that can be checked is wrong.
    pub(super) keys: Option<Source>,
    /// Why it is not valid although it is signed.
    pub(super) problem: Option<String>,
    /// What of the card was signed, if not all of it was.
    pub(super) signed: Option<Part>,
}

impl Source {
    /// Its name in documents.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Jku => "jku",
            Self::Given => "given",
        }
    }
}

impl GivenKeys {
    /// Reads a JSON Web Key Set.
    ///
    /// # Errors
    ///
    /// When no key in it can be used: nothing could ever be verified with it.
    pub fn read(bytes: &[u8]) -> Result<Self, KeysError> {
        let set = KeySet::parse(bytes).map_err(KeysError)?;
        match (set.keys.is_empty(), set.problems.first()) {
            (true, Some(problem)) => Err(KeysError(format!("no key of the set can be used: {problem}"))),
            (true, None) => Err(KeysError("the key set is empty".to_owned())),
            (false, _) => Ok(Self(set)),
        }
    }
}

/// The places of keys that have to be fetched before a card's signatures can be checked, or why they must not be.
#[derive(Debug, Default)]
pub(super) struct Wanted(BTreeMap<String, Result<Url, String>>);

impl Wanted {
    /// Looks through the signatures of a card. Nothing is wanted if the user gives keys: no others count then.
    pub(super) fn of(card: &Value, given: Option<&GivenKeys>, site: &Site<'_>) -> Self {
        let mut wanted = BTreeMap::new();
        if given.is_none() {
            for jku in entries(card).iter().filter_map(|entry| Jws::read(entry).ok()?.jku) {
                if wanted.len() < PLACES {
                    let place = site.allows(&jku);
                    wanted.insert(jku, place);
                }
            }
        }
        Self(wanted)
    }

    /// The URLs to fetch, each with the text that stands for it in signatures.
    pub(super) fn urls(&self) -> impl Iterator<Item = (&str, &Url)> {
        self.0.iter().filter_map(|(jku, place)| Some((jku.as_str(), place.as_ref().ok()?)))
    }

    /// Takes what was fetched, or why not.
    pub(super) fn fetched(self, mut answers: BTreeMap<String, Result<Vec<u8>, String>>) -> Fetched {
        let set = |(jku, place): (String, Result<Url, String>)| {
            let answer = answers.remove(&jku).unwrap_or_else(|| Err("it was not fetched".to_owned()));
            let keys = place.and_then(|_| KeySet::parse(&answer?));
            (jku, keys)
        };
        Fetched(self.0.into_iter().map(set).collect())
    }
}

/// Keys that were fetched, by their place.
#[derive(Debug, Default)]
pub(super) struct Fetched(BTreeMap<String, Result<KeySet, String>>);

/// Checks all signatures of a card.
pub(super) fn check(card: &Value, given: Option<&GivenKeys>, fetched: &Fetched) -> Verdict {
    let unsigned = Verdict { is_signed: false, keys: None, problem: None, signed: None };
    match card.get("signatures") {
        None | Some(Value::Null) => return unsigned,
        Some(Value::Array(all)) if all.is_empty() => return unsigned,
        Some(Value::Array(_)) => {}
        Some(other) => {
            let problem = Some(format!("`signatures` is {}, not a list", sort(other)));
            return Verdict { problem, ..unsigned };
        }
    }
    let forms = forms::of(card);
    let keyring = Keyring { card, given, fetched };
    let results: Vec<Outcome<'_>> = entries(card).iter().map(|entry| outcome(entry, &forms, &keyring)).collect();
    let said = |position: usize, reason: &str| match results.len() {
        1 => format!("the signature can't be trusted: {reason}"),
        _ => format!("signature {position} can't be trusted: {reason}"),
    };
    let wrong = results.iter().enumerate().find_map(|(position, outcome)| match outcome {
        Outcome::Wrong(reason) => Some(said(position, reason)),
        _ => None,
    });
    let unchecked = results.iter().enumerate().find_map(|(position, outcome)| match outcome {
        Outcome::Unchecked(reason) => Some(said(position, reason)),
        _ => None,
    });
    let best = results.iter().filter_map(|outcome| match outcome {
        Outcome::Right(source, form) => Some((*source, *form)),
        _ => None,
    });
    // Of two that are right the one with the better key counts, whatever else it covers.
    let best = best.max_by_key(|(source, _)| *source);
    match (wrong, best) {
        (Some(problem), _) => Verdict { is_signed: true, problem: Some(problem), ..unsigned },
        (None, Some((source, form))) => {
            let is_whole = forms.first().is_some_and(|whole| std::ptr::eq(whole, form));
            let signed = (!is_whole).then(|| form.part.clone());
            Verdict { is_signed: true, keys: Some(source), problem: None, signed }
        }
        (None, None) => Verdict { is_signed: true, problem: unchecked, ..unsigned },
    }
}

/// What came of one signature.
enum Outcome<'f> {
    Right(Source, &'f Form),
    Wrong(String),
    Unchecked(String),
}

fn outcome<'f>(entry: &Value, forms: &'f [Form], keyring: &Keyring<'_>) -> Outcome<'f> {
    let jws = match Jws::read(entry) {
        Ok(jws) => jws,
        Err(problem) => return Outcome::Unchecked(problem),
    };
    let (source, set) = match keyring.keys(&jws) {
        Ok(found) => found,
        Err(problem) => return Outcome::Unchecked(problem),
    };
    let fitting: Vec<&Key> = set.keys.iter().filter(|key| jws.is_by(key)).collect();
    if fitting.is_empty() {
        let wanted = jws.kid.as_deref().map_or_else(String::new, |kid| format!(" with the id `{}`", shown(kid)));
        let others = set.problems.first().map_or_else(String::new, |problem| format!(" ({problem})"));
        return Outcome::Unchecked(format!("there is no key{wanted} for its algorithm{others}"));
    }
    match jws.signed(forms, &fitting) {
        Some(form) => Outcome::Right(source, form),
        None => Outcome::Wrong("it is not over this card".to_owned()),
    }
}

/// All the keys that there are.
struct Keyring<'k> {
    card: &'k Value,
    given: Option<&'k GivenKeys>,
    fetched: &'k Fetched,
}

impl Keyring<'_> {
    /// The keys that count for a signature: the best that there are. A place that a signature names and that can't be
    /// used is not made up for by keys within the card, or whoever changed the card would choose which are believed.
    fn keys(&self, jws: &Jws) -> Result<(Source, KeySet), String> {
        if let Some(GivenKeys(set)) = self.given {
            return Ok((Source::Given, set.clone()));
        }
        if let Some(jku) = &jws.jku {
            return match self.fetched.0.get(jku) {
                Some(Ok(set)) => Ok((Source::Jku, set.clone())),
                Some(Err(problem)) => Err(format!("its keys at `{}` can't be used: {problem}", shown(jku))),
                None => Err(format!("it names the {}th place of keys, and only {PLACES} are looked at", PLACES + 1)),
            };
        }
        let mut set = KeySet::default();
        let sets = [jws.jwk.as_ref(), self.card.get("jwks")];
        for inline in sets.into_iter().flatten() {
            match KeySet::read(inline) {
                Ok(more) => set.extend(more),
                Err(problem) => set.problems.push(problem),
            }
        }
        if set.keys.is_empty() && set.problems.is_empty() {
            return Err("no keys are given, and it names none".to_owned());
        }
        Ok((Source::Inline, set))
    }
}

fn entries(card: &Value) -> &[Value] {
    let all = card.get("signatures").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    all.get(..SIGNATURES).unwrap_or(all)
}

/// How many signatures of a card are not looked at.
pub(super) fn beyond_limit(card: &Value) -> Option<String> {
    let count = card.get("signatures")?.as_array()?.len();
    (count > SIGNATURES).then(|| format!("`signatures` is cut at {SIGNATURES} of {count}"))
}

#[cfg(test)]
mod tests;
