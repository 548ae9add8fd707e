//! Keeping commands on Linux.

mod below;
mod orphans;
mod sandbox;
mod supervise;
mod task;

use std::process::ExitStatus;

use rustix::process::{Pid, Signal, kill_process, set_child_subreaper};
use tokio::process::{Child, Command};

use super::environment::carried;
use super::kept::status_words;
use super::warden::{Keeping, Order, Supervisor};

pub(super) use orphans::{clear, forget, spawn, sweep};
pub(super) use sandbox::sandboxing;
pub use supervise::supervise;

/// What is promised.
pub(super) const KEEPING: Keeping = Keeping::Subreaper;

/// What hostile commands leave when they kill their supervisor becomes ours, and not the system's.
pub(super) fn adopt() {
    // Kernels before 3.4 can't; the supervisor then says so and starts nothing.
    let _ = set_child_subreaper(Some(rustix::process::getpid()));
}

/// The supervisor with a command to start.
pub(super) fn command(supervisor: &Supervisor, order: &Order<'_>) -> Command {
    let mut command = Command::new(&supervisor.program);
    command.args(&supervisor.arguments).args(task::arguments(order));
    command.env_clear().envs(carried(order.environment));
    command
}

/// Asks the supervisor to end everything. Its command may have stopped it, so it is told to go on too.
pub(super) fn ask_to_end(child: &Child) {
    signal(child, Signal::TERM);
    signal(child, Signal::CONT);
}

/// Ends the supervisor. What it kept comes to us.
pub(super) fn force_to_end(child: &mut Child) {
    signal(child, Signal::KILL);
}

fn signal(child: &Child, signal: Signal) {
    // The number is known only as long as the process was not reaped, and until then it is nobody else's.
    let pid = child.id().and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
    let _ = pid.map(|pid| kill_process(pid, signal));
}

/// Whether the last word is the supervisor's own: one that was killed did not get to say it.
pub(super) fn is_trusted(status: ExitStatus) -> bool {
    status.success()
}

/// What the end of a supervisor without a last word says about the command: only that it lost its keeper.
pub(super) fn how(status: ExitStatus) -> Option<String> {
    status_words(status).map(|words| format!("lost its supervisor: {words}"))
}
