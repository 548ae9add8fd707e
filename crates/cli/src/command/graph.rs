//! `tracehound graph`.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::Serialize;
use serde_json::json;
use tracehound_analyze::difference::Effort;
use tracehound_analyze::naming;
use tracehound_graph::{Access, Change, ExportOptions, Point, Rewrite, View as _, export};
use tracehound_model::WATCHED_HASHES;

use super::estate_writer::Writer;
use super::{differing, marks, node, summary};
use crate::args::{Acknowledge, Export, Format, Graph};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, note, safe};
use crate::settings::Settings;
use crate::whole_file::WholeFile;

pub(super) fn run(which: Graph, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Graph::Stats { at } => stats(&at.point, settings, output),
        Graph::Show { node, at } => node::show(&node, &graph_at(&at.point, settings)?, settings, output),
        Graph::Export(arguments) => write(&arguments, settings, output),
        Graph::Changes => changes(settings, output),
        Graph::Acknowledge(arguments) => acknowledge(&arguments, settings, output),
        Graph::Mark(arguments) => marks::mark(&arguments, settings, output),
        Graph::Marks { at } => marks::list(&at.point, settings, output),
    }
}

fn graph_at(text: &str, settings: &Settings) -> anyhow::Result<tracehound_graph::Graph> {
    let mut estate = super::open_loaded(settings, Access::Read)?;
    let point = estate.point(text)?;
    Ok(estate.graph(&point)?)
}

fn stats(at: &str, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let graph = graph_at(at, settings)?;
    match settings.format {
        Format::Json => output.json(&summary::json(&graph))?,
        Format::Table | Format::Markdown => summary::print(&graph, output)?,
    }
    Ok(Outcome::Clean)
}

fn write(arguments: &Export, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let to_stdout = arguments.output == Path::new("-");
    ensure!(!(to_stdout && arguments.split.is_some()), "--split writes several files; name a directory with --output");
    let graph = graph_at(&arguments.at.point, settings)?;
    let options = ExportOptions { scan_id: arguments.scan_id.clone(), max_bytes: arguments.split };
    if to_stdout {
        export(&graph, &options, |_| Ok(BufWriter::new(io::stdout().lock())))?;
        return Ok(Outcome::Clean);
    }
    let mut written = Vec::new();
    let failed = || format!("cannot write `{}`", arguments.output.display());
    if arguments.split.is_some() {
        fs::create_dir_all(&arguments.output).with_context(failed)?;
        let is_empty = fs::read_dir(&arguments.output).with_context(failed)?.next().is_none();
        ensure!(is_empty, "`{}` is not empty, and parts of two exports must not mix", arguments.output.display());
        export(&graph, &options, |part| {
            let path = arguments.output.join(format!("{:06}.json", part + 1));
            written.push(path.clone());
            WholeFile::create(&path)
        })
    } else {
        written.push(arguments.output.clone());
        export(&graph, &options, |_| WholeFile::create(&arguments.output))
    }
    .with_context(failed)?;
    report(&written, &graph, settings, output)?;
    Ok(Outcome::Clean)
}

fn report(
    written: &[PathBuf],
    graph: &tracehound_graph::Graph,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<()> {
    let limit = settings.limits.document_bytes;
    for path in written {
        if fs::metadata(path)?.len() > limit {
            let path = path.display();
            note(&format!(
                "note: `{path}` is larger than a document may be by default; use --split to ingest it again"
            ));
        }
    }
    if settings.format == Format::Json {
        return output.json(&json!({
            "files": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(), "nodes": graph.node_count(), "edges": graph.edge_count(),
        }));
    }
    for path in written {
        output.line(format!("wrote {}", safe(&path.display().to_string())))?;
    }
    output.line(format!("{} nodes, {} edges", graph.node_count(), graph.edge_count()))
}

/// A change with the contents that it is about, where they are known.
#[derive(Serialize)]
struct Told<'g> {
    #[serde(flatten)]
    change: &'g Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(skip)]
    content: &'static str,
}

impl<'g> Told<'g> {
    fn new(rewrite: &Rewrite<'g>) -> Self {
        let watched = WATCHED_HASHES.iter().find(|watched| watched.hash == rewrite.change.property);
        let content = watched.map_or("", |watched| watched.content);
        let before = rewrite.before(content).and_then(|value| value.as_text().map(str::to_owned));
        let after = rewrite.after(content).and_then(|value| value.as_text().map(str::to_owned));
        Self { change: rewrite.change, before, after, content }
    }
}

fn changes(settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let graph = graph_at("now", settings)?;
    if settings.format == Format::Json {
        output.json(&graph.rewrites().map(|rewrite| Told::new(&rewrite)).collect::<Vec<_>>())?;
        return Ok(Outcome::Clean);
    }
    if graph.changes().is_empty() {
        output.line("no content has changed, or all changes are acknowledged")?;
    }
    print_changes(&graph, output)?;
    Ok(Outcome::Clean)
}

/// Changed contents for people.
pub(super) fn print_changes(graph: &tracehound_graph::Graph, output: &mut Output) -> anyhow::Result<()> {
    let mut effort = Effort::default();
    for told in graph.rewrites().take(SHOWN).map(|rewrite| Told::new(&rewrite)) {
        let change = told.change;
        let name = if change.name.is_empty() { String::new() } else { format!("{} ", safe(&change.name)) };
        output.line(format!("{name}({})", safe(change.id.as_str())))?;
        output.line(format!("  {} changed in scan {} at {}", change.property, safe(&change.scan_id), change.time))?;
        output.line(format!("  compared with scan {} at {}", safe(&change.since_scan_id), change.since))?;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let lines = differing::of_texts(told.content, &text(&told.before), &text(&told.after), &mut effort);
        if lines.is_empty() {
            output.line(format!("  from {}", safe(&change.from)))?;
            output.line(format!("  to   {}", safe(&change.to)))?;
        }
        for line in lines {
            output.line(format!("    {line}"))?;
        }
    }
    output.rest(graph.changes().len(), "")
}

fn acknowledge(arguments: &Acknowledge, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut writer = Writer::open(settings, Access::Change)?;
    let graph = writer.graph(&Point::Now, settings)?;
    let nodes = arguments.nodes.iter().map(|text| naming::find(&graph, text)).collect::<Result<Vec<_>, _>>()?;
    let ids: Vec<_> = nodes.iter().map(|node| graph.id(*node)).collect();
    let is_meant = |change: &&Change| arguments.all || ids.iter().any(|id| id == change.id.as_str());
    let changes: Vec<Change> = graph.changes().iter().filter(is_meant).cloned().collect();
    for (text, id) in arguments.nodes.iter().zip(&ids) {
        let has_changed = changes.iter().any(|change| change.id.as_str() == id);
        ensure!(has_changed, "node `{}` has no change to acknowledge", safe(text));
    }
    writer.acknowledge(&changes, &arguments.author, &arguments.note)?;
    if settings.format == Format::Json {
        output.json(&json!({ "acknowledged": changes }))?;
    } else {
        output.line(format!("acknowledged {} changed contents", changes.len()))?;
    }
    Ok(Outcome::Clean)
}
