//! The command line of `tracehound scan`.

use std::path::PathBuf;

use clap::Args;
use tracehound_model::Severity;

#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Read these files only, whatever they are called
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "What to scan")]
    pub(crate) path: Vec<PathBuf>,
    /// Walk these source trees for the configurations and instruction files of projects
    #[arg(long, value_name = "DIR", num_args = 1.., help_heading = "What to scan")]
    pub(crate) dir: Vec<PathBuf>,
    /// Look into these home directories only [default: those of all users]
    #[arg(long, value_name = "DIR", num_args = 1.., help_heading = "What to scan")]
    pub(crate) home: Vec<PathBuf>,
    /// Scan the file system of another machine that is mounted or copied here; other paths are paths in it
    #[arg(long, value_name = "DIR", help_heading = "What to scan")]
    pub(crate) root: Option<PathBuf>,
    /// Name of the machine that is scanned [default: its host name]
    #[arg(long, value_name = "NAME", value_parser = origin, help_heading = "What to scan")]
    pub(crate) origin: Option<String>,
    /// Write the document to a file; `-` is standard output, and the report is left out then
    #[arg(long, short, value_name = "FILE", help_heading = "What becomes of it")]
    pub(crate) output: Option<PathBuf>,
    /// Keep nothing in the estate
    #[arg(long, help_heading = "What becomes of it")]
    pub(crate) no_store: bool,
    /// Write paths and commands as the machine's own, `//NAME/...`, so that equal machines stay apart in one estate
    #[arg(long, help_heading = "What becomes of it")]
    pub(crate) fleet: bool,
    /// Id of the scan [default: made from the time and chance]
    #[arg(long, value_name = "ID", help_heading = "What becomes of it")]
    pub(crate) scan_id: Option<String>,
    /// Exit with 10 when there is a finding of this severity or worse
    #[arg(long, value_name = "SEVERITY", value_parser = severity, help_heading = "What is shown")]
    pub(crate) fail_on: Option<Severity>,
    /// Show everything about one finding, by its id or the start of it; nothing is stored
    #[arg(long, value_name = "ID", conflicts_with = "output", help_heading = "What is shown")]
    pub(crate) explain: Option<String>,
}

fn severity(text: &str) -> Result<Severity, String> {
    let names: Vec<&str> = Severity::ALL.iter().map(|severity| severity.name()).collect();
    Severity::from_name(text).ok_or_else(|| format!("it is one of {}", names.join(", ")))
}

/// Reads the name of a machine: what can stand in a path and be shown anywhere.
fn origin(text: &str) -> Result<String, String> {
    let is_plain = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if text.is_empty() || text.len() > 253 || !text.chars().all(is_plain) {
        return Err("use letters, digits, `-`, `_` and `.`".to_owned());
    }
    Ok(text.to_owned())
}
