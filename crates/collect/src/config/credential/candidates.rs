//! Where secrets may stand in a server's definition: everything that has a name and a value.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::server::{Launch, NAME, Server, Setting};
use super::super::shell;
use super::super::tree::Position;
use super::parts;

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
    /// What it is called.
    pub(crate) name: Cow<'s, str>,
    /// What it is judged by, if that is not its name: the last key of a longer way to it.
    pub(crate) key: Option<Cow<'s, str>>,
    pub(crate) value: Cow<'s, str>,
    /// The text as it stands in the argument or URL, if that is not the value itself.
    pub(crate) written: Option<Cow<'s, str>>,
    /// What it stands in, where that says more than the key: the URL up to it.
    pub(crate) context: Option<Cow<'s, str>>,
    pub(crate) at: Position,
    /// The number of the argument that it stands in.
    pub(crate) argument: Option<usize>,
}

impl<'s> Candidate<'s> {
    pub(crate) fn new(
        place: Place,
        name: impl Into<Cow<'s, str>>,
        value: impl Into<Cow<'s, str>>,
        at: Position,
    ) -> Self {
        let (name, value) = (name.into(), value.into());
        Self { place, name, key: None, value, written: None, context: None, at, argument: None }
    }

    /// What it is judged by. What is longer than names are says nothing.
    pub(crate) fn key(&self) -> &str {
        let key = self.key.as_ref().unwrap_or(&self.name);
        if key.len() <= NAME { key } else { "" }
    }

    /// A value within this one, under a name of its own.
    pub(super) fn part(&self, name: impl Into<Cow<'s, str>>, value: impl Into<Cow<'s, str>>) -> Self {
        Self { argument: self.argument, ..Self::new(self.place, name, value, self.at) }
    }

    /// The same, on its own.
    pub(super) fn into_owned<'o>(self) -> Candidate<'o> {
        let owned = |text: Cow<'s, str>| Cow::Owned(text.into_owned());
        Candidate {
            place: self.place,
            name: owned(self.name),
            key: self.key.map(owned),
            value: owned(self.value),
            written: self.written.map(owned),
            context: self.context.map(owned),
            at: self.at,
            argument: self.argument,
        }
    }
}

/// Stands for the command where arguments are numbered.
pub(crate) const COMMAND: usize = usize::MAX;

/// Everything in a definition that may be a secret.
pub(crate) fn of(server: &Server) -> Vec<Candidate<'_>> {
    let mut found = Vec::new();
    let named = [(Place::Environment, &server.env), (Place::Header, &server.headers), (Place::Member, &server.others)];
    for (place, settings) in named {
        found.extend(settings.iter().map(|it| Candidate::new(place, &*it.name, &*it.value, it.at)));
    }
    match &server.launch {
        Launch::Stdio { command, args } => {
            if command.contains(char::is_whitespace) {
                found.extend(words("command", command, server.at, Some(COMMAND)));
            }
            arguments(args, &Bare::Numbered, &mut found);
            passwords(command, args, &mut found);
            passed_on(server, args, &mut found);
        }
        Launch::Http { url, at } => {
            let whole = Candidate::new(Place::Url, "url", url.trim(), *at);
            found.extend(parts::of_url(&whole).into_iter().map(Candidate::into_owned));
        }
    }
    found
}

/// What values are called that stand among arguments without an option before them.
pub(super) enum Bare<'n> {
    /// `args[2]`.
    Numbered,
    /// What they are all part of.
    Within(&'n str),
}

impl Bare<'_> {
    fn candidate<'s>(&self, index: usize, arg: &'s Setting) -> Candidate<'s> {
        let new = |name: String| Candidate::new(Place::Argument, name, &*arg.value, arg.at);
        match self {
            Self::Numbered => new(format!("args[{index}]")),
            // In a script any word may stand alone, so a word says nothing.
            Self::Within(name) => Candidate { key: Some("".into()), ..new((*name).to_owned()) },
        }
    }
}

/// The candidates in a command line that is one text.
pub(super) fn words<'o>(name: &str, line: &str, at: Position, argument: Option<usize>) -> Vec<Candidate<'o>> {
    let joined = |word: String| word.trim_end_matches([';', '&', '|']).to_owned();
    let words = shell::words(line).into_iter().map(joined);
    let words: Vec<Setting> = words.map(|value| Setting { name: String::new(), value, at }).collect();
    let mut found = Vec::new();
    arguments(&words, &Bare::Within(name), &mut found);
    found.into_iter().map(|candidate| Candidate { argument, ..candidate.into_owned() }).collect()
}

/// Options that never take a value, and so are often followed by something else.
const SWITCHES: &[&str] =
    &["-y", "--yes", "-i", "-t", "-it", "-ti", "--rm", "-d", "-q", "--quiet", "-v", "--verbose", "--"];
/// Options that are followed by a header.
const HEADERS: &[&str] = &["-H", "--header", "--headers"];
/// Options that are followed by a user, often with a password.
const USERS: &[&str] = &["-u", "--user"];
/// Programs with an option for a password that other programs use for something else.
const PASSWORDS: &[(&str, &str)] = &[
    ("sshpass", "-p"),
    ("mysql", "-p"),
    ("mariadb", "-p"),
    ("mysqldump", "-p"),
    ("mongosh", "-p"),
    ("mongo", "-p"),
    ("redis-cli", "-a"),
];
/// Options that are followed by an assignment.
const ASSIGNMENTS: &[&str] = &["-e", "--env"];

