//! `cargo xtask train`: the trained parts of the rules, from labelled corpora.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tracehound_rules::ledger::{train_tool_model, word_list};
use tracehound_rules::{builtin_grammar, vocabulary};

use crate::steps::{self, Step};
use xtask::corpora;

use crate::output;
use crate::written_file::settle;

const WORDS: &str = "crates/rules/model/words.txt";
const WEIGHTS: &str = "crates/rules/model/tool-instructions.weights.txt";
const REMEDY: &str = "cargo xtask train CORPORA";

/// From what, and whether to write.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// The folder of the corpora
    corpora: PathBuf,
    /// Write nothing; fail if the trained files are not what these corpora give
    #[arg(long)]
    check: bool,
}

/// Trains, and writes or compares.
pub(super) fn run(options: &Options) -> Result<()> {
    steps::run(vec![Step::new("train", || train(&options.corpora, options.check))])
}

/// Trains on a folder of corpora, and writes or compares the trained files.
pub(super) fn train(folder: &Path, check: bool) -> Result<()> {
    let corpora = corpora::read(folder)?;
    let words = word_list(&corpora);
    let model = train_tool_model(&corpora, &builtin_grammar()?, &vocabulary(&words)).write();
    output::line(format_args!("{} words, {} lines of weights", words.lines().count(), model.lines().count()));
    settle(WORDS, &words, check, REMEDY)?;
    settle(WEIGHTS, &model, check, REMEDY)
}
