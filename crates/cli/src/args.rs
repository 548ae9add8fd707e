//! The command line, as plain values.

mod ask;
mod findings;
mod gateway;
mod incidents;
mod mcp;
mod network;
mod paths;
mod policy;
mod receipts;
mod rules;
mod scan;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;

pub(crate) use ask::Ask;
pub(crate) use findings::{Findings, ListFindings, ShowFinding, TriageFindings};
pub(crate) use gateway::{
    Agents, AnswerApproval, Approvals, Backup, EditApproval, People, Restore, Serve, StopAgent, Tenants, Tools,
};
pub(crate) use incidents::{Contain, Containment, Incidents, ListAlerts, ListIncidents};
pub(crate) use mcp::{AboutServer, AboutTool, AddServer, Mcp};
pub(crate) use network::Network;
pub(crate) use paths::{Chokepoints, Path, PathOrder, Reach, Walking, WhatIf};
pub(crate) use policy::{AddPolicy, DiffPolicy, Policy, TestPolicy};
pub(crate) use receipts::{ExportReceipts, Receipts, VerifyReceipts};
pub(crate) use rules::{Bundle, Create, Eval, Explain, List, RuleScope, Rules, Test, Validate};
pub(crate) use scan::{Live, Scan};

/// What AI agents can do, may do and did.
#[derive(Debug, Parser)]
#[command(
    name = "tracehound",
    version,
    about = "Shows what AI agents can do, controls what they may do, and proves what they did",
    after_help = "Examples:\n  tracehound scan                     what agents are given on this machine\n  tracehound demo                     a sample estate, in a temporary directory\n  tracehound ingest scan.json         take in a scan document\n  tracehound graph stats              what is in the estate\n  tracehound path agents critical     how agents get to critical data"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Settings that every command takes. Each is also a key of the configuration file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct Global {
    /// Configuration file [default: the platform's configuration directory, if there is one there]
    #[arg(long, global = true, value_name = "FILE", env = "TRACEHOUND_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Data directory [default: the platform's data directory]
    #[arg(long, global = true, value_name = "DIR", env = "TRACEHOUND_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Whose estate it is [default: default]
    #[arg(long, global = true, value_name = "NAME", env = "TRACEHOUND_TENANT", value_parser = crate::settings::tenant)]
    pub(crate) tenant: Option<String>,
    /// Directory of rule files that add to the built-in rules or take their place [default: none]
    #[arg(long, global = true, value_name = "DIR", env = "TRACEHOUND_RULES")]
    pub(crate) rules: Option<PathBuf>,
    /// Signed bundle of rules, a .tar.gz or a directory; rules of --rules take the place of its own [default: none]
    #[arg(long, global = true, value_name = "PATH", env = "TRACEHOUND_RULES_BUNDLE")]
    pub(crate) rules_bundle: Option<PathBuf>,
    /// Public key (PEM) that the bundle has to be signed with
    #[arg(long, global = true, value_name = "FILE", env = "TRACEHOUND_RULES_KEY")]
    pub(crate) rules_key: Option<PathBuf>,
    /// The bundle's signature [default: beside the bundle, as .sig, .sigstore.json, .bundle or .cosign.bundle]
    #[arg(long, global = true, value_name = "FILE", env = "TRACEHOUND_RULES_SIGNATURE")]
    pub(crate) rules_signature: Option<PathBuf>,
    // A flag and nothing else: what switches verification off has to be in sight each time.
    /// Take a bundle that is not signed, if no key is given
    #[arg(long, global = true)]
    pub(crate) allow_unsigned: bool,
    /// How results are printed [default: table]
    #[arg(long, global = true, value_enum, env = "TRACEHOUND_FORMAT")]
    pub(crate) format: Option<Format>,
    /// Largest document that is accepted, after decompression [default: 100MiB]
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        env = "TRACEHOUND_INGEST_MAX_DOCUMENT_BYTES",
        value_parser = crate::settings::document_bytes
    )]
    pub(crate) max_document_bytes: Option<u64>,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// For people.
    #[default]
    Table,
    /// For programs.
    Json,
    /// For pages; only of `rules eval`.
    Markdown,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a sample estate, tell its story, and serve it with the console and agents at work
    #[command(
        after_help = "Everything is in a temporary directory and removed at the end (Ctrl-C). With --format json, or --no-serve, only\nthe story is told.\n\nExamples:\n  tracehound demo\n  tracehound demo --no-serve --keep ./sample && tracehound --data ./sample scans list"
    )]
    Demo(Demo),
    /// Read what agents are given on this machine; on request, ask MCP servers and A2A agents what they offer, and find AI
    /// services on the network
    #[command(
        after_help = "Without --path and --dir, the places where agent clients keep their configurations are looked at: in all homes,\nmachine-wide, in the working directory and in the folders that clients were used in. With only TARGET, --url, --stdio or --a2a,\nnothing but these is looked at.\n\nWithout a TARGET and the flags under `Asking servers and agents` nothing is started and nobody is contacted.\n\nExit codes: 0 fine, 1 something that was given can't be read or reached, 3 no client was found, 10 findings at or above --fail-on,\n11 a rule bundle is not verified.\n\nExamples:\n  tracehound scan\n  tracehound scan --fail-on high --no-store\n  tracehound scan --dir ~/src --format json\n  tracehound scan --path .mcp.json\n  tracehound scan --root /mnt/laptop --origin laptop-7 --fleet\n  tracehound scan --output - --no-store | ssh central tracehound ingest -\n  tracehound scan --mcp                          ask before each command\n  tracehound scan --mcp --start --sandbox        start all, without network and writing\n  tracehound scan --url https://mcp.example.com/mcp --headers-env MCP_HEADERS\n  tracehound scan --stdio 'npx -y @modelcontextprotocol/server-memory'\n  tracehound scan --a2a https://agent.example.com --jwks keys.json\n  tracehound scan 10.0.0.0/24 --plan             what would be contacted\n  tracehound scan 10.0.0.0/24 gpu-box:8080 --mcp\n  tracehound scan http://127.0.0.1:4000 --inventory --keys-env LITELLM_KEYS"
    )]
    Scan(Box<Scan>),
    /// Take in scan documents (JSON, also gzip or zstd)
    #[command(
        after_help = "Each document is taken in whole and durably, or refused whole with every problem named.\nThe same document again changes nothing.\n\nExamples:\n  tracehound ingest laptop.json build-server.json.zst\n  tracehound ingest --check scan.json\n  agenthound scan --scan-output - | tracehound ingest -"
    )]
    Ingest(Ingest),
    /// List, show, compare or delete scans
    #[command(subcommand)]
    Scans(Scans),
    /// Look at the graph that the scans add up to
    #[command(subcommand)]
    Graph(Graph),
    /// List what is wrong, explain it, decide about it
    #[command(subcommand)]
    Findings(Findings),
    /// Ask a question about the estate: who reaches what, what is exposed, which secrets are shared
    #[command(
        after_help = "Without a name, all questions are listed with what they take. Nodes are named by id (or its first 8 digits), name, address,\nKind:name, or as a set such as `agents` or `critical`; several are separated by commas.\n\nExamples:\n  tracehound ask\n  tracehound ask agents-shell-access\n  tracehound ask who-can-reach node=critical\n  tracehound ask blast-radius node=MCPServer:files hops=3 --at 2026-11-01\n  tracehound ask tool-name-collision --limit 50 --offset 100 --format json"
    )]
    Ask(Ask),
    /// The easiest paths from some nodes to others
    Path(Path),
    /// Everything that can be reached from some nodes, or from where they can be reached
    Reach(Reach),
    /// The cheapest changes after which nothing gets from some nodes to others
    Chokepoints(Chokepoints),
    /// What would be different without some nodes or edges, or with other properties
    WhatIf(WhatIf),
    /// Verify receipts: the signed, chained records of what was decided and done
    #[command(subcommand)]
    Receipts(Receipts),
    /// Answer agents that ask before they act, and keep the evidence
    #[command(
        after_help = "The first start makes an administrator and shows the token once. While the server runs, other commands go through it.\n\nExamples:\n  tracehound serve\n  tracehound serve --listen 0.0.0.0:7319 --tls-cert cert.pem --tls-key key.pem --host gate.example.org\n  tracehound serve --allow-origin http://127.0.0.1:9000"
    )]
    Serve(Serve),
    /// Register, stop and let go agents
    #[command(subcommand)]
    Agent(Agents),
    /// People and machines that use the API
    #[command(subcommand)]
    People(People),
    /// Tenants, for those who need more than one
    #[command(subcommand)]
    Tenant(Tenants),
    /// Tools that agents may ask for
    #[command(subcommand)]
    Tool(Tools),
    /// Write, check, try out and take back policies: what agents may do
    #[command(subcommand)]
    Policy(Policy),
    /// Calls that wait for a person's word
    #[command(subcommand)]
    Approvals(Approvals),
    /// What detection rules noticed, and what is done about it: look, close, stop agents, let them go
    #[command(subcommand)]
    Incidents(Incidents),
    /// MCP servers that agents may call: register, approve tools, stop and let go
    #[command(subcommand)]
    Mcp(Mcp),
    /// Copy estate and evidence, also while a server runs; the copy is verified
    #[command(
        after_help = "The directory holds the key that signs receipts: keep it as you keep the data directory.\n\nExample:\n  tracehound backup /mnt/backup/2026-11-16"
    )]
    Backup(Backup),
    /// Put a backup into a data directory that is empty
    #[command(after_help = "Example:\n  tracehound --data ./restored restore /mnt/backup/2026-11-16")]
    Restore(Restore),
    /// List, show, check, test, measure and try out rules: detection rules and fingerprints
    #[command(subcommand)]
    Rules(Rules),
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the sample estate in this directory instead of removing it
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Where the server listens; any free port unless one is given
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    /// Only tell the story
    #[arg(long)]
    pub(crate) no_serve: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// Documents to take in; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Only say whether the documents would be accepted; nothing is stored
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Scans {
    /// All scans, in the order in which the graph takes them
    #[command(after_help = "Example:\n  tracehound scans list --format json")]
    List,
    /// One scan
    #[command(
        after_help = "Examples:\n  tracehound scans show scan-abc123\n  tracehound scans show scan-abc123 --document > scan.json"
    )]
    Show {
        /// The scan
        scan_id: String,
        /// Print the document as it was ingested
        #[arg(long)]
        document: bool,
    },
    /// What came, went and changed between two points
    #[command(
        after_help = "A point is a scan id (right after that scan), a date or RFC 3339 time (everything made up to it), or `now`.\n\nExamples:\n  tracehound scans diff scan-monday scan-friday\n  tracehound scans diff 2026-11-01 now"
    )]
    Diff {
        /// The earlier point
        from: String,
        /// The later point
        #[arg(default_value = "now")]
        to: String,
    },
    /// Take scans out as if they had never been ingested
    #[command(after_help = "What other scans also saw stays.\n\nExample:\n  tracehound scans delete scan-abc123")]
    Delete {
        /// The scans
        #[arg(required = true, value_name = "SCAN_ID")]
        scan_ids: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Graph {
    /// How many nodes and edges of each kind there are, and what is not placed
    #[command(after_help = "Examples:\n  tracehound graph stats\n  tracehound graph stats --at 2026-11-01")]
    Stats {
        #[command(flatten)]
        at: At,
    },
    /// One node: what is known of it, which scans saw it, what it is connected to
    #[command(
        after_help = "Examples:\n  tracehound graph show customers\n  tracehound graph show MCPTool:query --at 2026-11-01\n  tracehound graph show sha256:c764... --format json"
    )]
    Show {
        /// The node, by its id, name or address
        node: String,
        #[command(flatten)]
        at: At,
    },
    /// Write the graph as documents of the wire format
    #[command(
        after_help = "Examples:\n  tracehound graph export > estate.json\n  tracehound graph export --output estate.json --at scan-abc123\n  tracehound graph export --output parts/ --split 90MiB"
    )]
    Export(Export),
    /// Contents that rewrote themselves between scans and that nobody has acknowledged
    #[command(after_help = "Example:\n  tracehound graph changes")]
    Changes,
    /// Record that a person has looked at changed contents
    #[command(
        after_help = "Examples:\n  tracehound graph acknowledge MCPTool:query --note \"reviewed, version 2\"\n  tracehound graph acknowledge --all"
    )]
    Acknowledge(Acknowledge),
    /// Say that an attacker holds nodes, or that losing them would hurt most
    #[command(
        after_help = "A node has one mark at most. Marked nodes are the sets `owned` and `crown-jewels` of `path`, `reach` and `chokepoints`.\n\nExamples:\n  tracehound graph mark helpdesk --owned --reason \"phished on Tuesday\"\n  tracehound graph mark 'postgres://prod-db:5432/customers' --crown-jewel\n  tracehound graph mark helpdesk --none"
    )]
    Mark(Mark),
    /// All marks
    #[command(after_help = "Examples:\n  tracehound graph marks\n  tracehound graph marks --at 2026-11-01")]
    Marks {
        #[command(flatten)]
        at: At,
    },
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("mark").required(true))]
pub(crate) struct Mark {
    /// Nodes, by their ids, names or addresses
    #[arg(required = true, value_name = "NODE")]
    pub(crate) nodes: Vec<String>,
    /// An attacker holds them
    #[arg(long, group = "mark")]
    pub(crate) owned: bool,
    /// Losing them would hurt most
    #[arg(long, group = "mark")]
    pub(crate) crown_jewel: bool,
    /// Take their marks away
    #[arg(long, group = "mark")]
    pub(crate) none: bool,
    /// Why
    #[arg(long, default_value = "")]
    pub(crate) reason: String,
    /// Who says so [default: the user's name]
    #[arg(long, env = "USER", default_value = "unknown")]
    pub(crate) author: String,
}

#[derive(Debug, Args)]
pub(crate) struct At {
    /// The point to look at: a scan id, a date, an RFC 3339 time or `now`
    #[arg(long = "at", value_name = "POINT", default_value = "now")]
    pub(crate) point: String,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) at: At,
    /// File to write, or directory with --split; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Begin another document when one would exceed this size
    #[arg(long, value_name = "SIZE", value_parser = crate::size::parse)]
    pub(crate) split: Option<u64>,
    /// Scan id of the exported document [default: from the scans behind the graph]
    #[arg(long, value_name = "ID")]
    pub(crate) scan_id: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("which").required(true))]
pub(crate) struct Acknowledge {
    /// Nodes whose contents were looked at, by their ids, names or addresses
    #[arg(group = "which", value_name = "NODE")]
    pub(crate) nodes: Vec<String>,
    /// All contents that changed
    #[arg(long, group = "which")]
    pub(crate) all: bool,
    /// Why it is fine
    #[arg(long, default_value = "")]
    pub(crate) note: String,
    /// Who looked [default: the user's name]
    #[arg(long, env = "USER", default_value = "unknown")]
    pub(crate) author: String,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
