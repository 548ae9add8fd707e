//! Edges without which findings are gone, whatever other ways there are.

use serde_json::{Value, json};
use tracehound_analyze::Picture;
use tracehound_analyze::choke::{Carrier, Change, sentence, strongest, where_to_change, without};

use super::estate_view::{counted, node_json, place_words};
use crate::output::{Output, safe};
use crate::progress;

/// The edges that carry most findings alone, as changes.
fn find(picture: &Picture<'_>, count: usize) -> Vec<(Carrier, Change)> {
    if count == 0 {
        return Vec::new();
    }
    let bar = progress::working("trying what is gone without each edge");
    let carriers = strongest(picture.view, picture.analysis, count, &|_| true);
    bar.finish_and_clear();
    carriers.into_iter().filter_map(|carrier| without(picture, carrier.edge).map(|change| (carrier, change))).collect()
}

pub(super) fn print(picture: &Picture<'_>, count: usize, output: &mut Output) -> anyhow::Result<()> {
    if count == 0 {
        return Ok(());
    }
    output.line("single changes that end most findings")?;
    for (carrier, change) in find(picture, count) {
        let at = where_to_change(picture, &change).map_or_else(String::new, |at| format!(" ({})", place_words(&at)));
        let gone = counted(carrier.carries.len(), "finding");
        output.line(format!("  {}{at}   {gone}", safe(&sentence(picture, &change))))?;
    }
    Ok(())
}

pub(super) fn json(picture: &Picture<'_>, count: usize) -> Vec<Value> {
    let one = |(carrier, change): (Carrier, Change)| {
        json!({
            "kind": carrier.edge.kind,
            "source": node_json(picture, carrier.edge.source),
            "target": node_json(picture, carrier.edge.target),
            "change": sentence(picture, &change),
            "findings": carrier.carries.len(),
        })
    };
    find(picture, count).into_iter().map(one).collect()
}
