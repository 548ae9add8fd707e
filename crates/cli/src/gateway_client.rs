//! How commands speak to the gateway: through a server that runs, or in this process if none does.
//!
//! Both are the same API, so a command does the same thing either way.

use anyhow::{Context as _, anyhow, bail};
use reqwest::Method;
use serde_json::Value;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tracehound_evidence::{Error, Evidence, Moment};
use tracehound_server::{App, AppSettings, HandOver, Local, LocalAnswer};

use crate::output::{note, safe};
use crate::settings::Settings;

/// The gateway of a data directory.
pub(crate) struct Gateway {
    runtime: Runtime,
    way: Way,
    tenant: String,
}

enum Way {
    Running(HandOver),
    Here(Local),
}

impl Gateway {
    /// Finds the gateway of the data directory that the settings name.
    pub(crate) fn open(settings: &Settings) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
        let tenant = settings.tenant.clone();
        let way = match Evidence::open(&settings.data, Arc::new(Moment::now)) {
            Ok((evidence, first)) => {
                if let Some(first) = first {
                    note(&format!(
                        "made the default tenant; its administrator's token, shown once: {}",
                        first.token.reveal()
                    ));
                }
                let evidence = Arc::new(evidence);
                if !evidence.registry().has_tenant(&tenant) {
                    bail!("there is no tenant `{tenant}`; add it with `tracehound tenant add`");
                }
                let app_settings = AppSettings::new(&settings.data);
                Way::Here(Local::new(&App::new(evidence, None, app_settings), &tenant))
            }
            Err(Error::InUse { .. }) => {
                let found = HandOver::find(&settings.data);
                Way::Running(
                    found.context("the evidence is in use, and no server left its address in the data directory")?,
                )
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { runtime, way, tenant })
    }

    /// Asks something; a refusal is an error in the server's words.
    pub(crate) fn ask(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let answer = self.bytes(method, path, body)?;
        if answer.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&answer).context("the server's answer is not JSON")
    }

    /// Asks something and gives the answer as it is.
    pub(crate) fn bytes(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Vec<u8>> {
        let answer = self.send(method, path, body)?;
        if (200..300).contains(&answer.status) {
            return Ok(answer.body);
        }
        Err(refusal(&answer))
    }

    fn send(&self, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<LocalAnswer> {
        let body = body.map(|body| body.to_string().into_bytes());
        self.runtime.block_on(async {
            match &self.way {
                Way::Running(server) => {
                    server.ask(&self.tenant, method, path, body).await.context("the running server does not answer")
                }
                Way::Here(local) => local.ask(method, path, body).await.ok_or_else(|| anyhow!("no answer")),
            }
        })
    }

    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.ask(Method::GET, path, None)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        self.ask(Method::POST, path, Some(body))
    }
}

/// What the server said against it.
pub(crate) fn refusal(answer: &LocalAnswer) -> anyhow::Error {
    let problem: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let text = |name: &str| problem.get(name).and_then(Value::as_str).map(safe);
    let detail = text("detail").unwrap_or_else(|| format!("the server answered with status {}", answer.status));
    let mut message = match text("code") {
        Some(code) => format!("{detail} ({code})"),
        None => detail,
    };
    for problem in problem.get("problems").and_then(Value::as_array).into_iter().flatten() {
        message.push_str(&format!("\n  {}", safe(&sentence(problem))));
    }
    anyhow!(message)
}

/// A single thing that is wrong, in a line.
fn sentence(problem: &Value) -> String {
    let text = |name: &str| problem.get(name).and_then(Value::as_str).unwrap_or_default();
    let number = |name: &str| problem.get(name).and_then(Value::as_u64);
    match (number("line"), number("column")) {
        (Some(line), Some(column)) => format!("{} line {line}, column {column}: {}", text("policy"), text("message")),
        _ if !text("path").is_empty() => format!("{}: {}", text("path"), text("message")),
        _ => problem.as_str().map_or_else(|| problem.to_string(), ToOwned::to_owned),
    }
}

/// A part of a path, escaped.
pub(crate) fn part(text: &str) -> String {
    text.bytes().fold(String::new(), |mut path, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
        path
    })
}
