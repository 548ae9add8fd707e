//! Policies: looked at, changed, tried out. What is in force is the default policies, those of the policy file, and the
//! tenant's own; only the last can be changed here, and every change is another version.

mod change;
mod check;
mod diff;
mod trial;

pub(crate) use change::{Added, Changed, ChangedPolicy, Rollback, add, put, remove, rollback};
pub(crate) use diff::{Asked as DiffAsked, PolicyDiff, diff};
pub(crate) use trial::{Asked as TestAsked, Proposed, TestedPolicies, ValidPolicy, test, validate};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use tracehound_evidence::decision::Page;
use tracehound_evidence::{Moment, PolicyVersion, Rulebook};
use tracehound_policy::{MatchedPolicy, Policies, PolicySource, Problem as PolicyProblem, TenantPolicy};

use crate::App;
use crate::api::Paging;
use crate::body::{Asked, Path};
use crate::caller::Caller;
use crate::policy_file::{LoadedFile, POLICY_FILE, PolicyFileError};
use crate::problem::Problem;

/// The key under which the policies that come with the product are shown.
const DEFAULT: &str = "default";

/// A policy, with the names that its parts have in decisions and graphs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ShownPolicy {
    policy_key: String,
    name: String,
    source: PolicySource,
    version: u32,
    /// Cedar.
    body: String,
    /// The SHA-256 of the body.
    body_hash: String,
    is_active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Moment>,
    /// The names of its parts.
    policies: Vec<String>,
}

/// Policies, and what is wrong with them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PolicyList {
    items: Vec<ShownPolicy>,
    next_cursor: Option<String>,
    /// Why nothing is allowed, if nothing is.
    problems: Vec<PolicyProblem>,
    /// What is probably not meant.
    warnings: Vec<PolicyProblem>,
}

pub(crate) async fn list(State(app): State<App>, caller: Caller, Asked(paging): Asked<Paging>) -> Json<PolicyList> {
    use std::ops::Bound::{Excluded, Unbounded};
    let slice = paging.slice();
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let range = (slice.cursor.as_deref().map_or(Unbounded, Excluded), Unbounded);
    let mut own: Vec<_> =
        book.policies.range::<str, _>(range).map(|(_, policy)| policy).take(slice.limit() + 1).collect();
    let has_more = own.len() > slice.limit();
    own.truncate(slice.limit());
    let next = own.last().filter(|_| has_more).map(|policy| policy.policy_key.clone());
    let mut items = Vec::new();
    // What holds for everybody comes before the first of the tenant's own.
    if slice.cursor.is_none() {
        items.push(default_policies());
        items.extend(app.policy_file().current().map(|file| of_file(&app, &caller.tenant, &file)));
    }
    items.extend(own.into_iter().map(|policy| shown(&app, &caller.tenant, policy)));
    let rules = app.rules(&caller.tenant);
    let (problems, warnings) = (rules.problems.clone(), rules.warnings.clone());
    Json(PolicyList { items, next_cursor: next, problems, warnings })
}

pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<ShownPolicy>, Problem> {
    if key == DEFAULT {
        return Ok(Json(default_policies()));
    }
    if key == POLICY_FILE
        && let Some(file) = app.policy_file().current()
    {
        return Ok(Json(of_file(&app, &caller.tenant, &file)));
    }
    let book = app.evidence().registry().rulebook(&caller.tenant);
    let policy = book.policies.get(&key).ok_or_else(|| Problem::unknown("Policy"))?;
    Ok(Json(shown(&app, &caller.tenant, policy)))
}

pub(crate) async fn default() -> Json<ShownPolicy> {
    Json(default_policies())
}

pub(crate) async fn schema(State(app): State<App>, caller: Caller) -> Json<Value> {
    Json(Policies::schema(&app.rules(&caller.tenant).catalogue))
}

pub(crate) async fn history(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<Json<Page<PolicyVersion>>, Problem> {
    let versions = app.read(move |evidence| evidence.policy_history(&caller.tenant, &key)).await?;
    if versions.is_empty() {
        return Err(Problem::unknown("Policy"));
    }
    Ok(Json(Page { items: versions, next_cursor: None }))
}

/// Reads the policy file again. A file that can't be used changes nothing.
pub(crate) async fn reload(State(app): State<App>) -> Result<Json<LoadedFile>, Problem> {
    let _held = app.policy_changes().lock().await;
    let shared = app.clone();
    let loaded = tokio::task::spawn_blocking(move || shared.load_policy_file()).await;
    match loaded.map_err(|_| Problem::from(tracehound_evidence::Error::Closed))? {
        Ok(Some(loaded)) => Ok(Json(loaded)),
        Ok(None) => {
            Err(Problem::new(StatusCode::CONFLICT, "no_policy_file", "the server was started without a policy file"))
        }
        Err(PolicyFileError::Unrecorded(error)) => Err(error.into()),
        Err(error) => {
            let detail = format!("{error}; what was in force stays in force");
            let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "policy_file_unusable", detail);
            Err(match &error {
                PolicyFileError::Broken { problems, .. } => problem.with(check::told(problems)),
                _ => problem,
            })
        }
    }
}

/// A tenant's policy.
fn shown(app: &App, tenant: &str, policy: &PolicyVersion) -> ShownPolicy {
    let is_it = |matched: &MatchedPolicy| {
        matched.source == PolicySource::Tenant
            && *matched.hash == *policy.body_hash
            && matched.version == policy.version
    };
    ShownPolicy {
        policy_key: policy.policy_key.clone(),
        name: policy.name.clone(),
        source: PolicySource::Tenant,
        version: policy.version,
        body: policy.body.clone(),
        body_hash: policy.body_hash.clone(),
        is_active: policy.is_active,
        author: Some(policy.author.clone()),
        reason: Some(policy.reason.clone()),
        created_at: Some(policy.created_at),
        policies: if policy.is_active { names(app, tenant, is_it) } else { Vec::new() },
    }
}

fn of_file(app: &App, tenant: &str, file: &TenantPolicy) -> ShownPolicy {
    ShownPolicy {
        policy_key: POLICY_FILE.to_owned(),
        name: file.name.clone(),
        source: PolicySource::File,
        version: file.version,
        body: file.body.clone(),
        body_hash: file.hash.clone(),
        is_active: true,
        author: None,
        reason: None,
        created_at: None,
        policies: names(app, tenant, |matched| matched.source == PolicySource::File),
    }
}

fn default_policies() -> ShownPolicy {
    let all = Policies::defaults().list();
    let body = Policies::default_text();
    ShownPolicy {
        policy_key: DEFAULT.to_owned(),
        name: "Default policies".to_owned(),
        source: PolicySource::Default,
        version: all.first().map_or(1, |policy| policy.version),
        body: body.to_owned(),
        body_hash: tracehound_policy::body_hash(body),
        is_active: true,
        author: None,
        reason: None,
        created_at: None,
        policies: all.iter().map(|policy| policy.name.to_string()).collect(),
    }
}

fn names(app: &App, tenant: &str, is_it: impl Fn(&MatchedPolicy) -> bool) -> Vec<String> {
    let rules = app.rules(tenant);
    let all = rules.policies.as_ref().map(Policies::list).unwrap_or_default();
    all.into_iter().filter(is_it).map(|policy| policy.name.to_string()).collect()
}

/// The tenant's policy of this key, as it is in force or was taken out.
fn find<'b>(book: &'b Rulebook, key: &str) -> Result<&'b PolicyVersion, Problem> {
    book.policies.get(key).map(|policy| &**policy).ok_or_else(|| Problem::unknown("Policy"))
}
