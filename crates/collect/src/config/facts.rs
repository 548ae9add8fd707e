//! What is known of a server once its definition has been read, without any secret.

use std::collections::BTreeMap;

use tracehound_model::{NodeId, hash};
use tracehound_rules::engine::effects::HIDDEN;

use super::credential::candidates::COMMAND;
use super::credential::{self, Candidate, Place, Seen, Sight, Sighting, Sort};
use super::package::{self, Package};
use super::server::{Launch, Server, Setting};
use super::tree::Position;
use super::way::Reached;
use super::{auth, env_file};
use crate::address::Address;

/// A server of a configuration.
#[derive(Debug, Clone)]
pub(crate) struct ServerFacts {
    pub(crate) name: String,
    pub(crate) at: Position,
    pub(crate) section: Option<String>,
    /// What its id is made of, hidden from everything else because it may hold a secret.
    pub(crate) id: NodeId,
    pub(crate) transport: &'static str,
    /// The command or the URL, without secrets.
    pub(crate) endpoint: String,
    /// The arguments, without secrets.
    pub(crate) args: Vec<String>,
    pub(crate) package: Option<Package>,
    pub(crate) auth_method: &'static str,
    /// The host of the URL; a command runs on the machine itself.
    pub(crate) host: Option<Address>,
    pub(crate) is_enabled: bool,
    pub(crate) approved: Vec<String>,
    pub(crate) credentials: Vec<Sighting>,
    /// How it is reached, if it is to be asked. Its secrets are in there.
    pub(crate) reached: Option<Reached>,
    /// What must not be shown of it, for whoever asks it; let go otherwise.
    pub(crate) secrets: Vec<String>,
}

/// Looks at a definition and lets it go. `prefix` stands before commands where machines of a fleet are kept apart.
pub(crate) fn of(server: Server, env_files: &env_file::Variables, sight: &mut Sight<'_>, prefix: &str) -> ServerFacts {
    let mut credentials: Vec<Sighting> = Vec::new();
    let mut mask = Mask::default();
    for candidate in credential::candidates::of(&server) {
        for seen in sight.see(&candidate) {
            mask.add(candidate.place, &seen);
            add(&mut credentials, seen.sighting);
        }
    }
    for (file, candidate) in env_files.candidates() {
        for seen in sight.see(&candidate) {
            mask.add(candidate.place, &seen);
            credentials.push(Sighting { file: Some(file.to_owned()), ..seen.sighting });
        }
    }
    // People paste a token where a name belongs. It is no setting of the server, but it must not be shown either.
    let name = Candidate::new(Place::Member, "", server.name.as_str(), server.at);
    for seen in sight.see(&name).iter().filter(|seen| seen.sighting.sort == Sort::Hardcoded) {
        mask.add(Place::Member, seen);
    }
    resolve(&mut credentials, &server, env_files);
    unique_names(&mut credentials);
    let auth_method = auth::method(&server, &credentials);
    mask.finish();
    let (transport, id, endpoint, args, package, host) = match &server.launch {
        Launch::Stdio { command, args } => {
            let words: Vec<&str> = args.iter().map(|arg| arg.value.as_str()).collect();
            let endpoint = format!("{prefix}{}", command.trim());
            let id = NodeId::stdio_server(&endpoint, &words);
            let args = shown(&words, &mask);
            let package = package::of(command, &words).map(|package| Package {
                name: mask.text(&package.name),
                version: package.version.as_deref().map(|version| mask.text(version)),
                ..package
            });
            ("stdio", id, mask.argument(COMMAND, &endpoint), args, package, None)
        }
        Launch::Http { url, .. } => {
            let url = url.trim();
            ("http", NodeId::http_server(url), mask.text(url), Vec::new(), None, Some(Address::of_url(url)))
        }
    };
    ServerFacts {
        // Some are called by their own URL.
        name: mask.text(&server.name),
        at: server.at,
        section: server.section,
        id,
        transport,
        endpoint,
        args,
        package,
        auth_method,
        host,
        is_enabled: server.is_enabled,
        approved: server.approved,
        credentials,
        reached: None,
        secrets: mask.secrets.into_iter().map(|(secret, _)| secret).collect(),
    }
}

/// Looks at a definition that is in no file.
pub(crate) fn alone(server: Server, sight: &mut Sight<'_>, prefix: &str) -> ServerFacts {
    of(server, &env_file::Variables::default(), sight, prefix)
}

/// Longest argument, and longest list of them, that is shown. What is longer has not been looked at either.
const ARGUMENT: usize = 16 << 10;
const ARGUMENTS: usize = 1 << 20;
/// Secrets of one definition up to which its arguments are shown. Nobody writes so many, and to look for each in all
/// arguments would take long.
const SECRETS: usize = 1_000;

/// The arguments without secrets.
fn shown(words: &[&str], mask: &Mask) -> Vec<String> {
    let mut room = ARGUMENTS;
    let show = |(index, word): (usize, &&str)| {
        let is_too_much = word.len() > ARGUMENT || mask.secrets.len() > SECRETS;
        let text = if is_too_much { HIDDEN.to_owned() } else { mask.argument(index, word) };
        match room.checked_sub(text.len()) {
            Some(left) => room = left,
            None => return HIDDEN.to_owned(),
        }
        text
    };
    words.iter().enumerate().map(show).collect()
}

/// What must not be shown of a definition.
#[derive(Debug, Default)]
struct Mask {
    /// Secrets, the longest first, so that no rest of one is left where another is part of it.
    secrets: Vec<(String, Reach)>,
    /// Arguments with a secret in them, and how it is written there.
    within: BTreeMap<usize, Vec<Vec<String>>>,
}

