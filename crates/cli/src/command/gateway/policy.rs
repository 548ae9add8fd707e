//! `tracehound policy`.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use reqwest::Method;
use serde_json::{Value, json};

use super::{cell, show, whole_list};
use crate::args::{AddPolicy, DiffPolicy, Format, Policy, TestPolicy};
use crate::gateway_client::{Gateway, part};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, note, safe};
use crate::settings::Settings;

/// Longest file that is read.
const MOST: u64 = 1 << 20;

pub(crate) fn run(which: &Policy, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    // Files are read first: what is missing is said before anything is opened.
    let read = Read::of(which)?;
    let gateway = Gateway::open(settings)?;
    let asked = Asked { gateway: &gateway, settings, read };
    match which {
        Policy::List => asked.list(output),
        Policy::Show { key } => asked.show(output, key),
        Policy::Add(arguments) => asked.add(output, arguments),
        Policy::Validate { key, .. } => asked.validate(output, key.as_deref()),
        Policy::Test(_) => asked.test(output),
        Policy::Diff(arguments) => asked.diff(output, arguments),
        Policy::History { key } => asked.history(output, key),
        Policy::Rollback { key, version, reason } => {
            let body = json!({ "version": version, "reason": reason });
            asked.changed(output, Method::POST, &format!("/v1/policies/{}/rollback", part(key)), Some(body))
        }
        Policy::Remove { key } => asked.changed(output, Method::DELETE, &format!("/v1/policies/{}", part(key)), None),
        Policy::Reload => asked.reload(output),
    }
}

/// What the files say that a command names.
#[derive(Default)]
struct Read {
    policies: Vec<String>,
    cases: Option<Value>,
}

impl Read {
    fn of(which: &Policy) -> anyhow::Result<Self> {
        let cases_of = |file: &Path| -> anyhow::Result<Value> {
            let read: Value =
                serde_json::from_str(&text(file)?).with_context(|| format!("`{}` is not JSON", file.display()))?;
            let cases = read.get("cases").cloned().unwrap_or(read);
            if !cases.is_array() {
                bail!("`{}` is no list of calls; `tracehound policy test --help` shows one", file.display());
            }
            Ok(cases)
        };
        Ok(match which {
            Policy::Add(AddPolicy { file, .. }) | Policy::Validate { file, .. } => {
                Self { policies: vec![text(file)?], cases: None }
            }
            Policy::Test(TestPolicy { cases, with }) => {
                let policies = with.iter().map(|file| text(file)).collect::<anyhow::Result<_>>()?;
                Self { policies, cases: Some(cases_of(cases)?) }
            }
            Policy::Diff(DiffPolicy { file, cases, .. }) => Self {
                policies: file.iter().map(|file| text(file)).collect::<anyhow::Result<_>>()?,
                cases: cases.as_deref().map(cases_of).transpose()?,
            },
            _ => Self::default(),
        })
    }
}

fn text(file: &Path) -> anyhow::Result<String> {
    let failed = || format!("cannot read `{}`", file.display());
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().take(MOST).read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        let opened = std::fs::File::open(file).with_context(failed)?;
        opened.take(MOST).read_to_string(&mut text).with_context(failed)?;
    }
    Ok(text)
}

struct Asked<'a> {
    gateway: &'a Gateway,
    settings: &'a Settings,
    read: Read,
}

