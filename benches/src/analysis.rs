//! Analysis: all processors, scores and findings on whole estates, on huge fan-outs, and after a small change; paths and cuts
//! on a generated estate.

pub(crate) mod fan_out;
pub(crate) mod movement;
pub(crate) mod rescan;
pub(crate) mod whole;

use std::path::Path;

use tracehound_graph::{Access, Estate, Limits, Moment};
use xtask::estate::{Shape, generate};

/// A generated estate of 100,000 nodes and 500,000 edges, with the documents that it was made of.
fn generated(folder: &Path) -> anyhow::Result<(Estate, Vec<Vec<u8>>)> {
    let mut documents = Vec::new();
    let shape = Shape { max_document_bytes: 4 << 20, ..Shape::new(100_000, 500_000) };
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
