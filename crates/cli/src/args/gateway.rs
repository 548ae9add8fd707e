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
    List,
    /// One agent
    Show {
        /// Its id or key
        agent: String,
    },
    /// Stop an agent until somebody lets it go
    Freeze(StopAgent),
    /// Stop an agent for what it did
    Quarantine(StopAgent),
    /// Stop an agent for good
    Revoke(StopAgent),
    /// Let a stopped agent go
    Restore(StopAgent),
    /// Give an agent another token; the old one is worth nothing from then on
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
    List,
    /// Give somebody another token
    Rotate {
        /// Their id
        id: String,
    },
    /// Take somebody's token away
    Remove {
        /// Their id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tenants {
    /// Add a tenant and its first administrator, whose token is shown once
    Add {
        /// Its id
        id: String,
        /// What people call it [default: the id]
        #[arg(long)]
        name: Option<String>,
    },
    /// All tenants
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
    List,
    /// Take a tool out
    Remove {
        /// Its key
        tool: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Approvals {
    /// Calls that wait for an answer, newest first
    List {
        /// Those that were answered, too
        #[arg(long)]
        all: bool,
    },
    /// One approval, with what exactly would run
    Show {
        /// Its id
        approval: String,
    },
    /// Agree to exactly this call
    Approve(AnswerApproval),
    /// Refuse a call
    Reject(AnswerApproval),
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
