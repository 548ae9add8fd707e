//! Decisions: one, those of a run, of an agent, of a page.

use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Connection, Row, params};
use tracehound_model::{TrustLevel, Verdict};

use super::{all, first, in_groups, meaning, page, rows};
use crate::decision::{Call, Decision, DecisionFilter, Page, Recorded, Ruling, place_of};
use crate::store::read::{approvals, receipts};
use crate::{Error, Moment};

macro_rules! columns {
    () => {
        "number, id, tenant, agent_id, run_id, parent_run_id, trace_id, user_id, tool, action, resource, mcp_server, \
         source_trust, root_trust_level, mutates_state, verdict, code, reason, explanation, risk_score, \
         composite_risk_score, policies, redacted_fields, action_hash, argument_hash, request_id, latency_us, \
         created_at, dropped_at"
    };
}

/// How ids of the trust graph begin.
const NODE: &str = "sha256:";

/// The places of the columns above. Finding a column by its name costs more than reading it.
#[derive(Debug, Clone, Copy)]
enum Column {
    Number,
    Id,
    Tenant,
    AgentId,
    RunId,
    ParentRunId,
    TraceId,
    UserId,
    Tool,
    Action,
    Resource,
    McpServer,
    SourceTrust,
    RootTrustLevel,
    MutatesState,
    Verdict,
    Code,
    Reason,
    Explanation,
    RiskScore,
    CompositeRiskScore,
    Policies,
    RedactedFields,
    ActionHash,
    ArgumentHash,
    RequestId,
    LatencyUs,
    CreatedAt,
    DroppedAt,
}

fn get<T: FromSql>(row: &Row<'_>, column: Column) -> rusqlite::Result<T> {
    row.get(column as usize)
}

fn word<T>(row: &Row<'_>, column: Column, name: &'static str, of: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    meaning(name, row.get_ref(column as usize)?.as_str().ok().and_then(of))
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: Column, name: &'static str) -> rusqlite::Result<T> {
    let text = row.get_ref(column as usize)?;
    meaning(name, text.as_str().ok().and_then(|text| serde_json::from_str(text).ok()))
}

pub(super) fn decision(row: &Row<'_>) -> rusqlite::Result<Decision> {
    let has_server = row.get_ref(Column::McpServer as usize)? != ValueRef::Null;
    Ok(Decision {
        number: get(row, Column::Number)?,
        id: get(row, Column::Id)?,
        tenant: get(row, Column::Tenant)?,
        agent_id: get(row, Column::AgentId)?,
        request_id: get(row, Column::RequestId)?,
        call: Call {
            user_id: get(row, Column::UserId)?,
            run_id: get(row, Column::RunId)?,
            trace_id: get(row, Column::TraceId)?,
            parent_run_id: get(row, Column::ParentRunId)?,
            tool: get(row, Column::Tool)?,
            action: get(row, Column::Action)?,
            resource: get(row, Column::Resource)?,
            mcp_server: has_server.then(|| json(row, Column::McpServer, "mcp_server")).transpose()?,
            source_trust: word(row, Column::SourceTrust, "source_trust", TrustLevel::from_name)?,
            root_trust_level: word(row, Column::RootTrustLevel, "root_trust_level", TrustLevel::from_name)?,
            mutates_state: get(row, Column::MutatesState)?,
            action_hash: get(row, Column::ActionHash)?,
            argument_hash: get(row, Column::ArgumentHash)?,
        },
        ruling: Ruling {
            verdict: word(row, Column::Verdict, "verdict", Verdict::from_name)?,
            code: get(row, Column::Code)?,
            reason: get(row, Column::Reason)?,
            explanation: get(row, Column::Explanation)?,
            risk_score: get(row, Column::RiskScore)?,
            composite_risk_score: get(row, Column::CompositeRiskScore)?,
            policies: json(row, Column::Policies, "policies")?,
            redacted_fields: json(row, Column::RedactedFields, "redacted_fields")?,
        },
        latency_us: get(row, Column::LatencyUs)?,
        created_at: Moment::from_micros(get(row, Column::CreatedAt)?),
        dropped_at: get::<Option<i64>>(row, Column::DroppedAt)?.map(Moment::from_micros),
    })
}

pub(crate) fn by_id(connection: &Connection, tenant: &str, id: &str) -> Result<Option<Decision>, Error> {
    let sql = concat!("SELECT ", columns!(), " FROM decisions WHERE tenant = ?1 AND id = ?2");
    first(connection, sql, params![tenant, id], decision)
}

/// The decision about a request of this name, and the hash of that request.
pub(crate) fn by_request(
    connection: &Connection,
    tenant: &str,
    agent: &str,
    name: &str,
) -> Result<Option<(Decision, String)>, Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        ", request_hash FROM decisions WHERE tenant = ?1 AND agent_id = ?2 AND request_id = ?3"
    );
    first(connection, sql, params![tenant, agent, name], |row| Ok((decision(row)?, row.get("request_hash")?)))
}

