//! Detection: all built-in rules over all texts of the corpora, against plain forms of the same work.
//!
//! Each text is read by the rules whose target it is, as in a scan. What it would cost if every rule read every text is
//! told beside it. Rules that ask the text model are left out here; the model's own speed is told apart.

use std::hint::black_box;
use std::time::Instant;

use aho_corasick::AhoCorasick;
use anyhow::Context as _;
use regex_automata::meta::Regex;
use tracehound_model::{Collector, NodeKind};
use tracehound_rules::engine::{Engine, Field, Judges, Scratch};
use tracehound_rules::ledger::{CorpusText, Disguise};
use tracehound_rules::normalise::{Normalised, Normaliser};
use tracehound_rules::rule::{Matcher, Operator, Rule, Target};
use tracehound_rules::{builtin_rules, builtin_tool_model, builtin_vocabulary};
use xtask::corpora;

use crate::figure::{Figures, say};
use crate::other_words::in_other_words;

/// Rounds of each measurement, in turns; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 5;
const MB: f64 = 1e6;

/// Measures the engine against one expression a rule, against its floor, and against itself with twice the rules.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let Some(folder) = corpora::beside_repository() else {
        say("  no corpora beside the repository: nothing is measured");
        return Ok(());
    };
    let rules: Vec<Rule> = builtin_rules()
        .map_err(|broken| anyhow::anyhow!("{broken}"))?
        .iter()
        .filter(|rule| rule.enabled && !asks_model(&rule.matcher))
        .cloned()
        .collect();
    let texts = Texts::fold(corpora::read(&folder)?.texts());
    let compared = Compared::measure(&rules, &texts)?;
    let megabytes = texts.megabytes();
    let speed = |time: f64| megabytes / time;
    say(&format!(
        "  rules {:.1} MB/s, bare literals {:.0} MB/s, one by one {:.2} MB/s",
        speed(compared.ours),
        speed(compared.floor),
        speed(compared.one_by_one)
    ));
    let everywhere: Vec<Rule> = rules.iter().map(everywhere).collect();
    let wide = Compared::measure(&everywhere, &texts.as_descriptions())?;
    say(&format!(
        "  every rule on every text: {:.1} MB/s, {:.0} times faster than one by one, {:.1}x bare literals, twice the rules {:.2}x",
        speed(wide.ours),
        wide.one_by_one / wide.ours,
        wide.ours / wide.floor,
        wide.twice / wide.ours
    ));
    apart(&texts)?;
    figures.at_most("rules against one expression each, one by one", compared.ours / compared.one_by_one, 0.05, "x");
    figures.at_most("rules against a bare pass with all literals", compared.ours / compared.floor, 15.0, "x");
    figures.at_most("twice the rules", compared.twice / compared.ours, 1.3, "x");
    figures.at_most("memory of the compiled rules", compared.memory as f64 / MB, 30.0, " MB");
    Ok(())
}

/// All texts, and their folded forms.
struct Texts {
    sources: Vec<CorpusText>,
    folded: Vec<Normalised>,
}

impl Texts {
    fn fold(sources: Vec<CorpusText>) -> Self {
        let mut normaliser = Normaliser::new(builtin_vocabulary());
        let folded = sources.iter().map(|source| normaliser.normalise(&source.text)).collect();
        Self { sources, folded }
    }

    fn megabytes(&self) -> f64 {
        self.folded.iter().map(|text| text.text().len()).sum::<usize>() as f64 / MB
    }

    fn as_descriptions(&self) -> Self {
        let described = |source: &CorpusText| CorpusText {
            collector: Collector::Mcp,
            kind: NodeKind::McpTool,
            property: "description",
            text: source.text.clone(),
        };
        Self { sources: self.sources.iter().map(described).collect(), folded: self.folded.clone() }
    }
}

/// Seconds for all texts.
struct Compared {
    ours: f64,
    twice: f64,
    floor: f64,
    one_by_one: f64,
    memory: usize,
}

