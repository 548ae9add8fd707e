//! Who observes: the parts of the product (or of a foreign one) that write scan documents.

use crate::name_table::named;

/// The source of a fact. Facts are retired only by a later document of the same collector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Collector {
    /// Reads configuration and instruction files.
    Config,
    /// Asks MCP servers.
    Mcp,
    /// Reads A2A agent cards.
    A2a,
    /// Finds and reads AI services on the network. Has no wire name of its own: its documents say `scan`.
    Network,
    /// A document of several collectors; each of its facts counts as its kind's own collector's.
    Scan,
}

impl Collector {
    /// All collectors, in declaration order.
    pub const ALL: &'static [Self] = &[Self::Config, Self::Mcp, Self::A2a, Self::Network, Self::Scan];

    /// The values that `meta.collector` may have.
    pub const ON_WIRE: &'static [Self] = &[Self::Mcp, Self::A2a, Self::Config, Self::Scan];

    /// The lower-case name, as in `meta.collector`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Mcp => "mcp",
            Self::A2a => "a2a",
            Self::Network => "network",
            Self::Scan => "scan",
        }
    }

    /// The one with exactly this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|entry| entry.name() == name)
    }
}

named!(Collector, "a collector");
