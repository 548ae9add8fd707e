//! The supervisor: our own program, executed again, that starts one command and outlives all that comes of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, kill_process_group,
    set_child_subreaper, set_parent_process_death_signal, setrlimit, setsid, wait,
};
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};
use tokio::time::{Instant, timeout};

use super::super::last_word::LastWord;
use super::super::scratch;
use super::below::{Process, processes, signal as send, with_descendants};
use super::sandbox;
use super::task::Task;

/// How long a command gets to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);
/// How long others get to follow a command that is gone before they count as survivors.
const SETTLING: Duration = Duration::from_millis(150);
/// How long survivors get to end after they were asked to.
const SURVIVORS: Duration = Duration::from_millis(500);
/// How long what does not listen is ended by force.
const FORCE: Duration = Duration::from_secs(2);
/// Between two looks when nothing wakes us.
const MOMENT: Duration = Duration::from_millis(20);
/// Between two looks at whether we still have a parent, should its end not have been told.
const WATCH: Duration = Duration::from_secs(1);

/// Acts as supervisor, with the arguments that follow [`SUPERVISE`](super::super::SUPERVISE). To be called before
/// anything else is done, above all before any thread is started.
pub fn supervise(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let word = match Task::read(arguments, std::env::vars_os()) {
        Some(task) => {
            let word = kept(&task).unwrap_or_else(|why| LastWord::failed(&why));
            if let Some(folder) = &task.scratch {
                scratch::remove(folder);
            }
            word
        }
        None => LastWord::failed("this is for our own use only"),
    };
    match io::stderr().write_all(&word.bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Starts the command of a task and sees to its end.
fn kept(task: &Task) -> Result<LastWord, String> {
    prepare(task).map_err(|error| format!("its supervisor can't keep it: {error}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("its supervisor can't wait for it: {error}"))?;
    runtime.block_on(async {
        let mut keeper = Keeper::new(task.parent).map_err(|error| format!("no signals: {error}"))?;
        keeper.command = Some(start(task)?);
        let is_closed = close();
        if is_closed.is_ok() {
            keeper.watch().await;
        }
        let mut word = keeper.end().await;
        word.failure = is_closed.err().map(|error| format!("its supervisor can't let go of its output: {error}"));
        Ok(word)
    })
}

/// Becomes what a supervisor is: without a terminal, the one to whom all below it fall, and bound to its parent.
fn prepare(task: &Task) -> io::Result<()> {
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    // Not the signal that asks us to end: this one also comes when only the thread that started us is over.
    set_parent_process_death_signal(Some(Signal::HUP))?;
    // Otherwise programs that change the user could become somebody whom we can't end.
    rustix::thread::set_no_new_privs(true)?;
    // What it was given stays out of files.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    if getppid() == Some(task.parent) { Ok(()) } else { Err(io::Error::other("whoever asked for it is gone")) }
}

/// Starts the command, from a thread that gave up what the command shall not have. The supervisor keeps its rights,
/// and with them stays out of the command's reach.
fn start(task: &Task) -> Result<Pid, String> {
    let started = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if let Some(folder) = &task.scratch {
                sandbox::enter(folder)?;
            }
            let mut command = Command::new(&task.program);
            command.args(&task.args).env_clear().envs(&task.environment).process_group(0);
            command.spawn().map_err(|error| format!("the system did not start it: {error}"))
        });
        thread.join()
    });
    let child = started.map_err(|_| "its supervisor failed".to_owned())??;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| "the system gave it no number".to_owned())
}

/// Lets go of the command's input and output, so that their ends are seen at the other side.
fn close() -> io::Result<()> {
    let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(())
}

/// A supervisor at work.
struct Keeper {
    parent: Pid,
    child_ended: Signals,
    asked: Signals,
    orphaned: Signals,
    command: Option<Pid>,
    status: Option<WaitStatus>,
    /// Nobody is below us any more.
    is_alone: bool,
}

impl Keeper {
    fn new(parent: Pid) -> io::Result<Self> {
        // Keyboards and lost readers must not end a supervisor before its command. It has no terminal, but anybody can
        // send signals.
        Ok(Self {
            parent,
            child_ended: signal(SignalKind::child())?,
            asked: signal(SignalKind::terminate())?,
            orphaned: signal(SignalKind::hangup())?,
            command: None,
            status: None,
            is_alone: false,
        })
    }

    /// Waits until the command is over, or shall be.
    async fn watch(&mut self) {
        loop {
            self.reap();
            if self.status.is_some() || getppid() != Some(self.parent) {
                return;
            }
            tokio::select! {
                _ = self.child_ended.recv() => {}
                _ = self.orphaned.recv() => {}
                _ = self.asked.recv() => return,
                () = tokio::time::sleep(WATCH) => {}
            }
        }
    }

    /// Ends the command and all others.
    async fn end(&mut self) -> LastWord {
        for (wish, patience) in [(Signal::TERM, GRACE), (Signal::KILL, FORCE)] {
            if let (Some(command), None) = (self.command, self.status) {
                // Not reaped, so both numbers are still its own.
                let _ = kill_process_group(command, wish);
                let _ = kill_process(command, wish);
                self.until(patience, |keeper| keeper.status.is_some()).await;
            }
        }
        self.until(SETTLING, |keeper| keeper.is_alone).await;
        let (survivors, left) = self.end_survivors().await;
        let code = self.status.and_then(WaitStatus::exit_status);
        let signal = self.status.and_then(WaitStatus::terminating_signal);
        LastWord { code, signal, failure: None, survivors, left }
    }

    /// Ends whoever is still there: how many there were, and how many there are.
    async fn end_survivors(&mut self) -> (usize, usize) {
        let mut ended = BTreeSet::new();
        let deadline = Instant::now() + SURVIVORS + FORCE;
        let mut wish = (Signal::TERM, SURVIVORS);
        while !self.is_alone && Instant::now() < deadline {
            let found = below();
            ended.extend(found.iter().map(Process::number));
            send(&found, wish.0);
            self.until(wish.1, |keeper| keeper.is_alone).await;
            wish = (Signal::KILL, MOMENT);
        }
        (ended.len(), if self.is_alone { 0 } else { below().len() })
    }

    /// Waits for something for some time.
    async fn until(&mut self, patience: Duration, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + patience;
        loop {
            self.reap();
            if is_so(self) || Instant::now() >= deadline {
                return;
            }
            let _ = timeout(MOMENT, self.child_ended.recv()).await;
        }
    }

    /// Takes note of all who are over.
    fn reap(&mut self) {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if Some(pid) == self.command => self.status = Some(status),
                Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
                Ok(None) => return,
                Err(_) => {
                    self.is_alone = true;
                    return;
                }
            }
        }
    }
}

/// Everybody below us who lives.
fn below() -> Vec<Process> {
    let us = getpid();
    let all = processes();
    let children = all.iter().copied().filter(|process| process.parent == us.as_raw_pid()).collect();
    let mut found = with_descendants(children, &all);
    found.retain(|process| !process.is_dead && process.pid != us);
    found
}
