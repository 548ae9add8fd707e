//! Servers that are to be asked: from configurations and from the command line.

use std::fmt;
use std::sync::Arc;

use reqwest::header::HeaderMap;
use tracehound_model::NodeId;
use url::Url;

use crate::net::Trust;
use crate::process::Launch;
use crate::secrets::Secrets;

/// A server that is to be asked.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its id, the same for every collector.
    pub id: NodeId,
    /// What the user's configuration calls it, if it is from one.
    pub name: Option<String>,
    /// Its command or URL, without secrets.
    pub endpoint: String,
    /// The arguments of its command, without secrets.
    pub args: Vec<String>,
    /// Variables and headers that only its client can fill in, so that it is asked without them.
    pub left_out: Vec<String>,
    /// The configuration that defines it.
    pub file: Option<String>,
    /// What must not be shown of it, whoever says it.
    pub secrets: Secrets,
    /// How it is reached.
    pub way: Way,
}

/// How a server is reached. What is in here may be secret and is never shown.
#[derive(Clone)]
pub enum Way {
    /// By starting a command.
    Start(Launch),
    /// At an address, with headers of the user's.
    Call {
        /// The address.
        url: Url,
        /// Who named it: the user, or a file of a project that anybody may have written.
        trust: Trust,
        /// The headers.
        headers: Arc<HeaderMap>,
    },
    /// Not at all, for a reason.
    Not(String),
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(_) => f.write_str("Start"),
            Self::Call { .. } => f.write_str("Call"),
            Self::Not(why) => write!(f, "Not({why})"),
        }
    }
}

impl Target {
    /// Whether it is started, or would be.
    #[must_use]
    pub fn is_command(&self) -> bool {
        matches!(self.way, Way::Start(_))
    }

    /// How documents call the way.
    pub(super) fn transport(&self) -> &'static str {
        let has_url = || self.args.is_empty() && self.endpoint.contains("://");
        match &self.way {
            Way::Start(_) => "stdio",
            Way::Call { .. } => "http",
            Way::Not(_) if has_url() => "http",
            Way::Not(_) => "stdio",
        }
    }

    /// The command as it would run, without secrets, or the address.
    #[must_use]
    pub fn shown(&self) -> String {
        let words: Vec<String> = std::iter::once(&self.endpoint).chain(&self.args).map(|word| quoted(word)).collect();
        words.join(" ")
    }
}

/// A word of a command as a person would have to type it, so that what is shown is what would run.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=@,+%<>".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
