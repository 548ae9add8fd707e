//! Retention: what people can read goes after a while, what proves it stays.
//!
//! Receipts are never removed or changed, so chains, trees, checkpoints and proofs are as they were. Taken out are who, why and
//! on what of old decisions, the calls that approvals showed, events, alerts, and what closed incidents rest on. Each removal
//! is a receipt of its own in the same transaction, so that nothing goes without saying so, whenever the process ends. What
//! somebody may still have to look at stays: calls that wait for a person or were agreed to and not used, and everything that
//! an open incident rests on.

use std::ops::AddAssign;

use serde::Serialize;

use crate::store::read::retention::{self, Old};
use crate::{Error, Evidence, Moment};

/// Of how much the readable parts were taken out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Dropped {
    pub decisions: u64,
    pub approvals: u64,
    pub events: u64,
    pub alerts: u64,
    pub incidents: u64,
}

impl Dropped {
    /// Whether it is nothing.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.decisions + self.approvals + self.events + self.alerts + self.incidents == 0
    }
}

impl AddAssign for Dropped {
    fn add_assign(&mut self, more: Self) {
        self.decisions += more.decisions;
        self.approvals += more.approvals;
        self.events += more.events;
        self.alerts += more.alerts;
        self.incidents += more.incidents;
    }
}

impl Evidence {
    /// Takes the readable parts out of everything of a tenant that is older than a moment, a little at a time, so that nobody
    /// waits long for the disk. Linear in what is old and was not gone through before.
    ///
    /// # Errors
    /// There is no such tenant, the moment is still to come, or the store fails; what was done until then stays done.
    pub fn retain(&self, tenant: &str, before: Moment, by: &str) -> Result<Dropped, Error> {
        if !self.registry().has_tenant(tenant) {
            return Err(Error::unknown("tenant", tenant));
        }
        if before > self.now() {
            let message = "what is still to come can't be dropped; name a time that is over".to_owned();
            return Err(Error::Invalid { code: "bad_retention", message });
        }
        let mut dropped = Dropped::default();
        let mut after = self.read(|connection| retention::mark(connection, tenant))?;
        let mut is_whole = true;
        loop {
            let now = self.now();
            let old: Old = self.read(|connection| retention::old(connection, tenant, before, now, after))?;
            if old.is_nothing() {
                return Ok(dropped);
            }
            // Beyond something that has to stay, everything is looked at again the next time.
            is_whole &= !old.has_held;
            let has_moved = old.reached > after;
            after = old.reached;
            let (tenant, by) = (tenant.to_owned(), by.to_owned());
            let mark = is_whole.then_some(after);
            let step = self.write(move |ledger| ledger.drop_details(&tenant, &old, before, mark, &by))?;
            if step.is_nothing() && !has_moved {
                return Ok(dropped);
            }
            dropped += step;
        }
    }
}

#[cfg(test)]
mod tests;
