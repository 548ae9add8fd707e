//! The command line of `tracehound scan TARGET...`.

use std::path::PathBuf;

use clap::Args;

/// What is looked for on the network. Without a target, nothing is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Finding AI services on the network")]
pub(crate) struct Network {
    /// Look for AI services here: addresses, names, blocks (10.0.0.0/24), ranges (10.0.0.1-20), HOST:PORT, URLs, or
    /// @FILE with one of these a line
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
    /// Ports to look at besides the usual ones of the services that rules know, such as 80,8000-8010
    #[arg(long, value_name = "PORTS", requires = "targets")]
    pub(crate) ports: Option<String>,
    /// Look at the given ports only
    #[arg(long, requires = "ports")]
    pub(crate) only_ports: bool,
    /// Leave these out, in any form that targets have
    #[arg(long, value_name = "TARGET", num_args = 1.., requires = "targets")]
    pub(crate) exclude: Vec<String>,
    /// Print every address, port and probe that would be contacted, or why not, and contact nobody
    #[arg(long, requires = "targets", conflicts_with_all = ["explain", "output"])]
    pub(crate) plan: bool,
    /// Also look at public addresses; for that you need the permission of whoever runs them, in a file
    #[arg(long, requires = "authorization")]
    pub(crate) allow_public: bool,
    /// The file with that permission. Its hash is written into the document
    #[arg(long, value_name = "FILE", requires = "targets")]
    pub(crate) authorization: Option<PathBuf>,
    /// Look at more than 65,536 addresses
    #[arg(long, requires = "targets")]
    pub(crate) yes_many: bool,
    /// Connections a second [default: 1000; as many as possible to this machine itself]
    #[arg(long, value_name = "NUMBER", requires = "targets", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: Option<u32>,
    /// Also read what the services hold: models, collections, experiments, notebooks, keys. For services that you
    /// administer; nothing is changed
    #[arg(long, requires = "targets")]
    pub(crate) inventory: bool,
    /// File with keys for --inventory, one `BASE_URL KEY` a line. A key is sent to its very service only
    #[arg(long, value_name = "FILE", requires = "inventory")]
    pub(crate) keys_file: Option<PathBuf>,
    /// Environment variable with such keys
    #[arg(long, value_name = "VARIABLE", requires = "inventory")]
    pub(crate) keys_env: Option<String>,
}

impl Network {
    /// Whether anything is looked for.
    pub(crate) fn is_any(&self) -> bool {
        !self.targets.is_empty()
    }
}
