//! The machine that we run on.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::{Entry, Host, Identity, Kind, list};

/// The file system of this machine, with the rights of whoever runs us.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine;

impl Host for Machine {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(fs::metadata(path)?.file_type().into())
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, super::read::NEVER_WAIT);
        options.open(path)
    }

    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<Entry>>> {
        list(folder, most)
    }

    fn identity(&self, path: &Path) -> Option<Identity> {
        Identity::of(&fs::metadata(path).ok()?)
    }
}

/// Whether a file belongs to whoever runs us. Where files have no owners, it does.
pub(crate) fn is_own(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
    }
    #[cfg(not(unix))]
    path.exists()
}
