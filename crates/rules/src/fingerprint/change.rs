//! A fingerprint in place of another: whether its version says that it does something else.

use super::types::Fingerprint;

/// What is wrong with the version of a fingerprint that takes the place of another of the same id.
///
/// What was recognised is compared from scan to scan, so a rule that recognises or says something else must say so. Words
/// for people, ports, tests and whether it is enabled may change freely.
#[must_use]
pub fn version_problem(old: &Fingerprint, new: &Fingerprint) -> Option<String> {
    let parts = [
        ("service_kind", old.kind != new.kind),
        ("probes", old.probes != new.probes),
        ("emit", old.properties != new.properties),
    ];
    let changed: Vec<&str> = parts.iter().filter(|(_, differs)| *differs).map(|(part, _)| *part).collect();
    if old.id != new.id || changed.is_empty() || new.version > old.version {
        return None;
    }
    Some(crate::rule::version_message(&new.id, &changed, old.version, new.version))
}
