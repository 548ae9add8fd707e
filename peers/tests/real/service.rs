//! A service of others on a free port of loopback; it ends with the test, with all that it started.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

/// How long a service may take until it answers: the largest imports for half a minute when it has a processor to itself.
const START: Duration = Duration::from_secs(300);
/// How long it may take over one answer.
const ANSWER: Duration = Duration::from_secs(20);

/// A running service.
pub(crate) struct Service {
    child: Child,
    port: u16,
    /// Where it works, and where its log is.
    folder: TempDir,
}

impl Service {
    /// Starts what `command` says, given a free port and an empty folder, and waits until a path is answered.
    pub(crate) fn start(path: &str, command: impl FnOnce(u16, &Path) -> Command) -> Self {
        let folder = TempDir::new().unwrap();
        let port = free_port();
        let mut command = command(port, folder.path());
        let log = File::create(folder.path().join("log.txt")).unwrap();
        // Nothing of whoever runs the tests reaches the service, nor does the service write where it should not.
        command.env("HOME", folder.path()).env("XDG_CACHE_HOME", folder.path()).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).process_group(0);
        let service = Self { child: command.spawn().unwrap(), port, folder };
        service.wait_for(path)
    }

    /// Its address, as the product names it.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn wait_for(mut self, path: &str) -> Self {
        let start = Instant::now();
        while !self.answers(path) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "the service ended with {ended:?}:\n{}", self.log());
            assert!(start.elapsed() < START, "the service does not answer:\n{}", self.log());
            thread::sleep(Duration::from_millis(100));
        }
        self
    }

    /// Whether it answers, other than that it failed.
    fn answers(&self, path: &str) -> bool {
        let Ok(mut connection) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) else { return false };
        connection.set_read_timeout(Some(ANSWER)).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        let mut status = [0; 10];
        let answered = connection.write_all(request.as_bytes()).and_then(|()| connection.read_exact(&mut status));
        answered.is_ok() && status.starts_with(b"HTTP/1.") && status[9] != b'5'
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log.txt")).unwrap_or_default()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A port that was free a moment ago; nothing else on the machine is likely to take it before the service does.
fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A module of a virtual environment, as its program would be started.
pub(crate) fn python(interpreter: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(interpreter);
    command.args(arguments);
    command
}
