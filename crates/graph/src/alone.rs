//! The graph of one document, without a store.

use tracehound_model::hash;

use crate::estate::describe;
use crate::facts::{Facts, Moment};
use crate::fold::{Fold, Point, Timeline};
use crate::graph::{Acknowledged, Graph};
use crate::{Error, Limits, ingest};

/// Reads a document as it would be taken in, and lays out its graph. Nothing is stored.
///
/// # Errors
///
/// When the document would be refused.
pub fn graph_of(bytes: &[u8], limits: &Limits, now: Moment) -> Result<Graph, Error> {
    let mut facts = Facts::default();
    let parsed = ingest::read(bytes, limits, std::mem::take(&mut facts.keys), Vec::new())?;
    let (record, _) = describe(&parsed, hash::content(bytes), bytes.len() as u64, now);
    facts.add(parsed, record, 0);
    let no_such = || Error::NoSuchScan { scan_id: String::new(), hint: String::new() };
    let timeline = Timeline::new(&facts.scans, &Point::Now).ok_or_else(no_such)?;
    let fold = Fold::new(&facts, timeline);
    Ok(Graph::new(&mut facts, &fold, &Acknowledged::default()))
}