impl Compared {
    fn measure(rules: &[Rule], texts: &Texts) -> anyhow::Result<Self> {
        let doubled: Vec<Rule> = rules.iter().cloned().chain(rules.iter().map(in_other_words)).collect();
        let engine = Engine::compile(rules.to_vec(), Judges::new())?;
        let twice = Engine::compile(doubled, Judges::new())?;
        let naive = rules.iter().map(NaiveRule::new).collect::<anyhow::Result<Vec<_>>>()?;
        let floor = AhoCorasick::builder().build(engine.literals()).context("the literals don't compile")?;
        say(&format!(
            "  {} rules, {} texts, {:.1} MB folded, {} literals",
            rules.len(),
            texts.sources.len(),
            texts.megabytes(),
            floor.patterns_len()
        ));
        let (mut first, mut second) = (Scratch::default(), Scratch::default());
        let mut best =
            Self { ours: f64::MAX, twice: f64::MAX, floor: f64::MAX, one_by_one: f64::MAX, memory: engine.memory() };
        for round in 0..ROUNDS {
            keep_least(&mut best.ours, || evaluate(&engine, &mut first, texts));
            keep_least(&mut best.floor, || {
                texts.folded.iter().map(|text| floor.find_overlapping_iter(text.text()).count()).sum()
            });
            keep_least(&mut best.twice, || evaluate(&twice, &mut second, texts));
            if round == 0 {
                keep_least(&mut best.one_by_one, || one_by_one(&naive, texts));
            }
        }
        Ok(best)
    }
}

/// The parts around the rules: folding and the model.
fn apart(texts: &Texts) -> anyhow::Result<()> {
    let source_megabytes = texts.sources.iter().map(|source| source.text.len()).sum::<usize>() as f64 / MB;
    let mut normaliser = Normaliser::new(builtin_vocabulary());
    let model = builtin_tool_model()?;
    let (mut fold, mut judge, mut decode) = (f64::MAX, f64::MAX, f64::MAX);
    let encoded: Vec<String> = texts.sources.iter().map(|source| Disguise::Base64.apply(&source.text)).collect();
    let encoded_megabytes = encoded.iter().map(String::len).sum::<usize>() as f64 / MB;
    for _ in 0..ROUNDS {
        keep_least(&mut fold, || {
            texts.sources.iter().map(|source| normaliser.normalise(&source.text).text().len()).sum()
        });
        keep_least(&mut judge, || texts.folded.iter().filter(|text| model.highest(text, "").is_some()).count());
        keep_least(&mut decode, || encoded.iter().map(|source| normaliser.normalise(source).text().len()).sum());
    }
    say(&format!(
        "  apart: folding {:.0} MB/s, base64 decoded and folded {:.0} MB/s, text model {:.1} MB/s",
        source_megabytes / fold,
        encoded_megabytes / decode,
        texts.megabytes() / judge
    ));
    Ok(())
}

/// Does the work, and keeps its time if it is the least so far.
fn keep_least(least: &mut f64, work: impl FnOnce() -> usize) {
    let start = Instant::now();
    black_box(work());
    *least = least.min(start.elapsed().as_secs_f64());
}

fn evaluate(engine: &Engine, scratch: &mut Scratch, texts: &Texts) -> usize {
    let pairs = texts.sources.iter().zip(&texts.folded);
    let matches = pairs.map(|(source, text)| {
        let CorpusText { collector, kind, property, text: source } = source;
        let field = Field { collector: *collector, kind: *kind, property, name: "", source };
        engine.evaluate(scratch, &field, text).matches.len()
    });
    matches.sum()
}

fn asks_model(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::Model { .. } => true,
        Matcher::Compound { matchers, .. } => matchers.iter().any(asks_model),
        Matcher::Score { signals, .. } => signals.iter().any(|signal| asks_model(&signal.matcher)),
        _ => false,
    }
}

