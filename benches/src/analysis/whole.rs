//! Everything that analysis does on a whole estate, against ingest and against an estate of a tenth of the size.
//!
//! Growth is told in the time that processors of the machine worked for us, so that what else it did does not count.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tracehound_analyze::findings::List;
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Access, Estate, Graph, Limits, Point};
use xtask::estate::{Shape, generate};

use crate::child::{ask, measure, peak_memory};
use crate::clock::{Clock, Spent};
use crate::figure::{Figures, say};

/// Rounds of either estate; the quickest counts, as noise only ever slows, and the first also pays for memory.
const ROUNDS: usize = 3;
/// How much memory the large estate may take, in gigabytes.
const MOST_MEMORY: f64 = 12.0;
/// Below so many seconds it is the clock that is measured.
const LEAST: f64 = 0.002;

/// The whole of analysis against ingest, and at ten times the size.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let small = measured(&folder.path().join("small"), (100_000, 500_000))?;
    let large = measured(&folder.path().join("large"), (1_000_000, 5_000_000))?;
    figures.at_most("100k/500k: analysis against ingest", small.analysed.whole.seconds / small.ingest, 3.0, "x");
    let growth = large.analysed.whole.worked / small.analysed.whole.worked;
    figures.at_most("ten times the size: analysis", growth, 12.0, "x");
    for (name, spent) in &large.analysed.parts {
        let before = small.analysed.parts.get(name).copied().unwrap_or_default();
        say(&format!(
            "    {name}: {:.1} ms, then {:.1} ms, {:.1}x",
            before.worked * 1e3,
            spent.worked * 1e3,
            spent.worked / before.worked.max(LEAST)
        ));
    }
    figures.at_most("1M/5M: memory at most", large.analysed.peak / 1e9, MOST_MEMORY, " GB");
    Ok(())
}

/// What was measured of a generated estate.
struct Measured {
    /// Seconds that ingest took.
    ingest: f64,
    analysed: Analysed,
}

/// What analysis of an estate took and gave.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Analysed {
    /// Processors, scores and findings.
    whole: Spent,
    /// Each processor by its name, and the list of findings.
    parts: BTreeMap<String, Spent>,
    /// By kind: how many edges are written down, and how many there are.
    kinds: BTreeMap<String, (usize, u64)>,
    findings: usize,
    /// The most memory that was resident at any time, in bytes.
    peak: f64,
}

/// Generates an estate, ingests it and analyses it, each in a process of its own.
fn measured(folder: &Path, (nodes, edges): (usize, usize)) -> anyhow::Result<Measured> {
    let documents = folder.join("documents");
    fs::create_dir_all(&documents)?;
    let mut number = 0;
    generate(&Shape::new(nodes, edges), |bytes| {
        number += 1;
        Ok(fs::write(documents.join(format!("{number:04}.json")), bytes)?)
    })?;
    let data = |round: usize| folder.join(format!("data-{round}"));
    let mut ingest = f64::INFINITY;
    for round in 0..ROUNDS {
        ingest = ingest.min(measure("ingest", &[&documents, &data(round)])?.seconds);
    }
    say(&format!("  {nodes} nodes, {edges} edges: ingest {ingest:.2} s"));
    let analysed: Analysed = ask("analyse", &[&data(0), &PathBuf::from(ROUNDS.to_string())])?;
    let (written, total) =
        analysed.kinds.values().fold((0, 0), |sum, (written, total)| (sum.0 + written, sum.1 + total));
    say(&format!(
        "    processors, scores and findings {:.3} s, of which {:.3} s were worked: {written} composite edges of {total}, \
         {} findings, {:.2} GB",
        analysed.whole.seconds,
        analysed.whole.worked,
        analysed.findings,
        analysed.peak / 1e9
    ));
    for (kind, (written, total)) in &analysed.kinds {
        say(&format!("      {kind}: {written} of {total}"));
    }
    Ok(Measured { ingest, analysed })
}

/// Analyses the estate in a folder several times, and gives the quickest.
pub(crate) fn analyse(data: &Path, rounds: &str) -> anyhow::Result<Analysed> {
    let mut estate = Estate::open(data, "default", Access::Read, Limits::default())?;
    let graph = estate.graph(&Point::Now)?;
    let mut best = Analysed::default();
    for round in 0..rounds.parse::<usize>()? {
        let analysed = once(&graph)?;
        if round == 0 || analysed.whole.worked < best.whole.worked {
            best = analysed;
        }
    }
    best.peak = peak_memory()?;
    Ok(best)
}

fn once(graph: &Graph) -> anyhow::Result<Analysed> {
    let rules = tracehound_rules::builtin_rules().context("the built-in rules")?;
    let mut analysed = Analysed::default();
    let whole = Clock::start();
    let mut part = Clock::start();
    let analysis = Analysis::told(graph, &mut |processor| {
        analysed.parts.insert(processor.name.to_owned(), part.spent());
        part = Clock::start();
    });
    part = Clock::start();
    let found = List::new(Picture::new(graph, &analysis), rules);
    analysed.parts.insert("list of findings".to_owned(), part.spent());
    analysed.whole = whole.spent();
    analysed.findings = found.len();
    for (kind, relation) in analysis.derived.iter() {
        analysed.kinds.insert(kind.name().to_owned(), (relation.len(), relation.total()));
    }
    Ok(analysed)
}
