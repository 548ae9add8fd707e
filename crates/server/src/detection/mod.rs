//! Detection: looks at what is on record, behind everybody who waits for an answer.
//!
//! One thread reads decisions and other events in their order, shows them to the detector, and writes what follows from
//! them together with the place that it has reached, in one change. So nothing is missed and nothing is told twice,
//! however the process ends. Whoever decides only rings a bell.

mod detective;
mod plan;
mod start;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

use tracehound_evidence::Error;

use crate::App;
use detective::Detective;

pub(crate) use plan::subject;
pub(crate) use start::{AUTOMATIC, ESCALATION, EscalationSetting, ResponseSetting};

/// How long the thread sleeps when nobody rings. Some things happen without a bell.
const SLEEP: Duration = Duration::from_secs(1);
/// How long it waits for more before it looks again, so that many answers make few looks.
const NAP: Duration = Duration::from_millis(20);
/// How long it waits after a failure, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));

/// Wakes the thread that detects. Ringing costs one atomic operation unless the thread sleeps.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    is_rung: AtomicBool,
    sleeper: Mutex<Option<Thread>>,
    /// Tenants whose rules were changed.
    changed: Mutex<BTreeSet<String>>,
}

impl Bell {
    /// Something happened.
    pub(crate) fn ring(&self) {
        if self.is_rung.load(Ordering::Relaxed) || self.is_rung.swap(true, Ordering::AcqRel) {
            return;
        }
        if let Some(thread) = &*self.sleeper.lock().unwrap_or_else(PoisonError::into_inner) {
            thread.unpark();
        }
    }

    /// The rules of a tenant were changed.
    pub(crate) fn rules_changed(&self, tenant: &str) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.to_owned());
        self.ring();
    }

    fn take_changed(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_for(&self, thread: Option<Thread>) {
        *self.sleeper.lock().unwrap_or_else(PoisonError::into_inner) = thread;
    }
}

/// Detection that goes on. It ends when this is dropped.
#[derive(Debug)]
pub struct Detection {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Starts detection over everything that it has not seen.
#[must_use]
pub fn start(app: &App) -> Detection {
    let is_over = Arc::new(AtomicBool::new(false));
    let (app, over) = (app.clone(), is_over.clone());
    let thread = std::thread::spawn(move || work(&app, &over));
    Detection { is_over, thread: Some(thread) }
}

impl Drop for Detection {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// Tries again after failures, and starts afresh from the record each time.
fn work(app: &App, is_over: &AtomicBool) {
    app.detection().is_for(Some(std::thread::current()));
    let mut pause = PAUSES.0;
    while !is_over.load(Ordering::Acquire) {
        match detect(app, is_over, &mut pause) {
            Ok(()) => break,
            Err(error) => {
                crate::log::failure("detection", &error);
                std::thread::park_timeout(pause);
                pause = (pause * 2).min(PAUSES.1);
            }
        }
    }
    app.detection().is_for(None);
}

fn detect(app: &App, is_over: &AtomicBool, pause: &mut Duration) -> Result<(), Error> {
    let mut detective = Detective::start(app)?;
    while !is_over.load(Ordering::Acquire) {
        app.detection().is_rung.store(false, Ordering::Release);
        let is_more = detective.look()?;
        *pause = PAUSES.0;
        if is_more {
            continue;
        }
        if !app.detection().is_rung.load(Ordering::Acquire) {
            std::thread::park_timeout(SLEEP);
        }
        if !is_over.load(Ordering::Acquire) {
            std::thread::sleep(NAP);
        }
    }
    Ok(())
}
