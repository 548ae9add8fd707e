//! Another machine's file system, mounted or copied below a folder of this one.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Host, Kind, names};

/// Links that are followed for one path, as the kernel does.
const LINKS: usize = 40;

/// A file system below a folder. A link in it means what it would mean on the machine that it came from, so an absolute
/// one starts at the folder again, and none leads out.
///
/// On Linux the kernel resolves paths with the folder as their root, so that not even a link that is changed at the
/// wrong moment leads out. Elsewhere links are resolved one by one and the last part is looked at again before use.
#[derive(Debug)]
pub struct Mounted {
    folder: PathBuf,
    #[cfg(target_os = "linux")]
    root: std::os::fd::OwnedFd,
}

impl Mounted {
    /// Opens a folder as the root of a file system.
    ///
    /// # Errors
    ///
    /// When it is not a folder that can be read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = File::open(folder)?;
        if !root.metadata()?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a directory"));
        }
        Ok(Self {
            folder: folder.to_owned(),
            #[cfg(target_os = "linux")]
            root: root.into(),
        })
    }

    /// The path below the root that a path leads to, with every link resolved.
    pub(crate) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let mut left: VecDeque<OsString> = VecDeque::new();
        push_front(&mut left, path);
        let mut done = PathBuf::new();
        let mut links = 0;
        while let Some(part) = left.pop_front() {
            if part == ".." {
                // Above the root is the root.
                done.pop();
                continue;
            }
            let next = done.join(&part);
            if !fs::symlink_metadata(self.folder.join(&next))?.is_symlink() {
                done = next;
                continue;
            }
            links += 1;
            if links > LINKS {
                return Err(io::Error::other("too many links follow each other"));
            }
            let target = fs::read_link(self.folder.join(&next))?;
            if target.has_root() {
                done.clear();
            }
            push_front(&mut left, &target);
        }
        Ok(done)
    }
}

/// Puts the parts of a path before what is left of another.
fn push_front(left: &mut VecDeque<OsString>, path: &Path) {
    for part in path.components().rev() {
        match part {
            Component::Normal(name) => left.push_front(name.to_owned()),
            Component::ParentDir => left.push_front(OsString::from("..")),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::fd::OwnedFd;

    use rustix::fs::{Mode, OFlags, ResolveFlags};

    use super::{File, Mounted, Path, io};

    impl Mounted {
        /// Opens a path with the folder as its root.
        fn open_below(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
            let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
            Ok(rustix::fs::openat2(&self.root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve)?)
        }

        pub(super) fn look(&self, path: &Path) -> io::Result<std::fs::Metadata> {
            File::from(self.open_below(path, OFlags::PATH)?).metadata()
        }

        pub(super) fn open_file(&self, path: &Path) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
            Ok(self.open_below(path, flags)?.into())
        }

        pub(super) fn open_folder(&self, path: &Path) -> io::Result<rustix::fs::Dir> {
            let folder = self.open_below(path, OFlags::RDONLY | OFlags::DIRECTORY)?;
            Ok(rustix::fs::Dir::new(folder)?)
        }
    }
}

#[cfg(target_os = "linux")]
impl Host for Mounted {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let metadata = self.look(path)?;
        Ok(Kind::of(metadata.is_file(), metadata.is_dir()))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.open_file(path)
    }

    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<OsString>>> {
        use std::os::unix::ffi::OsStringExt as _;
        let entries = self.open_folder(folder)?.map(|entry| {
            let name = entry?.file_name().to_bytes().to_vec();
            Ok(OsString::from_vec(name))
        });
        let is_name = |name: &io::Result<OsString>| !matches!(name, Ok(name) if name == "." || name == "..");
        names(entries.filter(is_name), most)
    }
}

#[cfg(not(target_os = "linux"))]
impl Mounted {
    /// Where a path leads, which must not be a link any more when it is used.
    fn here(&self, path: &Path) -> io::Result<PathBuf> {
        let here = self.folder.join(self.resolve(path)?);
        if fs::symlink_metadata(&here)?.is_symlink() {
            return Err(io::Error::other("it changes while it is looked at"));
        }
        Ok(here)
    }
}

#[cfg(not(target_os = "linux"))]
impl Host for Mounted {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let metadata = fs::symlink_metadata(self.here(path)?)?;
        Ok(Kind::of(metadata.is_file(), metadata.is_dir()))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        File::open(self.here(path)?)
    }

    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<OsString>>> {
        names(fs::read_dir(self.here(folder)?)?.map(|entry| Ok(entry?.file_name())), most)
    }
}
