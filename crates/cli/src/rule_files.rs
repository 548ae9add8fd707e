//! Rule files on disk: found below a directory, read within limits.
//!
//! What a link leads to is read only if it lies within the directory, and once. Names that start with a dot are left
//! out, as they belong to version control and to whoever mounted the directory.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use tracehound_rules::library::{FileProblem, RuleFile};
use tracehound_rules::limits;
use tracehound_rules::rule::Problem;

use crate::output::{note, safe};

/// Directories within each other.
const DEPTH: usize = 8;
/// Rule files below one directory.
const FILES: usize = 10_000;

/// What is found at the given places: files, whatever they are called, and rule files at any depth of directories.
pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<(Vec<RuleFile>, Vec<FileProblem>)> {
    let mut found = Vec::new();
    for path in paths {
        if there(path)?.is_dir() {
            found.extend(below(path)?);
        } else {
            found.push(path.clone());
        }
    }
    found.dedup();
    read_all(&found)
}

/// The rule files of a directory.
pub(crate) fn read_directory(directory: &Path) -> anyhow::Result<(Vec<RuleFile>, Vec<FileProblem>)> {
    ensure!(there(directory)?.is_dir(), "`{}` is not a directory", directory.display());
    read_all(&below(directory)?)
}

/// The rule files of a directory with their paths below it, as a bundle names them, and their bytes, up to one more than
/// a rule file may have.
pub(crate) fn read_below(directory: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    ensure!(there(directory)?.is_dir(), "`{}` is not a directory", directory.display());
    let within = |path: &Path| {
        let parts = path.strip_prefix(directory).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
    };
    below(directory)?.iter().map(|path| Ok((within(path), read_bytes(path)?))).collect()
}

pub(crate) fn there(path: &Path) -> anyhow::Result<fs::Metadata> {
    fs::metadata(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn below(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let root = fs::canonicalize(directory).with_context(|| format!("cannot read `{}`", directory.display()))?;
    let mut walk = Walk { seen: BTreeSet::from([root.clone()]), root, found: Vec::new() };
    walk.enter(directory, 0)?;
    walk.found.sort();
    Ok(walk.found)
}

struct Walk {
    root: PathBuf,
    seen: BTreeSet<PathBuf>,
    found: Vec<PathBuf>,
}

impl Walk {
    fn enter(&mut self, directory: &Path, depth: usize) -> anyhow::Result<()> {
        let failed = || format!("cannot read `{}`", directory.display());
        ensure!(depth <= DEPTH, "`{}` lies more than {DEPTH} directories deep", directory.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory).with_context(failed)? {
            let entry = entry.with_context(failed)?;
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                paths.push(entry.path());
            }
        }
        paths.sort();
        paths.iter().try_for_each(|path| self.visit(path, depth))
    }

    fn visit(&mut self, path: &Path, depth: usize) -> anyhow::Result<()> {
        let is_link = path.is_symlink();
        let Ok(real) = fs::canonicalize(path) else {
            if is_rule_file(path) {
                bail!("cannot read `{}`: it leads nowhere", path.display());
            }
            return Ok(());
        };
        let is_directory = real.is_dir();
        if !is_directory && !is_rule_file(path) {
            return Ok(());
        }
        if is_link && !real.starts_with(&self.root) {
            let path = safe(&path.display().to_string());
            note(&format!("note: `{path}` leads out of the directory of rules and is not read"));
            return Ok(());
        }
        if !self.seen.insert(real) {
            return Ok(());
        }
        if is_directory {
            return self.enter(path, depth + 1);
        }
        ensure!(self.found.len() < FILES, "there are more than {FILES} rule files below `{}`", self.root.display());
        self.found.push(path.to_owned());
        Ok(())
    }
}

fn is_rule_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml")
}

fn read_all(paths: &[PathBuf]) -> anyhow::Result<(Vec<RuleFile>, Vec<FileProblem>)> {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        let name = path.display().to_string();
        match text(read_bytes(path)?) {
            Ok(text) => files.push(RuleFile { name, text }),
            Err(problem) => problems.push(FileProblem { file: name, problem }),
        }
    }
    Ok((files, problems))
}

fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_within(path, limits::FILE_BYTES)
}

/// What is in a file, up to a byte more than it may have: enough to be refused.
pub(crate) fn read_within(path: &Path, most: usize) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("cannot read `{}`", path.display());
    ensure!(there(path)?.is_file(), "`{}` is neither a file nor a directory", path.display());
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(failed)?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).with_context(failed)?;
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, Problem> {
    let is_cut = bytes.len() > limits::FILE_BYTES;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // The cut may have gone through a character; the reader refuses the file for its size.
        Err(error) if is_cut => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => {
            let (line, column) = place(error.as_bytes(), error.utf8_error().valid_up_to());
            Err(Problem { line, column, message: "this is not UTF-8 text".to_owned(), help: None })
        }
    }
}

/// The line and column of a byte that follows valid text.
fn place(bytes: &[u8], at: usize) -> (u32, u32) {
    let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
    let last = before.rsplit('\n').next().unwrap_or_default();
    let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
    (count(before.matches('\n').count()), count(last.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let (files, problems) = read_directory(directory).unwrap();
        assert_eq!(problems, []);
        files.iter().map(|file| file.name[directory.to_str().unwrap().len() + 1..].to_owned()).collect()
    }

    #[test]
    fn rule_files_are_found_at_any_depth_in_order() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("b/c")).unwrap();
        fs::create_dir_all(folder.path().join(".git")).unwrap();
        for name in ["z.yml", "b/c/a.yaml", "b/b.yaml", "b/readme.txt", ".git/x.yaml", ".hidden.yaml"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        assert_eq!(names(folder.path()), ["b/b.yaml", "b/c/a.yaml", "z.yml"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_else_and_round_no_circle() {
        use std::os::unix::fs::symlink;
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("out.yaml"), "x").unwrap();
        fs::create_dir(folder.path().join("..data")).unwrap();
        fs::write(folder.path().join("..data/in.yaml"), "x").unwrap();
        symlink(folder.path().join("..data/in.yaml"), folder.path().join("in.yaml")).unwrap();
        symlink(outside.path(), folder.path().join("elsewhere")).unwrap();
        symlink(outside.path().join("out.yaml"), folder.path().join("out.yaml")).unwrap();
        symlink(folder.path(), folder.path().join("again")).unwrap();
        assert_eq!(names(folder.path()), ["in.yaml"]);
    }

    #[test]
    fn a_directory_that_is_too_deep_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/".repeat(DEPTH))).unwrap();
        assert!(names(folder.path()).is_empty());
        fs::create_dir_all(folder.path().join("a/".repeat(DEPTH + 1))).unwrap();
        assert!(read_directory(folder.path()).unwrap_err().to_string().contains("more than 8 directories deep"));
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_their_place() {
        let problem = text(b"id: a\nname: \xc3\xa4\xff".to_vec()).unwrap_err();
        assert_eq!(problem.to_string(), "2:8: this is not UTF-8 text");
        assert!(text(vec![0xc3; limits::FILE_BYTES + 1]).is_ok(), "its size is the problem");
    }
}
