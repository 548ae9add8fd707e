//! Unpacking an archive in memory: a tar file in one gzip member, read as raw entries.
//!
//! Only regular files and directories are accepted. Everything by which two programs can come to read different files
//! from one archive is refused instead of read: links, devices, extensions that change names and sizes, sparse files,
//! names that are there twice, anything behind the end. Nothing touches the disk.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;
use tar::{Archive, EntryType};

use super::contents::Contents;
use super::limits::{ARCHIVE_BYTES, UNPACKED_BYTES};
use super::refusal::Refusal;

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// An archive ends with two blocks of nothing, of which the reader of entries takes the first.
const BLOCK: u64 = 512;

/// Everything in an archive, or why it is refused.
pub(super) fn unpack(bytes: &[u8]) -> Result<Contents, Refusal> {
    if bytes.len() > ARCHIVE_BYTES {
        return Err(Refusal::Archive(format!("has more than {ARCHIVE_BYTES} bytes")));
    }
    if !bytes.starts_with(&GZIP) {
        return Err(Refusal::Archive("is not a gzip file".to_owned()));
    }
    let mut archive = Archive::new(Bounded { inner: GzDecoder::new(bytes), left: UNPACKED_BYTES });
    let mut contents = Contents::default();
    for entry in archive.entries().map_err(|error| damaged(&error))?.raw(true) {
        take(entry.map_err(|error| damaged(&error))?, &mut contents)?;
    }
    finish(archive.into_inner())?;
    Ok(contents)
}

/// Takes one entry.
fn take(mut entry: tar::Entry<'_, impl Read>, contents: &mut Contents) -> Result<(), Refusal> {
    let given = entry.header().path_bytes().into_owned();
    let shown = || String::from_utf8_lossy(&given).into_owned();
    let refuse = |reason: &str| Err(Refusal::entry(shown(), reason));
    let is_directory = match entry.header().entry_type() {
        EntryType::Regular => false,
        EntryType::Directory => true,
        EntryType::Symlink => return refuse("is a symbolic link"),
        EntryType::Link => return refuse("is a hard link"),
        EntryType::Char | EntryType::Block => return refuse("is a device"),
        EntryType::Fifo => return refuse("is a FIFO"),
        EntryType::GNUSparse => return refuse("is a sparse file"),
        EntryType::GNULongName | EntryType::GNULongLink => {
            return refuse("is an extension that renames the next entry; use `--format=ustar` and shorter names");
        }
        EntryType::XHeader | EntryType::XGlobalHeader => {
            return refuse("is an extension that changes other entries; use `--format=ustar`");
        }
        _ => return refuse("is neither a file nor a directory"),
    };
    let Ok(name) = std::str::from_utf8(&given) else { return refuse("has a path that is not UTF-8") };
    let name = if is_directory { name.strip_suffix('/').unwrap_or(name) } else { name };
    let path = contents.enter(name)?;
    let size = entry.size();
    let limit = if is_directory { 0 } else { Contents::limit(path) };
    if size > limit as u64 {
        return refuse(&format!("has {size} bytes, which is more than {limit}"));
    }
    if is_directory {
        return Ok(());
    }
    if path.is_empty() {
        return refuse("is a file without a name");
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
    if bytes.len() as u64 != size {
        return refuse("is cut off: the archive ends in it");
    }
    contents.keep(path, bytes)
}

/// Reads what follows the last entry: the rest of the end mark, padding, and then nothing. The checksum of the gzip
/// member is verified on the way.
fn finish(mut rest: Bounded<GzDecoder<&[u8]>>) -> Result<(), Refusal> {
    let mut buffer = [0; 8 << 10];
    let mut padding = 0;
    loop {
        let read = rest.read(&mut buffer).map_err(|error| damaged(&error))?;
        let part = buffer.get(..read).unwrap_or_default();
        if part.is_empty() {
            break;
        }
        if part.iter().any(|byte| *byte != 0) {
            return Err(Refusal::Archive("goes on after its end".to_owned()));
        }
        padding += read as u64;
    }
    if padding < BLOCK {
        return Err(Refusal::Archive("is cut off: its end mark is missing".to_owned()));
    }
    match rest.inner.into_inner() {
        [] => Ok(()),
        more if more.starts_with(&GZIP) => {
            Err(Refusal::Archive("holds more than one gzip member; compress it in one go".to_owned()))
        }
        more => Err(Refusal::Archive(format!("has {} bytes after its end", more.len()))),
    }
}

fn damaged(error: &io::Error) -> Refusal {
    Refusal::Archive(match error.kind() {
        io::ErrorKind::FileTooLarge => format!("has more than {UNPACKED_BYTES} bytes when unpacked"),
        io::ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        _ => format!("is damaged: {error}"),
    })
}

/// A stream that may give so much and no more.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let is_end = self.inner.read(&mut [0])? == 0;
            return if is_end { Ok(0) } else { Err(io::ErrorKind::FileTooLarge.into()) };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.inner.read(buffer.get_mut(..most).unwrap_or_default())?;
        self.left -= read as u64;
        Ok(read)
    }
}
