//! The one folder that a command in a sandbox may write to, and its removal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Folders made by this process.
static MADE: AtomicU64 = AtomicU64::new(0);

/// A private folder that is gone when this is dropped.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes a folder for the user alone, where nothing was.
    pub(super) fn new() -> io::Result<Self> {
        let parent = fs::canonicalize(std::env::temp_dir())?;
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..100 {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let folder = parent.join(format!("tracehound-{}-{number}", std::process::id()));
            match builder.create(&folder) {
                // A folder of a process that had our number before us, or of somebody who guessed it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(folder)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes a folder that a stranger filled, as far as it can be.
///
/// Folders in folders are brought up instead of gone down into, so that no depth can exhaust anything. Links are removed
/// and never followed. Nobody else may be writing to it.
pub(super) fn remove(folder: &Path) {
    let mut waiting = Vec::new();
    let mut raised = 0_u64;
    let mut next = Some(folder.to_owned());
    while let Some(inner) = next {
        open_up(&inner);
        for entry in fs::read_dir(&inner).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let _ = fs::remove_file(entry.path());
            } else if inner == folder {
                waiting.push(entry.path());
            } else {
                open_up(&entry.path());
                let above = free_name(folder, &mut raised);
                if fs::rename(entry.path(), &above).is_ok() {
                    waiting.push(above);
                }
            }
        }
        if inner != folder {
            let _ = fs::remove_dir(&inner);
        }
        next = waiting.pop();
    }
    let _ = fs::remove_dir(folder);
}

/// A name in the folder that nothing has. Numbers only grow, so that names which a stranger took cost it once.
fn free_name(folder: &Path, raised: &mut u64) -> PathBuf {
    loop {
        *raised += 1;
        let name = folder.join(format!("raised-{raised}"));
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
    }
}

/// Folders may have been closed to their owner too.
fn open_up(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
    #[cfg(not(unix))]
    let _ = folder;
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::{Scratch, remove};

    #[test]
    fn it_is_private_and_gone_afterwards() {
        let (one, other) = (Scratch::new().unwrap(), Scratch::new().unwrap());
        assert_ne!(one.path(), other.path());
        assert_eq!(fs::metadata(one.path()).unwrap().permissions().mode() & 0o777, 0o700);
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists() && other.path().exists());
    }

    #[test]
    fn what_a_stranger_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("file"), "mine").unwrap();
        let filled = folder.path().join("filled");
        fs::create_dir_all(filled.join("a/b/c/d")).unwrap();
        fs::create_dir_all(filled.join("a/b/e")).unwrap();
        fs::create_dir_all(filled.join("raised-1/taken")).unwrap();
        fs::write(filled.join("a/b/c/text"), "x").unwrap();
        symlink(&victim, filled.join("link")).unwrap();
        symlink(&victim, filled.join("a/b/link")).unwrap();
        symlink("nowhere", filled.join("a/dangling")).unwrap();
        fs::set_permissions(filled.join("a/b"), fs::Permissions::from_mode(0o000)).unwrap();
        remove(&filled);
        assert!(!filled.exists());
        assert_eq!(fs::read_to_string(victim.join("file")).unwrap(), "mine");
    }

    #[test]
    fn depth_exhausts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let filled = folder.path().join("filled");
        fs::create_dir(&filled).unwrap();
        // Deeper than any path can name: each folder is put into a new one.
        for _ in 0..5000 {
            let (inner, outer) = (filled.join("inner"), filled.join("outer"));
            fs::create_dir(&outer).unwrap();
            if inner.exists() {
                fs::rename(&inner, outer.join("inner")).unwrap();
            }
            fs::rename(&outer, &inner).unwrap();
        }
        remove(&filled);
        assert!(!filled.exists());
    }
}
