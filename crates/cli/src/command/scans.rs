//! `tracehound scans`.

use serde_json::json;
use tracehound_analyze::difference::Effort;
use tracehound_analyze::findings::{Altered, Fate};
use tracehound_graph::{Access, Changed, Difference, EdgeSummary, NodeSummary, ScanRecord};
use tracehound_model::Finding;

use super::differing;
use super::estate_writer::Writer;
use super::findings::{self, Compared, changed_json};
use crate::args::{Format, Scans};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, named, safe, titled};
use crate::settings::Settings;
use crate::size;

pub(super) fn run(which: Scans, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Scans::List => list(settings, output),
        Scans::Show { scan_id, document } => show(&scan_id, document, settings, output),
        Scans::Diff { from, to } => diff(&from, &to, settings, output),
        Scans::Delete { scan_ids } => delete(&scan_ids, settings, output),
    }
}

fn list(settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = super::open(settings, Access::Read)?;
    let scans = estate.scans();
    if settings.format == Format::Json {
        output.json(&scans)?;
        return Ok(Outcome::Clean);
    }
    let row = |scan: &ScanRecord| {
        [
            scan.time.to_string(),
            safe(&scan.scan_id),
            scan.collector.to_string(),
            safe(&scan.origin),
            scan.nodes.to_string(),
            scan.edges.to_string(),
            scan.warnings.to_string(),
            size::show(scan.bytes),
        ]
    };
    let heading = ["TIME", "SCAN", "COLLECTOR", "ORIGIN", "NODES", "EDGES", "WARNINGS", "SIZE"];
    if scans.is_empty() {
        output.line(format!("tenant {} has no scans", settings.tenant))?;
        return Ok(Outcome::Clean);
    }
    output.table(heading, scans.into_iter().map(row))?;
    Ok(Outcome::Clean)
}

fn show(scan_id: &str, document: bool, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = super::open(settings, Access::Read)?;
    if document {
        output.bytes(&estate.document(scan_id)?)?;
        return Ok(Outcome::Clean);
    }
    let scan = estate.scan(scan_id)?;
    if settings.format == Format::Json {
        output.json(scan)?;
        return Ok(Outcome::Clean);
    }
    let rows = [
        ("scan", safe(&scan.scan_id)),
        ("collector", format!("{} {}", scan.collector, safe(&scan.collector_version))),
        ("origin", safe(&scan.origin)),
        ("time", scan.time.to_string()),
        ("timestamp given", safe(&scan.timestamp)),
        ("ingested", scan.ingested.to_string()),
        ("nodes", scan.nodes.to_string()),
        ("edges", scan.edges.to_string()),
        ("warnings", scan.warnings.to_string()),
        ("size", size::show(scan.bytes)),
        ("sha256", scan.sha256.clone()),
    ];
    for (name, value) in rows {
        output.line(format!("{name:<16} {value}"))?;
    }
    Ok(Outcome::Clean)
}

fn delete(scan_ids: &[String], settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut writer = Writer::open(settings, Access::Change)?;
    let deleted = writer.delete_scans(scan_ids, settings)?;
    writer.snapshot_if_due()?;
    if settings.format == Format::Json {
        output.json(&json!({ "deleted": deleted }))?;
    } else {
        for scan in deleted {
            output.line(format!("deleted scan {}", safe(&scan.scan_id)))?;
        }
    }
    Ok(Outcome::Clean)
}

fn diff(from: &str, to: &str, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut estate = super::open_loaded(settings, Access::Read)?;
    let (from, to) = (estate.point(from)?, estate.point(to)?);
    let library = super::rules::in_force(settings)?;
    let rules = library.rules();
    let (before, after) = (findings::at(&mut estate, &from)?, findings::at(&mut estate, &to)?);
    let difference = Difference::between(&before.graph, &after.graph);
    let compared = Compared::new(&mut estate, (&before, &from), &after, &rules)?;
    if settings.format == Format::Json {
        let mut value = serde_json::to_value(&difference)?;
        if let Some(object) = value.as_object_mut() {
            object.insert("findings".into(), findings_json(&compared));
        }
        output.json(&value)?;
    } else {
        print(&difference, output)?;
        if !difference.is_empty() {
            print_findings(&compared, output)?;
        }
    }
    Ok(Outcome::Clean)
}

