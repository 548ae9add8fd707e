//! The sample's traffic: agents that ask the running server before they act, as long as it runs.
//!
//! Nothing here is made up on the server's side: every call goes over a socket, is decided, recorded and detected as any
//! other. Only who asks for what is written down, in `cast` and `script`.

mod cast;
mod script;

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::Value;
use tracehound_server::HandOver;

use self::cast::Cast;

/// The time between two calls.
const BEAT: Duration = Duration::from_millis(900);

/// The server that everything happens on.
#[derive(Debug, Clone)]
struct Stage {
    server: HandOver,
    tenant: String,
}

/// Registers everybody and lets them act until the server ends.
pub(crate) async fn play(server: HandOver, tenant: String) -> anyhow::Result<()> {
    let stage = Stage { server, tenant };
    let cast = Cast::arrive(&stage).await?;
    script::play(&stage, &cast, BEAT).await
}

impl Stage {
    /// Does something as whoever holds the data directory.
    async fn post(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        self.ask(&self.server.token, "POST", path, Some(body)).await
    }

    /// Asks with somebody's token; what is refused is an error.
    async fn ask(&self, token: &str, method: &str, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let caller = HandOver { token: token.to_owned(), ..self.server.clone() };
        let body = body.map(|body| body.to_string().into_bytes());
        let method = method.parse().context("no method")?;
        let answer = caller.ask(&self.tenant, method, path, body).await?;
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.status >= 300 {
            bail!("{path}: {} {}", answer.status, said.get("detail").and_then(Value::as_str).unwrap_or_default());
        }
        Ok(said)
    }
}
