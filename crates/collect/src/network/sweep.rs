//! Which places of a plan accept connections.
//!
//! Each worker takes a block of addresses and tries its places in order. Most connections are decided the moment they are
//! tried, at least nearby, and cost nothing but system calls; only those in progress are handed to the runtime. An
//! address is in one block and a block has one worker, so that nobody has to agree with anybody about how often a
//! machine is asked. What is open is handed on as it is found; nothing is kept about the rest but numbers.

mod connect;
mod pace;
mod worker;

use std::io::ErrorKind;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::plan::{Cursor, Place, Plan};
use pace::Pace;
use worker::Worker;

/// How a sweep goes about it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How long a connection may take to come about.
    pub timeout: Duration,
    /// How many connections may be in progress. No more ever are than half of the files that this process may open.
    pub at_once: usize,
    /// How many of them to one address.
    pub per_host: usize,
    /// How many connections are begun in a second, wherever they go. If it is not said, it is
    /// [`RATE`](Settings::RATE), and this machine itself may be asked as fast as it can answer.
    pub rate: Option<NonZeroU32>,
}

impl Settings {
    /// Connections a second to other machines, unless it is said otherwise.
    pub const RATE: NonZeroU32 = NonZeroU32::new(1000).unwrap();
}

impl Default for Settings {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(2), at_once: 512, per_host: 4, rate: None }
    }
}

/// What came of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Somebody listens.
    Open,
    /// Nobody does.
    Closed,
    /// No answer in time.
    Silent,
    /// There is no way to the address.
    Unreachable(ErrorKind),
    /// This machine could not try, for want of something that did not come back in time.
    Untried(ErrorKind),
}

/// How far a sweep is.
#[derive(Debug, Default)]
pub struct Progress {
    open: AtomicU64,
    closed: AtomicU64,
    silent: AtomicU64,
    unreachable: AtomicU64,
    untried: AtomicU64,
}

impl Progress {
    /// Places of which something is known.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.open() + self.closed() + self.silent() + self.unreachable() + self.untried()
    }

    /// Places where somebody listens.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    /// Places where nobody does.
    #[must_use]
    pub fn closed(&self) -> u64 {
        self.closed.load(Ordering::Relaxed)
    }

    /// Places that gave no answer.
    #[must_use]
    pub fn silent(&self) -> u64 {
        self.silent.load(Ordering::Relaxed)
    }

    /// Places to which there is no way.
    #[must_use]
    pub fn unreachable(&self) -> u64 {
        self.unreachable.load(Ordering::Relaxed)
    }

    /// Places that this machine could not try.
    #[must_use]
    pub fn untried(&self) -> u64 {
        self.untried.load(Ordering::Relaxed)
    }

    fn count(&self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Open => &self.open,
            Outcome::Closed => &self.closed,
            Outcome::Silent => &self.silent,
            Outcome::Unreachable(_) => &self.unreachable,
            Outcome::Untried(_) => &self.untried,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every place was tried.
    Whole,
    /// It was cancelled, or nobody wanted to know any more.
    Early,
}

/// Told of every place, as its outcome is known.
pub type Watch = dyn Fn(Place, Outcome) + Send + Sync;

/// A sweep over a plan.
pub struct Sweep {
    /// Where to go.
    pub plan: Arc<Plan>,
    /// How.
    pub settings: Settings,
    /// Counts what was done.
    pub progress: Arc<Progress>,
    /// Told of every place; the sweep itself remembers none.
    pub watch: Option<Box<Watch>>,
}

impl Sweep {
    /// Tries every place and hands on those that are open. The receiver must be read, or dropped to end the sweep:
    /// while it is full, no further place is tried.
    pub async fn run(self, found: mpsc::Sender<Place>, cancel: &CancellationToken) -> Ended {
        let at_once = self.settings.at_once.min(most_at_once()).max(1);
        let workers = at_once.min(2 * std::thread::available_parallelism().map_or(1, usize::from));
        let shared = Arc::new(Shared {
            cursor: Mutex::default(),
            permits: Arc::new(Semaphore::new(at_once)),
            pace: Pace::new(self.settings.rate),
            sweep: self,
            found,
            cancel: cancel.clone(),
        });
        let mut tasks = JoinSet::new();
        for _ in 0..workers {
            tasks.spawn(Worker::new(Arc::clone(&shared)).run());
        }
        drop(shared);
        let mut ended = Ended::Whole;
        while let Some(task) = tasks.join_next().await {
            if !matches!(task, Ok(Ended::Whole)) {
                ended = Ended::Early;
            }
        }
        ended
    }
}

impl std::fmt::Debug for Sweep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sweep")
            .field("settings", &self.settings)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

/// What the workers of a sweep have in common.
struct Shared {
    sweep: Sweep,
    cursor: Mutex<Cursor>,
    permits: Arc<Semaphore>,
    pace: Pace,
    found: mpsc::Sender<Place>,
    cancel: CancellationToken,
}

/// How many connections may be in progress.
fn most_at_once() -> usize {
    #[cfg(unix)]
    {
        room(rustix::process::getrlimit(rustix::process::Resource::Nofile).current)
    }
    #[cfg(not(unix))]
    room(None)
}

/// The room that a limit on open files leaves: half of it, the rest is for what is found.
fn room(limit: Option<u64>) -> usize {
    limit.map_or(usize::MAX, |limit| usize::try_from(limit / 2).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests;
