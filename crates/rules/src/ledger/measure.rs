//! Runs the rules over corpora and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tracehound_model::{Collector, NodeKind};

use super::corpus::{Corpora, Instruction};
use super::disguise::Disguise;
use super::judges::{Engines, fold_texts};
use super::tally::{ByRule, Ledger, Line, Listed, Score, Section};
use crate::engine::{CompileError, Engine, Field, Scratch};
use crate::normalise::{Normaliser, Vocabulary};
use crate::rule::Rule;
use crate::text_model::{Grammar, TextModel};

/// Findings that call a text malicious.
const ACCUSING: [&str; 2] = ["has_injection_patterns", "overt_malicious_capability"];
/// Findings that call a value a credential.
const CREDENTIAL: [&str; 2] = ["credential_detected", "high_entropy_secret"];
/// The finding that names a capability class.
const CAPABILITY: &str = "capability_classification";
/// How much of a wrong record's text is listed.
const EXCERPT: usize = 200;

/// What is being done, for a person who waits.
pub type Progress<'p> = dyn FnMut(&str) + 'p;

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'m> {
    /// The rules.
    pub rules: &'m [Rule],
    /// The model that they may name.
    pub model: &'m TextModel,
    /// The hand-written part of that model, to train it anew without a fold.
    pub grammar: &'m Grammar,
    /// The words that texts are folded with.
    pub words: &'m Vocabulary,
}

/// Measures rules on corpora. Time grows with the amount of text, plus the training of five models where the corpora
/// are those that the shipped model was trained on.
///
/// # Errors
///
/// When the rules don't compile.
pub fn measure(subject: &Measured<'_>, corpora: &Corpora, progress: &mut Progress<'_>) -> Result<Ledger, CompileError> {
    progress("folding texts");
    let texts = fold_texts(corpora, subject.words);
    let engines = Engines::new(subject, corpora, &texts, progress)?;
    let normaliser = Normaliser::new(subject.words);
    let mut bench = Bench { engines: &engines, normaliser, scratch: Scratch::default(), wrong: Wrong::default() };
    let mut sections = Vec::new();
    if !corpora.tools.is_empty() {
        progress("tool descriptions");
        sections.extend(bench.tools(corpora));
    }
    if !corpora.instructions.is_empty() {
        progress("instruction files");
        sections.extend(bench.instructions(corpora));
    }
    if !corpora.capabilities.is_empty() {
        progress("capability classes");
        sections.push(bench.capabilities(corpora));
    }
    if !corpora.secrets.is_empty() {
        progress("credentials");
        sections.push(bench.secrets(corpora));
    }
    Ok(Ledger { sections, misses: bench.wrong.misses, false_alarms: bench.wrong.false_alarms })
}

struct Bench<'b> {
    engines: &'b Engines,
    normaliser: Normaliser<'b>,
    scratch: Scratch,
    wrong: Wrong,
}

#[derive(Default)]
struct Wrong {
    misses: Vec<Listed>,
    false_alarms: Vec<Listed>,
}

/// The rules that hit a record, by position, with where.
type Hits = BTreeMap<usize, Vec<Range<usize>>>;

/// Lines of a section under construction, in the order of first use within each rank.
#[derive(Default)]
struct Lines(BTreeMap<(u8, String), Score>);

impl Lines {
    fn of(&mut self, rank: u8, name: impl Into<String>) -> &mut Score {
        self.0.entry((rank, name.into())).or_default()
    }

    fn into_lines(self) -> Vec<Line> {
        self.0.into_iter().map(|((_, name), score)| Line { name, score }).collect()
    }
}

/// Counts of single rules.
#[derive(Default)]
struct RuleCounts(BTreeMap<String, (usize, usize, usize)>);

impl RuleCounts {
    fn count(&mut self, rules: &[String], is_wanted: bool) {
        for rule in rules {
            let (found, alone, false_alarms) = self.0.entry(rule.clone()).or_default();
            if is_wanted {
                *found += 1;
                *alone += usize::from(rules.len() == 1);
            } else {
                *false_alarms += 1;
            }
        }
    }

    fn into_rules(self) -> Vec<ByRule> {
        let row = |(rule, (found, alone, false_alarms))| ByRule { rule, found, alone, false_alarms };
        self.0.into_iter().map(row).collect()
    }
}

