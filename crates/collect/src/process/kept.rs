//! A command that runs, and its end.

use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::excerpt::Excerpt;
use super::last_word::exit;
use super::scratch::Scratch;
use super::system;

/// How long whoever keeps a command may take to end it and all others, before we end the keeper.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long standard error may stay open after everybody that we know of is gone.
const LINGER: Duration = Duration::from_secs(1);
/// Bytes of standard error that are read as fast as they come. A flood is read slowly from there on.
const FAST: usize = 1 << 20;
/// The pause after each piece of a flood: it keeps the cost small, and the command from waiting for us for good.
const PAUSE: Duration = Duration::from_millis(10);

/// A command that runs.
#[derive(Debug)]
pub struct Started {
    /// What it reads.
    pub stdin: ChildStdin,
    /// What it writes. Nothing bounds it but its reader.
    pub stdout: ChildStdout,
    /// The command itself, to be ended.
    pub kept: Kept,
}

impl Started {
    /// Closes both ends and ends the command.
    pub async fn end(self, grace: Duration) -> Ended {
        let Self { stdin, stdout, kept } = self;
        drop((stdin, stdout));
        kept.end(grace).await
    }
}

/// A running command without its ends. Dropping it also ends it, but nobody hears how.
#[derive(Debug)]
pub struct Kept {
    child: Child,
    /// The process that we started, also after it was reaped.
    pid: u32,
    reader: JoinHandle<()>,
    excerpt: Arc<Mutex<Excerpt>>,
    given: Vec<(String, String)>,
    /// Dropped after all else, because dropping it removes the folder.
    scratch: Option<Scratch>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit in words.
    pub how: Option<String>,
    /// Why it was not started at all, where that was found out only after `start`.
    pub failure: Option<String>,
    /// What it wrote to standard error: bounded, escaped, and without the values of the variables it was given.
    pub stderr: String,
    /// How many other processes outlived it and had to be ended.
    pub survivors: usize,
    /// How many could not be ended.
    pub left: usize,
}

/// What was cleared away of those who lost their keeper.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Cleared {
    /// Processes that were ended.
    pub(super) ended: usize,
    /// Processes that could not be ended.
    pub(super) left: usize,
}

impl Kept {
    /// Takes over a process that was just started.
    pub(super) fn started(
        mut child: Child,
        given: Vec<(String, String)>,
        scratch: Option<Scratch>,
    ) -> io::Result<Started> {
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let excerpt = Arc::new(Mutex::new(Excerpt::default()));
        let reader = tokio::spawn(read(stderr, Arc::clone(&excerpt)));
        let pid = child.id().unwrap_or_default();
        let kept = Self { child, pid, reader, excerpt, given, scratch };
        Ok(Started { stdin, stdout, kept })
    }

    /// Waits a moment for the command to end by itself, which it should as soon as its input is closed, and then ends
    /// it and everything that it started.
    pub async fn end(mut self, grace: Duration) -> Ended {
        let status = self.over(grace).await;
        system::forget(self.pid);
        // Without its keeper, what the command started is ours now. It may also hold standard error open.
        let mut cleared = Cleared::default();
        if !status.is_some_and(system::is_trusted) {
            cleared = clear().await;
        }
        let mut ended = self.said(status).await;
        if ended.left > 0 {
            cleared = clear().await;
        }
        ended.survivors += cleared.ended;
        ended.left = cleared.left;
        drop(self.scratch.take());
        ended
    }

    /// Waits for the end of the process that we started, asks for it, forces it.
    async fn over(&mut self, grace: Duration) -> Option<ExitStatus> {
        if let Ok(status) = timeout(grace, self.child.wait()).await {
            return status.ok();
        }
        system::ask_to_end(&self.child);
        if let Ok(status) = timeout(PATIENCE, self.child.wait()).await {
            return status.ok();
        }
        system::force_to_end(&mut self.child);
        self.child.wait().await.ok()
    }

    /// What is known about the end.
    async fn said(&mut self, status: Option<ExitStatus>) -> Ended {
        if timeout(LINGER, &mut self.reader).await.is_err() {
            self.reader.abort();
        }
        let said = self.excerpt.lock().unwrap_or_else(PoisonError::into_inner).said(&self.given);
        let mut ended = Ended { how: None, failure: None, stderr: said.text, survivors: 0, left: 0 };
        // The last word of a supervisor that did not end as it should may be somebody else's.
        match said.last_word.filter(|_| status.is_some_and(system::is_trusted)) {
            Some(word) => {
                ended.how = word.how();
                ended.failure = word.failure;
                ended.survivors = word.survivors;
                ended.left = word.left;
            }
            None => ended.how = status.and_then(system::how),
        }
        ended
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.reader.abort();
        if self.child.id().is_some() {
            system::ask_to_end(&self.child);
            system::forget(self.pid);
        }
    }
}

/// Ends what has no keeper any more.
async fn clear() -> Cleared {
    tokio::task::spawn_blocking(system::clear).await.unwrap_or_default()
}

/// Reads standard error to its end.
async fn read(mut stderr: ChildStderr, excerpt: Arc<Mutex<Excerpt>>) {
    let mut piece = vec![0; 1 << 16];
    let mut seen = 0_usize;
    while let Ok(length @ 1..) = stderr.read(&mut piece).await {
        let bytes = piece.get(..length).unwrap_or_default();
        excerpt.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
        seen = seen.saturating_add(length);
        if seen > FAST {
            sleep(PAUSE).await;
        }
    }
}

/// The exit of a process in words.
pub(super) fn status_words(status: ExitStatus) -> Option<String> {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    exit(status.code(), signal)
}