/// The rule, reading tool descriptions of every collector.
fn everywhere(rule: &Rule) -> Rule {
    let mut rule = rule.clone();
    rule.scope.collector = None;
    rule.scope.targets = vec![Target { kind: Some(NodeKind::McpTool), property: "description".to_owned() }];
    rule
}

fn one_by_one(rules: &[NaiveRule<'_>], texts: &Texts) -> usize {
    let pairs = texts.sources.iter().zip(&texts.folded);
    pairs.map(|(source, text)| rules.iter().filter(|rule| rule.matches(source, text.text())).count()).sum()
}

struct NaiveRule<'r> {
    rule: &'r Rule,
    matcher: Naive,
}

impl<'r> NaiveRule<'r> {
    fn new(rule: &'r Rule) -> anyhow::Result<Self> {
        Ok(Self { rule, matcher: Naive::new(&rule.matcher)? })
    }

    fn matches(&self, source: &CorpusText, folded: &str) -> bool {
        let scope = &self.rule.scope;
        scope.collector.is_none_or(|collector| collector == source.collector)
            && scope.targets.iter().any(|target| target.covers(source.kind, source.property))
            && self.matcher.matches(&source.text, folded)
    }
}

/// A rule evaluated by itself: each leaf an expression of its own, windows left out, which only makes it quicker.
enum Naive {
    Pattern { pattern: Box<Regex>, folded: bool },
    All(Vec<Naive>),
    Any(Vec<Naive>),
    Sum { threshold: f64, signals: Vec<(f64, Naive)> },
}

impl Naive {
    fn new(matcher: &Matcher) -> anyhow::Result<Self> {
        let pattern = |pattern: String, folded: bool| -> anyhow::Result<Self> {
            Ok(Self::Pattern { pattern: Box::new(Regex::new(&pattern)?), folded })
        };
        let escaped = |terms: &[String]| {
            terms.iter().map(|term| regex_syntax::escape(&term.to_lowercase())).collect::<Vec<_>>().join("|")
        };
        Ok(match matcher {
            Matcher::Keyword { keywords, case_insensitive, .. } => {
                pattern(format!("(?i:{})", escaped(keywords)), *case_insensitive)?
            }
            Matcher::Prefix { prefixes, case_insensitive } => {
                pattern(format!("^(?i:{})", escaped(prefixes)), *case_insensitive)?
            }
            Matcher::Regex { pattern: text, case_insensitive: true } => pattern(format!("(?i){text}"), true)?,
            Matcher::Regex { pattern: text, case_insensitive: false } => pattern(text.clone(), false)?,
            // The entropy itself costs nothing here; finding the runs does.
            Matcher::Entropy { min_length, .. } => pattern(format!("[A-Za-z0-9+/_-]{{{min_length},}}"), false)?,
            Matcher::Compound { operator, matchers } => {
                let parts = matchers.iter().map(Self::new).collect::<anyhow::Result<Vec<_>>>()?;
                if *operator == Operator::And { Self::All(parts) } else { Self::Any(parts) }
            }
            Matcher::Score { threshold, signals, .. } => {
                let signals = signals.iter().map(|signal| Ok((signal.weight, Self::new(&signal.matcher)?)));
                Self::Sum { threshold: *threshold, signals: signals.collect::<anyhow::Result<Vec<_>>>()? }
            }
            Matcher::Model { .. } => Self::Any(Vec::new()),
        })
    }

    fn matches(&self, source: &str, folded_text: &str) -> bool {
        match self {
            Self::Pattern { pattern, folded } => pattern.is_match(if *folded { folded_text } else { source }),
            Self::All(parts) => parts.iter().all(|part| part.matches(source, folded_text)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(source, folded_text)),
            Self::Sum { threshold, signals } => {
                let counted = signals.iter().filter(|(_, signal)| signal.matches(source, folded_text));
                counted.map(|(weight, _)| weight).sum::<f64>() >= *threshold
            }
        }
    }
}
