//! `tracehound graph mark` and `tracehound graph marks`.

use anyhow::ensure;
use serde_json::{Value, json};
use tracehound_analyze::naming;
use tracehound_graph::{Access, Graph, MarkDecision, Point, View as _};
use tracehound_model::{Mark, NodeId};

use super::estate_view::name;
use super::estate_writer::Writer;
use crate::args::{Format, Mark as Arguments};
use crate::clock;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

/// Puts a mark on nodes, or takes their marks away: all of them or none.
pub(super) fn mark(arguments: &Arguments, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    ensure!(!arguments.author.trim().is_empty(), "a mark needs somebody who gives it; name them with --author");
    let mark = match (arguments.owned, arguments.crown_jewel) {
        (true, _) => Some(Mark::Owned),
        (_, true) => Some(Mark::CrownJewel),
        _ => None,
    };
    let mut writer = Writer::open(settings, Access::Change)?;
    let graph = writer.graph(&Point::Now, settings)?;
    let nodes = arguments.nodes.iter().map(|text| naming::find(&graph, text)).collect::<Result<Vec<_>, _>>()?;
    let at = clock::now();
    let decision = |node: &tracehound_graph::NodeIx| MarkDecision {
        node: NodeId::from_wire(graph.id(*node).into_owned()),
        mark,
        reason: arguments.reason.clone(),
        author: arguments.author.clone(),
        at,
    };
    let decisions: Vec<MarkDecision> = nodes.iter().map(decision).collect();
    writer.mark(&decisions)?;
    if settings.format == Format::Json {
        let ids: Vec<&str> = decisions.iter().map(|decision| decision.node.as_str()).collect();
        output.json(&json!({ "mark": mark, "nodes": ids }))?;
        return Ok(Outcome::Clean);
    }
    for node in nodes {
        let (kind, name) = (graph.kind(node), name(&graph, node));
        match mark {
            Some(mark) => output.line(format!("marked {kind} {name} as {mark}"))?,
            None => output.line(format!("{kind} {name} has no mark"))?,
        }
    }
    Ok(Outcome::Clean)
}

/// Lists the marks at a point, with who gave each and why.
pub(super) fn list(at: &str, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut estate = super::open_loaded(settings, Access::Read)?;
    let point = estate.point(at)?;
    let graph = estate.graph(&point)?;
    let until = estate.moment_of(&point)?;
    let mut given = Vec::new();
    for (node, mark) in estate.marks_at(until)? {
        let last = estate.mark_history(&node)?.into_iter().rev().find(|record| record.at <= until);
        given.push(Given { node, mark, record: last });
    }
    if settings.format == Format::Json {
        output.json(&given.iter().map(|given| given.json(&graph)).collect::<Vec<_>>())?;
        return Ok(Outcome::Clean);
    }
    if given.is_empty() {
        output.line("no node is marked")?;
        return Ok(Outcome::Clean);
    }
    output.table(["MARK", "KIND", "NODE", "BY", "AT", "REASON"], given.iter().map(|given| given.row(&graph)))?;
    Ok(Outcome::Clean)
}

/// A mark and where it comes from.
struct Given {
    node: NodeId,
    mark: Mark,
    record: Option<tracehound_graph::MarkRecord>,
}

impl Given {
    fn json(&self, graph: &Graph) -> Value {
        let found = graph.find(self.node.as_str());
        json!({
            "node": self.node,
            "kind": found.map(|node| graph.kind(node)),
            "name": found.map(|node| graph.name(node)),
            "mark": self.mark,
            "author": self.record.as_ref().map(|record| &record.author),
            "reason": self.record.as_ref().map(|record| &record.reason),
            "at": self.record.as_ref().map(|record| record.at),
        })
    }

    fn row(&self, graph: &Graph) -> [String; 6] {
        // A mark outlives the node, and holds again if it comes back.
        let (kind, name) = graph.find(self.node.as_str()).map_or_else(
            || ("not there".to_owned(), safe(self.node.as_str())),
            |node| (graph.kind(node).to_string(), name(graph, node)),
        );
        let (author, at, reason) = self.record.as_ref().map_or_else(Default::default, |record| {
            (safe(&record.author), record.at.to_string(), safe(&record.reason))
        });
        [self.mark.to_string(), kind, name, author, at, reason]
    }
}
