//! Which tools have access to which resources of the same server.
//!
//! A server with many tools and many resources has far more pairs than it has things, so the pairs are never written
//! down: a server's tools and resources are sorted by what opens what, and a pair is a question about both.
//!
//! Growth: linear in tools, resources, their provider edges and the texts of descriptions, but for sorting.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::{EdgeKind, NodeKind};

use super::scheme::scheme_of;
use super::words::Names;
use super::{Basis, Capabilities, Family};

/// Why a tool is taken to have access to a resource; the first that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchType {
    /// It asks databases, and the resource is one.
    Database,
    /// It reads or writes files, and the resource is one.
    File,
    /// Its description names the resource.
    Description,
}

impl MatchType {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Database => "capability_db",
            Self::File => "capability_file",
            Self::Description => "description",
        }
    }

    /// How sure it makes us.
    #[must_use]
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Database | Self::File => 0.7,
            Self::Description => 0.9,
        }
    }
}

/// A resource of a server that some tool of the server has access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accessible {
    /// The resource.
    pub resource: NodeIx,
    /// The tool with the smallest id among those that have access.
    pub tool: NodeIx,
}

/// The tools that have access to one resource of a server: two groups that are shared by many resources, and single tools.
#[derive(Debug, Clone, Copy, Default)]
pub struct Readers<'a> {
    /// Tools that have access by what they can do, by their ids.
    pub by_capability: &'a [NodeIx],
    /// Tools whose descriptions name the resource, by their ids. They may be among the others as well.
    pub by_description: &'a [NodeIx],
}

/// The access of one server's tools.
#[derive(Debug, Default)]
struct ServerAccess {
    databases: Vec<NodeIx>,
    files: Vec<NodeIx>,
    accessible: Vec<Accessible>,
    /// Resources named in descriptions, with the tools that name them, and the other way round.
    described: BTreeMap<NodeIx, Vec<NodeIx>>,
    describing: BTreeMap<NodeIx, Vec<NodeIx>>,
    /// The resources of each family, by their ids.
    database_resources: Vec<NodeIx>,
    file_resources: Vec<NodeIx>,
}

/// Which tools have access to which resources.
#[derive(Debug)]
pub struct Access {
    first_server: u32,
    servers: Vec<ServerAccess>,
    first_resource: u32,
    families: Vec<Family>,
}

impl Access {
    pub(super) fn new(basis: &Basis<'_>) -> Self {
        let range = basis.view.range_of(NodeKind::McpServer);
        let resources = basis.view.range_of(NodeKind::McpResource);
        let families: Vec<Family> = resources.clone().map(|resource| family(basis, NodeIx(resource))).collect();
        let mut access =
            Self { first_server: range.start, servers: Vec::new(), first_resource: resources.start, families };
        access.servers = range.map(|server| access.of_server(basis, NodeIx(server))).collect();
        access
    }

    fn of_server(&self, basis: &Basis<'_>, server: NodeIx) -> ServerAccess {
        let resources: Vec<NodeIx> = basis.targets(EdgeKind::ProvidesResource, server).collect();
        if resources.is_empty() {
            return ServerAccess::default();
        }
        let tools: Vec<NodeIx> = basis.targets(EdgeKind::ProvidesTool, server).collect();
        let with = |powers: Capabilities| -> Vec<NodeIx> {
            tools.iter().copied().filter(|tool| basis.capabilities(*tool).meets(powers)).collect()
        };
        let of = |family: Family| -> Vec<NodeIx> {
            resources.iter().copied().filter(|resource| self.family(*resource) == family).collect()
        };
        let described = described(basis, &tools, &resources);
        let mut describing: BTreeMap<NodeIx, Vec<NodeIx>> = BTreeMap::new();
        for (resource, tools) in &described {
            for tool in tools {
                describing.entry(*tool).or_default().push(*resource);
            }
        }
        let mut of_server = ServerAccess {
            databases: with(Capabilities::DATABASES),
            files: with(Capabilities::FILES),
            accessible: Vec::new(),
            described,
            describing,
            database_resources: of(Family::Database),
            file_resources: of(Family::File),
        };
        let first = |resource: NodeIx| {
            let readers = of_server.readers(self.family(resource), resource);
            readers.by_capability.first().into_iter().chain(readers.by_description.first()).min().copied()
        };
        of_server.accessible = resources
            .iter()
            .filter_map(|resource| Some(Accessible { resource: *resource, tool: first(*resource)? }))
            .collect();
        of_server
    }

    /// What opens a resource.
    #[must_use]
    pub fn family(&self, resource: NodeIx) -> Family {
        let offset = resource.0.checked_sub(self.first_resource);
        offset.and_then(|offset| self.families.get(offset as usize)).copied().unwrap_or(Family::Other)
    }

