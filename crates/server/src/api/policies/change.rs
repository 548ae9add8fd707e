//! Changes of a tenant's policies. Each is checked against what is registered at that very moment, and each is a version
//! of its own: nothing is overwritten, nothing is forgotten.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracehound_evidence::{Error, NewPolicy, PolicyVersion, Rulebook};
use tracehound_policy::{TenantPolicy, Warning};

use super::check::{Bench, check_key};
use super::{ShownPolicy, find, shown};
use crate::App;
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::problem::Problem;

/// How often a change is checked again because something else changed meanwhile.
const ATTEMPTS: usize = 20;
/// Longest reason.
const LONGEST_REASON: usize = 1_000;

/// A policy that is to be added.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(as = NewPolicy)]
#[serde(deny_unknown_fields)]
pub(crate) struct Added {
    policy_key: String,
    name: Option<String>,
    body: String,
    #[serde(default)]
    reason: String,
}

/// What is to be different.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(as = PolicyEdit)]
#[serde(deny_unknown_fields)]
pub(crate) struct Changed {
    name: Option<String>,
    body: Option<String>,
    is_active: Option<bool>,
    #[serde(default)]
    reason: String,
}

/// Which version is to be in force again.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(as = PolicyRollback)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rollback {
    version: u32,
    #[serde(default)]
    reason: String,
}

#[derive(Debug)]
enum Wish {
    Add(Added),
    Change(Changed),
    Remove,
    Rollback(Rollback),
}

pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    Body(added): Body<Added>,
) -> Result<(StatusCode, Json<ChangedPolicy>), Problem> {
    check_key(&added.policy_key)?;
    let key = added.policy_key.clone();
    Ok((StatusCode::CREATED, carry_out(app, caller, key, Wish::Add(added)).await?))
}

pub(crate) async fn put(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(changed): Body<Changed>,
) -> Result<Json<ChangedPolicy>, Problem> {
    carry_out(app, caller, key, Wish::Change(changed)).await
}

pub(crate) async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<ChangedPolicy>, Problem> {
    carry_out(app, caller, key, Wish::Remove).await
}

pub(crate) async fn rollback(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(rollback): Body<Rollback>,
) -> Result<Json<ChangedPolicy>, Problem> {
    carry_out(app, caller, key, Wish::Rollback(rollback)).await
}

/// Checks and writes; if anything that it was checked against changed in between, checks again.
async fn carry_out(app: App, caller: Caller, key: String, wish: Wish) -> Result<Json<ChangedPolicy>, Problem> {
    let _held = app.policy_changes().lock().await;
    let asked = Arc::new(Asked { tenant: caller.tenant.clone(), author: caller.name().to_owned(), key, wish });
    for _ in 0..ATTEMPTS {
        let (shared, question) = (app.clone(), asked.clone());
        let prepared = tokio::task::spawn_blocking(move || question.prepare(&shared)).await;
        let Prepared { epoch, new, warnings } = prepared.map_err(|_| Problem::from(Error::Closed))??;
        let tenant = asked.tenant.clone();
        let written = app.write(move |ledger| {
            if ledger.registry().rulebook(&tenant).epoch != epoch {
                return Err(Error::Stale);
            }
            ledger.put_policy(&tenant, new)
        });
        match written.await {
            Ok(version) => return Ok(Json(told(&app, &asked.tenant, &version, warnings))),
            Err(Error::Stale) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Stale.into())
}

/// A policy after a change.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ChangedPolicy {
    #[serde(flatten)]
    policy: ShownPolicy,
    /// What is probably not meant.
    #[schema(value_type = Vec<tracehound_policy::Problem>)]
    warnings: Vec<Warning>,
}

fn told(app: &App, tenant: &str, version: &PolicyVersion, warnings: Vec<Warning>) -> ChangedPolicy {
    ChangedPolicy { policy: shown(app, tenant, version), warnings }
}

#[derive(Debug)]
struct Asked {
    tenant: String,
    author: String,
    key: String,
    wish: Wish,
}

struct Prepared {
    epoch: u64,
    new: NewPolicy,
    warnings: Vec<Warning>,
}

impl Asked {
    fn prepare(&self, app: &App) -> Result<Prepared, Problem> {
        let book = app.evidence().registry().rulebook(&self.tenant);
        let new = self.wanted(app, &book)?;
        if new.reason.len() > LONGEST_REASON {
            return Err(Problem::invalid("too_long", format!("a reason has at most {LONGEST_REASON} bytes")));
        }
        let version = book.policies.get(&self.key).map_or(1, |policy| policy.version + 1);
        let is_same_body = book.policies.get(&self.key).is_some_and(|policy| policy.body == new.body);
        // Taking a policy out has to be possible whatever is wrong with it.
        let warnings = if new.is_active || !is_same_body {
            let policy = TenantPolicy::new(&new.policy_key, &new.name, version, &new.body);
            Bench::new(app, &self.tenant, &book).admit(&policy)?
        } else {
            Vec::new()
        };
        Ok(Prepared { epoch: book.epoch, new, warnings })
    }

    fn wanted(&self, app: &App, book: &Rulebook) -> Result<NewPolicy, Problem> {
        match &self.wish {
            Wish::Add(added) => {
                if book.policies.get(&self.key).is_some_and(|policy| policy.is_active) {
                    let detail =
                        format!("there is a policy `{}`; change it with PUT /v1/policies/{}", self.key, self.key);
                    return Err(Problem::new(StatusCode::CONFLICT, "policy_exists", detail));
                }
                let name = added.name.as_deref().unwrap_or(&self.key);
                Ok(self.version(name, &added.body, true, "added", &added.reason))
            }
            Wish::Change(changed) => {
                let old = find(book, &self.key)?;
                if changed.name.is_none() && changed.body.is_none() && changed.is_active.is_none() {
                    return Err(Problem::invalid("nothing_changed", "say a `name`, a `body` or `is_active`"));
                }
                let name = changed.name.as_deref().unwrap_or(&old.name);
                let body = changed.body.as_deref().unwrap_or(&old.body);
                Ok(self.version(name, body, changed.is_active.unwrap_or(old.is_active), "changed", &changed.reason))
            }
            Wish::Remove => {
                let old = find(book, &self.key)?;
                if !old.is_active {
                    return Err(Problem::unknown("Policy"));
                }
                Ok(self.version(&old.name, &old.body, false, "removed", ""))
            }
            Wish::Rollback(rollback) => self.rolled_back(app, rollback),
        }
    }

    fn rolled_back(&self, app: &App, rollback: &Rollback) -> Result<NewPolicy, Problem> {
        let history = app.evidence().policy_history(&self.tenant, &self.key)?;
        if history.is_empty() {
            return Err(Problem::unknown("Policy"));
        }
        let old = history.iter().find(|version| version.version == rollback.version);
        let old = old.ok_or_else(|| Problem::unknown("Policy version"))?;
        let what = format!("rolled back to {}", old.version);
        Ok(self.version(&old.name, &old.body, true, &what, &rollback.reason))
    }

    fn version(&self, name: &str, body: &str, is_active: bool, what: &str, reason: &str) -> NewPolicy {
        NewPolicy {
            policy_key: self.key.clone(),
            name: name.to_owned(),
            body: body.to_owned(),
            is_active,
            author: self.author.clone(),
            reason: reason.to_owned(),
            what: what.to_owned(),
        }
    }
}
