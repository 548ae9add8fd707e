//! Where secrets may stand in a server's definition: everything that has a name and a value.

use std::borrow::Cow;

use super::super::server::{Launch, Server, Setting};
use super::super::tree::Position;

/// Where a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Environment,
    Header,
    Argument,
    Url,
    /// Another member of the definition.
    Member,
    /// A file of environment variables that the definition names.
    EnvironmentFile,
    /// Elsewhere in the configuration.
    Outside,
}

impl Place {
    /// For people.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Environment => "environment variable",
            Self::Header => "header",
            Self::Argument => "command-line argument",
            Self::Url => "part of the URL",
            Self::Member => "setting",
            Self::EnvironmentFile => "line of an environment file",
            Self::Outside => "setting",
        }
    }
}

/// A value that may be a secret.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate<'s> {
    pub(crate) place: Place,
    pub(crate) name: Cow<'s, str>,
    pub(crate) value: Cow<'s, str>,
    /// The text as it stands in the argument or URL, if that is not the value itself.
    pub(crate) written: Option<&'s str>,
    pub(crate) at: Position,
}

/// Everything in a definition that may be a secret.
pub(crate) fn of(server: &Server) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    let of = |place: Place| move |setting| named(place, setting);
    found.extend(server.env.iter().map(of(Place::Environment)));
    found.extend(server.headers.iter().map(of(Place::Header)));
    found.extend(server.others.iter().map(of(Place::Member)));
    match &server.launch {
        Launch::Stdio { args, .. } => arguments(args, &mut found),
        Launch::Http { url, at } => self::url(url, *at, &mut found),
    }
    found
}

fn named(place: Place, setting: &Setting) -> Candidate<'_> {
    let (name, value) = (Cow::from(&setting.name), Cow::from(&setting.value));
    Candidate { place, name, value, written: None, at: setting.at }
}

/// Options that are followed by a header.
const HEADERS: &[&str] = &["-H", "--header", "--headers"];

fn arguments<'s>(args: &'s [Setting], found: &mut Vec<Candidate<'s>>) {
    let mut index = 0;
    while let Some(arg) = args.get(index) {
        let text = arg.value.as_str();
        let next = args.get(index + 1);
        let option = text.starts_with('-') && text.len() > 1;
        let mut push = |name: Cow<'s, str>, value: &'s str, at: Position| {
            found.push(Candidate { place: Place::Argument, name, value: value.into(), written: None, at });
        };
        match (option.then(|| text.split_once('=')).flatten(), next) {
            (Some((option, value)), _) if HEADERS.contains(&option) => header(value, arg.at, &mut push),
            (Some(("-e" | "--env", value)), _) => assignment(index, value, arg.at, &mut push),
            (Some((option, value)), _) => push(option.into(), value, arg.at),
            (None, Some(next)) if HEADERS.contains(&text) => {
                header(&next.value, next.at, &mut push);
                index += 1;
            }
            (None, Some(next)) if option && !next.value.starts_with('-') => {
                match text {
                    "-e" | "--env" => assignment(index + 1, &next.value, next.at, &mut push),
                    _ if next.value.contains("://") => positional(index + 1, next, found),
                    _ => push(text.into(), &next.value, next.at),
                }
                index += 1;
            }
            (None, _) if option => {}
            (None, _) => positional(index, arg, found),
        }
        index += 1;
    }
}

/// `name: value`.
fn header<'s>(text: &'s str, at: Position, push: &mut impl FnMut(Cow<'s, str>, &'s str, Position)) {
    if let Some((name, value)) = text.split_once(':') {
        push(name.trim().into(), value.trim(), at);
    }
}

/// `NAME=value`, as `docker run -e` takes it; a name alone passes a variable on that is listed elsewhere.
fn assignment<'s>(index: usize, text: &'s str, at: Position, push: &mut impl FnMut(Cow<'s, str>, &'s str, Position)) {
    match text.split_once('=') {
        Some((name, value)) => push(name.into(), value, at),
        None if text.contains("://") => push(format!("args[{index}]").into(), text, at),
        None => {}
    }
}

/// An argument without an option before it: a URL, an assignment, or a bare value.
fn positional<'s>(index: usize, arg: &'s Setting, found: &mut Vec<Candidate<'s>>) {
    let text = arg.value.as_str();
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let candidate = |name: Cow<'s, str>, value: &'s str| Candidate {
        place: Place::Argument,
        name,
        value: value.into(),
        written: None,
        at: arg.at,
    };
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => found.push(candidate(name.into(), value)),
        _ if text.starts_with("http://") || text.starts_with("https://") => {
            let first = found.len();
            url(text, arg.at, found);
            found.iter_mut().skip(first).for_each(|candidate| candidate.place = Place::Argument);
        }
        _ => found.push(candidate(format!("args[{index}]").into(), text)),
    }
}

/// The password and the query parameters of a URL.
pub(crate) fn url<'s>(text: &'s str, at: Position, found: &mut Vec<Candidate<'s>>) {
    let mut push = |name: Cow<'s, str>, written: &'s str| {
        let value = decoded(written);
        found.push(Candidate { place: Place::Url, name, value, written: Some(written), at });
    };
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some((user, _)) = authority.rsplit_once('@') {
        push("userinfo".into(), user.split_once(':').map_or(user, |(_, password)| password));
    }
    let query = rest.split('#').next().and_then(|rest| rest.split_once('?')).map(|(_, query)| query);
    for pair in query.unwrap_or_default().split('&') {
        if let Some((name, value)) = pair.split_once('=') {
            push(decoded(name), value);
        }
    }
}

/// A part of a URL with its percent signs resolved.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return text.into();
    }
    let mut pairs = form_urlencoded::parse(text.as_bytes());
    match pairs.next() {
        Some((decoded, _)) if !text.contains(['&', '=']) => decoded.into_owned().into(),
        _ => text.into(),
    }
}
