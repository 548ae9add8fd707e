//! The command line of `tracehound policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// The policies in force: those that come with the product, those of the policy file, and your own
    #[command(after_help = "Example:\n  tracehound policy list")]
    List,
    /// One policy with its text
    #[command(after_help = "Examples:\n  tracehound policy show default\n  tracehound policy show no-friday-merges")]
    Show {
        /// Its key; `default` are those that come with the product
        key: String,
    },
    /// Put a policy in force
    #[command(
        after_help = "The file holds one or more Cedar policies. It is checked against the registered tools; what is wrong is told with line\nand column, and nothing changes.\n\nExamples:\n  tracehound policy add no-friday-merges merges.cedar --reason 'asked for by the release team'\n  tracehound policy add no-friday-merges merges.cedar --replace --reason 'Thursdays too'"
    )]
    Add(AddPolicy),
    /// Say what is wrong with a policy; nothing is stored
    #[command(after_help = "Example:\n  tracehound policy validate merges.cedar")]
    Validate {
        /// The file; `-` is standard input
        file: PathBuf,
        /// The key that it will have
        #[arg(long)]
        key: Option<String>,
    },
    /// Try calls that a file describes, and compare with what it expects
    #[command(
        after_help = "The file is a JSON list of calls:\n  [{\"name\": \"a bot may read\", \"agent\": {\"id\": \"bot\", \"environment\": \"prod\"}, \"tool\": \"github\",\n    \"action\": \"get_pull_request\", \"source_trust\": \"untrusted_external\", \"expect\": {\"decision\": \"allow\"}}]\n\nExit code: 1 if a call is decided differently.\n\nExamples:\n  tracehound policy test calls.json\n  tracehound policy test calls.json --with merges.cedar"
    )]
    Test(TestPolicy),
    /// Which calls a change of policies would decide differently
    #[command(
        after_help = "The newest calls on record are decided again, as they were and with the change. Arguments are not on record; calls for which\na policy reads them are counted, since their answer may differ.\n\nExamples:\n  tracehound policy diff merges.cedar\n  tracehound policy diff merges.cedar --key no-friday-merges\n  tracehound policy diff --key no-friday-merges          as if it was taken out\n  tracehound policy diff merges.cedar --cases calls.json"
    )]
    Diff(DiffPolicy),
    /// All versions of a policy, newest first
    #[command(after_help = "Example:\n  tracehound policy history no-friday-merges")]
    History {
        /// Its key
        key: String,
    },
    /// Put an older version in force again
    #[command(
        after_help = "Example:\n  tracehound policy rollback no-friday-merges 2 --reason 'version 3 stops the hotfix bot'"
    )]
    Rollback {
        /// Its key
        key: String,
        /// The version
        version: u32,
        /// Why
        #[arg(long)]
        reason: String,
    },
    /// Take a policy out of force; its versions stay
    #[command(after_help = "Example:\n  tracehound policy remove no-friday-merges")]
    Remove {
        /// Its key
        key: String,
    },
    /// Make the running server read its policy file again
    #[command(after_help = "Example:\n  tracehound policy reload")]
    Reload,
}

#[derive(Debug, Args)]
pub(crate) struct AddPolicy {
    /// The name that stays
    pub(crate) key: String,
    /// The file; `-` is standard input
    pub(crate) file: PathBuf,
    /// What people call it [default: the key]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Why
    #[arg(long, default_value = "")]
    pub(crate) reason: String,
    /// Put it in the place of the policy that has this key
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TestPolicy {
    /// The file with the calls; `-` is standard input
    pub(crate) cases: PathBuf,
    /// A policy on top of those in force. May be given several times
    #[arg(long = "with", value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffPolicy {
    /// The policy as it would be; without it, as if the policy of --key was taken out
    #[arg(required_unless_present = "key")]
    pub(crate) file: Option<PathBuf>,
    /// The policy that is changed [default: another one]
    #[arg(long)]
    pub(crate) key: Option<String>,
    /// Calls that a file describes, instead of those on record
    #[arg(long, value_name = "FILE")]
    pub(crate) cases: Option<PathBuf>,
    /// How many calls on record, at most 1000
    #[arg(long, value_name = "N", conflicts_with = "cases", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) limit: Option<u32>,
}
