//! Everybody and everything that is registered, in memory, as the store has it.
//!
//! One process owns the store, so what is here is what is there. The writing thread changes it after a commit and before
//! it answers; requests read it without touching the disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::identity::{Agent, McpServer, Person, Tool};
use crate::receipt::SigningKey;
use crate::{Moment, TokenHash};

/// Whose token it is.
#[derive(Debug, Clone)]
pub enum Holder {
    /// An agent's.
    Agent(Arc<Agent>),
    /// A person's or machine's.
    Person(Arc<Person>),
}

/// A policy version in force.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct PolicyVersion {
    /// The name that stays.
    pub policy_key: String,
    /// Counts from one.
    pub version: u32,
    /// What people call it.
    pub name: String,
    /// Cedar.
    pub body: String,
    /// The SHA-256 of the body.
    pub body_hash: String,
    /// Whether it counts.
    pub is_active: bool,
    /// Who wrote this version.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: Moment,
}

/// What policies and tools of a tenant are in force; replaced as a whole when one of them changes.
#[derive(Debug, Clone, Default)]
pub struct Rulebook {
    /// Counts changes of anything below.
    pub epoch: u64,
    /// By key.
    pub tools: BTreeMap<String, Arc<Tool>>,
    /// By key.
    pub servers: BTreeMap<String, Arc<McpServer>>,
    /// By key, the newest version of each.
    pub policies: BTreeMap<String, Arc<PolicyVersion>>,
    /// Settings by name.
    pub settings: BTreeMap<String, Arc<serde_json::Value>>,
}

#[derive(Debug, Default)]
struct Tenant {
    name: String,
    created_at: Moment,
    rulebook: Arc<Rulebook>,
    agents: FxHashMap<String, Arc<Agent>>,
    agents_by_key: BTreeMap<String, String>,
    people: BTreeMap<String, Arc<Person>>,
}

#[derive(Debug, Default)]
struct Inner {
    tenants: BTreeMap<String, Tenant>,
    tokens: HashMap<TokenHash, Owner, rustc_hash::FxBuildHasher>,
    hashes: FxHashMap<String, TokenHash>,
}

#[derive(Debug, Clone)]
struct Owner {
    tenant: String,
    id: String,
}

/// Everybody and everything that is registered.
#[derive(Debug, Default)]
pub struct Registry(RwLock<Inner>);

/// A change that was committed.
#[derive(Debug)]
pub(crate) enum Change {
    Tenant {
        id: String,
        name: String,
        created_at: Moment,
    },
    Agent {
        agent: Agent,
        token: Option<TokenHash>,
    },
    Person {
        person: Person,
        token: TokenHash,
    },
    PersonGone {
        tenant: String,
        id: String,
    },
    Tool {
        tenant: String,
        tool: Tool,
    },
    ToolGone {
        tenant: String,
        tool_key: String,
    },
    Server {
        tenant: String,
        server: McpServer,
    },
    Policy {
        tenant: String,
        policy: PolicyVersion,
    },
    Setting {
        tenant: String,
        name: String,
        value: serde_json::Value,
    },
    /// Another key signs; the writing thread takes it.
    Signer(Arc<SigningKey>),
}

