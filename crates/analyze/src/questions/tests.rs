//! Each question, asked of a small estate.

mod estate;

use std::collections::BTreeSet;

use serde_json::json;
use tracehound_graph::Graph;
use tracehound_model::{Mark, NodeId};

use super::*;
use crate::naming::Marks;
use crate::{Analysis, Picture};

/// Questions with their parameters, each on a line that begins with `?`, and below it its rows with bars between cells.
const ANSWERS: &str = include_str!("tests/answers.txt");

/// The estate, what follows from it, and what people marked.
struct World {
    graph: Graph,
    analysis: Analysis,
    marks: Marks,
}

impl World {
    fn new() -> Self {
        let graph = estate::graph();
        let analysis = estate::analysis(&graph);
        let jewels = ["r1", "gone"].map(|id| (NodeId::from_wire(id), Mark::CrownJewel));
        let marks = jewels.into_iter().chain([(NodeId::from_wire("h1"), Mark::Owned)]).collect();
        Self { graph, analysis, marks }
    }

    /// Asks as people do: a name, then parameters.
    fn ask(&self, words: &str, page: Page) -> Result<Answer, String> {
        let context = Context::new(Picture::new(&self.graph, &self.analysis), &self.marks);
        let mut words = words.split_whitespace();
        let question = question(words.next().unwrap()).map_err(|problem| problem.to_string())?;
        let given: Vec<(String, String)> =
            words.map(|word| word.split_once('=').unwrap()).map(|(key, value)| (key.into(), value.into())).collect();
        let answer = ask(question, &context, &given, page).map_err(|problem| problem.to_string())?;
        for row in &answer.rows.rows {
            assert_eq!(row.len(), question.columns.len(), "{}", question.id);
            let fits = row.iter().zip(question.columns).all(|(cell, column)| cell.fits(column.kind));
            assert!(fits, "{}: {row:?}", question.id);
        }
        Ok(answer)
    }

    fn problem(&self, words: &str) -> String {
        self.ask(words, Page::default()).unwrap_err()
    }
}

fn line(row: &[Cell]) -> String {
    row.iter().map(shown).collect::<Vec<_>>().join(" | ")
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

#[test]
fn every_question_answers_what_the_estate_says() {
    let world = World::new();
    let mut asked = BTreeSet::new();
    for case in ANSWERS.split("? ").skip(1) {
        let (words, rows) = case.split_once('\n').unwrap();
        let expected: Vec<&str> = rows.lines().collect();
        let answer = world.ask(words, Page::default()).unwrap();
        let found: Vec<String> = answer.rows.rows.iter().map(|row| line(row)).collect();
        assert_eq!(found, expected, "{words}");
        assert_eq!((answer.rows.total, answer.rows.beyond), (expected.len() as u64, 0), "{words}");
        asked.insert(answer.question.id);
    }
    assert_eq!(asked, all().map(|question| question.id).collect(), "each question is asked");
}

#[test]
fn a_page_is_a_part_of_the_whole_and_the_total_stays() {
    let world = World::new();
    for case in ANSWERS.split("? ").skip(1) {
        let (words, rows) = case.split_once('\n').unwrap();
        let whole: Vec<&str> = rows.lines().collect();
        for (offset, limit) in [(0, 1), (1, 1), (1, 100), (7, 2), (0, 0)] {
            let answer = world.ask(words, Page { offset, limit: Some(limit) }).unwrap();
            let found: Vec<String> = answer.rows.rows.iter().map(|row| line(row)).collect();
            let expected: Vec<&str> = whole.iter().copied().skip(offset as usize).take(limit as usize).collect();
            assert_eq!(found, expected, "{words} from {offset}, {limit} rows");
            assert_eq!(answer.rows.total, whole.len() as u64, "{words}");
        }
    }
}

#[test]
fn pairs_of_one_name_are_counted_without_being_written_down() {
    let graph = estate::namesakes(60);
    let analysis = Analysis::default();
    let world = World { graph, analysis, marks: Marks::new() };
    let whole = world.ask("tool-name-collision", Page::default()).unwrap();
    assert_eq!((whole.rows.rows.len(), whole.rows.total), (60 * 59 / 2, 60 * 59 / 2));
    for offset in [0, 1, 58, 59, 60, 700, 1768, 1769, 1770, 5000] {
        let page = world.ask("tool-name-collision", Page { offset, limit: Some(3) }).unwrap();
        let expected: Vec<_> = whole.rows.rows.iter().skip(offset as usize).take(3).cloned().collect();
        assert_eq!((page.rows.rows, page.rows.total), (expected, whole.rows.total), "from {offset}");
    }
}

#[test]
fn answers_are_objects_by_column() {
    let answer = World::new().ask("chokepoint-servers", Page { offset: 0, limit: Some(1) }).unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["question"], "chokepoint-servers");
    assert_eq!((&json["total"], &json["offset"], &json["not_written_down"]), (&json!(1), &json!(0), &json!(0)));
    assert_eq!(json["columns"][1], json!({ "name": "agent_count", "kind": "number" }));
    let row = json!({ "server_name": "files", "agent_count": 2, "tool_count": 2, "auth_method": "none",
        "endpoint": "npx files", "server_id": "s1" });
    assert_eq!(json["rows"], json!([row]));
}

#[test]
fn what_is_wrong_with_a_question_is_said() {
    let world = World::new();
    for (words, expected) in [
        ("rugpull", "there is no question `rugpull`; did you mean `rug-pull`?"),
        ("zzz", "there is no question `zzz`"),
        (
            "who-can-reach",
            "`who-can-reach` needs `node` (what is reached), for example: who-can-reach node=postgres://prod-db:5432/customers",
        ),
        ("who-can-reach nod=x", "`who-can-reach` takes no `nod`, only node, hops; did you mean `node`?"),
        ("rug-pull x=1", "`rug-pull` takes no `x`, and nothing else"),
        ("who-can-reach node=alpha node=beta", "`node` is given twice"),
        ("blast-radius node=alpha hops=0", "`hops` has to be a whole number from 1 to 1000, and is `0`"),
        ("blast-radius node=alpha hops=many", "`hops` has to be a whole number from 1 to 1000, and is `many`"),
        ("blast-radius node=kind:VLLMInstance", "`node`: there is nothing in `kind:VLLMInstance`"),
        ("blast-radius node=alhpa", "`node`: there is no node `alhpa`; did you mean `alpha`?"),
    ] {
        assert_eq!(world.problem(words), expected);
    }
}

#[test]
fn questions_are_sorted_and_complete() {
    let order: Vec<(Category, &str)> = all().map(|question| (question.category, question.id)).collect();
    assert!(order.windows(2).all(|pair| pair[0].0 <= pair[1].0), "by category");
    let names: Vec<&str> =
        QUESTIONS.iter().flat_map(|of| of.first()).map(|question| question.category.name()).collect();
    assert!(names.is_sorted(), "{names:?}");
    for of in QUESTIONS {
        assert!(of.windows(2).all(|pair| pair[0].id < pair[1].id && pair[0].category == pair[1].category));
    }
    let ids: BTreeSet<&str> = all().map(|question| question.id).collect();
    assert_eq!(ids.len(), all().count());
    for question in all() {
        assert!(!question.standards.is_empty() && question.asks.ends_with('?'), "{}", question.id);
        let columns: BTreeSet<&str> = question.columns.iter().map(|column| column.name).collect();
        assert_eq!(columns.len(), question.columns.len(), "{}", question.id);
    }
}
