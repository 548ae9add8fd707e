//! Another machine's file system, mounted or copied below a folder of this one.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

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
        // Before it is opened, because opening a pipe waits.
        if !fs::metadata(folder)?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is not a directory"));
        }
        let mounted = Self {
            folder: folder.to_owned(),
            #[cfg(target_os = "linux")]
            root: File::open(folder)?.into(),
        };
        // A kernel that can't resolve paths below a folder would make everything look absent.
        super::Host::kind(&mounted, Path::new("/"))?;
        Ok(mounted)
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
    use std::ffi::OsStr;
    use std::fs::Metadata;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::fs::{FileType, Mode, OFlags, ResolveFlags};
    use rustix::io::Errno;

    use super::super::{Entry, Host, Identity, Kind, sorted};
    use super::{File, Mounted, Path, io};

    /// How often a path is tried again that the kernel could not follow because something was renamed meanwhile,
    /// anywhere on the machine.
    const ATTEMPTS: usize = 32;

    impl Mounted {
        /// Opens a path with the folder as its root.
        fn open_below(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
            let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
            let open = || rustix::fs::openat2(&self.root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve);
            let mut opened = open();
            for _ in 1..ATTEMPTS {
                if !matches!(opened, Err(Errno::AGAIN)) {
                    break;
                }
                opened = open();
            }
            Ok(opened?)
        }

        /// What is at a path; with `NOFOLLOW` the link itself.
        pub(super) fn look(&self, path: &Path, flags: OFlags) -> io::Result<Metadata> {
            File::from(self.open_below(path, flags | OFlags::PATH)?).metadata()
        }
    }

    impl Host for Mounted {
        fn kind(&self, path: &Path) -> io::Result<Kind> {
            Ok(self.look(path, OFlags::empty())?.file_type().into())
        }

        fn open(&self, path: &Path) -> io::Result<File> {
            Ok(self.open_below(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?.into())
        }

        fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>> {
            let opened = rustix::fs::Dir::new(self.open_below(folder, OFlags::RDONLY | OFlags::DIRECTORY)?)?;
            let is_name = |name: &[u8]| name != b"." && name != b"..";
            let entries = opened.filter(|entry| entry.as_ref().map_or(true, |it| is_name(it.file_name().to_bytes())));
            let entries = entries.map(|entry| {
                let entry = entry?;
                let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
                let kind = match entry.file_type() {
                    FileType::RegularFile => Kind::File,
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    // Some file systems do not say.
                    FileType::Unknown => self
                        .look(&folder.join(&name), OFlags::NOFOLLOW)
                        .map_or(Kind::Special, |metadata| metadata.file_type().into()),
                    _ => Kind::Special,
                };
                Ok(Entry { name, kind })
            });
            sorted(entries, most)
        }

        fn identity(&self, path: &Path) -> Option<Identity> {
            Identity::of(&self.look(path, OFlags::empty()).ok()?)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::super::{Entry, Host, Identity, Kind, list};
    use super::{File, Mounted, Path, PathBuf, fs, io};

    impl Mounted {
        /// Where a path leads, which must not be a link any more when it is used.
        fn at(&self, path: &Path) -> io::Result<PathBuf> {
            let at = self.folder.join(self.resolve(path)?);
            if fs::symlink_metadata(&at)?.is_symlink() {
                return Err(io::Error::other("it changes while it is looked at"));
            }
            Ok(at)
        }
    }

    impl Host for Mounted {
        fn kind(&self, path: &Path) -> io::Result<Kind> {
            Ok(fs::symlink_metadata(self.at(path)?)?.file_type().into())
        }

        fn open(&self, path: &Path) -> io::Result<File> {
            File::open(self.at(path)?)
        }

        fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>> {
            list(&self.at(folder)?, most)
        }

        fn identity(&self, path: &Path) -> Option<Identity> {
            Identity::of(&fs::symlink_metadata(self.at(path).ok()?).ok()?)
        }
    }
}