/// A decision with its approval and receipt.
pub(crate) fn with_outcome(connection: &Connection, decision: Decision, now: Moment) -> Result<Recorded, Error> {
    let approval = approvals::of_decision(connection, &decision.tenant, &decision.id, now)?;
    let receipt = receipts::of_decision(connection, &decision.tenant, &decision.id)?;
    let missing = || Error::Damaged { what: format!("decision `{}` has no receipt", decision.id) };
    Ok(Recorded { receipt: receipt.ok_or_else(missing)?, approval, decision })
}

/// The decisions of a run behind a place, oldest first.
pub(crate) fn of_run(
    connection: &Connection,
    tenant: &str,
    run: &str,
    after: i64,
    limit: i64,
) -> Result<Vec<Decision>, Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM decisions WHERE tenant = ?1 AND run_id = ?2 AND number > ?3 ORDER BY number LIMIT ?4"
    );
    all(connection, sql, params![tenant, run, after, limit], decision)
}

/// The decisions of an agent before a place, newest first.
pub(crate) fn of_agent(
    connection: &Connection,
    tenant: &str,
    agent: &str,
    before: i64,
    limit: i64,
) -> Result<Vec<Decision>, Error> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM decisions WHERE tenant = ?1 AND agent_id = ?2 AND number < ?3 ORDER BY number DESC LIMIT ?4"
    );
    all(connection, sql, params![tenant, agent, before, limit], decision)
}

/// The runs that a run started, each with its first decision.
pub(crate) fn child_runs(connection: &Connection, tenant: &str, run: &str, limit: i64) -> Result<Vec<String>, Error> {
    let sql = "SELECT run_id, min(number) AS first FROM decisions \
               WHERE tenant = ?1 AND parent_run_id = ?2 AND run_id IS NOT NULL GROUP BY run_id ORDER BY first LIMIT ?3";
    all(connection, sql, params![tenant, run, limit], |row| row.get(0))
}

/// The run that started a run, as the first decision that says so has it.
pub(crate) fn parent_run(connection: &Connection, tenant: &str, run: &str) -> Result<Option<String>, Error> {
    let sql = "SELECT parent_run_id FROM decisions WHERE tenant = ?1 AND run_id = ?2 AND parent_run_id IS NOT NULL \
               ORDER BY number LIMIT 1";
    first(connection, sql, params![tenant, run], |row| row.get(0))
}

/// The weakest trust among the decisions of a run.
pub(crate) fn trust_of_run(connection: &Connection, tenant: &str, run: &str) -> Result<Option<TrustLevel>, Error> {
    let sql = "SELECT DISTINCT root_trust_level FROM decisions WHERE tenant = ?1 AND run_id = ?2";
    let levels = all(connection, sql, params![tenant, run], |row| {
        meaning("root_trust_level", row.get_ref(0)?.as_str().ok().and_then(TrustLevel::from_name))
    })?;
    Ok(levels.into_iter().max())
}

/// Decisions by their ids, in the order of their numbers.
pub(crate) fn by_ids(connection: &Connection, tenant: &str, ids: &[String]) -> Result<Vec<Decision>, Error> {
    let sql = concat!("SELECT ", columns!(), " FROM decisions WHERE tenant = ?1 AND id IN ");
    let mut found = in_groups(connection, sql, tenant, ids, decision)?;
    found.sort_by_key(|decision| decision.number);
    Ok(found)
}

/// Decisions by their ids, each with the place of its receipt.
pub(crate) fn with_places(
    connection: &Connection,
    tenant: &str,
    ids: &[String],
) -> Result<Vec<(Decision, Option<u64>)>, Error> {
    let sql = concat!("SELECT ", columns!(), ", receipt_sequence FROM decisions WHERE tenant = ?1 AND id IN ");
    let mut found = in_groups(connection, sql, tenant, ids, |row| {
        Ok((decision(row)?, row.get::<_, Option<u64>>("receipt_sequence")?))
    })?;
    found.sort_by_key(|(decision, _)| decision.number);
    Ok(found)
}

/// A decision beside the receipt that it names.
#[derive(Debug)]
pub(crate) struct Attested {
    pub(crate) number: i64,
    pub(crate) id: String,
    pub(crate) is_attested: bool,
}

