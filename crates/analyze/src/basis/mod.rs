//! What analysis reads of a graph, in the words that analysis speaks.
//!
//! Processors, scores and findings ask a [`Basis`] instead of looking for properties themselves, so that each reading of a
//! property (what counts as authentication, which schemes are databases) is decided once.

mod access;
mod auth;
mod capability;
mod exposure;
mod machines;
pub(crate) mod scheme;
mod sensitivity;
mod spread;
pub(crate) mod words;

use std::borrow::Cow;
use std::cell::OnceCell;

use tracehound_graph::{EdgeIx, NodeIx, PropertyValue, View};
use tracehound_model::{EdgeKind, NodeKind};

use crate::derived::Most;
pub use access::{Access, Accessible, MatchType, Readers};
pub use auth::Auth;
pub use capability::{Capabilities, Capability};
pub use exposure::Exposure;
pub use machines::{Machines, On, common, meet};
pub use scheme::Family;
pub use sensitivity::Sensitivity;
pub(crate) use spread::Spread;

/// A weight or a sum of weights, in millionths: sums are exact, and equal routes weigh the same in whatever order they are
/// added up.
pub type Cost = u64;

/// How many units of [`Cost`] a weight of one has.
pub const UNIT: f64 = 1_000_000.0;

/// A weight as a cost. Anything that is no number between 0 and 1 counts as one half, as the kinds table has it.
#[must_use]
pub fn cost(weight: f64) -> Cost {
    let weight = if (0.0..=1.0).contains(&weight) { weight } else { 0.5 };
    (weight * UNIT).round() as Cost
}

/// A graph to be analysed.
pub struct Basis<'g> {
    /// The graph.
    pub view: &'g dyn View,
    first_tool: u32,
    capabilities: Vec<Capabilities>,
    first_server: u32,
    /// What each tool server demands; asked for every edge of trust.
    demands: Vec<Auth>,
    access: OnceCell<Access>,
    machines: OnceCell<Machines>,
    most: Most,
}

impl<'g> Basis<'g> {
    /// Reads what nearly every processor needs; the rest is read when it is asked for.
    #[must_use]
    pub fn new(view: &'g dyn View) -> Self {
        let tools = view.range_of(NodeKind::McpTool);
        let capabilities = tools
            .clone()
            .map(|tool| Capabilities::of(view.property(NodeIx(tool), "capability_surface").as_ref()))
            .collect();
        let servers = view.range_of(NodeKind::McpServer);
        let demands = servers.clone().map(|server| auth(view, NodeIx(server))).collect();
        let (first_tool, first_server) = (tools.start, servers.start);
        Self {
            view,
            first_tool,
            capabilities,
            first_server,
            demands,
            access: OnceCell::new(),
            machines: OnceCell::new(),
            most: Most(usize::MAX),
        }
    }

    /// The same, of which less is written down.
    #[must_use]
    pub fn at_most(self, most: Most) -> Self {
        Self { most, ..self }
    }

    /// How many edges a processor with this bound writes down for one source.
    #[must_use]
    pub const fn bound(&self, most: usize) -> usize {
        if self.most.0 < most { self.most.0 } else { most }
    }

    /// Reads nothing ahead: for questions about single nodes.
    #[must_use]
    pub const fn on_demand(view: &'g dyn View) -> Self {
        Self {
            view,
            first_tool: 0,
            capabilities: Vec::new(),
            first_server: 0,
            demands: Vec::new(),
            access: OnceCell::new(),
            machines: OnceCell::new(),
            most: Most(usize::MAX),
        }
    }

