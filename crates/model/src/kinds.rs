//! The kinds table: every node and edge kind, declared once.
//!
//! Wire names, serde, endpoint checks, fact lifetimes, attack directions and `docs/graph-model.md` all come from the
//! rows below. Adding a kind is adding a row. Node kinds come first, edge kinds second; what a column means is said
//! on the type of its values.

use crate::Collector;
use crate::name_table::named;

/// What part a node kind plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeRole {
    /// A collector may emit it.
    Observed,
    /// A collector may emit it, and every node of it also carries the umbrella label.
    Service,
    /// A label that other kinds carry; never the whole of what a node is.
    Umbrella,
    /// Made by analysis; refused in a document.
    Synthetic,
}

macro_rules! node_kinds {
    ($( $(#[doc = $doc:literal])+ $variant:ident $name:literal $role:ident $collector:ident $rank:literal; )+) => {
        /// A node kind. The order of the variants is the order of lists and exports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum NodeKind { $( $(#[doc = $doc])+ $variant, )+ }

        impl NodeKind {
            /// All kinds, in table order.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The kind with exactly this name; names are case-sensitive on the wire.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $name => Some(Self::$variant), )+ _ => None }
            }

            /// What part it plays.
            #[must_use]
            pub const fn role(self) -> NodeRole {
                match self { $( Self::$variant => NodeRole::$role, )+ }
            }

            /// The collector whose fact a node of this kind is, in a document of several collectors.
            #[must_use]
            pub const fn collector(self) -> Collector {
                match self { $( Self::$variant => Collector::$collector, )+ }
            }

            /// How far below a covered thing it stands: an edge that holds always leads to a higher rank.
            #[must_use]
            pub const fn rank(self) -> u8 {
                match self { $( Self::$variant => $rank, )+ }
            }

            /// The table's own description.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }
        }

        named!(NodeKind, "a node kind");
    };
}

node_kinds! {
    /// A tool server that speaks the Model Context Protocol.
    McpServer "MCPServer" Observed Config 2;
    /// A tool that a server offers.
    McpTool "MCPTool" Observed Mcp 3;
    /// Data that a server offers: a file, a table, a page.
    McpResource "MCPResource" Observed Mcp 3;
    /// A prompt template that a server offers.
    McpPrompt "MCPPrompt" Observed Mcp 3;
    /// An agent reachable over the Agent2Agent protocol.
    A2aAgent "A2AAgent" Observed A2a 0;
    /// A skill that such an agent advertises.
    A2aSkill "A2ASkill" Observed A2a 3;
    /// One client on one machine, as one configuration file sets it up.
    AgentInstance "AgentInstance" Observed Config 1;
    /// What a server or agent authenticates as.
    Identity "Identity" Observed Config 3;
    /// A secret: where it is kept and the hash of its value, never the value.
    Credential "Credential" Observed Config 4;
    /// A machine.
    Host "Host" Observed Config 3;
    /// A client's configuration file.
    ConfigFile "ConfigFile" Observed Config 0;
    /// A file of standing instructions that agents load.
    InstructionFile "InstructionFile" Observed Config 0;
    /// An Ollama model server.
    OllamaInstance "OllamaInstance" Service Network 0;
    /// A vLLM inference server.
    VllmInstance "VLLMInstance" Service Network 0;
    /// A Qdrant vector database.
    QdrantInstance "QdrantInstance" Service Network 0;
    /// An MLflow tracking server.
    MlflowServer "MLflowServer" Service Network 0;
    /// A LiteLLM model gateway.
    LitellmGateway "LiteLLMGateway" Service Network 0;
    /// A Jupyter notebook server.
    JupyterServer "JupyterServer" Service Network 0;
    /// A LangServe application.
    LangserveApp "LangServeApp" Service Network 0;
    /// An Open WebUI installation.
    OpenWebuiInstance "OpenWebUIInstance" Service Network 0;
    /// Any AI service: the label that every service kind carries besides its own.
    AiService "AIService" Umbrella Network 0;
    /// A model that a service offers.
    AiModel "AIModel" Observed Network 3;
    /// A signal found in a model's weights by a foreign tool; accepted, never made.
    ExtractedTrainingSignal "ExtractedTrainingSignal" Observed Network 4;
    /// Resources of one server that share scheme and root.
    ResourceGroup "ResourceGroup" Synthetic Scan 5;
    /// Nodes of one exposure and authentication level.
    TrustZone "TrustZone" Synthetic Scan 5;
}

impl NodeKind {
    /// Whether a document may contain it.
    #[must_use]
    pub const fn is_input(self) -> bool {
        !matches!(self.role(), NodeRole::Synthetic)
    }

    /// The umbrella label that every node of this kind carries as well.
    #[must_use]
    pub const fn umbrella(self) -> Option<Self> {
        match self.role() {
            NodeRole::Service => Some(Self::AiService),
            _ => None,
        }
    }

    /// Its place in a set of kinds held as bits.
    #[must_use]
    pub const fn bit(self) -> u32 {
        1 << self as u8
    }

    /// The collector whose reading of a thing of this kind is complete when a document says that it covers it.
    ///
    /// A server is known from the configuration, but what is below it is listed by asking it.
    #[must_use]
    pub const fn covered_by(self) -> Collector {
        match self {
            Self::McpServer => Collector::Mcp,
            other => other.collector(),
        }
    }
}

/// Where an edge kind comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeRole {
    /// A collector may emit it.
    Observed,
    /// Made by analysis; refused in a document.
    Derived,
    /// Made by analysis, and standing for other edges that are in the graph themselves.
    Shortcut,
}

