//! What comes over the wire, looked at before the protocol's own client sees it.
//!
//! The client's types demand what the protocol demands, and drop the rest. A scanner wants to see just what is there,
//! odd things most of all. So answers are handed on as they are, whatever is in them, and only the handshake is read
//! by the client itself.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use rmcp::model::{
    ClientJsonRpcMessage, CustomResult, DiscoverResult, ErrorData, InitializeResult, ProtocolVersion, RequestId,
    ServerCapabilities, ServerJsonRpcMessage, ServerResult,
};
use serde_json::{Map, Value, json};

use super::limits::{BATCH, PARTS, TOTAL};
use crate::secrets::Secrets;

/// The member under which an answer travels where only text can be handed to the client.
const RAW: &str = "tracehound/raw";

/// What is known of a conversation.
#[derive(Debug, Default)]
pub(super) struct Tap {
    state: Mutex<State>,
    /// What the server was given and must not be shown.
    secrets: Secrets,
}

#[derive(Debug, Default)]
struct State {
    /// The answer to the handshake, as it came.
    handshake: Option<Value>,
    /// What was wrong with messages, and how often.
    slips: BTreeMap<&'static str, usize>,
    /// Requests that were made.
    sent: HashSet<RequestId>,
    /// How many bytes came.
    bytes: u64,
    refusal: Option<Refusal>,
    /// Why we stopped listening, if we did.
    given_up: Option<&'static str>,
    repeats_secret: bool,
}

/// An answer of HTTP that is no answer of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    /// What stands in `WWW-Authenticate`.
    pub(super) challenges: Vec<String>,
}

impl Tap {
    /// A tap that lets no secret through.
    pub(super) fn new(secrets: Secrets) -> Self {
        Self { secrets, state: Mutex::default() }
    }

    /// Whether the server put a secret that it was given into what it said.
    pub(super) fn repeats_secret(&self) -> bool {
        self.state().repeats_secret
    }

    /// Forgets a request: an answer to it comes too late.
    pub(super) fn forget(&self, id: &RequestId) {
        self.state().sent.remove(id);
    }

    /// Remembers a request, so that answers to others are noticed.
    pub(super) fn sending(&self, message: &ClientJsonRpcMessage) {
        if let ClientJsonRpcMessage::Request(request) = message {
            self.state().sent.insert(request.id.clone());
        }
    }

    /// Counts what came. `false`: it is too much.
    pub(super) fn count(&self, bytes: usize) -> bool {
        let mut state = self.state();
        state.bytes += bytes as u64;
        state.bytes <= TOTAL
    }

    /// Notes something that is wrong with what came.
    pub(super) fn slip(&self, what: &'static str) {
        *self.state().slips.entry(what).or_insert(0) += 1;
    }

    /// Notes why nothing more is listened to.
    pub(super) fn give_up(&self, why: &'static str) {
        self.state().given_up.get_or_insert(why);
    }

