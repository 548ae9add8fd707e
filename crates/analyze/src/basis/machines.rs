//! Commands are started on machines, and a path through a command stays on one of them.
//!
//! Equal commands that are configured on several machines are one server. What a configuration says of it (who trusts it, where
//! it runs, which secrets it is given) belongs to the machines of that configuration, and so does what it showed when it was
//! asked there. A machine that was never asked may have whatever the others showed, and what no machine is known of may be on
//! any. Where all machines that were asked showed the same, what the command provides has not to be told apart.
//!
//! Growth: linear in what is known of commands and in the machines that it is known of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use tracehound_graph::{EdgeIx, NodeIx, View};
use tracehound_model::{EdgeKind, NodeKind};

use super::{Accessible, Basis, Family};

/// What a server provides.
const PROVIDED: &[EdgeKind] = &[EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt];

/// What configurations say of a server.
const CONFIGURED: &[EdgeKind] = &[
    EdgeKind::TrustsServer,
    EdgeKind::RunsOn,
    EdgeKind::HasEnvVar,
    EdgeKind::AuthenticatesWith,
    EdgeKind::ConfiguredIn,
];

/// Machines by number, sorted; none where it may be any.
pub type On = Option<Vec<u32>>;

/// The machines of commands.
#[derive(Debug, Default)]
pub struct Machines {
    numbers: FxHashMap<String, u32>,
    first_server: u32,
    /// By server; none for those that are no commands.
    commands: Vec<Option<Command>>,
    /// Servers whose machines showed different things. There are few, and every edge asks.
    differing: FxHashSet<NodeIx>,
}

#[derive(Debug, Default)]
struct Command {
    /// The machines that showed something.
    asked: Vec<u32>,
    /// The machines that start it and were never asked.
    silent: Vec<u32>,
    /// Where machines differ, on which of them each thing was shown; what is not here may be on any.
    shown: BTreeMap<NodeIx, Vec<u32>>,
}

impl Machines {
    pub(super) fn new(basis: &Basis<'_>) -> Self {
        let range = basis.view.range_of(NodeKind::McpServer);
        let mut machines = Self { first_server: range.start, ..Self::default() };
        for server in range.map(NodeIx) {
            let is_command = basis.text(server, "transport").as_deref() == Some("stdio");
            let command = is_command.then(|| machines.command(basis.view, server));
            if command.as_ref().is_some_and(|command| !command.shown.is_empty()) {
                machines.differing.insert(server);
            }
            machines.commands.push(command);
        }
        machines
    }

    fn command(&mut self, view: &dyn View, server: NodeIx) -> Command {
        let mut shown = BTreeMap::new();
        for (thing, edge) in PROVIDED.iter().flat_map(|kind| view.outgoing(*kind, server)) {
            if let Some(on) = self.add(view, edge) {
                shown.insert(thing, on);
            }
        }
        let mut started = BTreeSet::new();
        for kind in CONFIGURED {
            let edges = view.outgoing(*kind, server).chain(view.incoming(*kind, server));
            edges.for_each(|(_, edge)| started.extend(self.add(view, edge).into_iter().flatten()));
        }
        let asked: BTreeSet<u32> = shown.values().flatten().copied().collect();
        let silent = started.difference(&asked).copied().collect();
        let mut all = shown.values();
        let first = all.next();
        if all.all(|on| Some(on) == first) {
            shown.clear();
        }
        Command { asked: asked.into_iter().collect(), silent, shown }
    }

    /// The machines of an edge, numbered if they were not before.
    fn add(&mut self, view: &dyn View, edge: EdgeIx) -> On {
        for machine in view.origins(edge)? {
            let next = self.numbers.len() as u32;
            if !self.numbers.contains_key(machine.as_ref()) {
                self.numbers.insert(machine.into_owned(), next);
            }
        }
        self.of_edge(view, edge)
    }

    fn of_edge(&self, view: &dyn View, edge: EdgeIx) -> On {
        let number = |machine: &Cow<'_, str>| self.numbers.get(machine.as_ref()).copied().unwrap_or(u32::MAX);
        let mut machines: Vec<u32> = view.origins(edge)?.iter().map(number).collect();
        machines.sort_unstable();
        Some(machines)
    }

