//! Requests and responses of HTTP/1.1, as far as the scenarios need them.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::peer::Request;
use crate::stream::{self, Pace, Stream};

/// The largest body that is read; clients of tests send less.
const LARGEST: usize = 1 << 20;
/// How long a connection is kept open by somebody who will never answer.
const NEVER: Duration = crate::STAY;

/// A request.
pub(crate) struct Incoming {
    pub(crate) method: String,
    target: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Incoming {
    /// Reads one; nothing if the connection ends before it.
    pub(crate) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let method = words.next().unwrap_or_default().to_owned();
        let target = words.next().unwrap_or_default().to_owned();
        let mut incoming = Self { method, target, headers: Vec::new(), body: Vec::new() };
        loop {
            let mut line = String::new();
            let is_end = reader.read_line(&mut line)? == 0 || line.trim().is_empty();
            if is_end {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                incoming.headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let length = incoming.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        incoming.body = vec![0; length.min(LARGEST)];
        reader.read_exact(&mut incoming.body)?;
        Ok(Some(incoming))
    }

    /// The path, without what follows a question mark.
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// What follows the question mark.
    pub(crate) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The line that tells a test of this request: what was asked, at which host, and whether a secret came along.
    pub(crate) fn noted(&self) -> String {
        let host = self.header("host").unwrap_or_default();
        let asked = Request::parse(&self.body).method;
        let secret = if self.header("authorization").is_some() { " authorization" } else { "" };
        format!("{} {host} {} {asked}{secret}", self.method, self.target).trim_end().to_owned()
    }
}

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) content: Content,
    pub(crate) pace: Pace,
    pub(crate) after: Duration,
    /// Whether the server ends once it has answered.
    pub(crate) ends: bool,
}

/// What a response consists of.
pub(crate) enum Content {
    /// A body after a head; the end of the connection is its end.
    Body(Stream),
    /// Everything, from the first byte on.
    Raw(Stream),
    /// Nothing at all, for a long time.
    Nothing,
}

impl Response {
    pub(crate) fn status(status: u16) -> Self {
        Self::of(status, Content::Body(stream::text("")))
    }

    pub(crate) fn with(status: u16, kind: &str, body: Stream) -> Self {
        Self::of(status, Content::Body(body)).header("Content-Type", kind)
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::with(status, "application/json", stream::text(body.to_string()))
    }

    pub(crate) fn raw(bytes: Stream) -> Self {
        Self::of(200, Content::Raw(bytes))
    }

    pub(crate) fn nothing() -> Self {
        Self::of(200, Content::Nothing)
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    fn of(status: u16, content: Content) -> Self {
        Self { status, headers: Vec::new(), content, pace: Pace::Full, after: Duration::ZERO, ends: false }
    }

    /// Writes it at its pace; the head always at once, unless the scenario wrote it.
    pub(crate) fn write(self, output: &mut impl Write) -> io::Result<()> {
        let body = match self.content {
            Content::Nothing => {
                thread::sleep(NEVER);
                return Ok(());
            }
            Content::Raw(bytes) => bytes,
            Content::Body(body) => {
                let mut head = format!("HTTP/1.1 {} Peer\r\nConnection: close\r\n", self.status);
                for (name, value) in &self.headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                output.write_all(format!("{head}\r\n").as_bytes())?;
                body
            }
        };
        stream::send(body, output, self.pace)
    }
}