fn arguments<'s>(args: &'s [Setting], bare: &Bare<'_>, found: &mut Vec<Candidate<'s>>) {
    let mut index = 0;
    while let Some(arg) = args.get(index) {
        let text = arg.value.as_str();
        let is_switch = SWITCHES.contains(&text);
        let is_option = text.starts_with('-') && text.len() > 1;
        // Programs of Windows join an option and its value with a colon.
        let joined = is_option.then(|| text.split_once('=').or_else(|| text.split_once(':'))).flatten();
        let next = args.get(index + 1).filter(|next| !next.value.starts_with('-'));
        let (candidate, taken) = match (joined, next) {
            (Some((option, value)), _) => (option_value(option, value, arg.at), index),
            (None, Some(next)) if is_option && !is_switch => (option_value(text, &next.value, next.at), index + 1),
            (None, _) if is_option => (None, index),
            (None, _) => (Some(positional(index, arg, bare)), index),
        };
        found.extend(candidate.map(|candidate| Candidate { argument: Some(taken), ..candidate }));
        index = taken + 1;
    }
}

/// What an option is given.
fn option_value<'s>(option: &'s str, value: &'s str, at: Position) -> Option<Candidate<'s>> {
    let new = |name: &'s str, value: &'s str| Candidate::new(Place::Argument, name, value, at);
    if HEADERS.contains(&option)
        && let Some((name, value)) = header(value)
    {
        return Some(new(name, value));
    }
    if ASSIGNMENTS.contains(&option) {
        // A name alone passes a variable on. With other programs the option may mean a script.
        let assigned = assignment(value).map(|(name, value)| new(name, value));
        return assigned.or_else(|| (!is_name(value)).then(|| new(option, value)));
    }
    if USERS.contains(&option)
        && let Some((_, password)) = value.split_once(':').filter(|(_, password)| !password.is_empty())
    {
        return Some(Candidate { key: Some("userinfo".into()), ..new(option, password) });
    }
    // `-eNAME=value`, in one word.
    if let Some(name) = option.strip_prefix("-e").filter(|name| is_name(name) && name.contains(char::is_uppercase)) {
        return Some(new(name, value));
    }
    Some(new(option, value))
}

/// `Name: value`, and `Name=value` as some programs take it.
fn header(text: &str) -> Option<(&str, &str)> {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let pairs = [text.split_once(':'), text.split_once('=')];
    let mut pairs = pairs.into_iter().flatten().map(|(name, value)| (name.trim(), value.trim()));
    pairs.find(|(name, _)| is_name(name))
}

/// `NAME=value`, also as PowerShell writes it.
pub(super) fn assignment(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let name = name.strip_prefix("$env:").unwrap_or(name);
    is_name(name).then_some((name, value))
}

/// Whether a text can be the name of a variable.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && text.bytes().all(is_part)
}

/// An argument without an option before it: an assignment, or a bare value.
fn positional<'s>(index: usize, arg: &'s Setting, bare: &Bare<'_>) -> Candidate<'s> {
    // `Server=...;Password=...` is several settings in one.
    let is_several = arg.value.split(';').filter(|pair| pair.contains('=')).count() > 1;
    match assignment(&arg.value).filter(|_| !is_several) {
        Some((name, value)) => Candidate::new(Place::Argument, name, value, arg.at),
        None => bare.candidate(index, arg),
    }
}

/// The values of options that are passwords only because of the program that they are given to.
fn passwords<'s>(command: &str, args: &'s [Setting], found: &mut Vec<Candidate<'s>>) {
    let is_called = |text: &str, program: &str| text.rsplit(['/', '\\']).next() == Some(program);
    for (program, option) in PASSWORDS {
        let own = is_called(command, program).then_some(0);
        let Some(start) = own.or_else(|| args.iter().position(|arg| is_called(&arg.value, program))) else { continue };
        for (index, arg) in args.iter().enumerate().skip(start) {
            let (value, taken) = match (arg.value.strip_prefix(option), args.get(index + 1)) {
                (Some(""), Some(next)) => (next.value.as_str(), index + 1),
                (Some(joined), _) if !joined.is_empty() => (joined, index),
                _ => continue,
            };
            let whole = Candidate::new(Place::Argument, *option, value, arg.at);
            found.push(Candidate { key: Some("password".into()), argument: Some(taken), ..whole });
            break;
        }
    }
}

/// Variables that `docker run -e NAME` hands over from the environment of the client, unless they are defined here.
fn passed_on<'s>(server: &Server, args: &'s [Setting], found: &mut Vec<Candidate<'s>>) {
    let defined: HashSet<&str> = server.env.iter().map(|setting| setting.name.as_str()).collect();
    let before = std::iter::once(None).chain(args.iter().map(Some));
    for (before, arg) in before.zip(args) {
        let follows = before.is_some_and(|option| ASSIGNMENTS.contains(&option.value.as_str()));
        let name = if follows { Some(arg.value.as_str()) } else { arg.value.strip_prefix("--env=") };
        if let Some(name) = name.filter(|name| is_name(name) && !defined.contains(name)) {
            found.push(Candidate::new(Place::Argument, name, format!("${{{name}}}"), arg.at));
        }
    }
}
