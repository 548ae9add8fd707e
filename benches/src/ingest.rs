//! Ingest, its growth, its memory, and starting up from a snapshot.

use std::fs;
use std::path::{Path, PathBuf};

use xtask::estate::{Shape, generate};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

/// Rounds of each size; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 3;
const GB: f64 = 1e9;

/// Both sizes, in turns, so that a slow minute of the machine strikes both.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut small = Size::prepare(&folder.path().join("small"), 100_000, 500_000)?;
    let mut large = Size::prepare(&folder.path().join("large"), 1_000_000, 5_000_000)?;
    for round in 0..ROUNDS {
        small.measure(round)?;
        large.measure(round)?;
    }
    small.report();
    large.report();
    let (small_ratio, large_ratio) =
        (small.ingest.seconds / small.parse.seconds, large.ingest.seconds / large.parse.seconds);
    figures.at_most("100k/500k: ingest against parsing into values", small_ratio, 5.0, "x");
    figures.at_most("1M/5M: ingest against parsing into values", large_ratio, 5.0, "x");
    figures.at_most("ten times the input", large.ingest.seconds / small.ingest.seconds, 12.0, "x");
    figures.at_most("1M/5M: peak memory", large.ingest.peak / GB, 2.0, " GB");
    figures.at_most("1M/5M: start-up against ingest", large.start.seconds / large.ingest.seconds, 0.25, "x");
    Ok(())
}

#[derive(Debug)]
struct Size {
    folder: PathBuf,
    nodes: usize,
    edges: usize,
    megabytes: f64,
    parse: Measured,
    ingest: Measured,
    start: Measured,
    stored: u64,
}

impl Size {
    fn prepare(folder: &Path, nodes: usize, edges: usize) -> anyhow::Result<Self> {
        let documents = folder.join("documents");
        fs::create_dir_all(&documents)?;
        let mut number = 0;
        let made = generate(&Shape::new(nodes, edges), |bytes| {
            number += 1;
            Ok(fs::write(documents.join(format!("{number:04}.json")), bytes)?)
        })?;
        let megabytes = made.bytes as f64 / 1e6;
        say(&format!("  {nodes} nodes, {edges} edges: {} documents, {megabytes:.0} MB", made.documents));
        let none = Measured::default();
        Ok(Self {
            folder: folder.to_owned(),
            nodes,
            edges,
            megabytes,
            parse: none,
            ingest: none,
            start: none,
            stored: 0,
        })
    }

    fn measure(&mut self, round: usize) -> anyhow::Result<()> {
        let documents = self.folder.join("documents");
        let data = self.folder.join(format!("data-{round}"));
        keep_quicker(&mut self.parse, measure("parse", &[&documents])?, round);
        keep_quicker(&mut self.ingest, measure("ingest", &[&documents, &data])?, round);
        keep_quicker(&mut self.start, measure("start", &[&data])?, round);
        for measured in [self.ingest, self.start] {
            let is_all = (measured.nodes, measured.edges) == (self.nodes, self.edges);
            anyhow::ensure!(is_all, "{measured:?} is not all");
        }
        self.stored = folder_bytes(&data)?;
        fs::remove_dir_all(&data)?;
        Ok(())
    }

    fn report(&self) {
        say(&format!("  {} nodes, {} edges, stored in {:.0} MB:", self.nodes, self.edges, self.stored as f64 / 1e6));
        for (name, measured) in [("parse", self.parse), ("ingest", self.ingest), ("start", self.start)] {
            let (seconds, peak) = (measured.seconds, measured.peak / GB);
            let snapshot = match measured.snapshot_seconds {
                0.0 => String::new(),
                seconds => format!(", then snapshot {seconds:.2} s"),
            };
            let rate = self.megabytes / seconds;
            say(&format!("    {name}: {seconds:.2} s, {rate:.0} MB/s, peak {peak:.2} GB{snapshot}"));
        }
    }
}

/// Keeps the quicker of two measurements, and the higher peak of both: a bound on memory holds at any time.
fn keep_quicker(best: &mut Measured, next: Measured, round: usize) {
    let peak = best.peak.max(next.peak);
    if round == 0 || next.seconds < best.seconds {
        *best = next;
    }
    best.peak = peak;
}

fn folder_bytes(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}
