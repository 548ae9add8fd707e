//! `tracehound rules explain`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use tracehound_model::NodeKind;
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Evaluation, Field, Match, Reason, Scratch, TEXT_BYTES, effects::HIDDEN};
use tracehound_rules::normalise::{MarkKind, Normalised, Normaliser, PartKind};
use tracehound_rules::rule::{Rule, Target};
use tracehound_rules::tool_text::combined;

use super::describe::{effects, emit_json, standards, wrapped};
use super::{compile, count, in_force};
use crate::args::{Explain, Format};
use crate::outcome::Outcome;
use crate::output::{Output, note, safe, shortened};
use crate::settings::Settings;

/// Characters of context on each side of a match.
const CONTEXT: usize = 40;
/// Characters of a match that people are shown.
const MATCH: usize = 200;
/// Characters of a reason that people are shown; patterns can be long.
const REASON: usize = 240;
/// Characters of a decoded text that people are shown.
const DECODED: usize = 80;

pub(super) fn run(arguments: &Explain, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let text = input(arguments)?;
    let kind = arguments.target.example_kind();
    let target = Target { kind: Some(kind), property: arguments.target.property.clone() };
    let is_combined = kind == NodeKind::McpTool && target.property == "combined";
    let source = if is_combined && !arguments.name.is_empty() { combined(&arguments.name, &text, None) } else { text };
    let engine = compile(&in_force(settings)?)?;
    let normalised = Normaliser::new(builtin_vocabulary()).normalise(&source);
    let field =
        Field { collector: kind.collector(), kind, property: &target.property, name: &arguments.name, source: &source };
    if !engine.reads(field.collector, kind, field.property) {
        note(&format!("note: no rule reads {target}"));
    }
    let evaluation = engine.evaluate(&mut Scratch::default(), &field, &normalised);
    let places = places(&source, evaluation.matches.iter().map(|found| found.span.start).collect());
    let explained =
        Explained { engine: &engine, target: &target, source: &source, normalised: &normalised, places, evaluation };
    match settings.format {
        Format::Json => output.json(&explained.json())?,
        Format::Table | Format::Markdown => explained.print(output)?,
    }
    Ok(Outcome::Clean)
}

fn input(arguments: &Explain) -> anyhow::Result<String> {
    match (&arguments.text, &arguments.file) {
        (_, Some(path)) if path != Path::new("-") => {
            let failed = || format!("cannot read `{}`", path.display());
            let file = File::open(path).with_context(failed)?;
            read(file).with_context(failed)
        }
        (Some(text), None) if text != "-" => Ok(text.clone()),
        _ => {
            if io::stdin().is_terminal() {
                note("reading a text from the terminal; end it with Ctrl-D");
            }
            read(io::stdin().lock()).context("cannot read the text")
        }
    }
}

fn read(input: impl Read) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    input.take(TEXT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() <= TEXT_BYTES, "it is larger than {}", crate::size::show(TEXT_BYTES as u64));
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow::anyhow!("it is not UTF-8 text: byte {at} is the first that does not fit")
    })
}

/// The line and column, from 1, of places in a text, in one pass over it.
fn places(source: &str, wanted: BTreeSet<usize>) -> BTreeMap<usize, (usize, usize)> {
    let mut places = BTreeMap::new();
    let (mut line, mut column, mut from) = (1, 1, 0);
    for at in wanted {
        for character in source.get(from..at).unwrap_or_default().chars() {
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        from = at;
        places.insert(at, (line, column));
    }
    places
}

/// What the rules say of a text.
struct Explained<'e> {
    engine: &'e Engine,
    target: &'e Target,
    source: &'e str,
    normalised: &'e Normalised,
    places: BTreeMap<usize, (usize, usize)>,
    evaluation: Evaluation,
}

