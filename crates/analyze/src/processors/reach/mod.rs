//! How agents reach resources and secrets: the ways that the processors of `CAN_REACH` share.
//!
//! There are three ways to a resource: directly, through a secret that a tool reads, and through a secret that is used twice.
//! What an agent reaches in one way is left out of those after it. Every way says what is reached the easiest, and how many
//! resources are reached in all. Services that hold secrets are apart, in `chain`: they lead to secrets, and to no resource.

pub(crate) mod behind;
pub(crate) mod chain;
pub(crate) mod direct;
mod reached;
pub(crate) mod spots;
mod together;

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use crate::basis::{Basis, Cost, Sensitivity};
use behind::{Open, Spots, Wanted};
use direct::Direct;
use together::{Opened, Together};

/// How many edges are written down for one agent that reaches something directly or through a machine: the easiest, then those
/// to the smallest ids.
pub(crate) const MOST: usize = 100;

/// The same for each way through secrets. One secret that is used everywhere leads everywhere, so nearly every agent of a large
/// estate gets to the bound.
pub(crate) const MOST_BY_SECRET: usize = 20;

/// The ways to resources. Made once for all processors that ask.
#[derive(Debug)]
pub(crate) struct Ways {
    direct: Direct,
    reading: Spots,
    reuse: Spots,
    /// What lies behind spots of both sorts. Those of reuse are numbered after the others.
    together: Together,
    /// By group: the numbers of the servers behind it.
    groups: Vec<Vec<u32>>,
    /// The number of the first group of reuse.
    first_reuse: usize,
    first_server: u32,
}

impl Ways {
    pub(crate) fn new(basis: &Basis<'_>) -> Self {
        let direct = Direct::new(basis);
        let (reading, reuse) = (spots::reading(basis), spots::reuse(basis));
        let first_reuse = reading.iter().map(|spot| spot.group + 1).max().unwrap_or(0);
        let count = reuse.iter().map(|spot| first_reuse + spot.group + 1).max().unwrap_or(first_reuse);
        let first_server = basis.view.range_of(NodeKind::McpServer).start;
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); count];
        let numbered = reading.iter().map(|spot| (spot.group, spot));
        for (group, spot) in numbered.chain(reuse.iter().map(|spot| (first_reuse + spot.group, spot))) {
            let servers = spot.held.keys().map(|(server, _)| server.0.wrapping_sub(first_server));
            groups.get_mut(group).into_iter().for_each(|group| group.extend(servers.clone()));
        }
        for group in &mut groups {
            group.sort_unstable();
            group.dedup();
        }
        let together = Together::new(direct.amounts(), &groups);
        let (reading, reuse) = (Spots::new(basis, &direct, reading), Spots::new(basis, &direct, reuse));
        Self { direct, reading, reuse, together, groups, first_reuse, first_server }
    }

    /// The number of a server among those that give something.
    const fn number(&self, server: NodeIx) -> u32 {
        server.0.wrapping_sub(self.first_server)
    }

    /// To ask for one agent after the other.
    pub(crate) fn asked<'a>(&'a self, basis: &'a Basis<'a>) -> Asked<'a> {
        Asked { basis, ways: self, read: Opened::new(&self.together), any: Opened::new(&self.together) }
    }
}

/// Asks what agents reach.
pub(crate) struct Asked<'a> {
    basis: &'a Basis<'a>,
    ways: &'a Ways,
    /// Spots at which tools of the agent read.
    read: Opened<'a>,
    /// These, and secrets that are used twice.
    any: Opened<'a>,
}

