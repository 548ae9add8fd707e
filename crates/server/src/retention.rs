//! Takes the details out of what is older than somebody said, once an hour, behind everybody who waits for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::App;

/// How often.
const EVERY: Duration = Duration::from_secs(3_600);
/// What can be asked for: a day to a hundred years.
pub const DAYS: std::ops::RangeInclusive<u32> = 1..=36_525;
/// The seconds of a day.
pub(crate) const DAY: i64 = 86_400;
/// Who does it.
const BY: &str = "retention";

/// Retention that goes on. It ends when this is dropped.
#[derive(Debug)]
pub struct Retention {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Keeps the details of so many days, of all tenants.
#[must_use]
pub fn start(app: &App, keep_days: u32) -> Retention {
    let is_over = Arc::new(AtomicBool::new(false));
    let (app, over) = (app.clone(), is_over.clone());
    let thread = std::thread::spawn(move || {
        while !over.load(Ordering::Acquire) {
            run(&app, keep_days, &over);
            if !over.load(Ordering::Acquire) {
                std::thread::park_timeout(EVERY);
            }
        }
    });
    Retention { is_over, thread: Some(thread) }
}

fn run(app: &App, keep_days: u32, is_over: &AtomicBool) {
    let evidence = app.evidence();
    let before = evidence.now().plus_seconds(-i64::from(keep_days) * DAY);
    for (tenant, ..) in evidence.registry().tenants() {
        if is_over.load(Ordering::Acquire) {
            return;
        }
        match evidence.retain(&tenant, before, BY) {
            Ok(dropped) if dropped.is_nothing() => {}
            Ok(dropped) => crate::log::note(&format!(
                "retention: details of {} decisions, {} approvals, {} events, {} alerts and {} incidents of `{tenant}` are gone",
                dropped.decisions, dropped.approvals, dropped.events, dropped.alerts, dropped.incidents
            )),
            Err(error) => crate::log::failure("retention", &error),
        }
    }
}

impl Drop for Retention {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}
