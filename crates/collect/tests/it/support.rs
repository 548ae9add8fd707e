//! Scans for tests, and what their documents say, in few words.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tracehound_collect::local::{Request, Root, scan};
use tracehound_collect::{Detection, Report, What};
use tracehound_model::wire::{Edge, Node, Properties};
use tracehound_model::{EdgeKind, NodeId};

/// The built-in rules, compiled once for all tests.
pub(crate) fn detection() -> &'static Detection {
    static DETECTION: OnceLock<Detection> = OnceLock::new();
    DETECTION.get_or_init(|| Detection::start(tracehound_rules::builtin_rules().unwrap().to_vec()).unwrap())
}

/// A request with everything that does not matter filled in.
pub(crate) fn request() -> Request {
    Request {
        stamp: tracehound_collect::Stamp {
            origin: "box".to_owned(),
            scan_id: "scan-test".to_owned(),
            timestamp: "2026-01-01T00:00:00Z".to_owned(),
        },
        ..Request::default()
    }
}

/// Scans files of this machine.
pub(crate) fn scan_files(files: Vec<PathBuf>) -> Report {
    scan(&Root::machine(), &Request { files, ..request() }, detection(), &|_| {}).unwrap()
}

/// Scans a file system below a folder.
pub(crate) fn scan_root(folder: &Path) -> Report {
    let (root, layout) = Root::mounted(folder).unwrap();
    scan(&root, &Request { layout: Some(layout), ..request() }, detection(), &|_| {}).unwrap()
}

/// The node with an id.
pub(crate) fn node<'r>(report: &'r Report, id: &NodeId) -> &'r Node {
    report.document.graph.nodes.iter().find(|node| node.id == *id).unwrap()
}

/// The edges of a kind.
pub(crate) fn edges(report: &Report, kind: EdgeKind) -> impl Iterator<Item = &Edge> {
    report.document.graph.edges.iter().filter(move |edge| edge.kind == kind)
}

/// A property as text; empty when it is not there.
pub(crate) fn text(properties: &Properties, key: &str) -> String {
    match properties.get(key) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// A folder with these files.
pub(crate) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

/// What the report says of files, a line for each.
pub(crate) fn looked_at(report: &Report) -> Vec<String> {
    let line = |file: &tracehound_collect::LookedAt| match &file.what {
        What::Config { clients, servers, disabled, .. } => {
            let disabled = if *disabled == 0 { String::new() } else { format!(" ({disabled} off)") };
            format!("{} {} {servers}{disabled}", file.path, clients.join("+"))
        }
        What::Instructions { r#type, is_suspicious } => {
            format!("{} {type}{}", file.path, if *is_suspicious { " suspicious" } else { "" })
        }
    };
    report.files.iter().map(line).collect()
}

/// Edges of a kind, as names of their ends.
pub(crate) fn arrows(report: &Report, kind: EdgeKind) -> Vec<String> {
    let name = |id: &NodeId| {
        let properties = &node(report, id).properties;
        ["name", "path", "hostname", "type"]
            .iter()
            .map(|key| text(properties, key))
            .find(|name| !name.is_empty())
            .unwrap()
    };
    let mut arrows: Vec<String> =
        edges(report, kind).map(|edge| format!("{} -> {}", name(&edge.source), name(&edge.target))).collect();
    arrows.sort();
    arrows
}
