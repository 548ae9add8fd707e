//! A server at an address.

use std::sync::Arc;

use reqwest::header::HeaderMap;
use rmcp::service::ClientLifecycleMode;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use url::Url;

use super::{Asked, Means, Status, converse, lifecycle, of};
use crate::mcp::auth::{self, Demand};
use crate::mcp::http::Caller;
use crate::mcp::patience::{Depth, Patience};
use crate::mcp::sse::SseTransport;
use crate::mcp::tap::Tap;
use crate::net::Trust;
use crate::secrets::Secrets;

/// Where a server is, and what it is sent.
pub(super) struct Place<'p> {
    pub(super) url: &'p Url,
    pub(super) trust: Trust,
    pub(super) headers: &'p Arc<HeaderMap>,
    pub(super) secrets: &'p Secrets,
}

/// Calls it with the user's headers, and as a stranger: what a server demands is what strangers meet.
pub(super) async fn call(place: &Place<'_>, means: &Means, patience: &Patience) -> Asked {
    let asked = call_as(place, Arc::clone(place.headers), means, patience).await;
    if patience.depth == Depth::Introduction {
        // Who greets strangers may still keep its lists from them.
        return asked;
    }
    if place.headers.is_empty() {
        return told(place, asked);
    }
    let stranger = told(place, call_as(place, Arc::default(), means, patience).await);
    match (asked.status, stranger.status) {
        (Status::Reachable, _) => Asked { demand: stranger.demand, ..asked },
        (_, Status::Reachable) => {
            let mut slips = stranger.slips;
            slips.push("refuses what its configuration sends it, and answers without".to_owned());
            Asked { slips, ..stranger }
        }
        _ => asked,
    }
}

/// Notes that a stranger was served, if it was to the end and nothing in the address is a secret.
fn told(place: &Place<'_>, asked: Asked) -> Asked {
    let url = place.url;
    let has_secrets = url.query().is_some() || !url.username().is_empty() || url.password().is_some();
    let is_served = asked.heard.as_ref().is_some_and(|heard| heard.cuts().is_empty());
    if asked.demand.is_some() || has_secrets || !is_served {
        return asked;
    }
    let evidence = "it answered without being told who asks".to_owned();
    Asked { demand: Some(Demand { method: "none", evidence, ..Demand::default() }), ..asked }
}

async fn call_as(place: &Place<'_>, headers: Arc<HeaderMap>, means: &Means, patience: &Patience) -> Asked {
    let caller = Caller {
        guard: means.guard.clone(),
        url: place.url.clone(),
        trust: place.trust,
        headers,
        tap: Arc::new(Tap::new(place.secrets.clone())),
        turns: Arc::clone(&means.turns),
    };
    let (mut asked, is_final) = streamable(&caller, lifecycle(), patience).await;
    if !is_final && caller.tap.refusal().is_none() {
        // A server could answer just the question of the newest revision wrongly to go unseen.
        let caller = Caller { tap: Arc::new(Tap::new(place.secrets.clone())), ..caller.clone() };
        (asked, _) = streamable(&caller, ClientLifecycleMode::Initialize, patience).await;
    }
    let demand = demand(&caller.tap, place, means, patience).await;
    match (asked.status, demand) {
        // What is behind the handshake may be for those only that it knows.
        (Status::Reachable, Some(demand)) if asked.heard.as_ref().is_some_and(|heard| !heard.cuts().is_empty()) => {
            Asked { demand: Some(demand), ..asked }
        }
        (Status::Reachable, _) => asked,
        (_, Some(demand)) => {
            Asked { status: Status::Protected, demand: Some(demand), slips: asked.slips, ..Asked::default() }
        }
        (_, None) => older(asked, caller, place, means, patience).await,
    }
}

async fn streamable(caller: &Caller, lifecycle: ClientLifecycleMode, patience: &Patience) -> (Asked, bool) {
    let config = StreamableHttpClientTransportConfig::with_uri(caller.url.as_str()).reinit_on_expired_session(false);
    let transport = StreamableHttpClientTransport::with_client(caller.clone(), config);
    let heard = converse(transport, lifecycle, &caller.tap, patience).await;
    let is_final = heard.as_ref().err().is_none_or(|failure| failure.is_final);
    (Asked { spoken: "streamable_http", ..of(heard, &caller.tap) }, is_final)
}

/// Where HTTP said no to the way of today, there may be a server of the first way.
async fn older(asked: Asked, caller: Caller, place: &Place<'_>, means: &Means, patience: &Patience) -> Asked {
    let is_older =
        caller.tap.refusal().is_some_and(|refusal| matches!(refusal.status, 400 | 404 | 405 | 406 | 415 | 501));
    if !is_older {
        return Asked { spoken: "", ..asked };
    }
    let tap = Arc::new(Tap::new(place.secrets.clone()));
    let first = asked.error.clone().unwrap_or_default();
    match patience.wait(SseTransport::open(Caller { tap: Arc::clone(&tap), ..caller })).await {
        Ok(Ok(transport)) => {
            let heard = converse(transport, ClientLifecycleMode::Initialize, &tap, patience).await;
            Asked { spoken: "sse", ..of(heard, &tap) }
        }
        Ok(Err(problem)) => match demand(&tap, place, means, patience).await {
            Some(demand) => Asked { status: Status::Protected, demand: Some(demand), ..Asked::default() },
            None => {
                Asked { error: Some(format!("{first}; nor as a stream of events: {problem}")), spoken: "", ..asked }
            }
        },
        Err(late) => Asked { error: Some(late.to_string()), spoken: "", ..asked },
    }
}

/// What a server wants to know of whoever asks, if it said so.
async fn demand(tap: &Tap, place: &Place<'_>, means: &Means, patience: &Patience) -> Option<Demand> {
    let refusal = tap.refusal().filter(|refusal| matches!(refusal.status, 401 | 403))?;
    let asking = auth::demand(&means.guard, place.url, place.trust, &refusal);
    Some(patience.wait(asking).await.unwrap_or_else(|late| Demand {
        method: "unknown",
        evidence: format!("it answers strangers with status {}", refusal.status),
        problems: vec![late.to_string()],
        ..Demand::default()
    }))
}
