//! Messages as lines of a process: the transport for servers that are started.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientRequest, ErrorCode, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::IgnoredAny;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout_at};

use super::limits::{MESSAGE, SMALL_MESSAGE};
use super::tap::Tap;

/// Messages that are read ahead.
const AHEAD: usize = 4;

/// The two ends of a process.
pub(super) struct Lines<W> {
    writer: Arc<Mutex<Option<W>>>,
    incoming: mpsc::Receiver<ServerJsonRpcMessage>,
    tap: Arc<Tap>,
    /// The question of the newest revision, and when older servers have had long enough to say that they don't know it.
    discover: Option<(RequestId, Instant)>,
    /// How long that is.
    wait: Duration,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Lines<W> {
    /// Begins to read. `turns` are for long messages; `wait` is for servers that say nothing to what they don't know.
    pub(super) fn new(
        writer: W,
        reader: impl AsyncRead + Unpin + Send + 'static,
        tap: Arc<Tap>,
        turns: Arc<Semaphore>,
        wait: Duration,
    ) -> Self {
        let (sender, incoming) = mpsc::channel(AHEAD);
        let reading = Reading { line: Vec::new(), permit: None, turns, tap: Arc::clone(&tap), sender };
        tokio::spawn(reading.run(reader));
        Self { writer: Arc::new(Mutex::new(Some(writer))), incoming, tap, discover: None, wait }
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Transport<RoleClient> for Lines<W> {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleClient>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.tap.sending(&item);
        if let TxJsonRpcMessage::<RoleClient>::Request(request) = &item {
            let is_discover = matches!(request.request, ClientRequest::DiscoverRequest(_));
            self.discover = is_discover.then(|| (request.id.clone(), Instant::now() + self.wait));
        }
        let writer = Arc::clone(&self.writer);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut writer = writer.lock().await;
            let writer = writer.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            writer.write_all(&line).await?;
            writer.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let Some((id, until)) = self.discover.clone() else { return self.incoming.recv().await };
        match timeout_at(until, self.incoming.recv()).await {
            Ok(Some(message)) => {
                let is_answer = matches!(message, ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_));
                if is_answer {
                    self.discover = None;
                }
                Some(message)
            }
            Ok(None) => None,
            Err(_) => {
                // Many servers say nothing at all to what they don't know.
                self.discover = None;
                self.tap.forget(&id);
                let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "no answer", None);
                Some(ServerJsonRpcMessage::error(error, Some(id)))
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        // A server takes the end of its input for the end of the conversation.
        self.writer.lock().await.take();
        Ok(())
    }
}

/// What reads lines and hands on the messages in them.
struct Reading {
    line: Vec<u8>,
    /// The turn that a long line holds until it is read.
    permit: Option<OwnedSemaphorePermit>,
    turns: Arc<Semaphore>,
    tap: Arc<Tap>,
    sender: mpsc::Sender<ServerJsonRpcMessage>,
}

impl Reading {
    /// Reads to the end, to a line that is too long, or until nobody listens any more.
    async fn run(mut self, mut reader: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 64 << 10];
        loop {
            let length = match reader.read(&mut chunk).await {
                Ok(0) | Err(_) => break,
                Ok(length) => length,
            };
            if !self.tap.count(length) {
                self.tap.give_up("sent more than is listened to");
                return;
            }
            let mut rest = chunk.get(..length).unwrap_or_default();
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let (line, next) = rest.split_at(end);
                self.line.extend_from_slice(line);
                if !self.hand_on().await {
                    return;
                }
                rest = next.get(1..).unwrap_or_default();
            }
            self.line.extend_from_slice(rest);
            if !self.may_go_on().await {
                return;
            }
        }
        // A last line without its end is a message, too, unless it was cut off.
        if serde_json::from_slice::<IgnoredAny>(&self.line).is_ok() {
            self.hand_on().await;
        }
    }

    /// Whether the line may become longer. A long one waits for its turn.
    async fn may_go_on(&mut self) -> bool {
        if self.line.len() > MESSAGE {
            self.tap.give_up("sent a message that is longer than is listened to");
            return false;
        }
        if self.line.len() > SMALL_MESSAGE && self.permit.is_none() {
            self.permit = Arc::clone(&self.turns).acquire_owned().await.ok();
        }
        true
    }

    async fn hand_on(&mut self) -> bool {
        let line = std::mem::take(&mut self.line);
        for message in self.tap.admit(&line) {
            if self.sender.send(message).await.is_err() {
                return false;
            }
        }
        self.permit = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(sent: Vec<u8>) -> (usize, String) {
        let tap = Arc::new(Tap::default());
        let mut lines = Lines::new(
            tokio::io::sink(),
            std::io::Cursor::new(sent),
            Arc::clone(&tap),
            Arc::new(Semaphore::new(1)),
            Duration::ZERO,
        );
        let mut count = 0;
        while lines.receive().await.is_some() {
            count += 1;
        }
        (count, format!("{:?} {:?}", tap.slips(), tap.given_up()))
    }

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    #[tokio::test]
    async fn lines_are_messages() {
        let sent = format!("{PING}\r\n\n{PING}\nhello\n{PING}");
        let (count, slips) = read(sent.into_bytes()).await;
        assert_eq!(count, 3);
        assert!(slips.contains("not JSON"), "{slips}");
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up() {
        let (count, slips) = read(vec![b'x'; MESSAGE + (1 << 20)]).await;
        assert_eq!(count, 0);
        assert!(slips.contains("longer than is listened to"), "{slips}");
    }

    #[tokio::test]
    async fn long_messages_take_turns_and_pass() {
        let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "y".repeat(3 << 20));
        let (count, _) = read(format!("{long}\n{long}\n{PING}\n").into_bytes()).await;
        assert_eq!(count, 3);
    }
}
