//! Who descends from whom, out of `/proc`, and ending them without ever ending a stranger.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

/// A process at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: Pid,
    pub(super) parent: i32,
    pub(super) session: i32,
    /// Ended, but not reaped.
    pub(super) is_dead: bool,
    /// Tells it from a later one with the same number.
    started: u64,
}

impl Process {
    /// Its number.
    pub(super) fn number(&self) -> i32 {
        self.pid.as_raw_pid()
    }
}

/// All processes that we can see.
pub(super) fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<i32>().ok();
    entries.filter_map(number).filter_map(process).collect()
}

/// One process, if it is still there.
fn process(pid: i32) -> Option<Process> {
    // The name of a program is in it, as its bytes are.
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(Pid::from_raw(pid)?, &String::from_utf8_lossy(&stat))
}

/// Reads a line of `/proc/<pid>/stat`.
fn parse(pid: Pid, stat: &str) -> Option<Process> {
    // Programs choose their names, brackets and blanks included; what follows the last bracket is the kernel's.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    let started = fields.nth(15)?.parse().ok()?;
    Some(Process { pid, parent, session, is_dead: matches!(state, "Z" | "X" | "x"), started })
}

/// Those below the given processes, with them. Whoever is listed is there once.
pub(super) fn with_descendants(roots: Vec<Process>, all: &[Process]) -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(*process);
    }
    let mut found = Vec::new();
    let mut waiting = roots;
    while let Some(process) = waiting.pop() {
        // Taken out, so that numbers that changed hands while we looked can't lead in a circle.
        waiting.extend(children.remove(&process.number()).unwrap_or_default());
        found.push(process);
    }
    found
}

/// Sends a signal to descendants of ours.
pub(super) fn signal(targets: &[Process], signal: Signal) {
    let us = rustix::process::getpid().as_raw_pid();
    for target in targets.iter().filter(|target| !target.is_dead) {
        if target.parent == us {
            // The number of a child is its own until we reap it.
            let _ = kill_process(target.pid, signal);
        } else {
            signal_deeper(target, signal);
        }
    }
}

/// The number of somebody else's child may have changed hands: a descriptor is taken first, and then it is checked who
/// it is. Where the kernel has none, the process becomes our child when its parent is ended, and its turn comes then.
fn signal_deeper(target: &Process, signal: Signal) {
    let Ok(descriptor) = pidfd_open(target.pid, PidfdFlags::empty()) else { return };
    let now = process(target.number());
    if now.is_some_and(|now| now.started == target.started && now.session == target.session) {
        let _ = pidfd_send_signal(&descriptor, signal);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use rustix::process::Pid;

    use super::{Process, parse, process, processes, with_descendants};

    fn at(pid: i32, parent: i32) -> Process {
        Process { pid: Pid::from_raw(pid).unwrap(), parent, session: 1, is_dead: false, started: 0 }
    }

    #[test]
    fn names_of_programs_can_not_forge_a_parent() {
        let stat = "7 (a) S 1 1 1 0) R 42 43 44 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2";
        let read = parse(Pid::from_raw(7).unwrap(), stat).unwrap();
        assert_eq!((read.parent, read.session, read.started, read.is_dead), (42, 44, 98765, false));
        let dead = stat.replace(" R ", " Z ");
        assert!(parse(Pid::from_raw(7).unwrap(), &dead).unwrap().is_dead);
        assert_eq!(parse(Pid::from_raw(7).unwrap(), "7 (a) S 1"), None);
    }

    #[test]
    fn we_see_ourselves() {
        let us = rustix::process::getpid().as_raw_pid();
        let seen = process(us).unwrap();
        assert_eq!(seen.parent, rustix::process::getppid().map_or(0, |parent| parent.as_raw_pid()));
        assert!(processes().contains(&seen));
    }

    #[test]
    fn a_process_that_leads_a_session_is_seen_to() {
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", "echo; read -r _"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut leader = command.spawn().unwrap();
        // A line of it comes only when it has its session.
        assert_eq!(leader.stdout.take().unwrap().read(&mut [0]).unwrap(), 1);
        let number = leader.id().cast_signed();
        let seen = process(number).unwrap();
        drop(leader.stdin.take());
        leader.wait().unwrap();
        assert_eq!(seen.session, number);
        assert_ne!(process(rustix::process::getpid().as_raw_pid()).unwrap().session, number);
    }

    #[test]
    fn only_what_is_below_is_found_also_in_a_circle() {
        let all = [at(2, 1), at(3, 2), at(4, 3), at(5, 1), at(6, 5), at(7, 8), at(8, 7)];
        let found = |roots| {
            let mut pids: Vec<i32> = with_descendants(roots, &all).iter().map(|found| found.number()).collect();
            pids.sort_unstable();
            pids
        };
        assert_eq!(found(vec![at(2, 1)]), [2, 3, 4]);
        assert_eq!(found(vec![at(5, 1)]), [5, 6]);
        assert_eq!(found(vec![]), [0; 0]);
        assert_eq!(found(vec![at(7, 8)]), [7, 7, 8]);
    }
}
