//! The difference between two graphs: what came, what went, what looks different.
//!
//! Growth: linear in both graphs, since both are sorted alike; properties are read only where they may differ.

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value;
use tracehound_model::{EdgeKind, NodeId, NodeKind, WATCHED_HASHES};

use crate::bag::PropertyValue;
use crate::graph::{EdgeRef, Graph, NodeRef};

/// A node as a difference shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeSummary {
    /// Its id.
    pub id: NodeId,
    /// What it is.
    pub kind: NodeKind,
    /// What people call it.
    pub name: String,
}

/// An edge as a difference shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EdgeSummary {
    /// What it means.
    pub kind: EdgeKind,
    /// Where it starts.
    pub source: NodeSummary,
    /// Where it ends.
    pub target: NodeSummary,
}

/// A property that is not what it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropertyChange {
    /// Its key.
    pub key: String,
    /// What it was; absent when it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What it is; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// Something that is still there and looks different.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed<T> {
    /// What it is.
    #[serde(flatten)]
    pub what: T,
    /// How it differs; a node whose labels changed lists them under `kinds`.
    pub properties: Vec<PropertyChange>,
}

/// Everything that differs between two graphs, sorted by kind and id.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Nodes that came.
    pub nodes_added: Vec<NodeSummary>,
    /// Nodes that went.
    pub nodes_removed: Vec<NodeSummary>,
    /// Nodes that look different.
    pub nodes_changed: Vec<Changed<NodeSummary>>,
    /// Edges that came.
    pub edges_added: Vec<EdgeSummary>,
    /// Edges that went.
    pub edges_removed: Vec<EdgeSummary>,
    /// Edges that look different.
    pub edges_changed: Vec<Changed<EdgeSummary>>,
}

impl Difference {
    /// What has to happen to `before` to make it `after`.
    #[must_use]
    pub fn between(before: &Graph, after: &Graph) -> Self {
        let mut difference = Self::default();
        let share_facts = before.shares_facts_with(after);
        walk(before.nodes(), after.nodes(), compare_nodes, |old, new| match (old, new) {
            (Some(old), None) => difference.nodes_removed.push(summary(old)),
            (None, Some(new)) => difference.nodes_added.push(summary(new)),
            (Some(old), Some(new)) => {
                if share_facts && old.seen_spot().is_some() && old.seen_spot() == new.seen_spot() {
                    return;
                }
                let mut properties = property_changes(old.properties(), new.properties());
                properties.extend(label_change(old, new));
                if !properties.is_empty() {
                    difference.nodes_changed.push(Changed { what: summary(new), properties });
                }
            }
            (None, None) => {}
        });
        walk(before.edges(), after.edges(), compare_edges, |old, new| match (old, new) {
            (Some(old), None) => difference.edges_removed.push(edge_summary(old)),
            (None, Some(new)) => difference.edges_added.push(edge_summary(new)),
            (Some(old), Some(new)) => {
                if share_facts && old.seen_spot().is_some() && old.seen_spot() == new.seen_spot() {
                    return;
                }
                let properties = property_changes(old.properties(), new.properties());
                if !properties.is_empty() {
                    difference.edges_changed.push(Changed { what: edge_summary(new), properties });
                }
            }
            (None, None) => {}
        });
        difference
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Walks two sorted sequences side by side.
fn walk<T: Copy>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
    compare: impl Fn(T, T) -> Ordering,
    mut meet: impl FnMut(Option<T>, Option<T>),
) {
    let (mut old, mut new) = (old.peekable(), new.peekable());
    loop {
        match (old.peek().copied(), new.peek().copied()) {
            (None, None) => return,
            (Some(a), Some(b)) => match compare(a, b) {
                Ordering::Less => meet(old.next(), None),
                Ordering::Equal => meet(old.next(), new.next()),
                Ordering::Greater => meet(None, new.next()),
            },
            (Some(_), None) => meet(old.next(), None),
            (None, Some(_)) => meet(None, new.next()),
        }
    }
}

fn compare_nodes(a: NodeRef<'_>, b: NodeRef<'_>) -> Ordering {
    a.kind().cmp(&b.kind()).then_with(|| a.packed_id().cmp(b.packed_id()))
}

fn compare_edges(a: EdgeRef<'_>, b: EdgeRef<'_>) -> Ordering {
    a.kind()
        .cmp(&b.kind())
        .then_with(|| compare_nodes(a.source(), b.source()))
        .then_with(|| compare_nodes(a.target(), b.target()))
}

type Properties<'a> = Vec<(&'a str, PropertyValue<'a>)>;

/// How properties differ, but for those that only repeat what another property was before.
fn property_changes(old: Properties<'_>, new: Properties<'_>) -> Vec<PropertyChange> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let before = if order == Ordering::Greater { None } else { old.next() };
        let after = if order == Ordering::Less { None } else { new.next() };
        let key = before.as_ref().or(after.as_ref()).map_or("", |(key, _)| *key);
        let (before, after) = (before.as_ref().map(|(_, value)| value), after.as_ref().map(|(_, value)| value));
        let is_echo = WATCHED_HASHES.iter().any(|watched| watched.previous == key);
        if before != after && !is_echo {
            let json = |value: Option<&PropertyValue<'_>>| value.map(PropertyValue::to_json);
            changes.push(PropertyChange { key: key.to_owned(), before: json(before), after: json(after) });
        }
    }
    changes
}

fn label_change(old: NodeRef<'_>, new: NodeRef<'_>) -> Option<PropertyChange> {
    let names = |node: NodeRef<'_>| Value::from_iter(node.kinds().into_iter().map(NodeKind::name));
    let change = || PropertyChange { key: "kinds".to_owned(), before: Some(names(old)), after: Some(names(new)) };
    (old.labels() != new.labels()).then(change)
}

fn summary(node: NodeRef<'_>) -> NodeSummary {
    NodeSummary { id: NodeId::from_wire(node.id()), kind: node.kind(), name: node.display_name() }
}

fn edge_summary(edge: EdgeRef<'_>) -> EdgeSummary {
    EdgeSummary { kind: edge.kind(), source: summary(edge.source()), target: summary(edge.target()) }
}
