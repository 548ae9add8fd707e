//! A small HTTP server on loopback: a thread a connection, one request on each, every byte of the answer in the hands
//! of the scenario.
//!
//! Written by hand because servers that others wrote keep one from sending what a hostile one would.

mod message;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

pub(crate) use message::{Incoming, Response};

use crate::options::Options;
use crate::peer::{Body, Reply, Request};
use crate::scenario::{Play, Scenario};
use crate::{stream, tls};

/// Where the MCP server is.
pub(crate) const MCP: &str = "/mcp";

/// A server and what it remembers.
pub(crate) struct Site {
    pub(crate) options: Options,
    pub(crate) port: u16,
    scenario: &'static Scenario,
    sessions: AtomicUsize,
    streams: Mutex<BTreeMap<String, Sender<Vec<u8>>>>,
}

impl Site {
    /// The address of this site, as the client is told it.
    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A word that no session had before.
    pub(crate) fn new_session(&self) -> String {
        format!("session-{}", self.sessions.fetch_add(1, Ordering::Relaxed))
    }

    /// Remembers where the events of a session go.
    pub(crate) fn open_stream(&self, session: String, events: Sender<Vec<u8>>) {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).insert(session, events);
    }

    /// Sends an event to a session; whether there is such a session.
    pub(crate) fn send_event(&self, session: &str, event: Vec<u8>) -> bool {
        let streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.get(session).is_some_and(|events| events.send(event).is_ok())
    }

    /// Streamable HTTP with the answers of the scenario.
    pub(crate) fn streamable(&self, incoming: &Incoming) -> Response {
        if incoming.path() != MCP {
            return Response::status(404);
        }
        match incoming.method.as_str() {
            "POST" => self.framed(self.scenario.answer(&self.options, &Request::parse(&incoming.body))),
            _ => Response::status(405),
        }
    }

    fn framed(&self, reply: Reply) -> Response {
        let response = match reply.body {
            Body::Nothing => Response::status(202),
            Body::Never => Response::nothing(),
            Body::Message(message) if self.options.events => {
                Response::with(200, "text/event-stream", stream::text(format!("event: message\ndata: {message}\n\n")))
            }
            Body::Message(message) => Response::json(200, &message),
            Body::Bytes(bytes) => Response::with(200, "application/json", bytes),
        };
        Response { pace: reply.pace, after: reply.after, ends: reply.ends, ..response }
    }

    fn respond(&self, incoming: &Incoming) -> Response {
        match self.scenario.play {
            Play::Site(respond) | Play::Tls(_, respond) => respond(self, incoming),
            _ => self.streamable(incoming),
        }
    }
}

/// Serves until somebody ends the process.
pub(crate) fn serve(scenario: &'static Scenario, options: Options) -> io::Result<ExitCode> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    say(&port.to_string())?;
    let streams = Mutex::new(BTreeMap::new());
    let site = Arc::new(Site { options, port, scenario, sessions: AtomicUsize::new(1), streams });
    for connection in listener.incoming() {
        let connection = connection?;
        let site = Arc::clone(&site);
        // A client that goes away is no business of the others.
        thread::spawn(move || meet(&site, connection));
    }
    Ok(ExitCode::SUCCESS)
}

/// One connection, in the hands of the scenario as early as it wants.
fn meet(site: &Site, connection: TcpStream) -> io::Result<()> {
    match site.scenario.play {
        Play::Connection(play) => play(connection),
        Play::Tls(certificate, _) => {
            let mut connection = tls::accept(connection, certificate)?;
            answer(site, &mut connection)?;
            tls::close(connection)
        }
        _ => answer(site, &mut &connection),
    }
}

fn answer(site: &Site, connection: &mut (impl Read + Write)) -> io::Result<()> {
    // What comes after the first request is not read.
    let Some(incoming) = Incoming::read(&mut BufReader::new(&mut *connection))? else { return Ok(()) };
    say(&incoming.noted())?;
    let response = site.respond(&incoming);
    let delay = if response.status == 202 { 0 } else { site.options.delay_ms };
    thread::sleep(response.after + Duration::from_millis(delay));
    let ends = response.ends;
    let sent = response.write(connection);
    if ends {
        std::process::exit(3);
    }
    sent
}

/// A line for the test that started the server; a test that no longer reads does not stop it.
fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match writeln!(output, "{line}").and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        said => said,
    }
}
