//! Where the rules in force come from: the product, a bundle, a directory of the user's own. What comes later takes the
//! place of what has the same id.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tracehound_rules::builtin_judges;
use tracehound_rules::bundle::Proof;
use tracehound_rules::library::{Entry, FileProblem, Library, Origin, RuleFile, read_files};

use super::refusal;
use crate::bundle_files::{self, Found};
use crate::output::{SHOWN, note, safe};
use crate::rule_files;
use crate::settings::Settings;

/// Rules that somebody keeps in one place.
#[derive(Debug)]
pub(super) struct Source {
    /// What the place is called in messages.
    pub(super) place: String,
    pub(super) files: Vec<RuleFile>,
    /// What is wrong with files that could not even be read.
    pub(super) problems: Vec<FileProblem>,
}

/// The rules in force. Whatever takes the place of a built-in rule or of one in a bundle is announced.
pub(in crate::command) fn in_force(settings: &Settings) -> anyhow::Result<Library> {
    let mut library = Library::builtin()?;
    let mut notes = Vec::new();
    for source in of(settings)? {
        library = add(library, source, &mut notes)?;
    }
    notes.extend(library.entries().iter().filter(|entry| entry.origin == Origin::Override).map(announcement));
    notes.iter().take(SHOWN).for_each(|text| note(text));
    if let Some(rest) = notes.len().checked_sub(SHOWN).filter(|rest| *rest > 0) {
        note(&format!(
            "note: {rest} more rules stand in the place of others; `tracehound rules list --custom-only` lists them"
        ));
    }
    Ok(library)
}

/// What the settings name: a bundle, which has to be verified, and then a directory.
pub(super) fn of(settings: &Settings) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    if let Some(path) = &settings.rules_bundle {
        let found = bundle_files::open(path, &settings.signer)?;
        if found.opened.proof == Proof::None {
            note(&unverified(path, &found));
        }
        sources.push(of_bundle(path, found.opened.files));
    }
    if let Some(directory) = &settings.rules {
        let (files, problems) = rule_files::read_directory(directory).context("the directory of rules")?;
        sources.push(Source { place: format!("`{}`", directory.display()), files, problems });
    }
    Ok(sources)
}

/// What the user names on the command line: files, and directories of them.
pub(super) fn given(paths: &[PathBuf]) -> anyhow::Result<Source> {
    let (files, problems) = rule_files::read(paths)?;
    Ok(Source { place: "the given places".to_owned(), files, problems })
}

/// The files of a bundle that was accepted, named by the bundle and their paths in it.
pub(super) fn of_bundle(path: &Path, files: Vec<RuleFile>) -> Source {
    let name = |file: RuleFile| RuleFile { name: path.join(&file.name).display().to_string(), ..file };
    let files = files.into_iter().map(name).collect();
    Source { place: format!("the bundle `{}`", path.display()), files, problems: Vec::new() }
}

/// The rules of a source, if they can be used beside the built-in ones; all of them or none.
pub(super) fn usable(source: Source) -> anyhow::Result<Vec<Entry>> {
    let place = source.place.clone();
    let library = add(Library::builtin()?, source, &mut Vec::new())?;
    let problems = library.compile_problems(|| Ok::<_, anyhow::Error>(builtin_judges()?))?;
    if !problems.is_empty() {
        return Err(unusable(&place, problems));
    }
    Ok(library.entries().iter().filter(|entry| entry.origin != Origin::Builtin).cloned().collect())
}

/// Adds the rules of a source; all of them or none. Notes what it takes from another source.
fn add(library: Library, source: Source, notes: &mut Vec<String>) -> anyhow::Result<Library> {
    let Source { place, files, mut problems } = source;
    let (own, more) = read_files(files);
    problems.extend(more);
    for entry in &own {
        let old = library.find(entry.rule.id()).filter(|old| old.origin != Origin::Builtin);
        notes.extend(old.map(|old| {
            let (new, old) = (safe(&entry.file.name), safe(&old.file.name));
            format!("note: rule `{}` of {new} takes the place of the one of {old}", entry.rule.id())
        }));
    }
    match library.with(own).map_err(|more| problems.extend(more)) {
        Ok(library) if problems.is_empty() => Ok(library),
        _ => Err(unusable(&place, problems)),
    }
}

fn unusable(place: &str, problems: Vec<FileProblem>) -> anyhow::Error {
    refusal(problems).context(format!("the rules of {place} can't be used"))
}

fn announcement(entry: &Entry) -> String {
    let (id, file) = (entry.rule.id(), safe(&entry.file.name));
    let what = if entry.rule.is_enabled() { "overrides the built-in one" } else { "switches the built-in one off" };
    format!("note: rule `{id}` of {file} {what}")
}

fn unverified(path: &Path, found: &Found) -> String {
    let path = safe(&path.display().to_string());
    match found.unchecked.first() {
        None => format!("note: the rule bundle `{path}` is not signed, so its rules may be anybody's"),
        Some(signature) => {
            let signature = safe(signature);
            format!("note: nobody checked the signature `{signature}` of the rule bundle `{path}`, as no key was given")
        }
    }
}
