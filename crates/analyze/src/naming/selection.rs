//! Sets of nodes that have names of their own, and lists of nodes.

use std::collections::BTreeMap;

use tracehound_graph::{NodeIx, View};
use tracehound_model::{EdgeKind, Mark, NodeId, NodeKind};

use super::{Suggestions, Unfound, all, find, is_called, node_kind, suggestions};
use crate::basis::{Auth, Sensitivity};

/// What people say about nodes; the caller knows it.
pub type Marks = BTreeMap<NodeId, Mark>;

/// A set of nodes with a name.
#[derive(Clone, Copy)]
pub struct Set {
    /// What people type.
    pub name: &'static str,
    /// What is in it.
    pub description: &'static str,
    nodes: fn(&dyn View, &Marks) -> Vec<NodeIx>,
}

/// Every set that has a name.
pub const SETS: &[Set] = &[
    Set { name: "agents", description: "clients on machines", nodes: |view, _| of(view, NodeKind::AgentInstance) },
    Set { name: "a2a-agents", description: "agents on the network", nodes: |view, _| of(view, NodeKind::A2aAgent) },
    Set { name: "servers", description: "tool servers", nodes: |view, _| of(view, NodeKind::McpServer) },
    Set { name: "tools", description: "tools", nodes: |view, _| of(view, NodeKind::McpTool) },
    Set { name: "resources", description: "data that servers offer", nodes: |view, _| of(view, NodeKind::McpResource) },
    Set { name: "critical", description: "resources of critical sensitivity", nodes: |view, _| critical(view) },
    Set { name: "sensitive", description: "resources of critical or high sensitivity", nodes: |view, _| guarded(view) },
    Set { name: "hosts", description: "machines", nodes: |view, _| of(view, NodeKind::Host) },
    Set { name: "credentials", description: "secrets", nodes: |view, _| of(view, NodeKind::Credential) },
    Set { name: "services", description: "AI services", nodes: |view, _| of(view, NodeKind::AiService) },
    Set { name: "untrusted", description: "where other people's words come in", nodes: |view, _| untrusted(view) },
    Set {
        name: "owned",
        description: "marked as held by an attacker",
        nodes: |view, marks| marked(view, marks, Mark::Owned),
    },
    Set {
        name: "crown-jewels",
        description: "marked as what matters most",
        nodes: |view, marks| marked(view, marks, Mark::CrownJewel),
    },
];

/// Nodes as somebody names them: sets, kinds (`kind:MCPTool`) and single nodes, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    text: String,
}

impl Selection {
    /// Takes a text as it was typed. What it means depends on the graph.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self { text: text.trim().to_owned() }
    }

    /// The nodes that are meant, sorted, each once. A set may be empty; a name that nothing has is an error. A set's name
    /// comes before a node's; `Kind:name` means the node.
    ///
    /// Growth: one look at each node for every part, and sorting what is found.
    ///
    /// # Errors
    /// When a part is no set, no kind and no single node.
    pub fn nodes(&self, view: &dyn View, marks: &Marks) -> Result<Vec<NodeIx>, Unfound> {
        // Names may contain commas; such a name is tried whole.
        if self.text.contains(',')
            && let Ok(node) = find(view, &self.text)
        {
            return Ok(vec![node]);
        }
        let mut nodes = Vec::new();
        for part in self.text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            nodes.extend(part_of(view, marks, part)?);
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }
}

fn part_of(view: &dyn View, marks: &Marks, part: &str) -> Result<Vec<NodeIx>, Unfound> {
    if let Some(set) = set_named(part) {
        return Ok((set.nodes)(view, marks));
    }
    if let Some(kind) = part.strip_prefix("kind:") {
        return node_kind(kind).map(|kind| of(view, kind)).map_err(|_| unknown_kind(part, kind));
    }
    match find(view, part) {
        Ok(node) => Ok(vec![node]),
        Err(Unfound::Unknown { text, .. }) => {
            let mut near = Suggestions::among(&text, SETS.iter().map(|set| set.name));
            near.extend(suggestions(view, &text));
            near.truncate(5);
            Err(Unfound::Unknown { text, suggestions: near })
        }
        Err(ambiguous) => Err(ambiguous),
    }
}

/// The set that a text names. People also say `all agents`, `critical resources` and `crown jewels`.
fn set_named(text: &str) -> Option<&'static Set> {
    let text = text.to_lowercase();
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > 1 && words.first() == Some(&"all") {
        words.remove(0);
    }
    if let ["critical" | "sensitive", "resources"] = words.as_slice() {
        words.pop();
    }
    let name = words.join("-");
    SETS.iter().find(|set| set.name == name)
}

fn unknown_kind(part: &str, kind: &str) -> Unfound {
    let near = Suggestions::among(kind, NodeKind::ALL.iter().map(|kind| kind.name()));
    let suggestions = near.into_iter().map(|kind| format!("kind:{kind}")).collect();
    Unfound::Unknown { text: part.to_owned(), suggestions }
}

/// The nodes of a kind, also of kinds that it is an umbrella over.
fn of(view: &dyn View, kind: NodeKind) -> Vec<NodeIx> {
    if kind == NodeKind::AiService {
        return all(view).filter(|node| is_called(view, *node, kind)).collect();
    }
    view.nodes_of(kind).collect()
}

fn sensitivity(view: &dyn View, resource: NodeIx) -> Sensitivity {
    Sensitivity::of(view.property(resource, "sensitivity").as_ref().and_then(|value| value.as_text()))
}

fn critical(view: &dyn View) -> Vec<NodeIx> {
    let resources = view.nodes_of(NodeKind::McpResource);
    resources.filter(|resource| sensitivity(view, *resource) == Sensitivity::Critical).collect()
}

fn guarded(view: &dyn View) -> Vec<NodeIx> {
    view.nodes_of(NodeKind::McpResource).filter(|resource| sensitivity(view, *resource).is_guarded()).collect()
}

/// Resources that tools bring in from outside, agents on the network that anybody may call, and instruction files that
/// work against their readers.
fn untrusted(view: &dyn View) -> Vec<NodeIx> {
    let is_brought_in = |resource: &NodeIx| view.incoming(EdgeKind::IngestsUntrusted, *resource).len() > 0;
    let is_open =
        |agent: &NodeIx| Auth::of(view.property(*agent, "auth_method").as_ref().and_then(|it| it.as_text())).is_open();
    let is_suspicious = |file: &NodeIx| view.property(*file, "is_suspicious").and_then(|it| it.as_bool()) == Some(true);
    let resources = view.nodes_of(NodeKind::McpResource).filter(is_brought_in);
    let agents = view.nodes_of(NodeKind::A2aAgent).filter(is_open);
    resources.chain(agents).chain(view.nodes_of(NodeKind::InstructionFile).filter(is_suspicious)).collect()
}

/// Marked nodes that are there.
fn marked(view: &dyn View, marks: &Marks, mark: Mark) -> Vec<NodeIx> {
    let ids = marks.iter().filter(|(_, given)| **given == mark).map(|(id, _)| id.as_str());
    ids.filter_map(|id| view.find(id)).filter(|node| view.has(*node)).collect()
}
