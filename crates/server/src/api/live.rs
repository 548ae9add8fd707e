//! `GET /v1/ws/events`: what happens, as it happens, one JSON event in each message.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::SinkExt as _;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::App;
use crate::caller::{Access, Caller, Credential};
use crate::live::{Seen, Viewer, dropped};
use crate::problem::Problem;

/// How often a viewer is asked whether it is still there, and whether it may still watch.
const EVERY: Duration = Duration::from_secs(30);
/// How long a viewer may take for what it is sent.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest message of a viewer; none means anything.
const MOST_INCOMING: usize = 4 << 10;
/// Read in small parts: thousands of viewers say next to nothing.
const READ_BUFFER: usize = 1 << 10;
/// How much may wait to be written to a viewer.
const WRITE_BUFFER: usize = 256 << 10;
/// What a viewer is told who may not watch any more.
const NOT_VALID: &str = "the login is not valid any more";
/// How many events go out together.
const TOGETHER: usize = 64;

pub(crate) async fn watch(
    State(app): State<App>,
    caller: Caller,
    credential: Option<Credential>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|error| {
        let detail = format!("open a WebSocket here: {}", error.body_text());
        Problem::new(StatusCode::UPGRADE_REQUIRED, "websocket_required", detail)
    })?;
    let viewer = app.live().join(&caller.tenant).ok_or_else(|| {
        let detail = "too many watch already; try again later";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_viewers", detail)
    })?;
    // Whoever watches does not keep the server from ending.
    let server = app.weak();
    let may_watch =
        move || server().zip(credential.as_ref()).is_some_and(|(app, shown)| shown.opens(&app, Access::Graph));
    let upgrade = upgrade.max_message_size(MOST_INCOMING).max_frame_size(MOST_INCOMING);
    let upgrade = upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(0).max_write_buffer_size(WRITE_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| serve(socket, viewer, may_watch)))
}

async fn serve(mut socket: WebSocket, mut viewer: Viewer, may_watch: impl Fn() -> bool + Send) {
    let mut clock = interval(EVERY);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first tick comes at once.
    clock.tick().await;
    let mut was_heard = true;
    loop {
        tokio::select! {
            seen = viewer.next() => {
                // Whoever lost the right to watch sees nothing of what comes after that, not even until the clock ticks.
                if seen != Seen::Over && !may_watch() {
                    say_goodbye(&mut socket, close_code::POLICY, NOT_VALID).await;
                    return;
                }
                if !pass_on(&mut socket, &mut viewer, seen).await {
                    return;
                }
            }
            said = socket.recv() => match said {
                // What viewers say means nothing, except that they are there.
                Some(Ok(Message::Text(_) | Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => was_heard = true,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            _ = clock.tick() => {
                if !may_watch() {
                    say_goodbye(&mut socket, close_code::POLICY, NOT_VALID).await;
                    return;
                }
                if !was_heard || !send(&mut socket, Message::Ping(bytes::Bytes::new())).await {
                    return;
                }
                was_heard = false;
            }
        }
    }
}

/// Sends what was seen, with what is there besides. Whether the viewer can go on.
async fn pass_on(socket: &mut WebSocket, viewer: &mut Viewer, first: Seen) -> bool {
    let mut next = Some(first);
    for _ in 0..TOGETHER {
        let message = match next {
            Some(Seen::Event(text)) => Message::Text(text),
            Some(Seen::Missed(count)) => Message::Text(dropped(count)),
            Some(Seen::Over) => {
                say_goodbye(socket, close_code::AWAY, "the server stops").await;
                return false;
            }
            None => break,
        };
        if !matches!(timeout(PATIENCE, socket.feed(message)).await, Ok(Ok(()))) {
            return false;
        }
        next = viewer.ready();
    }
    // What was taken out of the queue beyond the limit is sent as well.
    let last = match next {
        Some(Seen::Event(text)) => Some(text),
        Some(Seen::Missed(count)) => Some(dropped(count)),
        Some(Seen::Over) | None => None,
    };
    match last {
        Some(text) => send(socket, Message::Text(text)).await,
        None => matches!(timeout(PATIENCE, socket.flush()).await, Ok(Ok(()))),
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
}

async fn say_goodbye(socket: &mut WebSocket, code: u16, reason: &'static str) {
    // Whoever does not take it is gone.
    let _ = timeout(PATIENCE, socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() })))).await;
}
