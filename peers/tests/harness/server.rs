//! A server that a test starts itself, because the product reaches it by its address.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// How long a server may take until it says where it listens; interpreters start slowly beside other tests.
const START: Duration = Duration::from_secs(60);

/// A running server; ends with the test.
pub(crate) struct Server {
    child: Child,
    lines: Receiver<String>,
    /// The first line that it printed.
    pub(crate) first: String,
}

impl Server {
    /// Starts a program that prints a line once it can be reached.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let first = lines.recv_timeout(START).unwrap_or_else(|_| panic!("{command:?} does not start"));
        Self { child, lines, first }
    }

    /// An address at the port that it printed.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.first)
    }

    /// What it has printed since.
    pub(crate) fn log(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
