//! Analysis: all processors, scores and findings on whole estates, on huge fan-outs, and after a small change; paths and cuts
//! on a generated estate.

pub(crate) mod fan_out;
pub(crate) mod movement;
pub(crate) mod rescan;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use tracehound_analyze::Analysis;
use tracehound_graph::{Access, Estate, Graph, Limits, Moment, Point};
use xtask::estate::{Shape, generate};

use crate::child::measure;
use crate::figure::{Figures, say};

/// Rounds of the small and of the large estate; the quickest counts, as noise only ever slows.
const ROUNDS: [usize; 2] = [3, 1];

/// The whole of analysis against ingest, and at ten times the size.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let small = Whole::new(&folder.path().join("small"), (100_000, 500_000), ROUNDS[0])?;
    let graph = small.graph()?;
    let small = small.measure(&graph)?;
    drop(graph);
    let large = Whole::new(&folder.path().join("large"), (1_000_000, 5_000_000), ROUNDS[1])?;
    let graph = large.graph()?;
    let large = large.measure(&graph)?;
    drop(graph);
    figures.at_most("100k/500k: analysis against ingest", small.seconds / small.ingest, 3.0, "x");
    figures.at_most("ten times the size: analysis", large.seconds / small.seconds, 12.0, "x");
    for (name, seconds) in &large.processors {
        let before = small.processors.get(name).copied().unwrap_or(f64::NAN);
        say(&format!("    {name}: {:.1} ms, then {:.1} ms, {:.1}x", before * 1e3, seconds * 1e3, seconds / before));
    }
    Ok(())
}

/// A generated estate of 100,000 nodes and 500,000 edges, with the documents that it was made of.
fn generated(folder: &Path) -> anyhow::Result<(Estate, Vec<Vec<u8>>)> {
    let mut documents = Vec::new();
    let shape = Shape { max_document_bytes: 1 << 20, ..Shape::new(100_000, 500_000) };
    generate(&shape, |bytes| {
        documents.push(bytes);
        Ok(())
    })?;
    let mut estate = Estate::open(folder, "default", Access::Write, Limits::default())?;
    for bytes in &documents {
        estate.ingest(bytes, now())?;
    }
    Ok((estate, documents))
}

/// A time after everything that generated estates tell of.
fn now() -> Moment {
    Moment::parse("2030-01-01T00:00:00Z").unwrap_or(Moment(0))
}

/// A generated estate on disk.
struct Whole {
    folder: PathBuf,
    /// Seconds that ingest took.
    ingest: f64,
    rounds: usize,
}

/// What analysis of it took.
struct Measured {
    ingest: f64,
    /// Processors, scores and findings.
    seconds: f64,
    processors: BTreeMap<&'static str, f64>,
}

impl Whole {
    fn new(folder: &Path, (nodes, edges): (usize, usize), rounds: usize) -> anyhow::Result<Self> {
        let documents = folder.join("documents");
        fs::create_dir_all(&documents)?;
        let mut number = 0;
        generate(&Shape::new(nodes, edges), |bytes| {
            number += 1;
            Ok(fs::write(documents.join(format!("{number:04}.json")), bytes)?)
        })?;
        let data = |round: usize| folder.join(format!("data-{round}"));
        let mut ingest = f64::INFINITY;
        for round in 0..rounds {
            ingest = ingest.min(measure("ingest", &[&documents, &data(round)])?.seconds);
        }
        say(&format!("  {nodes} nodes, {edges} edges: ingest {ingest:.2} s"));
        Ok(Self { folder: data(0), ingest, rounds })
    }

    fn graph(&self) -> anyhow::Result<Graph> {
        let mut estate = Estate::open(&self.folder, "default", Access::Read, Limits::default())?;
        Ok(estate.graph(&Point::Now)?)
    }

    fn measure(self, graph: &Graph) -> anyhow::Result<Measured> {
        let rules = tracehound_rules::builtin_rules().context("the built-in rules")?;
        let mut best = Measured { ingest: self.ingest, seconds: f64::INFINITY, processors: BTreeMap::new() };
        for _ in 0..self.rounds {
            let begin = Instant::now();
            let (analysis, processors) = timed(graph);
            let derived = begin.elapsed().as_secs_f64();
            let picture = tracehound_analyze::Picture::new(graph, &analysis);
            let found = tracehound_analyze::findings::List::new(picture, rules);
            let seconds = begin.elapsed().as_secs_f64();
            if seconds < best.seconds {
                best = Measured { seconds, processors, ..best };
                let edges: usize = analysis.derived.iter().map(|(_, relation)| relation.len()).sum();
                let total: u64 = analysis.derived.iter().map(|(_, relation)| relation.total()).sum();
                say(&format!(
                    "    processors and scores {derived:.3} s, with findings {seconds:.3} s: {edges} composite edges of {total}, {} findings",
                    found.len()
                ));
                for (kind, relation) in analysis.derived.iter() {
                    say(&format!("      {kind}: {} of {}", relation.len(), relation.total()));
                }
            }
        }
        Ok(best)
    }
}

/// Analyses a graph and times each processor.
fn timed(graph: &Graph) -> (Analysis, BTreeMap<&'static str, f64>) {
    let mut processors = BTreeMap::new();
    let mut last = Instant::now();
    let analysis = Analysis::told(graph, &mut |processor| {
        processors.insert(processor.name, last.elapsed().as_secs_f64());
        last = Instant::now();
    });
    (analysis, processors)
}
