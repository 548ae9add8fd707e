//! Single measurements, each in a process of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::{analysis, flow, live, network, scan};
use anyhow::{Context as _, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tracehound_graph::{Access, Estate, Limits, Moment, Point};

/// What a measurement gives back.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// What is asked for.
    pub(crate) seconds: f64,
    /// Writing the snapshot for the next start, which is not part of the figure.
    pub(crate) snapshot_seconds: f64,
    /// The most memory that was resident at any time, in bytes.
    pub(crate) peak: f64,
    /// Nodes at the end.
    pub(crate) nodes: usize,
    /// Edges at the end.
    pub(crate) edges: usize,
}

/// Runs a task in a process of its own.
pub(crate) fn measure(task: &str, arguments: &[&Path]) -> anyhow::Result<Measured> {
    ask(task, arguments)
}

/// The same for tasks that tell more.
pub(crate) fn ask<T: DeserializeOwned>(task: &str, arguments: &[&Path]) -> anyhow::Result<T> {
    let output = Command::new(std::env::current_exe()?)
        .arg("--child")
        .arg(task)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot start {task}"))?;
    if !output.status.success() {
        bail!("{task} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Performs a task and prints what it measured.
pub(crate) fn perform(task: &str, arguments: &[String]) -> anyhow::Result<()> {
    if let ("analyse", [data, rounds]) = (task, arguments) {
        let analysed = analysis::whole::analyse(Path::new(data), rounds)?;
        crate::figure::say(&serde_json::to_string(&analysed)?);
        return Ok(());
    }
    let mut measured = match (task, arguments) {
        ("parse", [documents]) => parse(Path::new(documents))?,
        ("ingest", [documents, data]) => ingest(Path::new(documents), Path::new(data))?,
        ("start", [data]) => start(Path::new(data))?,
        ("scan-machine", [root]) => scan::machine(Path::new(root))?,
        ("scan-tree", [folder]) => scan::walked(Path::new(folder))?,
        ("scan-files", [folder]) => scan::named(Path::new(folder))?,
        ("ask-servers", [count]) => live::ask(count)?,
        ("connect", [network]) => network::connect(network)?,
        ("sweep", [network]) => network::sweep(network)?,
        ("flow", [question, times]) => flow::ask(question, times)?,
        ("walk", [folder]) => scan::walk(Path::new(folder))?,
        ("walk-and-parse", [folder]) => scan::plain(Path::new(folder))?,
        _ => bail!("no task {task} {arguments:?}"),
    };
    measured.peak = peak_memory()?;
    crate::figure::say(&serde_json::to_string(&measured)?);
    Ok(())
}

/// The plain form: every document into a `Value`.
fn parse(documents: &Path) -> anyhow::Result<Measured> {
    let mut measured = Measured::default();
    for file in files(documents)? {
        let bytes = fs::read(file)?;
        let begin = Instant::now();
        let value: serde_json::Value = serde_json::from_slice(&bytes)?;
        measured.seconds += begin.elapsed().as_secs_f64();
        let count = |list: &str| value.pointer(list).and_then(|list| list.as_array()).map_or(0, Vec::len);
        measured.nodes += count("/graph/nodes");
        measured.edges += count("/graph/edges");
    }
    Ok(measured)
}

/// From bytes to durable and queryable; the snapshot for the next start is measured apart.
fn ingest(documents: &Path, data: &Path) -> anyhow::Result<Measured> {
    let mut measured = Measured::default();
    let now = Moment::parse("2030-01-01T00:00:00Z").context("a time")?;
    let begin = Instant::now();
    let mut estate = Estate::open(data, "default", Access::Write, Limits::default())?;
    measured.seconds += begin.elapsed().as_secs_f64();
    for file in files(documents)? {
        let bytes = fs::read(file)?;
        let begin = Instant::now();
        estate.ingest(&bytes, now)?;
        measured.seconds += begin.elapsed().as_secs_f64();
    }
    let begin = Instant::now();
    let graph = estate.graph(&Point::Now)?;
    measured.seconds += begin.elapsed().as_secs_f64();
    (measured.nodes, measured.edges) = (graph.node_count(), graph.edge_count());
    let begin = Instant::now();
    estate.snapshot_if_due()?;
    measured.snapshot_seconds = begin.elapsed().as_secs_f64();
    Ok(measured)
}

/// From a closed store with a snapshot to a graph.
fn start(data: &Path) -> anyhow::Result<Measured> {
    let begin = Instant::now();
    let mut estate = Estate::open(data, "default", Access::Read, Limits::default())?;
    let graph = estate.graph(&Point::Now)?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Measured { seconds, nodes: graph.node_count(), edges: graph.edge_count(), ..Measured::default() })
}

fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.sort();
    Ok(files)
}

/// The high-water mark of resident memory, as the kernel counts it.
pub(crate) fn peak_memory() -> anyhow::Result<f64> {
    let status = fs::read_to_string("/proc/self/status").context("memory is measured on Linux only")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes * 1024.0)
}
