//! `cargo xtask estate`: a generated estate, written as one file a document.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use xtask::estate::{Shape, Summary, generate};

use crate::output;
use crate::steps::{self, Step};

/// The shape that an estate has unless told otherwise.
const USUAL: Shape = Shape::new(100_000, 500_000);

/// How large, and where to.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// How many nodes
    #[arg(long, value_name = "N", default_value_t = USUAL.nodes)]
    nodes: usize,
    /// How many edges, 3 to 8 for each node
    #[arg(long, value_name = "E", default_value_t = USUAL.edges)]
    edges: usize,
    /// Estates of different seeds differ
    #[arg(long, value_name = "S", default_value_t = USUAL.seed)]
    seed: u64,
    /// The folder to write to; made if it is not there, and refused if it is not empty
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// No document is larger
    #[arg(long, value_name = "B", default_value_t = USUAL.max_document_bytes)]
    max_document_bytes: usize,
}

/// Writes the estate and says what is in it.
pub(super) fn run(options: &Options) -> Result<()> {
    steps::run(vec![Step::new("estate", || {
        let summary = write(options)?;
        output::line(described(&summary));
        Ok(())
    })])
}

fn write(options: &Options) -> Result<Summary> {
    let folder = &options.output;
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    // Documents of an earlier estate between these would make a third one that nobody asked for.
    ensure!(is_empty(folder)?, "`{}` is not empty", folder.display());
    let shape = Shape {
        nodes: options.nodes,
        edges: options.edges,
        seed: options.seed,
        max_document_bytes: options.max_document_bytes,
    };
    let mut number = 0_usize;
    generate(&shape, |document| {
        number += 1;
        let path = folder.join(format!("{number:04}.json"));
        fs::write(&path, document).with_context(|| format!("cannot write `{}`", path.display()))
    })
}

fn is_empty(folder: &Path) -> Result<bool> {
    let mut entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    Ok(entries.next().is_none())
}

/// The counts by kind, for people.
fn described(summary: &Summary) -> String {
    let mut text = format!(
        "{} documents, {} bytes, {} nodes, {} edges",
        summary.documents,
        summary.bytes,
        summary.node_count(),
        summary.edge_count()
    );
    let nodes = summary.nodes.iter().map(|(kind, count)| row(kind, *count));
    let edges = summary.edges.iter().map(|(kind, count)| row(kind, *count));
    text.extend(nodes.chain(edges));
    text
}

fn row(kind: &impl Display, count: usize) -> String {
    format!("\n  {kind:24} {count:>9}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(output: &Path) -> Options {
        Options { nodes: 4_000, edges: 16_000, seed: 3, output: output.to_owned(), max_document_bytes: 4 << 20 }
    }

    #[test]
    fn documents_are_numbered_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("estate");
        let summary = write(&options(&output)).unwrap();
        let mut names: Vec<_> = fs::read_dir(&output).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names.first().unwrap(), "0001.json");
        assert_eq!(names.len(), summary.documents);
        assert!(names.len() > 1);
        assert!(described(&summary).contains(" 4000 nodes, 16000 edges"));
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("0001.json"), "{}").unwrap();
        let error = write(&options(folder.path())).unwrap_err();
        assert_eq!(error.to_string(), format!("`{}` is not empty", folder.path().display()));
    }
}
