//! `tracehound chokepoints`.

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{self, Between, Change, FixCosts};
use tracehound_analyze::routes::{Allowed, Direction, reach};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_graph::{NodeIx, View as _};

use super::carriers;
use super::changes::{sentence, where_to_change};
use super::estate_view::{Chosen, EstateView, bounded_words, counted, name, node_json, place_words};
use crate::args::{Chokepoints, Format};
use crate::fix_cost::Changed;
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe};
use crate::settings::Settings;

/// What to change, what it costs, and why nothing cheaper does.
struct Cut {
    cost: u64,
    changes: Vec<Change>,
    nodes: Vec<NodeIx>,
    proof: Vec<(u64, Vec<NodeIx>)>,
    unavoidable: Vec<NodeIx>,
}

/// How many of the ends there is a way from or to.
struct Connected {
    sources: usize,
    targets: usize,
}

/// What is asked, and what it is asked of.
struct Question<'a> {
    arguments: &'a Chokepoints,
    picture: Picture<'a>,
    terrain: &'a Terrain,
    from: &'a Chosen,
    to: &'a Chosen,
}

pub(super) fn run(arguments: &Chokepoints, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let costs = costs(arguments)?;
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let (from, to) = (estate.choose(&arguments.from)?, estate.choose(&arguments.to)?);
    let picture = estate.picture();
    let terrain = Terrain::new(&picture, Shortcuts::No);
    let question = Question { arguments, picture, terrain: &terrain, from: &from, to: &to };
    let cut = question.cut(&costs)?;
    let connected = question.connected();
    match settings.format {
        Format::Json => output.json(&question.json(&cut, &connected))?,
        Format::Table | Format::Markdown => {
            question.print(&cut, &connected, output)?;
            carriers::print(&picture, arguments.carriers, output)?;
        }
    }
    Ok(Outcome::Clean)
}

/// What changes cost; a cost that could not count is refused.
fn costs(arguments: &Chokepoints) -> anyhow::Result<FixCosts> {
    let mut costs = FixCosts::default();
    for cost in &arguments.costs {
        match (cost.kind, arguments.nodes) {
            (Changed::Node(kind), false) => bail!("`{kind}` is a kind of nodes; these are removed only with --nodes"),
            (Changed::Edge(kind), true) => bail!("`{kind}` is a kind of edges, and --nodes removes only nodes"),
            _ => cost.apply(&mut costs),
        }
    }
    Ok(costs)
}

