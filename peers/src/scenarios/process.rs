//! What a server does as a process: to its parent, with children, with its standard error.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::net::TcpStream;
use std::process::{self, Command};
use std::thread;

use serde_json::json;

use super::ESCAPES;
use crate::options::Options;
use crate::peer::{self, Reply, Request};
use crate::stream::{self, Pace};

/// Starts three children that outlive this process, all of them orphans at once and with its standard output in their
/// hands: one beside it, one in a session of its own, and one there that ignores polite signals.
pub(crate) fn fork(options: &Options) -> io::Result<()> {
    let script = r#"
        "$0" stay --mark "$1" &
        "$0" stay --mark "$1" --new-session &
        trap '' TERM HUP INT
        "$0" stay --mark "$1" --new-session &
    "#;
    let program = env::current_exe()?;
    let status = Command::new("/bin/sh").args(["-c", script]).arg(program).arg(&options.mark).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("no children could be started")) }
}

/// Leaves the session, and with it the process group, of whoever started this process.
pub(crate) fn leave_the_session() {
    #[cfg(unix)]
    // It fails only for the leader of a group, who has one of its own already.
    let _ = rustix::process::setsid();
}

/// Set once the polite signals are ignored.
const IS_STUBBORN: &str = "BAD_PEER_IS_STUBBORN";

/// Becomes itself once more, through a shell that ignores signals: what is ignored stays so in the next program.
#[cfg(unix)]
pub(crate) fn stubborn(_: &Options) -> io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    if env::var_os(IS_STUBBORN).is_some() {
        return Ok(());
    }
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"trap '' TERM HUP INT; exec "$0" "$@""#]).arg(env::current_exe()?).args(env::args_os().skip(1));
    Err(shell.env(IS_STUBBORN, "yes").exec())
}

/// Signals are ignored with the help of a shell.
#[cfg(not(unix))]
pub(crate) fn stubborn(_: &Options) -> io::Result<()> {
    Err(io::Error::other(format!("`{IS_STUBBORN}` needs a Unix")))
}

/// Has a tool for each thing that it could do: write to a path, and connect to an address.
pub(crate) fn prying(options: &Options, request: &Request) -> Reply {
    if request.method != "tools/list" {
        return peer::honest(options, request);
    }
    let (path, address) = options.text.split_once(' ').unwrap_or_default();
    let attempts = [("wrote", fs::write(path, "pried").is_ok()), ("connected", TcpStream::connect(address).is_ok())];
    let done = attempts.iter().filter(|(_, is_done)| *is_done).map(|(name, _)| peer::tool(options, name));
    peer::with_result(options, request, json!({ "tools": done.collect::<Vec<_>>() }))
}

pub(crate) fn noisy_stderr(_: &Options) -> io::Result<()> {
    writeln!(io::stderr(), "about to be noisy {ESCAPES}")?;
    thread::spawn(|| stream::send(stream::endless("a line of the log\n"), &mut io::stderr(), Pace::Full));
    Ok(())
}

pub(crate) fn banner(_: &Options) -> io::Result<()> {
    writeln!(io::stdout(), "Peer server listening on standard input")
}

pub(crate) fn exits_at_once(_: &Options) -> io::Result<()> {
    writeln!(io::stderr(), "a setting is missing: PEER_TOKEN")?;
    process::exit(3)
}

pub(crate) fn flood(_: &Options) -> io::Result<()> {
    stream::send(stream::endless("abcdefgh"), &mut io::stdout(), Pace::Full)
}
