//! `tracehound what-if`: the estate as it would be, compared with what it is. Nothing is stored.

mod alterations;

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::derived::RawEdge;
use tracehound_analyze::findings::{Altered, List};
use tracehound_analyze::naming::Selection;
use tracehound_analyze::routes::By;
use tracehound_analyze::terrain::{Shortcuts, Terrain};
use tracehound_analyze::walk::{Path, PathSearch, Walk, Wanted};
use tracehound_analyze::what_if::{Compared, Rescored, what_if};
use tracehound_graph::View;
use tracehound_model::Finding;

use super::estate_view::{EstateView, counted, name, node_json};
use super::findings::changed_json;
use super::rules;
use super::walk::{line, path_json};
use crate::args::{Format, WhatIf};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe, titled};
use crate::settings::Settings;

pub(super) fn run(arguments: &WhatIf, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = rules::in_force(settings)?;
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let alterations = alterations::read(&estate, arguments)?;
    let (altered, analysis) = what_if(&estate.graph, &estate.analysis, &alterations);
    let (before, after) = (estate.picture(), Picture::new(&altered, &analysis));
    let rules = library.rules();
    let (old, new) = (List::new(before, &rules), List::new(after, &rules));
    let compared = Compared::new((&before, &old), (&after, &new));
    let findings = Findings::new(&compared, &old, &new);
    let paths = [path(&estate, arguments, &before)?, path(&estate, arguments, &after)?];
    let told = Told { arguments, before, after, compared, findings, paths };
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
    let terrain = Terrain::new(picture, Shortcuts::No);
    let (from, to) = (choose(&arguments.from)?, choose(&arguments.to)?);
    let asked = PathSearch { from: &from, to: &to, by: By::Weight, max_hops: None, wanted: Wanted::Best(1) };
    Ok(Walk::everywhere(&terrain).find(picture, &asked).paths.pop())
}

/// The findings that differ, in words.
struct Findings {
    gone: Vec<Finding>,
    new: Vec<Finding>,
    changed: Vec<(Finding, Altered)>,
}

impl Findings {
    fn new<'b, 'a>(compared: &Compared<'b, 'a>, old: &List<'b>, new: &List<'a>) -> Self {
        let changed = compared.findings_changed.iter();
        Self {
            gone: compared.findings_gone.iter().filter_map(|found| old.render(found)).collect(),
            new: compared.findings_new.iter().filter_map(|found| new.render(found)).collect(),
            changed: changed.filter_map(|(found, altered)| Some((new.render(found)?, *altered))).collect(),
        }
    }
}

/// Everything that is told.
struct Told<'a> {
    arguments: &'a WhatIf,
    before: Picture<'a>,
    after: Picture<'a>,
    compared: Compared<'a, 'a>,
    findings: Findings,
    paths: [Option<Path>; 2],
}

impl Told<'_> {
    fn json(&self) -> Value {
        let [before, after] = &self.paths;
        let path = |picture: &Picture<'_>, path: &Option<Path>| path.as_ref().map(|path| path_json(path, picture));
        let edges = |picture: &Picture<'_>, edges: &[RawEdge]| {
            let edge = |edge: &RawEdge| {
                let (source, target) = (node_json(picture, edge.source), node_json(picture, edge.target));
                json!({ "kind": edge.kind, "source": source, "target": target })
            };
            edges.iter().map(edge).collect::<Vec<_>>()
        };
        let score = |score: &Rescored| {
            let node = node_json(&self.before, score.node);
            json!({ "node": node, "key": score.key, "before": score.before, "after": score.after })
        };
        json!({
            "stored": false,
            "findings_gone": self.findings.gone,
            "findings_new": self.findings.new,
            "findings_changed": self.findings.changed.iter().map(changed_json).collect::<Vec<_>>(),
            "edges_gone": edges(&self.before, &self.compared.edges_gone),
            "edges_new": edges(&self.after, &self.compared.edges_new),
            "scores": self.compared.scores.iter().map(score).collect::<Vec<_>>(),
            "path": { "before": path(&self.before, before), "after": path(&self.after, after) },
        })
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let compared = &self.compared;
        print_findings("findings that would be gone", "-", &self.findings.gone, output)?;
        print_findings("findings that would be new", "+", &self.findings.new, output)?;
        print_changed(&self.findings.changed, output)?;
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
        let shown = before.as_ref().map_or_else(none, |path| line(path, &self.before));
        output.line(format!("  before: {shown}"))?;
        let shown = after.as_ref().map_or_else(none, |path| line(path, &self.after));
        output.line(format!("  after:  {shown}"))
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
    edges: &[RawEdge],
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
