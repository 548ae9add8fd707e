//! Commands that show other things on one machine than on another.
//!
//! Equal commands that are configured on several machines are one server. Where all machines that were asked showed the same,
//! nothing has to be told apart. Only where they differ does it matter on which machine an agent uses the server: it reaches
//! what that machine showed. A machine that was never asked may have whatever the others showed.
//!
//! Growth: linear in what commands provide and in the machines that showed it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::{EdgeIx, NodeIx};
use tracehound_model::{EdgeKind, NodeKind};

use super::{Accessible, Basis, Family};

/// What a server provides.
const PROVIDED: &[EdgeKind] = &[EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt];

/// Servers of which machines showed different things.
#[derive(Debug, Default)]
pub struct Machines {
    divided: BTreeMap<NodeIx, Divided>,
}

#[derive(Debug, Default)]
struct Divided {
    /// The machines that showed something.
    asked: BTreeSet<String>,
    /// On which machines each thing was shown; what is not here may be on any.
    shown: BTreeMap<NodeIx, BTreeSet<String>>,
}

impl Machines {
    pub(super) fn new(basis: &Basis<'_>) -> Self {
        let is_command = |server: &NodeIx| basis.text(*server, "transport").as_deref() == Some("stdio");
        let servers = basis.nodes(NodeKind::McpServer).filter(is_command);
        let divided = servers.filter_map(|server| Some((server, divided(basis, server)?)));
        Self { divided: divided.collect() }
    }

    /// Whether it matters on which machine an agent uses a server.
    #[must_use]
    pub fn differ(&self, server: NodeIx) -> bool {
        self.divided.contains_key(&server)
    }

    /// The machines on which an agent uses a server, if that narrows what it finds there.
    fn of_agent(&self, basis: &Basis<'_>, agent: NodeIx, server: NodeIx) -> Option<(&Divided, BTreeSet<String>)> {
        let divided = self.divided.get(&server)?;
        let trust = basis.view.outgoing(EdgeKind::TrustsServer, agent).to(server)?;
        let machines = origins(basis, trust)?;
        machines.is_subset(&divided.asked).then_some((divided, machines))
    }
}

impl Divided {
    /// Whether one of these machines has both.
    fn share(&self, machines: &BTreeSet<String>, tool: NodeIx, resource: NodeIx) -> bool {
        let has = |thing: NodeIx, machine: &String| self.shown.get(&thing).is_none_or(|shown| shown.contains(machine));
        machines.iter().any(|machine| has(tool, machine) && has(resource, machine))
    }

    /// Of tools in order, the first of each that are on the same machines: the others can't do better.
    fn distinct(&self, tools: &[NodeIx]) -> Vec<NodeIx> {
        let mut seen = BTreeSet::new();
        tools.iter().copied().filter(|tool| seen.insert(self.shown.get(tool))).collect()
    }
}

/// A server's machines, if they differ.
fn divided(basis: &Basis<'_>, server: NodeIx) -> Option<Divided> {
    let mut divided = Divided::default();
    for (thing, edge) in PROVIDED.iter().flat_map(|kind| basis.view.outgoing(*kind, server)) {
        if let Some(machines) = origins(basis, edge) {
            divided.shown.insert(thing, machines);
        }
    }
    let mut all = divided.shown.values();
    let first = all.next()?;
    if all.all(|machines| machines == first) {
        return None;
    }
    divided.asked = divided.shown.values().flatten().cloned().collect();
    Some(divided)
}

fn origins(basis: &Basis<'_>, edge: EdgeIx) -> Option<BTreeSet<String>> {
    Some(basis.view.origins(edge)?.into_iter().map(Cow::into_owned).collect())
}

impl Basis<'_> {
    /// The tool with the smallest id by which an agent that trusts a server gets at a resource of it.
    #[must_use]
    pub fn tool_for(&self, agent: NodeIx, server: NodeIx, resource: NodeIx) -> Option<NodeIx> {
        let accessible = self.access().find(server, resource)?;
        let Some((divided, machines)) = self.machines().of_agent(self, agent, server) else {
            return Some(accessible.tool);
        };
        let readers = self.access().readers(server, resource);
        let shares = |tool: &&NodeIx| divided.share(&machines, **tool, resource);
        let able = readers.by_capability.iter().find(shares);
        able.into_iter().chain(readers.by_description.iter().find(shares)).min().copied()
    }

    /// The resources of a server that an agent which trusts it gets at with tools of it, by their ids: all that are
    /// accessible, but for those that no tool opens on a machine of the agent.
    ///
    /// Growth: nothing where all machines showed the same; else linear in what is accessible and in how many sorts of tools
    /// there are, by the machines that have them.
    #[must_use]
    pub fn accessible_to(&self, agent: NodeIx, server: NodeIx) -> Cow<'_, [Accessible]> {
        let all = self.access().accessible(server);
        let Some((divided, machines)) = self.machines().of_agent(self, agent, server) else {
            return Cow::Borrowed(all);
        };
        let able = |family| divided.distinct(self.access().openers(server, family));
        let (databases, files) = (able(Family::Database), able(Family::File));
        let mut own = Vec::new();
        for Accessible { resource, .. } in all.iter().copied() {
            let able = match self.access().family(resource) {
                Family::Database => databases.as_slice(),
                Family::File => files.as_slice(),
                Family::Other => &[],
            };
            let named = self.access().readers(server, resource).by_description;
            let shares = |tool: &&NodeIx| divided.share(&machines, **tool, resource);
            let tool = able.iter().find(shares).into_iter().chain(named.iter().find(shares)).min();
            own.extend(tool.map(|tool| Accessible { resource, tool: *tool }));
        }
        Cow::Owned(own)
    }
}
