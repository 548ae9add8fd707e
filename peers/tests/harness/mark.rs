//! Words by which a test finds the processes that it caused, whoever their parents are.

use std::fs;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long it may take to end what ignores polite requests, when nobody was left to wait for it.
const GRACE: Duration = Duration::from_secs(5);

/// A word that no other test uses.
pub(crate) struct Mark {
    word: String,
}

impl Mark {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self { word: format!("mark-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)) }
    }

    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// The processes that have the word among their arguments or in their environment.
    pub(crate) fn processes(&self) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let path = entry.ok()?.path();
            let id: u32 = path.file_name()?.to_str()?.parse().ok()?;
            let words = |file: &str| Some(String::from_utf8_lossy(&fs::read(path.join(file)).ok()?).replace('\0', " "));
            let (arguments, environment) = (words("cmdline")?, words("environ").unwrap_or_default());
            let is_marked = arguments.contains(&self.word) || environment.contains(&self.word);
            (id != process::id() && is_marked).then(|| format!("{id} {arguments}"))
        });
        processes.collect()
    }

    /// None of them is left, or the test fails and tells which.
    #[track_caller]
    pub(crate) fn expect_none(&self) {
        let start = Instant::now();
        let mut left = self.processes();
        while !left.is_empty() && start.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(20));
            left = self.processes();
        }
        assert!(left.is_empty(), "left running: {left:#?}");
    }
}
