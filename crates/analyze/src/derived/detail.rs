//! What a composite edge goes through, by kind.

use tracehound_graph::NodeIx;

use crate::basis::{Auth, MatchType, Sensitivity};

/// What a composite edge goes through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Detail {
    /// A tool has access to a resource.
    Access(MatchType),
    /// A tool runs commands on a machine.
    Execution,
    /// A tool speaks of another server's tool.
    Shadow {
        /// Whether its text also carries instructions for the model.
        is_injected: bool,
    },
    /// A text carries instructions for the model.
    Poison,
    /// A tool's text steers another tool.
    Context {
        /// The agent that has both.
        agent: NodeIx,
    },
    /// What one tool brings in can become the other's arguments.
    Taint {
        /// How many arguments have the same names.
        keys: u32,
    },
    /// Something can be reached.
    Reach(Reach),
    /// Untrusted content flows into an action.
    Flow {
        /// The resource that both tools touch.
        resource: NodeIx,
    },
    /// Data can be sent out.
    Exfiltration {
        /// The most sensitive resource that the agent reaches.
        resource: NodeIx,
        /// How sensitive it is.
        sensitivity: Sensitivity,
    },
    /// Two agents read alike.
    Likeness,
    /// An agent acts through another.
    Deputy {
        /// What the first demands of its callers.
        low: Auth,
        /// What the other demands.
        high: Auth,
    },
}

/// The ways to reach something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    /// Through a tool of a trusted server.
    Direct {
        /// The server.
        server: NodeIx,
        /// The tool.
        tool: NodeIx,
    },
    /// Through a secret of another server that a tool can read, or that both servers are given.
    Credential {
        /// The secret.
        credential: NodeIx,
        /// The server that it belongs to.
        server: NodeIx,
        /// The tool of that server.
        tool: NodeIx,
    },
    /// Through a secret that a service answers to.
    Chain {
        /// The trusted server that is given the secret.
        server: NodeIx,
        /// The secret as the server has it.
        credential: NodeIx,
        /// The same secret as the service has it.
        copy: NodeIx,
        /// The service.
        gateway: NodeIx,
    },
    /// From an agent on the network, through the machine that it shares with a tool server.
    CrossProtocol {
        /// The tool server.
        server: NodeIx,
        /// The tool.
        tool: NodeIx,
        /// The machine.
        host: NodeIx,
    },
}

impl Detail {
    /// The same for nodes with other numbers; none if one of them has none.
    pub(super) fn renumbered(self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Option<Self> {
        Some(match self {
            Self::Context { agent } => Self::Context { agent: number(agent)? },
            Self::Flow { resource } => Self::Flow { resource: number(resource)? },
            Self::Exfiltration { resource, sensitivity } => {
                Self::Exfiltration { resource: number(resource)?, sensitivity }
            }
            Self::Reach(reach) => Self::Reach(reach.renumbered(number)?),
            other => other,
        })
    }
}

impl Reach {
    fn renumbered(self, number: &dyn Fn(NodeIx) -> Option<NodeIx>) -> Option<Self> {
        Some(match self {
            Self::Direct { server, tool } => Self::Direct { server: number(server)?, tool: number(tool)? },
            Self::Credential { credential, server, tool } => {
                Self::Credential { credential: number(credential)?, server: number(server)?, tool: number(tool)? }
            }
            Self::Chain { server, credential, copy, gateway } => Self::Chain {
                server: number(server)?,
                credential: number(credential)?,
                copy: number(copy)?,
                gateway: number(gateway)?,
            },
            Self::CrossProtocol { server, tool, host } => {
                Self::CrossProtocol { server: number(server)?, tool: number(tool)?, host: number(host)? }
            }
        })
    }
}
