//! The numbers that somebody wants to see first, detection rules, and the settings of detection.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tracehound_evidence::decision::Page;
use tracehound_evidence::detect::{Backtest, Backtesting, Rule, builtin_sources, limits, read_rule};
use tracehound_evidence::reading::Summary;
use tracehound_evidence::{Error, Evidence, Moment};
use tracehound_policy::RiskWeights;

use crate::App;
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::detection::{AUTOMATIC, ESCALATION, EscalationSetting, ResponseSetting, subject};
use crate::problem::Problem;
use crate::rulebook::RISK_WEIGHTS;

/// Most decisions and events that a back-test looks at.
const MOST_SCANNED: u64 = 1_000_000;
/// How long a back-test may take, so that its answer comes before the request is given up.
const LONGEST: Duration = Duration::from_secs(20);
/// What a back-test looks at unless somebody says otherwise: the last days.
const DAYS: i64 = 7;
/// How many events are read at one time.
const PAGE: i64 = 2_000;
/// The path beside those of rules by key.
const RESERVED: &str = "backtest";
/// The largest weight: the whole score.
const MOST_WEIGHT: u16 = 100;

/// One back-test at a time: each reads for seconds.
static BACKTESTS: Semaphore = Semaphore::const_new(1);

pub(crate) async fn summary(State(app): State<App>, caller: Caller) -> Result<Json<Summary>, Problem> {
    app.read(move |evidence| evidence.summary(&caller.tenant)).await.map(Json)
}

/// A detection rule as it was handed in, and as it was read.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ListedRule {
    rule_key: String,
    /// `builtin` or `tenant`.
    source: &'static str,
    /// Whether a rule of the tenant has taken its place.
    is_replaced: bool,
    /// YAML.
    body: String,
    rule: Option<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<Moment>,
}

pub(crate) async fn rules(State(app): State<App>, caller: Caller) -> Result<Json<Page<ListedRule>>, Problem> {
    let own = app.read(move |evidence| evidence.detection_rules(&caller.tenant)).await?;
    let is_replaced = |rule: &Rule| own.iter().any(|(key, ..)| *key == rule.rule_key);
    let mut items = Vec::new();
    for (_, body) in builtin_sources() {
        if let Ok(rule) = read_rule(body) {
            items.push(ListedRule {
                rule_key: rule.rule_key.clone(),
                source: "builtin",
                is_replaced: is_replaced(&rule),
                body: (*body).to_owned(),
                rule: Some(rule),
                author: None,
                updated_at: None,
            });
        }
    }
    for (rule_key, body, author, updated_at) in own {
        let rule = read_rule(&body).ok();
        let (author, updated_at) = (Some(author), Some(updated_at));
        items.push(ListedRule { rule_key, source: "tenant", is_replaced: false, body, rule, author, updated_at });
    }
    Ok(Json(Page { items, next_cursor: None }))
}

/// A rule as somebody hands it in.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = NewDetectionRule)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRule {
    /// YAML.
    body: String,
}

/// A rule that was taken.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct AddedRule {
    rule_key: String,
    source: &'static str,
    /// Whether a built-in rule had this key.
    replaces_builtin: bool,
}

