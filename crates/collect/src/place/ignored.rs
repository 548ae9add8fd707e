//! What version control leaves out of a source tree.
//!
//! The files that say so are part of the tree and as untrusted as the rest of it, so they are read like everything else:
//! through the host, only regular files, and never more than a limit. One that can't be heeded is not: then more is
//! looked at, not less.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::host::{Entry, Host, read};

/// Largest file of patterns that is heeded.
const FILE_BYTES: u64 = 256 << 10;
/// All files of patterns of one tree. Compiling patterns takes time and memory in proportion.
const TREE_BYTES: u64 = 16 << 20;
/// Longest pattern that is heeded. The pattern compiler calls itself for brackets within brackets.
const PATTERN_BYTES: usize = 1_000;
/// Patterns for everything there is.
const EVERYTHING: &[&str] = &["*", "**", "/*", "/**", "*/", "/*/"];

/// What is left out in a folder and below it.
#[derive(Clone, Default)]
pub(super) struct Ignored(Option<Arc<Level>>);

/// The patterns of one file, which come before those of the folders above.
struct Level {
    patterns: Gitignore,
    above: Ignored,
}

impl Ignored {
    /// Whether a folder is left out.
    pub(super) fn has(&self, folder: &Path) -> bool {
        let mut ignored = self;
        while let Some(level) = &ignored.0 {
            match level.patterns.matched(folder, true) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => ignored = &level.above,
            }
        }
        false
    }

    fn with(self, patterns: Option<Gitignore>) -> Self {
        match patterns {
            Some(patterns) => Self(Some(Arc::new(Level { patterns, above: self }))),
            None => self,
        }
    }
}

/// Reads what is left out.
pub(super) struct Reader<'h> {
    host: &'h dyn Host,
    bytes: AtomicU64,
}

impl<'h> Reader<'h> {
    pub(super) fn new(host: &'h dyn Host) -> Self {
        Self { host, bytes: AtomicU64::new(0) }
    }

    /// What the repository around a folder leaves out in it. Without a repository, nothing: what stands in a folder
    /// above is then somebody else's.
    pub(super) fn above(&self, folder: &Path) -> Ignored {
        let is_repository = |folder: &&Path| self.host.kind(&folder.join(".git")).is_ok();
        let Some(top) = folder.ancestors().find(is_repository) else { return Ignored::default() };
        if top == folder {
            return Ignored::default();
        }
        let mut between: Vec<&Path> = folder.ancestors().skip(1).take_while(|above| above.starts_with(top)).collect();
        between.reverse();
        between.into_iter().fold(Ignored::default(), |ignored, above| {
            let has = Has { patterns: true, repository: above == top };
            self.add(ignored, above, has)
        })
    }

    /// What is left out below a folder with these entries.
    pub(super) fn within(&self, ignored: &Ignored, folder: &Path, entries: &[Entry]) -> Ignored {
        let has = |name: &str| entries.binary_search_by(|entry| entry.name.as_os_str().cmp(name.as_ref())).is_ok();
        let has = Has { patterns: has(".gitignore"), repository: has(".git") };
        self.add(ignored.clone(), folder, has)
    }

    fn add(&self, ignored: Ignored, folder: &Path, has: Has) -> Ignored {
        // A repository within another is not the other's business.
        let mut ignored = if has.repository { Ignored::default() } else { ignored };
        if has.repository {
            ignored = ignored.with(self.patterns(folder, ".git/info/exclude", has));
        }
        if has.patterns {
            ignored = ignored.with(self.patterns(folder, ".gitignore", has));
        }
        ignored
    }

    fn patterns(&self, folder: &Path, file: &str, has: Has) -> Option<Gitignore> {
        let bytes = read(self.host, &folder.join(file), FILE_BYTES).ok()?;
        let size = bytes.len() as u64;
        if self.bytes.fetch_add(size, Ordering::Relaxed) + size > TREE_BYTES {
            return None;
        }
        let mut builder = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
            // A repository that leaves out everything and lists what it keeps is how people version their home. The
            // rest of a home is not what they mean to hide.
            let is_home = has.repository && EVERYTHING.contains(&line.trim());
            if line.len() <= PATTERN_BYTES && !is_home {
                // A pattern that can't be understood leaves out nothing.
                let _ = builder.add_line(None, line);
            }
        }
        builder.build().ok()
    }
}

/// What there is in a folder that says something.
#[derive(Clone, Copy)]
struct Has {
    patterns: bool,
    repository: bool,
}
