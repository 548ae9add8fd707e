//! Values that have several others in them: URLs, connection strings, JSON, command lines. A secret in one of them is
//! the secret, and what stands around it is not part of it.

use std::borrow::Cow;

use serde_json::Value;

use super::candidates::{self, Candidate, Place};
use crate::address::Authority;

/// Longest text that is taken apart.
const BYTES: usize = 16 << 10;
/// Values in one text that are looked at.
const VALUES: usize = 200;

/// What may be a secret within a value. `is_named` says that the value as a whole is one by its name, so that only what
/// is plainly a structure is taken apart: a pass phrase has spaces, too.
pub(super) fn of<'c>(whole: &'c Candidate<'_>, is_named: bool) -> Vec<Candidate<'c>> {
    let text = super::bare(&whole.value);
    let is_opaque = whole.place == Place::Header || whole.place == Place::Url || text.contains("-----BEGIN");
    if is_opaque || text.len() > BYTES {
        return Vec::new();
    }
    if text.starts_with(['{', '[']) {
        return of_json(whole, text);
    }
    if text.contains("://") && !text.contains(char::is_whitespace) {
        return of_url(whole);
    }
    let pairs = of_pairs(whole, text);
    if !pairs.is_empty() || is_named {
        return pairs;
    }
    if let Some((name, value)) = text.split_once(':').filter(|(name, _)| is_secret_header(name)) {
        return vec![whole.part(name, value.trim())];
    }
    let argument = |candidate: Candidate<'c>| Candidate { place: whole.place, ..candidate };
    if text.contains(char::is_whitespace) {
        let words = candidates::words(&whole.name, text, whole.at, whole.argument);
        return words.into_iter().take(VALUES).map(argument).collect();
    }
    let assignment = candidates::assignment(text);
    assignment.map(|(name, value)| whole.part(name, value)).into_iter().collect()
}

/// Whether a text is the name of a header that secrets are sent in.
fn is_secret_header(text: &str) -> bool {
    let name = text.to_ascii_lowercase();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_name
        && ["authorization", "api-key", "apikey", "token", "cookie", "secret"].iter().any(|word| name.contains(word))
}

/// The texts of a JSON value, by the keys above them.
fn of_json<'c>(whole: &'c Candidate<'_>, text: &str) -> Vec<Candidate<'c>> {
    let Ok(root) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let mut found = Vec::new();
    let mut open = vec![(whole.name.to_string(), String::new(), root)];
    while let Some((path, key, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                let below = members.into_iter().map(|(key, value)| (format!("{path}/{key}"), key, value));
                open.extend(below.collect::<Vec<_>>().into_iter().rev());
            }
            Value::Array(items) => open.extend(items.into_iter().rev().map(|item| (path.clone(), key.clone(), item))),
            Value::String(text) if found.len() < VALUES && !key.is_empty() => {
                found.push(Candidate { key: Some(key.into()), ..whole.part(path, text) });
            }
            _ => {}
        }
    }
    found
}

/// The settings of a text such as `Server=db;User Id=sa;Password=...`.
fn of_pairs<'c>(whole: &'c Candidate<'_>, text: &'c str) -> Vec<Candidate<'c>> {
    let pairs: Vec<_> = text.split(';').filter(|pair| !pair.trim().is_empty()).take(VALUES).collect();
    let pairs: Option<Vec<(&str, &str)>> = pairs.into_iter().map(|pair| pair.split_once('=')).collect();
    let pairs = pairs.filter(|pairs| pairs.len() > 1).unwrap_or_default();
    let part = |(key, value): (&'c str, &'c str)| Candidate {
        key: Some(key.trim().into()),
        ..whole.part(format!("{}/{}", whole.name, key.trim()), value.trim())
    };
    pairs.into_iter().map(part).collect()
}

/// What stands for a user where only a token is asked for.
const NO_PASSWORD: &[&str] = &["", "x", "x-oauth-basic"];

