//! The rule of machines: a path through a command stays on one of the machines that start it.

use std::collections::BTreeSet;

use tracehound_graph::Graph;
use tracehound_model::EdgeKind;

use crate::expected::Reader as _;

/// Machines by name; none where it may be any.
pub(crate) type On = Option<BTreeSet<String>>;

/// An edge by its source, kind and target.
pub(crate) type Fact<'a> = (&'a str, EdgeKind, &'a str);

const PROVIDED: [EdgeKind; 3] = [EdgeKind::ProvidesTool, EdgeKind::ProvidesResource, EdgeKind::ProvidesPrompt];
const CONFIGURED: [EdgeKind; 5] = [
    EdgeKind::TrustsServer,
    EdgeKind::RunsOn,
    EdgeKind::HasEnvVar,
    EdgeKind::AuthenticatesWith,
    EdgeKind::ConfiguredIn,
];

fn is_command(graph: &Graph, server: &str) -> bool {
    graph.text(server, "transport").as_deref() == Some("stdio")
}

fn origins(graph: &Graph, (source, kind, target): Fact<'_>) -> On {
    Some(graph.origins(source, kind, target)?.into_iter().collect())
}

/// The machines on which all of these are true of a server.
pub(crate) fn machines(graph: &Graph, server: &str, facts: &[Fact<'_>]) -> On {
    let known = facts.iter().filter(|_| is_command(graph, server)).filter_map(|fact| origins(graph, *fact));
    known.reduce(|one, other| one.intersection(&other).cloned().collect())
}

/// The machines that showed something of a server.
fn asked(graph: &Graph, server: &str) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    for kind in PROVIDED {
        for thing in graph.to(server, kind) {
            asked.extend(origins(graph, (server, kind, &thing)).unwrap_or_default());
        }
    }
    asked
}

/// Whether one of these machines has, or may have, all these things that a server provides. If it is not known which machines
/// are meant, it may be any on which the server is started.
pub(crate) fn have(graph: &Graph, server: &str, on: &On, things: &[(EdgeKind, &str)]) -> bool {
    let asked = asked(graph, server);
    let anywhere = || asked.union(&started(graph, server)).cloned().collect::<BTreeSet<_>>();
    let machines = on.clone().unwrap_or_else(anywhere);
    if !is_command(graph, server) || on.is_none() && machines.is_empty() {
        return true;
    }
    machines.iter().any(|machine| {
        let has = |(kind, thing): &(EdgeKind, &str)| {
            origins(graph, (server, *kind, thing)).is_none_or(|shown| shown.contains(machine))
        };
        !asked.contains(machine) || things.iter().all(has)
    })
}

/// Whether two tools can be on one machine. What several servers provide has no machine of its own.
pub(crate) fn can_meet(graph: &Graph, one: &str, other: &str) -> bool {
    match (around(graph, one), around(graph, other)) {
        (Some(one), Some(other)) => !one.is_disjoint(&other),
        _ => true,
    }
}

/// The machines on which a tool is, or may be.
fn around(graph: &Graph, tool: &str) -> On {
    let servers = graph.from(tool, EdgeKind::ProvidesTool);
    let [server] = servers.as_slice() else { return None };
    let mut on = origins(graph, (server, EdgeKind::ProvidesTool, tool)).filter(|_| is_command(graph, server))?;
    on.extend(started(graph, server).difference(&asked(graph, server)).cloned());
    Some(on)
}

/// The machines of which configurations say that a server is started there.
fn started(graph: &Graph, server: &str) -> BTreeSet<String> {
    let mut started = BTreeSet::new();
    for kind in CONFIGURED {
        for other in graph.to(server, kind) {
            started.extend(origins(graph, (server, kind, &other)).unwrap_or_default());
        }
        for other in graph.from(server, kind) {
            started.extend(origins(graph, (&other, kind, server)).unwrap_or_default());
        }
    }
    started
}