/// How an attacker who holds one end of an edge gets to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    /// From source to target.
    Forward,
    /// From target to source.
    Reverse,
    /// Either way.
    Both,
    /// Not at all.
    Never,
}

/// The end whose coverage decides how long an edge lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The source; the target is not below it.
    Source,
    /// The target; the source is not below it.
    Target,
    /// The source, and the target is below it: it goes when no such edge is left.
    SourceHolds,
    /// The target, and the source is below it.
    TargetHolds,
    /// Both at once: only a document that covers both ends can tell that the edge is gone.
    Both,
}

/// How hard a hop is for an attacker, from 0 (free) to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    /// Always this.
    Fixed(f64),
    /// By the `auth_method` of the far end.
    TrustByAuth,
    /// By whether the far end authenticates its callers at all.
    DelegationByAuth,
    /// As the document says, else one half.
    AsGiven,
}

impl Weight {
    /// The weight of an edge: by the table, given what the far end demands of its callers and what the document says.
    ///
    /// An unknown way to authenticate counts as none: a guess must not make a path look harder than it is.
    #[must_use]
    pub fn value(self, auth_method: Option<&str>, given: Option<f64>) -> f64 {
        match (self, auth_method.unwrap_or("none")) {
            (Self::Fixed(weight), _) => weight,
            (Self::TrustByAuth, "apiKey" | "static_key") => 0.3,
            (Self::TrustByAuth, "bearer") => 0.5,
            (Self::TrustByAuth, "oauth") => 0.7,
            (Self::TrustByAuth, "mtls") => 0.9,
            (Self::TrustByAuth, _) | (Self::DelegationByAuth, "none") => 0.1,
            (Self::DelegationByAuth, _) => 0.5,
            (Self::AsGiven, _) => given.filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or(0.5),
        }
    }
}

