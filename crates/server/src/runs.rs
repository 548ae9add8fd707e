//! What is left of the trust in runs, so that a run can't claim more than the run that started it had.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tracehound_evidence::{Error, Evidence};
use tracehound_model::TrustLevel;

/// How many runs are remembered; others are looked up.
const REMEMBERED: usize = 100_000;

/// The weakest trust of the runs that were seen lately.
#[derive(Debug, Default)]
pub(crate) struct Runs(Mutex<HashMap<(String, String), TrustLevel>>);

impl Runs {
    /// The weakest trust that a run was decided with; nothing if it is unknown.
    pub(crate) fn trust(&self, evidence: &Evidence, tenant: &str, run: &str) -> Result<Option<TrustLevel>, Error> {
        let found = evidence.trust_of_run(tenant, run)?;
        if let Some(trust) = found {
            self.decided(tenant, run, trust);
        }
        Ok(found)
    }

    /// What is remembered of a run.
    pub(crate) fn known(&self, tenant: &str, run: &str) -> Option<TrustLevel> {
        let key = (tenant.to_owned(), run.to_owned());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    /// A run was decided with this trust.
    pub(crate) fn decided(&self, tenant: &str, run: &str, trust: TrustLevel) {
        self.remember((tenant.to_owned(), run.to_owned()), trust);
    }

    fn remember(&self, key: (String, String), trust: TrustLevel) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= REMEMBERED {
            // What is forgotten is looked up again; nothing depends on it.
            all.clear();
        }
        all.entry(key).and_modify(|known| *known = known.weakest(trust)).or_insert(trust);
    }
}
