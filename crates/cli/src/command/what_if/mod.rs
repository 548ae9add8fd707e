//! `tracehound what-if`: the estate as it would be, compared with what it is. Nothing is stored.

mod alterations;
mod compared;

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::findings::Altered;
use tracehound_analyze::naming::Selection;
use tracehound_analyze::routes::{Allowed, By, Query, Workspace, best};
use tracehound_analyze::what_if::what_if;
use tracehound_graph::View;
use tracehound_model::Finding;

use super::estate_view::{EstateView, counted, name, node_json};
use super::findings::changed_json;
use super::rules;
use super::walk::{Path, Walk};
use crate::args::{Format, WhatIf};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe, titled};
use crate::settings::Settings;
use compared::{Compared, Edge};

pub(super) fn run(arguments: &WhatIf, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = rules::in_force(settings)?;
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let alterations = alterations::read(&estate, arguments)?;
    let (altered, analysis) = what_if(&estate.graph, &estate.analysis, &alterations);
    let (before, after) = (estate.picture(), Picture::new(&altered, &analysis));
    let compared = Compared::new(&before, &after, &library.rules());
    let paths = [path(&estate, arguments, &before)?, path(&estate, arguments, &after)?];
    let told = Told { arguments, before, after, compared, paths };
    match settings.format {
        Format::Json => output.json(&told.json())?,
        Format::Table | Format::Markdown => told.print(output)?,
    }
    Ok(Outcome::Clean)
}

/// The best path of a picture. Of what is named, nodes that were taken out are passed over.
fn path(estate: &EstateView, arguments: &WhatIf, picture: &Picture<'_>) -> anyhow::Result<Option<Path>> {
    let choose = |text: &str| -> anyhow::Result<_> {
        // Names are those of the estate as it is, so that a node that is taken out is no unknown name.
        let mut nodes = estate.choose(text)?.nodes;
        if let Ok(others) = Selection::parse(text).nodes(picture, &estate.marks) {
            nodes = others;
        }
        nodes.retain(|node| picture.has(*node));
        Ok(nodes)
    };
    let walk = Walk::everywhere(picture);
    let sources = walk.terrain.places(&choose(&arguments.from)?);
    let targets = walk.terrain.places(&choose(&arguments.to)?);
    let query = Query { sources: &sources, targets: &targets, by: By::Weight, allowed: Allowed::Every, max_hops: None };
    let route = best(walk.terrain.arcs(), &query, &mut Workspace::default());
    Ok(walk.paths(picture, route.as_slice()).pop())
}

/// Everything that is told.
struct Told<'a> {
    arguments: &'a WhatIf,
    before: Picture<'a>,
    after: Picture<'a>,
    compared: Compared,
    paths: [Option<Path>; 2],
}

impl Told<'_> {
    fn json(&self) -> Value {
        let [before, after] = &self.paths;
        let path = |picture: &Picture<'_>, path: &Option<Path>| path.as_ref().map(|path| path.json(picture));
        let edges = |picture: &Picture<'_>, edges: &[Edge]| {
            let edge = |edge: &Edge| {
                let (source, target) = (node_json(picture, edge.source), node_json(picture, edge.target));
                json!({ "kind": edge.kind, "source": source, "target": target })
            };
            edges.iter().map(edge).collect::<Vec<_>>()
        };
        let score = |score: &compared::Score| {
            let node = node_json(&self.before, score.node);
            json!({ "node": node, "key": score.key, "before": score.before, "after": score.after })
        };
        json!({
            "stored": false,
            "findings_gone": self.compared.findings_gone,
            "findings_new": self.compared.findings_new,
            "findings_changed": self.compared.findings_changed.iter().map(changed_json).collect::<Vec<_>>(),
            "edges_gone": edges(&self.before, &self.compared.edges_gone),
            "edges_new": edges(&self.after, &self.compared.edges_new),
            "scores": self.compared.scores.iter().map(score).collect::<Vec<_>>(),
            "path": { "before": path(&self.before, before), "after": path(&self.after, after) },
        })
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let compared = &self.compared;
        print_findings("findings that would be gone", "-", &compared.findings_gone, output)?;
        print_findings("findings that would be new", "+", &compared.findings_new, output)?;
        print_changed(&compared.findings_changed, output)?;
        print_edges(&self.before, "what would not follow any more", "-", &compared.edges_gone, output)?;
        print_edges(&self.after, "what would follow besides", "+", &compared.edges_new, output)?;
        if !compared.scores.is_empty() {
            output.line(format!("scores that would change: {}", compared.scores.len()))?;
            for score in compared.scores.iter().take(SHOWN) {
                let shown = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), rounded);
                let name = name(&self.before, score.node);
                let (kind, key) = (self.before.kind(score.node), score.key);
                output.line(format!("  {kind} {name}: {key} {} -> {}", shown(score.before), shown(score.after)))?;
            }
            output.rest(compared.scores.len(), "  ")?;
        }
        self.print_paths(output)?;
        output.line("nothing was stored; the estate is as it was")
    }

    fn print_paths(&self, output: &mut Output) -> anyhow::Result<()> {
        let (from, to) = (safe(&self.arguments.from), safe(&self.arguments.to));
        output.line(format!("the easiest path from `{from}` to `{to}`"))?;
        let none = || "there is none".to_owned();
        let [before, after] = &self.paths;
        let line = before.as_ref().map_or_else(none, |path| path.line(&self.before));
        output.line(format!("  before: {line}"))?;
        let line = after.as_ref().map_or_else(none, |path| path.line(&self.after));
        output.line(format!("  after:  {line}"))
    }
}

/// A score in hundredths, without those that say nothing.
fn rounded(score: f64) -> String {
    format!("{}", (score * 100.0).round() / 100.0)
}

fn print_findings(heading: &str, sign: &str, findings: &[Finding], output: &mut Output) -> anyhow::Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    output.line(format!("{heading}: {}", findings.len()))?;
    for finding in findings.iter().take(SHOWN) {
        output.line(format!("  {sign} {} {}: {}", finding.severity, finding.kind, titled(&finding.title)))?;
    }
    output.rest(findings.len(), "  ")
}

fn print_changed(findings: &[(Finding, Altered)], output: &mut Output) -> anyhow::Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    output.line(format!("findings that would change: {}", findings.len()))?;
    for (finding, altered) in findings.iter().take(SHOWN) {
        let title = titled(&finding.title);
        output.line(format!("  ~ {} {}: {title} ({altered})", finding.severity, finding.kind))?;
    }
    output.rest(findings.len(), "  ")
}

fn print_edges(
    picture: &Picture<'_>,
    heading: &str,
    sign: &str,
    edges: &[Edge],
    output: &mut Output,
) -> anyhow::Result<()> {
    if edges.is_empty() {
        return Ok(());
    }
    output.line(format!("{heading}: {}", counted(edges.len(), "edge")))?;
    for edge in edges.iter().take(SHOWN) {
        let (source, target) = (name(picture, edge.source), name(picture, edge.target));
        output.line(format!("  {sign} {source} {} {target}", edge.kind))?;
    }
    output.rest(edges.len(), "  ")
}
