//! Each question, asked of a small estate.

mod estate;

use serde_json::json;
use tracehound_model::{Mark, NodeId};

use super::*;
use crate::Picture;
use crate::naming::Marks;

/// What a question answers, with a row a line and cells between bars.
fn answered(id: &str, given: &[(&str, &str)], page: Page) -> Result<(Vec<String>, u64), String> {
    let graph = estate::graph();
    let analysis = estate::analysis(&graph);
    let marks = Marks::from([
        (NodeId::from_wire("r1"), Mark::CrownJewel),
        (NodeId::from_wire("r9"), Mark::CrownJewel),
        (NodeId::from_wire("h1"), Mark::Owned),
    ]);
    let context = Context::new(Picture::new(&graph, &analysis), &marks);
    let given: Vec<(String, String)> = given.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let question = question(id).map_err(|problem| problem.to_string())?;
    let answer = ask(question, &context, &given, page).map_err(|problem| problem.to_string())?;
    for row in &answer.rows.rows {
        assert_eq!(row.len(), question.columns.len(), "{id}");
        let fits = row.iter().zip(question.columns).all(|(cell, column)| cell.fits(column.kind));
        assert!(fits, "{id}: {row:?}");
    }
    let lines = answer.rows.rows.iter().map(|row| row.iter().map(shown).collect::<Vec<_>>().join(" | "));
    Ok((lines.collect(), answer.rows.total))
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => "-".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => format!("{number:.2}"),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Texts(texts) => format!("[{}]", texts.join(", ")),
        Cell::Objects(all) => json!(all).to_string(),
    }
}

fn check(id: &str, given: &[(&str, &str)], expected: &[&str]) {
    let (rows, total) = answered(id, given, Page::default()).unwrap();
    assert_eq!(rows, expected, "{id}");
    assert_eq!(total, expected.len() as u64, "{id}");
}

#[test]
fn print_all() {
    for question in all() {
        let given: Vec<(&str, &str)> = question
            .parameters
            .iter()
            .filter(|parameter| parameter.is_required())
            .map(|parameter| (parameter.name, if question.id == "who-can-reach" { "r1" } else { "a2" }))
            .collect();
        let (rows, _) = answered(question.id, &given, Page::default()).unwrap();
        eprintln!("=== {}", question.id);
        for row in rows {
            eprintln!("{row:?},");
        }
    }
}
