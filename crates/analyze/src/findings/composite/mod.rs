//! Findings that are composite edges: one for each edge, with the path that it rests on.
//!
//! An edge says what is so; what it means and what to do stands in `texts`, by kind. A finding is put into words only
//! when somebody looks at it.

mod catalogue;
mod parties;
pub mod severity;
mod texts;

use tracehound_graph::{EdgeIx, View as _};
use tracehound_model::{Direction, EdgeKind, Finding, Place, Standard, Step};

use super::ground::Ground;
use super::list::Found;
use crate::basis::weight;
use crate::derived::{Composite, Hop, Relation, Via};
use crate::picture::Picture;
use crate::words;
use catalogue::Entry;
use parties::Parties;
use texts::{Cut, Text};

/// The finding of a composite edge in words. `matched` is what rules say of the same text.
pub(super) fn render<'a>(
    picture: Picture<'a>,
    ground: &Ground<'a>,
    found: &Found<'_>,
    matched: &[Finding],
) -> Option<Finding> {
    let super::list::Origin::Edge(edge) = found.origin else { return None };
    let (parties, text) = told(picture, ground, edge)?;
    let Parties { source, target, composite, path, .. } = parties;
    let place = place(&parties, text);
    let steps: Vec<Step> = path.iter().map(|hop| step(&parties, *hop)).collect();
    Some(Finding {
        fingerprint: found.fingerprint,
        kind: edge.kind.name().to_owned(),
        category: text.category.to_owned(),
        severity: found.severity,
        confidence: composite.confidence,
        title: parties.fill(text.title, None),
        description: parties.fill(text.description, None),
        source: ground.subject(source),
        target: ground.subject(target),
        evidence: evidence(&picture, edge, composite, matched),
        remediation: parties.fill(text.remediation, place.as_ref()),
        place,
        standards: standards(text, matched),
        total_weight: (!steps.is_empty()).then(|| total(&steps)),
        path: steps,
    })
}

/// The finding of a composite edge in one line.
pub(super) fn title<'a>(picture: Picture<'a>, ground: &Ground<'a>, edge: EdgeIx) -> Option<String> {
    let (parties, text) = told(picture, ground, edge)?;
    Some(parties.fill(text.title, None))
}

/// The catalogue entries that all findings like that of a composite edge fall under.
pub(super) fn entries(picture: &Picture<'_>, edge: EdgeIx) -> &'static [Entry] {
    let relation = picture.analysis.derived.of(edge.kind);
    let composite = relation.get(edge.number);
    composite.map_or(&[], |composite| texts::of(edge.kind, composite.detail, relation.path(composite)).standards)
}

/// Who takes part in a composite edge, and what is said about such edges.
fn told<'l, 'a>(
    picture: Picture<'a>,
    ground: &'l Ground<'a>,
    edge: EdgeIx,
) -> Option<(Parties<'l, 'a>, &'static Text)> {
    let relation: &'a Relation = picture.analysis.derived.of(edge.kind);
    let composite: &'a Composite = relation.get(edge.number)?;
    let path = relation.path(composite);
    let (source, target) = picture.ends(edge);
    let text = texts::of(edge.kind, composite.detail, path);
    Some((Parties { picture, ground, source, target, composite, path }, text))
}

/// A sum of weights without the dust that adding them leaves.
fn total(steps: &[Step]) -> f64 {
    let sum: u64 = steps.iter().map(|step| crate::basis::cost(step.weight)).sum();
    sum as f64 / crate::basis::UNIT
}

fn evidence(picture: &Picture<'_>, edge: EdgeIx, composite: &Composite, matched: &[Finding]) -> String {
    let mut evidence = words::evidence(picture, edge, composite);
    for finding in matched {
        evidence.push_str(&format!("\n{}: {}", finding.kind, finding.evidence));
    }
    evidence
}

/// Those of the kind, then what rules add.
fn standards(text: &Text, matched: &[Finding]) -> Vec<Standard> {
    let own = text.standards.iter().map(|(id, name)| Standard { id: (*id).to_owned(), name: (*name).to_owned() });
    let mut all: Vec<Standard> = own.collect();
    for standard in matched.iter().flat_map(|finding| &finding.standards) {
        if !all.iter().any(|other| other.id == standard.id) {
            all.push(standard.clone());
        }
    }
    all
}

fn step(parties: &Parties<'_, '_>, hop: Hop) -> Step {
    let view = parties.picture.view;
    let (kind, weight) = match hop.via {
        Via::Along(kind) | Via::Against(kind) => {
            let raw = hop.edge().and_then(|edge| parties.picture.outgoing(kind, edge.source).to(edge.target));
            let weight = match raw.filter(|_| kind.is_input()) {
                Some(edge) => weight(view, edge),
                None => kind.weight().value(None, None),
            };
            (kind.name(), weight)
        }
        Via::SameSecret => ("same-secret", 0.0),
        Via::Reads(_) => ("reads", 0.0),
    };
    let (from, to) = (parties.ground.subject(hop.from), parties.ground.subject(hop.to));
    let words = format!("`{}` {} `{}`", from.name, words::verb(&parties.picture, hop.via), to.name);
    let direction = match hop.via {
        Via::Along(_) => Some(Direction::Along),
        Via::Against(_) => Some(Direction::Against),
        Via::SameSecret | Via::Reads(_) => None,
    };
    Step { kind: kind.to_owned(), direction, from, to, weight, words }
}

/// Where to change something: at the hop where it is cheapest, or else at the first hop that stands in a file.
fn place(parties: &Parties<'_, '_>, text: &Text) -> Option<Place> {
    if matches!(parties.composite.detail, crate::derived::Detail::Poison) {
        return parties.ground.cause(parties.source);
    }
    let at = |hop: &Hop| place_of(parties, *hop);
    let of_kind = |kind: EdgeKind| move |hop: &&Hop| hop.edge().is_some_and(|edge| edge.kind == kind);
    let path = parties.path;
    let cheapest = match text.cut {
        Cut::First(kind) => path.iter().filter(of_kind(kind)).find_map(at),
        Cut::Last(kind) => path.iter().rev().filter(of_kind(kind)).find_map(at),
    };
    cheapest.or_else(|| path.iter().find_map(at)).or_else(|| parties.ground.cause(parties.source))
}

/// Where an edge stands, or else where the server is defined that it starts or ends at.
fn place_of(parties: &Parties<'_, '_>, hop: Hop) -> Option<Place> {
    let edge = hop.edge().filter(|edge| edge.kind.is_input())?;
    let found = parties.picture.view.outgoing(edge.kind, edge.source).to(edge.target);
    let own = found.and_then(|edge| parties.ground.place(edge));
    let defined = || parties.ground.definition(edge.source);
    own.or_else(defined).or_else(|| match edge.kind {
        EdgeKind::TrustsServer => parties.ground.definition(edge.target),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