pub(crate) async fn add_rule(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewRule>,
) -> Result<(StatusCode, Json<AddedRule>), Problem> {
    let (rule, body) = checked(new.body).await?;
    let (tenant, key) = (caller.tenant.clone(), rule.rule_key.clone());
    let own = app.read(move |evidence| evidence.detection_rules(&tenant)).await?;
    let is_new = own.iter().all(|(known, ..)| *known != key);
    if is_new && own.len() + builtin_sources().len() >= limits::RULES {
        let detail = format!("a tenant has at most {} detection rules; take one out first", limits::RULES);
        return Err(Problem::new(StatusCode::CONFLICT, "too_many_rules", detail));
    }
    let replaces_builtin = is_builtin(&rule.rule_key);
    let answer = AddedRule { rule_key: rule.rule_key.clone(), source: "tenant", replaces_builtin };
    let (tenant, key) = (caller.tenant.clone(), rule.rule_key);
    app.write(move |ledger| ledger.put_detection_rule(&caller.tenant, &key, &body, caller.name())).await?;
    app.detection().rules_changed(&tenant);
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Reads a rule and runs its tests.
async fn checked(body: String) -> Result<(Rule, String), Problem> {
    let checked = tokio::task::spawn_blocking(move || {
        let rule = read_rule(&body).map_err(|problem| {
            let place = json!({ "line": problem.line, "column": problem.column, "message": problem.message });
            Problem::invalid("bad_rule", format!("the rule can't be used: {problem}")).with(vec![place])
        })?;
        if rule.rule_key == RESERVED {
            return Err(Problem::invalid("reserved_name", "`backtest` can't be the key of a rule; choose another"));
        }
        let failed: Vec<Value> = rule.failed_tests().into_iter().map(|test| json!({ "test": test })).collect();
        if !failed.is_empty() {
            let detail = "the rule does not do what its own tests say";
            return Err(Problem::invalid("rule_tests_failed", detail).with(failed));
        }
        Ok((rule, body))
    });
    checked.await.unwrap_or_else(|_| Err(Error::Closed.into()))
}

fn is_builtin(key: &str) -> bool {
    builtin_sources().iter().any(|(file, _)| file.strip_suffix(".yaml") == Some(key))
}

pub(crate) async fn remove_rule(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<StatusCode, Problem> {
    let (tenant, name) = (caller.tenant.clone(), key.clone());
    match app.write(move |ledger| ledger.remove_detection_rule(&caller.tenant, &key, caller.name())).await {
        Err(Error::Unknown { .. }) if is_builtin(&name) => {
            let detail = "a built-in rule can't be taken out; add one with its key and `enabled: false` in its place";
            Err(Problem::new(StatusCode::CONFLICT, "builtin_rule", detail))
        }
        removed => {
            removed?;
            app.detection().rules_changed(&tenant);
            Ok(StatusCode::NO_CONTENT)
        }
    }
}

/// Which part of the past a rule is tried on.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = BacktestRange)]
#[serde(deny_unknown_fields)]
pub(crate) struct Past {
    from: Option<Moment>,
    to: Option<Moment>,
}

/// A rule that is tried before it is handed in.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[schema(as = RuleTrial)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trial {
    body: String,
    from: Option<Moment>,
    to: Option<Moment>,
}

pub(crate) async fn try_rule(
    State(app): State<App>,
    caller: Caller,
    Body(Trial { body, from, to }): Body<Trial>,
) -> Result<Json<Backtested>, Problem> {
    let (rule, _) = checked(body).await?;
    backtested(app, caller.tenant, rule, "unsaved", Past { from, to }).await
}

pub(crate) async fn backtest(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
    Body(past): Body<Past>,
) -> Result<Json<Backtested>, Problem> {
    let (tenant, name) = (caller.tenant.clone(), key);
    let found = app.read(move |evidence| {
        let own = evidence.detection_rules(&tenant)?.into_iter().find(|(key, ..)| *key == name);
        let builtin = || builtin_sources().iter().find(|(file, _)| file.strip_suffix(".yaml") == Some(&name));
        let own = own.map(|(_, body, ..)| (body, "tenant"));
        Ok(own.or_else(|| builtin().map(|(_, body)| ((*body).to_owned(), "builtin"))))
    });
    let (body, source) = found.await?.ok_or_else(|| Problem::unknown("Detection rule"))?;
    let rule = read_rule(&body).map_err(|problem| Problem::invalid("bad_rule", problem.to_string()))?;
    backtested(app, caller.tenant, rule, source, past).await
}

/// What a rule would have said.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Backtested {
    rule_key: String,
    /// `builtin`, `tenant` or `unsaved`.
    source: &'static str,
    from: Moment,
    to: Moment,
    scanned: u64,
    /// Whether there was more than could be looked at.
    is_cut: bool,
    match_count: u64,
    matched_decision_count: u64,
    matched_decision_ids: Vec<String>,
    per_day: BTreeMap<String, u64>,
    estimated_daily_alert_volume: f64,
}

