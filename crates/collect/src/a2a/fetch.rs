//! Asks an agent for its card, and whoever signed it for their keys.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use serde_json::Value;
use tracehound_model::hash;
use url::Url;

use super::auth::Auth;
use super::card::{self, Card};
use super::named::{self, Named};
use super::place::{Place, key, shown_url};
use super::signature::{self, GivenKeys, Part, Site, Verdict, Wanted};
use crate::json::shown;
use crate::net::{Answer, Ask, Guard, Trust};

/// Longest card.
const CARD: usize = 2 << 20;
/// Longest set of keys.
const KEYS: usize = 256 << 10;
/// What cards are served as.
const ACCEPT: &str = "application/json, application/a2a+json";

/// What it takes to ask.
#[derive(Debug, Clone, Copy)]
pub(super) struct Means<'m> {
    pub(super) guard: &'m Guard,
    pub(super) keys: Option<&'m GivenKeys>,
    pub(super) key_hosts: &'m [String],
    pub(super) time: Duration,
}

/// Whom to ask, and how.
#[derive(Debug)]
pub(super) struct Target<'t> {
    pub(super) place: Place,
    pub(super) trust: Trust,
    pub(super) headers: &'t HeaderMap,
}

/// What came of asking.
#[derive(Debug)]
pub(super) enum Seen {
    /// Its card.
    Card(Box<Found>),
    /// It wants to know who asks.
    Protected { auth: Auth, status: u16 },
    /// Nothing that could be used, and why.
    Failed(Failure),
}

/// Why there is no card.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// Whether it was not asked at all, because the guard forbids it.
    pub(super) is_refusal: bool,
}

/// A card and what is known of it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) card: Card,
    pub(super) card_hash: String,
    pub(super) verdict: Verdict,
    /// Where it came from in the end.
    pub(super) from: Url,
    /// Other agents that it names by their URLs.
    pub(super) named: Vec<Named>,
}

/// Asks for the card of an agent. Also tells where the agent is, which may be the root of the host that was asked.
pub(super) async fn fetch(target: &Target<'_>, means: Means<'_>) -> (Place, Seen) {
    let own = look(&target.place, target, means).await;
    let Looked::Missing(failure) = own else { return (target.place.clone(), own.seen()) };
    // An interface is often below the place of its agent. The card there counts only if it speaks of that interface.
    if let Some(root) = target.place.root()
        && let Looked::Seen(Seen::Card(found)) = look(&root, target, means).await
        && found.card.interfaces.iter().any(|it| Url::parse(&it.url).is_ok_and(|url| key(&url) == target.place.key()))
    {
        return (root, Seen::Card(found));
    }
    (target.place.clone(), Seen::Failed(failure))
}

/// What came of looking at the paths below one place.
enum Looked {
    Seen(Seen),
    /// There is nothing there, so it may be elsewhere.
    Missing(Failure),
}

impl Looked {
    fn seen(self) -> Seen {
        match self {
            Self::Seen(seen) => seen,
            Self::Missing(failure) => Seen::Failed(failure),
        }
    }
}

async fn look(place: &Place, target: &Target<'_>, means: Means<'_>) -> Looked {
    let failed = |message: String, is_refusal| Failure { message, is_refusal };
    let mut last = None;
    for url in place.cards() {
        let ask = Ask {
            url: &url,
            trust: target.trust,
            accept: ACCEPT,
            headers: target.headers,
            bytes: CARD,
            time: means.time,
        };
        let answer = match means.guard.get(&ask).await {
            Ok(answer) => answer,
            Err(error) => {
                return Looked::Seen(Seen::Failed(failed(error.to_string(), error.is_refusal())));
            }
        };
        let message = match answer.status {
            200 => match card::parse(&answer.body) {
                Ok((card, value)) => {
                    return Looked::Seen(Seen::Card(Box::new(found(card, &value, answer, means).await)));
                }
                // Some servers answer whatever they are asked with their front page.
                Err(problem) => problem,
            },
            status @ (401 | 403) => {
                let challenges = answer.headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|it| it.to_str().ok());
                return Looked::Seen(Seen::Protected { auth: Auth::demanded(challenges), status });
            }
            status @ (404 | 405 | 406 | 410) => format!("the answer is {status}"),
            status => {
                return Looked::Seen(Seen::Failed(failed(format!("{}: the answer is {status}", url.path()), false)));
            }
        };
        // The first that was more than a miss says most.
        if last.is_none() || answer.status == 200 {
            last = Some(format!("{}: {message}", url.path()));
        }
    }
    Looked::Missing(failed(last.unwrap_or_else(|| "there is nowhere to look for a card".to_owned()), false))
}

