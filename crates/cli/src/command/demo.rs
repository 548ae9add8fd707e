//! `tracehound demo`.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::json;
use tracehound_graph::{Access, Difference, Estate, Graph, Moment, Point};

use super::findings::Analysed;
use super::{gateway, graph as graph_command, scans, summary, worst};
use crate::args::{Demo, Format, Serve};
use crate::outcome::Outcome;
use crate::output::{Output, note, safe};
use crate::settings::Settings;
use crate::{clock, demo};

/// Builds the sample estate and shows what is in it and what changed in its week.
pub(super) fn run(arguments: &Demo, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let made = tempfile::Builder::new().prefix("tracehound-demo-").tempdir().context("cannot make a directory")?;
    let directory = arguments.keep.as_deref().unwrap_or(made.path());
    if arguments.keep.is_some() {
        let is_free = !directory.exists() || std::fs::read_dir(directory)?.next().is_none();
        ensure!(is_free, "`{}` is not empty, and a sample must not mix with anything", directory.display());
    }
    let mut estate = Estate::open(directory, &settings.tenant, Access::Write, settings.limits)?;
    let mut ingested = Vec::new();
    for document in &demo::documents() {
        // The sample has its own calendar, whatever the clock of the machine says.
        let now = Moment::parse(&document.meta.timestamp).unwrap_or_else(clock::now);
        ingested.push(estate.ingest(&serde_json::to_vec(document)?, now)?);
    }
    super::snapshot_if_due(&mut estate)?;
    let now = Analysed::new(estate.graph(&Point::Now)?);
    let library = super::rules::in_force(settings)?;
    let rules = library.rules();
    let before = estate.graph(&Point::Scan(demo::BEFORE_RESCAN.to_owned()))?;
    let difference = Difference::between(&before, &now.graph);
    let worst = worst::Worst::find(&now, &now.findings(&rules));
    if settings.format == Format::Json {
        output.json(&json!({
            "documents": ingested, "graph": summary::json(&now.graph), "changed_since": demo::BEFORE_RESCAN, "difference": difference,
            "worst": worst.json(&now.picture()),
        }))?;
        return Ok(Outcome::Clean);
    }
    output.line("A sample estate: two machines, a model gateway, two A2A agents, scanned on a Monday and on the Friday after.\n")?;
    for scan in now.graph.scans() {
        let counts = format!("{} nodes, {} edges", scan.nodes, scan.edges);
        output.line(format!("  {}  {:<18} {:<7} {counts}", scan.time, safe(&scan.scan_id), scan.collector.name()))?;
    }
    output.line("")?;
    worst.print(&now.picture(), output)?;
    tell(&now.graph, &difference, output)?;
    if !arguments.no_serve {
        // The server owns the store while it runs.
        drop(estate);
        output.line("\nAgents are at work; stop with Ctrl-C.")?;
        serve(arguments, directory, settings, output)?;
    }
    match &arguments.keep {
        Some(keep) => {
            let (keep, tenant) = (safe(&keep.display().to_string()), &settings.tenant);
            output.line(format!("\nKept in {keep}; try: tracehound --data {keep} --tenant {tenant} findings list"))?;
        }
        None => output.line("\nThe sample is removed again; keep it with: tracehound demo --keep DIR")?,
    }
    Ok(Outcome::Clean)
}

/// Serves the sample, with agents that act in it, until somebody stops it.
fn serve(arguments: &Demo, directory: &Path, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    let server = Serve {
        listen: arguments.listen,
        tls_cert: None,
        tls_key: None,
        insecure_bind: false,
        hosts: Vec::new(),
        origins: Vec::new(),
        approval_seconds: 1_800,
        policy_file: None,
        keep_days: None,
    };
    let (tenant, settings) = (settings.tenant.clone(), Settings { data: directory.to_owned(), ..settings.clone() });
    gateway::serve_beside(&server, &settings, output, |server| async move {
        if let Err(error) = demo::live::play(server, tenant).await {
            note(&format!("the agents of the sample stopped: {error:#}"));
        }
    })?;
    Ok(())
}

fn tell(now: &Graph, difference: &Difference, output: &mut Output) -> anyhow::Result<()> {
    output.line("\nWhat is in the estate\n")?;
    summary::print(now, output)?;
    output.line("\nWhat the last re-scan changed\n")?;
    scans::print(difference, output)?;
    output.line("\nA tool that rewrote itself after it was trusted (a rug pull)\n")?;
    graph_command::print_changes(now, output)
}
