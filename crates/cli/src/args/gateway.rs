//! The command line of the gateway: the server, and who and what is registered with it.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Where the server listens unless it is told otherwise.
pub(crate) const ADDRESS: &str = "127.0.0.1:7319";

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = ADDRESS, env = "TRACEHOUND_LISTEN")]
    pub(crate) listen: SocketAddr,
    /// The certificate chain (PEM) for TLS
    #[arg(long, value_name = "FILE", requires = "tls_key", env = "TRACEHOUND_TLS_CERT")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The key (PEM) of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert", env = "TRACEHOUND_TLS_KEY")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Listen beyond this machine without TLS, because something in front of it does TLS
    #[arg(long)]
    pub(crate) insecure_bind: bool,
    /// A name that the server goes by, besides loopback ones. May be given several times
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// A page that may ask, as `http://host:port`. May be given several times
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,
    /// How long an approval can be answered and used, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1_800, env = "TRACEHOUND_APPROVAL_SECONDS", value_parser = clap::value_parser!(i64).range(1..=2_592_000))]
    pub(crate) approval_seconds: i64,
    /// Cedar policies that hold for all tenants; `tracehound policy reload` reads them again
    #[arg(long, value_name = "FILE", env = "TRACEHOUND_POLICY_FILE")]
    pub(crate) policy_file: Option<PathBuf>,
    /// Drop the details of what is older than so many days; receipts stay (see `receipts retain`)
    #[arg(long, value_name = "DAYS", env = "TRACEHOUND_KEEP_DAYS", value_parser = clap::value_parser!(u32).range(1..=36_525))]
    pub(crate) keep_days: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Agents {
    /// Register an agent; its token is shown once
    #[command(
        after_help = "Example:\n  tracehound agent add release-bot --name 'Release bot' --environment prod --risk-tier medium"
    )]
    Add(AddAgent),
    /// All agents, by key
    #[command(after_help = "Example:\n  tracehound agent list --format json")]
    List,
    /// One agent
    #[command(after_help = "Example:\n  tracehound agent show release-bot")]
    Show {
        /// Its id or key
        agent: String,
    },
    /// Stop an agent until somebody lets it go
    #[command(after_help = "Example:\n  tracehound agent freeze release-bot --reason 'denied 40 times in a minute'")]
    Freeze(StopAgent),
    /// Stop an agent for what it did
    #[command(
        after_help = "Example:\n  tracehound agent quarantine release-bot --reason 'it sent a key to a stranger'"
    )]
    Quarantine(StopAgent),
    /// Stop an agent for good
    #[command(after_help = "Example:\n  tracehound agent revoke release-bot --reason 'replaced by release-bot-2'")]
    Revoke(StopAgent),
    /// Let a stopped agent go
    #[command(after_help = "Example:\n  tracehound agent restore release-bot --reason 'the prompt was fixed'")]
    Restore(StopAgent),
    /// Give an agent another token; the old one is worth nothing from then on
    #[command(after_help = "Example:\n  tracehound agent rotate release-bot")]
    Rotate {
        /// Its id or key
        agent: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddAgent {
    /// A key of your own; unique
    pub(crate) key: String,
    /// What people call it [default: the key]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Where it runs
    #[arg(long, default_value = "production")]
    pub(crate) environment: String,
    /// How much damage it could do: low, medium or high
    #[arg(long, default_value = "medium")]
    pub(crate) risk_tier: String,
    /// Who answers for it
    #[arg(long)]
    pub(crate) owner_team: Option<String>,
    /// What it is for
    #[arg(long)]
    pub(crate) purpose: Option<String>,
    /// A tool that it may call; any if none is given. May be given several times
    #[arg(long = "tool", value_name = "TOOL")]
    pub(crate) tools: Vec<String>,
    /// An environment that it may say it runs in; any if none is given. May be given several times
    #[arg(long = "allow-environment", value_name = "NAME")]
    pub(crate) environments: Vec<String>,
    /// A person has to agree to everything
    #[arg(long)]
    pub(crate) force_approval: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StopAgent {
    /// Its id or key
    pub(crate) agent: String,
    /// Why
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum People {
    /// Add a person or machine; the token is shown once
    #[command(after_help = "Example:\n  tracehound people add kim --role approver")]
    Add {
        /// What others call them
        name: String,
        /// admin, analyst, approver or auditor
        #[arg(long)]
        role: String,
    },
    /// Everybody with a token
    #[command(after_help = "Example:\n  tracehound people list")]
    List,
    /// Give somebody another token
    #[command(after_help = "Example:\n  tracehound people rotate 3f2b9c1e-8d47-4a60-9f15-6c0d2e7a8b93")]
    Rotate {
        /// Their id
        id: String,
    },
    /// Take somebody's token away
    #[command(after_help = "Example:\n  tracehound people remove 3f2b9c1e-8d47-4a60-9f15-6c0d2e7a8b93")]
    Remove {
        /// Their id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tenants {
    /// Add a tenant and its first administrator, whose token is shown once
    #[command(
        after_help = "Examples:\n  tracehound tenant add emea --name 'Europe'\n  tracehound --tenant emea agent list"
    )]
    Add {
        /// Its id
        id: String,
        /// What people call it [default: the id]
        #[arg(long)]
        name: Option<String>,
    },
    /// All tenants
    #[command(after_help = "Example:\n  tracehound tenant list")]
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// Register a tool from a JSON file, or replace what is registered
    #[command(
        after_help = "The file says what the tool can do:\n  {\"tool_key\": \"github\", \"name\": \"GitHub\", \"actions\": [\n    {\"action_key\": \"merge_pull_request\", \"risk\": \"high\", \"mutates_state\": true,\n     \"input_schema\": {\"type\": \"object\", \"properties\": {\"base_branch\": {\"type\": \"string\"}}}}]}\n\nExample:\n  tracehound tool add github.json"
    )]
    Add {
        /// The file; `-` is standard input
        file: PathBuf,
    },
    /// All registered tools
    #[command(after_help = "Example:\n  tracehound tool list")]
    List,
    /// Take a tool out
    #[command(after_help = "Example:\n  tracehound tool remove github")]
    Remove {
        /// Its key
        tool: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Approvals {
    /// Calls that wait for an answer, newest first
    #[command(after_help = "Examples:\n  tracehound approvals list\n  tracehound approvals list --all --format json")]
    List {
        /// Those that were answered, too
        #[arg(long)]
        all: bool,
    },
    /// One approval, with what exactly would run
    #[command(after_help = "Example:\n  tracehound approvals show 7c1d5e92-40ab-4f3e-b6d8-19e2a7c05f34")]
    Show {
        /// Its id
        approval: String,
    },
    /// Agree to exactly this call
    #[command(
        after_help = "Example:\n  tracehound approvals approve 7c1d5e92-40ab-4f3e-b6d8-19e2a7c05f34 --reason 'release 4.2'"
    )]
    Approve(AnswerApproval),
    /// Refuse a call
    #[command(
        after_help = "Example:\n  tracehound approvals reject 7c1d5e92-40ab-4f3e-b6d8-19e2a7c05f34 --reason 'not on a Friday'"
    )]
    Reject(AnswerApproval),
    /// Put another call in its place, which somebody else has to agree to
    #[command(
        after_help = "The file is the call as the agent is to make it. It is decided like any call: what policies deny can't be put in place.\n  {\"tool\": \"github\", \"action\": \"merge_pull_request\", \"resource\": \"shop/api#13\", \"mutates_state\": true,\n   \"parameters\": {\"base_branch\": \"dev\"}}\n\nExamples:\n  tracehound approvals edit 7c1d5e92-40ab-4f3e-b6d8-19e2a7c05f34 call.json --reason 'dev, not main'\n  tracehound approvals edit 7c1d5e92-40ab-4f3e-b6d8-19e2a7c05f34 - --reason 'dev, not main' < call.json"
    )]
    Edit(EditApproval),
}

#[derive(Debug, Args)]
pub(crate) struct EditApproval {
    /// Its id
    pub(crate) approval: String,
    /// The file with the call; `-` is standard input
    pub(crate) file: PathBuf,
    /// Why
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerApproval {
    /// Its id
    pub(crate) approval: String,
    /// Why
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Where to: a directory that does not exist
    #[arg(value_name = "DIR")]
    pub(crate) to: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A directory that `tracehound backup` made
    #[arg(value_name = "DIR")]
    pub(crate) from: PathBuf,
}
