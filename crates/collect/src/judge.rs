//! Lets the rules look at what a server or an agent says of itself, and writes what they say to its node.

use std::borrow::Cow;

use tracehound_model::Collector;
use tracehound_model::wire::Node;
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::effects::{self, FieldMatches, HIDDEN};
use tracehound_rules::engine::{Engine, Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;

use crate::detection::{Detection, DetectionError};

/// Longest text that rules look at. What is longer is a mark of its own.
pub(crate) const JUDGED: usize = 1 << 20;

/// One thread's means to judge.
pub(crate) struct Judge<'d> {
    engine: &'d Engine,
    scratch: Scratch,
}

/// A text that rules look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged<'t> {
    /// What rules call it.
    pub(crate) target: &'t str,
    /// What the node calls it.
    pub(crate) property: &'t str,
    pub(crate) text: &'t str,
}

/// What rules say of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Some text tries to steer whoever reads it.
    pub(crate) is_injected: bool,
}

impl<'d> Judge<'d> {
    /// Waits for the rules if they are still being compiled.
    pub(crate) fn new(detection: &'d Detection) -> Result<Self, DetectionError> {
        Ok(Self { engine: detection.live()?, scratch: Scratch::default() })
    }

    /// Judges texts of a node, each under the name that rules have for it, and writes the matches to the node.
    pub(crate) fn look(&mut self, collector: Collector, node: &mut Node, texts: &[(&str, &str)]) -> Verdict {
        let texts: Vec<Judged<'_>> =
            texts.iter().map(|(property, text)| Judged { target: property, property, text }).collect();
        self.look_at(collector, node, &texts)
    }

    /// The same for texts that rules have no name for and that are read by whoever reads another.
    pub(crate) fn look_at(&mut self, collector: Collector, node: &mut Node, texts: &[Judged<'_>]) -> Verdict {
        let Some(kind) = node.kinds.first().copied() else { return Verdict { is_injected: false } };
        let name = node.properties.get("name").and_then(|name| name.as_str()).unwrap_or_default().to_owned();
        let mut found: Vec<(&str, Cow<'_, str>, Vec<Match>)> = Vec::new();
        for Judged { target, property, text } in texts {
            let source = text.get(..text.floor_char_boundary(JUDGED)).unwrap_or_default();
            // Our own mark must not be taken for a tag that somebody wrote; places in the text stay what they are.
            let source: Cow<'_, str> =
                if source.contains(HIDDEN) { source.replace(HIDDEN, "(hidden)").into() } else { source.into() };
            if source.is_empty() || !self.engine.reads(collector, kind, target) {
                continue;
            }
            let field = Field { collector, kind, property: target, name: &name, source: &source };
            let normalised = Normaliser::new(builtin_vocabulary()).normalise(&source);
            let matches = self.engine.evaluate(&mut self.scratch, &field, &normalised).matches;
            found.push((property, source, matches));
        }
        let fields: Vec<FieldMatches<'_>> =
            found.iter().map(|(property, source, matches)| FieldMatches { property, source, matches }).collect();
        effects::apply(node, self.engine.rules(), &fields);
        let mut rules =
            found.iter().flat_map(|(_, _, matches)| matches).filter_map(|it| self.engine.rules().get(it.rule));
        Verdict { is_injected: rules.any(|rule| rule.emit.finding_type == "has_injection_patterns") }
    }
}