impl Asked<'_> {
    fn is_json(&self) -> bool {
        self.settings.format == Format::Json
    }

    fn list(&self, output: &mut Output) -> anyhow::Result<Outcome> {
        let items = whole_list(self.gateway, "/v1/policies")?;
        let names = ["policy_key", "source", "version", "is_active", "name"];
        show(self.settings, output, &items, ["KEY", "SOURCE", "VERSION", "ACTIVE", "NAME"], names)?;
        if !self.is_json() {
            let state = self.gateway.get("/v1/policies?limit=1")?;
            warn(&state, "problems", "problem");
            warn(&state, "warnings", "warning");
        }
        Ok(Outcome::Clean)
    }

    fn show(&self, output: &mut Output, key: &str) -> anyhow::Result<Outcome> {
        let policy = self.gateway.get(&format!("/v1/policies/{}", part(key)))?;
        if self.is_json() {
            output.json(&policy)?;
            return Ok(Outcome::Clean);
        }
        output.line(format!("key:      {}", cell(&policy, "policy_key")))?;
        output.line(format!("name:     {}", cell(&policy, "name")))?;
        output.line(format!("source:   {}, version {}", cell(&policy, "source"), cell(&policy, "version")))?;
        output.line(format!("active:   {}", cell(&policy, "is_active")))?;
        output.line(format!("policies: {}", list_of(&policy, "policies")))?;
        output.line(format!("sha256:   {}\n", cell(&policy, "body_hash")))?;
        for line in policy.get("body").and_then(Value::as_str).unwrap_or_default().lines() {
            output.line(safe(line))?;
        }
        Ok(Outcome::Clean)
    }

    fn add(&self, output: &mut Output, arguments: &AddPolicy) -> anyhow::Result<Outcome> {
        let AddPolicy { key, name, reason, replace, .. } = arguments;
        let body = self.read.policies.first();
        if *replace {
            let mut change = json!({ "body": body, "is_active": true, "reason": reason });
            if let (Some(name), Some(members)) = (name, change.as_object_mut()) {
                members.insert("name".to_owned(), json!(name));
            }
            return self.changed(output, Method::PUT, &format!("/v1/policies/{}", part(key)), Some(change));
        }
        let new = json!({ "policy_key": key, "name": name, "body": body, "reason": reason });
        self.changed(output, Method::POST, "/v1/policies", Some(new))
    }

    /// Changes something and tells which version that is.
    fn changed(&self, output: &mut Output, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Outcome> {
        let made = self.gateway.ask(method, path, body)?;
        warn(&made, "warnings", "warning");
        if self.is_json() {
            output.json(&made)?;
        } else {
            let is_active = made.get("is_active") == Some(&json!(true));
            let state = if is_active { "in force" } else { "out of force" };
            output.line(format!("{} version {} is {state}", cell(&made, "policy_key"), cell(&made, "version")))?;
        }
        Ok(Outcome::Clean)
    }

    fn validate(&self, output: &mut Output, key: Option<&str>) -> anyhow::Result<Outcome> {
        let body = json!({ "policy_key": key, "body": self.read.policies.first() });
        let said = self.gateway.post("/v1/policies/validate", body)?;
        warn(&said, "warnings", "warning");
        if self.is_json() {
            output.json(&said)?;
        } else {
            output.line("the policy can be used")?;
        }
        Ok(Outcome::Clean)
    }

    fn test(&self, output: &mut Output) -> anyhow::Result<Outcome> {
        let policies: Vec<Value> = self.read.policies.iter().map(|body| json!({ "body": body })).collect();
        let tried =
            self.gateway.post("/v1/policies/test", json!({ "cases": self.read.cases, "policies": policies }))?;
        let has_failed = tried.get("failed") != Some(&json!(0));
        if self.is_json() {
            output.json(&tried)?;
        } else {
            warn(&tried, "warnings", "warning");
            for (at, result) in array(&tried, "results").enumerate() {
                let mark = if result.get("is_met") == Some(&json!(true)) { "ok    " } else { "FAILED" };
                let got = result.get("got").unwrap_or(&Value::Null);
                let name = Some(cell(result, "name")).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| format!("call {}", at + 1));
                let by = list_of(got, "policies");
                output.line(format!("{mark} {name}: {} ({}; {by})", cell(got, "decision"), cell(got, "code")))?;
            }
            output.line(format!("{} as expected, {} not", cell(&tried, "met"), cell(&tried, "failed")))?;
        }
        Ok(if has_failed { Outcome::Failed } else { Outcome::Clean })
    }

    fn diff(&self, output: &mut Output, arguments: &DiffPolicy) -> anyhow::Result<Outcome> {
        let mut body =
            json!({ "policy_key": arguments.key, "body": self.read.policies.first(), "limit": arguments.limit });
        if let (Some(cases), Some(members)) = (&self.read.cases, body.as_object_mut()) {
            members.insert("cases".to_owned(), cases.clone());
        }
        let found = self.gateway.post("/v1/policies/diff", body)?;
        if self.is_json() {
            output.json(&found)?;
            return Ok(Outcome::Clean);
        }
        warn(&found, "warnings", "warning");
        let changed: Vec<&Value> = array(&found, "changed").collect();
        let rows = changed.iter().take(SHOWN).map(|change| {
            let side = |name: &str| change.get(name).map_or_else(String::new, |side| cell(side, "decision"));
            let id = if change.get("decision_id").is_some() { "decision_id" } else { "name" };
            let call = match change.get("tool") {
                Some(_) => format!("{}.{}", cell(change, "tool"), cell(change, "action")),
                None => "-".to_owned(),
            };
            [cell(change, id), call, side("before"), side("after")]
        });
        if !changed.is_empty() {
            output.table(["CALL", "ACTION", "BEFORE", "AFTER"], rows)?;
            output.rest(changed.len(), "")?;
        }
        let inexact = array(&found, "inexact").count();
        output.line(format!("{} of {} calls would be decided differently", changed.len(), cell(&found, "compared")))?;
        if inexact > 0 {
            let why = "a policy reads what is not on record, such as arguments";
            output.line(format!("{inexact} of them could not be decided exactly: {why} (--format json lists them)"))?;
        }
        Ok(Outcome::Clean)
    }

    fn history(&self, output: &mut Output, key: &str) -> anyhow::Result<Outcome> {
        let items = whole_list(self.gateway, &format!("/v1/policies/{}/history", part(key)))?;
        let names = ["version", "created_at", "author", "is_active", "reason"];
        show(self.settings, output, &items, ["VERSION", "WHEN", "WHO", "ACTIVE", "WHY"], names)?;
        Ok(Outcome::Clean)
    }

    fn reload(&self, output: &mut Output) -> anyhow::Result<Outcome> {
        let loaded = self.gateway.post("/v1/policies/reload", json!({}))?;
        warn(&loaded, "warnings", "warning");
        if self.is_json() {
            output.json(&loaded)?;
        } else {
            let names = list_of(&loaded, "policies");
            output.line(format!(
                "{} version {} is in force: {names}",
                cell(&loaded, "path"),
                cell(&loaded, "version")
            ))?;
        }
        Ok(Outcome::Clean)
    }
}

fn array<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn list_of(value: &Value, name: &str) -> String {
    let names: Vec<String> = array(value, name).filter_map(Value::as_str).map(safe).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(", ") }
}

/// Tells what stands in a list of problems, beside the result.
fn warn(value: &Value, name: &str, what: &str) {
    for found in array(value, name) {
        let place = format!("{}:{}:{}", cell(found, "policy"), cell(found, "line"), cell(found, "column"));
        let help = found.get("help").and_then(Value::as_str).map(|help| format!(" ({})", safe(help)));
        note(&format!("{what}: {place}: {}{}", cell(found, "message"), help.unwrap_or_default()));
    }
}
