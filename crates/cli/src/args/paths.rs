//! The arguments of the commands about paths: `path`, `reach`, `chokepoints` and `what-if`.

use clap::{Args, ValueEnum};
use tracehound_analyze::choke::FixCost;
use tracehound_analyze::naming::{SETS, node_kind};
use tracehound_analyze::walk::HopKind;
use tracehound_model::NodeKind;

use super::At;

/// Help that ends with how nodes are named.
fn with_names(before: &str) -> String {
    let sets: Vec<&str> = SETS.iter().map(|set| set.name).collect();
    let kind = NodeKind::McpTool;
    format!(
        "{before}\n\nA node is named by its id (or the first 8 digits of it), its name, its address, or as Kind:name. Several are separated by commas. Sets of nodes: {}, and all of a kind as kind:{kind}.",
        sets.join(", ")
    )
}

#[derive(Debug, Args)]
#[command(after_help = with_names(
    "A path goes the way that an attacker goes. Each hop has a weight from 0 (free) to 1, and `<-KIND-` is an edge walked from its end to its start. Paths that visit a node twice are none.\n\nExamples:\n  tracehound path cursor critical\n  tracehound path agents credentials --by hops -k 5\n  tracehound path untrusted hosts --avoid kind:MCPTool\n  tracehound path owned crown-jewels --all --max-hops 6 --format json"
))]
pub(crate) struct Path {
    /// Where paths begin: a node, several, or a set
    pub(crate) from: String,
    /// Where they end
    pub(crate) to: String,
    /// What makes a path good
    #[arg(long, value_enum, default_value = "weight")]
    pub(crate) by: PathOrder,
    /// How many of the best paths are shown
    #[arg(short = 'k', long = "count", value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) count: u32,
    /// All paths of at most --max-hops, the shortest first
    #[arg(long, requires = "max_hops", conflicts_with_all = ["count", "by"])]
    pub(crate) all: bool,
    /// Only paths of at most so many hops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) max_hops: Option<u32>,
    /// Leave out why each hop is there
    #[arg(long)]
    pub(crate) brief: bool,
    #[command(flatten)]
    pub(crate) walking: Walking,
    #[command(flatten)]
    pub(crate) at: At,
}

/// What makes a path good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PathOrder {
    /// Little weight, then few hops.
    Weight,
    /// Few hops, then little weight.
    Hops,
}

impl PathOrder {
    /// What people type.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Weight => "weight",
            Self::Hops => "hops",
        }
    }
}

/// What may be walked.
#[derive(Debug, Args)]
#[command(next_help_heading = "What may be walked")]
pub(crate) struct Walking {
    /// Only hops of these kinds: kinds of edges, `same-secret`, `reads`
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    pub(crate) only_kinds: Vec<HopKind>,
    /// No hops of these kinds
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    pub(crate) without_kinds: Vec<HopKind>,
    /// Not through these nodes
    #[arg(long, value_name = "NODES")]
    pub(crate) avoid: Option<String>,
    /// Also edges that stand for whole paths
    #[arg(long)]
    pub(crate) shortcuts: bool,
}

#[derive(Debug, Args)]
#[command(after_help = with_names(
    "What is reached by one hop is the first ring, what is reached from there the second, and so on. With --reverse: who can get there.\n\nExamples:\n  tracehound reach cursor\n  tracehound reach owned --max-hops 3\n  tracehound reach 'postgres://prod-db:5432/customers' --reverse --kinds AgentInstance,A2AAgent"
))]
pub(crate) struct Reach {
    /// Where it begins: a node, several, or a set
    pub(crate) from: String,
    /// Who can get there, instead of where one gets from there
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Only what is within so many hops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) max_hops: Option<u32>,
    /// Show only nodes of these kinds; all are walked through
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = node_kind)]
    pub(crate) kinds: Vec<NodeKind>,
    #[command(flatten)]
    pub(crate) walking: Walking,
    #[command(flatten)]
    pub(crate) at: At,
}

#[derive(Debug, Args)]
#[command(after_help = with_names(
    "Each change removes one edge and costs 1, unless --cost says otherwise. No cheaper set of changes exists: with --proof, as many ways are shown as the changes cost, and no change closes two of them.\n\nExamples:\n  tracehound chokepoints\n  tracehound chokepoints untrusted credentials --proof\n  tracehound chokepoints agents crown-jewels --cost TRUSTS_SERVER=5 --cost RUNS_ON=never\n  tracehound chokepoints agents critical --nodes --cost MCPServer=3"
))]
pub(crate) struct Chokepoints {
    /// Where attackers start
    #[arg(default_value = "agents")]
    pub(crate) from: String,
    /// What they must not get to
    #[arg(default_value = "critical")]
    pub(crate) to: String,
    /// Remove nodes between the two instead of edges
    #[arg(long)]
    pub(crate) nodes: bool,
    /// What removing an edge (with --nodes, a node) of a kind costs, or that it is never done
    #[arg(long = "cost", value_name = "KIND=N|never")]
    pub(crate) costs: Vec<FixCost>,
    /// Also the N edges without which most findings about derived edges are gone
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) carriers: usize,
    /// Show the ways that prove that nothing is cheaper
    #[arg(long)]
    pub(crate) proof: bool,
    #[command(flatten)]
    pub(crate) at: At,
}

#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("alteration").required(true).multiple(true),
    after_help = with_names(
        "Nothing is stored: the estate stays as it is. A value is JSON or else text; none takes the property away.\n\nExamples:\n  tracehound what-if --remove-node MCPServer:files\n  tracehound what-if --remove-edge 'cursor TRUSTS_SERVER customers' --from cursor --to critical\n  tracehound what-if --set 'customers auth_method=oauth' --set 'query capability_surface=[]'"
    )
)]
pub(crate) struct WhatIf {
    /// Without this node and all its edges
    #[arg(long, value_name = "NODE", group = "alteration")]
    pub(crate) remove_node: Vec<String>,
    /// Without this edge
    #[arg(long, value_name = "FROM KIND TO", group = "alteration")]
    pub(crate) remove_edge: Vec<String>,
    /// With another value of a node's property
    #[arg(long, value_name = "NODE KEY=VALUE", group = "alteration")]
    pub(crate) set: Vec<String>,
    /// With another value of an edge's property
    #[arg(long, value_name = "FROM KIND TO KEY=VALUE", group = "alteration")]
    pub(crate) set_edge: Vec<String>,
    /// Where the path that is compared begins
    #[arg(long, value_name = "NODES", default_value = "agents")]
    pub(crate) from: String,
    /// Where it ends
    #[arg(long, value_name = "NODES", default_value = "critical")]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) at: At,
}
