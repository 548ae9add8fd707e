//! `tracehound chokepoints`.

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{
    Between, Change, FixCosts, NoCost, Removal, Removed, Separation, sentence, separate, where_to_change,
};
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::walk::{as_far_as_walked, bounded_words};
use tracehound_graph::{NodeIx, View as _};

use super::carriers;
use super::estate_view::{Chosen, EstateView, counted, name, node_json, place_words};
use crate::args::{Chokepoints, Format};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe};
use crate::settings::Settings;

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
    let between = Between { sources: &from.nodes, targets: &to.nodes };
    let cut = separate(&picture, &terrain, between, &costs, removed(arguments))?;
    match settings.format {
        Format::Json => output.json(&question.json(&cut))?,
        Format::Table | Format::Markdown => {
            question.print(&cut, output)?;
            carriers::print(&picture, arguments.carriers, output)?;
        }
    }
    Ok(Outcome::Clean)
}

const fn removed(arguments: &Chokepoints) -> Removed {
    if arguments.nodes { Removed::Nodes } else { Removed::Edges }
}

/// What changes cost; a cost that could not count is refused.
fn costs(arguments: &Chokepoints) -> anyhow::Result<FixCosts> {
    match FixCosts::of(&arguments.costs, removed(arguments)) {
        Err(NoCost::NotRemoved { kind, .. }) if arguments.nodes => {
            bail!("`{kind}` is a kind of edges, and --nodes removes only nodes")
        }
        Err(NoCost::NotRemoved { kind, .. }) => {
            bail!("`{kind}` is a kind of nodes; these are removed only with --nodes")
        }
        costs => Ok(costs?),
    }
}

impl Question<'_> {
    fn json(&self, cut: &Separation) -> Value {
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
        let removal = |removal: &Removal| {
            let mut node = node_json(picture, removal.node);
            if let (Some(machine), Some(node)) = (&removal.machine, node.as_object_mut()) {
                node.insert("machine".to_owned(), Value::from(machine.as_str()));
            }
            node
        };
        json!({
            "from": self.from.json(),
            "to": self.to.json(),
            "connected": { "sources": cut.connected.sources, "targets": cut.connected.targets },
            "removes": if self.arguments.nodes { "nodes" } else { "edges" },
            "cost": cut.cost,
            "changes": cut.changes.iter().map(change).collect::<Vec<_>>(),
            "nodes": cut.removals.iter().map(removal).collect::<Vec<_>>(),
            "proof": cut.proof.iter().map(proof).collect::<Vec<_>>(),
            "unavoidable": nodes(&cut.unavoidable),
            "bounded": self.terrain.bounded(),
            "carriers": carriers::json(picture, self.arguments.carriers),
        })
    }

    fn print(&self, cut: &Separation, output: &mut Output) -> anyhow::Result<()> {
        let (from, to) = (self.from, self.to);
        if let Some(reason) = from.why_empty().or_else(|| to.why_empty()) {
            return output.line(format!("nothing to separate: {reason}"));
        }
        if cut.connected.targets == 0 {
            return output.line(format!("nothing to separate: no path leads from {} to {}", from.words(), to.words()));
        }
        let (sources, targets) = (cut.connected.sources, cut.connected.targets);
        let (from, to) = (from.words(), to.words());
        output.line(format!("there are paths from {sources} of {from} to {targets} of {to}"))?;
        self.print_changes(cut, output)?;
        if !cut.unavoidable.is_empty() {
            let names: Vec<String> = cut.unavoidable.iter().map(|node| self.called(*node)).collect();
            output.line(format!("every path{} goes through: {}", as_far_as_walked(self.terrain), names.join(", ")))?;
        }
        if self.arguments.proof {
            self.print_proof(cut, output)?;
        }
        bounded_words(self.terrain).map_or(Ok(()), |words| output.line(words))
    }

    fn print_changes(&self, cut: &Separation, output: &mut Output) -> anyhow::Result<()> {
        let count = cut.changes.len() + cut.removals.len();
        output.line(format!(
            "the cheapest way to separate them{} is {} of cost {}",
            as_far_as_walked(self.terrain),
            counted(count, "change"),
            cut.cost
        ))?;
        for change in cut.changes.iter().take(SHOWN) {
            let at = where_to_change(&self.picture, change);
            let at = at.map_or_else(String::new, |at| format!(" ({})", place_words(&at)));
            output.line(format!("  {}{at}   cost {}", safe(&sentence(&self.picture, change)), change.cost))?;
        }
        for removal in cut.removals.iter().take(SHOWN) {
            let on = removal.machine.as_ref().map_or_else(String::new, |machine| format!(" on `{}`", safe(machine)));
            output.line(format!("  remove {}{on}", self.called(removal.node)))?;
        }
        output.rest(count, "  ")
    }

    fn print_proof(&self, cut: &Separation, output: &mut Output) -> anyhow::Result<()> {
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
