//! Who asks, and what they may.
//!
//! A token says everything: the tenant, and whether it is an agent's or a person's. A tenant that is named beside it may
//! only agree. The operator, who holds the data directory, may name any tenant.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use tracehound_evidence::identity::{Agent, AgentStatus, DEFAULT_TENANT, Person, Role};
use tracehound_evidence::{Holder, TokenHash};

use crate::App;
use crate::console::cookie;
use crate::problem::Problem;

/// The headers that may name a tenant.
const TENANT_HEADERS: [&str; 3] = ["x-tracehound-tenant", "x-aegis-tenant-id", "x-tenant-id"];

/// The path of the live feed.
pub(crate) const LIVE: &str = "/v1/ws/events";

/// Who asks.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose data they see.
    pub tenant: String,
    /// Who they are.
    pub who: Who,
}

/// Somebody who asks.
#[derive(Debug, Clone)]
pub enum Who {
    /// An agent.
    Agent(Arc<Agent>),
    /// A person or machine.
    Person(Arc<Person>),
    /// Whoever holds the data directory.
    Operator,
}

/// What a route asks of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    Open,
    /// To be an agent, also one that was stopped: what it is told is on record.
    Asker,
    /// To be an agent.
    Agent,
    /// To be an agent or anybody with a role: what an agent may see of its tenant.
    Graph,
    /// Any role.
    Read,
    /// To handle incidents.
    Analyst,
    /// To decide about approvals.
    Approver,
    /// To change who and what is registered.
    Admin,
    /// To hold the data directory.
    Operator,
}

impl Access {
    /// Who may, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Open => "anybody",
            Self::Asker => "agents, stopped ones included",
            Self::Agent => "agents",
            Self::Graph => "agents, and people with any role",
            Self::Read => "people with any role",
            Self::Analyst => "analysts and administrators",
            Self::Approver => "approvers and administrators",
            Self::Admin => "administrators",
            Self::Operator => "whoever holds the data directory",
        }
    }

    /// Whether somebody may.
    #[must_use]
    pub fn admits(self, who: &Who) -> bool {
        let role = match who {
            Who::Operator => return !matches!(self, Self::Asker | Self::Agent),
            Who::Agent(agent) if is_cut_off(agent) => return matches!(self, Self::Open | Self::Asker),
            Who::Agent(_) => return matches!(self, Self::Open | Self::Asker | Self::Agent | Self::Graph),
            Who::Person(person) => person.role,
        };
        match self {
            Self::Open | Self::Graph | Self::Read => true,
            Self::Asker | Self::Agent | Self::Operator => false,
            Self::Analyst => matches!(role, Role::Admin | Role::Analyst),
            Self::Approver => matches!(role, Role::Admin | Role::Approver),
            Self::Admin => role == Role::Admin,
        }
    }
}

/// Whether an agent learns nothing any more. One that is frozen may come back and still sees how things stand.
fn is_cut_off(agent: &Agent) -> bool {
    matches!(agent.status, AgentStatus::Revoked | AgentStatus::Quarantined)
}

impl Caller {
    /// Finds out who asks.
    pub(crate) fn identify(app: &App, request: &Parts) -> Result<Self, Problem> {
        let credential = Credential::of(app, request).ok_or_else(Problem::unauthorized)?;
        let holder = credential.holder(app).ok_or_else(Problem::unauthorized)?;
        Self::of_hash(app, holder, named_tenant(&request.headers)?)
    }

    /// Whoever holds a token, known by its hash.
    pub(crate) fn of_hash(app: &App, token: TokenHash, named: Option<&str>) -> Result<Self, Problem> {
        if app.operator_token() == Some(token) {
            let tenant = named.unwrap_or(DEFAULT_TENANT).to_owned();
            if !app.evidence().registry().has_tenant(&tenant) {
                return Err(Problem::unknown("Tenant"));
            }
            return Ok(Self { tenant, who: Who::Operator });
        }
        let (tenant, who) = match app.evidence().registry().holder(token).ok_or_else(Problem::unauthorized)? {
            Holder::Agent(agent) => (agent.tenant.clone(), Who::Agent(agent)),
            Holder::Person(person) => (person.tenant.clone(), Who::Person(person)),
        };
        // Somebody who names another tenant learns nothing about it, not even that it is there.
        if named.is_some_and(|named| named != tenant) {
            return Err(Problem::unauthorized());
        }
        Ok(Self { tenant, who })
    }

    /// What they are called in records.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.who {
            Who::Agent(agent) => &agent.key,
            Who::Person(person) => &person.name,
            Who::Operator => "operator",
        }
    }

    /// The agent, where only agents are admitted.
    pub(crate) fn agent(&self) -> Result<&Arc<Agent>, Problem> {
        match &self.who {
            Who::Agent(agent) => Ok(agent),
            Who::Person(_) | Who::Operator => Err(Problem::forbidden("only agents may do this")),
        }
    }
}

/// What somebody showed to be let in.
#[derive(Debug, Clone)]
pub(crate) enum Credential {
    /// A token.
    Token(TokenHash),
    /// A session of the console.
    Session(String),
}

impl Credential {
    /// What a request shows.
    pub(crate) fn of(app: &App, request: &Parts) -> Option<Self> {
        let headers = &request.headers;
        // A token that is sent counts, even beside a cookie: whoever sends one means it.
        if headers.contains_key(header::AUTHORIZATION) {
            return bearer(headers).map(|token| Self::Token(TokenHash::of(&token)));
        }
        // An address ends up in logs and histories; only where browsers leave no other way does a token stand in one.
        if request.uri.path() == LIVE
            && let Some(token) = from_query(request.uri.query())
        {
            return Some(Self::Token(TokenHash::of(&token)));
        }
        cookie::session(headers, app.cookie(), &request.method).map(|session| Self::Session(session.to_owned()))
    }

    /// The token that it stands for.
    pub(crate) fn holder(&self, app: &App) -> Option<TokenHash> {
        match self {
            Self::Token(hash) => Some(*hash),
            Self::Session(session) => app.sessions().holder(session, Instant::now()),
        }
    }

    /// Whether it still is somebody's whom this admits.
    pub(crate) fn opens(&self, app: &App, access: Access) -> bool {
        let caller = self.holder(app).and_then(|hash| Caller::of_hash(app, hash, None).ok());
        caller.is_some_and(|caller| access.admits(&caller.who))
    }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let value = all.next()?.to_str().ok()?;
    // Two of them are one too many: which one counts would be anybody's guess.
    if all.next().is_some() {
        return None;
    }
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned()).filter(|token| !token.is_empty())
}

/// Browsers can't send headers when they open a socket, so there the token stands in the address.
fn from_query(query: Option<&str>) -> Option<String> {
    let mut pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == "token").map(|(_, token)| token.to_owned())
}

fn named_tenant(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut named = None;
    for name in TENANT_HEADERS {
        for value in headers.get_all(name) {
            let value = value.to_str().map_err(|_| Problem::unauthorized())?.trim();
            if named.is_some_and(|before| before != value) {
                return Err(Problem::unauthorized());
            }
            named = Some(value);
        }
    }
    Ok(named)
}

impl OptionalFromRequestParts<App> for Credential {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Self::Rejection> {
        Ok(Self::of(app, parts))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        // The route's guard has put it there; a route without a guard has no caller.
        parts.extensions.get::<Self>().cloned().ok_or_else(Problem::unauthorized)
    }
}
