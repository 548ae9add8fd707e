//! The command line of `tracehound mcp`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Mcp {
    /// Registered MCP servers, by key
    #[command(after_help = "Example:\n  tracehound mcp list --format json")]
    List,
    /// Register an MCP server, or change what is said about it
    #[command(
        after_help = "Nothing is started and nobody is contacted. Registering a server again does not lift its quarantine.\n\nExamples:\n  tracehound mcp add files --trust internal -- npx -y @modelcontextprotocol/server-filesystem /srv/docs\n  tracehound mcp add search --trust vendor --url https://mcp.example.com/mcp"
    )]
    Add(AddServer),
    /// One server with its tools
    #[command(after_help = "Example:\n  tracehound mcp show files")]
    Show {
        /// Its key
        server: String,
    },
    /// Hand in what a server shows; a server that shows something else than before is quarantined
    #[command(
        after_help = "The file is what the server answers to `tools/list`, or a list of tools as the API takes them. Of a tool that does not say so\nitself, the risk is that of --risk, and it changes something unless its `readOnlyHint` says that it does not.\n\nExamples:\n  tracehound mcp submit files tools.json\n  tracehound mcp submit files - --risk medium < tools.json"
    )]
    Submit {
        /// Its key
        server: String,
        /// The file; `-` is standard input
        file: PathBuf,
        /// How bad tools can get that don't say so: low, medium, high or critical
        #[arg(long, default_value = "high")]
        risk: String,
    },
    /// Approve a tool in the form that it has; in any other form it may not be called
    #[command(after_help = "Example:\n  tracehound mcp approve files read_file --reason 'read its description'")]
    Approve(AboutTool),
    /// Turn a tool off
    #[command(after_help = "Example:\n  tracehound mcp disable files delete_file --reason 'nobody needs it'")]
    Disable(AboutTool),
    /// Stop all calls of a server
    #[command(after_help = "Example:\n  tracehound mcp quarantine files --reason 'its description changed overnight'")]
    Quarantine(AboutServer),
    /// Let a server be called again
    #[command(after_help = "Example:\n  tracehound mcp restore files --reason 'the vendor explained the change'")]
    Restore(AboutServer),
    /// What a server showed before, newest first, and what was different
    #[command(after_help = "Example:\n  tracehound mcp history files")]
    History {
        /// Its key
        server: String,
    },
    /// Take a server out; its key stays taken
    #[command(after_help = "Example:\n  tracehound mcp remove files")]
    Remove {
        /// Its key
        server: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddServer {
    /// What stands behind `mcp:` in calls
    pub(crate) key: String,
    /// What people call it [default: the key]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// How far it is trusted, in words of your own
    #[arg(long, value_name = "WORDS")]
    pub(crate) trust: String,
    /// Who answers for it
    #[arg(long)]
    pub(crate) owner_team: Option<String>,
    /// Where it is, if it is called over the network
    #[arg(long, conflicts_with = "command", required_unless_present = "command")]
    pub(crate) url: Option<String>,
    /// It speaks the older transport over server-sent events
    #[arg(long, requires = "url")]
    pub(crate) sse: bool,
    /// What starts it, with its arguments
    #[arg(last = true)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AboutServer {
    /// Its key
    pub(crate) server: String,
    /// Why
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct AboutTool {
    /// The server's key
    pub(crate) server: String,
    /// The tool
    pub(crate) tool: String,
    /// Why
    #[arg(long)]
    pub(crate) reason: Option<String>,
}
