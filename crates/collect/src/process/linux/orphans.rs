//! What supervisors that were killed leave to us.
//!
//! Whatever descends from a supervisor is in another session than we are, because the supervisor left ours before it
//! started anything, and no process can ever enter a session that is already there. So a child of ours in another
//! session that is no supervisor itself was left by one. Children that anybody else in this process has are in our
//! session, and safe from us.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Signal, WaitOptions, getpid, waitpid};
use tokio::process::{Child, Command};

use super::super::kept::Cleared;
use super::below::{Process, processes, signal, with_descendants};

/// How long supervisors get to end what they keep when all is swept.
const SWEEPING: Duration = Duration::from_secs(4);
/// How long we go on ending what comes after.
const CLEARING: Duration = Duration::from_secs(5);
/// Between two looks.
const MOMENT: Duration = Duration::from_millis(10);

/// Supervisors at work, and the warden of each. Held while one is started, so that none is taken for an orphan.
static AT_WORK: Mutex<BTreeMap<u32, u64>> = Mutex::new(BTreeMap::new());

fn at_work() -> MutexGuard<'static, BTreeMap<u32, u64>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a supervisor for a warden.
pub(in super::super) fn spawn(command: &mut Command, warden: u64) -> io::Result<Child> {
    let mut at_work = at_work();
    let child = command.spawn()?;
    if let Some(pid) = child.id() {
        at_work.insert(pid, warden);
    }
    Ok(child)
}

/// A supervisor is gone, or on its own.
pub(in super::super) fn forget(pid: u32) {
    at_work().remove(&pid);
}

/// Ends what supervisors left behind.
pub(in super::super) fn clear() -> Cleared {
    let until = Instant::now() + CLEARING;
    let mut ended = BTreeSet::new();
    loop {
        let (orphans, all) = orphans();
        let found = with_descendants(orphans, &all);
        if found.is_empty() || Instant::now() > until {
            return Cleared { ended: ended.len(), left: found.len() };
        }
        ended.extend(found.iter().filter(|process| !process.is_dead).map(Process::number));
        signal(&found, Signal::KILL);
        sleep(MOMENT);
    }
}

/// Ends the supervisors of a warden with all that they keep, and what others left behind.
pub(in super::super) fn sweep(warden: u64) {
    let supervisors: BTreeSet<u32> =
        at_work().extract_if(.., |_, owner| *owner == warden).map(|(pid, _)| pid).collect();
    let until = Instant::now() + SWEEPING;
    let mut is_asked = false;
    while Instant::now() < until {
        // Supervisors are found as orphans are, being at work no more: children of ours, in sessions of their own.
        let (found, all) = orphans();
        if found.is_empty() {
            return;
        }
        let is_supervisor = |process: &Process| supervisors.contains(&process.number().unsigned_abs());
        let (kept, left): (Vec<_>, Vec<_>) = found.into_iter().partition(is_supervisor);
        if !is_asked {
            signal(&kept, Signal::TERM);
            signal(&kept, Signal::CONT);
            is_asked = true;
        }
        signal(&with_descendants(left, &all), Signal::KILL);
        sleep(MOMENT);
    }
    clear();
}

/// Children of ours that live and that somebody left, out of all processes. Those that are dead are reaped.
fn orphans() -> (Vec<Process>, Vec<Process>) {
    let at_work = at_work();
    let all = processes();
    // As `/proc` has it, like those it is compared with: the leader of our session may live outside the process
    // namespace that we are in, and then its number is 0.
    let us = getpid();
    let Some(session) = all.iter().find(|process| process.pid == us).map(|process| process.session) else {
        return Default::default();
    };
    let is_orphan = |process: &Process| {
        process.parent == us.as_raw_pid()
            && process.session != session
            && !at_work.contains_key(&process.number().unsigned_abs())
    };
    let (dead, alive): (Vec<_>, Vec<_>) = all.iter().copied().filter(is_orphan).partition(|orphan| orphan.is_dead);
    for orphan in dead {
        let _ = waitpid(Some(orphan.pid), WaitOptions::NOHANG);
    }
    (alive, all)
}
