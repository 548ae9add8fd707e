//! One worker of a sweep: tries the places of its blocks.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use futures_util::{FutureExt as _, future};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep_until;

use super::connect::{Begun, begin, finish};
use super::{Ended, Outcome, Shared};
use crate::network::plan::Place;

/// How many places are tried before others get their turn on the thread.
const TURN: usize = 64;

/// A connection in progress; it holds its permit until it is decided.
type Pending = Pin<Box<dyn Future<Output = (Place, Outcome)> + Send>>;

pub(super) struct Worker {
    shared: Arc<Shared>,
    pending: FuturesUnordered<Pending>,
    /// Connections in progress by address; no address is another worker's as well.
    busy: HashMap<IpAddr, usize>,
    /// The permit for the next connection. One that is decided at once leaves it to the one after it.
    permit: Option<OwnedSemaphorePermit>,
}

/// The sweep has ended.
struct Over;

impl Worker {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, pending: FuturesUnordered::new(), busy: HashMap::new(), permit: None }
    }

    pub(super) async fn run(mut self) -> Ended {
        match self.visit_all().await {
            Ok(()) => Ended::Whole,
            Err(Over) => Ended::Early,
        }
    }

    async fn visit_all(&mut self) -> Result<(), Over> {
        let shared = Arc::clone(&self.shared);
        let next_block = || {
            let mut cursor = shared.cursor.lock().unwrap_or_else(PoisonError::into_inner);
            shared.sweep.plan.next_block(&mut cursor)
        };
        let mut tried = 0;
        while let Some(block) = next_block() {
            for place in block.into_places() {
                self.visit(place).await?;
                tried += 1;
                if tried % TURN == 0 {
                    self.let_others().await?;
                }
            }
        }
        self.permit = None;
        while !self.pending.is_empty() {
            self.settle_one(future::pending::<()>()).await?;
        }
        Ok(())
    }

    async fn visit(&mut self, place: Place) -> Result<(), Over> {
        let shared = Arc::clone(&self.shared);
        let per_host = shared.sweep.settings.per_host.max(1);
        while self.busy.get(&place.address).is_some_and(|busy| *busy >= per_host) {
            self.settle_one(future::pending::<()>()).await?;
        }
        while self.permit.is_none() {
            let permit = Arc::clone(&shared.permits).acquire_owned();
            // The semaphore is never closed.
            self.permit = self.settle_one(permit).await?.and_then(Result::ok);
        }
        if let Some(turn) = shared.pace.turn(place.address) {
            while self.settle_one(sleep_until(turn.into())).await?.is_none() {}
        }
        if !shared.sweep.plan.admits(place.address) {
            // Whatever led here, nobody allowed it.
            return shared.settle(place, Outcome::Untried(std::io::ErrorKind::PermissionDenied)).await;
        }
        match begin(place) {
            Begun::Done(outcome) => shared.settle(place, outcome).await,
            begun => {
                *self.busy.entry(place.address).or_default() += 1;
                let (permit, timeout) = (self.permit.take(), shared.sweep.settings.timeout);
                self.pending.push(Box::pin(async move {
                    let outcome = finish(place, begun, timeout).await;
                    drop(permit);
                    (place, outcome)
                }));
                Ok(())
            }
        }
    }

    /// Waits for something, or for a connection in progress, whichever is first; what was waited for, if it was that.
    async fn settle_one<T>(&mut self, wanted: impl Future<Output = T>) -> Result<Option<T>, Over> {
        let (place, outcome) = tokio::select! {
            biased;
            () = self.shared.cancel.cancelled() => return Err(Over),
            () = self.shared.found.closed() => return Err(Over),
            Some(decided) = self.pending.next() => decided,
            wanted = wanted => return Ok(Some(wanted)),
        };
        self.free(place);
        self.shared.settle(place, outcome).await?;
        Ok(None)
    }

    /// Gives the thread to others, and looks whether connections in progress are decided.
    async fn let_others(&mut self) -> Result<(), Over> {
        if self.shared.cancel.is_cancelled() || self.shared.found.is_closed() {
            return Err(Over);
        }
        while let Some(Some((place, outcome))) = self.pending.next().now_or_never() {
            self.free(place);
            self.shared.settle(place, outcome).await?;
        }
        tokio::task::yield_now().await;
        Ok(())
    }

    fn free(&mut self, place: Place) {
        if let Some(busy) = self.busy.get_mut(&place.address) {
            *busy -= 1;
            if *busy == 0 {
                self.busy.remove(&place.address);
            }
        }
    }
}

impl Shared {
    /// Counts an outcome and tells whoever wants to know.
    async fn settle(&self, place: Place, outcome: Outcome) -> Result<(), Over> {
        self.sweep.progress.count(outcome);
        if let Some(watch) = &self.sweep.watch {
            watch(place, outcome);
        }
        if outcome == Outcome::Open {
            self.found.send(place).await.map_err(|_| Over)?;
        }
        Ok(())
    }
}
