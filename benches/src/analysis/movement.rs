//! Paths and cuts on the terrain of a generated estate.

use std::time::Instant;

use tracehound_analyze::choke::{self, Between, FixCosts};
use tracehound_analyze::routes::{Allowed, By, Direction, Query, Workspace, best, k_best};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{NodeIx, Point, PropertyValue, View as _};
use tracehound_model::NodeKind;

use crate::figure::{Figures, say};

/// How many pairs are asked for.
const PAIRS: usize = 400;

/// Runs it.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut estate, _) = super::generated(folder.path())?;
    let graph = estate.graph(&Point::Now)?;
    let analysis = Analysis::of(&graph);
    let picture = Picture::new(&graph, &analysis);
    let begin = Instant::now();
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let laid = begin.elapsed().as_secs_f64();
    let (places, arcs) = (terrain.arcs().node_count(), terrain.arcs().arc_count());
    say(&format!("  terrain: {places} places, {arcs} arcs, laid out in {:.0} ms", laid * 1e3));
    let agents: Vec<NodeIx> = graph.nodes_of(NodeKind::AgentInstance).collect();
    let is_critical = |resource: &NodeIx| {
        graph.property(*resource, "sensitivity").as_ref().and_then(PropertyValue::as_text) == Some("critical")
    };
    let critical: Vec<NodeIx> = graph.nodes_of(NodeKind::McpResource).filter(is_critical).collect();
    paths(&terrain, &agents, &critical);
    cuts(&picture, &terrain, &agents, &critical, figures)
}

/// Paths from single agents to single critical resources, whether there is one or not.
fn paths(terrain: &Terrain, agents: &[NodeIx], critical: &[NodeIx]) {
    let mut space = Workspace::default();
    let (mut single, mut several, mut found) = (Vec::new(), Vec::new(), 0);
    for number in 0..PAIRS {
        // Two steps that share no factor with the lengths spread the pairs over both lists.
        let agent = agents.get(number * 7919 % agents.len().max(1)).copied();
        let resource = critical.get(number * 104_729 % critical.len().max(1)).copied();
        let (Some(agent), Some(resource)) = (agent, resource) else { return };
        let (sources, targets) = (terrain.places(&[agent]), terrain.places(&[resource]));
        let query =
            Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
        let begin = Instant::now();
        let route = best(terrain.arcs(), &query, &mut space);
        single.push(begin.elapsed().as_secs_f64());
        found += usize::from(route.is_some());
        if route.is_some() {
            let begin = Instant::now();
            k_best(terrain.arcs(), &query, 10, &mut space);
            several.push(begin.elapsed().as_secs_f64());
        }
    }
    say(&format!("  {found} of {PAIRS} pairs of an agent and a critical resource are connected"));
    say(&format!("    best path: median {}, p99 {}", told(&mut single, 50), told(&mut single, 99)));
    say(&format!("    ten best paths: median {}, p95 {}", told(&mut several, 50), told(&mut several, 95)));
}

fn told(seconds: &mut [f64], percent: usize) -> String {
    seconds.sort_by(f64::total_cmp);
    let position = (seconds.len() * percent / 100).min(seconds.len().saturating_sub(1));
    format!("{:.3} ms", seconds.get(position).copied().unwrap_or(f64::NAN) * 1e3)
}

/// The cheapest cut between all agents and all critical resources.
fn cuts(
    picture: &Picture<'_>,
    terrain: &Terrain,
    agents: &[NodeIx],
    critical: &[NodeIx],
    figures: &mut Figures,
) -> anyhow::Result<()> {
    let sources = terrain.places(agents);
    let begin = Instant::now();
    let reached = tracehound_analyze::routes::reach(terrain.arcs(), &sources, Direction::Forward, Allowed::Every, None);
    let sweep = begin.elapsed().as_secs_f64();
    std::hint::black_box(&reached);
    let begin = Instant::now();
    let cut = choke::edges(picture, terrain, Between { sources: agents, targets: critical }, &FixCosts::default())?;
    let seconds = begin.elapsed().as_secs_f64();
    let carried: u64 = cut.proof.iter().map(|(amount, _)| amount).sum();
    say(&format!(
        "  cheapest cut from {} agents to {} critical resources: {} changes, proved by {} paths, {:.0} ms, {:.0} sweeps of the same graph",
        agents.len(),
        critical.len(),
        cut.changes.len(),
        cut.proof.len(),
        seconds * 1e3,
        seconds / sweep
    ));
    figures.at_most("the cut against the flow that proves it", cut.cost as f64 / carried as f64, 1.0, "x");
    Ok(())
}
