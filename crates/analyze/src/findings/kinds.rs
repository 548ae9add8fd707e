//! The kinds of findings, as people name them.

use tracehound_model::EdgeKind;
use tracehound_rules::rule::Rule;

use super::CHECKS;
use crate::naming::Suggestions;

/// The kind of findings that a text means, in whatever case: that of a composite edge, a check or a rule.
///
/// # Errors
///
/// When there is none; with those that may have been meant.
pub fn known_kind<'r>(text: &str, rules: &'r [Rule]) -> Result<&'r str, Vec<String>> {
    let derived = EdgeKind::ALL.iter().filter(|kind| !kind.is_input()).map(|kind| kind.name());
    let known: Vec<&'r str> =
        derived.chain(CHECKS.iter().map(|check| check.id)).chain(rules.iter().map(|rule| rule.id.as_str())).collect();
    let meant = known.iter().find(|kind| kind.eq_ignore_ascii_case(text)).copied();
    meant.ok_or_else(|| Suggestions::among(text, known))
}
