//! Puts the built-in rules into the binary, without their tests.
//!
//! Tests are bait: texts that look like attacks and credentials. In the binary they would set off other people's
//! scanners and cost space, so they stay in the source.
#![expect(clippy::disallowed_methods, reason = "reading the rule files is what a build script is for")]

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let folder = crate_folder.join("builtin");
    let directive = format!("cargo::rerun-if-changed={}\n", folder.display());
    std::io::Write::write_all(&mut std::io::stdout(), directive.as_bytes())?;

    let mut names = Vec::new();
    collect(&folder, "", &mut names)?;
    names.sort();
    let (fingerprints, rules) = names.into_iter().partition(|name| name.starts_with("fingerprints/"));
    fs::write(out.join("builtin_rules.rs"), list(&folder, rules)?)?;
    fs::write(out.join("builtin_fingerprints.rs"), list(&folder, fingerprints)?)?;
    Ok(())
}

/// The code of a list of files: name and text without tests.
fn list(folder: &Path, names: Vec<String>) -> Result<String, Box<dyn Error>> {
    let mut code = String::from("&[\n");
    for name in names {
        let path = folder.join(&name);
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        writeln!(code, "    ({name:?}, {:?}),", without_tests(&text))?;
    }
    code.push_str("]\n");
    Ok(code)
}

/// The rule files below a folder, by their path from the folder that all are in.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let name = format!("{prefix}{name}");
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => collect(&path, &format!("{name}/"), names)?,
            Some("yaml") => names.push(name),
            Some("yml") => return Err(format!("{} must end in .yaml", path.display()).into()),
            _ => {}
        }
    }
    Ok(())
}

/// The text of a rule without its field `tests`: from that line to the next that starts another field.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut in_tests = false;
    for line in text.lines() {
        if line.starts_with("tests:") {
            in_tests = true;
        } else if !line.is_empty() && !line.starts_with([' ', '#', '-']) {
            in_tests = false;
        }
        if !in_tests {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}
