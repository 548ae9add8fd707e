//! Labelled corpora: one JSON object per line, one file per kind of record.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tracehound_model::{Collector, NodeKind};

use super::folds;
use crate::tool_text::combined;

/// The files of a corpora folder. Missing ones are left out of the ledger.
pub const FILES: [&str; 6] = [
    "tools_benign.jsonl",
    "tools_poisoned.jsonl",
    "instructions_benign.jsonl",
    "instructions_poisoned.jsonl",
    "capabilities.jsonl",
    "secrets.jsonl",
];

/// A corpus file that can't be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A line is not a record.
    #[error("`{file}`, line {line}: not a record of this file")]
    Line {
        /// The file.
        file: &'static str,
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The file is not text.
    #[error("`{file}` is not UTF-8")]
    Encoding {
        /// The file.
        file: &'static str,
    },
    /// Nothing to measure.
    #[error("none of the corpus files is there: {}", FILES.join(", "))]
    Empty,
}

/// All records of a folder.
#[derive(Debug, Default)]
pub struct Corpora {
    pub(super) tools: Vec<Tool>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) capabilities: Vec<Capability>,
    pub(super) secrets: Vec<Secret>,
}

/// A text of a corpus, as the property of a node.
#[derive(Debug, Clone)]
pub struct CorpusText {
    /// Whose observation it would be.
    pub collector: Collector,
    /// The kind of the node.
    pub kind: NodeKind,
    /// The key of the property.
    pub property: &'static str,
    /// The text.
    pub text: String,
}

/// A tool description.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) source: String,
    pub(super) fold: usize,
    /// `None` for a benign one.
    pub(super) attack: Option<Attack>,
}

/// An instruction file or a passage of one.
#[derive(Debug)]
pub(super) struct Instruction {
    pub(super) id: String,
    pub(super) content: String,
    pub(super) source: String,
    pub(super) fold: usize,
    /// `None` for a benign one.
    pub(super) attack: Option<Attack>,
}

/// What is said of a poisoned record.
#[derive(Debug, Clone)]
pub(super) struct Attack {
    pub(super) family: String,
    pub(super) tier: String,
    pub(super) detectability: String,
}

/// A tool with its capability classes.
#[derive(Debug, Deserialize)]
pub(super) struct Capability {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) server: Option<String>,
    pub(super) text: String,
    #[serde(default)]
    pub(super) input_schema: Option<Value>,
    pub(super) label: Vec<String>,
    #[serde(default)]
    pub(super) ambiguous: Vec<String>,
    pub(super) source: String,
    #[serde(skip)]
    pub(super) fold: usize,
}

/// A credential, or something that only looks like one.
#[derive(Debug, Deserialize)]
pub(super) struct Secret {
    pub(super) id: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) key: Option<String>,
    pub(super) label: String,
    pub(super) category: String,
    #[serde(default)]
    pub(super) format: Option<String>,
    pub(super) source: String,
    #[serde(skip)]
    pub(super) fold: usize,
}

impl Capability {
    /// What the rules are given.
    pub(super) fn input(&self) -> String {
        combined(&self.name, &self.text, self.input_schema.as_ref())
    }
}

impl Secret {
    /// What the rules are given: the text, with its key in front where it has one.
    pub(super) fn input(&self) -> String {
        match self.key.as_deref().filter(|key| !key.is_empty()) {
            Some(key) => format!("{key}={}", self.text),
            None => self.text.clone(),
        }
    }

    pub(super) fn is_secret(&self) -> bool {
        self.label == "secret"
    }
}

#[derive(Deserialize)]
struct ToolRecord {
    id: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    server: Option<String>,
    text: String,
    category: String,
    #[serde(default)]
    tier: Option<String>,
    #[serde(default)]
    detectability: Option<String>,
    source: String,
}

#[derive(Deserialize)]
struct InstructionRecord {
    id: String,
    content: String,
    #[serde(default)]
    repo: Option<String>,
    category: String,
    #[serde(default)]
    tier: Option<String>,
    #[serde(default)]
    detectability: Option<String>,
    source: String,
}

