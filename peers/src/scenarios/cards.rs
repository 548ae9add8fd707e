//! Agents whose cards lie, or are built to hurt whoever reads them.

use serde_json::{Value, json};

use super::{DRIP, ESCAPES, GIGABYTE, LEVELS, nested};
use crate::http::{Incoming, Response, Site};
use crate::stream::{self, Pace, Stream};

const CARD: &str = "/.well-known/agent-card.json";
const OLDER_CARD: &str = "/.well-known/agent.json";
/// How many agents the first names.
const DELEGATES: usize = 1_000;

/// An honest card of an agent that is found at `base`.
fn card(name: &str, base: &str, description: &str) -> Value {
    json!({
        "protocolVersion": "0.3.0",
        "name": name,
        "description": description,
        "url": format!("{base}/"),
        "preferredTransport": "JSONRPC",
        "version": "1.0.0",
        "provider": { "organization": "Peers", "url": base },
        "capabilities": { "streaming": true },
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{ "id": "sum", "name": "Sums", "description": "Adds numbers", "tags": ["numbers"] }],
    })
}

/// A card at the path for cards, and nothing anywhere else.
fn at(incoming: &Incoming, path: &str, card: impl FnOnce() -> Response) -> Response {
    if incoming.path() == path { card() } else { Response::status(404) }
}

fn streamed(incoming: &Incoming, card: impl FnOnce() -> Stream) -> Response {
    at(incoming, CARD, || Response::with(200, "application/json", card()))
}

pub(crate) fn honest(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, CARD, || Response::json(200, &card(&site.options.name, &site.origin(), &site.options.text)))
}

pub(crate) fn at_the_older_path(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, OLDER_CARD, || Response::json(200, &card(&site.options.name, &site.origin(), &site.options.text)))
}

/// The first agent names a thousand; each of these names the next two and the first.
pub(crate) fn delegates(site: &Site, incoming: &Incoming) -> Response {
    let origin = site.origin();
    let Some(base) = incoming.path().strip_suffix(CARD) else { return Response::status(404) };
    let number: Option<usize> = base.strip_prefix("/agent-").and_then(|number| number.parse().ok());
    let named: Vec<String> = match number {
        None => (0..DELEGATES).map(|number| format!("{origin}/agent-{number}")).collect(),
        Some(number) => {
            let next = |step: usize| format!("{origin}/agent-{}", (number + step) % DELEGATES);
            vec![next(1), next(2), origin.clone()]
        }
    };
    let name = number.map_or("first-agent".to_owned(), |number| format!("delegate-{number}"));
    let description = format!("Delegates to {}", named.join(" and to "));
    Response::json(200, &card(&name, &format!("{origin}{base}"), &description))
}

pub(crate) fn other_url(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, CARD, || Response::json(200, &card(&site.options.name, "https://agents.example.com", "Somebody else")))
}

/// Signed, as far as one sees; the key is offered where only this machine can be meant.
pub(crate) fn jku_loopback(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, CARD, || {
        let mut signed = card(&site.options.name, &site.origin(), "Signed");
        // {"alg":"ES256","typ":"JOSE","kid":"k","jku":"https://127.0.0.1/keys.json"}
        let protected =
            "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJrIiwiamt1IjoiaHR0cHM6Ly8xMjcuMC4wLjEva2V5cy5qc29uIn0";
        if let Some(members) = signed.as_object_mut() {
            members.insert("signatures".to_owned(), json!([{ "protected": protected, "signature": "A".repeat(86) }]));
        }
        Response::json(200, &signed)
    })
}

pub(crate) fn huge(_: &Site, incoming: &Incoming) -> Response {
    streamed(incoming, || {
        let before = "{\"name\":\"huge\",\"url\":\"http://127.0.0.1/\",\"description\":\"".to_owned();
        stream::filled(before, "all of this is one description. ", GIGABYTE, "\"}".to_owned())
    })
}

pub(crate) fn deep(_: &Site, incoming: &Incoming) -> Response {
    streamed(incoming, || stream::text(format!("{{\"name\":\"deep\",\"extra\":{}}}", nested(LEVELS))))
}

pub(crate) fn many_skills(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, CARD, || {
        let skill = |number| json!({ "id": format!("s{number}"), "name": format!("s{number}"), "description": "x", "tags": [] });
        let mut many = card(&site.options.name, &site.origin(), "Able");
        if let Some(members) = many.as_object_mut() {
            members.insert("skills".to_owned(), (0..site.options.tools).map(skill).collect());
        }
        Response::json(200, &many)
    })
}

pub(crate) fn escapes(site: &Site, incoming: &Incoming) -> Response {
    at(incoming, CARD, || {
        let mut ugly = card(&format!("agent{ESCAPES}"), &site.origin(), ESCAPES);
        if let Some(skill) = ugly.pointer_mut("/skills/0/name") {
            *skill = json!(ESCAPES);
        }
        Response::json(200, &ugly)
    })
}

pub(crate) fn not_a_card(_: &Site, _: &Incoming) -> Response {
    Response::with(200, "text/html", stream::text("<!doctype html><title>Welcome</title>"))
}

pub(crate) fn no_answer(_: &Site, _: &Incoming) -> Response {
    Response::nothing()
}

pub(crate) fn drip(site: &Site, incoming: &Incoming) -> Response {
    Response { pace: Pace::Drip(DRIP), ..honest(site, incoming) }
}
