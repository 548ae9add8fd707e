//! Tells whether there is an MCP server at an address, by greeting it: its lists are not asked for, and the session is closed.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::patience::Depth;
use super::{Request, Server, Status, converse};
use crate::builder::Builder;
use crate::detection::{Detection, DetectionError};
use crate::net::Guard;
use crate::process::Warden;

/// Greets servers and tells which there are, in the order of the ids.
///
/// Who refuses strangers counts as a server only if its metadata say so (RFC 9728): anything may answer with status 401.
pub(crate) async fn recognise(
    request: Request,
    guard: &Guard,
    warden: &Arc<Warden>,
    detection: &Detection,
    cancel: &CancellationToken,
) -> Result<Vec<(Server, Builder)>, DetectionError> {
    let done = converse(request, Depth::Introduction, guard, warden, detection, cancel, &|_, _, _| ()).await?;
    let is_server = |server: &Server| {
        server.status == Status::Reachable.name()
            || (server.status == Status::Protected.name() && server.auth == Some("oauth"))
    };
    let found = done.into_iter().filter(|conversation| is_server(&conversation.server));
    Ok(found
        .map(|mut conversation| {
            conversation.builder.change(&conversation.target.id, |node| {
                // What was not asked for is not known.
                for key in ["cut_short", "error", "stderr"] {
                    node.properties.remove(key);
                }
            });
            (conversation.server, conversation.builder)
        })
        .collect())
}