/// The decisions behind a place, oldest first, and whether the receipt that each names is its own.
pub(crate) fn attested(connection: &Connection, tenant: &str, after: i64, limit: i64) -> Result<Vec<Attested>, Error> {
    let sql = "SELECT d.number, d.id, r.kind IS 'decision' AND r.decision_id IS d.id FROM decisions d \
               LEFT JOIN receipts r ON r.tenant = d.tenant AND r.sequence = d.receipt_sequence \
               WHERE d.tenant = ?1 AND d.number > ?2 ORDER BY d.number LIMIT ?3";
    all(connection, sql, params![tenant, after, limit], |row| {
        Ok(Attested { number: row.get(0)?, id: row.get(1)?, is_attested: row.get(2)? })
    })
}

/// How many decisions a run has.
pub(crate) fn count_of_run(connection: &Connection, tenant: &str, run: &str) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM decisions WHERE tenant = ?1 AND run_id = ?2";
    Ok(first(connection, sql, params![tenant, run], |row| row.get(0))?.unwrap_or_default())
}

/// How many decisions an agent has.
pub(crate) fn count_of_agent(connection: &Connection, tenant: &str, agent: &str) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM decisions WHERE tenant = ?1 AND agent_id = ?2";
    Ok(first(connection, sql, params![tenant, agent], |row| row.get(0))?.unwrap_or_default())
}

/// A page of decisions, newest first.
pub(crate) fn list(
    connection: &Connection,
    tenant: &str,
    filter: &DecisionFilter,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<Decision>, Error> {
    let before = place_of(cursor)?.unwrap_or(i64::MAX);
    // The filter that an index leads to is part of the statement, so that the index is used; the others look at what it
    // leads to.
    let (sql, name) = match (&filter.run_id, &filter.mcp_server, &filter.agent_id) {
        (Some(run), ..) => (statement("run_id = ?2"), run.as_str()),
        (None, Some(node), _) if node.starts_with(NODE) => (statement("mcp_node_id = ?2"), node.as_str()),
        (None, Some(key), _) => (statement("mcp_server_key = ?2"), key.as_str()),
        (None, None, Some(agent)) => (statement("agent_id = ?2"), agent.as_str()),
        (None, None, None) => (statement("?2 = ''"), ""),
    };
    let values = params![
        tenant,
        name,
        before,
        filter.verdict.map(Verdict::name),
        filter.agent_id,
        filter.from.map(Moment::micros),
        filter.to.map(Moment::micros),
        rows(limit),
        filter.mcp_server,
    ];
    Ok(page(all(connection, &sql, values, decision)?, limit, |decision| decision.number))
}

fn statement(indexed: &str) -> String {
    format!(
        "SELECT {} FROM decisions WHERE tenant = ?1 AND {indexed} AND number < ?3 AND (?4 IS NULL OR verdict = ?4) \
         AND (?5 IS NULL OR agent_id = ?5) AND (?6 IS NULL OR created_at >= ?6) AND (?7 IS NULL OR created_at < ?7) \
         AND (?9 IS NULL OR mcp_server_key = ?9 OR mcp_node_id = ?9) ORDER BY number DESC LIMIT ?8",
        columns!()
    )
}

/// Decisions behind a place and up to another, oldest first, of one tenant or of all.
pub(super) fn between(
    connection: &Connection,
    tenant: Option<&str>,
    (after, up_to): (i64, i64),
    limit: i64,
) -> Result<Vec<Decision>, Error> {
    let rest = "number > ?2 AND number <= ?3 AND dropped_at IS NULL ORDER BY number LIMIT ?4";
    let whose = if tenant.is_some() { "tenant = ?1" } else { "?1 IS NULL" };
    let sql = format!("SELECT {} FROM decisions WHERE {whose} AND {rest}", columns!());
    all(connection, &sql, params![tenant, after, up_to, limit], decision)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the places, as columns are called.
    fn name(column: Column) -> String {
        let mut name = String::new();
        for letter in format!("{column:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }

    #[test]
    fn places_are_those_of_the_columns() {
        let columns: Vec<&str> = columns!().split(", ").collect();
        let listed = [
            Column::Number,
            Column::Id,
            Column::Tenant,
            Column::AgentId,
            Column::RunId,
            Column::ParentRunId,
            Column::TraceId,
            Column::UserId,
            Column::Tool,
            Column::Action,
            Column::Resource,
            Column::McpServer,
            Column::SourceTrust,
            Column::RootTrustLevel,
            Column::MutatesState,
            Column::Verdict,
            Column::Code,
            Column::Reason,
            Column::Explanation,
            Column::RiskScore,
            Column::CompositeRiskScore,
            Column::Policies,
            Column::RedactedFields,
            Column::ActionHash,
            Column::ArgumentHash,
            Column::RequestId,
            Column::LatencyUs,
            Column::CreatedAt,
            Column::DroppedAt,
        ];
        assert_eq!(listed.map(name).as_slice(), columns);
        assert!(listed.iter().enumerate().all(|(place, column)| *column as usize == place));
    }
}
