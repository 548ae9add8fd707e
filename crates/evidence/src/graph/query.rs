//! The questions: a run, an incident, an agent, and the chain of runs that a run belongs to.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rusqlite::Connection;

use super::build::{Belongings, Builder};
use super::{EvidenceGraph, Label, MOST_DECISIONS, MOST_OF_AGENT, MOST_RUNS};
use crate::decision::{Decision, place_of};
use crate::identity::Agent;
use crate::store::read::{approvals, decisions, incidents, receipts};
use crate::{Error, Evidence, Moment};

/// How many runs up or down a chain is followed.
const MOST_STEPS: usize = 64;

impl Evidence {
    /// Everything about one run, from a cursor on; nothing if the tenant has no decision of it.
    pub fn run_graph(&self, tenant: &str, run: &str, cursor: Option<&str>) -> Result<Option<EvidenceGraph>, Error> {
        let after = place_of(cursor)?.unwrap_or(0);
        self.ask(|asked| {
            let total = decisions::count_of_run(asked.connection, tenant, run)?;
            if total == 0 {
                return Ok(None);
            }
            let limit = count(MOST_DECISIONS) + 1;
            let mut found = decisions::of_run(asked.connection, tenant, run, after, limit)?;
            let next = next_place(&mut found, MOST_DECISIONS);
            let mut builder = Builder::default();
            asked.add(&mut builder, tenant, &found, 3)?;
            Ok(Some(builder.finish(total, next)))
        })
    }

    /// An incident and the decisions behind it; nothing if the tenant has no such incident.
    pub fn incident_graph(&self, tenant: &str, id: &str, cursor: Option<&str>) -> Result<Option<EvidenceGraph>, Error> {
        let from = place_of(cursor)?.unwrap_or(0);
        self.ask(|asked| {
            let Some(incident) = incidents::by_id(asked.connection, tenant, id)? else { return Ok(None) };
            let mut sources = incidents::sources(asked.connection, tenant, id, from, count(MOST_DECISIONS) + 1)?;
            let has_more = sources.len() > MOST_DECISIONS;
            let next = sources.get(MOST_DECISIONS).filter(|_| has_more).map(|(position, _)| position.to_string());
            sources.truncate(MOST_DECISIONS);
            let ids: Vec<String> = sources.into_iter().filter_map(|(_, source)| source.decision_id).collect();
            let found = decisions::by_ids(asked.connection, tenant, &ids)?;
            let mut builder = Builder::default();
            let node = builder.incident(&incident);
            if let Some(agent) = incident.agent_id.as_deref().and_then(|id| asked.agent(tenant, id)) {
                let agent = builder.agent(&agent);
                builder.edge(&node, Label::LinkedTo, &agent, incident.opened_at);
            }
            for decided in asked.add(&mut builder, tenant, &found, 2)? {
                builder.edge(&node, Label::LinkedTo, &decided, incident.opened_at);
            }
            let total = incidents::count_sources(asked.connection, tenant, id)?;
            let mut graph = builder.finish(total, next);
            if incident.dropped_at.is_some() {
                graph.details_dropped = incident.event_count;
            }
            Ok(Some(graph))
        })
    }

    /// The newest decisions of an agent; nothing if the tenant has no such agent.
    pub fn agent_graph(
        &self,
        tenant: &str,
        id: &str,
        depth: u8,
        cursor: Option<&str>,
    ) -> Result<Option<EvidenceGraph>, Error> {
        let before = place_of(cursor)?.unwrap_or(i64::MAX);
        self.ask(|asked| {
            let Some(agent) = asked.agent(tenant, id) else { return Ok(None) };
            let limit = count(MOST_OF_AGENT) + 1;
            let mut found = decisions::of_agent(asked.connection, tenant, &agent.id, before, limit)?;
            let next = next_place(&mut found, MOST_OF_AGENT);
            let mut builder = Builder::default();
            builder.agent(&agent);
            asked.add(&mut builder, tenant, &found, depth)?;
            let total = decisions::count_of_agent(asked.connection, tenant, &agent.id)?;
            Ok(Some(builder.finish(total, next)))
        })
    }

