//! This program as something else: a scanner that is killed, or a command that tries what it may.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::process::Resource;

use crate::support::{launch, output, script, warden};

/// The first argument that makes this program something else.
pub(crate) const WORD: &str = "__inner";

/// This program as something else.
pub(crate) fn own(role: &str, args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([WORD, role]).args(args);
    command
}

/// Plays a role.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let words: Vec<String> = arguments.map(|word| word.into_string().unwrap()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["environment"] => on_runtime(environment()),
        ["scanner", command] => on_runtime(scanner(command)),
        ["trier", address, folder] => trier(address, Path::new(folder)),
        ["meddler"] => meddler(),
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

fn on_runtime(role: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().unwrap().block_on(role);
}

/// Shows the environment of a command.
async fn environment() {
    let mut command = launch("env", &[]);
    command.env = vec![("KEY".to_owned(), "from its configuration".to_owned())];
    let (text, _) = output(warden(false).start(&command).unwrap()).await;
    io::stdout().write_all(text.as_bytes()).unwrap();
}

/// Starts a command and waits to be killed.
async fn scanner(command: &str) {
    let _started = warden(true).start(&script(command)).unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
}

/// Tries what a sandbox is about, and says what became of each.
fn trier(address: &str, folder: &Path) {
    let existing = folder.join("existing");
    let temporary = std::env::var_os("TMPDIR").map_or_else(|| folder.join("made"), PathBuf::from);
    let parent = rustix::process::getppid().unwrap();
    let to_parent = rustix::process::kill_process(parent, rustix::process::Signal::CONT);
    let attempts = [
        ("read", fs::read(&existing).map(drop)),
        ("list", fs::read_dir(folder).map(drop)),
        ("write", fs::OpenOptions::new().append(true).open(&existing).map(drop)),
        ("empty", fs::OpenOptions::new().write(true).truncate(true).open(&existing).map(drop)),
        ("create", fs::write(folder.join("new"), "x")),
        ("folder", fs::create_dir(folder.join("new-folder"))),
        ("rename", fs::rename(folder.join("other"), folder.join("another"))),
        ("mode", fs::set_permissions(&existing, fs::Permissions::from_mode(0o600))),
        ("remove", fs::remove_file(&existing)),
        ("connect", TcpStream::connect(address).map(drop)),
        ("listen", TcpListener::bind("127.0.0.1:0").map(drop)),
        ("datagrams", UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("local socket", UnixStream::connect(folder.join("socket")).map(drop)),
        ("pair", UnixStream::pair().map(drop)),
        ("signal", to_parent.map_err(io::Error::from)),
        ("null", fs::write("/dev/null", "x")),
        ("program", Command::new("sh").args(["-c", "exit 0"]).status().map(drop)),
        (
            "own folder",
            fs::create_dir_all(temporary.join("a/b")).and_then(|()| fs::write(temporary.join("a/b/c"), "x")),
        ),
    ];
    say(&attempts);
    println!("{}", temporary.display());
}

/// Tries to reach other processes, and what all of them share.
fn meddler() {
    let parent = rustix::process::getppid();
    let limits = rustix::process::getrlimit(Resource::Core);
    let limit = |process| rustix::process::prlimit(process, Resource::Core, limits).map(drop);
    let no_space = fs::File::open("/dev/null").unwrap();
    // What is no name space is looked at and found to be none, unless the call itself is refused.
    let moved = match rustix::thread::move_into_link_name_space(no_space.as_fd(), None) {
        Err(rustix::io::Errno::INVAL) => Ok(()),
        other => other,
    };
    say(&[
        ("thread", std::thread::Builder::new().spawn(|| ()).map(|thread| thread.join().unwrap())),
        ("own limits", limit(None).map_err(io::Error::from)),
        ("limits of another", limit(parent).map_err(io::Error::from)),
        ("name space", moved.map_err(io::Error::from)),
        ("own name space", tool("unshare -U true")),
        ("shared memory", tool("id=$(ipcmk -M 16) && ipcrm -m ${id##* }")),
        ("shared queue", tool("id=$(ipcmk -Q) && ipcrm -q ${id##* }")),
        ("shared semaphores", tool("id=$(ipcmk -S 1) && ipcrm -s ${id##* }")),
    ]);
}

/// What became of a tool that some systems lack.
fn tool(script: &str) -> io::Result<()> {
    match Command::new("/bin/sh").args(["-c", script]).stderr(Stdio::null()).status()?.code() {
        Some(0) => Ok(()),
        Some(127) => Err(io::ErrorKind::NotFound.into()),
        _ => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

fn say(attempts: &[(&str, io::Result<()>)]) {
    for (what, outcome) in attempts {
        let word = match outcome {
            Ok(()) => "done".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused".to_owned(),
            Err(error) => error.to_string(),
        };
        println!("{what}: {word}");
    }
}
