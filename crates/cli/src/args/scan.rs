//! The command line of `tracehound scan`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use tracehound_model::Severity;

use super::Network;

#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Read these files only, whatever they are called
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "What to scan")]
    pub(crate) path: Vec<PathBuf>,
    /// Walk these source trees for the configurations and instruction files of projects
    #[arg(long, value_name = "DIR", num_args = 1.., help_heading = "What to scan")]
    pub(crate) dir: Vec<PathBuf>,
    /// Look into these home directories only [default: those of all users]
    #[arg(long, value_name = "DIR", num_args = 1.., help_heading = "What to scan")]
    pub(crate) home: Vec<PathBuf>,
    /// Scan the file system of another machine that is mounted or copied here; other paths are paths in it
    #[arg(long, value_name = "DIR", help_heading = "What to scan")]
    pub(crate) root: Option<PathBuf>,
    /// Name of the machine that is scanned [default: its host name]
    #[arg(long, value_name = "NAME", value_parser = origin, help_heading = "What to scan")]
    pub(crate) origin: Option<String>,
    #[command(flatten)]
    pub(crate) network: Network,
    #[command(flatten)]
    pub(crate) live: Live,
    /// Write the document to a file; `-` is standard output, and the report is left out then
    #[arg(long, short, value_name = "FILE", help_heading = "What becomes of it")]
    pub(crate) output: Option<PathBuf>,
    /// Keep nothing in the estate
    #[arg(long, help_heading = "What becomes of it")]
    pub(crate) no_store: bool,
    /// Write paths and commands as the machine's own, `//NAME/...`, so that equal machines stay apart in one estate
    #[arg(long, help_heading = "What becomes of it")]
    pub(crate) fleet: bool,
    /// Id of the scan [default: made from the time and chance]
    #[arg(long, value_name = "ID", help_heading = "What becomes of it")]
    pub(crate) scan_id: Option<String>,
    /// Exit with 10 when there is a finding of this severity or worse
    #[arg(long, value_name = "SEVERITY", value_parser = severity, help_heading = "What is shown")]
    pub(crate) fail_on: Option<Severity>,
    /// Show everything about one finding, by its id or the start of it; nothing is stored
    #[arg(long, value_name = "ID", conflicts_with = "output", help_heading = "What is shown")]
    pub(crate) explain: Option<String>,
}

/// What is started and contacted. Without any of these, nothing is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Asking servers and agents")]
#[command(group(ArgGroup::new("asking").args(["mcp", "url", "stdio", "a2a", "targets"]).multiple(true)))]
#[command(group(ArgGroup::new("addressed").args(["url", "a2a"]).multiple(true)))]
pub(crate) struct Live {
    /// Ask the MCP servers of the configurations that are found: those with a URL are contacted, those with a command
    /// are started if you agree. With targets, look for MCP servers there
    #[arg(long, conflicts_with = "root")]
    pub(crate) mcp: bool,
    /// Agree to start the commands of these servers, or of all without a name; otherwise you are asked for each
    #[arg(long, value_name = "NAME", num_args = 0.., requires = "mcp")]
    pub(crate) start: Option<Vec<String>>,
    /// Ask the MCP servers at these URLs
    #[arg(long, value_name = "URL", num_args = 1..)]
    pub(crate) url: Vec<String>,
    /// Start this command, written as in a shell, and ask it as an MCP server; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub(crate) stdio: Vec<String>,
    /// Ask these A2A agents for their cards
    #[arg(long, value_name = "URL", num_args = 1..)]
    pub(crate) a2a: Vec<String>,
    /// File with headers for --url and --a2a, one `Name: value` a line. They are sent to these very addresses only
    #[arg(long, value_name = "FILE", requires = "addressed")]
    pub(crate) headers_file: Option<PathBuf>,
    /// Environment variable with such headers
    #[arg(long, value_name = "VARIABLE", requires = "addressed")]
    pub(crate) headers_env: Option<String>,
    /// Start commands without network and with a read-only view of the files; refuses to start them where the system
    /// can't do that
    #[arg(long, requires = "asking")]
    pub(crate) sandbox: bool,
    /// Follow what servers and agents name also to this machine and to private networks
    #[arg(long, requires = "asking")]
    pub(crate) allow_private: bool,
    /// Seconds that one server or service may take in all
    #[arg(long, value_name = "SECONDS", default_value = "60", requires = "asking", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) timeout: u64,
    /// How many are asked at a time [default: 10, of services on the network 32]
    #[arg(long, value_name = "NUMBER", requires = "asking", value_parser = clap::value_parser!(u64).range(1..=200))]
    pub(crate) concurrency: Option<u64>,
    /// How many steps A2A agents are followed that cards name
    #[arg(long, value_name = "STEPS", default_value = "3", requires = "asking", value_parser = clap::value_parser!(u64).range(0..=10))]
    pub(crate) follow: u64,
    /// File with the keys (JWKS) that A2A cards must be signed with; without it, keys come from the card or its site
    #[arg(long, value_name = "FILE", requires = "asking")]
    pub(crate) jwks: Option<PathBuf>,
    /// Hosts that may hold keys although they are of another site than the card
    #[arg(long, value_name = "HOST", num_args = 1.., requires = "asking")]
    pub(crate) key_host: Vec<String>,
    /// Resolve the host names of A2A agents and write their addresses down
    #[arg(long, requires = "asking")]
    pub(crate) resolve: bool,
}

impl Live {
    /// Whether anything is started or contacted at all.
    pub(crate) fn is_any(&self) -> bool {
        self.mcp || self.has_given()
    }

    /// Whether servers or agents are given one by one.
    pub(crate) fn has_given(&self) -> bool {
        !(self.url.is_empty() && self.stdio.is_empty() && self.a2a.is_empty())
    }
}

fn severity(text: &str) -> Result<Severity, String> {
    let names: Vec<&str> = Severity::ALL.iter().map(|severity| severity.name()).collect();
    Severity::from_name(text).ok_or_else(|| format!("it is one of {}", names.join(", ")))
}

/// Reads the name of a machine: what can stand in a path and be shown anywhere.
fn origin(text: &str) -> Result<String, String> {
    let is_plain = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if text.is_empty() || text.len() > 253 || !text.chars().all(is_plain) {
        return Err("use letters, digits, `-`, `_` and `.`".to_owned());
    }
    Ok(text.to_owned())
}
