//! Files that appear under their name only when they are whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file being written, readable by its owner alone. Flushing completes it.
pub(crate) enum WholeFile {
    /// A file of its own that takes the name when it is complete.
    Fresh { out: Option<BufWriter<NamedTempFile>>, path: PathBuf },
    /// Something that is no ordinary file (a pipe, a device): it is written to as it is.
    Direct(BufWriter<File>),
}

impl WholeFile {
    /// Begins to write what will be at a path. A link stays a link: what it leads to is replaced.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Ok(Self::Direct(BufWriter::new(fs::OpenOptions::new().write(true).open(&path)?)));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let out = NamedTempFile::new_in(folder)?;
        Ok(Self::Fresh { out: Some(BufWriter::new(out)), path })
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Fresh { out: Some(out), .. } => out.write(bytes),
            Self::Fresh { out: None, .. } => Err(io::Error::other("the file is complete")),
            Self::Direct(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Fresh { out, path } => {
                let Some(out) = out.take() else { return Ok(()) };
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|failed| failed.error)
            }
            Self::Direct(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_whole_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export.json");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"half");
        let mut given_up = WholeFile::create(&path).unwrap();
        given_up.write_all(b"other").unwrap();
        drop(given_up);
        assert_eq!(fs::read(&path).unwrap(), b"half");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut file = WholeFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"new");
        let mut device = WholeFile::create(Path::new("/dev/null")).unwrap();
        device.write_all(b"gone").unwrap();
        device.flush().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