impl Explained<'_> {
    /// Whether the text is a secret, of which nothing may be shown.
    fn is_secret(&self) -> bool {
        match self.target.kind {
            Some(NodeKind::Credential) => self.target.property == "value",
            _ => self.target.property == "env_values",
        }
    }

    /// The matches, by rule.
    fn by_rule(&self) -> BTreeMap<usize, Vec<&Match>> {
        let mut by_rule: BTreeMap<usize, Vec<&Match>> = BTreeMap::new();
        for found in &self.evaluation.matches {
            by_rule.entry(found.rule).or_default().push(found);
        }
        by_rule
    }

    fn place(&self, found: &Match) -> (usize, usize) {
        self.places.get(&found.span.start).copied().unwrap_or((1, 1))
    }

    /// Why, without the words of a secret.
    fn reason(&self, found: &Match) -> Reason {
        match &found.reason {
            Reason::Model { model, score, .. } if self.is_secret() => {
                Reason::Model { model: model.clone(), score: *score, phrases: Vec::new() }
            }
            reason => reason.clone(),
        }
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let by_rule = self.by_rule();
        let bytes = count(self.source.len(), "byte");
        if by_rule.is_empty() {
            output.line(format!("{}, {bytes}: nothing fires", self.target))?;
        } else {
            output.line(format!("{}, {bytes}: {} fired", self.target, count(by_rule.len(), "rule")))?;
        }
        self.print_findings(output)?;
        for (rule, matches) in by_rule {
            if let Some(rule) = self.engine.rules().get(rule) {
                self.print_rule(rule, &matches, output)?;
            }
        }
        Ok(())
    }

    fn print_rule(&self, rule: &Rule, matches: &[&Match], output: &mut Output) -> anyhow::Result<()> {
        output.line(format!("\n{}  {}  {}", rule.id, rule.severity, safe(&rule.name)))?;
        for found in matches {
            let (line, column) = self.place(found);
            let Range { start, end } = found.span;
            output.line(format!("  {line}:{column} (bytes {start}..{end})"))?;
            let shown = if self.is_secret() { HIDDEN.to_owned() } else { marked(self.source, &found.span) };
            output.line(format!("    text   {shown}"))?;
            output.line(format!("    why    {}", shortened(&self.reason(found).to_string(), REASON)))?;
            if found.has_more {
                output.line("    … and more matches of this rule")?;
            }
        }
        for (name, values) in
            [("sets", effects(rule)), ("OWASP", standards(&rule.owasp)), ("ATLAS", standards(&rule.atlas))]
        {
            if !values.is_empty() {
                output.line(format!("  {name:<6} {}", values.join("; ")))?;
            }
        }
        for (index, line) in wrapped(rule.remediation.as_deref().unwrap_or_default()).iter().enumerate() {
            output.line(format!("  {:<6} {line}", if index == 0 { "do" } else { "" }))?;
        }
        Ok(())
    }

    /// What folding the text brought to light, in a line.
    fn print_findings(&self, output: &mut Output) -> anyhow::Result<()> {
        let mut found: Vec<String> = self.hidden().iter().map(|(kind, spans)| mark_count(*kind, spans.len())).collect();
        for (kind, text) in self.decoded() {
            let text = if self.is_secret() { HIDDEN.to_owned() } else { format!("`{}`", shortened(text, DECODED)) };
            found.push(format!("{} {text}", part_name(kind)));
        }
        if self.normalised.islands_left_out() > 0 {
            found.push(format!("{} not decoded", count(self.normalised.islands_left_out(), "encoded text")));
        }
        if !found.is_empty() {
            output.line(format!("hidden: {}", found.join(", ")))?;
        }
        match self.evaluation.truncated_at {
            Some(at) => output.line(format!("only the first {at} bytes were read")),
            None => Ok(()),
        }
    }

    /// The stretches that nobody sees or that are disguised, by kind.
    fn hidden(&self) -> BTreeMap<MarkKind, Vec<&Range<usize>>> {
        let mut hidden: BTreeMap<MarkKind, Vec<&Range<usize>>> = BTreeMap::new();
        for mark in self.normalised.marks() {
            hidden.entry(mark.kind).or_default().push(&mark.source);
        }
        hidden
    }

    /// Texts that were decoded, or stand in comments.
    fn decoded(&self) -> impl Iterator<Item = (PartKind, &str)> {
        let parts = self.normalised.parts().iter().filter(|part| part.kind != PartKind::Visible);
        parts.map(|part| (part.kind, self.normalised.text().get(part.range.clone()).unwrap_or_default()))
    }

    fn json(&self) -> Value {
        let hidden = self.hidden().into_iter().map(|(kind, spans)| {
            let first = spans.first().map(|span| [span.start, span.end]);
            json!({ "kind": mark_name(kind), "count": spans.len(), "first": first })
        });
        let decoded = self.decoded().map(
            |(kind, text)| json!({ "kind": part_name(kind), "text": if self.is_secret() { HIDDEN } else { text } }),
        );
        json!({
            "target": self.target.to_string(),
            "bytes": self.source.len(),
            "matches": self.evaluation.matches.iter().filter_map(|found| self.match_json(found)).collect::<Vec<_>>(),
            "hidden": hidden.collect::<Vec<_>>(),
            "decoded": decoded.collect::<Vec<_>>(),
            "truncated_at": self.evaluation.truncated_at,
        })
    }

    fn match_json(&self, found: &Match) -> Option<Value> {
        let rule = self.engine.rules().get(found.rule)?;
        let (line, column) = self.place(found);
        let text = self.source.get(found.span.clone()).unwrap_or_default();
        let reason = self.reason(found);
        Some(json!({
            "rule": rule.id,
            "version": rule.version,
            "name": rule.name,
            "severity": rule.severity.name(),
            "span": [found.span.start, found.span.end],
            "line": line,
            "column": column,
            "text": if self.is_secret() { HIDDEN.to_owned() } else { text.to_owned() },
            "why": reason.to_string(),
            "reason": reason_json(&reason),
            "has_more": found.has_more,
            "emit": emit_json(rule),
            "owasp": rule.owasp,
            "atlas": rule.atlas,
            "remediation": rule.remediation,
        }))
    }
}

