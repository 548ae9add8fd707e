//! Versions of policies, and manifests of servers.

use rusqlite::{Connection, Row, params};

use super::{all, parsed};
use crate::registry::PolicyVersion;
use crate::{Error, Moment};

pub(super) fn version(row: &Row<'_>) -> rusqlite::Result<PolicyVersion> {
    Ok(PolicyVersion {
        policy_key: row.get("policy_key")?,
        version: row.get("version")?,
        name: row.get("name")?,
        body: row.get("body")?,
        body_hash: row.get("body_hash")?,
        is_active: row.get("is_active")?,
        author: row.get("author")?,
        reason: row.get("reason")?,
        created_at: Moment::from_micros(row.get("created_at")?),
    })
}

/// All versions of a policy, newest first.
pub(crate) fn history(connection: &Connection, tenant: &str, key: &str) -> Result<Vec<PolicyVersion>, Error> {
    let sql = "SELECT * FROM policies WHERE tenant = ?1 AND policy_key = ?2 ORDER BY version DESC";
    all(connection, sql, params![tenant, key], version)
}

/// A manifest that a server was seen with.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[schema(as = SeenManifest)]
pub struct Manifest {
    /// Counts from one.
    pub number: i64,
    /// Its hash.
    pub manifest_hash: String,
    /// When it was seen.
    pub seen_at: Moment,
    /// The tools.
    #[schema(value_type = Vec<crate::mcp::SeenTool>)]
    pub manifest: serde_json::Value,
    /// What was different from the one before.
    #[schema(value_type = Vec<crate::mcp::Drift>)]
    pub drift: serde_json::Value,
}

/// The manifests of a server, newest first.
pub(crate) fn manifests(
    connection: &Connection,
    tenant: &str,
    server: &str,
    limit: i64,
) -> Result<Vec<Manifest>, Error> {
    let sql = "SELECT number, manifest_hash, seen_at, manifest, drift FROM mcp_manifests \
               WHERE tenant = ?1 AND server_key = ?2 ORDER BY number DESC LIMIT ?3";
    let read = |row: &Row<'_>| {
        Ok(Manifest {
            number: row.get("number")?,
            manifest_hash: row.get("manifest_hash")?,
            seen_at: Moment::from_micros(row.get("seen_at")?),
            manifest: parsed(row, "manifest")?,
            drift: parsed(row, "drift")?,
        })
    };
    all(connection, sql, params![tenant, server, limit], read)
}
