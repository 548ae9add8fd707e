//! Finds the files to read, and remembers where it looked.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::rows::{self, ByEnd, Entry, GIVEN};
use super::{Progress, Root};
use crate::config::Hit;
use crate::host::{Host, Kind, ReadError};
use crate::instructions::Row;
use crate::place::{Finder, HOMES, Layout, Place, Whose, tidy, walk};
use crate::report::Problem;

/// A file to read.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) path: PathBuf,
    pub(super) whose: Whose,
    /// The root of its project, or the folder that its place is relative to.
    pub(super) project: Option<PathBuf>,
    /// The rows that it fits, in groups; the most particular group first.
    pub(super) hits: Vec<Vec<Hit>>,
    pub(super) row: Option<&'static Row>,
    pub(super) is_given: bool,
}

/// What is gathered of a file before it is an item.
#[derive(Debug)]
struct Draft {
    whose: Whose,
    project: Option<PathBuf>,
    hits: Vec<((usize, usize), Hit)>,
    row: Option<&'static Row>,
    is_given: bool,
}

/// The search for files.
pub(super) struct Search<'r> {
    root: &'r Root,
    layout: Option<&'r Layout>,
    finder: Finder<'r>,
    drafts: BTreeMap<PathBuf, Draft>,
    /// Files that were handed out already.
    taken: HashSet<PathBuf>,
    projects: HashSet<PathBuf>,
    /// Whether paths that are not there are of interest.
    pub(super) keeps_missing: bool,
    /// Single paths that were looked for and are not there.
    pub(super) missing: BTreeSet<PathBuf>,
    /// Trees that were walked to the end.
    pub(super) walked: Vec<PathBuf>,
    pub(super) entries: usize,
    pub(super) places: usize,
    pub(super) problems: Vec<Problem>,
}

impl<'r> Search<'r> {
    pub(super) fn new(root: &'r Root, layout: Option<&'r Layout>) -> Self {
        Self {
            root,
            layout,
            finder: Finder::new(root.host()),
            drafts: BTreeMap::new(),
            taken: HashSet::new(),
            projects: HashSet::new(),
            keeps_missing: true,
            missing: BTreeSet::new(),
            walked: Vec::new(),
            entries: 0,
            places: 0,
            problems: Vec::new(),
        }
    }

