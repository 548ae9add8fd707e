//! A re-scan of one machine in which a thousandth of the facts changed: only what depends on them is derived again.

use anyhow::Context as _;
use serde_json::Value;
use tracehound_analyze::{Analysis, Changes};
use tracehound_graph::Point;
use tracehound_model::NodeKind;

use crate::clock::Clock;
use crate::figure::{Figures, say};

/// What differs in the second scan: where a property of nodes of a kind is set anew.
const CHANGES: &[(&str, NodeKind, &str, &str)] = &[
    ("descriptions of A2A skills", NodeKind::A2aSkill, "description", "says something else"),
    ("what A2A agents demand", NodeKind::A2aAgent, "auth_method", "oauth"),
    ("descriptions of tools", NodeKind::McpTool, "description", "does something else"),
    ("versions of servers", NodeKind::McpServer, "version", "9.9.9"),
];

/// How long it may take against a whole analysis: what changed is looked for as well.
const MOST: f64 = 1.5;

/// Runs it.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut estate, documents) = super::generated(folder.path())?;
    let mut before = estate.graph(&Point::Now)?;
    let clock = Clock::start();
    let mut analysis = Analysis::of(&before);
    let whole = clock.spent().worked;
    say(&format!(
        "  after a re-scan of one machine (of {} documents; a whole analysis takes {:.0} ms):",
        documents.len(),
        whole * 1e3
    ));
    for (number, (what, kind, key, value)) in CHANGES.iter().enumerate() {
        let bytes = documents.iter().find_map(|bytes| rescanned(bytes, *kind, key, value, number));
        let bytes = bytes.with_context(|| format!("no document has a {kind}, so {what} can't change"))?;
        estate.ingest(&bytes, super::now())?;
        let after = estate.graph(&Point::Now)?;
        let clock = Clock::start();
        let changes = Changes::between(&before, &after);
        let again = Analysis::again(&after, &analysis, &changes);
        let seconds = clock.spent().worked;
        say(&format!("    {what}: {} processors again, {:.0} ms", again.ran.len(), seconds * 1e3));
        figures.at_most(&format!("a re-scan with other {what}, against a whole analysis"), seconds / whole, MOST, "x");
        (before, analysis) = (after, again);
    }
    Ok(())
}

/// The document a day later, with a property changed on up to a thousandth of the estate's nodes.
fn rescanned(bytes: &[u8], kind: NodeKind, key: &str, value: &str, number: usize) -> Option<Vec<u8>> {
    let mut document: Value = serde_json::from_slice(bytes).ok()?;
    let is_meant = |node: &Value| node.pointer("/kinds/0").and_then(Value::as_str) == Some(kind.name());
    let mut changed = 0;
    for node in document.pointer_mut("/graph/nodes")?.as_array_mut()?.iter_mut().filter(|node| is_meant(node)) {
        if changed < 100 {
            node.pointer_mut("/properties")?.as_object_mut()?.insert(key.to_owned(), Value::from(value));
            changed += 1;
        }
    }
    let meta = document.pointer_mut("/meta")?.as_object_mut()?;
    meta.insert("scan_id".to_owned(), Value::from(format!("again-{number}")));
    meta.insert("timestamp".to_owned(), Value::from(format!("2029-12-0{}T00:00:00Z", number + 1)));
    (changed > 0).then(|| serde_json::to_vec(&document).ok()).flatten()
}
