//! Servers that the user gives on the command line, read as if a configuration defined them.

use std::sync::Arc;

use reqwest::header::HeaderMap;
use url::Url;

use super::target::{Target, Way};
use crate::config::credential::Sight;
use crate::config::{Launch, Server, Setting};
use crate::config::{Position, ServerFacts, facts_of, shell_words};
use crate::detection::Detection;
use crate::net::Trust;
use crate::process;
use crate::secrets::{Secrets, in_headers};

/// Why what was given is no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// The text is no URL of HTTP.
    #[error("`{0}` is no address of a server; it begins with http:// or https://")]
    Url(String),
    /// Nothing was given.
    #[error("a command can't be empty")]
    Command,
}

impl Target {
    /// A server at a URL, with headers of the user's.
    ///
    /// # Errors
    ///
    /// When it is no URL of HTTP.
    pub fn given_url(text: &str, headers: &Arc<HeaderMap>, detection: &Detection) -> Result<Self, GivenError> {
        let text = text.trim();
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let facts = facts(Launch::Http { url: text.to_owned(), at: Position::START }, detection, "");
        let Some(url) = url else { return Err(GivenError::Url(facts.endpoint)) };
        let sent = in_headers(headers).into_iter();
        let parts = [url.password().unwrap_or_default().to_owned(), url.query().unwrap_or_default().to_owned()];
        let way = Way::Call { url, trust: Trust::Asked, headers: Arc::clone(headers) };
        Ok(target(facts, way, sent.chain(parts)))
    }

    /// A command, written as in a shell. `prefix` stands before it where machines of a fleet are kept apart.
    ///
    /// # Errors
    ///
    /// When it is empty.
    pub fn given_command(line: &str, detection: &Detection, prefix: &str) -> Result<Self, GivenError> {
        let mut words = shell_words(line).into_iter();
        let program = words.next().ok_or(GivenError::Command)?;
        let args: Vec<String> = words.collect();
        let setting = |value: &String| Setting { name: String::new(), value: value.clone(), at: Position::START };
        let launch = Launch::Stdio { command: program.clone(), args: args.iter().map(setting).collect() };
        let facts = facts(launch, detection, prefix);
        // Whoever types a command means the folder that they are in.
        let directory = std::env::current_dir().ok();
        let way = Way::Start(process::Launch { program, args, env: Vec::new(), directory });
        Ok(target(facts, way, std::iter::empty()))
    }
}

fn target(facts: ServerFacts, way: Way, secrets: impl Iterator<Item = String>) -> Target {
    Target {
        id: facts.id,
        name: None,
        endpoint: facts.endpoint,
        args: facts.args,
        left_out: Vec::new(),
        file: None,
        secrets: Secrets::new(facts.secrets.into_iter().chain(secrets)),
        way,
    }
}

/// What the configuration collector would say of it: the same id, and nothing secret in what is shown.
fn facts(launch: Launch, detection: &Detection, prefix: &str) -> ServerFacts {
    facts_of(Server::bare(launch), &mut Sight::new(detection), prefix)
}
