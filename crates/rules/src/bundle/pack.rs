//! Writing bundles: the same files give the same bytes, so that a signature can be compared and a build repeated.

use std::io::Write as _;

use flate2::{Compression, GzBuilder};

use super::archive::unpack;
use super::contents::Contents;
use super::manifest::{self, MANIFEST};
use super::path::is_rule_file;
use super::refusal::Refusal;
use crate::library::RuleFile;

/// `operating_system` of a gzip header: unknown.
const ANY_SYSTEM: u8 = 255;

/// The manifest of rule files, which are named by their paths within the bundle.
///
/// # Errors
///
/// If a path could not stand in a bundle.
pub fn manifest(files: &[RuleFile]) -> Result<String, Refusal> {
    let mut contents = Contents::default();
    for file in files {
        if contents.enter(&file.name)? != file.name || !is_rule_file(&file.name) {
            return Err(Refusal::entry(&file.name, "is not the plain path of a rule file"));
        }
        contents.keep(&file.name, file.text.clone().into_bytes())?;
    }
    if files.is_empty() {
        return Err(Refusal::Empty);
    }
    Ok(manifest::write(files.iter().map(|file| (file.name.as_str(), file.text.as_bytes()))))
}

/// An archive of rule files with their manifest: sorted, without times, owners and rights of their own.
///
/// # Errors
///
/// If a path could not stand in a bundle, or the whole would be refused when it is read.
pub fn pack(files: &[RuleFile]) -> Result<Vec<u8>, Refusal> {
    let manifest = manifest(files)?;
    let mut sorted: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.text.as_bytes())).collect();
    sorted.sort_unstable();
    sorted.insert(0, (MANIFEST, manifest.as_bytes()));
    let mut plain = tar::Builder::new(Vec::new());
    for (path, bytes) in sorted {
        let mut header = tar::Header::new_ustar();
        header.set_path(path).map_err(|_| Refusal::entry(path, "has a path that does not fit an archive"))?;
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_cksum();
        plain.append(&header, bytes).map_err(|_| unwritable())?;
    }
    let plain = plain.into_inner().map_err(|_| unwritable())?;
    let mut packed = GzBuilder::new().mtime(0).operating_system(ANY_SYSTEM).write(Vec::new(), Compression::best());
    packed.write_all(&plain).map_err(|_| unwritable())?;
    let packed = packed.finish().map_err(|_| unwritable())?;
    // What is written here is read here, or it is not written.
    unpack(&packed)?;
    Ok(packed)
}

/// Writing to memory does not fail.
fn unwritable() -> Refusal {
    Refusal::Archive("can't be written".to_owned())
}