/// The findings with a fate, each with the list that can put it into words.
fn with_fate<'c>(compared: &'c Compared<'_>, fate: Fate) -> impl Iterator<Item = Finding> + use<'c> {
    let list = if fate == Fate::Fixed { &compared.then } else { &compared.now };
    let found = list.iter().filter(move |found| compared.lifecycle.of(&found.fingerprint) == Some(fate));
    found.filter_map(|found| list.render(found))
}

/// Findings that came, came back and went; those that stay are counted.
fn findings_json(compared: &Compared<'_>) -> serde_json::Value {
    let all = |fate| with_fate(compared, fate).collect::<Vec<Finding>>();
    let stay = compared.lifecycle.with(Fate::Persisting).count();
    let changed: Vec<serde_json::Value> = changed(compared).iter().map(changed_json).collect();
    json!({
        "new": all(Fate::New), "reopened": all(Fate::Reopened), "fixed": all(Fate::Fixed), "persisting": stay,
        "changed": changed,
    })
}

/// Findings that persist and differ, each with how.
fn changed(compared: &Compared<'_>) -> Vec<(Finding, Altered)> {
    let of = |fingerprint| compared.lifecycle.altered(fingerprint);
    let all = compared.now.iter().filter_map(|found| Some((found, of(&found.fingerprint)?)));
    all.filter_map(|(found, altered)| Some((compared.now.render(found)?, altered))).collect()
}

fn print_findings(compared: &Compared<'_>, output: &mut Output) -> anyhow::Result<()> {
    let line = |finding: &Finding| {
        let id = finding.fingerprint.as_str();
        format!("{:<8} {}  [{}]", finding.severity.name(), titled(&finding.title), id.get(..8).unwrap_or(id))
    };
    for (title, mark, fate) in [
        ("findings new", "+", Fate::New),
        ("findings reopened", "+", Fate::Reopened),
        ("findings fixed", "-", Fate::Fixed),
    ] {
        list_of(title, mark, &with_fate(compared, fate).collect::<Vec<_>>(), line, output)?;
    }
    let with_reason = |(finding, altered): &(Finding, Altered)| format!("{}  ({altered})", line(finding));
    list_of("findings changed", "~", &changed(compared), with_reason, output)?;
    let stay = compared.lifecycle.with(Fate::Persisting).count();
    output.line(format!("findings persisting: {stay}"))
}

/// A difference for people.
pub(super) fn print(difference: &Difference, output: &mut Output) -> anyhow::Result<()> {
    if difference.is_empty() {
        return output.line("nothing differs");
    }
    let mut effort = Effort::default();
    list_of("nodes added", "+", &difference.nodes_added, node, output)?;
    list_of("nodes removed", "-", &difference.nodes_removed, node, output)?;
    let changed = |it: &Changed<NodeSummary>| changed_lines(it, node, &mut effort);
    list_of("nodes changed", "~", &difference.nodes_changed, changed, output)?;
    list_of("edges added", "+", &difference.edges_added, edge, output)?;
    list_of("edges removed", "-", &difference.edges_removed, edge, output)?;
    let changed = |it: &Changed<EdgeSummary>| changed_lines(it, edge, &mut effort);
    list_of("edges changed", "~", &difference.edges_changed, changed, output)
}

fn list_of<T>(
    title: &str,
    mark: &str,
    items: &[T],
    mut show: impl FnMut(&T) -> String,
    output: &mut Output,
) -> anyhow::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    output.line(format!("{title}: {}", items.len()))?;
    for item in items.iter().take(SHOWN) {
        output.line(format!("  {mark} {}", show(item)))?;
    }
    output.rest(items.len(), "  ")
}

fn node(node: &NodeSummary) -> String {
    format!("{} {}", node.kind, named(&node.name))
}

fn edge(edge: &EdgeSummary) -> String {
    format!("{} {} -> {}", edge.kind, named(&edge.source.name), named(&edge.target.name))
}

fn changed_lines<T>(changed: &Changed<T>, show: impl Fn(&T) -> String, effort: &mut Effort) -> String {
    let mut lines = vec![show(&changed.what)];
    lines.extend(differing::properties(&changed.properties, effort));
    lines.join("\n      ")
}
