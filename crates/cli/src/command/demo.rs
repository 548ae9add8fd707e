//! `tracehound demo`.

use std::path::Path;

use anyhow::Context as _;
use serde_json::json;
use tracehound_graph::{Access, Difference, Estate, Graph, Point};

use super::{graph as graph_command, scans, summary};
use crate::args::{Demo, Format};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;
use crate::{clock, demo};

/// Builds the sample estate and shows what is in it and what changed over its week.
pub(super) fn run(arguments: &Demo, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let temporary = match arguments.keep {
        Some(_) => None,
        None => Some(tempfile::Builder::new().prefix("tracehound-demo-").tempdir().context("cannot make a directory")?),
    };
    let directory = match (&arguments.keep, &temporary) {
        (Some(keep), _) => keep.as_path(),
        (None, Some(temporary)) => temporary.path(),
        (None, None) => Path::new("."),
    };
    let mut estate = Estate::open(directory, &settings.tenant, Access::Write, settings.limits)?;
    let documents = demo::documents();
    let mut ingested = Vec::new();
    for document in &documents {
        ingested.push(estate.ingest(&serde_json::to_vec(document)?, clock::now())?);
    }
    super::settle(&mut estate)?;
    let now = estate.graph(&Point::Now)?;
    let before = estate.graph(&Point::Scan(demo::BEFORE_RESCAN.to_owned()))?;
    let difference = Difference::between(&before, &now);
    if settings.format == Format::Json {
        output.json(&json!({
            "documents": ingested, "graph": summary::json(&now), "changed_since": demo::BEFORE_RESCAN, "difference": difference,
        }))?;
        return Ok(Outcome::Clean);
    }
    output.line("A sample estate: two machines, a model gateway, two A2A agents, scanned over a week.\n")?;
    for scan in now.scans() {
        let counts = format!("{} nodes, {} edges", scan.nodes, scan.edges);
        output.line(format!("  {}  {:<18} {:<7} {counts}", scan.time, safe(&scan.scan_id), scan.collector.name()))?;
    }
    output.line("")?;
    tell(&now, &difference, output)?;
    match &arguments.keep {
        Some(keep) => output.line(format!("\nKept in {}; try: tracehound --data {0} scans list", keep.display()))?,
        None => output.line("\nThe sample is removed again; keep it with: tracehound demo --keep DIR")?,
    }
    Ok(Outcome::Clean)
}

fn tell(now: &Graph, difference: &Difference, output: &mut Output) -> anyhow::Result<()> {
    summary::print(now, output)?;
    output.line("\nWhat the last re-scan changed\n")?;
    scans::print(difference, output)?;
    output.line("\nA tool that rewrote itself after it was trusted (a rug pull)\n")?;
    graph_command::print_changes(now.changes(), output)
}