    /// The nodes of a kind, by their ids.
    pub fn nodes(&self, kind: NodeKind) -> impl Iterator<Item = NodeIx> + '_ {
        self.view.nodes_of(kind)
    }

    /// The nodes that an edge of this kind leads to.
    pub fn targets(&self, kind: EdgeKind, node: NodeIx) -> impl ExactSizeIterator<Item = NodeIx> + '_ {
        self.view.outgoing(kind, node).map(|(target, _)| target)
    }

    /// The nodes that an edge of this kind comes from.
    pub fn sources(&self, kind: EdgeKind, node: NodeIx) -> impl ExactSizeIterator<Item = NodeIx> + '_ {
        self.view.incoming(kind, node).map(|(source, _)| source)
    }

    /// A text; an empty one counts as none.
    #[must_use]
    pub fn text(&self, node: NodeIx, key: &str) -> Option<Cow<'g, str>> {
        match self.view.property(node, key) {
            Some(PropertyValue::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// A truth value; what is not there is not true.
    #[must_use]
    pub fn is(&self, node: NodeIx, key: &str) -> bool {
        self.view.property(node, key).and_then(|value| value.as_bool()) == Some(true)
    }

    /// What people call a node.
    #[must_use]
    pub fn name(&self, node: NodeIx) -> Cow<'g, str> {
        self.view.name(node)
    }

    /// What a tool can do.
    #[must_use]
    pub fn capabilities(&self, tool: NodeIx) -> Capabilities {
        let offset = tool.0.checked_sub(self.first_tool).and_then(|offset| self.capabilities.get(offset as usize));
        let read = || Capabilities::of(self.view.property(tool, "capability_surface").as_ref());
        offset.copied().unwrap_or_else(read)
    }

    /// What a server, agent or service demands of its callers.
    #[must_use]
    pub fn auth(&self, node: NodeIx) -> Auth {
        let offset = node.0.checked_sub(self.first_server);
        let demand = offset.and_then(|offset| self.demands.get(offset as usize));
        demand.copied().unwrap_or_else(|| auth(self.view, node))
    }

    /// How sensitive a resource is.
    #[must_use]
    pub fn sensitivity(&self, resource: NodeIx) -> Sensitivity {
        Sensitivity::of(self.text(resource, "sensitivity").as_deref())
    }

    /// How hard an edge of the graph is to walk: by the kinds table, whatever the document says.
    #[must_use]
    pub fn cost(&self, edge: EdgeIx) -> Cost {
        cost(self.weight(edge))
    }

    /// The same as a weight.
    #[must_use]
    pub fn weight(&self, edge: EdgeIx) -> f64 {
        let given = || self.view.edge_property(edge, "risk_weight").and_then(|value| value.as_number());
        let target = || self.view.ends(edge).1;
        match edge.kind.weight() {
            weight @ tracehound_model::Weight::Fixed(_) => weight.value(None, None),
            weight @ tracehound_model::Weight::AsGiven => weight.value(None, given()),
            weight => weight.value(Some(self.auth(target()).name()), None),
        }
    }

    /// The hash of a secret that somebody saw. A secret that nobody saw has a hash of its own that joins nothing.
    #[must_use]
    pub fn known_secret(&self, credential: NodeIx) -> Option<Cow<'g, str>> {
        let is_unknown = self.view.property(credential, "value_known").and_then(|value| value.as_bool()) == Some(false);
        self.text(credential, "value_hash").filter(|_| !is_unknown)
    }

    /// Which tools have access to which resources of the same server.
    pub fn access(&self) -> &Access {
        self.access.get_or_init(|| Access::new(self))
    }

    /// The machines of commands.
    pub fn machines(&self) -> &Machines {
        self.machines.get_or_init(|| Machines::new(self))
    }

    /// The one node that provides a tool, resource, prompt or skill; none if nobody or several do.
    #[must_use]
    pub fn sole_provider(&self, kind: EdgeKind, node: NodeIx) -> Option<NodeIx> {
        let mut providers = self.sources(kind, node);
        let first = providers.next()?;
        providers.next().is_none().then_some(first)
    }
}

fn auth(view: &dyn View, node: NodeIx) -> Auth {
    Auth::of(view.property(node, "auth_method").as_ref().and_then(PropertyValue::as_text))
}

/// How hard an edge of a graph is to walk, by the kinds table, for who asks about few of them.
#[must_use]
pub fn weight(view: &dyn View, edge: EdgeIx) -> f64 {
    let given = view.edge_property(edge, "risk_weight").and_then(|value| value.as_number());
    edge.kind.weight().value(Some(auth(view, view.ends(edge).1).name()), given)
}
