//! A server that is a command.

use std::sync::Arc;

use rmcp::service::ClientLifecycleMode;

use super::{Asked, Means, converse, lifecycle, of};
use crate::mcp::limits::{DISCOVER, GRACE};
use crate::mcp::patience::Patience;
use crate::mcp::stdio::Lines;
use crate::mcp::tap::Tap;
use crate::mcp::words::{self, GONE};
use crate::process::Launch;
use crate::secrets::Secrets;

/// Starts it and asks. Older servers may end, or lose their way, when they are asked what they don't know; and a server could
/// answer just that question wrongly to go unseen. So it gets a second chance with the question that all of them know.
pub(super) async fn start(launch: &Launch, secrets: &Secrets, means: &Means, patience: &Patience) -> Asked {
    let (first, is_final) = start_once(launch, secrets, means, patience, lifecycle()).await;
    if is_final {
        return first;
    }
    let (second, _) = start_once(launch, secrets, means, patience, ClientLifecycleMode::Initialize).await;
    Asked {
        starts: first.starts + second.starts,
        repeats_secret: first.repeats_secret || second.repeats_secret,
        ..second
    }
}

/// What was heard, and whether there is no use in trying again.
async fn start_once(
    launch: &Launch,
    secrets: &Secrets,
    means: &Means,
    patience: &Patience,
    lifecycle: ClientLifecycleMode,
) -> (Asked, bool) {
    let started = match means.warden.start_hiding(launch, secrets.values()) {
        Ok(started) => started,
        Err(error) => return (Asked { error: Some(words::of_error(&error)), ..Asked::default() }, true),
    };
    let tap = Arc::new(Tap::new(secrets.clone()));
    let wait = DISCOVER.min(means.allowed / 3);
    let lines = Lines::new(started.stdin, started.stdout, Arc::clone(&tap), Arc::clone(&means.turns), wait);
    let heard = converse(lines, lifecycle, &tap, patience).await;
    let is_final = heard.as_ref().err().is_none_or(|failure| failure.is_final);
    let ended = started.kept.end(GRACE).await;
    let mut asked = Asked { spoken: "stdio", stderr: ended.stderr, starts: 1, ..of(heard, &tap) };
    if ended.survivors > 0 {
        asked.slips.push(format!("left {} processes behind, which were ended", ended.survivors));
    }
    if ended.left > 0 {
        asked.slips.push(format!("left {} processes behind that could not be ended", ended.left));
    }
    if let Some(failure) = ended.failure {
        return (Asked { error: Some(failure), ..asked }, true);
    }
    let is_gone = asked.error.as_deref().is_some_and(|error| error.starts_with(GONE));
    if let (true, Some(how)) = (is_gone, ended.how) {
        asked.error = asked.error.map(|error| error.replacen(GONE, &format!("{GONE}: {how}"), 1));
    }
    (asked, is_final)
}