macro_rules! edge_kinds {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:literal $role:ident by $collector:ident:
            [$($source:ident)+] => [$($target:ident)+], $movement:ident, $anchor:ident, $lists:literal, $weight:expr;
    )+) => {
        /// An edge kind. The order of the variants is the order of lists and exports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum EdgeKind { $( $(#[doc = $doc])+ $variant, )+ }

        impl EdgeKind {
            /// All kinds, in table order: observed ones first.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The kind with exactly this name; names are case-sensitive on the wire.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $name => Some(Self::$variant), )+ _ => None }
            }

            /// Where it comes from.
            #[must_use]
            pub const fn role(self) -> EdgeRole {
                match self { $( Self::$variant => EdgeRole::$role, )+ }
            }

            /// The collector whose fact it is, in a document of several collectors.
            #[must_use]
            pub const fn collector(self) -> Collector {
                match self { $( Self::$variant => Collector::$collector, )+ }
            }

            /// The kinds that it may start at.
            #[must_use]
            pub const fn sources(self) -> &'static [NodeKind] {
                match self { $( Self::$variant => &[$( NodeKind::$source, )+], )+ }
            }

            /// The kinds that it may end at.
            #[must_use]
            pub const fn targets(self) -> &'static [NodeKind] {
                match self { $( Self::$variant => &[$( NodeKind::$target, )+], )+ }
            }

            /// How an attacker moves along it.
            #[must_use]
            pub const fn movement(self) -> Movement {
                match self { $( Self::$variant => Movement::$movement, )+ }
            }

            /// The end that decides its lifetime.
            #[must_use]
            pub const fn anchor(self) -> Anchor {
                match self { $( Self::$variant => Anchor::$anchor, )+ }
            }

            /// Whether a document that shows some of these edges at an anchor, and says nothing of what it
            /// covers, is taken to show all of them.
            #[must_use]
            pub const fn is_listing(self) -> bool {
                match self { $( Self::$variant => $lists, )+ }
            }

            /// How hard the hop is.
            #[must_use]
            pub const fn weight(self) -> Weight {
                match self { $( Self::$variant => $weight, )+ }
            }

            /// The table's own description.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }
        }

        named!(EdgeKind, "an edge kind");
    };
}

use Weight::{AsGiven, DelegationByAuth, Fixed, TrustByAuth};

