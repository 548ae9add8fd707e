//! A rule in place of another: whether its version says that it does something else.

use super::types::Rule;

/// What is wrong with the version of a rule that takes the place of another of the same id.
///
/// Findings are compared from scan to scan by rule and version, so a rule that matches or does something else must say
/// so. Words for people (name, description, remediation, tags, standards), severity, tests and whether it is enabled
/// may change freely.
#[must_use]
pub fn version_problem(old: &Rule, new: &Rule) -> Option<String> {
    let mut changed = Vec::new();
    for (part, differs) in
        [("matcher", old.matcher != new.matcher), ("scope", old.scope != new.scope), ("emit", old.emit != new.emit)]
    {
        if differs {
            changed.push(part);
        }
    }
    if old.id != new.id || changed.is_empty() || new.version > old.version {
        return None;
    }
    Some(version_message(&new.id, &changed, old.version, new.version))
}

/// How it is said that a rule of this id changed parts of another without a higher version.
pub(crate) fn version_message(id: &str, changed: &[&str], old: u32, new: u32) -> String {
    let changed = changed.join(", ");
    format!("`{id}` changes the {changed} of version {old}, so its version must be higher, not {new}")
}