    /// The runs that led to a run and those that it led to, across agents, with their calls.
    pub fn chain_graph(&self, tenant: &str, run: &str) -> Result<Option<EvidenceGraph>, Error> {
        self.ask(|asked| {
            if decisions::count_of_run(asked.connection, tenant, run)? == 0 {
                return Ok(None);
            }
            let (runs, is_cut) = asked.runs_around(tenant, run)?;
            let mut builder = Builder::default();
            let (mut total, mut is_short) = (0, is_cut);
            let mut left = MOST_DECISIONS;
            for run in &runs {
                let all = decisions::count_of_run(asked.connection, tenant, run)?;
                let found = decisions::of_run(asked.connection, tenant, run, 0, count(left.max(1)))?;
                asked.add(&mut builder, tenant, &found, 2)?;
                is_short |= all > found.len() as u64;
                total += all;
                left = left.saturating_sub(found.len());
            }
            let mut graph = builder.finish(total, None);
            graph.truncated = is_short;
            Ok(Some(graph))
        })
    }

    fn ask<T>(&self, ask: impl FnOnce(&Asked<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let now = self.now();
        self.read(|connection| ask(&Asked { evidence: self, connection, now }))
    }
}

/// One moment of the store, for one question.
struct Asked<'a> {
    evidence: &'a Evidence,
    connection: &'a Connection,
    now: Moment,
}

impl Asked<'_> {
    fn agent(&self, tenant: &str, id: &str) -> Option<Arc<Agent>> {
        self.evidence.registry().agent(tenant, id)
    }

    /// Adds decisions with what belongs to them; gives their nodes.
    fn add(&self, builder: &mut Builder, tenant: &str, found: &[Decision], depth: u8) -> Result<Vec<String>, Error> {
        let mut belongings = Belongings::default();
        if depth >= 2 {
            let ids: Vec<String> = found.iter().map(|decision| decision.id.clone()).collect();
            belongings.receipts = receipts::of_decisions(self.connection, tenant, &ids)?;
            belongings.approvals = approvals::of_decisions(self.connection, tenant, &ids, self.now)?;
        }
        let mut nodes = Vec::with_capacity(found.len());
        for decision in found {
            let missing = || Error::Damaged { what: format!("agent `{}` is gone", decision.agent_id) };
            let agent = self.agent(tenant, &decision.agent_id).ok_or_else(missing)?;
            let agent = builder.agent(&agent);
            nodes.push(builder.decision(decision, &agent, &belongings, depth));
        }
        Ok(nodes)
    }

    /// The runs above and below a run, and whether there are more. Cycles, which only a lying caller makes, end.
    fn runs_around(&self, tenant: &str, run: &str) -> Result<(Vec<String>, bool), Error> {
        let mut above = vec![run.to_owned()];
        let mut seen: BTreeSet<String> = above.iter().cloned().collect();
        for _ in 0..MOST_STEPS {
            let last = above.last().map_or("", String::as_str);
            let Some(parent) = decisions::parent_run(self.connection, tenant, last)? else { break };
            if !seen.insert(parent.clone()) {
                break;
            }
            above.push(parent);
        }
        above.reverse();
        let mut queue: VecDeque<String> = above.iter().cloned().collect();
        let mut runs = above;
        while let Some(run) = queue.pop_front() {
            let room = MOST_RUNS.saturating_sub(runs.len());
            let children = decisions::child_runs(self.connection, tenant, &run, count(MOST_RUNS) + 1)?;
            let fresh: Vec<String> = children.into_iter().filter(|run| seen.insert(run.clone())).collect();
            if fresh.len() > room {
                runs.extend(fresh.into_iter().take(room));
                return Ok((runs, true));
            }
            runs.extend(fresh.iter().cloned());
            queue.extend(fresh);
        }
        Ok((runs, false))
    }
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Cuts a list that has one more than asked for, and says where the next begins.
fn next_place(found: &mut Vec<Decision>, limit: usize) -> Option<String> {
    if found.len() <= limit {
        return None;
    }
    found.truncate(limit);
    found.last().map(|decision| decision.number.to_string())
}
