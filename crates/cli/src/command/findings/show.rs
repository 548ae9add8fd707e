//! `tracehound findings show`.

use std::sync::Arc;

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, carried_by};
use tracehound_analyze::derived::rests_on;
use tracehound_analyze::findings::{List, Origin, Unfound};
use tracehound_graph::{Access, Estate, Point, ScanRecord, TriageRecord, View as _};
use tracehound_model::{Direction, Finding, Step};
use tracehound_rules::rule::Rule;

use super::{Analysed, at};
use crate::args::{Format, ShowFinding};
use crate::command::estate_view::counted;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::progress;
use crate::settings::Settings;

pub(super) fn run(arguments: &ShowFinding, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = crate::command::rules::in_force(settings)?;
    let rules = library.rules();
    let mut estate = crate::command::open_loaded(settings, Access::Read)?;
    let here = estate.point(&arguments.at.point)?;
    let moment = estate.moment_of(&here)?;
    let Standing { analysed, last, fixed } = standing(&mut estate, &here, &arguments.id, &rules)?;
    let list = analysed.findings(&rules);
    let found = super::find(&list, &arguments.id)?;
    let Some(finding) = list.render(found) else { anyhow::bail!("the finding is not there") };
    let mut history = estate.triage_history(&finding.fingerprint)?;
    history.retain(|record| record.at <= moment);
    let carriers = match found.origin {
        Origin::Edge(edge) if arguments.alone => carriers(&analysed.picture(), edge),
        _ => Vec::new(),
    };
    if settings.format == Format::Json {
        let carriers: Vec<Value> =
            carriers.iter().map(|carrier| carrier_json(&analysed.picture(), &list, carrier)).collect();
        let mut value = serde_json::to_value(&finding)?;
        if let Some(object) = value.as_object_mut() {
            object.insert("history".into(), serde_json::to_value(&history)?);
            object.insert("carried_alone_by".into(), json!(carriers));
            if let (Some(last), Some(fixed)) = (&last, &fixed) {
                object.insert("last_seen".into(), scan_json(last));
                object.insert("fixed_since".into(), scan_json(fixed));
            }
        }
        output.json(&value)?;
        return Ok(Outcome::Clean);
    }
    if let (Some(last), Some(fixed)) = (&last, &fixed) {
        let (last, since) = (safe(&last.scan_id), safe(&fixed.scan_id));
        output.line(format!("fixed since scan {since} of {}; this is how it stood after scan {last}\n", fixed.time))?;
    }
    print(&finding, &history, output)?;
    print_carriers(&analysed.picture(), &list, &finding, &carriers, output)?;
    Ok(Outcome::Clean)
}

/// Where a finding stands: at the point that was asked for, or at the last one before at which it was there.
struct Standing {
    analysed: Analysed,
    /// The last scan after which it stood, and the one after which it did not any more.
    last: Option<Arc<ScanRecord>>,
    fixed: Option<Arc<ScanRecord>>,
}

/// Looks for a finding at a point, and if it is not there, after each scan before, the latest first.
///
/// Growth: one analysis for each scan that is gone back.
fn standing(estate: &mut Estate, here: &Point, id: &str, rules: &[Rule]) -> anyhow::Result<Standing> {
    let analysed = at(estate, here)?;
    let is_there = |analysed: &Analysed| !matches!(analysed.findings(rules).find(id), Err(Unfound::Unknown));
    if is_there(&analysed) {
        return Ok(Standing { analysed, last: None, fixed: None });
    }
    let scans = analysed.graph.scans().to_vec();
    let bar = progress::working("looking at earlier scans");
    for pair in scans.windows(2).rev() {
        let [last, fixed] = pair else { continue };
        let analysed = Analysed::new(estate.graph(&Point::Scan(last.scan_id.clone()))?);
        if is_there(&analysed) {
            bar.finish_and_clear();
            let (last, fixed) = (Some(Arc::clone(last)), Some(Arc::clone(fixed)));
            return Ok(Standing { analysed, last, fixed });
        }
    }
    bar.finish_and_clear();
    bail!("there is no finding `{}` at this point or before; --at looks at another point", safe(id))
}

fn scan_json(scan: &ScanRecord) -> Value {
    json!({ "scan_id": scan.scan_id, "time": scan.time })
}

