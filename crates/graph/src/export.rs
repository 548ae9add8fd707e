//! The graph as documents of the wire format again.
//!
//! An exported document says that it covers nothing: it is a copy of what is live, and ingesting it beside other
//! scans must not retire what they saw.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;
use tracehound_model::{Collector, NodeId, NodeKind, hash, wire};

use crate::bag::PropertyValue;
use crate::graph::{EdgeRef, Graph, NodeRef};

/// How an export is to be written.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// The scan id; by default one that depends only on the scans behind the graph.
    pub scan_id: Option<String>,
    /// The size above which another document is begun; by default there is one document.
    pub max_bytes: Option<u64>,
}

/// Writes a graph as one or more documents; `open` is called for each with its number, from zero. Returns how many.
///
/// # Errors
///
/// Whatever `open` and the writers that it gives return.
pub fn export<W: Write>(
    graph: &Graph,
    options: &ExportOptions,
    open: impl FnMut(usize) -> io::Result<W>,
) -> io::Result<usize> {
    let scan_id = options.scan_id.clone().unwrap_or_else(|| default_scan_id(graph));
    let timestamp = graph.scans().last().map_or_else(String::new, |scan| scan.time.to_string());
    let limit = options.max_bytes.unwrap_or(u64::MAX);
    let mut parts = Parts { scan_id, timestamp, limit, open, part: 0, current: None };
    for node in graph.nodes() {
        parts.item(Section::Nodes, &node_json(node))?;
    }
    for edge in graph.edges() {
        parts.item(Section::Edges, &edge_json(edge))?;
    }
    parts.finish()
}

fn default_scan_id(graph: &Graph) -> String {
    let hashes: Vec<&str> = graph.scans().iter().map(|scan| scan.sha256.as_str()).collect();
    let digest = hash::content(hashes.join(" "));
    format!("export-{}", digest.get(..16).unwrap_or_default())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Section {
    Nodes,
    Edges,
}

/// A document that is being written.
struct Part<W> {
    out: W,
    written: u64,
    section: Section,
    is_first: bool,
}

/// The end of a document whose nodes and edges are both there.
const TAIL: &[u8] = b"\n]}}\n";
/// What separates the nodes from the edges.
const BETWEEN: &[u8] = b"\n],\"edges\":[";

struct Parts<W, F> {
    scan_id: String,
    timestamp: String,
    limit: u64,
    open: F,
    part: usize,
    current: Option<Part<W>>,
}

impl<W: Write, F: FnMut(usize) -> io::Result<W>> Parts<W, F> {
    fn item(&mut self, section: Section, item: &impl Serialize) -> io::Result<()> {
        let bytes = serde_json::to_vec(item)?;
        let more = (bytes.len() + BETWEEN.len() + TAIL.len() + 2) as u64;
        let is_full = self.current.as_ref().is_some_and(|part| !part.is_first && part.written + more > self.limit);
        if is_full {
            self.close()?;
        }
        let part = match self.current.take() {
            Some(part) => self.current.insert(part),
            None => {
                let part = self.begin()?;
                self.current.insert(part)
            }
        };
        if part.section < section {
            part.write(BETWEEN)?;
            part.section = section;
            part.is_first = true;
        }
        part.write(if part.is_first { b"\n" } else { b",\n" })?;
        part.is_first = false;
        part.write(&bytes)
    }

    fn begin(&mut self) -> io::Result<Part<W>> {
        let scan_id = match self.part {
            0 => self.scan_id.clone(),
            part => format!("{}-{}", self.scan_id, part + 1),
        };
        let meta = json!({
            "version": wire::VERSION,
            "type": wire::TYPE,
            "collector": Collector::Scan,
            "collector_version": env!("CARGO_PKG_VERSION"),
            "timestamp": self.timestamp,
            "scan_id": scan_id,
            "extra": { "covers": wire::Covers::default() },
        });
        let out = (self.open)(self.part)?;
        self.part += 1;
        let mut part = Part { out, written: 0, section: Section::Nodes, is_first: true };
        part.write(format!("{{\"meta\":{meta},\n\"graph\":{{\"nodes\":[").as_bytes())?;
        Ok(part)
    }

    fn close(&mut self) -> io::Result<()> {
        let Some(mut part) = self.current.take() else { return Ok(()) };
        if part.section == Section::Nodes {
            part.write(BETWEEN)?;
        }
        part.write(TAIL)?;
        part.out.flush()
    }

    fn finish(mut self) -> io::Result<usize> {
        if self.part == 0 {
            self.current = Some(self.begin()?);
        }
        self.close()?;
        Ok(self.part)
    }
}

impl<W: Write> Part<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// What an end of an edge is called: what it is, or the label that lets it be this end.
fn fitting_kind(node: NodeRef<'_>, allowed: &[NodeKind]) -> NodeKind {
    let fits =
        |kind: &NodeKind| allowed.contains(kind) || kind.umbrella().is_some_and(|label| allowed.contains(&label));
    node.kinds().into_iter().find(fits).unwrap_or_else(|| node.kind())
}

fn properties(known: Vec<(&str, PropertyValue<'_>)>, provenance: &[(&str, String)]) -> wire::Properties {
    let known = known.into_iter().map(|(key, value)| (key.to_owned().into(), value.to_json()));
    let provenance = provenance.iter().map(|(key, value)| ((*key).to_owned().into(), value.as_str().into()));
    known.chain(provenance).collect()
}

fn node_json(node: NodeRef<'_>) -> wire::Node {
    let provenance = [
        ("objectid", node.id().into_owned()),
        ("scan_id", node.last_scan().scan_id.clone()),
        ("first_seen", node.first_scan().time.to_string()),
        ("last_seen", node.last_scan().time.to_string()),
    ];
    wire::Node {
        id: NodeId::from_wire(node.id()),
        kinds: node.kinds(),
        properties: properties(node.properties(), &provenance),
    }
}

fn edge_json(edge: EdgeRef<'_>) -> wire::Edge {
    let provenance = [("scan_id", edge.last_scan().scan_id.clone()), ("last_seen", edge.last_scan().time.to_string())];
    wire::Edge {
        source: NodeId::from_wire(edge.source().id()),
        target: NodeId::from_wire(edge.target().id()),
        kind: edge.kind(),
        source_kind: Some(fitting_kind(edge.source(), edge.kind().sources())),
        target_kind: Some(fitting_kind(edge.target(), edge.kind().targets())),
        properties: properties(edge.properties(), &provenance),
    }
}