impl Corpora {
    /// Reads the files that `open` has; it is asked for each of [`FILES`].
    ///
    /// # Errors
    ///
    /// When a file is there and can't be read, or when none is there.
    pub fn read<E: From<CorpusError>>(
        mut open: impl FnMut(&'static str) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        let mut corpora = Self::default();
        let mut found = false;
        for file in FILES {
            let Some(bytes) = open(file)? else { continue };
            found = true;
            corpora.add(file, &bytes)?;
        }
        if found { Ok(corpora) } else { Err(CorpusError::Empty.into()) }
    }

    /// Every text that rules are given, as the property that it stands for, in order.
    #[must_use]
    pub fn texts(&self) -> Vec<CorpusText> {
        let text = |collector, kind, property, text| CorpusText { collector, kind, property, text };
        let tool = |property, source| text(Collector::Mcp, NodeKind::McpTool, property, source);
        let tools = self.tools.iter().map(|record| tool("description", record.text.clone()));
        let capabilities = self.capabilities.iter().map(|record| tool("combined", record.input()));
        let file = |content: &String| text(Collector::Config, NodeKind::InstructionFile, "content", content.clone());
        let files = self.instructions.iter().map(|record| file(&record.content));
        let secret = |record: &Secret| text(Collector::Config, NodeKind::Credential, "value", record.input());
        tools.chain(files).chain(capabilities).chain(self.secrets.iter().map(secret)).collect()
    }

    fn add(&mut self, file: &'static str, bytes: &[u8]) -> Result<(), CorpusError> {
        match file {
            "tools_benign.jsonl" => {
                self.tools.extend(lines(file, bytes)?.into_iter().map(|record| tool(record, false)))
            }
            "tools_poisoned.jsonl" => {
                self.tools.extend(lines(file, bytes)?.into_iter().map(|record| tool(record, true)))
            }
            "instructions_benign.jsonl" => {
                self.instructions.extend(lines(file, bytes)?.into_iter().map(|record| instruction(record, false)));
            }
            "instructions_poisoned.jsonl" => {
                self.instructions.extend(lines(file, bytes)?.into_iter().map(|record| instruction(record, true)));
            }
            "capabilities.jsonl" => {
                self.capabilities.extend(lines(file, bytes)?.into_iter().map(|mut record: Capability| {
                    record.fold = folds::of_server(&record.source, record.server.as_deref());
                    record
                }))
            }
            _ => self.secrets.extend(lines(file, bytes)?.into_iter().map(|mut record: Secret| {
                record.fold = folds::of(&record.source);
                record
            })),
        }
        Ok(())
    }
}

fn lines<T: DeserializeOwned>(file: &'static str, bytes: &[u8]) -> Result<Vec<T>, CorpusError> {
    let text = std::str::from_utf8(bytes).map_err(|_| CorpusError::Encoding { file })?;
    let records = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(line, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|source| CorpusError::Line { file, line: line + 1, source })
    };
    records.map(read).collect()
}

fn tool(record: ToolRecord, is_poisoned: bool) -> Tool {
    // Proofs of concept and fixtures name a file of their repository as the server.
    let is_small_source = record.tier.as_deref().is_some_and(|tier| tier != "benchmark");
    let server = record.server.as_deref().filter(|_| !is_small_source);
    Tool {
        fold: folds::of_server(&record.source, if is_small_source { None } else { Some(server.unwrap_or_default()) }),
        source: folds::server_group(&record.source, record.server.as_deref()),
        id: record.id,
        name: record.name.unwrap_or_default(),
        text: record.text,
        attack: is_poisoned.then(|| attack(record.category, record.tier, record.detectability)),
    }
}

fn instruction(record: InstructionRecord, is_poisoned: bool) -> Instruction {
    let group = record.repo.unwrap_or_else(|| folds::repository(&record.source).to_owned());
    Instruction {
        fold: folds::of(&group),
        source: group,
        id: record.id,
        content: record.content,
        attack: is_poisoned.then(|| attack(record.category, record.tier, record.detectability)),
    }
}

fn attack(family: String, tier: Option<String>, detectability: Option<String>) -> Attack {
    Attack { family, tier: tier.unwrap_or_default(), detectability: detectability.unwrap_or_default() }
}
