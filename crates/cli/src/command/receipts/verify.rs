//! `tracehound receipts verify`: offline, from the file and the key alone.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::Serialize;
use tracehound_evidence::receipt::{
    Checkpoint, CheckpointOutcome, Keys, Lines, Problem, PublicKey, Report, Status, verify,
};

use crate::args::{Format, VerifyReceipts};
use crate::outcome::Outcome;
use crate::output::{self, Output, note, safe};
use crate::progress;
use crate::settings::Settings;

/// The largest key file and checkpoint that is read.
const SMALL_FILE: u64 = 1 << 20;

/// The answer for programs.
#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    verified: bool,
    /// How many things are wrong in all.
    total_problems: u64,
    #[serde(flatten)]
    report: &'a Report,
}

pub(super) fn run(arguments: &VerifyReceipts, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut keys = Keys::default();
    for key in &arguments.keys {
        keys.extend(read_keys(key)?.iter().cloned());
    }
    let checkpoint = arguments.checkpoint.as_deref().map(read_checkpoint).transpose()?;
    let report = read_receipts(&arguments.file, &keys, checkpoint.as_ref())
        .with_context(|| format!("cannot read `{}`", arguments.file.display()))?;
    if settings.format == Format::Json {
        output.json(&Answer {
            file: arguments.file.display().to_string(),
            verified: report.status == Status::Verified,
            total_problems: report.total(),
            report: &report,
        })?;
    } else {
        print(&arguments.file, &report, output)?;
    }
    Ok(if report.status == Status::Verified { Outcome::Clean } else { Outcome::NotVerified })
}

/// A key that is given as its digits, or the keys of a file.
fn read_keys(given: &str) -> anyhow::Result<Keys> {
    let is_key = given.len() == 64 && given.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_key {
        let key: PublicKey = given.parse().with_context(|| format!("`{given}` is not a key"))?;
        return Ok([key].into_iter().collect());
    }
    let bytes = read_small(Path::new(given)).with_context(|| format!("cannot read the key file `{given}`"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("the key file `{given}` is not text"))?;
    Keys::parse(&text).with_context(|| format!("`{given}` is not a key file"))
}

fn read_checkpoint(path: &Path) -> anyhow::Result<Checkpoint> {
    let bytes = read_small(path).with_context(|| format!("cannot read the checkpoint `{}`", path.display()))?;
    Checkpoint::parse(bytes.trim_ascii()).with_context(|| format!("`{}` is not a checkpoint", path.display()))
}

fn read_small(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SMALL_FILE + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= SMALL_FILE, "it is larger than {SMALL_FILE} bytes");
    Ok(bytes)
}

/// Verifies what is in a file, with a bar over its length on a terminal.
fn read_receipts(file: &Path, keys: &Keys, checkpoint: Option<&Checkpoint>) -> io::Result<Report> {
    if file == Path::new("-") {
        if io::stdin().is_terminal() {
            note("reading receipts from the terminal; end them with Ctrl-D");
        }
        let bar = progress::working("verifying");
        let report = verify_all(io::stdin().lock(), keys, checkpoint);
        bar.finish_and_clear();
        return report;
    }
    let opened = File::open(file)?;
    let bar = progress::bytes(opened.metadata().map_or(0, |it| it.len())).with_message("verifying");
    let report = verify_all(BufReader::with_capacity(1 << 16, bar.wrap_read(opened)), keys, checkpoint);
    bar.finish_and_clear();
    report
}

fn verify_all(input: impl BufRead, keys: &Keys, checkpoint: Option<&Checkpoint>) -> io::Result<Report> {
    verify(Lines::new(input), keys, checkpoint)
}

fn print(file: &Path, report: &Report, output: &mut Output) -> anyhow::Result<()> {
    let file = safe(&file.display().to_string());
    output.line(match report.status {
        Status::Verified if report.details_dropped > 0 => {
            format!("`{file}` is verified, details of {} dropped by retention", report.details_dropped)
        }
        Status::Verified => format!("`{file}` is verified"),
        Status::Empty => format!("`{file}` is not verified: there is no receipt in it"),
        Status::Unsigned => format!("`{file}` is not verified: {} of its receipts are not signed", report.total()),
        Status::Failed => {
            let noun = if report.total() == 1 { "problem" } else { "problems" };
            format!("`{file}` is not verified: {} {noun}", report.total())
        }
    })?;
    print_facts(report, output)?;
    for problem in report.problems.iter().take(output::SHOWN) {
        output.line(format!("  {}", describe(problem)))?;
    }
    let hidden = report.total().saturating_sub(report.problems.len().min(output::SHOWN) as u64);
    if hidden > 0 {
        output.line(format!("  … and {hidden} more (the first {} with --format json)", report.problems.len()))?;
    }
    report.notes.iter().try_for_each(|text| output.line(format!("note: {}", safe(text))))
}

fn print_facts(report: &Report, output: &mut Output) -> anyhow::Result<()> {
    if let (Some(first), Some(last)) = (report.first, report.last) {
        output.line(format!("receipts    {}, sequence {first} to {last}", report.receipts))?;
    }
    if let Some(tenant) = &report.tenant {
        output.line(format!("tenant      {}", safe(tenant)))?;
    }
    for key in &report.signed_by {
        output.line(format!("signed by   {} ({} receipts)", safe(&key.key_id), key.receipts))?;
    }
    if let Some(head) = &report.head {
        output.line(format!("head        {head}"))?;
    }
    match report.checkpoint {
        CheckpointOutcome::NotGiven => Ok(()),
        CheckpointOutcome::Agrees { size } => output.line(format!("checkpoint  agrees on {size} receipts")),
        CheckpointOutcome::Disagrees => output.line("checkpoint  does not agree"),
    }
}

/// Where, what, and in a sentence.
fn describe(problem: &Problem) -> String {
    let mut place = Vec::new();
    place.extend(problem.index.map(|index| format!("index {index}")));
    place.extend(problem.sequence.map(|sequence| format!("sequence {sequence}")));
    place.extend(problem.receipt_id.as_deref().map(|id| format!("receipt {}", safe(id))));
    let place = if place.is_empty() { String::new() } else { format!("{}: ", place.join(", ")) };
    format!("{place}{}: {}", problem.fault.name(), safe(&problem.message))
}
