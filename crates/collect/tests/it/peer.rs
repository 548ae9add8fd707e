//! An HTTP server on loopback that answers as a test tells it to.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What is answered to a path. `None`: nothing, ever.
type Answer = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

/// A server that is there as long as this is.
pub(crate) struct Peer {
    /// `http://127.0.0.1:PORT`.
    pub(crate) url: String,
    heads: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Peer {
    /// Starts one that answers requests for paths.
    pub(crate) async fn start(answer: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self::knowing_itself(move |_| Box::new(answer)).await
    }

    /// Starts one whose answers need to know its URL.
    pub(crate) async fn knowing_itself(answers: impl FnOnce(String) -> Box<Answer>) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        Self::listening(listener, answers(url))
    }

    /// Starts one at a port that is taken already, so that others may know it before.
    pub(crate) async fn at(
        listener: std::net::TcpListener,
        answer: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self::listening(listener, Box::new(answer))
    }

    fn listening(listener: std::net::TcpListener, answer: Box<Answer>) -> Self {
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen): (Arc<Answer>, _) = (Arc::from(answer), Arc::clone(&heads));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&seen)));
            }
        });
        Self { url, heads, task }
    }

    /// Starts one that has this card and nothing else.
    pub(crate) async fn with_card(card: impl Into<Vec<u8>>) -> Self {
        let card = card.into();
        Self::start(move |path| Some(if path == CARD { json(&card) } else { status("404 Not Found", "") })).await
    }

    /// The paths that were asked for, in order.
    pub(crate) fn paths(&self) -> Vec<String> {
        let path = |head: &String| head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.heads.lock().unwrap().iter().map(path).collect()
    }

    /// The requests, without their bodies.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) const CARD: &str = "/.well-known/agent-card.json";
pub(crate) const OLD_CARD: &str = "/.well-known/agent.json";

/// An answer with JSON in it.
pub(crate) fn json(body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    let mut answer = format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// An answer with this status, and perhaps a header.
pub(crate) fn status(status: &str, header: &str) -> Vec<u8> {
    let header = if header.is_empty() { String::new() } else { format!("{header}\r\n") };
    format!("HTTP/1.1 {status}\r\n{header}Content-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}

async fn serve(mut stream: TcpStream, answer: Arc<Answer>, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(length @ 1..) => head.extend_from_slice(buffer.get(..length).unwrap()),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    heads.lock().unwrap().push(head);
    match answer(&path) {
        // The other side may hang up in the middle of what is too long for it.
        Some(answer) => drop(stream.write_all(&answer).await),
        None => std::future::pending().await,
    }
}