impl Bench<'_> {
    /// The rules among `findings` that hit a text.
    fn hits(
        &mut self,
        engine: &Engine,
        field: (Collector, NodeKind, &str),
        name: &str,
        source: &str,
        findings: &[&str],
    ) -> Hits {
        let text = self.normaliser.normalise(source);
        let (collector, kind, property) = field;
        let field = Field { collector, kind, property, name, source };
        let mut hits = Hits::new();
        for found in engine.evaluate(&mut self.scratch, &field, &text).matches {
            let emits = engine.rules().get(found.rule).map(|rule| rule.emit.finding_type.as_str());
            if emits.is_some_and(|emits| findings.contains(&emits)) {
                hits.entry(found.rule).or_default().push(found.span);
            }
        }
        hits
    }

    fn tool_hits(&mut self, id: &str, fold: usize, name: &str, text: &str) -> Hits {
        let engines = self.engines;
        self.hits(engines.of(id, fold), (Collector::Mcp, NodeKind::McpTool, "description"), name, text, &ACCUSING)
    }

    fn file_hits(&mut self, id: &str, fold: usize, text: &str) -> Hits {
        let engines = self.engines;
        self.hits(engines.of(id, fold), (Collector::Config, NodeKind::InstructionFile, "content"), "", text, &ACCUSING)
    }

    fn names(&self, hits: &Hits) -> Vec<String> {
        let rules = self.engines.shipped().rules();
        hits.keys().filter_map(|at| rules.get(*at)).map(|rule: &Rule| rule.id.clone()).collect()
    }

    fn tools(&mut self, corpora: &Corpora) -> Vec<Section> {
        let (mut lines, mut rules) = (Lines::default(), RuleCounts::default());
        let mut disguised = Lines::default();
        for tool in &corpora.tools {
            let hits = self.tool_hits(&tool.id, tool.fold, &tool.name, &tool.text);
            let (names, is_hit) = (self.names(&hits), !hits.is_empty());
            let Some(attack) = &tool.attack else {
                rules.count(&names, false);
                lines.of(0, "instruction").unwanted(is_hit);
                lines.of(4, format!("fold {}", tool.fold)).unwanted(is_hit);
                if is_hit {
                    self.wrong.false_alarms.push(listed("tool descriptions", &tool.id, "benign", names, &tool.text));
                }
                continue;
            };
            lines.of(if attack.detectability == "instruction" { 0 } else { 1 }, &attack.detectability).wanted(is_hit);
            lines.of(5, format!("family {}", attack.family)).wanted(is_hit);
            if attack.detectability == "instruction" {
                rules.count(&names, true);
                lines.of(4, format!("fold {}", tool.fold)).wanted(is_hit);
                if attack.tier != "benchmark" {
                    lines.of(2, "instruction, tiers poc and fixture").wanted(is_hit);
                }
                if !tool.text.contains('`') {
                    lines.of(3, "instruction, without a backtick").wanted(is_hit);
                }
                if is_hit {
                    for disguise in Disguise::ALL {
                        let text = disguise.apply(&tool.text);
                        let is_found = !self.tool_hits(&tool.id, tool.fold, &tool.name, &text).is_empty();
                        disguised.of(0, disguise.name()).wanted(is_found);
                    }
                }
            } else if attack.detectability == "overt_capability" {
                rules.count(&names, true);
            }
            if !is_hit && matches!(attack.detectability.as_str(), "instruction" | "overt_capability") {
                self.wrong.misses.push(listed("tool descriptions", &tool.id, &attack.family, Vec::new(), &tool.text));
            }
        }
        vec![
            Section { name: "tool descriptions".into(), lines: lines.into_lines(), rules: rules.into_rules() },
            Section { name: "tool descriptions, disguised".into(), lines: disguised.into_lines(), rules: Vec::new() },
        ]
    }

    fn instructions(&mut self, corpora: &Corpora) -> Vec<Section> {
        let (mut lines, mut rules) = (Lines::default(), RuleCounts::default());
        let (mut disguised, mut hosts) = (Lines::default(), Vec::new());
        for file in corpora.instructions.iter().filter(|file| file.attack.is_none()) {
            let hits = self.file_hits(&file.id, file.fold, &file.content);
            let (names, is_hit) = (self.names(&hits), !hits.is_empty());
            rules.count(&names, false);
            lines.of(0, "explicit").unwanted(is_hit);
            lines.of(4, format!("fold {}", file.fold)).unwanted(is_hit);
            if is_hit {
                self.wrong.false_alarms.push(listed("instruction files", &file.id, "benign", names, &file.content));
            } else {
                hosts.push(file);
            }
        }
        for (number, file) in corpora.instructions.iter().filter(|file| file.attack.is_some()).enumerate() {
            let Some(attack) = &file.attack else { continue };
            let hits = self.file_hits(&file.id, file.fold, &file.content);
            let (names, is_hit) = (self.names(&hits), !hits.is_empty());
            let is_explicit = attack.detectability == "explicit";
            lines.of(if is_explicit { 0 } else { 1 }, &attack.detectability).wanted(is_hit);
            lines.of(5, format!("family {}", attack.family)).wanted(is_hit);
            if !is_explicit {
                continue;
            }
            rules.count(&names, true);
            lines.of(4, format!("fold {}", file.fold)).wanted(is_hit);
            if !file.content.contains('`') {
                lines.of(3, "explicit, without a backtick").wanted(is_hit);
            }
            if let Some(is_found) = self.planted(file, &hosts, number) {
                lines.of(2, "explicit, planted in benign files").wanted(is_found);
            }
            if !is_hit {
                self.wrong.misses.push(listed("instruction files", &file.id, &attack.family, names, &file.content));
                continue;
            }
            for disguise in Disguise::ALL {
                let text = disguise.apply(&file.content);
                disguised.of(0, disguise.name()).wanted(!self.file_hits(&file.id, file.fold, &text).is_empty());
            }
        }
        vec![
            Section { name: "instruction files".into(), lines: lines.into_lines(), rules: rules.into_rules() },
            Section { name: "instruction files, disguised".into(), lines: disguised.into_lines(), rules: Vec::new() },
        ]
    }

    /// Whether a passage is found in the middle of a benign file: by a match that touches the passage.
    fn planted(&mut self, file: &Instruction, hosts: &[&Instruction], number: usize) -> Option<bool> {
        // A step that shares no factor with usual counts, so that neighbours get different hosts.
        let host = hosts.get((number * 37) % hosts.len().max(1))?;
        let middle = host.content.floor_char_boundary(host.content.len() / 2);
        let (before, after) = host.content.split_at(middle);
        let cut = before.rfind('\n').map_or(0, |at| at + 1);
        let (before, rest) = before.split_at(cut);
        let text = format!("{before}\n{}\n{rest}{after}", file.content);
        let planted = before.len()..before.len() + file.content.len() + 2;
        let touches = |span: &Range<usize>| span.start < planted.end && planted.start < span.end;
        Some(self.file_hits(&file.id, file.fold, &text).values().flatten().any(touches))
    }

    fn capabilities(&mut self, corpora: &Corpora) -> Section {
        let (mut lines, mut rules) = (Lines::default(), RuleCounts::default());
        let classes: BTreeSet<&str> =
            corpora.capabilities.iter().flat_map(|tool| tool.label.iter().map(String::as_str)).collect();
        let engines = self.engines;
        for tool in &corpora.capabilities {
            let fold_name = format!("fold {}", tool.fold);
            let text = tool.input();
            let engine = engines.shipped();
            let hits =
                self.hits(engine, (Collector::Mcp, NodeKind::McpTool, "combined"), &tool.name, &text, &[CAPABILITY]);
            let mut given: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            for rule in hits.keys().filter_map(|at| engine.rules().get(*at)) {
                if let Some(value) = rule.emit.property_value.as_ref().and_then(|value| value.as_str()) {
                    given.entry(value).or_default().push(rule.id.clone());
                }
            }
            for class in &classes {
                if tool.ambiguous.iter().any(|other| other == class) {
                    continue;
                }
                let names = given.get(class).cloned().unwrap_or_default();
                let is_hit = !names.is_empty();
                let is_wanted = tool.label.iter().any(|label| label == class);
                rules.count(&names, is_wanted);
                for (rank, name) in [(0, "all classes"), (1, *class), (4, &fold_name)] {
                    lines.of(rank, name).count(is_wanted, is_hit);
                }
                if is_wanted && !is_hit {
                    self.wrong.misses.push(listed("capability classes", &tool.id, class, Vec::new(), &text));
                } else if is_hit && !is_wanted {
                    self.wrong.false_alarms.push(listed("capability classes", &tool.id, class, names, &text));
                }
            }
        }
        Section { name: "capability classes".into(), lines: lines.into_lines(), rules: rules.into_rules() }
    }

    fn secrets(&mut self, corpora: &Corpora) -> Section {
        let (mut lines, mut rules) = (Lines::default(), RuleCounts::default());
        let engines = self.engines;
        for record in &corpora.secrets {
            let input = record.input();
            let field = (Collector::Config, NodeKind::Credential, "value");
            let hits = self.hits(engines.shipped(), field, "", &input, &CREDENTIAL);
            let (names, is_hit) = (self.names(&hits), !hits.is_empty());
            rules.count(&names, record.is_secret());
            let fold = format!("fold {}", record.fold);
            if record.is_secret() {
                lines.of(0, "credentials").wanted(is_hit);
                lines.of(4, fold).wanted(is_hit);
                lines.of(1, format!("format {}", record.format.as_deref().unwrap_or("other"))).wanted(is_hit);
                if !is_hit {
                    self.wrong.misses.push(listed("credentials", &record.id, &record.category, names, &input));
                }
            } else {
                lines.of(0, "credentials").unwanted(is_hit);
                lines.of(4, fold).unwanted(is_hit);
                lines.of(5, format!("look-alike {}", record.category)).unwanted(is_hit);
                if is_hit {
                    self.wrong.false_alarms.push(listed("credentials", &record.id, &record.category, names, &input));
                }
            }
        }
        Section { name: "credentials".into(), lines: lines.into_lines(), rules: rules.into_rules() }
    }
}

fn listed(section: &str, id: &str, family: &str, rules: Vec<String>, text: &str) -> Listed {
    let end = text.floor_char_boundary(EXCERPT);
    Listed {
        section: section.to_owned(),
        id: id.to_owned(),
        family: family.to_owned(),
        rules,
        text: text.get(..end).unwrap_or_default().to_owned(),
    }
}