    fn server(&self, server: NodeIx) -> Option<&ServerAccess> {
        self.servers.get(server.0.checked_sub(self.first_server)? as usize)
    }

    /// The resources of a server that tools of it have access to, by their ids.
    #[must_use]
    pub fn accessible(&self, server: NodeIx) -> &[Accessible] {
        self.server(server).map_or(&[], |server| server.accessible.as_slice())
    }

    /// The entry of a resource among [`Access::accessible`].
    #[must_use]
    pub fn find(&self, server: NodeIx, resource: NodeIx) -> Option<Accessible> {
        let all = self.accessible(server);
        let place = all.binary_search_by_key(&resource, |accessible| accessible.resource).ok()?;
        all.get(place).copied()
    }

    /// The tools of a server that have access to a resource of it.
    #[must_use]
    pub fn readers(&self, server: NodeIx, resource: NodeIx) -> Readers<'_> {
        self.server(server).map_or_else(Readers::default, |of| of.readers(self.family(resource), resource))
    }

    /// Why a tool of a server has access to a resource of it; none if it has not.
    #[must_use]
    pub fn why(&self, server: NodeIx, tool: NodeIx, resource: NodeIx) -> Option<MatchType> {
        let readers = self.readers(server, resource);
        if readers.by_capability.binary_search(&tool).is_ok() {
            return Some(if self.family(resource) == Family::Database { MatchType::Database } else { MatchType::File });
        }
        readers.by_description.binary_search(&tool).is_ok().then_some(MatchType::Description)
    }

    /// The tools of a server that open everything of a family that it provides, by their ids.
    #[must_use]
    pub fn openers(&self, server: NodeIx, family: Family) -> &[NodeIx] {
        self.server(server).map_or(&[], |of| of.openers(family))
    }

    /// The resources of a server that are of a family, by their ids.
    #[must_use]
    pub fn of_family(&self, server: NodeIx, family: Family) -> &[NodeIx] {
        self.server(server).map_or(&[], |of| match family {
            Family::Database => &of.database_resources,
            Family::File => &of.file_resources,
            Family::Other => &[],
        })
    }

    /// The resources of a server that a tool's description names, by their ids.
    #[must_use]
    pub fn named_by(&self, server: NodeIx, tool: NodeIx) -> &[NodeIx] {
        self.server(server).and_then(|of| of.describing.get(&tool)).map_or(&[], Vec::as_slice)
    }

    /// The resources of a server that descriptions name, each with the tools that name it.
    pub fn described(&self, server: NodeIx) -> impl Iterator<Item = (NodeIx, &[NodeIx])> {
        let all = self.server(server).map(|of| &of.described);
        all.into_iter().flatten().map(|(resource, tools)| (*resource, tools.as_slice()))
    }

    /// What a tool of a server has access to: everything of the families that it opens, and what its description names.
    #[must_use]
    pub fn lists(&self, server: NodeIx, tool: NodeIx) -> [(MatchType, &[NodeIx]); 3] {
        let opened = |family| {
            let is_opener = self.openers(server, family).binary_search(&tool).is_ok();
            if is_opener { self.of_family(server, family) } else { &[] }
        };
        [
            (MatchType::Database, opened(Family::Database)),
            (MatchType::File, opened(Family::File)),
            (MatchType::Description, self.named_by(server, tool)),
        ]
    }
}

impl ServerAccess {
    fn openers(&self, family: Family) -> &[NodeIx] {
        match family {
            Family::Database => &self.databases,
            Family::File => &self.files,
            Family::Other => &[],
        }
    }

    fn readers(&self, family: Family, resource: NodeIx) -> Readers<'_> {
        let by_description = self.described.get(&resource).map_or(&[][..], Vec::as_slice);
        Readers { by_capability: self.openers(family), by_description }
    }
}

fn family(basis: &Basis<'_>, resource: NodeIx) -> Family {
    match basis.text(resource, "uri_scheme") {
        Some(scheme) => Family::of(&scheme),
        None => basis.text(resource, "uri").map_or(Family::Other, |uri| Family::of(scheme_of(&uri))),
    }
}

/// The resources whose names occur in descriptions of tools, as whole words.
fn described(basis: &Basis<'_>, tools: &[NodeIx], resources: &[NodeIx]) -> BTreeMap<NodeIx, Vec<NodeIx>> {
    let named = resources.iter().filter_map(|resource| Some((basis.text(*resource, "name")?.into_owned(), resource.0)));
    let names = Names::new(named);
    let mut pairs: BTreeMap<NodeIx, BTreeSet<NodeIx>> = BTreeMap::new();
    for tool in tools {
        let Some(description) = basis.text(*tool, "description") else { continue };
        for resource in names.within(&description) {
            pairs.entry(NodeIx(resource)).or_default().insert(*tool);
        }
    }
    pairs.into_iter().map(|(resource, tools)| (resource, tools.into_iter().collect())).collect()
}
