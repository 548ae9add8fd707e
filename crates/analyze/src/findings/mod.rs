//! Findings: what is wrong, for whom, from which fact, where it stands and what to do, in plain words.
//!
//! They come from checks, which look at single things of the graph and at what stands right beside them; from rules that
//! matched a text; and from composite edges. A new check is a file and a line in [`CHECKS`]. [`List`] has them all.
//!
//! Growth: every check looks at each node of a few kinds once, and at the edges of that node. Together they take time
//! linear in the graph, and sorting what they find.

mod access;
mod approvals;
mod arranged;
mod cards;
mod commands;
pub mod composite;
mod connections;
mod cut_short;
mod exposed;
mod ground;
mod kinds;
mod lifecycle;
mod list;
mod matched;
mod packages;
mod rewrites;
mod rule_matches;
mod secrets;
mod services;

use tracehound_graph::View;
use tracehound_model::{Finding, Place, Severity};
use tracehound_rules::rule::Rule;

use ground::Ground;
pub use kinds::known_kind;
pub use lifecycle::{Altered, Fate, Lifecycle, compare, seen_in};
pub use list::{Found, List, Origin, Tally, Unfound};
pub use matched::MatchedText;

use crate::picture::Picture;

/// A check: its id, which is the kind of its findings, what is wrong where it finds something, and how it looks.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The kind of its findings.
    pub id: &'static str,
    /// What sort of trouble it is.
    pub category: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// What it means, and why it matters.
    pub description: &'static str,
    /// What to do.
    pub remediation: &'static str,
    /// The catalogue entries that it falls under.
    pub standards: &'static [(&'static str, &'static str)],
    find: fn(&Ground<'_>, &Self) -> Vec<Finding>,
}

/// Every check.
pub const CHECKS: &[Check] = &[
    secrets::HARDCODED,
    secrets::SHARED,
    secrets::REPEATED,
    packages::FLOATING,
    connections::UNENCRYPTED,
    connections::UNAUTHENTICATED,
    approvals::EVERYTHING,
    approvals::SOME,
    commands::FETCHED_CODE,
    commands::OPEN_CONTAINER,
    access::SERVER,
    access::AGENT,
    cards::OTHER_ADDRESS,
    cards::SIGNATURE,
    cut_short::SERVER,
    cut_short::CARD,
    services::OPEN,
    services::CERTIFICATE,
    exposed::CREDENTIAL,
    rewrites::DESCRIPTION,
    rewrites::SCHEMA,
    rewrites::INSTRUCTIONS,
];

/// The checks for contents that rewrote themselves. They find something only in a graph of several scans.
const REWRITES: &[Check] = &[rewrites::DESCRIPTION, rewrites::SCHEMA, rewrites::INSTRUCTIONS];

/// Everything that is wrong, in words, in the order of [`List::iter`]. Where only some are shown, [`List`] does less.
#[must_use]
pub fn all(picture: &Picture<'_>, rules: &[Rule]) -> Vec<Finding> {
    let list = List::new(*picture, rules);
    list.iter().filter_map(|found| list.render(found)).collect()
}

/// Contents that rewrote themselves and that nobody has acknowledged: the part of [`all`] that needs the graph of
/// an estate, and not of one scan. In the same order.
#[must_use]
pub fn rewrites(view: &dyn View, rules: &[Rule]) -> Vec<Finding> {
    sorted(run(REWRITES, &Ground::new(view, rules)))
}

fn run(checks: &[Check], ground: &Ground<'_>) -> Vec<Finding> {
    checks.iter().flat_map(|check| (check.find)(ground, check)).collect()
}

fn sorted(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by(|a, b| order(a).cmp(&order(b)));
    found.dedup_by(|a, b| a.fingerprint == b.fingerprint);
    found
}

fn order(finding: &Finding) -> (std::cmp::Reverse<Severity>, &str, Option<&Place>, &str) {
    (std::cmp::Reverse(finding.severity), &finding.kind, finding.place.as_ref(), finding.fingerprint.as_str())
}

#[cfg(test)]
mod tests;
