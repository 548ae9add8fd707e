//! Reads one instruction file and lets the rules look at it.

use std::path::Path;

use tracehound_model::{Collector, NodeKind, hash};
use tracehound_rules::builtin_vocabulary;
use tracehound_rules::engine::{Engine, Field, Match, Scratch};
use tracehound_rules::normalise::Normaliser;

use crate::config::Position;
use crate::config::credential::starred;
use crate::config::dialect::{Cursor, decode};
use crate::host::{Host, ReadError, read};

/// Largest instruction file that is read. No agent takes in more.
const INSTRUCTION_BYTES: u64 = 16 << 20;

/// What an instruction file is.
#[derive(Debug)]
pub(crate) struct InstructionFacts {
    pub(crate) hash: String,
    pub(crate) is_suspicious: bool,
    /// Where the first match stands.
    pub(crate) at: Option<Position>,
    /// The list of matches, as text for the node.
    pub(crate) matches: Vec<Match>,
    /// The text, kept only if something was found in it, for excerpts.
    pub(crate) text: String,
}

/// Reads a file, or `None` for one that is not text at all.
pub(crate) fn instructions(
    host: &dyn Host,
    path: &Path,
    engine: &Engine,
    scratch: &mut Scratch,
) -> Result<Option<InstructionFacts>, ReadError> {
    let bytes = read(host, path, INSTRUCTION_BYTES)?;
    // Folders of rules hold pictures and databases, too.
    let is_binary = bytes.iter().take(8192).any(|byte| *byte == 0) && !bytes.starts_with(b"\xff\xfe");
    if is_binary && !bytes.starts_with(b"\xfe\xff") {
        return Ok(None);
    }
    let hash = hash::content(&bytes);
    let text = decode(bytes).text;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let kind = NodeKind::InstructionFile;
    let field = Field { collector: Collector::Config, kind, property: "content", name: &name, source: &text };
    let normalised = Normaliser::new(builtin_vocabulary()).normalise(&text);
    let matches = engine.evaluate(scratch, &field, &normalised).matches;
    let finding = |found: &Match| engine.rules().get(found.rule).map(|rule| rule.emit.finding_type.as_str());
    let is_suspicious = matches.iter().any(|found| finding(found) == Some("has_injection_patterns"));
    let at = matches.iter().map(|found| found.span.start).min().map(|offset| Cursor::new(&text).at(offset));
    let text = if matches.is_empty() { String::new() } else { starred(&text) };
    Ok(Some(InstructionFacts { hash, is_suspicious, at, matches, text }))
}
