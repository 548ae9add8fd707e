//! The command line of `tracehound incidents`.

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum Incidents {
    /// Incidents, newest first
    #[command(
        after_help = "Examples:\n  tracehound incidents list\n  tracehound incidents list --all --agent release-bot\n  tracehound incidents list --severity critical --format json"
    )]
    List(ListIncidents),
    /// One incident with the decisions behind it
    #[command(after_help = "Example:\n  tracehound incidents show 0198f1c2-6a5e-7d3b-9c41-5b0e2f7a8d10 --format json")]
    Show {
        /// Its id
        incident: String,
    },
    /// Say that an incident is dealt with
    #[command(
        after_help = "Example:\n  tracehound incidents close 0198f1c2-6a5e-7d3b-9c41-5b0e2f7a8d10 --reason 'the token was rotated'"
    )]
    Close {
        /// Its id
        incident: String,
        /// Why; it is on record for good
        #[arg(long)]
        reason: String,
    },
    /// Each time that a detection rule matched, newest first
    #[command(after_help = "Example:\n  tracehound incidents alerts --agent release-bot --rule rule_deny_storm")]
    Alerts(ListAlerts),
    /// Stop an agent so that it can be undone
    #[command(
        after_help = "Examples:\n  tracehound incidents contain release-bot --by freeze --reason 'denied 40 times in a minute'\n  tracehound incidents contain release-bot --by force-approval --incident 0198f1c2-6a5e-7d3b-9c41-5b0e2f7a8d10 --reason 'until it is clear'"
    )]
    Contain(Contain),
    /// What was done to stop agents, newest first
    #[command(after_help = "Example:\n  tracehound incidents containments")]
    Containments,
    /// Make an agent as it was before it was stopped
    #[command(
        after_help = "Example:\n  tracehound incidents undo 0198f1c3-02b7-7a19-8e5d-c4a1f6b03e92 --reason 'a test that went wrong'"
    )]
    Undo {
        /// The containment, as `containments` lists it
        containment: String,
        /// Why; it is on record for good
        #[arg(long)]
        reason: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ListIncidents {
    /// Those that are closed, too
    #[arg(long)]
    pub(crate) all: bool,
    /// As bad as this: info, low, medium, high or critical
    #[arg(long)]
    pub(crate) severity: Option<String>,
    /// About this agent, by id or key
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Of this kind
    #[arg(long)]
    pub(crate) kind: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListAlerts {
    /// As bad as this: info, low, medium, high or critical
    #[arg(long)]
    pub(crate) severity: Option<String>,
    /// About this agent, by id or key
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// By this rule
    #[arg(long)]
    pub(crate) rule: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Contain {
    /// The agent, by id or key
    pub(crate) agent: String,
    /// How
    #[arg(long, value_enum)]
    pub(crate) by: Containment,
    /// Why; it is on record for good
    #[arg(long)]
    pub(crate) reason: String,
    /// The incident that it is done for
    #[arg(long)]
    pub(crate) incident: Option<String>,
}

/// How an agent is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Containment {
    /// It may do nothing until somebody lets it
    Freeze,
    /// The same, because of what it did
    Quarantine,
    /// A person has to agree to everything
    ForceApproval,
}
