//! Live viewers: what happens is handed to them, and nobody waits for them.
//!
//! Whoever tells something puts it into a queue of its tenant, and only if that tenant has viewers. One task for each such
//! tenant writes an event down once and shares the text with all viewers. A viewer that can't keep up misses events and is
//! told how many; the same holds for the queue. There is no history and no resuming.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{broadcast, mpsc};
use tracehound_evidence::event::Event;

/// How many events a viewer, and a tenant's queue, may lag behind before some are left out.
const LAG: usize = 4_096;
/// Most viewers at one time. Each has a socket of its own.
const MOST_VIEWERS: u64 = 16_384;

/// Everybody who watches.
#[derive(Debug, Default)]
pub(crate) struct Live {
    tenants: RwLock<HashMap<String, Channel>>,
    viewers: AtomicU64,
}

/// What leads to the viewers of a tenant.
#[derive(Debug)]
struct Channel {
    queue: mpsc::Sender<Event>,
    /// Events that found the queue full.
    missed: Arc<AtomicU64>,
    viewers: broadcast::Sender<Utf8Bytes>,
}

/// Somebody who watches one tenant.
#[derive(Debug)]
pub(crate) struct Viewer {
    tenant: String,
    /// Taken out when the viewer leaves.
    receiver: Option<broadcast::Receiver<Utf8Bytes>>,
    live: Weak<Live>,
}

/// What a viewer gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// An event, as JSON.
    Event(Utf8Bytes),
    /// So many events were left out.
    Missed(u64),
    /// Nothing comes any more.
    Over,
}

impl Live {
    /// How many watch.
    pub(crate) fn viewers(&self) -> u64 {
        self.viewers.load(Ordering::Relaxed)
    }

    /// Whether anybody watches a tenant, so that it is worth making an event.
    pub(crate) fn has_viewers(&self, tenant: &str) -> bool {
        self.viewers() > 0 && self.tenants.read().unwrap_or_else(PoisonError::into_inner).contains_key(tenant)
    }

