//! `tracehound ingest`.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use tracehound_graph::{Access, Added, Error, Graph, Ingested, Point, Warning, check_document, read_document};

use super::estate_writer::Writer;
use super::summary;
use crate::args::{Format, Ingest};
use crate::outcome::Outcome;
use crate::output::{self, Output, note, safe};
use crate::progress;
use crate::settings::Settings;

/// Takes in each document on its own: one that is refused does not hide the others.
pub(super) fn run(arguments: &Ingest, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    if arguments.check {
        return check(arguments, settings, output);
    }
    let mut writer = Writer::open(settings, Access::Write)?;
    if let Writer::Here(estate) = &mut writer {
        super::load(estate)?;
    }
    let total = arguments.files.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
    let bar = progress::bytes(total);
    let mut results = Vec::new();
    let mut failed = 0;
    let mut printed = Ok(());
    for file in &arguments.files {
        bar.set_message(shown(file));
        let result = take_in(&mut writer, file, settings, &bar);
        failed += usize::from(result.is_err());
        match settings.format {
            Format::Json => results.push(result_json(file, &result)),
            // That nobody listens is no reason not to take in the rest.
            Format::Table | Format::Markdown => {
                printed = printed.and(bar.suspend(|| print_result(file, &result, output)))
            }
        }
    }
    bar.finish_and_clear();
    if let Err(error) = writer.snapshot_if_due() {
        // A snapshot only makes the next start quicker; the documents are stored.
        note(&format!("warning: no snapshot was written: {}", output::explain(&error)));
    }
    let graph = writer.graph(&Point::Now, settings)?;
    let printed = printed.and_then(|()| print_estate(&results, &graph, settings, output));
    match printed {
        Err(error) if !output::is_closed_pipe(&error) => Err(error),
        _ => Ok(if failed == 0 { Outcome::Clean } else { Outcome::Failed }),
    }
}

fn print_estate(results: &[Value], graph: &Graph, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(&json!({ "documents": results, "graph": summary::json(graph) }));
    }
    output.line(format!("estate: {} nodes, {} edges", graph.node_count(), graph.edge_count()))?;
    summary::print_hidden(graph, output)
}

/// A file's name for people.
fn shown(file: &Path) -> String {
    safe(&file.display().to_string())
}

/// Says of each document whether it would be accepted.
fn check(arguments: &Ingest, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let bar = progress::bytes(0);
    let mut results = Vec::new();
    let mut failed = 0;
    for file in &arguments.files {
        let bytes = read_file(file, settings, &bar);
        let result = bytes.and_then(|bytes| Ok(check_document(&bytes, &settings.limits)?));
        failed += usize::from(result.is_err());
        match (settings.format, &result) {
            (Format::Json, Ok(warnings)) => {
                results
                    .push(json!({ "file": file.display().to_string(), "status": "acceptable", "warnings": warnings }));
            }
            (Format::Json, Err(error)) => results.push(refused_json(file, error)),
            (Format::Table | Format::Markdown, Ok(warnings)) => {
                output.line(format!("{}: acceptable", shown(file)))?;
                warnings.iter().try_for_each(|warning| print_warning(warning, output))?;
            }
            (Format::Table | Format::Markdown, Err(error)) => print_refused(file, error),
        }
    }
    if settings.format == Format::Json {
        output.json(&json!({ "documents": results }))?;
    }
    Ok(if failed == 0 { Outcome::Clean } else { Outcome::Failed })
}

fn take_in(
    writer: &mut Writer,
    file: &Path,
    settings: &Settings,
    bar: &indicatif::ProgressBar,
) -> anyhow::Result<Ingested> {
    let bytes = read_file(file, settings, bar)?;
    writer.ingest(bytes)
}

fn read_file(file: &Path, settings: &Settings, bar: &indicatif::ProgressBar) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        if io::stdin().is_terminal() {
            note("reading a document from the terminal; end it with Ctrl-D");
        }
        Ok(read(io::stdin().lock(), settings)?)
    } else {
        let opened = File::open(file).context("cannot open the file")?;
        anyhow::ensure!(!opened.metadata()?.is_dir(), "it is a directory; name the documents in it");
        Ok(read(bar.wrap_read(opened), settings)?)
    }
}

fn read(input: impl Read, settings: &Settings) -> Result<Vec<u8>, Error> {
    read_document(input, settings.limits.document_bytes)
}

fn result_json(file: &Path, result: &anyhow::Result<Ingested>) -> Value {
    match result {
        Ok(ingested) => json!({
            "file": file.display().to_string(),
            "status": if ingested.added.is_some() { "ingested" } else { "unchanged" },
            "scan": ingested.scan,
            "added": ingested.added,
            "warnings": ingested.warnings,
        }),
        Err(error) => refused_json(file, error),
    }
}

fn refused_json(file: &Path, error: &anyhow::Error) -> Value {
    let problems = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(Error::Invalid(problems)) => Some(problems),
        _ => None,
    });
    let file = file.display().to_string();
    json!({ "file": file, "status": "refused", "error": format!("{error:#}"), "problems": problems })
}

fn print_result(file: &Path, result: &anyhow::Result<Ingested>, output: &mut Output) -> anyhow::Result<()> {
    match result {
        Ok(ingested) => print_ingested(&shown(file), ingested, output),
        Err(error) => {
            print_refused(file, error);
            Ok(())
        }
    }
}

fn print_refused(file: &Path, error: &anyhow::Error) {
    note(&format!("error: {}: {}", shown(file), output::explain(error)));
}

fn print_ingested(file: &str, ingested: &Ingested, output: &mut Output) -> anyhow::Result<()> {
    let scan = &ingested.scan;
    let name = safe(&scan.scan_id);
    let Some(added) = ingested.added else {
        return output.line(format!("{file}: scan {name} is stored already; nothing changed"));
    };
    let origin = if scan.origin.is_empty() { String::new() } else { format!(" of {}", safe(&scan.origin)) };
    if scan.nodes + scan.edges == 0 {
        output.line(format!("{file}: scan {name} ({}{origin}) is empty and stored", scan.collector))?;
    } else {
        output.line(format!("{file}: scan {name} ({}{origin}) {}", scan.collector, describe(added)))?;
    }
    ingested.warnings.iter().try_for_each(|warning| print_warning(warning, output))
}

fn describe(added: Added) -> String {
    format!(
        "nodes: {} new, {} changed, {} as before; edges: {} new, {} changed, {} as before",
        added.new_nodes, added.changed_nodes, added.same_nodes, added.new_edges, added.changed_edges, added.same_edges
    )
}

/// The first of each sort and how many there are.
fn print_warning(warning: &Warning, output: &mut Output) -> anyhow::Result<()> {
    let Some(first) = warning.places.first() else { return Ok(()) };
    let more = match warning.total {
        1 => String::new(),
        total => format!(" (and {} more of this sort)", total - 1),
    };
    output.line(format!("  warning: {}: {}{more}", safe(&first.path), safe(&first.message)))
}
