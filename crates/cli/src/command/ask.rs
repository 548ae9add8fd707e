//! `tracehound ask`.

use serde_json::{Value, json};
use tracehound_analyze::naming::{SETS, short_id};
use tracehound_analyze::questions::{self, Answer, Cell, Column, ColumnKind, Context, Page, Parameter, Question};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::Access;

use crate::args::{Ask, Format};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe, shortened};
use crate::settings::Settings;
use crate::{clock, progress};

/// How much of a cell people are shown.
const CELL: usize = 100;

pub(super) fn run(arguments: &Ask, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match arguments.question.as_deref() {
        None | Some("list") => list(settings, output)?,
        Some(name) => answer(name, arguments, settings, output)?,
    }
    Ok(Outcome::Clean)
}

fn list(settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    if settings.format == Format::Json {
        return output.json(&questions::all().map(described).collect::<Vec<_>>());
    }
    let mut category = None;
    for question in questions::all() {
        if category != Some(question.category) {
            let gap = if category.is_some() { "\n" } else { "" };
            output.line(format!("{gap}{}", question.category.name()))?;
            category = Some(question.category);
        }
        output.line(format!("  {:<31} {:<9} {}", question.id, question.severity.name(), question.asks))?;
        for parameter in question.parameters {
            output.line(format!("  {:<41} {}", "", taken(parameter)))?;
        }
    }
    output.line("\nWhere nodes are named, these sets have names:")?;
    for set in SETS {
        output.line(format!("  {:<31} {}", set.name, set.description))?;
    }
    output.line("\nExample: tracehound ask who-can-reach node=critical")
}

/// What a parameter takes, in a line.
fn taken(parameter: &Parameter) -> String {
    let default = parameter.default().map_or_else(|| "has to be given".to_owned(), |it| format!("default {it}"));
    format!("{}=… {} ({default})", parameter.name, parameter.help)
}

fn described(question: &Question) -> Value {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name, "help": parameter.help, "required": parameter.is_required(),
            "default": parameter.default(), "example": parameter.example,
        })
    };
    let standard = |(id, name): &(&str, &str)| json!({ "id": id, "name": name });
    json!({
        "question": question.id,
        "name": question.name,
        "asks": question.asks,
        "category": question.category.name(),
        "severity": question.severity.name(),
        "standards": question.standards.iter().map(standard).collect::<Vec<_>>(),
        "parameters": question.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "columns": question.columns,
    })
}

fn answer(name: &str, arguments: &Ask, settings: &Settings, output: &mut Output) -> anyhow::Result<()> {
    // What is wrong with a name is said before the estate is read.
    let question = questions::question(name)?;
    let mut estate = super::open_loaded(settings, Access::Read)?;
    let point = estate.point(&arguments.at.point)?;
    let graph = estate.graph(&point)?;
    let marks = estate.marks_at(clock::now())?;
    let bar = progress::working("analysing the estate");
    let analysis = Analysis::of(&graph);
    let context = Context::new(Picture::new(&graph, &analysis), &marks);
    let is_json = settings.format == Format::Json;
    let limit = arguments.limit.or((!is_json).then_some(SHOWN as u64));
    let page = Page { offset: arguments.offset, limit };
    let answer = questions::ask(question, &context, &arguments.parameters, page);
    bar.finish_and_clear();
    let answer = answer?;
    if is_json { output.json(&answer) } else { print(&answer, output) }
}

fn print(answer: &Answer, output: &mut Output) -> anyhow::Result<()> {
    let columns = answer.question.columns;
    output.line(answer.question.asks)?;
    output.line("")?;
    if !answer.rows.rows.is_empty() {
        let heading = columns.iter().map(|column| column.name.to_uppercase()).collect();
        let rows = answer.rows.rows.iter().map(|row| columns.iter().zip(row).map(cell).collect());
        output.rows(heading, rows)?;
        output.line("")?;
    }
    output.line(told(answer))?;
    if answer.rows.beyond > 0 {
        output.line(format!(
            "{} more connections of this sort are true and counted; of each node only the easiest are written down",
            answer.rows.beyond
        ))?;
    }
    Ok(())
}

/// How much of the whole was shown.
fn told(answer: &Answer) -> String {
    let (shown, total) = (answer.rows.rows.len() as u64, answer.rows.total);
    let first = answer.page.offset + 1;
    match (shown, total) {
        (_, 0) => "nothing".to_owned(),
        (shown, total) if shown == total => format!("{total} {}", if total == 1 { "row" } else { "rows" }),
        (0, total) => format!("no rows shown, of {total}"),
        (shown, total) => format!(
            "rows {first} to {} of {total} (more with --offset and --limit, all with --format json)",
            first + shown - 1
        ),
    }
}

/// A cell for people: short, and with nothing in it that plays tricks on the terminal.
fn cell((column, cell): (&Column, &Cell)) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Text(text) if column.kind == ColumnKind::Node => safe(&short_id(text)),
        Cell::Text(text) => shortened(text, CELL),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => format!("{number:.2}"),
        Cell::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Cell::Texts(texts) => shortened(&texts.join(", "), CELL),
        Cell::Objects(all) => {
            let one = |thing: &std::collections::BTreeMap<&str, String>| {
                thing.values().map(String::as_str).collect::<Vec<_>>().join(" ")
            };
            shortened(&all.iter().map(one).collect::<Vec<_>>().join(", "), CELL)
        }
    }
}
