//! What is counted, for `/metrics`.

use std::sync::atomic::{AtomicU64, Ordering};

use tracehound_model::Verdict;

/// Everything that is counted since the start.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    verdicts: [AtomicU64; 5],
    pub(crate) unauthenticated: AtomicU64,
    pub(crate) unparsable: AtomicU64,
    pub(crate) unavailable: AtomicU64,
    pub(crate) dry_runs: AtomicU64,
    pub(crate) events_detected: AtomicU64,
    /// Decisions and events that detection has not looked at.
    pub(crate) detection_lag: AtomicU64,
    /// Receipts that verify, as far as they were checked.
    pub(crate) receipts_checked: AtomicU64,
    /// When that was, in seconds since 1970.
    pub(crate) chains_checked_at: AtomicU64,
    /// Tenants whose receipts don't verify.
    pub(crate) chains_broken: AtomicU64,
}

impl Counters {
    pub(crate) fn decided(&self, verdict: Verdict) {
        if let Some(counter) = self.verdicts.get(verdict as usize) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The counters in Prometheus' text form.
    pub(crate) fn text(&self, live_viewers: u64) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        let _ = writeln!(text, "# HELP tracehound_decisions_total Decisions on record, by verdict.");
        let _ = writeln!(text, "# TYPE tracehound_decisions_total counter");
        for (verdict, counter) in Verdict::ALL.iter().zip(&self.verdicts) {
            let count = counter.load(Ordering::Relaxed);
            let _ = writeln!(text, "tracehound_decisions_total{{decision=\"{verdict}\"}} {count}");
        }
        let mut line = |name: &str, sort: &str, help: &str, counter: &AtomicU64| {
            let count = counter.load(Ordering::Relaxed);
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {sort}\n{name} {count}");
        };
        line("tracehound_unauthenticated_total", "counter", "Requests without a valid token.", &self.unauthenticated);
        line("tracehound_unparsable_total", "counter", "Authorisation requests that can't be read.", &self.unparsable);
        line("tracehound_unavailable_total", "counter", "Requests refused for want of a record.", &self.unavailable);
        line("tracehound_dry_runs_total", "counter", "Decisions that were only tried.", &self.dry_runs);
        line(
            "tracehound_events_detected_total",
            "counter",
            "Events that detection has looked at.",
            &self.events_detected,
        );
        line("tracehound_detection_lag", "gauge", "Events that detection has yet to look at.", &self.detection_lag);
        line("tracehound_receipts_checked", "gauge", "Stored receipts that were found sound.", &self.receipts_checked);
        line(
            "tracehound_chain_check_timestamp_seconds",
            "gauge",
            "When stored receipts were checked last.",
            &self.chains_checked_at,
        );
        line("tracehound_chains_broken", "gauge", "Tenants whose stored receipts don't verify.", &self.chains_broken);
        line("tracehound_live_viewers", "gauge", "Open live feeds.", &AtomicU64::new(live_viewers));
        text
    }
}
