//! The first HTTP transport of the protocol, which its client does not have any more: one stream of events for answers,
//! and an address that the stream names for requests.

use std::future::Future;
use std::sync::Arc;

use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use rmcp::RoleClient;
use rmcp::model::ServerJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use url::Url;

use super::events::Events;
use super::http::{Caller, media_type};
use crate::net::{NetError, is_same_origin};

/// Why the stream can't be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SseProblem {
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("HTTP status {0}")]
    Status(u16),
    #[error("the answer is no stream of events")]
    NoStream,
    #[error("the stream ended before it named an address for requests")]
    NoEndpoint,
    #[error("the stream names `{0}` for requests, which is of another origin")]
    ForeignEndpoint(String),
    #[error("a request can't be written")]
    Message(#[from] serde_json::Error),
}

/// An open stream.
pub(super) struct SseTransport {
    caller: Caller,
    endpoint: Url,
    incoming: mpsc::Receiver<ServerJsonRpcMessage>,
    reading: JoinHandle<()>,
}

impl SseTransport {
    /// Opens the stream and waits for the address.
    pub(super) async fn open(caller: Caller) -> Result<Self, SseProblem> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
        let response = caller.send(Method::GET, &caller.url, headers, None).await?;
        if !response.status().is_success() {
            caller.note_refusal(&response);
            return Err(SseProblem::Status(response.status().as_u16()));
        }
        if media_type(&response) != "text/event-stream" {
            return Err(SseProblem::NoStream);
        }
        let mut events = Events::new(response, Arc::clone(&caller.tap), Arc::clone(&caller.turns));
        let endpoint = loop {
            let event = events.next().await?.ok_or(SseProblem::NoEndpoint)?;
            if event.name == "endpoint" {
                break event.data;
            }
        };
        let endpoint = caller.url.join(endpoint.trim()).map_err(|_| SseProblem::NoEndpoint)?;
        if !is_same_origin(&endpoint, &caller.url) {
            let named = endpoint.origin().ascii_serialization();
            return Err(SseProblem::ForeignEndpoint(named));
        }
        let (sender, incoming) = mpsc::channel(4);
        let tap = Arc::clone(&caller.tap);
        let reading = tokio::spawn(async move {
            while let Ok(Some(event)) = events.next().await {
                if !matches!(event.name.as_str(), "" | "message") {
                    continue;
                }
                for message in tap.admit(event.data.as_bytes()) {
                    if sender.send(message).await.is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Self { caller, endpoint, incoming, reading })
    }
}

impl Drop for SseTransport {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

impl Transport<RoleClient> for SseTransport {
    type Error = SseProblem;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), SseProblem>> + Send + 'static {
        self.caller.tap.sending(&item);
        let (caller, endpoint) = (self.caller.clone(), self.endpoint.clone());
        async move {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
            let body = serde_json::to_vec(&item)?;
            let response = caller.send(Method::POST, &endpoint, headers, Some(body)).await?;
            if !response.status().is_success() {
                caller.note_refusal(&response);
                return Err(SseProblem::Status(response.status().as_u16()));
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> Result<(), SseProblem> {
        self.reading.abort();
        Ok(())
    }
}