    fn of(&self, server: NodeIx) -> Option<&Command> {
        self.commands.get(server.0.checked_sub(self.first_server)? as usize)?.as_ref()
    }

    /// The number of a machine that commands are known on.
    #[must_use]
    pub fn number(&self, machine: &str) -> Option<u32> {
        self.numbers.get(machine).copied()
    }

    /// Whether no server's machines showed different things.
    #[must_use]
    pub fn are_alike(&self) -> bool {
        self.differing.is_empty()
    }

    /// Whether it matters on which machine something of a server is used.
    #[must_use]
    pub fn differ(&self, server: NodeIx) -> bool {
        !self.differing.is_empty() && self.differing.contains(&server)
    }

    /// The machines that showed something of a server.
    #[must_use]
    pub fn asked(&self, server: NodeIx) -> &[u32] {
        self.of(server).map_or(&[], |command| command.asked.as_slice())
    }

    /// Whether some machine starts a server and never showed what it provides.
    #[must_use]
    pub fn has_silent(&self, server: NodeIx) -> bool {
        self.of(server).is_some_and(|command| !command.silent.is_empty())
    }

    /// The machines that showed something that a server provides, if machines differ and it is known.
    pub(crate) fn shown(&self, server: NodeIx, thing: NodeIx) -> Option<&[u32]> {
        if !self.differ(server) {
            return None;
        }
        self.of(server)?.shown.get(&thing).map(Vec::as_slice)
    }

    /// Whether some of these machines has, or may have, something that a server provides.
    #[must_use]
    pub fn have(&self, server: NodeIx, on: &On, thing: NodeIx) -> bool {
        let Some(machines) = on else { return true };
        let Some(command) = self.of(server) else { return true };
        machines.iter().any(|machine| command.has(*machine, thing))
    }

    /// Whether some of these machines has, or may have, both of two things that a server provides. Where it is not known which
    /// machines are meant, it may be any of those that start the server.
    #[must_use]
    pub fn share(&self, server: NodeIx, on: &On, one: NodeIx, other: NodeIx) -> bool {
        if !self.differ(server) {
            return true;
        }
        let Some(command) = self.of(server) else { return true };
        command.narrowed(on.clone()).is_none_or(|machines| command.share(&machines, one, other))
    }
}

impl Command {
    /// Whether a machine has, or may have, a thing.
    fn has(&self, machine: u32, thing: NodeIx) -> bool {
        let is_shown = |on: &Vec<u32>| on.binary_search(&machine).is_ok();
        self.shown.get(&thing).is_none_or(is_shown) || self.asked.binary_search(&machine).is_err()
    }

    /// Whether one of these machines has both.
    fn share(&self, machines: &[u32], one: NodeIx, other: NodeIx) -> bool {
        machines.iter().any(|machine| self.has(*machine, one) && self.has(*machine, other))
    }

    /// The machines that are meant, if they narrow what is there.
    fn narrowed(&self, on: On) -> On {
        if self.shown.is_empty() {
            return None;
        }
        let is_asked = |machine: &u32| self.asked.binary_search(machine).is_ok();
        match on {
            Some(machines) => machines.iter().all(is_asked).then_some(machines),
            None => self.silent.is_empty().then(|| self.asked.clone()),
        }
    }

    /// Of tools in order, the first of each that are on the same machines: the others can't do better.
    fn distinct(&self, tools: &[NodeIx]) -> Vec<NodeIx> {
        let mut seen = BTreeSet::new();
        tools.iter().copied().filter(|tool| seen.insert(self.shown.get(tool))).collect()
    }
}

/// The machines that two things have in common; what may be on any is where the other is.
#[must_use]
pub fn common(one: &On, other: &On) -> On {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.iter().copied().filter(|it| other.binary_search(it).is_ok()).collect()),
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    }
}

/// Whether two things can be on one machine.
#[must_use]
pub fn meet(one: &On, other: &On) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.iter().any(|machine| other.binary_search(machine).is_ok()),
        _ => true,
    }
}

