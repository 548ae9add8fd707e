//! What a server demands of those who call it, from how it says no.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;
use url::Url;

use super::tap::Refusal;
use crate::net::{Ask, Guard, Trust, is_same_origin};

/// What is known of a server's demands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// How documents call it.
    pub(super) method: &'static str,
    /// Who issues what it wants to see.
    pub(super) issuers: Vec<String>,
    pub(super) scopes: Vec<String>,
    /// From what it is known, in words.
    pub(super) evidence: String,
    /// What stood in the way of knowing more.
    pub(super) problems: Vec<String>,
}

/// A challenge of HTTP: its scheme and its parameters.
#[derive(Debug, PartialEq, Eq)]
struct Challenge {
    scheme: String,
    parameters: Vec<(String, String)>,
}

/// The server that metadata are about.
struct Server<'s> {
    guard: &'s Guard,
    url: &'s Url,
    trust: Trust,
}

/// Longest metadata.
const METADATA: usize = 256 << 10;
/// How long one question about metadata may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Issuers that are asked.
const ISSUERS: usize = 3;
/// Scopes and issuers that are told.
const TOLD: usize = 50;

/// What the refusal means. Asks for the metadata that tells more.
pub(super) async fn demand(guard: &Guard, url: &Url, trust: Trust, refusal: &Refusal) -> Demand {
    let server = Server { guard, url, trust };
    let challenges: Vec<Challenge> = refusal.challenges.iter().flat_map(|text| challenges(text)).collect();
    let mut demand = Demand { method: by_challenge(&challenges), ..Demand::default() };
    let named: Vec<&str> = challenges.iter().map(|challenge| challenge.scheme.as_str()).collect();
    demand.evidence = match named.as_slice() {
        [] => format!("it answers strangers with status {}", refusal.status),
        schemes => format!("it answers strangers with status {} and asks for {}", refusal.status, schemes.join(", ")),
    };
    let mut scopes: BTreeSet<String> = challenges.iter().flat_map(|it| words(it.get("scope"))).collect();
    let is_open = demand.method == "bearer" || challenges.is_empty();
    if is_open && let Some(metadata) = resource_metadata(&server, &challenges, &mut demand.problems).await {
        demand.issuers = texts(&metadata, "authorization_servers");
        scopes.extend(texts(&metadata, "scopes_supported"));
        if !demand.issuers.is_empty() {
            demand.method = "oauth";
            demand.evidence = format!("{}; its metadata name {}", demand.evidence, demand.issuers.join(", "));
        }
    }
    for issuer in demand.issuers.clone().iter().take(ISSUERS) {
        if let Some(metadata) = issuer_metadata(&server, issuer, &mut demand.problems).await {
            scopes.extend(texts(&metadata, "scopes_supported"));
        }
    }
    demand.scopes = scopes.into_iter().take(TOLD).collect();
    demand
}

fn by_challenge(challenges: &[Challenge]) -> &'static str {
    let has = |scheme: &str| challenges.iter().any(|challenge| challenge.scheme.eq_ignore_ascii_case(scheme));
    match () {
        () if has("bearer") || has("dpop") => "bearer",
        () if has("mutual") => "mtls",
        // A name and a password that don't change are a key like others.
        () if has("basic") || has("digest") || has("apikey") => "apiKey",
        () => "unknown",
    }
}

/// The metadata of the resource (RFC 9728): where the challenge says, else at its well-known places.
async fn resource_metadata(server: &Server<'_>, challenges: &[Challenge], problems: &mut Vec<String>) -> Option<Value> {
    let named = challenges.iter().find_map(|challenge| challenge.get("resource_metadata"));
    if let Some(named) = named {
        let Ok(place) = server.url.join(named) else {
            problems.push("the address of its metadata is none".to_owned());
            return None;
        };
        return read(server, &place, problems).await;
    }
    for place in well_known(server.url, "oauth-protected-resource") {
        // Nobody said that there is something, so nothing is wrong if there is not.
        if let Some(found) = read(server, &place, &mut Vec::new()).await {
            return Some(found);
        }
    }
    None
}

/// The metadata of an issuer (RFC 8414, else OpenID Connect).
async fn issuer_metadata(server: &Server<'_>, issuer: &str, problems: &mut Vec<String>) -> Option<Value> {
    let issuer = Url::parse(issuer).ok()?;
    let mut last = Vec::new();
    let path = issuer.path().trim_end_matches('/');
    let appended = issuer.join(&format!("{path}/.well-known/openid-configuration")).ok();
    let places = well_known(&issuer, "oauth-authorization-server");
    for place in places.into_iter().chain(well_known(&issuer, "openid-configuration")).chain(appended) {
        if let Some(found) = read(server, &place, &mut last).await {
            return Some(found);
        }
    }
    problems.extend(last.pop());
    None
}