    pub(super) fn layout(&self) -> Option<&'r Layout> {
        self.layout
    }

    /// Looks at the places of the tables, in all homes and machine-wide.
    pub(super) fn places(&mut self) {
        let Some(layout) = self.layout else { return };
        for home in &layout.homes {
            // One whose names can't be listed may still be passed, so what is asked for is something in it.
            if let Err(error) = self.root.host().kind(&home.path.join(".")) {
                let reason = match ReadError::from(error) {
                    ReadError::Missing => "there is no such directory".to_owned(),
                    other => other.to_string(),
                };
                let message = format!("{reason}: this home was not looked into");
                self.problems.push(Problem::unread(&self.root.text(&home.path), message));
                self.finder.close(&home.path);
            }
        }
        if let Some(last) = layout.homes.get(HOMES - 1) {
            let message =
                format!("it is the last of {HOMES} homes that are looked into; if there are more, they are not");
            self.problems.push(Problem::unread(&self.root.text(&last.path), message));
        }
        for (template, entry) in rows::all() {
            for place in template.places(layout) {
                self.look(&place, entry);
            }
        }
    }

    /// Looks at the places of projects in one folder.
    pub(super) fn project(&mut self, folder: &Path) {
        let folder = plain(self.root.host(), folder);
        // A home is not a project, although clients are started there, too.
        let is_home = self.layout.is_some_and(|layout| layout.homes.iter().any(|home| home.path == folder));
        if is_home || !self.projects.insert(folder.clone()) {
            return;
        }
        for (template, entry) in rows::all().filter(|(template, _)| template.is_project()) {
            self.look(&Place { whose: Whose::Project, base: folder.clone(), rest: template.rest }, entry);
        }
    }

    /// Walks a source tree.
    pub(super) fn tree(&mut self, folder: &Path, progress: &(dyn Fn(Progress) + Sync)) {
        let walked = self.resolved(folder).and_then(|folder| {
            let found = walk(self.root.host(), &folder, &ByEnd::patterns(), &|seen| progress(Progress::Walked(seen)));
            found.map(|found| (found, folder)).map_err(|error| error.to_string())
        });
        let (found, folder) = match walked {
            Ok(walked) => walked,
            Err(reason) => return self.problems.push(Problem::unread(&self.root.text(folder), reason)),
        };
        self.entries += found.entries;
        if found.blocked.is_empty() {
            self.walked.push(folder);
        }
        for blocked in found.blocked {
            self.problems.push(Problem::unread(&self.root.text(&blocked.path), blocked.reason));
        }
        for folder in found.linking {
            self.project(&folder);
        }
        for path in found.files {
            let ending = ByEnd::rows().of(&path);
            if ending.hits.is_empty() && ending.row.is_none() {
                continue;
            }
            let (hits, row, project) = (ending.hits, ending.row, ending.project);
            self.drafts.entry(path).or_insert(Draft { whose: Whose::Project, project, hits, row, is_given: false });
        }
    }

    /// The folder of a tree. Files in it are called by where they are, not by a link that leads there.
    fn resolved(&self, folder: &Path) -> Result<PathBuf, String> {
        let here = self.root.here(folder).map_err(|error| ReadError::from(error).to_string())?;
        let there = self.root.there(&here);
        match self.root.host().kind(&there) {
            Ok(Kind::Folder) => Ok(there),
            Ok(_) => Err("it is not a directory".to_owned()),
            Err(error) => Err(ReadError::from(error).to_string()),
        }
    }

    /// Takes files that the user named.
    pub(super) fn given(&mut self, files: &[PathBuf]) {
        for path in files {
            let path = &plain(self.root.host(), path);
            let ending = ByEnd::rows().of(path);
            let mut hits = ending.hits;
            // Whatever its name says, a file that was given is looked through for servers.
            if let Some(file) = GIVEN.files.first()
                && (ending.row.is_none() || !hits.is_empty())
            {
                hits.push(((0, 0), Hit { client: &GIVEN, file }));
            }
            let project = ending.project.or_else(|| path.parent().map(Path::to_owned));
            let draft = Draft { whose: Whose::Project, project, hits, row: ending.row, is_given: true };
            self.drafts.insert(path.clone(), draft);
        }
    }

    fn look(&mut self, place: &Place<'_>, entry: Entry) {
        let weight = rows::particularity(place.rest);
        for found in self.finder.find(&place.base, place.rest) {
            self.places += 1;
            if self.keeps_missing {
                self.missing.extend(found.missing);
            }
            // Instructions may be a folder where others have a file, and the rows for what is in it tell.
            let folder = found.folder.filter(|_| matches!(entry, Entry::Config(_)));
            for path in found.files.into_iter().chain(folder) {
                let whose = place.whose;
                let project = (whose == Whose::Project).then(|| place.base.clone());
                let draft = Draft { whose, project, hits: Vec::new(), row: None, is_given: false };
                let draft = self.drafts.entry(path).or_insert(draft);
                match entry {
                    Entry::Config(hit) => draft.hits.push((weight, hit)),
                    Entry::Instructions(row) => draft.row = draft.row.or(Some(row)),
                }
            }
        }
    }

    /// The files that were found since the last time, sorted by path.
    pub(super) fn take_new(&mut self) -> Vec<Item> {
        for blocked in std::mem::take(&mut self.finder.blocked) {
            self.problems.push(Problem::unread(&self.root.text(&blocked.path), blocked.reason));
        }
        let drafts = std::mem::take(&mut self.drafts);
        let new = drafts.into_iter().filter(|(path, _)| self.taken.insert(path.clone()));
        new.map(|(path, draft)| Item {
            path,
            whose: draft.whose,
            project: draft.project,
            hits: groups(draft.hits),
            row: draft.row,
            is_given: draft.is_given,
        })
        .collect()
    }
}

/// A path without `.` and `..`, if that is the same file: after a link `..` leads elsewhere than its text says.
fn plain(host: &dyn Host, path: &Path) -> PathBuf {
    let plain = tidy(path);
    let there = host.identity(path);
    if there.is_some() && host.identity(&plain) == there { plain } else { path.to_owned() }
}

/// Rows in groups of equal particularity; within a group in the order of the table.
fn groups(mut hits: Vec<((usize, usize), Hit)>) -> Vec<Vec<Hit>> {
    hits.sort_by_key(|(weight, _)| std::cmp::Reverse(weight.0));
    let mut groups: Vec<(usize, Vec<Hit>)> = Vec::new();
    for ((parts, _), hit) in hits {
        match groups.last_mut() {
            Some((known, group)) if *known == parts => {
                if !group.iter().any(|other| std::ptr::eq(other.file, hit.file)) {
                    group.push(hit);
                }
            }
            _ => groups.push((parts, vec![hit])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
