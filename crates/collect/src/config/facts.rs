//! What is known of a server once its definition has been read, without any secret.

use std::collections::BTreeMap;

use tracehound_model::{NodeId, hash};
use tracehound_rules::engine::effects::HIDDEN;

use super::credential::{self, Candidate, Place, Sight, Sighting, Sort};
use super::package::{self, Package};
use super::server::{Launch, Server};
use super::tree::Position;
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
}

/// Looks at a definition and lets it go. `prefix` stands before commands where machines of a fleet are kept apart.
pub(crate) fn of(server: Server, env_files: &env_file::Variables, sight: &mut Sight<'_>, prefix: &str) -> ServerFacts {
    let mut credentials: Vec<Sighting> = Vec::new();
    let mut hidden: Vec<String> = Vec::new();
    for candidate in credential::candidates::of(&server) {
        let Some(sighting) = sight.judge(&candidate) else { continue };
        if sighting.sort == Sort::Hardcoded || candidate.name == "userinfo" {
            hide(&candidate, &mut hidden);
        }
        add(&mut credentials, sighting);
    }
    for (file, candidate) in env_files.candidates() {
        let sighting = sight.judge(&candidate);
        credentials.extend(sighting.map(|sighting| Sighting { file: Some(file.to_owned()), ..sighting }));
    }
    resolve(&mut credentials, &server, env_files);
    unique_names(&mut credentials);
    let auth_method = auth::method(&server, &credentials);
    // The longest first, so that no rest of one is left where another is part of it.
    hidden.sort_by_key(|value| std::cmp::Reverse(value.len()));
    let shown = |text: &str| hidden.iter().fold(text.to_owned(), |text, value| masked(&text, value));
    let (transport, id, endpoint, args, package, host) = match &server.launch {
        Launch::Stdio { command, args } => {
            let words: Vec<&str> = args.iter().map(|arg| arg.value.as_str()).collect();
            let endpoint = format!("{prefix}{}", command.trim());
            let id = NodeId::stdio_server(&endpoint, &words);
            let args = words.iter().map(|word| shown(word)).collect();
            ("stdio", id, shown(&endpoint), args, package::of(command, &words), None)
        }
        Launch::Http { url, .. } => {
            let url = url.trim();
            ("http", NodeId::http_server(url), shown(url), Vec::new(), None, Some(Address::of_url(url)))
        }
    };
    ServerFacts {
        name: server.name,
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
    }
}

/// Notes what must not be shown: the value in an argument or URL, as it is written there.
fn hide(candidate: &Candidate<'_>, hidden: &mut Vec<String>) {
    if matches!(candidate.place, Place::Argument | Place::Url) {
        let written = candidate.written.unwrap_or(&candidate.value);
        hidden.push(credential::bare(written).to_owned());
    }
}

/// A text without a secret in it. One of a few letters is taken out only where a value stands, because its letters may
/// be part of any word.
fn masked(text: &str, secret: &str) -> String {
    const SHORT: usize = 4;
    if secret.is_empty() {
        return text.to_owned();
    }
    if secret.len() >= SHORT {
        return text.replace(secret, HIDDEN);
    }
    if text == secret {
        return HIDDEN.to_owned();
    }
    let mut text = format!("{text}\0");
    for (before, after) in [("=", "\0"), ("=", "&"), ("=", "#"), (":", "@"), ("/", "@")] {
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
    for setting in &server.env {
        if credential::reference::of(&setting.value).is_none() && !setting.value.is_empty() {
            own.insert(&setting.name, &setting.value);
        }
    }
    for credential in credentials.iter_mut().filter(|credential| credential.sort == Sort::EnvVar) {
        let value = credential.variable.as_deref().and_then(|name| own.get(name));
        credential.value_hash = value.map(|value| hash::credential_value(credential::bare(value)));
    }
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
        for (text, secret, expected) in [
            ("--token=s3cr3t", "s3cr3t", "--token=<hidden>"),
            ("https://u:s3cr3t@h/?k=s3cr3t", "s3cr3t", "https://u:<hidden>@h/?k=<hidden>"),
            ("abc", "abc", "<hidden>"),
            ("--password=abc", "abc", "--password=<hidden>"),
            ("https://u:abc@abc.example/?k=abc&x=1", "abc", "https://u:<hidden>@abc.example/?k=<hidden>&x=1"),
            ("plain", "", "plain"),
        ] {
            assert_eq!(masked(text, secret), expected, "{text}");
        }
    }
}
