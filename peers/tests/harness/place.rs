//! A directory of its own for each test, and runs of the product in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::tracehound;

/// What no run may exceed, whatever it meets.
const LIMIT: Duration = Duration::from_secs(120);
const MEGABYTES: u64 = 300;

/// A directory with a home and a data directory in it.
pub(crate) struct Place {
    folder: TempDir,
}

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The product, with nothing of the tester's own settings.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(tracehound());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("USER", "tester");
        command
            .env("PEER_SECRET", "not for servers")
            .env("HOME", self.path("home"))
            .env("TRACEHOUND_DATA", self.path("data"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end, or fails the test when that does not come.
    #[track_caller]
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Ran {
        watch(self.command(arguments).spawn().unwrap())
    }

    /// Runs what has to work and answers in JSON.
    #[track_caller]
    pub(crate) fn json<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Value {
        let mut all: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        all.extend(["--format", "json"].map(OsStr::new));
        let ran = self.run(&all);
        assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
        serde_json::from_str(&ran.out).unwrap()
    }
}

/// Waits for a run of the product and watches it meanwhile.
#[track_caller]
pub(crate) fn watch(mut child: Child) -> Ran {
    let start = Instant::now();
    let out = drained(child.stdout.take().unwrap());
    let err = drained(child.stderr.take().unwrap());
    let mut megabytes = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        megabytes = megabytes.max(peak(child.id()));
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it did not end:\n{}\n{}", out.join().unwrap(), err.join().unwrap());
        }
        thread::sleep(Duration::from_millis(5));
    };
    assert!(megabytes < MEGABYTES, "it took {megabytes} MB");
    let code = status.code().unwrap_or_else(|| panic!("ended by {status}"));
    Ran { code, out: out.join().unwrap(), err: err.join().unwrap() }
}

/// Reads a stream to its end beside everything else.
fn drained(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The most memory that a process has held so far.
fn peak(id: u32) -> u64 {
    let status = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1_024
}
