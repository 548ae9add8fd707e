//! A file system that misbehaves on purpose, and what reading makes of it.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// This machine, with one place that is not ours to look at.
pub(crate) struct Denied(pub(crate) PathBuf);

impl Denied {
    fn ask(&self, path: &Path) -> io::Result<()> {
        if path.starts_with(&self.0) { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }
}

impl Host for Denied {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        // A place itself can be seen in the folder that it is in.
        if path != self.0 {
            self.ask(path)?;
        }
        Machine.kind(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.ask(path)?;
        Machine.open(path)
    }

    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>> {
        self.ask(folder)?;
        Machine.list(folder, most)
    }

    fn identity(&self, path: &Path) -> Option<Identity> {
        self.ask(path).ok()?;
        Machine.identity(path)
    }
}

/// A machine whose files are not what they were when they were looked at.
struct Swapped<F>(F);

impl<F: Fn() -> io::Result<File> + Sync> Host for Swapped<F> {
    fn kind(&self, _: &Path) -> io::Result<Kind> {
        Ok(Kind::File)
    }

    fn open(&self, _: &Path) -> io::Result<File> {
        (self.0)()
    }

    fn list(&self, _: &Path, _: usize) -> io::Result<Option<Vec<Entry>>> {
        Ok(Some(Vec::new()))
    }

    fn identity(&self, _: &Path) -> Option<Identity> {
        None
    }
}

fn check(host: &dyn Host, path: &Path, expected: Result<&str, &str>) {
    let found = read(host, path, 100).map_err(|error| error.to_string());
    assert_eq!(found, expected.map(|text| text.as_bytes().to_vec()).map_err(str::to_owned));
}

fn file(content: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

#[test]
fn a_file_is_read_up_to_the_limit() {
    let (_folder, path) = file(&"x".repeat(100));
    check(&Machine, &path, Ok(&"x".repeat(100)));
    let (_folder, path) = file(&"x".repeat(101));
    check(&Machine, &path, Err("it is larger than 0 MiB"));
}

#[test]
fn what_is_not_ours_to_read_is_told() {
    let (_folder, path) = file("x");
    check(&Denied(path.clone()), &path, Err("permission denied"));
}

#[test]
fn names_are_listed_up_to_a_number() {
    let (folder, _) = file("x");
    let names = |most| Machine.list(folder.path(), most).unwrap().map(|entries| entries.len());
    assert_eq!((names(1), names(0)), (Some(1), None));
}

// A file of the kernel says that it is empty and is not, like one that grew between the look and the reading.
#[cfg(target_os = "linux")]
const GROWING: &str = "/proc/self/stat";

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_changes_while_it_is_read_is_read_again() {
    let (_folder, path) = file("settled");
    let opened = AtomicUsize::new(0);
    let host = Swapped(|| {
        let is_settled = opened.fetch_add(1, Ordering::Relaxed) == 2;
        File::open(if is_settled { path.as_path() } else { Path::new(GROWING) })
    });
    let found = read(&host, Path::new("/file"), 4096).unwrap();
    assert_eq!((found, opened.into_inner()), (b"settled".to_vec(), 3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_never_holds_still_is_told() {
    let host = Swapped(|| File::open(GROWING));
    let error = read(&host, Path::new("/file"), 4096).unwrap_err();
    assert_eq!(error.to_string(), "it changes while it is read");
}

#[cfg(unix)]
#[test]
fn a_file_that_became_something_else_is_not_read() {
    for other in ["/dev/zero", "/"] {
        check(
            &Swapped(|| File::open(other)),
            Path::new("/file"),
            Err("it is a pipe, a socket or a device, not a file"),
        );
    }
}
