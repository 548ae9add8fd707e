//! Answers that are wrong as bytes or as messages, whatever they are about.

use std::time::Duration;

use serde_json::{Value, json};

use super::{DRIP, GIGABYTE};
use crate::options::Options;
use crate::peer::{self, Body, Reply, Request};
use crate::stream::{self, Pace};

pub(crate) fn silent(_: &Options, request: &Request) -> Reply {
    if request.id.is_none() { Reply::nothing() } else { Reply::never() }
}

pub(crate) fn drip(options: &Options, request: &Request) -> Reply {
    Reply { pace: Pace::Drip(DRIP), ..peer::honest(options, request) }
}

pub(crate) fn flood(_: &Options, request: &Request) -> Reply {
    if request.id.is_none() { Reply::nothing() } else { Reply::bytes(stream::endless("abcdefgh")) }
}

pub(crate) fn huge(options: &Options, request: &Request) -> Reply {
    if request.method != "tools/list" {
        return peer::honest(options, request);
    }
    let before = format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{{"name":"huge","inputSchema":{{}},"description":""#,
        request.id.clone().unwrap_or_default()
    );
    Reply::bytes(stream::filled(before, "all of this is one description. ", GIGABYTE, "\"}]}}\n".to_owned()))
}

pub(crate) fn invalid_json(_: &Options, request: &Request) -> Reply {
    if request.id.is_none() { Reply::nothing() } else { Reply::text("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n") }
}

pub(crate) fn not_json_rpc(_: &Options, request: &Request) -> Reply {
    if request.id.is_none() { Reply::nothing() } else { Reply::message(json!({ "hello": ["world", 1, null] })) }
}

pub(crate) fn wrong_ids(options: &Options, request: &Request) -> Reply {
    rewritten(peer::honest(options, request), |mut message| {
        if let Some(id) = message.get_mut("id") {
            *id = json!(id.as_i64().unwrap_or(0) + 1_000);
        }
        message
    })
}

pub(crate) fn batch(options: &Options, request: &Request) -> Reply {
    rewritten(peer::honest(options, request), |message| json!([message]))
}

fn rewritten(reply: Reply, change: impl FnOnce(Value) -> Value) -> Reply {
    let body = match reply.body {
        Body::Message(message) => Body::Message(change(message)),
        other => other,
    };
    Reply { body, ..reply }
}

pub(crate) fn exits_midway(options: &Options, request: &Request) -> Reply {
    if request.method == "tools/list" {
        return Reply { ends: true, ..Reply::text("{\"jsonrpc\":\"2.0\",\"id\"") };
    }
    peer::honest(options, request)
}

/// The ids of our questions, before the id of the client's request that waits for their answer.
const QUESTION: &str = "answer me first: ";

/// Asks for roots when asked for tools, and answers once the client has.
pub(crate) fn server_requests(options: &Options, request: &Request) -> Reply {
    if request.method == "tools/list" {
        let id = format!("{QUESTION}{}", request.id.clone().unwrap_or_default());
        return Reply::message(json!({ "jsonrpc": "2.0", "id": id, "method": "roots/list" }));
    }
    let waiting = request.id.as_ref().and_then(Value::as_str).and_then(|id| id.strip_prefix(QUESTION));
    match waiting.and_then(|id| serde_json::from_str(id).ok()) {
        Some(id) => {
            peer::honest(options, &Request { id: Some(id), method: "tools/list".to_owned(), params: json!({}) })
        }
        None => peer::honest(options, request),
    }
}

/// Keeps the client busy with questions, each of them well-formed.
pub(crate) fn only_requests(options: &Options, request: &Request) -> Reply {
    if request.method != "tools/list" {
        return peer::honest(options, request);
    }
    let question = "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}\n";
    Reply { after: Duration::from_millis(1), ..Reply::bytes(stream::endless(question)) }
}