impl Registry {
    fn read<T>(&self, look: impl FnOnce(&Inner) -> T) -> T {
        // A panic elsewhere can't have left a half-made change: each is one assignment.
        look(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whose token this is.
    #[must_use]
    pub fn holder(&self, token: TokenHash) -> Option<Holder> {
        self.read(|inner| {
            let owner = inner.tokens.get(&token)?;
            let tenant = inner.tenants.get(&owner.tenant)?;
            let agent = tenant.agents.get(&owner.id).map(|agent| Holder::Agent(agent.clone()));
            agent.or_else(|| tenant.people.get(&owner.id).map(|person| Holder::Person(person.clone())))
        })
    }

    /// An agent by its id.
    #[must_use]
    pub fn agent(&self, tenant: &str, id: &str) -> Option<Arc<Agent>> {
        self.read(|inner| inner.tenants.get(tenant)?.agents.get(id).cloned())
    }

    /// An agent by its id or by its key.
    #[must_use]
    pub fn agent_called(&self, tenant: &str, name: &str) -> Option<Arc<Agent>> {
        self.read(|inner| {
            let tenant = inner.tenants.get(tenant)?;
            let by_key = || tenant.agents.get(tenant.agents_by_key.get(name)?);
            tenant.agents.get(name).or_else(by_key).cloned()
        })
    }

    /// At most `limit` agents behind a key, by key.
    #[must_use]
    pub fn agents_after(&self, tenant: &str, after: Option<&str>, limit: usize) -> Vec<Arc<Agent>> {
        use std::ops::Bound::{Excluded, Unbounded};
        self.read(|inner| {
            let Some(tenant) = inner.tenants.get(tenant) else { return Vec::new() };
            let range = (after.map_or(Unbounded, Excluded), Unbounded);
            let ids = tenant.agents_by_key.range::<str, _>(range).take(limit).map(|(_, id)| id);
            ids.filter_map(|id| tenant.agents.get(id).cloned()).collect()
        })
    }

    /// How many agents a tenant has.
    #[must_use]
    pub fn agent_count(&self, tenant: &str) -> usize {
        self.read(|inner| inner.tenants.get(tenant).map_or(0, |tenant| tenant.agents.len()))
    }

    /// The people of a tenant, by id.
    #[must_use]
    pub fn people(&self, tenant: &str) -> Vec<Arc<Person>> {
        self.read(|inner| inner.tenants.get(tenant).map_or_else(Vec::new, |it| it.people.values().cloned().collect()))
    }

    /// Tools, servers, policies and settings of a tenant.
    #[must_use]
    pub fn rulebook(&self, tenant: &str) -> Arc<Rulebook> {
        self.read(|inner| inner.tenants.get(tenant).map(|tenant| tenant.rulebook.clone()).unwrap_or_default())
    }

    /// All tenants, with their names.
    #[must_use]
    pub fn tenants(&self) -> Vec<(String, String, Moment)> {
        self.read(|inner| {
            let all = inner.tenants.iter();
            all.map(|(id, tenant)| (id.clone(), tenant.name.clone(), tenant.created_at)).collect()
        })
    }

    /// Whether there is such a tenant.
    #[must_use]
    pub fn has_tenant(&self, id: &str) -> bool {
        self.read(|inner| inner.tenants.contains_key(id))
    }

    pub(crate) fn apply(&self, change: Change) {
        let mut inner = self.0.write().unwrap_or_else(PoisonError::into_inner);
        inner.apply(change);
    }
}

impl Inner {
    fn apply(&mut self, change: Change) {
        match change {
            Change::Tenant { id, name, created_at } => {
                let tenant = self.tenants.entry(id).or_default();
                (tenant.name, tenant.created_at) = (name, created_at);
            }
            Change::Agent { agent, token } => {
                if let Some(token) = token {
                    self.give(token, &agent.tenant, &agent.id);
                }
                let tenant = self.tenants.entry(agent.tenant.clone()).or_default();
                tenant.agents_by_key.insert(agent.key.clone(), agent.id.clone());
                tenant.agents.insert(agent.id.clone(), Arc::new(agent));
            }
            Change::Person { person, token } => {
                self.give(token, &person.tenant, &person.id);
                let tenant = self.tenants.entry(person.tenant.clone()).or_default();
                tenant.people.insert(person.id.clone(), Arc::new(person));
            }
            Change::PersonGone { tenant, id } => {
                if let Some(token) = self.hashes.remove(&id) {
                    self.tokens.remove(&token);
                }
                if let Some(tenant) = self.tenants.get_mut(&tenant) {
                    tenant.people.remove(&id);
                }
            }
            Change::Tool { tenant, tool } => self.rule(&tenant, |book| {
                book.tools.insert(tool.tool_key.clone(), Arc::new(tool));
            }),
            Change::ToolGone { tenant, tool_key } => self.rule(&tenant, |book| {
                book.tools.remove(&tool_key);
            }),
            Change::Server { tenant, server } => self.rule(&tenant, |book| {
                book.servers.insert(server.server_key.clone(), Arc::new(server));
            }),
            Change::Policy { tenant, policy } => self.rule(&tenant, |book| {
                book.policies.insert(policy.policy_key.clone(), Arc::new(policy));
            }),
            Change::Signer(_) => {}
            Change::Setting { tenant, name, value } => self.rule(&tenant, |book| {
                book.settings.insert(name, Arc::new(value));
            }),
        }
    }

    /// Makes a token somebody's only one.
    fn give(&mut self, token: TokenHash, tenant: &str, id: &str) {
        if let Some(old) = self.hashes.insert(id.to_owned(), token) {
            self.tokens.remove(&old);
        }
        self.tokens.insert(token, Owner { tenant: tenant.to_owned(), id: id.to_owned() });
    }

    fn rule(&mut self, tenant: &str, change: impl FnOnce(&mut Rulebook)) {
        let tenant = self.tenants.entry(tenant.to_owned()).or_default();
        let book = Arc::make_mut(&mut tenant.rulebook);
        change(book);
        book.epoch += 1;
    }
}
