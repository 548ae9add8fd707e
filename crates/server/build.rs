//! Puts the console into a release build: `ui/dist`, which is built with npm if it is missing or older than its sources.
//!
//! Without npm the program is built without the console and says so when it starts. A debug build reads the files from
//! disk instead.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs, io};

/// What the console is built from.
const SOURCES: [&str; 5] = ["src", "index.html", "package.json", "package-lock.json", "vite.config.ts"];

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(embedded_console)");
    let ui = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../ui");
    // Only these decide; without a line the script would run at every change of the crate.
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").as_deref() != Ok("release") || !ui.join("package.json").exists() {
        return Ok(());
    }
    for source in SOURCES.iter().chain(&["dist"]) {
        println!("cargo::rerun-if-changed={}", ui.join(source).display());
    }
    let dist = ui.join("dist");
    if is_old(&ui, &dist)? && !built(&ui) && !dist.join("index.html").exists() {
        println!("cargo::warning=the console is left out: `npm ci && npm run build` in ui/ did not work");
        return Ok(());
    }
    let mut files = Vec::new();
    walk(&dist, &mut files)?;
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut text = String::from("static FILES: &[(&str, &[u8], Option<&[u8]>)] = &[\n");
    for (number, file) in files.iter().enumerate() {
        let name = file.strip_prefix(&dist).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let content = fs::read(file)?;
        let packed = compressed(&content)?;
        let kept = if packed.len() * 10 < content.len() * 9 {
            let place = out.join(format!("console-{number}.gz"));
            fs::write(&place, packed)?;
            format!("Some(include_bytes!({place:?}))")
        } else {
            "None".to_owned()
        };
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?}), {kept}),", file.canonicalize()?);
    }
    text.push_str("];\n");
    fs::write(out.join("console.rs"), text)?;
    println!("cargo::rustc-cfg=embedded_console");
    Ok(())
}

/// Whether the build is missing or older than what it is made from.
fn is_old(ui: &Path, dist: &Path) -> io::Result<bool> {
    let Ok(built) = fs::metadata(dist.join("index.html")).and_then(|file| file.modified()) else { return Ok(true) };
    let mut files = Vec::new();
    for source in SOURCES {
        walk(&ui.join(source), &mut files)?;
    }
    let newest = files.iter().filter_map(|file| fs::metadata(file).and_then(|file| file.modified()).ok()).max();
    Ok(newest.unwrap_or(SystemTime::UNIX_EPOCH) > built)
}

fn built(ui: &Path) -> bool {
    let npm = |arguments: &[&str]| Command::new("npm").args(arguments).current_dir(ui).output();
    let worked = |arguments: &[&str]| npm(arguments).is_ok_and(|output| output.status.success());
    let has_packages = ui.join("node_modules").exists() || worked(&["ci", "--no-audit", "--no-fund"]);
    has_packages && worked(&["run", "build"])
}

/// All files at or below a path.
fn walk(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() {
        for entry in fs::read_dir(path)? {
            walk(&entry?.path(), files)?;
        }
    }
    Ok(())
}

fn compressed(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(content)?;
    packer.finish()
}
