//! Running the cases, and what they share.

use std::fs;
use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::ChildStdout;
use tokio::time::timeout;
use tracehound_collect::process::{Ended, Launch, Started, Supervisor, Warden};

/// No case takes longer.
const LIMIT: Duration = Duration::from_secs(40);

/// What a case does.
pub(crate) type Doing = Pin<Box<dyn Future<Output = ()> + Send>>;
/// Cases by what they promise.
pub(crate) type Cases = &'static [(&'static str, fn() -> Doing)];

/// Makes a table of cases out of functions.
#[macro_export]
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        pub(crate) const CASES: $crate::support::Cases = &[$((stringify!($name), || Box::pin($name()))),*];
    };
}

/// Runs the cases whose names contain one of the arguments, or all.
pub(crate) fn run(tables: &[Cases]) -> ExitCode {
    let filters: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_chosen = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut failed = 0;
    for (name, case) in tables.iter().copied().flatten().filter(|(name, _)| is_chosen(name)) {
        let started = Instant::now();
        let outcome = runtime.block_on(async { timeout(LIMIT, tokio::spawn(case())).await });
        let word = if matches!(outcome, Ok(Ok(()))) { "ok" } else { "FAILED" };
        failed += usize::from(word != "ok");
        println!("case {name} ... {word} ({} ms)", started.elapsed().as_millis());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A warden whose supervisor is this program.
pub(crate) fn warden(sandbox: bool) -> Warden {
    Warden::new(Supervisor::current().unwrap(), sandbox)
}

/// A shell script as a command.
pub(crate) fn script(script: &str) -> Launch {
    launch("/bin/sh", &["-c", script])
}

/// A command without variables.
pub(crate) fn launch(program: &str, args: &[&str]) -> Launch {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    Launch { program: program.to_owned(), args, env: Vec::new(), directory: None }
}

/// A time to sleep for that nobody else sleeps for, so that those who do are known by it.
pub(crate) fn nap() -> String {
    static NAPS: AtomicU32 = AtomicU32::new(0);
    format!("300.{:07}{:03}", std::process::id(), NAPS.fetch_add(1, Ordering::Relaxed))
}

/// Processes that name the text in their command line.
pub(crate) fn naming(text: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let command_line = |process: std::path::PathBuf| {
        let line = fs::read(process.join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(text).then(|| format!("{}: {line}", process.display()))
    };
    processes.filter_map(command_line).collect()
}

/// Waits until as many processes sleep for that time. Those that are about to still bear the name of their parent.
pub(crate) async fn until_asleep(nap: &str, sleepers: usize) {
    let is_asleep = |line: &String| line.ends_with(&format!(": sleep {nap} "));
    until(|| naming(nap).iter().filter(|line| is_asleep(line)).count() == sleepers, nap).await;
}

/// Waits until nobody names the text.
pub(crate) async fn until_gone(text: &str) {
    until(|| naming(text).is_empty(), text).await;
}

async fn until(is_so: impl Fn() -> bool, text: &str) {
    let until = Instant::now() + Duration::from_secs(15);
    while !is_so() {
        assert!(Instant::now() < until, "{:#?}", naming(text));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Nobody names the text.
pub(crate) fn assert_gone(text: &str) {
    assert_eq!(naming(text), [""; 0]);
}

/// The next line of a command.
pub(crate) async fn line(stdout: &mut ChildStdout) -> String {
    // Byte by byte, so that nothing is taken from the next reader.
    let mut line = String::new();
    BufReader::with_capacity(1, stdout).read_line(&mut line).await.unwrap();
    line.trim_end().to_owned()
}

/// All that a command writes, and how it ended by itself.
pub(crate) async fn output(mut started: Started) -> (String, Ended) {
    let mut text = String::new();
    drop(started.stdin);
    started.stdout.read_to_string(&mut text).await.unwrap();
    drop(started.stdout);
    (text, started.kept.end(Duration::from_secs(5)).await)
}