edge_kinds! {
    /// The agent's configuration names this tool server.
    TrustsServer "TRUSTS_SERVER" Observed by Config: [AgentInstance] => [McpServer], Forward, SourceHolds, true, TrustByAuth;
    /// The server offers this tool.
    ProvidesTool "PROVIDES_TOOL" Observed by Mcp: [McpServer] => [McpTool], Forward, SourceHolds, true, Fixed(0.1);
    /// The server offers this resource.
    ProvidesResource "PROVIDES_RESOURCE" Observed by Mcp: [McpServer JupyterServer] => [McpResource], Forward, SourceHolds, true, Fixed(0.2);
    /// The server offers this prompt template.
    ProvidesPrompt "PROVIDES_PROMPT" Observed by Mcp: [McpServer] => [McpPrompt], Forward, SourceHolds, true, Fixed(0.1);
    /// The agent advertises this skill.
    AdvertisesSkill "ADVERTISES_SKILL" Observed by A2a: [A2aAgent] => [A2aSkill], Forward, SourceHolds, true, AsGiven;
    /// The agent hands tasks to another agent.
    DelegatesTo "DELEGATES_TO" Observed by A2a: [A2aAgent] => [A2aAgent], Forward, Both, false, DelegationByAuth;
    /// The server or agent authenticates as this identity.
    AuthenticatesWith "AUTHENTICATES_WITH" Observed by Config: [McpServer A2aAgent] => [Identity], Forward, SourceHolds, false, AsGiven;
    /// The identity rests on this secret.
    UsesCredential "USES_CREDENTIAL" Observed by Config: [Identity] => [Credential], Forward, SourceHolds, false, AsGiven;
    /// It runs on this machine; whoever has the one has the other.
    RunsOn "RUNS_ON" Observed by Config: [McpServer A2aAgent OllamaInstance VllmInstance QdrantInstance MlflowServer LitellmGateway JupyterServer LangserveApp OpenWebuiInstance AiService] => [Host], Both, SourceHolds, false, AsGiven;
    /// The server is defined in this file; whoever writes the file decides what runs.
    ConfiguredIn "CONFIGURED_IN" Observed by Config: [McpServer] => [ConfigFile], Reverse, TargetHolds, true, AsGiven;
    /// The server is given this secret in its environment, headers or arguments; whoever has the secret gets what the server gets.
    HasEnvVar "HAS_ENV_VAR" Observed by Config: [McpServer] => [Credential], Both, SourceHolds, false, AsGiven;
    /// The agent follows this instruction file; whoever writes the file steers the agent.
    LoadsInstructions "LOADS_INSTRUCTIONS" Observed by Config: [AgentInstance] => [InstructionFile], Reverse, Target, false, AsGiven;
    /// Both agents accept the same identities.
    SameAuthDomain "SAME_AUTH_DOMAIN" Observed by A2a: [A2aAgent] => [A2aAgent], Both, Both, false, AsGiven;
    /// The service passes requests on to another service.
    Exposes "EXPOSES" Observed by Network: [AiService] => [AiService], Forward, Source, false, AsGiven;
    /// The service holds this secret; the secret opens the service.
    ExposesCredential "EXPOSES_CREDENTIAL" Observed by Network: [AiService] => [Credential], Both, SourceHolds, false, AsGiven;
    /// The service offers this model.
    ProvidesModel "PROVIDES_MODEL" Observed by Network: [OllamaInstance] => [AiModel], Forward, SourceHolds, true, AsGiven;
    /// A foreign tool found this signal in the model.
    ExtractedFrom "EXTRACTED_FROM" Observed by Network: [AiModel] => [ExtractedTrainingSignal], Never, SourceHolds, false, AsGiven;
    /// The tool brings content from outside into the conversation; whoever writes that content steers the tool.
    IngestsUntrusted "INGESTS_UNTRUSTED" Observed by Mcp: [McpTool] => [McpResource], Reverse, Source, false, AsGiven;

    /// The tool's capabilities fit the resource.
    HasAccessTo "HAS_ACCESS_TO" Derived by Mcp: [McpTool] => [McpResource], Forward, Source, false, Fixed(0.2);
    /// The tool runs commands on this machine.
    CanExecute "CAN_EXECUTE" Derived by Mcp: [McpTool] => [Host], Forward, Source, false, Fixed(0.1);
    /// The tool's text speaks of a tool of another server, so that one is called in its stead or after its wishes.
    Shadows "SHADOWS" Derived by Mcp: [McpTool] => [McpTool], Forward, Source, false, Fixed(0.4);
    /// The tool's own description carries instructions for the model.
    PoisonedDescription "POISONED_DESCRIPTION" Derived by Mcp: [McpTool] => [McpTool], Never, Source, false, AsGiven;
    /// The instruction file carries text that works against its readers.
    PoisonedInstructions "POISONED_INSTRUCTIONS" Derived by Config: [InstructionFile] => [InstructionFile], Never, Source, false, AsGiven;
    /// Some chain of trust leads from the agent to the resource or secret.
    CanReach "CAN_REACH" Shortcut by Mcp: [AgentInstance A2aAgent] => [McpResource Credential], Forward, Source, false, AsGiven;
    /// The agent reaches sensitive data and can send it out through this tool.
    CanExfiltrateVia "CAN_EXFILTRATE_VIA" Shortcut by Mcp: [AgentInstance] => [McpTool], Forward, Source, false, AsGiven;
    /// The agents' skills read alike, so one can stand in for the other.
    CanImpersonate "CAN_IMPERSONATE" Derived by A2a: [A2aAgent] => [A2aAgent], Forward, Source, false, Fixed(0.6);
    /// A weakly authenticated agent acts through a strongly authenticated one.
    ConfusedDeputy "CONFUSED_DEPUTY" Shortcut by A2a: [A2aAgent] => [A2aAgent], Forward, Source, false, AsGiven;
    /// What one tool brings in can become the other's arguments.
    Taints "TAINTS" Derived by Mcp: [McpTool] => [McpTool], Forward, Source, false, AsGiven;
    /// Untrusted content can flow from one tool into an action of the other.
    IfcViolation "IFC_VIOLATION" Shortcut by Mcp: [McpTool] => [McpTool], Forward, Source, false, AsGiven;
    /// The tool's text can steer another tool of the same agent.
    PoisonsContext "POISONS_CONTEXT" Derived by Mcp: [McpTool] => [McpTool], Forward, Source, false, AsGiven;
}

