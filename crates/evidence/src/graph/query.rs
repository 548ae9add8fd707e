//! The questions: a run, an incident, an agent, and the chain of runs that a run belongs to.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rusqlite::Connection;

use super::build::{Belongings, Builder};
use super::{EvidenceGraph, Label, MOST_DECISIONS, MOST_OF_AGENT, MOST_RUNS};
use crate::decision::{Decision, place_of};
use crate::identity::Agent;
use crate::receipt::sha256;
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

    /// The runs that led to a run and those that it led to, across agents, with their calls, from a cursor on.
    pub fn chain_graph(&self, tenant: &str, run: &str, cursor: Option<&str>) -> Result<Option<EvidenceGraph>, Error> {
        self.ask(|asked| {
            if decisions::count_of_run(asked.connection, tenant, run)? == 0 {
                return Ok(None);
            }
            let (runs, is_cut) = asked.runs_around(tenant, run)?;
            let mut total = 0;
            for run in &runs {
                total += decisions::count_of_run(asked.connection, tenant, run)?;
            }
            let (first, mut after) = match cursor {
                Some(cursor) => Stop::find(cursor, &runs)?,
                None => (0, 0),
            };
            let mut builder = Builder::default();
            let (mut left, mut next) = (MOST_DECISIONS, None);
            for run in runs.iter().skip(first) {
                let mut found = decisions::of_run(asked.connection, tenant, run, after, count(left) + 1)?;
                if found.len() > left {
                    found.truncate(left);
                    after = found.last().map_or(after, |decision| decision.number);
                    next = Some(Stop { run, after }.to_string());
                }
                asked.add(&mut builder, tenant, &found, 2)?;
                if next.is_some() {
                    break;
                }
                (left, after) = (left - found.len(), 0);
            }
            let mut graph = builder.finish(total, next);
            graph.truncated |= is_cut;
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
        let is_short = loop {
            let last = above.last().map_or("", String::as_str);
            let parent = decisions::parent_run(self.connection, tenant, last)?.filter(|parent| !seen.contains(parent));
            let Some(parent) = parent else { break false };
            if above.len() > MOST_STEPS {
                break true;
            }
            seen.insert(parent.clone());
            above.push(parent);
        };
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
        Ok((runs, is_short))
    }
}

/// Where a part of a chain stops: within a run, behind a decision. Runs that start meanwhile don't move it.
struct Stop<'a> {
    run: &'a str,
    after: i64,
}

impl std::fmt::Display for Stop<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.after, Self::mark(self.run))
    }
}

impl Stop<'_> {
    /// A run in a few letters that need no escaping in an address.
    fn mark(run: &str) -> String {
        sha256(run).hex().chars().take(16).collect()
    }

    /// The place of the run among those of the chain, and of the decision within it.
    fn find(cursor: &str, runs: &[String]) -> Result<(usize, i64), Error> {
        let (after, mark) = cursor.split_once('.').unwrap_or((cursor, ""));
        let after = place_of(Some(after))?.unwrap_or(0);
        let first = runs.iter().position(|run| Self::mark(run) == mark);
        // The same words as for any other cursor that was not given out.
        let first = first.map_or_else(|| place_of(Some("")).map(|_| 0), Ok)?;
        Ok((first, after))
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