async fn found(card: Card, value: &Value, answer: Answer, means: Means<'_>) -> Found {
    let site = Site { card: &answer.url, allowed: means.key_hosts };
    let wanted = Wanted::of(value, means.keys, &site);
    let mut answers = BTreeMap::new();
    for (jku, url) in wanted.urls() {
        answers.insert(jku.to_owned(), key_set(url, means).await);
    }
    let fetched = wanted.fetched(answers);
    let mut verdict = signature::check(value, means.keys, &fetched);
    let (named, cut) = named::of(&card, value);
    let mut card = covered(card, &mut verdict);
    card.cut_short.extend(signature::beyond_limit(value).into_iter().chain(cut));
    Found { card, card_hash: hash::content(&answer.body), verdict, from: answer.url, named }
}

async fn key_set(url: &Url, means: Means<'_>) -> Result<Vec<u8>, String> {
    let headers = HeaderMap::new();
    let accept = "application/jwk-set+json, application/json";
    // Only the card names the place.
    let ask = Ask { url, trust: Trust::Told, accept, headers: &headers, bytes: KEYS, time: means.time };
    match means.guard.get(&ask).await {
        Ok(answer) if answer.status == 200 => Ok(answer.body),
        Ok(answer) => Err(format!("the answer is {}", answer.status)),
        Err(error) => Err(error.to_string()),
    }
}

/// The card as far as a right signature covers it. Servers add members of earlier versions to what was signed; such a
/// member that leads callers elsewhere makes the signature worthless.
fn covered(whole: Card, verdict: &mut Verdict) -> Card {
    let Some(part) = verdict.signed.take() else { return whole };
    match believed(&whole, &part) {
        Ok(mut card) => {
            card.form = whole.form;
            card.interfaces = whole.interfaces;
            card.protocol_versions = whole.protocol_versions;
            card
        }
        Err(problem) => {
            (verdict.keys, verdict.problem) = (None, Some(problem));
            whole
        }
    }
}

/// What of a card its signature vouches for, or why it vouches for nothing.
fn believed(whole: &Card, part: &Part) -> Result<Card, String> {
    let read = |value: &Value| Card::read(value).map_err(|problem| format!("what is signed is no card: {problem}"));
    let (mut known, signed) = (read(&part.known)?, read(&part.signed)?);
    let place = |url: &str| Url::parse(url).map_or_else(|_| url.to_owned(), |url| key(&url));
    let places: Vec<String> = signed.interfaces.iter().map(|interface| place(&interface.url)).collect();
    if let Some(other) = whole.interfaces.iter().find(|interface| !places.contains(&place(&interface.url))) {
        let (path, url) = (&other.path, shown(&shown_url(&other.url)));
        return Err(format!("the signature does not cover `{path}`, which leads elsewhere: `{url}`"));
    }
    // Demands and schemes that are empty are not signed. Whoever adds some must not make the agent look better guarded.
    let method = |card: &Card| Auth::declared(&card.schemes, &card.required).method;
    if method(&signed) > method(&known) {
        (known.schemes, known.required) = (signed.schemes, signed.required);
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::card::Method;
    use super::*;

    #[test]
    fn what_is_empty_and_so_not_signed_makes_nobody_look_better_guarded() {
        let open = json!({"name": "a", "supportedInterfaces": [{"url": "https://a.example"}]});
        let with = |more: Value| {
            let mut card = open.clone();
            card.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            card
        };
        let added = with(json!({"securitySchemes": {"x": {"mtlsSecurityScheme": {}}}}));
        let guarded = with(json!({
            "securitySchemes": {"k": {"apiKeySecurityScheme": {"name": "X"}}, "m": {"mtlsSecurityScheme": {"description": "m"}}},
            "securityRequirements": [{"schemes": {"m": {"list": ["s"]}}}, {"schemes": {"k": {}}}],
        }));
        let mut pruned = guarded.clone();
        pruned["securityRequirements"].as_array_mut().unwrap().pop();
        for (known, signed, expected) in [(added, open.clone(), Method::None), (guarded, pruned, Method::ApiKey)] {
            let card = believed(&Card::read(&known).unwrap(), &Part { known, signed }).unwrap();
            assert_eq!(Auth::declared(&card.schemes, &card.required).method, expected);
        }
    }
}
