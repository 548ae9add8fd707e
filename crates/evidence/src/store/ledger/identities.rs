//! Tenants, agents and people: added, changed, given another token. Each change is a receipt.

use rusqlite::params;
use serde_json::json;

use super::{Attested, Ledger, json, plain_id};
use crate::decision::ReceiptRef;
use crate::identity::{Agent, AgentProfile, AgentStatus, Person, Role};
use crate::receipt::EventKind;
use crate::registry::Change;
use crate::{Error, Token};

/// Longest name, key or id.
const MAX_NAME: usize = 256;

impl Ledger<'_> {
    /// Adds a tenant.
    pub fn add_tenant(&mut self, id: &str, name: &str) -> Result<(), Error> {
        check_name("tenant id", id)?;
        check_name("tenant name", name)?;
        if self.registry.has_tenant(id) {
            return Err(taken("tenant", id));
        }
        let sql = "INSERT INTO tenants (id, name, created_at) VALUES (?1, ?2, ?3)";
        self.execute(sql, params![id, name, self.now.micros()])?;
        let detail = json!({ "what": "tenant_added", "name": name });
        self.attest(id, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Tenant { id: id.to_owned(), name: name.to_owned(), created_at: self.now });
        Ok(())
    }

    /// Adds somebody, and makes the token that they are shown once.
    pub fn add_person(&mut self, tenant: &str, name: &str, role: Role, by: &str) -> Result<(Person, Token), Error> {
        check_name("name", name)?;
        if self.registry.people(tenant).iter().any(|person| person.name == name) {
            return Err(taken("person", name));
        }
        let token = Token::of_person()?;
        let person =
            Person { id: plain_id(), tenant: tenant.to_owned(), name: name.to_owned(), role, created_at: self.now };
        let sql = "INSERT INTO people (id, tenant, name, role, token_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let hash = token.hash();
        let values = params![person.id, tenant, name, role.name(), hash.to_hex(), self.now.micros()];
        self.execute(sql, values)?;
        let detail = json!({ "what": "person_added", "person_id": person.id, "name": name, "role": role, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Person { person: person.clone(), token: hash });
        Ok((person, token))
    }

    /// Gives somebody another token; the old one is worth nothing from then on.
    pub fn rotate_person(&mut self, tenant: &str, id: &str, by: &str) -> Result<Token, Error> {
        let people = self.registry.people(tenant);
        let person = people.iter().find(|person| person.id == id).ok_or_else(|| Error::unknown("person", id))?;
        let token = Token::of_person()?;
        let sql = "UPDATE people SET token_hash = ?3 WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, id, token.hash().to_hex()])?;
        let detail = json!({ "what": "person_token_rotated", "person_id": id, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Person { person: (**person).clone(), token: token.hash() });
        Ok(token)
    }

    /// Takes somebody's token away. A tenant keeps at least one administrator.
    pub fn remove_person(&mut self, tenant: &str, id: &str, by: &str) -> Result<(), Error> {
        let people = self.registry.people(tenant);
        let person = people.iter().find(|person| person.id == id).ok_or_else(|| Error::unknown("person", id))?;
        let admins = people.iter().filter(|person| person.role == Role::Admin).count();
        if person.role == Role::Admin && admins == 1 {
            let message = "this is the last administrator; add another first".to_owned();
            return Err(Error::Conflict { code: "last_admin", message });
        }
        let sql = "UPDATE people SET revoked_at = ?3 WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, id, self.now.micros()])?;
        let detail = json!({ "what": "person_removed", "person_id": id, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::PersonGone { tenant: tenant.to_owned(), id: id.to_owned() });
        Ok(())
    }

    /// Registers an agent, and makes the token that is shown once.
    pub fn add_agent(
        &mut self,
        tenant: &str,
        key: &str,
        profile: AgentProfile,
        by: &str,
    ) -> Result<(Agent, Token), Error> {
        check_name("agent key", key)?;
        check_name("name", &profile.name)?;
        check_name("environment", &profile.environment)?;
        if self.registry.agent_called(tenant, key).is_some() {
            return Err(taken("agent", key));
        }
        let token = Token::of_agent()?;
        let agent = Agent {
            id: plain_id(),
            tenant: tenant.to_owned(),
            key: key.to_owned(),
            status: AgentStatus::Active,
            created_at: self.now,
            updated_at: self.now,
            profile,
        };
        let sql = "INSERT INTO agents (id, tenant, agent_key, token_hash, status, created_at, updated_at, profile) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)";
        let hash = token.hash();
        let (status, profile) = (agent.status.name(), json(&agent.profile)?);
        self.execute(sql, params![agent.id, tenant, key, hash.to_hex(), status, self.now.micros(), profile])?;
        let detail = json!({ "what": "agent_added", "agent_id": agent.id, "agent_key": key, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Agent { agent: agent.clone(), token: Some(hash) });
        Ok((agent, token))
    }

    /// Gives an agent another token; the old one is worth nothing from then on.
    pub fn rotate_agent(&mut self, tenant: &str, id: &str, by: &str) -> Result<Token, Error> {
        let agent = self.known_agent(tenant, id)?;
        let token = Token::of_agent()?;
        let sql = "UPDATE agents SET token_hash = ?3, updated_at = ?4 WHERE tenant = ?1 AND id = ?2";
        self.execute(sql, params![tenant, agent.id, token.hash().to_hex(), self.now.micros()])?;
        let detail = json!({ "what": "agent_token_rotated", "agent_id": agent.id, "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Agent { agent: Agent { updated_at: self.now, ..agent }, token: Some(token.hash()) });
        Ok(token)
    }

    /// Changes what is said about an agent.
    pub fn describe_agent(&mut self, tenant: &str, id: &str, profile: AgentProfile, by: &str) -> Result<Agent, Error> {
        check_name("name", &profile.name)?;
        check_name("environment", &profile.environment)?;
        let mut agent = self.known_agent(tenant, id)?;
        // Why it is frozen or active is what happened to it, which no description changes.
        let status_reason = agent.profile.status_reason.take();
        agent.profile = AgentProfile { status_reason, ..profile };
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        let detail = json!({
            "what": "agent_described", "agent_id": agent.id, "by": by, "risk_tier": agent.profile.risk_tier,
            "force_approval": agent.profile.force_approval,
        });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))?;
        self.then(Change::Agent { agent: agent.clone(), token: None });
        Ok(agent)
    }

    /// Somebody who is no agent asked what only agents may ask.
    pub fn refuse_person(&mut self, tenant: &str, by: &str) -> Result<ReceiptRef, Error> {
        let detail = json!({ "what": "refused", "code": "forbidden", "by": by });
        self.attest(tenant, Attested::of(EventKind::Identity, detail))
    }

    /// Lets an agent act, or stops it. One that was revoked stays so.
    pub fn set_agent_status(
        &mut self,
        tenant: &str,
        id: &str,
        status: AgentStatus,
        why: &str,
        by: &str,
    ) -> Result<Agent, Error> {
        let mut agent = self.known_agent(tenant, id)?;
        let previous = agent.status;
        if previous == AgentStatus::Revoked && status != AgentStatus::Revoked {
            let message = format!("agent `{}` was revoked for good; register another", agent.key);
            return Err(Error::Conflict { code: "agent_revoked", message });
        }
        agent.status = status;
        agent.profile.status_reason = Some(why.to_owned());
        agent.updated_at = self.now;
        self.update_agent(&agent)?;
        let detail = json!({
            "what": "agent_status", "agent_id": agent.id, "previous": previous, "status": status, "by": by,
            "reason": why,
        });
        let receipt = self.attest(tenant, Attested::of(EventKind::Containment, detail))?;
        if status == AgentStatus::Active {
            self.end_containments(tenant, &agent.id, why, by)?;
        }
        let code = format!("agent_{status}");
        self.note(&self.containment_event(tenant, &agent.id, &code, &format!("{by}: {why}"), &receipt))?;
        self.then(Change::Agent { agent: agent.clone(), token: None });
        Ok(agent)
    }

    pub(super) fn update_agent(&self, agent: &Agent) -> Result<(), Error> {
        let sql = "UPDATE agents SET status = ?3, profile = ?4, updated_at = ?5 WHERE tenant = ?1 AND id = ?2";
        let values =
            params![agent.tenant, agent.id, agent.status.name(), json(&agent.profile)?, agent.updated_at.micros()];
        self.execute(sql, values).map(drop)
    }

    pub(super) fn known_agent(&self, tenant: &str, id: &str) -> Result<Agent, Error> {
        // What this change did to the agent before is not in memory yet.
        let is_it = |agent: &Agent| agent.tenant == tenant && (agent.id == id || agent.key == id);
        let changed = self.changes.iter().rev().find_map(|change| match change {
            Change::Agent { agent, .. } if is_it(agent) => Some(agent),
            _ => None,
        });
        if let Some(agent) = changed {
            return Ok(agent.clone());
        }
        let agent = self.registry.agent_called(tenant, id).ok_or_else(|| Error::unknown("agent", id))?;
        Ok((*agent).clone())
    }
}

/// A name that people and logs can bear.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), Error> {
    let problem = if name.trim().is_empty() {
        "is empty"
    } else if name.len() > MAX_NAME {
        "is longer than 256 bytes"
    } else if name.chars().any(char::is_control) {
        "has control characters"
    } else {
        return Ok(());
    };
    Err(Error::Invalid { code: "bad_name", message: format!("the {what} {problem}") })
}

fn taken(what: &str, name: &str) -> Error {
    Error::Conflict { code: "already_exists", message: format!("there is a {what} `{name}` already") }
}
