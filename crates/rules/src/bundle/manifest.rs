//! The manifest of a bundle: every rule file with its digest, so that one signature speaks for all of them.
//!
//! It is the text that `sha256sum` writes and checks: `<hex>  <path>` in each line, sorted by path.

use std::collections::BTreeMap;

use tracehound_model::hash;

use super::limits::MANIFEST_BYTES;
use super::path::{is_rule_file, plain};
use super::refusal::Refusal;

/// What the manifest of a bundle is called, at its top.
pub const MANIFEST: &str = "MANIFEST.sha256";

/// Files that are named in one refusal.
const NAMED: usize = 20;

/// The manifest of these files.
pub(super) fn write<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> String {
    let sorted: BTreeMap<&str, &[u8]> = files.into_iter().collect();
    sorted.into_iter().map(|(path, bytes)| format!("{}  {path}\n", hash::content(bytes))).collect()
}

/// Checks that a manifest lists exactly these files, and each as it is.
pub(super) fn check(manifest: &[u8], files: &BTreeMap<String, Vec<u8>>) -> Result<(), Refusal> {
    let listed = read(manifest).map_err(Refusal::Manifest)?;
    let mut problems = Vec::new();
    for (path, digest) in &listed {
        match files.get(*path) {
            None => problems.push(format!("lists `{path}`, which is missing")),
            Some(bytes) if hash::content(bytes) != *digest => {
                problems.push(format!("lists `{path}` with another digest: the file was altered"));
            }
            Some(_) => {}
        }
    }
    let unlisted = files.keys().filter(|path| !listed.contains_key(path.as_str()));
    problems.extend(unlisted.map(|path| format!("does not list `{path}`")));
    if problems.is_empty() {
        return Ok(());
    }
    let rest = problems.len().saturating_sub(NAMED);
    problems.truncate(NAMED);
    let more = if rest == 0 { String::new() } else { format!(", and {rest} more problems") };
    Err(Refusal::Manifest(format!("{}{more}", problems.join(", "))))
}

/// The lines of a manifest: digests by path.
fn read(bytes: &[u8]) -> Result<BTreeMap<&str, &str>, String> {
    if bytes.len() > MANIFEST_BYTES {
        return Err(format!("has more than {MANIFEST_BYTES} bytes"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
    let lines = text.strip_suffix('\n').ok_or("does not end with a line break, so something of it may be missing")?;
    let mut listed = BTreeMap::new();
    let mut last = "";
    for (number, line) in (1..).zip(lines.split('\n')) {
        let (digest, path) = entry(line).map_err(|reason| format!("is wrong in line {number}: {reason}"))?;
        if path <= last {
            return Err(format!("is wrong in line {number}: `{path}` is there twice or not in order"));
        }
        last = path;
        listed.insert(path, digest);
    }
    Ok(listed)
}

fn entry(line: &str) -> Result<(&str, &str), String> {
    let (digest, path) = line.split_once("  ").ok_or("it is not a digest, two spaces and a path")?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digest.len() != 64 || !digest.bytes().all(is_hex) {
        return Err("it does not begin with a SHA-256 in lower-case hex".to_owned());
    }
    match plain(path) {
        Ok(same) if same == path && is_rule_file(path) => Ok((digest, path)),
        Ok(_) => Err(format!("`{path}` is not the plain path of a rule file")),
        Err(reason) => Err(format!("`{path}` {reason}")),
    }
}