impl Basis<'_> {
    /// The machines of an edge at a server. Only commands are bound to machines: what is reached over a network is reached from
    /// all of them.
    #[must_use]
    pub fn on(&self, server: NodeIx, edge: EdgeIx) -> On {
        self.machines().of(server)?;
        self.machines().of_edge(self.view, edge)
    }

    /// The machines on which an agent uses a server.
    #[must_use]
    pub fn used_on(&self, agent: NodeIx, server: NodeIx) -> On {
        self.machines().of(server)?;
        self.on(server, self.view.outgoing(EdgeKind::TrustsServer, agent).to(server)?)
    }

    /// The machines on which a tool is, or may be. What several servers provide has no machine of its own.
    #[must_use]
    pub fn tool_on(&self, tool: NodeIx) -> On {
        let mut providers = self.view.incoming(EdgeKind::ProvidesTool, tool);
        let (server, edge) = providers.next().filter(|_| providers.next().is_none())?;
        let mut on = self.on(server, edge)?;
        on.extend(self.machines().of(server).into_iter().flat_map(|command| &command.silent));
        on.sort_unstable();
        Some(on)
    }

    /// The tool with the smallest id by which an agent that trusts a server gets at a resource of it.
    #[must_use]
    pub fn tool_for(&self, agent: NodeIx, server: NodeIx, resource: NodeIx) -> Option<NodeIx> {
        let accessible = self.access().find(server, resource)?;
        let Some((command, machines)) = self.narrowed(server, || self.used_on(agent, server)) else {
            return Some(accessible.tool);
        };
        let readers = self.access().readers(server, resource);
        let shares = |tool: &&NodeIx| command.share(&machines, **tool, resource);
        let able = readers.by_capability.iter().find(shares);
        able.into_iter().chain(readers.by_description.iter().find(shares)).min().copied()
    }

    /// The resources of a server that an agent which trusts it gets at with tools of it; see [`Basis::accessible_on`].
    #[must_use]
    pub fn accessible_to(&self, agent: NodeIx, server: NodeIx) -> Cow<'_, [Accessible]> {
        self.accessible_where(server, || self.used_on(agent, server))
    }

    /// The resources of a server that tools of it get at on some of these machines, by their ids: all that are accessible, but
    /// for those that no tool opens there.
    ///
    /// Growth: nothing where all machines showed the same; else linear in what is accessible and in how many sorts of tools
    /// there are, by the machines that have them.
    #[must_use]
    pub fn accessible_on(&self, server: NodeIx, on: &On) -> Cow<'_, [Accessible]> {
        if on.as_ref().is_some_and(Vec::is_empty) {
            return Cow::Borrowed(&[]);
        }
        self.accessible_where(server, || on.clone())
    }

    /// A command whose machines differ, and those that are meant, if they narrow what is there.
    fn narrowed(&self, server: NodeIx, on: impl FnOnce() -> On) -> Option<(&Command, Vec<u32>)> {
        if !self.machines().differ(server) {
            return None;
        }
        let command = self.machines().of(server)?;
        Some((command, command.narrowed(on())?))
    }

    fn accessible_where(&self, server: NodeIx, on: impl FnOnce() -> On) -> Cow<'_, [Accessible]> {
        let all = self.access().accessible(server);
        let Some((command, machines)) = self.narrowed(server, on) else {
            return Cow::Borrowed(all);
        };
        let able = |family| command.distinct(self.access().openers(server, family));
        let (databases, files) = (able(Family::Database), able(Family::File));
        let mut own = Vec::new();
        for Accessible { resource, .. } in all.iter().copied() {
            let able = match self.access().family(resource) {
                Family::Database => databases.as_slice(),
                Family::File => files.as_slice(),
                Family::Other => &[],
            };
            let named = self.access().readers(server, resource).by_description;
            let shares = |tool: &&NodeIx| command.share(&machines, **tool, resource);
            let tool = able.iter().find(shares).into_iter().chain(named.iter().find(shares)).min();
            own.extend(tool.map(|tool| Accessible { resource, tool: *tool }));
        }
        Cow::Owned(own)
    }
}