impl EdgeKind {
    /// The kinds that a document may contain, in table order.
    pub fn observed() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.is_input())
    }

    /// Whether a document may contain it.
    #[must_use]
    pub const fn is_input(self) -> bool {
        matches!(self.role(), EdgeRole::Observed)
    }

    /// Whether a node with these labels (as bits of [`NodeKind::bit`]) may be its source.
    #[must_use]
    pub fn accepts_source(self, labels: u32) -> bool {
        self.sources().iter().any(|kind| labels & kind.bit() != 0)
    }

    /// Whether a node with these labels may be its target.
    #[must_use]
    pub fn accepts_target(self, labels: u32) -> bool {
        self.targets().iter().any(|kind| labels & kind.bit() != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_numbers_of_kinds_are_there() {
        let of_role = |role| NodeKind::ALL.iter().filter(|kind| kind.role() == role).count();
        assert_eq!(NodeKind::ALL.iter().filter(|kind| kind.is_input()).count(), 23);
        assert_eq!(of_role(NodeRole::Synthetic), 2);
        assert_eq!(of_role(NodeRole::Umbrella), 1);
        assert_eq!(of_role(NodeRole::Service), 8);
        assert_eq!(EdgeKind::observed().count(), 18);
        assert_eq!(EdgeKind::ALL.len() - EdgeKind::observed().count(), 12);
    }

    #[test]
    fn names_are_unique_and_parse_back() {
        for kind in NodeKind::ALL {
            assert_eq!(NodeKind::from_name(kind.name()), Some(*kind));
        }
        for kind in EdgeKind::ALL {
            assert_eq!(EdgeKind::from_name(kind.name()), Some(*kind));
        }
        assert_eq!(NodeKind::from_name("mcpserver"), None);
    }

    #[test]
    fn observed_kinds_stand_before_derived_ones() {
        let roles: Vec<bool> = EdgeKind::ALL.iter().map(|kind| kind.is_input()).collect();
        assert!(roles.is_sorted_by(|a, b| a >= b));
    }

    /// The fold settles holders before what they hold; that works only if every holding edge goes to a higher rank.
    #[test]
    fn what_holds_stands_above_what_is_held() {
        for kind in EdgeKind::observed() {
            let (above, below) = match kind.anchor() {
                Anchor::SourceHolds => (kind.sources(), kind.targets()),
                Anchor::TargetHolds => (kind.targets(), kind.sources()),
                _ => continue,
            };
            for (above, below) in above.iter().flat_map(|a| below.iter().map(move |b| (a, b))) {
                assert!(above.rank() < below.rank(), "{kind}: {above} does not stand above {below}");
            }
        }
    }

    #[test]
    fn weights_are_those_of_the_table_whatever_the_document_says() {
        let trust = |auth| EdgeKind::TrustsServer.weight().value(auth, Some(0.42));
        assert_eq!([Some("none"), None, Some("telepathy")].map(trust), [0.1; 3]);
        assert_eq!([Some("apiKey"), Some("static_key")].map(trust), [0.3; 2]);
        assert_eq!([Some("bearer"), Some("oauth"), Some("mtls")].map(trust), [0.5, 0.7, 0.9]);
        let delegation = |auth| EdgeKind::DelegatesTo.weight().value(auth, None);
        assert_eq!([None, Some("none"), Some("oauth")].map(delegation), [0.1, 0.1, 0.5]);
        assert_eq!(EdgeKind::ProvidesTool.weight().value(None, Some(0.9)), 0.1);
        let given = |weight| EdgeKind::RunsOn.weight().value(None, weight);
        assert_eq!([Some(0.0), None, Some(f64::NAN), Some(-1.0)].map(given), [0.0, 0.5, 0.5, 0.5]);
    }

    #[test]
    fn a_service_is_accepted_where_the_umbrella_is() {
        let labels = NodeKind::LitellmGateway.bit() | NodeKind::AiService.bit();
        assert!(EdgeKind::ExposesCredential.accepts_source(labels));
        assert!(!EdgeKind::ExposesCredential.accepts_source(NodeKind::Host.bit()));
    }
}
