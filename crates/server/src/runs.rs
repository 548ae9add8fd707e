//! What is left of the trust in runs, so that a run can't claim more than the run that started it had.
//!
//! Only the store knows the weakest trust of a run, so only what was looked up there is remembered. A decision lowers what is
//! remembered and never adds a run: the newest decision says nothing of those before it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracehound_evidence::decision::Outcome;
use tracehound_evidence::{Error, Evidence};
use tracehound_model::TrustLevel;

/// How many runs are remembered; others are looked up.
const REMEMBERED: usize = 100_000;

/// The weakest trust of the runs that were asked about lately.
#[derive(Debug, Default)]
pub(crate) struct Runs(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    runs: HashMap<(String, String), Run>,
    /// How often everything was forgotten.
    clearings: u64,
}

/// A run that somebody looks up or has looked up.
#[derive(Debug, Default)]
struct Run {
    /// What the store said, and what was decided since.
    known: Option<TrustLevel>,
    /// The weakest trust that was decided with since somebody began to look: the store may have been read before that.
    since: Option<TrustLevel>,
}

/// Somebody who looks a run up.
struct Look {
    key: (String, String),
    clearings: u64,
}

impl Runs {
    /// The weakest trust that a run was decided with; nothing if it is unknown.
    pub(crate) fn trust(&self, evidence: &Evidence, tenant: &str, run: &str) -> Result<Option<TrustLevel>, Error> {
        let look = self.begin(tenant, run);
        let found = evidence.trust_of_run(tenant, run)?;
        Ok(self.found(look, found))
    }

    /// What is remembered of a run.
    pub(crate) fn known(&self, tenant: &str, run: &str) -> Option<TrustLevel> {
        self.memory().runs.get(&(tenant.to_owned(), run.to_owned()))?.known
    }

    /// A decision may have been recorded.
    pub(crate) fn recorded(&self, outcome: &Result<Outcome, Error>) {
        if let Ok(Outcome::Recorded(recorded) | Outcome::Refused(recorded)) = outcome
            && let Some(run) = &recorded.decision.call.run_id
        {
            self.decided(&recorded.decision.tenant, run, recorded.decision.call.root_trust_level);
        }
    }

    /// A run was decided with this trust.
    fn decided(&self, tenant: &str, run: &str, trust: TrustLevel) {
        let key = (tenant.to_owned(), run.to_owned());
        if let Some(run) = self.memory().runs.get_mut(&key) {
            run.known = run.known.map(|known| known.weakest(trust));
            run.since = weakest(run.since, Some(trust));
        }
    }

    fn begin(&self, tenant: &str, run: &str) -> Look {
        let key = (tenant.to_owned(), run.to_owned());
        let mut memory = self.memory();
        if memory.runs.len() >= REMEMBERED && !memory.runs.contains_key(&key) {
            // What is forgotten is looked up again; nothing depends on it.
            memory.runs.clear();
            memory.clearings += 1;
        }
        memory.runs.entry(key.clone()).or_default();
        Look { key, clearings: memory.clearings }
    }

    fn found(&self, look: Look, found: Option<TrustLevel>) -> Option<TrustLevel> {
        let mut memory = self.memory();
        // What was forgotten meanwhile may have missed a decision.
        if memory.clearings != look.clearings {
            return found;
        }
        let Some(run) = memory.runs.get_mut(&look.key) else { return found };
        run.known = weakest(run.known, weakest(found, run.since));
        let known = run.known;
        if known.is_none() {
            memory.runs.remove(&look.key);
        }
        known
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn weakest(one: Option<TrustLevel>, other: Option<TrustLevel>) -> Option<TrustLevel> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.weakest(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTED: TrustLevel = TrustLevel::TrustedInternalSigned;
    const UNTRUSTED: TrustLevel = TrustLevel::UntrustedExternal;

    #[test]
    fn a_decision_lowers_what_is_known_and_adds_nothing() {
        let runs = Runs::default();
        runs.decided("t", "r", TRUSTED);
        assert_eq!(runs.known("t", "r"), None, "only the store knows the decisions before it");
        let look = runs.begin("t", "r");
        assert_eq!(runs.found(look, Some(TRUSTED)), Some(TRUSTED));
        runs.decided("t", "r", UNTRUSTED);
        runs.decided("t", "r", TRUSTED);
        assert_eq!((runs.known("t", "r"), runs.known("other", "r")), (Some(UNTRUSTED), None));
    }

    #[test]
    fn what_is_decided_while_the_store_is_read_counts() {
        let runs = Runs::default();
        let look = runs.begin("t", "r");
        runs.decided("t", "r", UNTRUSTED);
        assert_eq!(runs.found(look, Some(TRUSTED)), Some(UNTRUSTED));
        assert_eq!(runs.known("t", "r"), Some(UNTRUSTED));
    }

    #[test]
    fn what_was_forgotten_while_the_store_was_read_is_not_remembered() {
        let runs = Runs::default();
        let look = runs.begin("t", "r");
        for number in 0..REMEMBERED {
            runs.begin("t", &number.to_string());
        }
        // It is looked up again, after the decision that the first look did not see.
        let again = runs.begin("t", "r");
        assert_eq!(runs.found(look, Some(TRUSTED)), Some(TRUSTED));
        assert_eq!(runs.known("t", "r"), None);
        assert_eq!(runs.found(again, Some(UNTRUSTED)), Some(UNTRUSTED));
    }

    #[test]
    fn a_run_that_is_unknown_takes_no_room() {
        let runs = Runs::default();
        let look = runs.begin("t", "r");
        assert_eq!(runs.found(look, None), None);
        assert!(runs.memory().runs.is_empty());
    }
}
