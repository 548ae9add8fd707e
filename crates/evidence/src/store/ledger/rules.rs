//! What decisions rest on: tools, MCP servers, policies and settings. Each change is a receipt.

use rusqlite::params;
use serde_json::{Value, json};

use super::identities::check_name;
use super::{Attested, Ledger, json};
use crate::Error;
use crate::identity::{McpServer, Tool};
use crate::mcp::Drift;
use crate::receipt::EventKind;
use crate::registry::{Change, PolicyVersion};

/// A policy as somebody hands it in.
#[derive(Debug, Clone)]
pub struct NewPolicy {
    /// The name that stays.
    pub policy_key: String,
    /// What people call it.
    pub name: String,
    /// Cedar.
    pub body: String,
    /// Whether it counts.
    pub is_active: bool,
    /// Who hands it in.
    pub author: String,
    /// Why.
    pub reason: String,
    /// What is done: `added`, `changed`, `rolled back to 3` and so on.
    pub what: String,
}

impl Ledger<'_> {
    /// Registers a tool, or replaces what was registered under its key.
    pub fn put_tool(&mut self, tenant: &str, tool: Tool, by: &str) -> Result<(), Error> {
        check_name("tool key", &tool.tool_key)?;
        let sql = "INSERT INTO tools (tenant, tool_key, updated_at, definition) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT (tenant, tool_key) DO UPDATE SET updated_at = ?3, definition = ?4";
        let definition = json(&tool)?;
        self.execute(sql, params![tenant, tool.tool_key, self.now.micros(), definition])?;
        let hash = crate::receipt::sha256(&definition).hex();
        let detail = json!({ "what": "tool_registered", "tool": tool.tool_key, "definition_hash": hash, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Tool { tenant: tenant.to_owned(), tool });
        Ok(())
    }

    /// Takes a tool out; calls of it are unknown from then on.
    pub fn remove_tool(&mut self, tenant: &str, tool_key: &str, by: &str) -> Result<(), Error> {
        let removed =
            self.execute("DELETE FROM tools WHERE tenant = ?1 AND tool_key = ?2", params![tenant, tool_key])?;
        if removed == 0 {
            return Err(Error::unknown("tool", tool_key));
        }
        let detail = json!({ "what": "tool_removed", "tool": tool_key, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::ToolGone { tenant: tenant.to_owned(), tool_key: tool_key.to_owned() });
        Ok(())
    }

    /// Keeps what is known of an MCP server. `what` says what happened to it, `about` the particulars.
    pub fn put_server(
        &mut self,
        tenant: &str,
        mut server: McpServer,
        what: &str,
        about: &Value,
        by: &str,
    ) -> Result<McpServer, Error> {
        check_name("server key", &server.server_key)?;
        check_name("name", &server.name)?;
        server.updated_at = self.now;
        let sql = "INSERT INTO mcp_servers (tenant, server_key, updated_at, definition) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT (tenant, server_key) DO UPDATE SET updated_at = ?3, definition = ?4";
        self.execute(sql, params![tenant, server.server_key, self.now.micros(), json(&server)?])?;
        let detail = json!({
            "what": what, "server_key": server.server_key, "node_id": server.node_id, "status": server.status,
            "status_reason": server.status_reason, "manifest_hash": server.manifest_hash, "about": about, "by": by,
        });
        self.attest(tenant, Attested::of(EventKind::Mcp, detail))?;
        self.then(Change::Server { tenant: tenant.to_owned(), server: server.clone() });
        Ok(server)
    }

    /// Keeps a manifest that a server was seen with, and what was different.
    pub fn keep_manifest(
        &mut self,
        tenant: &str,
        server: &McpServer,
        manifest: &Value,
        drift: &[Drift],
    ) -> Result<(), Error> {
        let sql = "INSERT INTO mcp_manifests (tenant, server_key, number, manifest_hash, seen_at, manifest, drift) \
                   SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6 FROM mcp_manifests \
                   WHERE tenant = ?1 AND server_key = ?2";
        let hash = server.manifest_hash.as_deref().unwrap_or_default();
        let values = params![tenant, server.server_key, hash, self.now.micros(), json(manifest)?, json(&drift)?];
        self.execute(sql, values).map(drop)
    }

    /// Adds a version of a policy. The caller has checked that it can be used.
    pub fn put_policy(&mut self, tenant: &str, new: NewPolicy) -> Result<PolicyVersion, Error> {
        check_name("policy key", &new.policy_key)?;
        check_name("name", &new.name)?;
        let book = self.registry.rulebook(tenant);
        let version = book.policies.get(&new.policy_key).map_or(1, |policy| policy.version + 1);
        let policy = PolicyVersion {
            version,
            body_hash: crate::receipt::sha256(&new.body).hex(),
            policy_key: new.policy_key,
            name: new.name,
            body: new.body,
            is_active: new.is_active,
            author: new.author,
            reason: new.reason,
            created_at: self.now,
        };
        let sql = "INSERT INTO policies (tenant, policy_key, version, name, body, body_hash, is_active, author, reason, \
                   created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let values = params![
            tenant,
            policy.policy_key,
            policy.version,
            policy.name,
            policy.body,
            policy.body_hash,
            policy.is_active,
            policy.author,
            policy.reason,
            policy.created_at.micros(),
        ];
        self.execute(sql, values)?;
        let detail = json!({
            "what": new.what, "policy_key": policy.policy_key, "version": policy.version, "body_hash": policy.body_hash,
            "is_active": policy.is_active, "by": policy.author, "reason": policy.reason,
        });
        self.attest(tenant, Attested::of(EventKind::Policy, detail))?;
        self.then(Change::Policy { tenant: tenant.to_owned(), policy: policy.clone() });
        Ok(policy)
    }

    /// Changes a setting of a tenant.
    pub fn put_setting(&mut self, tenant: &str, name: &str, value: Value, by: &str) -> Result<(), Error> {
        let sql = "INSERT INTO settings (tenant, name, value, updated_at) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT (tenant, name) DO UPDATE SET value = ?3, updated_at = ?4";
        self.execute(sql, params![tenant, name, json(&value)?, self.now.micros()])?;
        let detail = json!({ "what": "setting", "name": name, "value": value, "by": by });
        self.attest(tenant, Attested::of(EventKind::Policy, detail))?;
        self.then(Change::Setting { tenant: tenant.to_owned(), name: name.to_owned(), value });
        Ok(())
    }
}