/// Where a secret is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Where a value stands: its letters may be part of any word.
    Values,
    /// Wherever its letters stand.
    Everywhere,
}

impl Mask {
    fn add(&mut self, place: Place, seen: &Seen) {
        let is_here = matches!(place, Place::Argument | Place::Url);
        for secret in seen.hidden.iter().filter(|secret| !secret.is_empty()) {
            // One from elsewhere may be a word that the command has for reasons of its own.
            let is_word = secret.len() < 16 && !secret.bytes().any(|byte| byte.is_ascii_digit());
            let is_short = secret.len() < if is_here { 4 } else { 8 };
            let reach = if is_short || (is_word && !is_here) { Reach::Values } else { Reach::Everywhere };
            self.secrets.push((secret.clone(), reach));
        }
        if let Some(argument) = seen.argument.filter(|_| !seen.hidden.is_empty()) {
            self.within.entry(argument).or_default().push(seen.hidden.clone());
        }
    }

    fn finish(&mut self) {
        self.secrets.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| b.cmp(a)));
        self.secrets.dedup_by(|next, kept| next.0 == kept.0);
    }

    /// A text without secrets.
    fn text(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, (secret, reach)| masked(&text, secret, *reach))
    }

    /// An argument without secrets. One that spells its secret in a way of its own is not shown at all.
    fn argument(&self, index: usize, text: &str) -> String {
        let mut within = self.within.get(&index).into_iter().flatten();
        let is_spelled = within.all(|spellings| spellings.iter().any(|secret| text.contains(secret.as_str())));
        if is_spelled { self.text(text) } else { HIDDEN.to_owned() }
    }
}

/// A text without a secret in it.
fn masked(text: &str, secret: &str, reach: Reach) -> String {
    if reach == Reach::Everywhere {
        return text.replace(secret, HIDDEN);
    }
    if text == secret {
        return HIDDEN.to_owned();
    }
    let mut text = format!("{text}\0");
    for (before, after) in
        [("=", "\0"), ("=", "&"), ("=", "#"), ("=", " "), (":", "@"), ("/", "@"), (" ", "\0"), (" ", " "), (":", "\0")]
    {
        text = text.replace(&format!("{before}{secret}{after}"), &format!("{before}{HIDDEN}{after}"));
    }
    text.pop();
    text
}

/// The same secret under the same name twice, as in `env` and in `docker run -e`, is one credential.
fn add(credentials: &mut Vec<Sighting>, sighting: Sighting) {
    let is_same = |other: &&mut Sighting| other.name == sighting.name && other.value_hash == sighting.value_hash;
    if credentials.iter_mut().find(is_same).is_none() {
        credentials.push(sighting);
    }
}

/// Gives references their value where a file that was read defines the variable.
fn resolve(credentials: &mut [Sighting], server: &Server, env_files: &env_file::Variables) {
    let mut own: BTreeMap<&str, &str> = env_files.values().collect();
    own.extend(server.env.iter().filter(|setting| !refers_to_itself(setting)).map(|it| (&*it.name, &*it.value)));
    let referring = credentials.iter_mut().filter(|credential| credential.is_variable);
    for credential in referring {
        let Some(value) = credential.variable.as_deref().and_then(|name| defined(&own, name)) else { continue };
        let secret = credential::bare(value);
        credential.value_hash = Some(hash::credential_value(secret));
        credential.format = credential::format(secret);
        credential.is_bearer |= credential::is_bearer(value);
    }
}

/// `"TOKEN": "${TOKEN}"` passes on what is defined outside.
fn refers_to_itself(setting: &Setting) -> bool {
    credential::reference::variable_of(&setting.value).is_some_and(|name| name == setting.name)
}

/// Variables that lead to each other before one has a value.
const CHAIN: usize = 4;

/// The value of a variable, through others if need be. What somebody has yet to fill in is no value, or all who have
/// left it would seem to share a secret.
fn defined<'v>(own: &BTreeMap<&str, &'v str>, name: &str) -> Option<&'v str> {
    let mut value = *own.get(name)?;
    for _ in 0..CHAIN {
        match credential::reference::of(value) {
            None => {
                let is_blank = credential::placeholder::is_placeholder(name, credential::bare(value));
                return (!is_blank).then_some(value);
            }
            Some(_) => value = own.get(credential::reference::variable_of(value)?.as_str())?,
        }
    }
    None
}

/// Names within one server tell its credentials apart; a second one of a name says where it stands.
fn unique_names(credentials: &mut [Sighting]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for credential in credentials {
        let count = seen.entry(credential.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            credential.name = format!("{} ({} {count})", credential.name, credential.place.words());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_taken_out_of_what_is_shown() {
        use Reach::{Everywhere, Values};
        for (text, secret, reach, expected) in [
            ("--token=s3cr3t", "s3cr3t", Everywhere, "--token=<hidden>"),
            ("https://u:s3cr3t@h/?k=s3cr3t", "s3cr3t", Everywhere, "https://u:<hidden>@h/?k=<hidden>"),
            ("abc", "abc", Values, "<hidden>"),
            ("--password=abc", "abc", Values, "--password=<hidden>"),
            ("https://u:abc@abc.example/?k=abc&x=1", "abc", Values, "https://u:<hidden>@abc.example/?k=<hidden>&x=1"),
            ("PW=abc abc-server abc", "abc", Values, "PW=<hidden> abc-server <hidden>"),
        ] {
            assert_eq!(masked(text, secret, reach), expected, "{text}");
        }
    }
}
