//! Streamable HTTP through the guard: what the protocol's own client asks for is sent, and what comes back is looked at.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use reqwest::{Method, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use super::events::Events;
use super::limits::{CHALLENGE, MESSAGE, REFUSAL, SMALL_MESSAGE};
use super::tap::{Tap, as_text};
use crate::net::{Guard, NetError, Sending, Trust, read_bounded};

/// What both ways to speak over HTTP share.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) guard: Guard,
    pub(super) url: Url,
    /// Who named the address.
    pub(super) trust: Trust,
    /// Headers that the user gave for this server. They may hold secrets.
    pub(super) headers: Arc<HeaderMap>,
    pub(super) tap: Arc<Tap>,
    /// Turns for long messages.
    pub(super) turns: Arc<Semaphore>,
}

type Failed = StreamableHttpError<NetError>;

impl Caller {
    /// Sends something to an address of the server.
    pub(super) async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Option<Vec<u8>>,
    ) -> Result<Response, NetError> {
        let own_headers = &self.headers;
        self.guard.send(Sending { method, url, trust: self.trust, headers, own_headers, body }).await
    }

    /// The body of an answer, and the turn that a long one holds until it is let go.
    async fn body(&self, mut response: Response) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), NetError> {
        let url = response.url().clone();
        let (mut body, mut turn) = (Vec::new(), None);
        while let Some(chunk) = response.chunk().await.map_err(|error| NetError::sending(&url, error))? {
            body.extend_from_slice(&chunk);
            if body.len() > MESSAGE {
                self.tap.give_up("sent a message that is longer than is listened to");
                return Err(NetError::TooLarge { url, limit: MESSAGE });
            }
            if body.len() > SMALL_MESSAGE && turn.is_none() {
                turn = Arc::clone(&self.turns).acquire_owned().await.ok();
            }
        }
        Ok((body, turn))
    }

    /// Notes how an answer says no.
    pub(super) fn note_refusal(&self, response: &Response) {
        let values = response.headers().get_all(WWW_AUTHENTICATE).iter();
        let challenges = values
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .filter(|value| value.len() <= CHALLENGE)
            .collect();
        self.tap.refused(response.status().as_u16(), challenges);
    }

    /// An answer with a status that is no success.
    async fn refused(
        &self,
        message: &ClientJsonRpcMessage,
        has_session: bool,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let status = response.status();
        self.note_refusal(&response);
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(status.to_string())));
        }
        if status == StatusCode::NOT_FOUND && has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        let body = read_bounded(response, REFUSAL).await.unwrap_or_default();
        let error = match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            Ok(ServerJsonRpcMessage::Error(error)) => Some(error.error),
            _ => None,
        };
        // A server of an older revision may say no to the question of the newest before it looks at it.
        let older = || ErrorData::invalid_request(format!("HTTP status {status}"), None);
        match message {
            ClientJsonRpcMessage::Request(request)
                if status.is_client_error() && matches!(request.request, ClientRequest::DiscoverRequest(_)) =>
            {
                let error = ServerJsonRpcMessage::error(error.unwrap_or_else(older), Some(request.id.clone()));
                Ok(StreamableHttpPostResponse::Json(error, None))
            }
            ClientJsonRpcMessage::Request(request) if error.is_some() => {
                let error = ServerJsonRpcMessage::error(error.unwrap_or_else(older), Some(request.id.clone()));
                Ok(StreamableHttpPostResponse::Json(error, None))
            }
            _ => Err(HttpStatusError::new(status.as_u16(), None).into()),
        }
    }

    async fn answered(
        &self,
        message: &ClientJsonRpcMessage,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let session = response.headers().get("mcp-session-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let media = media_type(&response);
        if media == "text/event-stream" {
            let events = Events::new(response, Arc::clone(&self.tap), Arc::clone(&self.turns));
            return Ok(StreamableHttpPostResponse::Sse(messages(events, Arc::clone(&self.tap)), session));
        }
        let (body, _turn) = self.body(response).await.map_err(StreamableHttpError::Client)?;
        if !self.tap.count(body.len()) {
            return Err(StreamableHttpError::UnexpectedServerResponse("more than is listened to".into()));
        }
        if !matches!(message, ClientJsonRpcMessage::Request(_)) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if media != "application/json" {
            return Err(StreamableHttpError::UnexpectedContentType(Some(media)));
        }
        let is_answer = |message: &ServerJsonRpcMessage| {
            matches!(message, ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_))
        };
        match self.tap.admit(&body).into_iter().find(is_answer) {
            Some(answer) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            None => Err(StreamableHttpError::UnexpectedServerResponse("no answer of the protocol".into())),
        }
    }
}

/// What an answer says that it is.
pub(super) fn media_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The messages of a stream, as the client reads them.
fn messages(events: Events, tap: Arc<Tap>) -> BoxStream<'static, Result<Sse, SseError>> {
    let next = async |(mut events, tap): (Events, Arc<Tap>)| {
        let event = match events.next().await {
            Ok(Some(event)) => event,
            Ok(None) => return None,
            Err(error) => return Some((Err(SseError::Body(Box::new(error))), (events, tap))),
        };
        let texts = tap.admit(event.data.as_bytes());
        let texts: Vec<Result<Sse, SseError>> =
            texts.iter().filter_map(as_text).map(|text| Ok(Sse::default().data(text))).collect();
        Some((Ok(texts), (events, tap)))
    };
    let batches = stream::unfold((events, tap), next);
    let flat = batches.flat_map(|batch| match batch {
        Ok(texts) => stream::iter(texts),
        Err(error) => stream::iter(vec![Err(error)]),
    });
    flat.boxed()
}

impl StreamableHttpClient for Caller {
    type Error = NetError;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        self.tap.sending(&message);
        let mut headers: HeaderMap = custom_headers.into_iter().collect();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(session) = session_id.as_deref().and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert("mcp-session-id", session);
        }
        let body = serde_json::to_vec(&message)?;
        let response = self.send(Method::POST, &self.url, headers, Some(body)).await;
        let response = response.map_err(StreamableHttpError::Client)?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => Ok(StreamableHttpPostResponse::Accepted),
            status if status.is_success() => self.answered(&message, response).await,
            _ => self.refused(&message, session_id.is_some(), response).await,
        }
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failed> {
        let mut headers: HeaderMap = custom_headers.into_iter().collect();
        if let Ok(session) = HeaderValue::from_str(&session_id) {
            headers.insert("mcp-session-id", session);
        }
        // A server may keep its sessions; then it says so, and nothing is lost.
        let sent = self.send(Method::DELETE, &self.url, headers, None).await;
        sent.map(drop).map_err(StreamableHttpError::Client)
    }

    /// A listing needs no stream for what the server says unasked.
    async fn get_stream(
        &self,
        _uri: Arc<str>,
        _session_id: Option<Arc<str>>,
        _last_event_id: Option<String>,
        _auth_header: Option<String>,
        _custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}