    /// Tells the viewers of the event's tenant. Never waits.
    pub(crate) fn tell(&self, event: Event) {
        if self.viewers() == 0 {
            return;
        }
        let tenants = self.tenants.read().unwrap_or_else(PoisonError::into_inner);
        let Some(channel) = tenants.get(&event.tenant_id) else { return };
        if channel.queue.try_send(event).is_err() {
            channel.missed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Somebody begins to watch a tenant; nothing if there are too many already. Needs a runtime.
    pub(crate) fn join(self: &Arc<Self>, tenant: &str) -> Option<Viewer> {
        let mut tenants = self.tenants.write().unwrap_or_else(PoisonError::into_inner);
        if self.viewers() >= MOST_VIEWERS {
            return None;
        }
        let receiver = tenants.entry(tenant.to_owned()).or_insert_with(Channel::open).viewers.subscribe();
        self.viewers.fetch_add(1, Ordering::Relaxed);
        Some(Viewer { tenant: tenant.to_owned(), receiver: Some(receiver), live: Arc::downgrade(self) })
    }
}

impl Channel {
    fn open() -> Self {
        let (queue, waiting) = mpsc::channel(LAG);
        let viewers = broadcast::channel(LAG).0;
        let missed = Arc::new(AtomicU64::new(0));
        tokio::spawn(share(waiting, missed.clone(), viewers.clone()));
        Self { queue, missed, viewers }
    }
}

/// Writes events down and shares the texts, until nobody can tell anything any more.
async fn share(mut waiting: mpsc::Receiver<Event>, missed: Arc<AtomicU64>, viewers: broadcast::Sender<Utf8Bytes>) {
    while let Some(event) = waiting.recv().await {
        let count = missed.swap(0, Ordering::Relaxed);
        if count > 0 {
            let _ = viewers.send(dropped(count));
        }
        if let Ok(text) = serde_json::to_string(&event) {
            let _ = viewers.send(text.into());
        }
    }
}

/// What viewers are told instead of events that they missed.
pub(crate) fn dropped(count: u64) -> Utf8Bytes {
    format!("{{\"type\":\"events_dropped\",\"count\":{count}}}").into()
}

impl Viewer {
    /// What comes next.
    pub(crate) async fn next(&mut self) -> Seen {
        let Some(receiver) = &mut self.receiver else { return Seen::Over };
        match receiver.recv().await {
            Ok(text) => Seen::Event(text),
            Err(broadcast::error::RecvError::Lagged(count)) => Seen::Missed(count),
            Err(broadcast::error::RecvError::Closed) => Seen::Over,
        }
    }

    /// What is there already.
    pub(crate) fn ready(&mut self) -> Option<Seen> {
        match self.receiver.as_mut()?.try_recv() {
            Ok(text) => Some(Seen::Event(text)),
            Err(broadcast::error::TryRecvError::Lagged(count)) => Some(Seen::Missed(count)),
            Err(broadcast::error::TryRecvError::Empty | broadcast::error::TryRecvError::Closed) => None,
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let Some(live) = self.live.upgrade() else { return };
        let mut tenants = live.tenants.write().unwrap_or_else(PoisonError::into_inner);
        drop(self.receiver.take());
        live.viewers.fetch_sub(1, Ordering::Relaxed);
        let is_last = tenants.get(&self.tenant).is_some_and(|channel| channel.viewers.receiver_count() == 0);
        if is_last {
            tenants.remove(&self.tenant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(tenant: &str, code: usize) -> Event {
        Event { code: code.to_string(), ..Event::about_agent(tenant, None) }
    }

    async fn code(viewer: &mut Viewer) -> String {
        let Seen::Event(text) = viewer.next().await else { panic!("no event") };
        let value: serde_json::Value = serde_json::from_str(text.as_str()).unwrap();
        value.get("code").and_then(|code| code.as_str()).unwrap().to_owned()
    }

    #[tokio::test]
    async fn viewers_see_their_own_tenant_and_leave_nothing_behind() {
        let live = Arc::new(Live::default());
        live.tell(event("a", 0));
        let (mut first, mut second) = (live.join("a").unwrap(), live.join("a").unwrap());
        let other = live.join("b").unwrap();
        live.tell(event("b", 1));
        live.tell(event("a", 2));
        assert_eq!((code(&mut first).await, code(&mut second).await), ("2".to_owned(), "2".to_owned()));
        assert!(live.has_viewers("a") && live.has_viewers("b") && !live.has_viewers("c"));
        drop((first, second, other));
        assert_eq!((live.viewers(), live.has_viewers("a")), (0, false));
    }

    #[tokio::test]
    async fn a_viewer_that_lags_is_told_how_much_it_missed() {
        let live = Arc::new(Live::default());
        let mut viewer = live.join("a").unwrap();
        let all = 2 * LAG;
        for number in 0..all {
            live.tell(event("a", number));
            // The task that shares keeps up; the viewer does not.
            tokio::task::yield_now().await;
        }
        let (mut seen, mut missed) = (0, 0);
        while seen + missed < all as u64 {
            match viewer.next().await {
                Seen::Event(text) if text.as_str().contains("events_dropped") => {
                    let told: serde_json::Value = serde_json::from_str(text.as_str()).unwrap();
                    missed += told["count"].as_u64().unwrap();
                }
                Seen::Event(_) => seen += 1,
                Seen::Missed(count) => missed += count,
                Seen::Over => panic!("over"),
            }
        }
        assert!(missed >= 1 && seen >= 1, "{missed} {seen}");
    }

    #[tokio::test]
    async fn viewers_are_let_go_when_nobody_can_tell_anything() {
        let live = Arc::new(Live::default());
        let mut viewer = live.join("a").unwrap();
        drop(live);
        assert_eq!(viewer.next().await, Seen::Over);
    }
}
