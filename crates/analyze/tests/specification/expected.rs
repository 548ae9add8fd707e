//! Composite edges as the definitions give them, and as they were derived, in one form.

use tracehound_analyze::derived::{Hop, Link, Via};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::{Graph, NodeIx, View as _};
use tracehound_model::{EdgeKind, NodeKind};

/// A composite edge, with numbers in thousandths and the witness as lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Expected {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) confidence: i64,
    pub(crate) weight: i64,
    pub(crate) collector: String,
    /// `from KIND to`, or `from ~KIND to` where an edge is walked from its target to its source, `from =secret to`,
    /// `from =reads(where) to`.
    pub(crate) path: Vec<String>,
}

impl Expected {
    pub(crate) fn new(
        source: &str,
        target: &str,
        confidence: f64,
        weight: f64,
        collector: &str,
        path: Vec<String>,
    ) -> Self {
        let thousandths = |number: f64| (number * 1000.0).round() as i64;
        Self {
            source: source.to_owned(),
            target: target.to_owned(),
            confidence: thousandths(confidence),
            weight: thousandths(weight),
            collector: collector.to_owned(),
            path,
        }
    }
}

/// Of several with the same ends the first.
pub(crate) fn first_of_each(mut all: Vec<Expected>) -> Vec<Expected> {
    all.sort_by(|a, b| (&a.source, &a.target).cmp(&(&b.source, &b.target)));
    all.dedup_by(|a, b| (&a.source, &a.target) == (&b.source, &b.target));
    all
}

/// What it costs to walk an edge, in thousandths: by the kinds table.
pub(crate) fn cost(graph: &Graph, source: &str, kind: EdgeKind, target: &str) -> i64 {
    let auth = graph.text(target, "auth_method").map(|auth| auth.replace("static_key", "apiKey"));
    let weight = kind.weight().value(auth.as_deref(), graph.edge_number(source, kind, target, "risk_weight"));
    (weight * 1000.0).round() as i64
}

/// What was derived, sorted.
pub(crate) fn derived(graph: &Graph, analysis: &Analysis, kind: EdgeKind) -> Vec<Expected> {
    let picture = Picture::new(graph, analysis);
    let id = |node: NodeIx| picture.id(node).into_owned();
    let relation = analysis.derived.of(kind);
    let mut all: Vec<Expected> = relation
        .iter()
        .map(|(number, source, target, edge)| {
            let evidence = picture.edge_property(tracehound_graph::EdgeIx { kind, number }, "evidence");
            assert!(evidence.is_some_and(|text| text.as_text().is_some_and(|text| text.len() > 10)), "no evidence");
            let path = lines(&picture, relation.path(edge));
            Expected::new(&id(source), &id(target), edge.confidence, edge.weight, edge.collector, path)
        })
        .collect();
    all.sort();
    all
}

/// A witness as lines, in the form of [`Expected`].
pub(crate) fn lines(picture: &Picture<'_>, path: &[Hop]) -> Vec<String> {
    let id = |node: NodeIx| picture.id(node).into_owned();
    let line = |hop: &Hop| {
        let via = match hop.via {
            Via::Along(kind) => kind.name().to_owned(),
            Via::Against(kind) => format!("~{}", kind.name()),
            Via::SameSecret => "=secret".to_owned(),
            Via::Reads(Link::Host(place) | Link::File(place)) => format!("=reads({})", id(place)),
        };
        format!("{} {via} {}", id(hop.from), id(hop.to))
    };
    path.iter().map(line).collect()
}

/// Reading a graph the slow way: by ids and texts.
pub(crate) trait Reader {
    /// The ids of all nodes of a kind.
    fn all(&self, kind: &str) -> Vec<String>;
    /// The ids at the ends of edges of a kind that start at a node.
    fn to(&self, id: &str, kind: EdgeKind) -> Vec<String>;
    /// The ids at the starts of edges of a kind that end at a node.
    fn from(&self, id: &str, kind: EdgeKind) -> Vec<String>;
    /// A text, if it is there and not empty.
    fn text(&self, id: &str, key: &str) -> Option<String>;
    /// A list of texts.
    fn list(&self, id: &str, key: &str) -> Vec<String>;
    /// Whether a property is true.
    fn is(&self, id: &str, key: &str) -> bool;
    /// Whether a property is false, which is more than that it is not there.
    fn is_not(&self, id: &str, key: &str) -> bool;
    /// A number of an edge.
    fn edge_number(&self, source: &str, kind: EdgeKind, target: &str, key: &str) -> Option<f64>;
    /// The machines on which an edge is seen; none if it may be on any.
    fn origins(&self, source: &str, kind: EdgeKind, target: &str) -> Option<Vec<String>>;
}

impl Reader for Graph {
    fn all(&self, kind: &str) -> Vec<String> {
        let kind = NodeKind::from_name(kind).unwrap();
        self.range_of(kind).map(|node| self.id(NodeIx(node)).into_owned()).collect()
    }

    fn to(&self, id: &str, kind: EdgeKind) -> Vec<String> {
        let Some(node) = self.find(id) else { return Vec::new() };
        self.outgoing(kind, node).map(|(other, _)| self.id(other).into_owned()).collect()
    }

    fn from(&self, id: &str, kind: EdgeKind) -> Vec<String> {
        let Some(node) = self.find(id) else { return Vec::new() };
        self.incoming(kind, node).map(|(other, _)| self.id(other).into_owned()).collect()
    }

    fn text(&self, id: &str, key: &str) -> Option<String> {
        let value = self.property(self.find(id)?, key)?;
        value.as_text().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    fn list(&self, id: &str, key: &str) -> Vec<String> {
        let value = self.find(id).and_then(|node| self.property(node, key));
        value.map(|value| value.texts().map(str::to_owned).collect()).unwrap_or_default()
    }

    fn is(&self, id: &str, key: &str) -> bool {
        self.find(id).and_then(|node| self.property(node, key)).and_then(|value| value.as_bool()) == Some(true)
    }

    fn is_not(&self, id: &str, key: &str) -> bool {
        self.find(id).and_then(|node| self.property(node, key)).and_then(|value| value.as_bool()) == Some(false)
    }

    fn edge_number(&self, source: &str, kind: EdgeKind, target: &str, key: &str) -> Option<f64> {
        let (source, target) = (self.find(source)?, self.find(target)?);
        let edge = self.outgoing(kind, source).to(target)?;
        self.edge_property(edge, key)?.as_number()
    }

    fn origins(&self, source: &str, kind: EdgeKind, target: &str) -> Option<Vec<String>> {
        let (source, target) = (self.find(source)?, self.find(target)?);
        let edge = self.outgoing(kind, source).to(target)?;
        Some(self.edge(edge).origins()?.into_iter().map(Into::into).collect())
    }
}
