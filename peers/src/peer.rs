//! The honest server: what each request of MCP is answered with when nothing is wrong.

use std::time::Duration;

use serde_json::{Value, json};

use crate::options::Options;
use crate::stream::{self, Pace, Stream};

/// From this revision on there is no handshake, and every result says its kind and how long it may be kept.
const STATELESS: &str = "2026-07-28";
const METHOD_NOT_FOUND: i64 = -32601;

/// A message of the client.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// None for a notification.
    pub(crate) id: Option<Value>,
    /// Empty for an answer to a question of ours.
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Request {
    /// Reads a message; what is no JSON object is a notification of nothing.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let message: Value = serde_json::from_slice(text).unwrap_or_default();
        let member = |name: &str| message.get(name).cloned();
        Self {
            id: member("id"),
            method: member("method").as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
            params: member("params").unwrap_or_default(),
        }
    }

    /// The page that is asked for; the first is 0.
    pub(crate) fn page(&self) -> usize {
        self.params.get("cursor").and_then(Value::as_str).and_then(|cursor| cursor.parse().ok()).unwrap_or(0)
    }

    /// The answer with this result.
    pub(crate) fn answered(&self, result: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }
}

/// What goes back to the client, and how.
pub(crate) struct Reply {
    pub(crate) body: Body,
    pub(crate) pace: Pace,
    /// How long to wait first.
    pub(crate) after: Duration,
    /// Whether the server ends once it has answered.
    pub(crate) ends: bool,
}

/// The bytes that go back.
pub(crate) enum Body {
    /// Nothing is due.
    Nothing,
    /// Something is due and never comes.
    Never,
    /// A message, framed as the transport frames messages.
    Message(Value),
    /// Bytes as they are.
    Bytes(Stream),
}

impl Reply {
    pub(crate) fn nothing() -> Self {
        Self::of(Body::Nothing)
    }

    pub(crate) fn never() -> Self {
        Self::of(Body::Never)
    }

    pub(crate) fn message(message: Value) -> Self {
        Self::of(Body::Message(message))
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::of(Body::Bytes(stream::text(text)))
    }

    pub(crate) fn bytes(bytes: Stream) -> Self {
        Self::of(Body::Bytes(bytes))
    }

    fn of(body: Body) -> Self {
        Self { body, pace: Pace::Full, after: Duration::ZERO, ends: false }
    }
}

/// The answer of a server that does everything right.
pub(crate) fn honest(options: &Options, request: &Request) -> Reply {
    if request.id.is_none() || request.method.is_empty() {
        return Reply::nothing();
    }
    Reply::message(match result(options, &request.method) {
        Some(result) => request.answered(&result),
        None => {
            let error = json!({ "code": METHOD_NOT_FOUND, "message": "Method not found" });
            json!({ "jsonrpc": "2.0", "id": request.id, "error": error })
        }
    })
}

/// An honest answer whose result is another one.
pub(crate) fn with_result(options: &Options, request: &Request, result: Value) -> Reply {
    Reply::message(request.answered(&completed(options, result)))
}

/// What a method returns, if the server has it.
fn result(options: &Options, method: &str) -> Option<Value> {
    let result = match method {
        "initialize" if !is_stateless(options) => return Some(greeting(options)),
        "ping" if !is_stateless(options) => return Some(json!({})),
        "server/discover" if is_stateless(options) => discovery(options),
        "tools/list" => json!({ "tools": [tool(options, "add")] }),
        "resources/list" => {
            json!({ "resources": [{ "uri": "file:///srv/peer/notes.txt", "name": "notes", "mimeType": "text/plain" }] })
        }
        "resources/templates/list" => {
            json!({ "resourceTemplates": [{ "uriTemplate": "file:///srv/peer/{name}", "name": "any file" }] })
        }
        "prompts/list" => json!({ "prompts": [{ "name": "greet", "description": "Greets somebody" }] }),
        _ => return None,
    };
    Some(completed(options, result))
}

/// The result of `initialize`.
pub(crate) fn greeting(options: &Options) -> Value {
    json!({
        "protocolVersion": options.revision,
        "capabilities": capabilities(),
        "serverInfo": server_info(options),
        "instructions": "Use the tools of this server for sums.",
    })
}

fn discovery(options: &Options) -> Value {
    json!({
        "supportedVersions": [options.revision],
        "capabilities": capabilities(),
        "instructions": "Use the tools of this server for sums.",
        "_meta": { "io.modelcontextprotocol/serverInfo": server_info(options) },
    })
}

fn capabilities() -> Value {
    json!({ "tools": {}, "resources": {}, "prompts": {} })
}

fn server_info(options: &Options) -> Value {
    json!({ "name": options.name, "title": "A peer", "version": "1.2.3" })
}

/// A tool with a name and the description that was asked for.
pub(crate) fn tool(options: &Options, name: &str) -> Value {
    json!({
        "name": name,
        "description": options.text,
        "inputSchema": {
            "type": "object",
            "properties": { "a": { "type": "number" }, "b": { "type": "number" } },
            "required": ["a", "b"],
        },
        "annotations": { "readOnlyHint": true },
    })
}

/// A result with the members that newer revisions ask of every result.
fn completed(options: &Options, mut result: Value) -> Value {
    if let Some(members) = result.as_object_mut().filter(|_| is_stateless(options)) {
        members.insert("resultType".to_owned(), json!("complete"));
        members.insert("ttlMs".to_owned(), json!(0));
        members.insert("cacheScope".to_owned(), json!("private"));
    }
    result
}

/// Revisions are dates, so they are ordered as text.
fn is_stateless(options: &Options) -> bool {
    options.revision.as_str() >= STATELESS
}
