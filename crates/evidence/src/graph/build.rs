//! Putting a graph together from rows. Linear in the rows.

use std::collections::HashSet;

use rustc_hash::FxHashMap;
use serde_json::json;

use super::{Edge, EvidenceGraph, Group, Label, Node};
use crate::Moment;
use crate::approval::Approval;
use crate::decision::{Decision, ReceiptRef};
use crate::identity::Agent;
use crate::incident::Incident;

/// What belongs to decisions, by their ids.
#[derive(Debug, Default)]
pub(super) struct Belongings {
    pub(super) approvals: FxHashMap<String, Approval>,
    pub(super) receipts: FxHashMap<String, ReceiptRef>,
}

/// A graph in the making. A node or edge that is there is not added again.
#[derive(Debug, Default)]
pub(super) struct Builder {
    graph: EvidenceGraph,
    nodes: HashSet<String>,
    edges: HashSet<(String, String, Label)>,
}

impl Builder {
    pub(super) fn node(&mut self, group: Group, id: &str, label: &str, timestamp: Moment) -> String {
        let id = format!("{group}:{id}");
        if self.nodes.insert(id.clone()) {
            let node = Node { id: id.clone(), group, label: label.to_owned(), timestamp, metadata: None };
            self.graph.nodes.push(node);
        }
        id
    }

    pub(super) fn edge(&mut self, from: &str, label: Label, to: &str, timestamp: Moment) {
        if self.edges.insert((from.to_owned(), to.to_owned(), label)) {
            self.graph.edges.push(Edge { from: from.to_owned(), to: to.to_owned(), label, timestamp });
        }
    }

    pub(super) fn agent(&mut self, agent: &Agent) -> String {
        self.node(Group::Agent, &agent.id, &agent.profile.name, agent.created_at)
    }

    pub(super) fn incident(&mut self, incident: &Incident) -> String {
        self.node(Group::Incident, &incident.id, &incident.summary, incident.opened_at)
    }

    /// A run, its agent, and the run that started it.
    pub(super) fn run(&mut self, decision: &Decision, run: &str, agent: &str) -> String {
        let at = decision.created_at;
        let node = self.node(Group::Run, run, run, at);
        self.edge(&node, Label::TriggeredBy, agent, at);
        if let Some(parent) = decision.call.parent_run_id.as_deref().filter(|parent| *parent != run) {
            let parent = self.node(Group::Run, parent, parent, at);
            self.edge(&node, Label::TriggeredBy, &parent, at);
        }
        node
    }

    /// A decision with everything around it, as deep as is asked for.
    pub(super) fn decision(&mut self, decision: &Decision, agent: &str, belongings: &Belongings, depth: u8) -> String {
        let (call, ruling, at) = (&decision.call, &decision.ruling, decision.created_at);
        let made = self.node(Group::ToolCall, &decision.id, &format!("{}.{}", call.tool, call.action), at);
        let decided = self.node(Group::Decision, &decision.id, ruling.verdict.name(), at);
        if let Some(node) = self.graph.nodes.iter_mut().rev().find(|node| node.id == decided) {
            node.metadata = Some(match decision.dropped_at {
                None => json!({ "risk_score": ruling.risk_score, "reason": ruling.reason }),
                Some(when) => json!({ "risk_score": ruling.risk_score, "reason": null, "details_dropped_at": when }),
            });
            self.graph.details_dropped += u64::from(decision.dropped_at.is_some());
        }
        self.edge(&made, Label::Decided, &decided, at);
        match &call.run_id {
            Some(run) => {
                let run = self.run(decision, run, agent);
                self.edge(&run, Label::Executed, &made, at);
            }
            None => self.edge(&made, Label::TriggeredBy, agent, at),
        }
        if depth >= 2 {
            self.outcome(decision, &made, &decided, belongings);
        }
        if depth >= 3 {
            for policy in &ruling.policies {
                let node = self.node(Group::Policy, &policy.name, &policy.name, at);
                self.edge(&decided, Label::LinkedTo, &node, at);
            }
        }
        decided
    }

    fn outcome(&mut self, decision: &Decision, made: &str, decided: &str, belongings: &Belongings) {
        let at = decision.created_at;
        let approval = belongings.approvals.get(&decision.id).filter(|_| decision.ruling.needs_approval());
        if let Some(approval) = approval {
            let node = self.node(Group::Approval, &approval.id, approval.status.name(), approval.created_at);
            self.edge(decided, Label::Approved, &node, at);
        }
        if let Some(receipt) = belongings.receipts.get(&decision.id) {
            let node = self.node(Group::Receipt, &receipt.receipt_id, &receipt.receipt_hash, at);
            self.edge(decided, Label::Produced, &node, at);
        }
        if let Some(server) = &decision.call.mcp_server {
            let node = self.node(Group::McpServer, &server.node_id, &server.name, at);
            self.edge(made, Label::LinkedTo, &node, at);
        }
    }

    pub(super) fn finish(self, total_decisions: u64, next_cursor: Option<String>) -> EvidenceGraph {
        EvidenceGraph { truncated: next_cursor.is_some(), total_decisions, next_cursor, ..self.graph }
    }
}