impl Asked<'_> {
    /// What an agent reaches directly.
    pub(crate) fn direct(&self, agent: NodeIx) -> Found<direct::Way> {
        self.ways.direct.of(self.basis, agent)
    }

    /// What an agent reaches through secrets that tools read, and not directly.
    pub(crate) fn reading(&mut self, agent: NodeIx) -> Found<behind::Way> {
        let (basis, trusted) = (self.basis, trusted(self.basis, agent));
        let open = self.ways.reading.open_to(basis, agent, &trusted);
        if open.is_empty() {
            return Found::nothing();
        }
        self.open_reading(&open);
        let trusts = basis.view.outgoing(EdgeKind::TrustsServer, agent);
        let own = self.read.amount_without(trusted.iter().map(|(_, server)| self.ways.number(*server)));
        let is_left_out = |server| trusts.to(server).is_some();
        let easiest =
            open.easiest(&Wanted { sensitivity: None, most: basis.bound(MOST_BY_SECRET), is_left_out: &is_left_out });
        Found::of(basis, easiest, own, open.shared(&|resource| direct::way(basis, agent, resource).is_some()))
    }

    /// What an agent reaches through secrets that are used twice, and not more simply.
    pub(crate) fn reuse(&mut self, agent: NodeIx) -> Found<behind::Way> {
        let (basis, trusted) = (self.basis, trusted(self.basis, agent));
        let open = self.ways.reuse.open_to(basis, agent, &trusted);
        if open.is_empty() {
            return Found::nothing();
        }
        let reading = self.ways.reading.open_to(basis, agent, &trusted);
        self.open_reading(&reading);
        self.any.close();
        let groups = reading.groups().chain(open.groups().map(|group| self.ways.first_reuse + group));
        groups.for_each(|group| self.any.open(group));
        let servers = || trusted.iter().map(|(_, server)| self.ways.number(*server));
        let own = self.any.amount_without(servers()) - self.read.amount_without(servers());
        let trusts = basis.view.outgoing(EdgeKind::TrustsServer, agent);
        let is_left_out = |server| trusts.to(server).is_some() || self.read.has(self.ways.number(server));
        let easiest =
            open.easiest(&Wanted { sensitivity: None, most: basis.bound(MOST_BY_SECRET), is_left_out: &is_left_out });
        let is_simpler =
            |resource: NodeIx| direct::way(basis, agent, resource).is_some() || reading.reaches_shared(resource);
        Found::of(basis, easiest, own, open.shared(&is_simpler))
    }

    /// Of the resources of a sensitivity that an agent reaches through secrets, and not directly, the easiest to reach, then by
    /// id: through a secret that a tool reads, and through one that is used twice.
    ///
    /// Growth: as above, with what is written down only once.
    pub(crate) fn first_of(&mut self, agent: NodeIx, sensitivity: Sensitivity) -> [Option<(NodeIx, behind::Way)>; 2] {
        let (basis, trusted) = (self.basis, trusted(self.basis, agent));
        let reading = self.ways.reading.open_to(basis, agent, &trusted);
        let reuse = self.ways.reuse.open_to(basis, agent, &trusted);
        self.open_reading(&reading);
        let trusts = basis.view.outgoing(EdgeKind::TrustsServer, agent);
        let is_trusted = |server| trusts.to(server).is_some();
        let is_left =
            |resource| basis.sensitivity(resource) != sensitivity || direct::way(basis, agent, resource).is_some();
        let is_simpler = |server| is_trusted(server) || self.read.has(self.ways.number(server));
        let first = |open: &Open<'_>, is_left_out: &dyn Fn(NodeIx) -> bool, is_left: &dyn Fn(NodeIx) -> bool| {
            let own = open.easiest(&Wanted { sensitivity: Some(sensitivity), most: 1, is_left_out });
            let all = own.into_iter().chain(open.shared(is_left));
            all.min_by_key(|(cost, resource, _)| (*cost, *resource)).map(|(_, resource, way)| (resource, way))
        };
        [
            first(&reading, &is_trusted, &is_left),
            first(&reuse, &is_simpler, &|resource| is_left(resource) || reading.reaches_shared(resource)),
        ]
    }

    /// Which of some resources an agent reaches: directly, or through secrets.
    ///
    /// Growth: linear in the entries of the agent's servers to spots; and for each resource in those who provide it.
    pub(crate) fn reaches(&mut self, agent: NodeIx, resources: impl Iterator<Item = NodeIx>) -> Vec<bool> {
        let (basis, trusted) = (self.basis, trusted(self.basis, agent));
        let reading = self.ways.reading.open_to(basis, agent, &trusted);
        let reuse = self.ways.reuse.open_to(basis, agent, &trusted);
        self.any.close();
        let groups = reading.groups().chain(reuse.groups().map(|group| self.ways.first_reuse + group));
        groups.for_each(|group| self.any.open(group));
        let lies_behind = |server: NodeIx, resource: NodeIx| {
            self.any.has(self.ways.number(server))
                && !self.ways.direct.is_shared(server, resource)
                && basis.access().find(server, resource).is_some()
        };
        let reaches = |resource: NodeIx| {
            direct::way(basis, agent, resource).is_some()
                || basis.sources(EdgeKind::ProvidesResource, resource).any(|server| lies_behind(server, resource))
                || reading.reaches_shared(resource)
                || reuse.reaches_shared(resource)
        };
        resources.map(reaches).collect()
    }

    fn open_reading(&mut self, open: &Open<'_>) {
        self.read.close();
        open.groups().for_each(|group| self.read.open(group));
    }
}

/// The servers that an agent trusts with the cost of using each; the easiest first, then by id.
pub(crate) fn trusted(basis: &Basis<'_>, agent: NodeIx) -> Vec<(Cost, NodeIx)> {
    let mut servers: Vec<(Cost, NodeIx)> =
        basis.view.outgoing(EdgeKind::TrustsServer, agent).map(|(server, edge)| (basis.cost(edge), server)).collect();
    servers.sort_unstable();
    servers
}

/// Keeps the best, and the best with another mark. Whoever must avoid one mark finds the best of the rest among these.
pub(crate) fn best_two<T: Ord + Copy, M: PartialEq>(ways: &mut Vec<T>, mark: impl Fn(&T) -> M) {
    let Some(first) = ways.iter().min().copied() else { return };
    let second = ways.iter().filter(|way| mark(way) != mark(&first)).min().copied();
    *ways = [Some(first), second].into_iter().flatten().collect();
}

/// What was found for an agent: the targets that are written down with how each is reached, and how many more there are.
#[derive(Debug)]
pub(crate) struct Found<T> {
    pub(crate) shown: Vec<(NodeIx, T)>,
    pub(crate) beyond: u64,
}

impl<T> Found<T> {
    /// Of everything that is reached, the easiest.
    pub(crate) fn best(mut all: Vec<(Cost, NodeIx, T)>, most: usize) -> Self {
        all.sort_by_key(|(cost, target, _)| (*cost, *target));
        let beyond = all.len().saturating_sub(most) as u64;
        Self { shown: all.into_iter().take(most).map(|(_, target, how)| (target, how)).collect(), beyond }
    }

    /// Of what one server alone provides, the easiest and how many there are; and all of the rest.
    fn of(basis: &Basis<'_>, easiest: Vec<(Cost, NodeIx, T)>, own: u64, shared: Vec<(Cost, NodeIx, T)>) -> Self {
        let total = own + shared.len() as u64;
        let found = Self::best(easiest.into_iter().chain(shared).collect(), basis.bound(MOST_BY_SECRET));
        Self { beyond: total - found.shown.len() as u64, ..found }
    }

    const fn nothing() -> Self {
        Self { shown: Vec::new(), beyond: 0 }
    }
}
