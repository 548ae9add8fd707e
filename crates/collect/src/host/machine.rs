//! The machine that we run on.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::{Host, Kind, names};

/// The file system of this machine, with the rights of whoever runs us.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine;

impl Host for Machine {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let metadata = fs::metadata(path)?;
        Ok(Kind::of(metadata.is_file(), metadata.is_dir()))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, super::read::NEVER_WAIT);
        options.open(path)
    }

    fn list(&self, folder: &Path, most: usize) -> io::Result<Option<Vec<OsString>>> {
        names(fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())), most)
    }
}
