//! What went wrong, in words that a person can use and without the names of our own types.

use std::error::Error;

use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::net::NetError;

/// What is said of a server that ended first.
pub(super) const GONE: &str = "it ended before it introduced itself";
/// What is said of one that ended later.
pub(super) const ENDED: &str = "the connection ended";

/// Why a conversation did not begin, in words that a person can use.
pub(super) fn of_start(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) => GONE.to_owned(),
        ClientInitializeError::JsonRpcError(error) => {
            format!("it refuses to introduce itself: {} {}", error.code.0, brief(&error.message))
        }
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let versions: Vec<String> = server_supported.iter().take(10).map(ToString::to_string).collect();
            format!("it speaks only revisions that are not known here: {}", brief(&versions.join(", ")))
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => of_start(fallback),
        ClientInitializeError::TransportError { error, .. } => match of_transport(error) {
            words if words == ENDED => GONE.to_owned(),
            words => words,
        },
        ClientInitializeError::ExpectedInitResult(_) | ClientInitializeError::ExpectedInitResponse(_) => {
            "it does not answer as a server of the protocol does".to_owned()
        }
        other => brief(&other.to_string()),
    }
}

/// What lies behind a failed transport.
pub(super) fn of_transport(error: &DynamicTransportError) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error.error.as_ref());
    let mut last = String::new();
    while let Some(current) = cause {
        if let Some(StreamableHttpError::Client(net)) = current.downcast_ref::<StreamableHttpError<NetError>>() {
            return net.to_string();
        }
        if let Some(net) = current.downcast_ref::<NetError>() {
            return net.to_string();
        }
        let is_broken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
        if current.downcast_ref().is_some_and(is_broken) {
            return ENDED.to_owned();
        }
        // The message of a wrapper names its types; the innermost cause is the one that tells.
        last = current.to_string();
        cause = current.source();
    }
    brief(&last)
}

/// An error with its causes, in one line.
pub(super) fn of_error(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(current) = cause {
        text = format!("{text}: {current}");
        cause = current.source();
    }
    text
}

/// As much of a foreign text as fits into a line of a report.
pub(super) fn brief(text: &str) -> String {
    let end = text.floor_char_boundary(200);
    let start = text.get(..end).unwrap_or_default();
    if start.len() < text.len() { format!("{start}…") } else { start.to_owned() }
}