/// The password, the parameters and the tokens in the path of a URL.
pub(super) fn of_url<'c>(whole: &'c Candidate<'_>) -> Vec<Candidate<'c>> {
    let text = super::bare(&whole.value);
    let is_web = ["http://", "https://", "ws://", "wss://"].iter().any(|scheme| text.starts_with(scheme));
    // What has no name of its own is called by the part of the address; a connection string is one setting, whatever is
    // in it.
    let is_unnamed = whole.place == Place::Url || whole.name.starts_with("args[") || whole.key().is_empty();
    let named = |part: &'c str| if is_web && is_unnamed { Cow::from(part) } else { Cow::from(&*whole.name) };
    let part = |name: Cow<'c, str>, key: &'c str, written: &'c str| Candidate {
        key: Some(key.into()),
        written: Some(written.into()),
        ..whole.part(name, decoded(written))
    };
    let authority = Authority::of_url(text);
    let mut found = Vec::new();
    if let Some(user) = authority.user {
        let (user, password) = user.split_once(':').map_or((user, None), |(user, password)| (user, Some(password)));
        match password {
            Some(password) if !NO_PASSWORD.contains(&password) => {
                let context = text.get(..authority.end).map(Cow::from);
                found.push(Candidate { context, ..part(named("userinfo"), "userinfo", password) });
                found.push(part(named("userinfo"), "", user));
            }
            _ => found.push(part(named("userinfo"), "userinfo", user)),
        }
    }
    let rest = text.get(authority.end..).unwrap_or_default();
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let pairs = query.split(['&', ';']).chain(fragment.split('&')).take(VALUES);
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let Some((name, value)) = pair.split_once('=') else {
            found.push(part(named("query"), "", pair));
            continue;
        };
        let context = Some(format!("https://{}/?{name}={value}", authority.host).into());
        let name = decoded(name);
        let shown = match (is_web, is_unnamed) {
            (true, true) => name.clone(),
            (true, false) => format!("{}/{name}", whole.name).into(),
            (false, _) => Cow::from(&*whole.name),
        };
        let parameter = Candidate { key: Some(name), context, ..part(shown, "", value) };
        match settings(&parameter.value) {
            Some(settings) => {
                let inside = of_json(&parameter, &settings).into_iter().map(Candidate::into_owned);
                found.extend(inside.map(|inside| Candidate { written: Some(value.into()), ..inside }));
            }
            None => found.push(parameter),
        }
    }
    // The folder before a token may tell whose it is, so a part of a path is seen with what leads to it.
    let mut end = 0;
    for segment in path.split_inclusive('/').take(VALUES) {
        end += segment.len();
        let segment = segment.trim_end_matches('/');
        if segment.len() >= TOKEN {
            let before = path.get(..end).filter(|before| before.len() <= LEAD);
            let context = before.map(|before| format!("https://{}{before}", authority.host).into());
            found.push(Candidate { context, ..part(named("path"), "", segment) });
        }
    }
    found
}

/// Shortest part of a path that may be a token.
const TOKEN: usize = 16;
/// Longest way to it that is looked at with it.
const LEAD: usize = 512;

/// A part of a URL with its percent signs resolved. A plus sign is left: in tokens it means itself.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    let escaped = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    let first = form_urlencoded::parse(escaped.as_bytes()).next();
    first.map_or_else(|| text.into(), |(decoded, _)| decoded.into_owned().into())
}

/// The JSON object that a parameter holds in Base64, as some hosts of servers want their settings.
fn settings(parameter: &str) -> Option<String> {
    // How `{"` and `{ ` begin.
    let is_object = parameter.starts_with("ey");
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in parameter.trim_end_matches('=').bytes().take_while(|_| is_object) {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.extend(u8::try_from((bits >> held) & 0xff));
        }
    }
    String::from_utf8(bytes).ok().filter(|text| text.starts_with('{'))
}
