//! How commands are started, and what can be promised about them here.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};

use super::SUPERVISE;
use super::environment::{Environment, home, scrubbed};
use super::kept::{Kept, Started};
use super::launch::{Launch, StartError};
use super::program;
use super::scratch::Scratch;
use super::system;

/// Our own program, executed again to keep a command.
#[derive(Debug, Clone)]
pub struct Supervisor {
    /// The program.
    pub program: PathBuf,
    /// What makes it call [`supervise`](super::supervise) with the arguments that follow.
    pub arguments: Vec<OsString>,
}

impl Supervisor {
    /// The program that runs, with [`SUPERVISE`] as its first argument.
    ///
    /// # Errors
    /// When the system does not say which file we run from.
    pub fn current() -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, arguments: vec![SUPERVISE.into()] })
    }
}

/// How it is made sure that nothing stays behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// Whatever a command starts, however it hides, comes back to its supervisor and is ended, even if we are killed.
    Subreaper,
    /// The command's process group is ended. What leaves the group stays behind.
    ProcessGroup,
    /// Only the command itself is ended.
    CommandOnly,
}

impl Keeping {
    /// For people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Subreaper => "started commands end with everything that they started",
            Self::ProcessGroup => "started commands end with their process group; what leaves it can stay behind",
            Self::CommandOnly => "started commands are ended, but what they started can stay behind",
        }
    }
}

/// What a command is kept from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandboxing {
    /// Nothing: it was not asked for.
    Off,
    /// It sees files but changes none outside its own folder, has no network and reaches no other process.
    Full,
    /// It changes no files outside its own folder and has no network, but not all else is kept from it.
    Partial {
        /// What it still can do.
        missing: String,
    },
    /// Nothing is started, because the system can't keep it from files or the network.
    Unavailable {
        /// Why.
        why: String,
    },
}

/// Starts commands and sees to their end.
#[derive(Debug)]
pub struct Warden {
    supervisor: Supervisor,
    sandboxing: Sandboxing,
    /// Tells the commands of one warden from those of another in the same process.
    number: u64,
}

impl Warden {
    /// One that starts commands, in a sandbox or not. From here on this process adopts what its descendants leave.
    #[must_use]
    pub fn new(supervisor: Supervisor, sandbox: bool) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        system::adopt();
        let sandboxing = if sandbox { system::sandboxing() } else { Sandboxing::Off };
        Self { supervisor, sandboxing, number: NUMBERS.fetch_add(1, Ordering::Relaxed) }
    }

    /// What is promised about the end of commands.
    #[must_use]
    pub const fn keeping(&self) -> Keeping {
        system::KEEPING
    }

    /// What commands are kept from. Known before anything is started.
    #[must_use]
    pub const fn sandboxing(&self) -> &Sandboxing {
        &self.sandboxing
    }

    /// Starts a command. Must be called within a runtime that has I/O and time.
    ///
    /// # Errors
    /// When there is nothing to start, or when it can't be kept as was asked for.
    pub fn start(&self, launch: &Launch) -> Result<Started, StartError> {
        self.start_hiding(launch, std::iter::empty())
    }

    /// The same, and these values are taken out of what the command writes to standard error.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn start_hiding<'v>(
        &self,
        launch: &Launch,
        values: impl Iterator<Item = &'v str>,
    ) -> Result<Started, StartError> {
        launch.check()?;
        let scratch = match &self.sandboxing {
            Sandboxing::Off => None,
            Sandboxing::Full | Sandboxing::Partial { .. } => Some(Scratch::new().map_err(StartError::Scratch)?),
            Sandboxing::Unavailable { why } => return Err(StartError::NoSandbox(why.clone())),
        };
        let environment = scrubbed(std::env::vars_os(), &launch.env, scratch.as_ref().map(Scratch::path));
        let directory = directory(launch, &environment)?;
        let program = program::find(&launch.program, &environment, &directory)?;
        let order = Order {
            program: &program,
            args: &launch.args,
            environment: &environment,
            #[cfg(target_os = "linux")]
            scratch: scratch.as_ref(),
        };
        let mut command = system::command(&self.supervisor, &order);
        command.current_dir(&directory).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = system::spawn(&mut command, self.number).map_err(StartError::Spawn)?;
        let hidden = values.map(|value| ("hidden".to_owned(), value.to_owned()));
        let given = launch.env.iter().cloned().chain(hidden).collect();
        Kept::started(child, given, scratch).map_err(StartError::Spawn)
    }

    /// Ends whatever this warden started and is still there, and reaps it. Blocks for some seconds at most.
    ///
    /// The last resort at the end of a scan. Touches nothing that does not descend from a started command.
    pub fn sweep(&self) {
        system::sweep(self.number);
    }
}

/// A command, ready to be given to the system.
pub(super) struct Order<'o> {
    pub(super) program: &'o PathBuf,
    pub(super) args: &'o [String],
    pub(super) environment: &'o Environment,
    /// Only Linux has a sandbox.
    #[cfg(target_os = "linux")]
    pub(super) scratch: Option<&'o Scratch>,
}

/// Where a command starts: where it was told, else at home, else where nothing can be in its way.
pub(super) fn directory(launch: &Launch, environment: &Environment) -> Result<PathBuf, StartError> {
    if let Some(directory) = &launch.directory {
        let is_there = directory.is_absolute() && directory.is_dir();
        return if is_there { Ok(directory.clone()) } else { Err(StartError::NoDirectory(directory.clone())) };
    }
    let is_fit = |home: &PathBuf| home.is_absolute() && home.is_dir();
    let elsewhere = || if cfg!(windows) { std::env::temp_dir() } else { PathBuf::from("/") };
    Ok(home(environment).filter(is_fit).unwrap_or_else(elsewhere))
}
