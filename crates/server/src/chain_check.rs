//! Looks whether the stored receipts still verify, behind everybody who waits for an answer.
//!
//! All of them after a start, then those that came since, and all of them again every hour: what was sound once can be changed
//! later. A few at a time with pauses as long as the work, so that no decision waits for it; without pauses when so much has come
//! that it would fall behind. What does not verify is an event that a detection rule looks at; it is told once, and looked at again
//! until it is right.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tracehound_evidence::event::{CHAIN_BROKEN, Event};
use tracehound_evidence::{Checked, Error, Watch};

use crate::App;

/// How long it waits before it looks for more.
const EVERY: Duration = Duration::from_secs(30);
/// How long after a pass over everything the next one begins.
const WHOLE: Duration = Duration::from_secs(3_600);
/// How many receipts are verified without a pause.
const PORTION: usize = 256;
/// How much of a pass over everything is done before looking at what has come since.
const STRETCH: u64 = 50_000;
/// With more than this still to be checked there are no pauses.
const BEHIND: u64 = 50_000;

/// A check that goes on. It ends when this is dropped.
#[derive(Debug)]
pub struct ChainCheck {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What is known of a tenant's chain.
#[derive(Debug, Default)]
struct Known {
    watch: Watch,
    /// A pass over everything that was checked before.
    again: Option<Watch>,
    /// When such a pass ended.
    whole_at: Option<Instant>,
    /// What was told about it.
    told: Option<String>,
}

/// Starts checking the chains of all tenants.
#[must_use]
pub fn start(app: &App) -> ChainCheck {
    start_with(app, EVERY, WHOLE)
}

/// Starts checking: how long to wait before looking for more, and how long before looking at everything again.
#[must_use]
pub fn start_with(app: &App, every: Duration, whole: Duration) -> ChainCheck {
    let is_over = Arc::new(AtomicBool::new(false));
    let (app, over) = (app.clone(), is_over.clone());
    let thread = std::thread::spawn(move || work(&app, &over, every, whole));
    ChainCheck { is_over, thread: Some(thread) }
}

impl Drop for ChainCheck {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

fn work(app: &App, is_over: &AtomicBool, every: Duration, whole: Duration) {
    let mut tenants: BTreeMap<String, Known> = BTreeMap::new();
    while !is_over.load(Ordering::Acquire) {
        for (tenant, ..) in app.evidence().registry().tenants() {
            let known = tenants.entry(tenant.clone()).or_default();
            if let Err(error) = check(app, is_over, &tenant, known, whole) {
                crate::log::failure("checking receipts", &error);
            }
        }
        let counters = app.counters();
        let broken = tenants.values().filter(|known| known.told.is_some()).count() as u64;
        counters.chains_broken.store(broken, Ordering::Relaxed);
        let checked = tenants.values().map(|known| known.watch.receipts()).sum();
        counters.receipts_checked.store(checked, Ordering::Relaxed);
        let seconds = u64::try_from(app.evidence().now().micros() / 1_000_000).unwrap_or_default();
        counters.chains_checked_at.store(seconds, Ordering::Relaxed);
        let is_amid = tenants.values().any(|known| known.again.is_some() && known.told.is_none());
        if !is_over.load(Ordering::Acquire) && !is_amid {
            std::thread::park_timeout(every);
        }
    }
}

/// Checks what was not checked of a tenant's chain, and all of it again if that is due.
fn check(app: &App, is_over: &AtomicBool, tenant: &str, known: &mut Known, whole: Duration) -> Result<(), Error> {
    if let Some((code, message)) = walk(app, is_over, tenant, &mut known.watch, u64::MAX)? {
        return tell(app, tenant, known, code, message);
    }
    let whole_at = *known.whole_at.get_or_insert_with(Instant::now);
    if known.again.is_none() && whole_at.elapsed() < whole {
        known.told = None;
        return Ok(());
    }
    let mut again = known.again.take().unwrap_or_default();
    let size = known.watch.receipts();
    let end = again.receipts().saturating_add(STRETCH).min(size);
    let broken = walk(app, is_over, tenant, &mut again, end)?;
    let is_rewritten = || again.receipts() == size && again.root() != known.watch.root();
    let broken = broken.or_else(|| is_rewritten().then(rewritten));
    if let Some((code, message)) = broken {
        // It is looked at again from where it is wrong, until it is right.
        known.again = Some(again);
        return tell(app, tenant, known, code, message);
    }
    known.told = None;
    if again.receipts() < size {
        known.again = Some(again);
    } else {
        known.whole_at = Some(Instant::now());
    }
    Ok(())
}

fn rewritten() -> (&'static str, String) {
    ("rewritten", "the receipts are others than they were when they were checked before".to_owned())
}

/// Goes on with a pass, up to so many receipts. Gives what is wrong.
fn walk(
    app: &App,
    is_over: &AtomicBool,
    tenant: &str,
    watch: &mut Watch,
    size: u64,
) -> Result<Option<(&'static str, String)>, Error> {
    while !is_over.load(Ordering::Acquire) {
        let begun = Instant::now();
        let left = usize::try_from(size - watch.receipts().min(size)).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(None);
        }
        match app.evidence().check_chain(tenant, watch, left.min(PORTION))? {
            Checked::Sound(0) => return Ok(None),
            Checked::Sound(_) => {
                let head = app.evidence().chain_head(tenant)?.map_or(0, |(sequence, _)| sequence + 1);
                if head.min(size).saturating_sub(watch.receipts()) < BEHIND {
                    std::thread::park_timeout(begun.elapsed());
                }
            }
            Checked::Broken { code, message } => return Ok(Some((code, message))),
        }
    }
    Ok(None)
}

fn tell(app: &App, tenant: &str, known: &mut Known, code: &str, message: String) -> Result<(), Error> {
    if known.told.as_ref() == Some(&message) {
        return Ok(());
    }
    crate::log::note(&format!("the receipts of tenant `{tenant}` DO NOT VERIFY: {message}"));
    let event = Event {
        event_id: uuid::Uuid::now_v7().hyphenated().to_string(),
        occurred_at: app.evidence().now(),
        kind: CHAIN_BROKEN.to_owned(),
        reason: message.clone(),
        code: code.to_owned(),
        risk_score: 100,
        ..Event::about_agent(tenant, None)
    };
    app.evidence().write(move |ledger| ledger.note(&event))?;
    known.told = Some(message);
    app.detection().ring();
    Ok(())
}
