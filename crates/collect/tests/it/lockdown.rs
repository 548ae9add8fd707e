//! What a process can't do any more once it gave up sockets and starting programs.
//!
//! It can't be undone, so each promise is tried in a process of its own: this test, started again.

use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::Command;

use tracehound_collect::lockdown::{Lockdown, engage};

use crate::support::{detection, looked_at, scan_root, tree};

/// Set in the process that is locked down, to where somebody listens.
const LISTENER: &str = "TRACEHOUND_TEST_LISTENER";
const IS_KNOWN: bool = cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

#[test]
fn a_scan_still_works_but_sockets_and_programs_do_not() {
    if let Ok(listener) = std::env::var(LISTENER) {
        println!("{}", locked_down(&listener));
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let name = std::thread::current().name().unwrap().to_owned();
    let test = std::env::current_exe().unwrap();
    let child = Command::new(test).args(["--exact", &name, "--nocapture"]).env(LISTENER, address).output().unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success(), "{said}");
    // One that ran no test succeeds too.
    assert!(said.contains("held to it") || (!IS_KNOWN && said.contains("nothing is held back here")), "{said}");
}

/// What became of the promise.
fn locked_down(listener: &str) -> &'static str {
    // All of this works before, so that what fails after was taken away.
    drop(TcpStream::connect(listener).unwrap());
    drop(UdpSocket::bind("127.0.0.1:0").unwrap());
    assert!(program().status().unwrap().success());
    if engage() == Lockdown::Unavailable {
        return "nothing is held back here";
    }
    let is_refused = |error: std::io::Error| error.kind() == std::io::ErrorKind::PermissionDenied;
    assert!(TcpStream::connect(listener).is_err_and(is_refused));
    assert!(TcpListener::bind("127.0.0.1:0").is_err_and(is_refused));
    assert!(UdpSocket::bind("127.0.0.1:0").is_err_and(is_refused));
    #[cfg(unix)]
    assert!(std::os::unix::net::UnixStream::pair().is_err_and(is_refused));
    assert!(program().spawn().is_err_and(is_refused));
    // Threads inherit what was given up.
    let there = std::thread::spawn(|| (UdpSocket::bind("127.0.0.1:0").is_err(), program().spawn().is_err()));
    assert_eq!(there.join().unwrap(), (true, true));
    let server = r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-server@1.2.3"]}}}"#;
    let root = tree(&[("home/ann/.cursor/mcp.json", server), ("home/ann/.claude/CLAUDE.md", "Be brief.\n")]);
    detection();
    let report = scan_root(root.path());
    assert_eq!(looked_at(&report), ["/home/ann/.claude/CLAUDE.md claude.md", "/home/ann/.cursor/mcp.json cursor 1"]);
    "held to it"
}

/// A program that does nothing.
fn program() -> Command {
    Command::new("/bin/true")
}
