//! Ingest, its growth, its memory, and starting up from a snapshot.

use std::fs;
use std::path::Path;

use xtask::estate::{Shape, generate};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

/// Rounds of each size; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 3;
const GIB: f64 = (1_u64 << 30) as f64;

/// Both sizes.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let small = at_size(100_000, 500_000)?;
    let large = at_size(1_000_000, 5_000_000)?;
    figures.at_most(
        "100k/500k: ingest against parsing into values",
        small.ingest.seconds / small.parse.seconds,
        5.0,
        "x",
    );
    figures.at_most("1M/5M: ingest against parsing into values", large.ingest.seconds / large.parse.seconds, 5.0, "x");
    figures.at_most("ten times the input", large.ingest.seconds / small.ingest.seconds, 12.0, "x");
    figures.at_most("1M/5M: peak memory", large.ingest.peak / GIB, 2.0, " GiB");
    figures.at_most("1M/5M: start-up against ingest", large.start.seconds / large.ingest.seconds, 0.25, "x");
    Ok(())
}

#[derive(Debug, Default)]
struct Size {
    parse: Measured,
    ingest: Measured,
    start: Measured,
}

fn at_size(nodes: usize, edges: usize) -> anyhow::Result<Size> {
    let folder = tempfile::tempdir()?;
    let documents = folder.path().join("documents");
    fs::create_dir(&documents)?;
    let mut number = 0;
    let made = generate(&Shape::new(nodes, edges), |bytes| {
        number += 1;
        Ok(fs::write(documents.join(format!("{number:04}.json")), bytes)?)
    })?;
    let megabytes = made.bytes as f64 / 1e6;
    say(&format!("  {nodes} nodes, {edges} edges: {} documents, {megabytes:.0} MB", made.documents));
    let mut size = Size::default();
    for round in 0..ROUNDS {
        let data = folder.path().join(format!("data-{round}"));
        keep_quicker(&mut size.parse, measure("parse", &[&documents])?, round);
        keep_quicker(&mut size.ingest, measure("ingest", &[&documents, &data])?, round);
        keep_quicker(&mut size.start, measure("start", &[&data])?, round);
        anyhow::ensure!((size.ingest.nodes, size.ingest.edges) == (nodes, edges), "{:?} is not all", size.ingest);
        anyhow::ensure!((size.start.nodes, size.start.edges) == (nodes, edges), "{:?} is not all", size.start);
        say(&format!("  store: {:.0} MB", folder_bytes(&data)? as f64 / 1e6));
        fs::remove_dir_all(&data)?;
    }
    for (name, measured) in [("parse", size.parse), ("ingest", size.ingest), ("start", size.start)] {
        let (seconds, peak) = (measured.seconds, measured.peak / GIB);
        let beside = if measured.beside > 0.0 { format!(", snapshot {:.2} s", measured.beside) } else { String::new() };
        say(&format!("  {name}: {seconds:.2} s, {:.0} MB/s, peak {peak:.2} GiB{beside}", megabytes / seconds));
    }
    Ok(size)
}

fn keep_quicker(best: &mut Measured, next: Measured, round: usize) {
    if round == 0 || next.seconds < best.seconds {
        *best = next;
    }
}

fn folder_bytes(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}