async fn backtested(
    app: App,
    tenant: String,
    rule: Rule,
    source: &'static str,
    past: Past,
) -> Result<Json<Backtested>, Problem> {
    let to = past.to.unwrap_or_else(|| app.evidence().now());
    let from = past.from.unwrap_or_else(|| to.plus_seconds(-DAYS * 86_400));
    if from >= to {
        return Err(Problem::invalid("bad_range", "`from` is not before `to`"));
    }
    let _turn = BACKTESTS.acquire().await.map_err(|_| Error::Closed)?;
    let key = rule.rule_key.clone();
    let (found, is_cut) = app.read(move |evidence| look_back(evidence, &tenant, &rule, from, to)).await?;
    let seconds = (to.micros() - from.micros()).max(1);
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let daily = found.matches as f64 * 86_400_000_000.0 / seconds as f64;
    Ok(Json(Backtested {
        rule_key: key,
        source,
        from,
        to,
        scanned: found.scanned,
        is_cut,
        match_count: found.matches,
        matched_decision_count: found.matched_decisions,
        matched_decision_ids: found.matched_decision_ids,
        per_day: found.per_day,
        estimated_daily_alert_volume: (daily * 100.0).round() / 100.0,
    }))
}

/// Shows the past to a rule. Whether there was too much of it.
fn look_back(
    evidence: &Evidence,
    tenant: &str,
    rule: &Rule,
    from: Moment,
    to: Moment,
) -> Result<(Backtest, bool), Error> {
    let started = Instant::now();
    let (mut at, end) = (evidence.place_at(from)?, evidence.place_at(to)?);
    let (mut testing, mut scanned) = (Backtesting::new(rule), 0);
    loop {
        let page = evidence.happened(Some(tenant), at, end, PAGE)?;
        let Some(last) = page.last() else { return Ok((testing.finish(), false)) };
        at = last.place;
        for happened in page {
            if scanned >= MOST_SCANNED {
                return Ok((testing.finish(), true));
            }
            scanned += 1;
            testing.take(&subject(happened.event));
        }
        if started.elapsed() > LONGEST {
            return Ok((testing.finish(), true));
        }
    }
}

/// A setting, as it is or as it is by default.
fn setting<T: serde::de::DeserializeOwned + Default>(app: &App, tenant: &str, name: &str) -> T {
    let book = app.evidence().registry().rulebook(tenant);
    let value = book.settings.get(name).map(|value| (**value).clone());
    value.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

async fn put<T: serde::Serialize>(app: &App, caller: Caller, name: &'static str, value: T) -> Result<Json<T>, Problem> {
    let kept = serde_json::to_value(&value).unwrap_or_default();
    app.write(move |ledger| ledger.put_setting(&caller.tenant, name, kept, caller.name())).await?;
    Ok(Json(value))
}

pub(crate) async fn escalation(State(app): State<App>, caller: Caller) -> Json<EscalationSetting> {
    Json(setting(&app, &caller.tenant, ESCALATION))
}

pub(crate) async fn set_escalation(
    State(app): State<App>,
    caller: Caller,
    Body(wanted): Body<EscalationSetting>,
) -> Result<Json<EscalationSetting>, Problem> {
    if !wanted.numbers().is_sound() {
        let detail = "`denies` is from 1 to 1000 and `minutes` from 1 to 1440";
        return Err(Problem::invalid("bad_setting", detail));
    }
    put(&app, caller, ESCALATION, wanted).await
}

pub(crate) async fn response(State(app): State<App>, caller: Caller) -> Json<ResponseSetting> {
    Json(setting(&app, &caller.tenant, AUTOMATIC))
}

pub(crate) async fn set_response(
    State(app): State<App>,
    caller: Caller,
    Body(wanted): Body<ResponseSetting>,
) -> Result<Json<ResponseSetting>, Problem> {
    put(&app, caller, AUTOMATIC, wanted).await
}

pub(crate) async fn weights(State(app): State<App>, caller: Caller) -> Json<RiskWeights> {
    Json(setting(&app, &caller.tenant, RISK_WEIGHTS))
}

pub(crate) async fn set_weights(
    State(app): State<App>,
    caller: Caller,
    Body(wanted): Body<RiskWeights>,
) -> Result<Json<RiskWeights>, Problem> {
    let named = serde_json::to_value(wanted).unwrap_or_default();
    let is_large = |value: &Value| value.as_u64().is_none_or(|weight| weight > u64::from(MOST_WEIGHT));
    let members = named.as_object().into_iter().flatten();
    let large: Vec<Value> =
        members.filter(|(_, value)| is_large(value)).map(|(name, _)| json!({ "field": name })).collect();
    if !large.is_empty() {
        let detail = format!("no weight is above {MOST_WEIGHT}");
        return Err(Problem::invalid("bad_setting", detail).with(large));
    }
    put(&app, caller, RISK_WEIGHTS, wanted).await
}
