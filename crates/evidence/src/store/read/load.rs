//! Everything that is registered, read once at the start.

use rusqlite::{Connection, Row};

use super::{all, meaning, parsed, policies};
use crate::identity::{Agent, AgentStatus, Person, Role};
use crate::registry::{Change, Registry};
use crate::{Error, Moment, TokenHash};

/// Fills the registry. Linear in what is registered.
pub(crate) fn registry(connection: &Connection) -> Result<Registry, Error> {
    let registry = Registry::default();
    let mut changes = all(connection, "SELECT * FROM tenants ORDER BY id", [], tenant)?;
    changes.extend(all(connection, "SELECT * FROM people WHERE revoked_at IS NULL", [], person)?);
    changes.extend(all(connection, "SELECT * FROM agents", [], agent)?);
    changes.extend(all(connection, "SELECT tenant, definition FROM tools", [], |row| {
        Ok(Change::Tool { tenant: row.get("tenant")?, tool: parsed(row, "definition")? })
    })?);
    changes.extend(all(connection, "SELECT tenant, definition FROM mcp_servers", [], |row| {
        Ok(Change::Server { tenant: row.get("tenant")?, server: parsed(row, "definition")? })
    })?);
    changes.extend(all(connection, "SELECT * FROM policies ORDER BY version", [], |row| {
        Ok(Change::Policy { tenant: row.get("tenant")?, policy: policies::version(row)? })
    })?);
    changes.extend(all(connection, "SELECT tenant, name, value FROM settings", [], |row| {
        Ok(Change::Setting { tenant: row.get("tenant")?, name: row.get("name")?, value: parsed(row, "value")? })
    })?);
    changes.into_iter().for_each(|change| registry.apply(change));
    Ok(registry)
}

fn tenant(row: &Row<'_>) -> rusqlite::Result<Change> {
    let created_at = Moment::from_micros(row.get("created_at")?);
    Ok(Change::Tenant { id: row.get("id")?, name: row.get("name")?, created_at })
}

fn token(row: &Row<'_>) -> rusqlite::Result<TokenHash> {
    meaning("token_hash", row.get_ref("token_hash")?.as_str().ok().and_then(TokenHash::from_hex))
}

fn person(row: &Row<'_>) -> rusqlite::Result<Change> {
    let person = Person {
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        name: row.get("name")?,
        role: meaning("role", row.get_ref("role")?.as_str().ok().and_then(Role::from_name))?,
        created_at: Moment::from_micros(row.get("created_at")?),
    };
    Ok(Change::Person { person, token: token(row)? })
}

fn agent(row: &Row<'_>) -> rusqlite::Result<Change> {
    let agent = Agent {
        id: row.get("id")?,
        tenant: row.get("tenant")?,
        key: row.get("agent_key")?,
        status: meaning("status", row.get_ref("status")?.as_str().ok().and_then(AgentStatus::from_name))?,
        created_at: Moment::from_micros(row.get("created_at")?),
        updated_at: Moment::from_micros(row.get("updated_at")?),
        profile: parsed(row, "profile")?,
    };
    Ok(Change::Agent { agent, token: Some(token(row)?) })
}
