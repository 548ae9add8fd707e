//! Real configurations, against what a careful reader finds in them.
//!
//! The files are other people's and stay where they are: beside the repository. What is kept here is the reading.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tracehound_collect::Report;
use tracehound_model::{EdgeKind, NodeKind};

use crate::support::{edges, node, scan_files, text};

const EXPECTED: &str = include_str!("../expected/configs.jsonl");

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/configs");
    folder.canonicalize().ok()
}

/// What a document says of one file, a line for each server and each of its credentials.
fn said(report: &Report, path: &Path) -> Vec<String> {
    let file = path.to_str().unwrap();
    let mut lines = Vec::new();
    for edge in edges(report, EdgeKind::ConfiguredIn).filter(|edge| text(&edge.properties, "file") == file) {
        let server = node(report, &edge.source);
        let value = |key: &str| text(&server.properties, key);
        let package = match value("package").as_str() {
            "" => "-".to_owned(),
            name => format!("{}:{name} {} {}", value("registry"), value("package_version"), value("is_pinned")),
        };
        let name = text(&edge.properties, "server_name");
        let line: u64 = text(&edge.properties, "line").parse().unwrap();
        let enabled = text(&edge.properties, "is_enabled");
        // One server under two names is one node.
        lines.extend(
            edge.properties
                .get("also_named")
                .into_iter()
                .flat_map(|names| names.as_array().unwrap())
                .map(|name| format!("also {name}")),
        );
        lines.push(format!("{line} {name} {} {} {enabled} {package}", value("transport"), value("endpoint")));
    }
    for credential in report.document.graph.nodes.iter() {
        let source = text(&credential.properties, "source");
        if let Some(owner) = source.strip_prefix(file).and_then(|rest| rest.strip_prefix('#')) {
            let value = |key: &str| text(&credential.properties, key);
            // Outside servers the name is the way to it; the reader noted its end.
            let name = value("name");
            let name = if owner.is_empty() { name.rsplit('/').next().unwrap().to_owned() } else { name };
            lines.push(format!("credential {owner} {name} {}", value("type")));
        }
    }
    lines.sort();
    lines
}

/// The same of what is expected.
fn expected(row: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for server in row["servers"].as_array().unwrap() {
        let value = |key: &str| server[key].as_str().unwrap_or_default();
        let package = match value("package") {
            "" => "-".to_owned(),
            name => format!("{name} {} {}", value("version"), server["pinned"]),
        };
        if server["same_as_above"] == true {
            lines.push(format!("also {:?}", value("name")));
            continue;
        }
        let (line, name, enabled) = (&server["line"], value("name"), &server["enabled"]);
        lines.push(format!("{line} {name} {} {} {enabled} {package}", value("transport"), value("endpoint")));
        for credential in server["credentials"].as_array().unwrap() {
            let value = |key: &str| credential[key].as_str().unwrap();
            lines.push(format!("credential {name} {} {}", value("name"), value("type")));
        }
    }
    for credential in row["other_credentials"].as_array().unwrap() {
        let value = |key: &str| credential[key].as_str().unwrap();
        lines.push(format!("credential  {} {}", value("name"), value("type")));
    }
    lines.sort();
    lines
}

#[test]
fn every_file_is_read_as_a_careful_reader_reads_it() {
    let Some(folder) = corpus() else { return };
    let rows: Vec<Value> = EXPECTED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let path = |row: &Value| folder.join(row["file"].as_str().unwrap());
    let report = scan_files(rows.iter().map(path).collect());
    let mut differences = String::new();
    for row in &rows {
        let (said, expected) = (said(&report, &path(row)), expected(row));
        let missing: Vec<_> = expected.iter().filter(|line| !said.contains(line)).collect();
        let surplus: Vec<_> = said.iter().filter(|line| !expected.contains(line)).collect();
        if !missing.is_empty() || !surplus.is_empty() {
            writeln!(differences, "{}\n  missing {missing:#?}\n  surplus {surplus:#?}", row["file"]).unwrap();
        }
        let file = path(row).to_str().unwrap().to_owned();
        let problems: Vec<_> = report.problems.iter().filter(|problem| problem.path == file).collect();
        let lines: BTreeMap<_, _> =
            problems.iter().map(|it| (it.at.map(|at| u64::from(at.line)), &it.message)).collect();
        let wanted = row["problem"]["line"].as_u64();
        let lines = if row["skipped"].is_array() { BTreeMap::new() } else { lines };
        if (wanted.is_some() && !lines.contains_key(&wanted)) || (wanted.is_none() && !lines.is_empty()) {
            writeln!(differences, "{} wants a problem at {wanted:?}, has {lines:?}", row["file"]).unwrap();
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn files_have_hardcoded_secrets_exactly_where_the_index_says() {
    let Some(folder) = corpus() else { return };
    let index = std::fs::read_to_string(folder.join("index.jsonl")).unwrap();
    let rows: Vec<Value> = index.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let path = |row: &Value| folder.join(row["file"].as_str().unwrap());
    let report = scan_files(rows.iter().map(path).collect());
    let has_secret = |path: &Path| {
        let start = format!("{}#", path.to_str().unwrap());
        let credentials = report.document.graph.nodes.iter().filter(|node| node.kinds == [NodeKind::Credential]);
        let mut here = credentials.filter(|node| text(&node.properties, "source").starts_with(&start));
        here.any(|node| text(&node.properties, "type") == "hardcoded")
    };
    let wrong: Vec<&Value> =
        rows.iter().filter(|row| has_secret(&path(row)) != (row["label"] == "has_hardcoded_secret")).collect();
    assert_eq!(rows.len(), 157);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
