//! Services on the network: an honest Ollama, and what may stand where one is looked for.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;

use serde_json::json;

use super::{GIGABYTE, nested};
use crate::http::{Incoming, Response, Site};
use crate::stream::{self, Stream};

/// The version that this Ollama has.
const VERSION: &str = "0.12.6";
const JSON: &str = "application/json; charset=utf-8";

pub(crate) fn ollama(_: &Site, incoming: &Incoming) -> Response {
    match (incoming.method.as_str(), incoming.path()) {
        ("GET", "/") => Response::with(200, "text/plain; charset=utf-8", stream::text("Ollama is running")),
        ("HEAD", "/") => Response::with(200, "text/plain; charset=utf-8", stream::text("")),
        ("GET", "/api/version") => Response::json(200, &json!({ "version": VERSION })),
        ("GET", "/api/tags") => Response::json(200, &json!({ "models": [] })),
        _ => Response::with(404, "text/plain", stream::text("404 page not found")),
    }
}

/// An Ollama that answers otherwise when it is asked for its version.
fn version(site: &Site, incoming: &Incoming, answer: impl FnOnce() -> Response) -> Response {
    if incoming.path() == "/api/version" { answer() } else { ollama(site, incoming) }
}

pub(crate) fn tarpit(connection: TcpStream) -> io::Result<()> {
    thread::sleep(crate::STAY);
    drop(connection);
    Ok(())
}

pub(crate) fn closes(connection: TcpStream) -> io::Result<()> {
    drop(connection);
    Ok(())
}

pub(crate) fn garbage(mut connection: TcpStream) -> io::Result<()> {
    heard(&mut connection)?;
    stream::send(noise(GIGABYTE), &mut connection, stream::Pace::Full)
}

/// The record of a handshake that TLS begins with, and nothing in it that TLS knows.
pub(crate) fn tls_garbage(mut connection: TcpStream) -> io::Result<()> {
    heard(&mut connection)?;
    connection.write_all(&[0x16, 0x03, 0x03, 0x40, 0x00])?;
    stream::send(noise(1 << 20), &mut connection, stream::Pace::Full)
}

/// Waits until something is asked, so that the answer is not there before the question.
fn heard(connection: &mut TcpStream) -> io::Result<()> {
    connection.read(&mut [0; 4096]).map(|_| ())
}

/// Bytes that mean nothing to anybody.
fn noise(count: u64) -> Stream {
    Box::new(stream::endless("\u{1}\u{fe}\u{7f}nothing\u{3}\u{9b}\r\n\r\n\u{202e}").take(count))
}

pub(crate) fn old_http(_: &Site, _: &Incoming) -> Response {
    Response::raw(stream::text("Ollama is running"))
}

pub(crate) fn endless_body(_: &Site, _: &Incoming) -> Response {
    let body = stream::text("{\"version\":\"0.12.6\",\"models\":[0").chain(stream::endless(",0"));
    Response::with(200, JSON, Box::new(body))
}

/// What it says under its other name is honest, so that only the redirect can be the problem.
pub(crate) fn redirect_away(site: &Site, incoming: &Incoming) -> Response {
    if incoming.header("host").is_some_and(|host| host.starts_with("localhost")) {
        return ollama(site, incoming);
    }
    Response::status(307).header("Location", format!("http://localhost:{}{}", site.port, incoming.path()))
}

pub(crate) fn wrong_type(site: &Site, incoming: &Incoming) -> Response {
    let mut response = ollama(site, incoming);
    response.headers = vec![("Content-Type".to_owned(), "image/png".to_owned())];
    response
}

pub(crate) fn duplicate_keys(site: &Site, incoming: &Incoming) -> Response {
    let body = "{\"version\":\"0.12.6\",\"version\":\"99.0.0\"}";
    version(site, incoming, || Response::with(200, JSON, stream::text(body)))
}

pub(crate) fn deep_json(site: &Site, incoming: &Incoming) -> Response {
    let body = format!("{{\"version\":\"0.12.6\",\"more\":{}}}", nested(10_000));
    version(site, incoming, || Response::with(200, JSON, stream::text(body)))
}

pub(crate) fn many_headers(site: &Site, incoming: &Incoming) -> Response {
    (0..10_000).fold(ollama(site, incoming), |response, at| response.header(&format!("X-Header-{at}"), "value"))
}

pub(crate) fn long_header(_: &Site, _: &Incoming) -> Response {
    let body = "\r\n\r\nOllama is running".to_owned();
    Response::raw(stream::filled("HTTP/1.1 200 OK\r\nX-Long: ".to_owned(), "0123456789", 100 << 20, body))
}
