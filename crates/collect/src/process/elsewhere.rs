//! Keeping commands on systems other than Linux: by their process group, or by nothing but the command itself.

use std::io;
use std::process::ExitStatus;

use tokio::process::{Child, Command};

use super::kept::{Cleared, status_words};
use super::warden::{Keeping, Sandboxing};

#[cfg(not(unix))]
pub use alone::supervise;
#[cfg(not(unix))]
pub(super) use alone::{ask_to_end, command, force_to_end, is_trusted};
#[cfg(unix)]
pub use group::supervise;
#[cfg(unix)]
pub(super) use group::{ask_to_end, command, force_to_end, is_trusted};

/// What is promised.
pub(super) const KEEPING: Keeping = if cfg!(unix) { Keeping::ProcessGroup } else { Keeping::CommandOnly };

/// Nobody's orphans come to us here.
pub(super) fn adopt() {}

/// There is no sandbox here.
pub(super) fn sandboxing() -> Sandboxing {
    Sandboxing::Unavailable { why: format!("there is none on {}", std::env::consts::OS) }
}

/// Starts a command.
pub(super) fn spawn(command: &mut Command, _: u64) -> io::Result<Child> {
    // A command whose keeper is dropped without another word has no supervisor to fall back to on every system.
    command.kill_on_drop(cfg!(not(unix))).spawn()
}

/// Nothing is noted that could be forgotten.
pub(super) fn forget(_: u32) {}

/// Nobody's orphans come to us here.
pub(super) fn clear() -> Cleared {
    Cleared::default()
}

/// Nobody's orphans come to us here.
pub(super) fn sweep(_: u64) {}

/// The end of what we started, in words.
pub(super) fn how(status: ExitStatus) -> Option<String> {
    status_words(status)
}

#[cfg(unix)]
mod group {
    use std::ffi::OsString;
    use std::io::{self, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{ExitCode, ExitStatus};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, getpid, getppid, kill_process_group, setsid};
    use tokio::process::{Child, Command};
    use tokio::signal::unix::{SignalKind, signal};
    use tokio::time::timeout;

    use super::super::environment::{carried, unpacked};
    use super::super::last_word::LastWord;
    use super::super::warden::{Order, Supervisor};

    /// How long a command gets to end after it was asked to.
    const GRACE: Duration = Duration::from_secs(2);
    /// Between two looks at whether we still have a parent.
    const WATCH: Duration = Duration::from_secs(1);

    /// The supervisor with a command to start.
    pub(in super::super) fn command(supervisor: &Supervisor, order: &Order<'_>) -> Command {
        let mut command = Command::new(&supervisor.program);
        command.args(&supervisor.arguments).arg(std::process::id().to_string()).arg(order.program).args(order.args);
        command.env_clear().envs(carried(order.environment));
        command
    }

    /// Asks the supervisor and all in its group to end.
    pub(in super::super) fn ask_to_end(child: &Child) {
        send(child, Signal::TERM);
    }

    /// Ends the supervisor and all in its group.
    pub(in super::super) fn force_to_end(child: &mut Child) {
        send(child, Signal::KILL);
    }

    fn send(child: &Child, signal: Signal) {
        // The number is known only as long as the process was not reaped, and until then it is nobody else's.
        let pid = child.id().and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
        let _ = pid.map(|pid| kill_process_group(pid, signal));
    }

    /// Whether the last word is the supervisor's own. It ends itself with its group, so that nobody in it is missed.
    pub(in super::super) fn is_trusted(status: ExitStatus) -> bool {
        status.success() || status.signal() == Some(Signal::KILL.as_raw())
    }

    /// Acts as supervisor, with the arguments that follow [`SUPERVISE`](super::super::SUPERVISE).
    pub fn supervise(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
        let word = kept(arguments).unwrap_or_else(|why| LastWord::failed(&why));
        let is_said = io::stderr().write_all(&word.bytes()).is_ok();
        if word.failure.is_none() {
            // The supervisor leads the group, so the number is its own.
            let _ = kill_process_group(getpid(), Signal::KILL);
        }
        if is_said { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn kept(arguments: impl IntoIterator<Item = OsString>) -> Result<LastWord, String> {
        let mut arguments = arguments.into_iter();
        let parent = arguments.next().and_then(|parent| Pid::from_raw(parent.to_str()?.parse().ok()?));
        let (Some(parent), Some(program)) = (parent, arguments.next()) else {
            return Err("this is for our own use only".to_owned());
        };
        setsid().map_err(|error| format!("its supervisor can't leave the terminal: {error}"))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("its supervisor can't wait for it: {error}"))?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(unpacked(std::env::vars_os()));
        runtime.block_on(watched(parent, command)).map_err(|error| format!("the system did not start it: {error}"))
    }

    /// Starts the command and waits until it is over, or shall be.
    async fn watched(parent: Pid, mut command: Command) -> io::Result<LastWord> {
        let mut asked = signal(SignalKind::terminate())?;
        let mut child = command.spawn()?;
        close()?;
        let status = loop {
            tokio::select! {
                status = child.wait() => break status.ok(),
                _ = asked.recv() => break None,
                () = tokio::time::sleep(WATCH) => {}
            }
            if getppid() != Some(parent) {
                break None;
            }
        };
        let _ = kill_process_group(getpid(), Signal::TERM);
        let status = match status {
            Some(status) => Some(status),
            None => timeout(GRACE, child.wait()).await.ok().and_then(Result::ok),
        };
        let code = status.and_then(|status| status.code());
        let signal = status.map_or(Some(Signal::KILL.as_raw()), |status| status.signal());
        Ok(LastWord { code, signal, ..LastWord::default() })
    }

    /// Lets go of the command's input and output, so that their ends are seen at the other side.
    fn close() -> io::Result<()> {
        let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nothing)?;
        rustix::stdio::dup2_stdout(&nothing)?;
        Ok(())
    }
}

#[cfg(not(unix))]
mod alone {
    use std::ffi::OsString;
    use std::process::{ExitCode, ExitStatus};

    use tokio::process::{Child, Command};

    use super::super::warden::{Order, Supervisor};

    /// `CREATE_NO_WINDOW`.
    #[cfg(windows)]
    const NO_WINDOW: u32 = 0x0800_0000;

    /// The command itself.
    pub(in super::super) fn command(_: &Supervisor, order: &Order<'_>) -> Command {
        let mut command = Command::new(order.program);
        command.args(order.args).env_clear().envs(order.environment);
        #[cfg(windows)]
        command.creation_flags(NO_WINDOW);
        command
    }

    /// There is no asking here.
    pub(in super::super) fn ask_to_end(_: &Child) {}

    /// Ends the command.
    pub(in super::super) fn force_to_end(child: &mut Child) {
        let _ = child.start_kill();
    }

    /// There is no supervisor whose word could be trusted.
    pub(in super::super) fn is_trusted(_: ExitStatus) -> bool {
        false
    }

    /// There are no supervisors here.
    pub fn supervise(_: impl IntoIterator<Item = OsString>) -> ExitCode {
        ExitCode::FAILURE
    }
}
