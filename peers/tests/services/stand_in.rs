//! A server that answers each path as a table says; it serves until the tests end.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

/// What one service answers.
#[derive(Clone, Copy)]
pub(crate) struct StandIn {
    /// What it is.
    pub(crate) name: &'static str,
    /// The paths that it knows, with their queries.
    pub(crate) paths: &'static [(&'static str, Answer)],
    /// What it answers to all others.
    pub(crate) otherwise: Answer,
}

/// One answer.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    status: u16,
    kind: &'static str,
    /// Lines of the head, each with its end.
    head: &'static str,
    /// `{path}` stands for the path that was asked for.
    body: &'static str,
}

impl Answer {
    pub(crate) const fn json(status: u16, body: &'static str) -> Self {
        Self { status, kind: "application/json", head: "", body }
    }

    pub(crate) const fn html(status: u16, body: &'static str) -> Self {
        Self { status, kind: "text/html; charset=utf-8", head: "", body }
    }

    pub(crate) const fn text(status: u16, body: &'static str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", head: "", body }
    }

    /// With more lines in its head.
    pub(crate) const fn with(mut self, head: &'static str) -> Self {
        self.head = head;
        self
    }
}

impl StandIn {
    /// Starts it, and returns its address.
    pub(crate) fn start(self) -> String {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                // A client that goes away is no business of the others.
                thread::spawn(move || self.answer(connection));
            }
        });
        format!("http://127.0.0.1:{port}")
    }

    fn answer(self, mut connection: TcpStream) -> io::Result<()> {
        let mut lines = BufReader::new(connection.try_clone()?).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let known = self.paths.iter().find(|(known, _)| *known == path);
        let Answer { status, kind, head, body } = known.map_or(self.otherwise, |(_, answer)| *answer);
        let body = body.replace("{path}", path);
        let length = body.len();
        let sent = if method == "HEAD" { "" } else { &body };
        write!(
            connection,
            "HTTP/1.1 {status} Answer\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n{head}\r\n{sent}"
        )
    }
}
