//! Looks whether the stored receipts still verify, behind everybody who waits for an answer.
//!
//! All of them after a start, and from then on those that came since. A few at a time with pauses in between, so that no
//! decision waits for it. What does not verify is an event that a detection rule looks at; it is told once, and looked at again
//! until it is right.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tracehound_evidence::event::{CHAIN_BROKEN, Event};
use tracehound_evidence::{Checked, Error, Watch};

use crate::App;

/// How long it waits before it looks for more.
const EVERY: Duration = Duration::from_secs(30);
/// How many receipts are verified without a pause.
const PORTION: usize = 64;
/// How long the pause is: several times as long as the work, so that a core has most of its time for others.
const PAUSE: Duration = Duration::from_millis(10);

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
    /// What was told about it.
    told: Option<String>,
}

/// Starts checking the chains of all tenants.
#[must_use]
pub fn start(app: &App) -> ChainCheck {
    let is_over = Arc::new(AtomicBool::new(false));
    let (app, over) = (app.clone(), is_over.clone());
    let thread = std::thread::spawn(move || work(&app, &over));
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

fn work(app: &App, is_over: &AtomicBool) {
    let mut tenants: BTreeMap<String, Known> = BTreeMap::new();
    while !is_over.load(Ordering::Acquire) {
        for (tenant, ..) in app.evidence().registry().tenants() {
            let known = tenants.entry(tenant.clone()).or_default();
            if let Err(error) = check(app, is_over, &tenant, known) {
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
        if !is_over.load(Ordering::Acquire) {
            std::thread::park_timeout(EVERY);
        }
    }
}

/// Checks what was not checked of a tenant's chain.
fn check(app: &App, is_over: &AtomicBool, tenant: &str, known: &mut Known) -> Result<(), Error> {
    while !is_over.load(Ordering::Acquire) {
        match app.evidence().check_chain(tenant, &mut known.watch, PORTION)? {
            Checked::Sound(0) => {
                known.told = None;
                return Ok(());
            }
            Checked::Sound(_) => std::thread::park_timeout(PAUSE),
            Checked::Broken { code, message } => return tell(app, tenant, known, code, message),
        }
    }
    Ok(())
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