/// A match between `>>>` and `<<<` with what stands around it, escaped.
fn marked(source: &str, span: &Range<usize>) -> String {
    let before = source.get(..span.start).unwrap_or_default();
    let after = source.get(span.end..).unwrap_or_default();
    let start = before.char_indices().rev().nth(CONTEXT - 1).map_or(0, |(at, _)| at);
    let cut = if start > 0 { "…" } else { "" };
    let before = safe(before.get(start..).unwrap_or_default());
    let inside = shortened(source.get(span.clone()).unwrap_or_default(), MATCH);
    format!("{cut}{before}>>>{inside}<<<{}", shortened(after, CONTEXT))
}

fn reason_json(reason: &Reason) -> Value {
    match reason {
        Reason::Keyword { term } => json!({ "type": "keyword", "term": term }),
        Reason::Prefix { term } => json!({ "type": "prefix", "term": term }),
        Reason::Regex { pattern } => json!({ "type": "regex", "pattern": pattern }),
        Reason::Entropy { bits, length } => json!({ "type": "entropy", "bits": bits, "length": length }),
        Reason::Score { sum, threshold, signals } => {
            let signals = signals.iter().map(|signal| {
                let span = [signal.span.start, signal.span.end];
                json!({ "name": signal.name, "weight": signal.weight, "span": span })
            });
            json!({ "type": "score", "sum": sum, "threshold": threshold, "signals": signals.collect::<Vec<_>>() })
        }
        Reason::Model { model, score, phrases } => {
            let phrases = phrases.iter().map(|(phrase, weight)| json!({ "phrase": phrase, "weight": weight }));
            json!({ "type": "model", "model": model, "score": score, "phrases": phrases.collect::<Vec<_>>() })
        }
    }
}

fn mark_name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::ZeroWidth => "zero_width",
        MarkKind::Bidi => "bidi",
        MarkKind::Tag => "tag",
        MarkKind::LookAlike => "look_alike",
        MarkKind::BrokenWord => "broken_word",
    }
}

fn mark_count(kind: MarkKind, number: usize) -> String {
    match kind {
        MarkKind::ZeroWidth => format!("{} of zero-width characters", count(number, "run")),
        MarkKind::Bidi => format!("{} of direction controls", count(number, "run")),
        MarkKind::Tag => format!("{} of tag characters", count(number, "run")),
        MarkKind::LookAlike => format!("{} with look-alike letters", count(number, "word")),
        MarkKind::BrokenWord => format!("{} broken by a line end", count(number, "word")),
    }
}

fn part_name(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Visible => "visible",
        PartKind::Comment => "comment",
        PartKind::Base64 => "base64",
        PartKind::Percent => "percent",
        PartKind::Tags => "tags",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let places = places("añb\ncd\n", BTreeSet::from([0, 3, 5, 7]));
        let expected = [(0, (1, 1)), (3, (1, 3)), (5, (2, 1)), (7, (2, 3))];
        assert_eq!(places, BTreeMap::from(expected));
    }

    #[test]
    fn a_match_is_marked_within_its_surroundings() {
        assert_eq!(marked("ab\ncd", &(2..3)), "ab>>>\\u{a}<<<cd");
        let text = format!("{}X{}", "ä".repeat(50), "b".repeat(50));
        assert_eq!(marked(&text, &(100..101)), format!("…{}>>>X<<<{}…", "ä".repeat(40), "b".repeat(40)));
    }
}
