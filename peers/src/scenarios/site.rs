//! Servers that misuse HTTP, and those that protect themselves.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver};

use flate2::Compression;
use flate2::read::GzEncoder;
use serde_json::json;

use super::{DRIP, GIGABYTE};
use crate::http::{Incoming, MCP, Response, Site};
use crate::peer::{self, Body, Request};
use crate::stream::{self, Pace, Stream};

pub(crate) fn redirect_metadata(_: &Site, _: &Incoming) -> Response {
    Response::status(302).header("Location", "http://169.254.169.254/latest/meta-data/")
}

pub(crate) fn redirect_loop(_: &Site, incoming: &Incoming) -> Response {
    let next = if incoming.path() == "/there" { "/back" } else { "/there" };
    Response::status(307).header("Location", next)
}

/// What it says under its other name is honest, so that only the redirect can be the problem.
pub(crate) fn redirect_other_site(site: &Site, incoming: &Incoming) -> Response {
    if incoming.header("host").is_some_and(|host| host.starts_with("localhost")) {
        return site.streamable(incoming);
    }
    Response::status(307).header("Location", format!("http://localhost:{}{}", site.port, incoming.path()))
}

pub(crate) fn gzip_bomb(_: &Site, _: &Incoming) -> Response {
    let bomb: Stream =
        Box::new(GzEncoder::new(stream::filled("{".to_owned(), " ", GIGABYTE, "}".to_owned()), Compression::fast()));
    Response::with(200, "application/json", bomb).header("Content-Encoding", "gzip")
}

pub(crate) fn slow_headers(_: &Site, _: &Incoming) -> Response {
    let head = stream::text("HTTP/1.1 200 OK\r\n").chain(stream::endless("X-Padding: 0123456789\r\n"));
    Response { pace: Pace::Drip(DRIP), ..Response::raw(Box::new(head)) }
}

const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource/mcp";

pub(crate) fn protected(site: &Site, incoming: &Incoming) -> Response {
    let origin = site.origin();
    match incoming.path() {
        RESOURCE_METADATA | "/.well-known/oauth-protected-resource" => Response::json(
            200,
            &json!({
                "resource": format!("{origin}{MCP}"),
                "authorization_servers": [origin],
                "scopes_supported": ["mcp:admin", "mcp:read"],
                "bearer_methods_supported": ["header"],
            }),
        ),
        "/.well-known/oauth-authorization-server" | "/.well-known/openid-configuration" => Response::json(
            200,
            &json!({
                "issuer": origin,
                "authorization_endpoint": format!("{origin}/authorize"),
                "token_endpoint": format!("{origin}/token"),
                "registration_endpoint": format!("{origin}/register"),
                "response_types_supported": ["code"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"],
            }),
        ),
        MCP if incoming.header("authorization").is_some() => site.streamable(incoming),
        MCP => {
            let challenge = format!("Bearer resource_metadata=\"{origin}{RESOURCE_METADATA}\", scope=\"mcp:read\"");
            Response::status(401).header("WWW-Authenticate", challenge)
        }
        _ => Response::status(404),
    }
}

pub(crate) fn protected_plain(site: &Site, incoming: &Incoming) -> Response {
    challenged(site, incoming, "Bearer realm=\"peers\"")
}

pub(crate) fn basic(site: &Site, incoming: &Incoming) -> Response {
    challenged(site, incoming, "Basic realm=\"peers\"")
}

/// Everything but metadata, which is not there, asks for a secret.
fn challenged(site: &Site, incoming: &Incoming, challenge: &str) -> Response {
    if incoming.header("authorization").is_some() {
        return site.streamable(incoming);
    }
    if incoming.path().starts_with("/.well-known/o") {
        return Response::status(404);
    }
    Response::status(401).header("WWW-Authenticate", challenge)
}

pub(crate) fn forbidden(_: &Site, _: &Incoming) -> Response {
    Response::status(403)
}

/// Where clients of HTTP+SSE listen, and where they write.
const EVENTS: &str = "/sse";
const MESSAGES: &str = "/messages";

pub(crate) fn sse_legacy(site: &Site, incoming: &Incoming) -> Response {
    sse(site, incoming, "")
}

/// The endpoint is at this same server, but under a name of another origin.
pub(crate) fn sse_foreign_endpoint(site: &Site, incoming: &Incoming) -> Response {
    sse(site, incoming, &format!("http://localhost:{}", site.port))
}

fn sse(site: &Site, incoming: &Incoming, endpoint_origin: &str) -> Response {
    match (incoming.method.as_str(), incoming.path()) {
        ("GET", EVENTS) => {
            let session = site.new_session();
            let (sender, receiver) = mpsc::channel();
            let endpoint = format!("event: endpoint\ndata: {endpoint_origin}{MESSAGES}?session={session}\n\n");
            site.open_stream(session, sender);
            let events = stream::text(endpoint).chain(Events { receiver, current: io::Cursor::default() });
            Response::with(200, "text/event-stream", Box::new(events))
        }
        ("POST", MESSAGES) => {
            let session = incoming.query().strip_prefix("session=").unwrap_or_default();
            let reply = peer::honest(&site.options, &Request::parse(&incoming.body));
            let is_known = match reply.body {
                Body::Message(message) => {
                    site.send_event(session, format!("event: message\ndata: {message}\n\n").into_bytes())
                }
                _ => true,
            };
            Response::status(if is_known { 202 } else { 404 })
        }
        (_, EVENTS | MESSAGES) => Response::status(405),
        _ => Response::status(404),
    }
}

/// Events as they come.
struct Events {
    receiver: Receiver<Vec<u8>>,
    current: io::Cursor<Vec<u8>>,
}

impl Read for Events {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.current.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            match self.receiver.recv() {
                Ok(event) => self.current = io::Cursor::new(event),
                Err(_) => return Ok(0),
            }
        }
    }
}

const SESSION: &str = "mcp-session-id";

/// Gives every client a session, asks for it in every further request, and knows its end.
pub(crate) fn session(site: &Site, incoming: &Incoming) -> Response {
    let is_greeting = Request::parse(&incoming.body).method == "initialize";
    match (incoming.method.as_str(), incoming.header(SESSION)) {
        ("POST", None) if is_greeting => site.streamable(incoming).header("Mcp-Session-Id", site.new_session()),
        (_, None) => Response::status(400),
        ("DELETE", Some(_)) => Response::status(200),
        (_, Some(_)) => site.streamable(incoming),
    }
}