impl Question<'_> {
    fn cut(&self, costs: &FixCosts) -> anyhow::Result<Cut> {
        let between = Between { sources: &self.from.nodes, targets: &self.to.nodes };
        let unavoidable = choke::unavoidable(self.terrain, between)?;
        Ok(if self.arguments.nodes {
            let cut = choke::nodes(&self.picture, self.terrain, between, costs)?;
            Cut { cost: cut.cost, changes: Vec::new(), nodes: cut.nodes, proof: cut.proof, unavoidable }
        } else {
            let cut = choke::edges(&self.picture, self.terrain, between, costs)?;
            Cut { cost: cut.cost, changes: cut.changes, nodes: Vec::new(), proof: cut.proof, unavoidable }
        })
    }

    /// Two searches, one from either side.
    fn connected(&self) -> Connected {
        let count = |starts: &[NodeIx], direction, ends: &[NodeIx]| {
            let starts = self.terrain.places(starts);
            let reached = reach(self.terrain.arcs(), &starts, direction, Allowed::Every, None);
            let reached = reached.nodes.iter().filter_map(|reached| self.terrain.node(reached.node));
            let mut met: Vec<NodeIx> = reached.filter(|node| ends.binary_search(node).is_ok()).collect();
            met.sort_unstable();
            met.dedup();
            met.len()
        };
        Connected {
            sources: count(&self.to.nodes, Direction::Backward, &self.from.nodes),
            targets: count(&self.from.nodes, Direction::Forward, &self.to.nodes),
        }
    }

    fn json(&self, cut: &Cut, connected: &Connected) -> Value {
        let picture = &self.picture;
        let nodes = |nodes: &[NodeIx]| nodes.iter().map(|node| node_json(picture, *node)).collect::<Vec<_>>();
        let proof = |(amount, way): &(u64, Vec<NodeIx>)| json!({ "amount": amount, "nodes": nodes(way) });
        let change = |change: &Change| {
            let (source, target) = picture.ends(change.edge);
            let (file, line) = where_to_change(picture, change).unzip();
            json!({
                "kind": change.edge.kind,
                "source": node_json(picture, source),
                "target": node_json(picture, target),
                "machine": change.machine,
                "cost": change.cost,
                "change": sentence(picture, change),
                "file": file,
                "line": line.flatten(),
            })
        };
        json!({
            "from": self.from.json(),
            "to": self.to.json(),
            "connected": { "sources": connected.sources, "targets": connected.targets },
            "removes": if self.arguments.nodes { "nodes" } else { "edges" },
            "cost": cut.cost,
            "changes": cut.changes.iter().map(change).collect::<Vec<_>>(),
            "nodes": nodes(&cut.nodes),
            "proof": cut.proof.iter().map(proof).collect::<Vec<_>>(),
            "unavoidable": nodes(&cut.unavoidable),
            "bounded": self.terrain.bounded(),
            "carriers": carriers::json(picture, self.arguments.carriers),
        })
    }

    fn print(&self, cut: &Cut, connected: &Connected, output: &mut Output) -> anyhow::Result<()> {
        let (from, to) = (self.from, self.to);
        if let Some(reason) = from.why_empty().or_else(|| to.why_empty()) {
            return output.line(format!("nothing to separate: {reason}"));
        }
        if connected.targets == 0 {
            return output.line(format!("nothing to separate: no path leads from {} to {}", from.words(), to.words()));
        }
        let (sources, targets) = (connected.sources, connected.targets);
        let (from, to) = (from.words(), to.words());
        output.line(format!("there are paths from {sources} of {from} to {targets} of {to}"))?;
        self.print_changes(cut, output)?;
        if !cut.unavoidable.is_empty() {
            let names: Vec<String> = cut.unavoidable.iter().map(|node| self.called(*node)).collect();
            output.line(format!("every path goes through: {}", names.join(", ")))?;
        }
        if self.arguments.proof {
            self.print_proof(cut, output)?;
        }
        bounded_words(self.terrain.bounded()).map_or(Ok(()), |words| output.line(words))
    }

    fn print_changes(&self, cut: &Cut, output: &mut Output) -> anyhow::Result<()> {
        let count = cut.changes.len() + cut.nodes.len();
        output.line(format!(
            "the cheapest way to separate them is {} of cost {}",
            counted(count, "change"),
            cut.cost
        ))?;
        for change in cut.changes.iter().take(SHOWN) {
            let at = where_to_change(&self.picture, change);
            let at = at.map_or_else(String::new, |at| format!(" ({})", place_words(&at)));
            output.line(format!("  {}{at}   cost {}", safe(&sentence(&self.picture, change)), change.cost))?;
        }
        for node in cut.nodes.iter().take(SHOWN) {
            output.line(format!("  remove {}", self.called(*node)))?;
        }
        output.rest(count, "  ")
    }

    fn print_proof(&self, cut: &Cut, output: &mut Output) -> anyhow::Result<()> {
        let unless = if self.arguments.nodes { " if a node takes only its own edges with it" } else { "" };
        output.line(format!(
            "nothing is cheaper{unless}, because these ways alone cost {} to close (checked)",
            cut.cost
        ))?;
        for (amount, way) in cut.proof.iter().take(SHOWN) {
            let names: Vec<String> = way.iter().map(|node| name(&self.picture, *node)).collect();
            output.line(format!("  {amount} x {}", names.join(" -> ")))?;
        }
        output.rest(cut.proof.len(), "  ")
    }

    fn called(&self, node: NodeIx) -> String {
        format!("{} {}", self.picture.kind(node), name(&self.picture, node))
    }
}
