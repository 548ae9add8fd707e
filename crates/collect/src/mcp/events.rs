//! Server-sent events, read from the body of an answer and bounded.

use std::collections::VecDeque;
use std::sync::Arc;

use reqwest::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::{MESSAGE, SMALL_MESSAGE};
use super::tap::Tap;
use crate::net::NetError;

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// What it is called; empty for a message.
    pub(super) name: String,
    pub(super) data: String,
}

/// The events of an answer.
pub(super) struct Events {
    response: Response,
    parser: Parser,
    tap: Arc<Tap>,
    turns: Arc<Semaphore>,
    /// The turn that a long event holds until the next is asked for.
    turn: Option<OwnedSemaphorePermit>,
}

impl Events {
    pub(super) fn new(response: Response, tap: Arc<Tap>, turns: Arc<Semaphore>) -> Self {
        Self { response, parser: Parser::default(), tap, turns, turn: None }
    }

    /// The next event; `None` at the end of the answer.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, NetError> {
        let url = self.response.url().clone();
        self.turn = None;
        loop {
            if let Some(event) = self.parser.ready.pop_front() {
                return Ok(Some(event));
            }
            let chunk = self.response.chunk().await.map_err(|error| NetError::sending(&url, error))?;
            let Some(chunk) = chunk else { return Ok(None) };
            let is_bounded = self.tap.count(chunk.len()) && self.parser.take(&chunk);
            if !is_bounded {
                self.tap.give_up("sent a message that is longer than is listened to");
                return Err(NetError::TooLarge { url, limit: MESSAGE });
            }
            if self.parser.len() > SMALL_MESSAGE && self.turn.is_none() {
                self.turn = Arc::clone(&self.turns).acquire_owned().await.ok();
            }
        }
    }
}

/// Puts events together from pieces of text.
#[derive(Debug, Default)]
struct Parser {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    /// The last byte ended a line as a carriage return, so a line feed belongs to it.
    after_return: bool,
    ready: VecDeque<Event>,
}

impl Parser {
    /// Takes a piece. `false`: an event is too long.
    fn take(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.after_return) => {}
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    self.end_of_line();
                }
                byte => {
                    self.after_return = false;
                    self.line.push(*byte);
                }
            }
            if self.line.len() + self.event.data.len() > MESSAGE {
                return false;
            }
        }
        true
    }

    /// How long what is not yet an event is.
    fn len(&self) -> usize {
        self.line.len() + self.event.data.len()
    }

    fn end_of_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                self.ready.push_back(event);
            }
            return;
        }
        let line = String::from_utf8_lossy(&line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // Comments, ids for going on after a break, and waiting times say nothing to a single reading.
            _ => {}
        }
    }
}

/// Reads bytes as events in two pieces, for the fuzz target.
#[cfg(fuzzing)]
pub(super) fn fuzz(bytes: &[u8]) {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let (mut whole, mut pieces) = (Parser::default(), Parser::default());
    let is_whole = whole.take(bytes);
    assert_eq!(is_whole, pieces.take(first) && pieces.take(second));
    assert_eq!(whole.ready, pieces.ready);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], expected: &[(&str, &str)]) {
        let mut parser = Parser::default();
        assert!(pieces.iter().all(|piece| parser.take(piece.as_bytes())));
        let found: Vec<(String, String)> = parser.ready.into_iter().map(|event| (event.name, event.data)).collect();
        let expected: Vec<(String, String)> = expected.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn events_are_put_together() {
        check(&["event: endpoint\ndata: /x?s=1\n\n"], &[("endpoint", "/x?s=1")]);
        check(&["data: a\r\n", "data:b\r", "\r\ndata: c\n\n"], &[("", "a\nb"), ("", "c")]);
        check(&[": ping\n\nid: 7\nretry: 1\n\n"], &[]);
        check(&["da", "ta: {", "}\n", "\n"], &[("", "{}")]);
        check(&["data: without an end"], &[]);
    }

    #[test]
    fn an_event_without_end_is_given_up() {
        let mut parser = Parser::default();
        assert!(!parser.take("data: x\n".repeat(MESSAGE / 2 + 1).as_bytes()));
    }
}