fn print(finding: &Finding, history: &[TriageRecord], output: &mut Output) -> anyhow::Result<()> {
    output.line(format!("{}  {}", finding.severity.name(), safe(&finding.title)))?;
    output.line(format!(
        "id {}, kind {}, confidence {:.2}",
        finding.fingerprint,
        safe(&finding.kind),
        finding.confidence
    ))?;
    output.line("")?;
    output.line(safe(&finding.description))?;
    output.line("\nBecause")?;
    for line in finding.evidence.lines() {
        output.line(format!("  {}", safe(line)))?;
    }
    if !finding.path.is_empty() {
        output.line("\nPath")?;
        print_path(&finding.path, output)?;
        if let Some(weight) = finding.total_weight {
            output.line(format!("  weight {weight:.2}, {}", counted(finding.path.len(), "hop")))?;
        }
    }
    if let Some(place) = &finding.place {
        output.line(format!("\nAt\n  {}:{}:{}", safe(&place.file), place.line, place.column))?;
    }
    output.line(format!("\nWhat to do\n  {}", safe(&finding.remediation)))?;
    if !finding.standards.is_empty() {
        output.line("\nStandards")?;
        for standard in &finding.standards {
            output.line(format!("  {} {}", safe(&standard.id), safe(&standard.name)))?;
        }
    }
    if !history.is_empty() {
        output.line("\nDecisions")?;
    }
    for record in history {
        let until = record.expires.map_or_else(String::new, |expires| format!(" until {expires}"));
        let at = record.severity.map_or_else(String::new, |severity| format!(" at {}", severity.name()));
        let (state, author) = (record.state.name(), safe(&record.author));
        output.line(format!("  {} {state}{at}{until} by {author}: {}", record.at, safe(&record.reason)))?;
    }
    let last = history.last().filter(|record| record.state.is_suppressing());
    if let Some(then) = last.and_then(|record| record.severity).filter(|then| finding.severity > *then) {
        let (then, now) = (then.name(), finding.severity.name());
        output.line(format!("  The last one does not hold any more: decided at {then}, is {now} now."))?;
    }
    Ok(())
}

fn print_path(path: &[Step], output: &mut Output) -> anyhow::Result<()> {
    for step in path {
        let (from, to) = (safe(&step.from.name), safe(&step.to.name));
        let (left, right) = if step.direction == Some(Direction::Against) { ("<-", "-") } else { ("-", "->") };
        output.line(format!("  {from} {left}{} {:.2}{right} {to}", step.kind, step.weight))?;
        output.line(format!("      {}", safe(&step.words)))?;
    }
    Ok(())
}

/// What each edge that a finding rests on carries alone.
fn carriers(picture: &Picture<'_>, edge: tracehound_graph::EdgeIx) -> Vec<Carrier> {
    let relation = picture.analysis.derived.of(edge.kind);
    let Some(composite) = relation.get(edge.number) else { return Vec::new() };
    let bar = progress::working("trying what is gone without each edge");
    let edges = rests_on(picture.view, relation.path(composite));
    let carriers = edges.into_iter().map(|edge| carried_by(picture.view, picture.analysis, edge)).collect();
    bar.finish_and_clear();
    carriers
}

fn print_carriers(
    picture: &Picture<'_>,
    list: &List<'_>,
    finding: &Finding,
    carriers: &[Carrier],
    output: &mut Output,
) -> anyhow::Result<()> {
    if carriers.is_empty() {
        return Ok(());
    }
    output.line("\nWithout one edge of the path")?;
    for carrier in carriers {
        let name = |node| safe(&picture.name(node));
        let edge = carrier.edge;
        let ids = fingerprints(list, carrier);
        let own =
            if ids.contains(&finding.fingerprint.to_string()) { "this finding is gone" } else { "this finding stays" };
        let (source, target) = (name(edge.source), name(edge.target));
        output.line(format!(
            "  {source} -{}-> {target}: {own}, {} in all",
            edge.kind,
            counted(ids.len(), "finding")
        ))?;
    }
    Ok(())
}

fn fingerprints(list: &List<'_>, carrier: &Carrier) -> Vec<String> {
    let is_carried =
        |origin: Origin| matches!(origin, Origin::Edge(edge) if carrier.carries.binary_search(&edge).is_ok());
    list.iter().filter(|found| is_carried(found.origin)).map(|found| found.fingerprint.to_string()).collect()
}

fn carrier_json(picture: &Picture<'_>, list: &List<'_>, carrier: &Carrier) -> Value {
    let edge = carrier.edge;
    json!({
        "kind": edge.kind, "source": picture.id(edge.source), "target": picture.id(edge.target),
        "findings": fingerprints(list, carrier),
    })
}