/// Well-known places: with the path behind, and without.
fn well_known(url: &Url, name: &str) -> Vec<Url> {
    let path = url.path().trim_end_matches('/');
    let mut places: Vec<Url> = [format!("/.well-known/{name}{path}"), format!("/.well-known/{name}")]
        .iter()
        .filter_map(|place| url.join(place).ok())
        .map(|mut place| {
            place.set_query(None);
            place
        })
        .collect();
    places.dedup();
    places
}

async fn read(server: &Server<'_>, place: &Url, problems: &mut Vec<String>) -> Option<Value> {
    // What is at the server itself was asked for with it; everything else only the server named.
    let trust = if is_same_origin(server.url, place) { server.trust } else { Trust::Told };
    let headers = HeaderMap::new();
    let ask = Ask { url: place, trust, accept: "application/json", headers: &headers, bytes: METADATA, time: PATIENCE };
    let why = match server.guard.get(&ask).await {
        Ok(answer) if answer.status == 200 => match serde_json::from_slice::<Value>(&answer.body) {
            Ok(value) if value.is_object() => return Some(value),
            _ => "it is no JSON object".to_owned(),
        },
        Ok(answer) => format!("status {}", answer.status),
        Err(error) => error.to_string(),
    };
    problems.push(format!("metadata at {}: {why}", place.origin().ascii_serialization()));
    None
}

fn texts(metadata: &Value, key: &str) -> Vec<String> {
    let list = metadata.get(key).and_then(Value::as_array).into_iter().flatten();
    let texts = list.filter_map(Value::as_str).filter(|text| text.len() <= 1024);
    texts.take(TOLD).map(str::to_owned).collect()
}

fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split_whitespace().take(TOLD).map(str::to_owned).collect()
}

impl Challenge {
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// The challenges of one header (RFC 9110, section 11.6.1).
fn challenges(text: &str) -> Vec<Challenge> {
    let mut found: Vec<Challenge> = Vec::new();
    for part in split(text) {
        let part = part.trim();
        let (first, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let is_scheme = !first.is_empty() && !first.contains('=');
        let parameter = if is_scheme {
            found.push(Challenge { scheme: first.to_owned(), parameters: Vec::new() });
            rest.trim()
        } else {
            part
        };
        if let (Some((key, value)), Some(challenge)) = (parameter.split_once('='), found.last_mut()) {
            let value = value.trim().trim_matches('"').replace("\\\"", "\"");
            challenge.parameters.push((key.trim().to_owned(), value));
        }
    }
    found
}

/// The parts between commas that stand in no quotes.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

/// Reads a text as a challenge, for the fuzz target.
#[cfg(fuzzing)]
pub(super) fn fuzz(text: &str) {
    by_challenge(&challenges(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_taken_apart() {
        let text =
            r#"Bearer realm="a, b", resource_metadata="https://x/.well-known/y", scope="one two", Basic realm=z"#;
        let found = challenges(text);
        let schemes: Vec<&str> = found.iter().map(|it| it.scheme.as_str()).collect();
        assert_eq!(schemes, ["Bearer", "Basic"]);
        assert_eq!(found[0].get("Resource_Metadata"), Some("https://x/.well-known/y"));
        assert_eq!((found[0].get("realm"), found[1].get("realm")), (Some("a, b"), Some("z")));
        assert_eq!(challenges("Negotiate").len(), 1);
        assert_eq!(challenges(""), []);
    }

    #[test]
    fn a_scheme_tells_the_method() {
        for (text, method) in [
            ("Bearer", "bearer"),
            ("bearer error=\"x\"", "bearer"),
            ("Basic realm=\"x\"", "apiKey"),
            ("Negotiate", "unknown"),
            ("", "unknown"),
        ] {
            assert_eq!(by_challenge(&challenges(text)), method, "{text}");
        }
    }

    #[test]
    fn metadata_are_at_their_well_known_places() {
        let url = Url::parse("https://h.example/a/mcp/?x=1").unwrap();
        let places: Vec<String> = well_known(&url, "n").iter().map(Url::to_string).collect();
        assert_eq!(places, ["https://h.example/.well-known/n/a/mcp", "https://h.example/.well-known/n"]);
        assert_eq!(well_known(&Url::parse("https://h.example").unwrap(), "n").len(), 1);
    }
}