    /// Why nothing more was listened to, if that was our decision.
    pub(super) fn given_up(&self) -> Option<&'static str> {
        self.state().given_up
    }

    /// Notes that HTTP said no.
    pub(super) fn refused(&self, status: u16, challenges: Vec<String>) {
        self.state().refusal = Some(Refusal { status, challenges });
    }

    /// How HTTP said no, if it did.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.state().refusal.clone()
    }

    /// What the server said of itself, as it came.
    pub(super) fn handshake(&self) -> Option<Value> {
        self.state().handshake.clone()
    }

    /// What was wrong with messages, in words.
    pub(super) fn slips(&self) -> Vec<String> {
        let times = |count: usize| if count == 1 { String::new() } else { format!(" ({count} times)") };
        self.state().slips.iter().map(|(what, count)| format!("{what}{}", times(*count))).collect()
    }

    /// The messages in some bytes.
    pub(super) fn admit(&self, bytes: &[u8]) -> Vec<ServerJsonRpcMessage> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Vec::new();
        }
        let parts = bytes.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count();
        if parts > PARTS {
            self.give_up("sent a message of more parts than are listened to");
            return Vec::new();
        }
        match serde_json::from_slice(bytes) {
            Ok(Value::Array(batch)) => {
                if !self.allows_batches() {
                    self.slip("sent several messages in one, which its revision of the protocol does not allow");
                }
                if batch.len() > BATCH {
                    self.slip("sent too many messages in one; the rest was not read");
                }
                batch.into_iter().take(BATCH).filter_map(|message| self.message(message)).collect()
            }
            Ok(message) => self.message(message).into_iter().collect(),
            Err(_) => {
                self.slip("sent something that is not JSON, or nested too deeply");
                Vec::new()
            }
        }
    }

    fn message(&self, mut message: Value) -> Option<ServerJsonRpcMessage> {
        if self.secrets.clean(&mut message) {
            let mut state = self.state();
            state.repeats_secret = true;
            *state.slips.entry("repeats a secret that it was given; it is hidden here").or_insert(0) += 1;
        }
        let Value::Object(mut members) = message else {
            self.slip("sent something that is not a message of JSON-RPC");
            return None;
        };
        if members.get("jsonrpc") != Some(&json!("2.0")) {
            self.slip("sent something that is not a message of JSON-RPC");
            return None;
        }
        if members.contains_key("method") {
            let typed = serde_json::from_value(Value::Object(members)).ok();
            if typed.is_none() {
                self.slip("sent a request or notification that the protocol does not know");
            }
            return typed;
        }
        let id: Option<RequestId> = members.remove("id").and_then(|id| serde_json::from_value(id).ok());
        match (members.remove("result"), members.remove("error")) {
            (Some(result), None) => Some(ServerJsonRpcMessage::response(self.result(result), self.asked(id)?)),
            (None, Some(error)) => {
                let id = if id.is_some() { Some(self.asked(id)?) } else { None };
                Some(ServerJsonRpcMessage::error(error_data(&error), id))
            }
            _ => {
                self.slip("sent an answer that is neither a result nor an error");
                None
            }
        }
    }

    /// One revision had batches, and the next took them back.
    fn allows_batches(&self) -> bool {
        let version = |handshake: &Value| handshake.get("protocolVersion") == Some(&json!("2025-03-26"));
        self.state().handshake.as_ref().is_some_and(version)
    }

    /// The id, if a request has it. Others are not answered to.
    fn asked(&self, id: Option<RequestId>) -> Option<RequestId> {
        let known = id.filter(|id| self.state().sent.contains(id));
        if known.is_none() {
            self.slip("answered a request that was not made");
        }
        known
    }

    fn result(&self, mut result: Value) -> ServerResult {
        let has = |key: &str| result.get(key).is_some();
        let is_initialize = has("protocolVersion") && (has("capabilities") || has("serverInfo"));
        let is_discover = has("supportedVersions");
        let mut state = self.state();
        if state.handshake.is_some() || !(is_initialize || is_discover) {
            return ServerResult::CustomResult(CustomResult(result));
        }
        // The rest of an introduction is of no use, and may be long.
        if let Value::Object(members) = &mut result {
            members.retain(|key, _| INTRODUCTION.contains(&key.as_str()));
        }
        let typed = if is_discover { discovered(&result) } else { initialized(&result) };
        if !typed.is_exact {
            *state.slips.entry("introduced itself in a way that the protocol does not allow").or_insert(0) += 1;
        }
        state.handshake = Some(result);
        typed.result
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The members of an introduction.
const INTRODUCTION: &[&str] = &[
    "protocolVersion",
    "supportedVersions",
    "capabilities",
    "serverInfo",
    "instructions",
    "resultType",
    "ttlMs",
    "cacheScope",
    "_meta",
];

/// An answer to the handshake as the client wants it.
struct Handshake {
    result: ServerResult,
    /// Whether nothing had to be mended.
    is_exact: bool,
}

/// The client goes on with what it needs to know; everything else is read from what came.
fn initialized(result: &Value) -> Handshake {
    if let Ok(exact) = serde_json::from_value(result.clone()) {
        return Handshake { result: ServerResult::InitializeResult(exact), is_exact: true };
    }
    let version = result.get("protocolVersion").and_then(|version| serde_json::from_value(version.clone()).ok());
    let mut mended = InitializeResult::new(ServerCapabilities::default());
    mended.protocol_version = version.unwrap_or(ProtocolVersion::LATEST_WITH_INITIALIZE);
    Handshake { result: ServerResult::InitializeResult(mended), is_exact: false }
}

fn discovered(result: &Value) -> Handshake {
    let exact: Result<DiscoverResult, _> = serde_json::from_value(result.clone());
    if let Ok(exact) = exact {
        return Handshake { result: ServerResult::DiscoverResult(exact), is_exact: true };
    }
    let versions = result.get("supportedVersions").cloned().unwrap_or_default();
    let mended = json!({
        "resultType": "complete", "supportedVersions": versions, "capabilities": {}, "ttlMs": 0, "cacheScope": "private",
    });
    let result = match serde_json::from_value(mended) {
        Ok(mended) => ServerResult::DiscoverResult(mended),
        Err(_) => ServerResult::CustomResult(CustomResult(result.clone())),
    };
    Handshake { result, is_exact: false }
}

fn error_data(error: &Value) -> ErrorData {
    serde_json::from_value(error.clone())
        .unwrap_or_else(|_| ErrorData::internal_error("an error that is not one of JSON-RPC", None))
}

/// A message as text that the client reads as the same message.
pub(super) fn as_text(message: &ServerJsonRpcMessage) -> Option<String> {
    if let ServerJsonRpcMessage::Response(response) = message
        && let ServerResult::CustomResult(CustomResult(raw)) = &response.result
    {
        return serde_json::to_string(&json!({ "jsonrpc": "2.0", "id": response.id, "result": { RAW: raw } })).ok();
    }
    serde_json::to_string(message).ok()
}

/// The members of an answer as the server sent it.
pub(super) fn members(result: ServerResult) -> Option<Map<String, Value>> {
    let ServerResult::CustomResult(CustomResult(Value::Object(mut members))) = result else { return None };
    match members.remove(RAW) {
        Some(Value::Object(inner)) => Some(inner),
        Some(_) => None,
        None => Some(members),
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ClientRequest, ListToolsRequest};

    use super::*;

    fn tap() -> Tap {
        let tap = Tap::default();
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::default());
        tap.sending(&ClientJsonRpcMessage::request(request, RequestId::Number(1)));
        tap
    }

    fn check(sent: &str, admitted: usize, slip: &str) {
        let tap = tap();
        assert_eq!(tap.admit(sent.as_bytes()).len(), admitted, "{sent}");
        assert!(tap.slips().join(";").contains(slip) && tap.slips().is_empty() == slip.is_empty(), "{:?}", tap.slips());
    }

    #[test]
    fn what_is_no_message_is_told_and_left_out() {
        check(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#, 1, "");
        check("  \n", 0, "");
        check("listening on stdio", 0, "not JSON");
        check(&"[".repeat(500), 0, "not JSON");
        check("17", 0, "not a message of JSON-RPC");
        check(r#"{"id":1,"result":{}}"#, 0, "not a message of JSON-RPC");
        check(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, 0, "a request that was not made");
        check(r#"{"jsonrpc":"2.0","id":"1","result":{}}"#, 0, "a request that was not made");
        check(r#"{"jsonrpc":"2.0","id":1}"#, 0, "neither a result nor an error");
        check(r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, 1, "several messages");
        check(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#, 1, "");
        check(r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, 1, "");
    }

    #[test]
    fn an_odd_introduction_is_taken_for_what_it_is() {
        let tap = tap();
        let sent = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":[1]}}"#;
        let messages = tap.admit(sent.as_bytes());
        assert!(matches!(
            messages.as_slice(),
            [ServerJsonRpcMessage::Response(response)] if matches!(response.result, ServerResult::InitializeResult(_))
        ));
        assert!(tap.slips().join(";").contains("introduced itself"));
        assert_eq!(tap.handshake().unwrap()["capabilities"], json!([1]));
    }

    #[test]
    fn an_answer_survives_the_way_through_text() {
        let tap = tap();
        let sent = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","inputSchema":7}],"nextCursor":"n"}}"#;
        let message = tap.admit(sent.as_bytes()).pop().unwrap();
        let again: ServerJsonRpcMessage = serde_json::from_str(&as_text(&message).unwrap()).unwrap();
        for message in [message, again] {
            let ServerJsonRpcMessage::Response(response) = message else { panic!("no answer") };
            let members = members(response.result).unwrap();
            assert_eq!(members["nextCursor"], json!("n"));
        }
    }
}
