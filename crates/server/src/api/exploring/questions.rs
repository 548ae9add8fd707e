//! Questions by name, and their answers in typed rows.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tracehound_analyze::naming::Unfound;
use tracehound_analyze::questions::{self, Answer, Column, ColumnKind, Context, Page, Parameter, Question};
use tracehound_model::Severity;

use super::cursor::Cursor;
use super::{check_count, check_selection, within};
use crate::App;
use crate::api::estate_shape::{StandardRef, not_found};
use crate::body::{Body, Path};
use crate::caller::Caller;
use crate::estate::{At, Said};
use crate::problem::Problem;

/// Rows on a page.
const MOST: usize = 5_000;
/// Rows on a page if nobody says how many.
const USUAL: usize = 100;
/// Parameters of a question.
const MOST_PARAMETERS: usize = 20;

/// All questions.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Questions {
    /// By category and name.
    pub(crate) items: Vec<ListedQuestion>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct ListedQuestion {
    /// What to ask it by.
    pub(crate) question: String,
    pub(crate) name: String,
    /// What it asks, in a sentence.
    pub(crate) asks: String,
    pub(crate) category: String,
    #[schema(inline)]
    pub(crate) severity: Severity,
    pub(crate) standards: Vec<StandardRef>,
    pub(crate) parameters: Vec<QuestionParameter>,
    pub(crate) columns: Vec<QuestionColumn>,
}

/// What may be said besides a question's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct QuestionParameter {
    pub(crate) name: String,
    /// What it is for.
    pub(crate) help: String,
    pub(crate) required: bool,
    pub(crate) default: Option<String>,
    /// A value that makes sense.
    pub(crate) example: String,
}

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub(crate) struct QuestionColumn {
    pub(crate) name: String,
    /// What its cells hold: a text, a number, a truth value, several texts, several things with a few texts each, or the
    /// id of a node. Any may be null.
    pub(crate) kind: CellKind,
}

/// What cells hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CellKind {
    Text,
    Number,
    Flag,
    Texts,
    Objects,
    Node,
}

/// How a question is asked.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionAsked {
    /// Values by the names of parameters: texts or whole numbers.
    #[serde(default)]
    parameters: BTreeMap<String, ParameterValue>,
    /// A scan id, a time, a date or `now`; the present if nothing is said.
    #[serde(default)]
    at: Option<String>,
    /// How many rows, up to 5,000.
    #[serde(default)]
    limit: Option<usize>,
    /// Where the page before ended: its `next_cursor`.
    #[serde(default)]
    cursor: Option<String>,
}

/// The value of a parameter.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(crate) enum ParameterValue {
    /// A whole number.
    Number(u64),
    /// A text: names, ids or sets of nodes, or a number.
    Text(String),
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct QuestionAnswer {
    pub(crate) question: String,
    /// What was asked, in a sentence.
    pub(crate) asks: String,
    pub(crate) columns: Vec<QuestionColumn>,
    /// The rows of this page: cells by the names of their columns.
    #[schema(value_type = Vec<std::collections::HashMap<String, Value>>)]
    pub(crate) rows: Vec<Map<String, Value>>,
    /// Rows on all pages.
    pub(crate) total: u64,
    /// Connections of the sort that was asked about that are true and counted but not written down.
    pub(crate) not_written_down: u64,
    /// Where the next page begins.
    pub(crate) next_cursor: Option<String>,
}

pub(crate) async fn list() -> Json<Questions> {
    Json(Questions { items: questions::all().map(ListedQuestion::from).collect() })
}

pub(crate) async fn ask(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Body(asked): Body<QuestionAsked>,
) -> Result<Json<QuestionAnswer>, Problem> {
    let limit = within(asked.limit, USUAL, MOST, "limit")?;
    check_count(asked.parameters.len(), MOST_PARAMETERS, "parameters")?;
    let given: Vec<(String, String)> = asked.parameters.into_iter().map(|(key, value)| (key, value.text())).collect();
    given.iter().try_for_each(|(_, text)| check_selection(text))?;
    let question = questions::question(&name).map_err(refused)?;
    let cursor = asked.cursor;
    let look = move |at: &At<'_>, said: &Said| {
        let cursor = Cursor::read(at, cursor.as_deref())?;
        let context = Context::new(at.picture(), &said.marks);
        let page = Page { offset: cursor.offset as u64, limit: Some(limit as u64) };
        let answer = questions::ask(question, &context, &given, page).map_err(refused)?;
        let end = cursor.offset.saturating_add(answer.rows.rows.len());
        let next = ((end as u64) < answer.rows.total).then(|| Cursor { offset: end, within: 0 }.told(at));
        Ok(Json(told(&answer, next)))
    };
    app.at(&caller.tenant, asked.at.as_deref(), look).await
}

impl ParameterValue {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

fn refused(problem: questions::Problem) -> Problem {
    let detail = problem.to_string();
    match &problem {
        questions::Problem::UnknownQuestion { .. } => Problem::new(StatusCode::NOT_FOUND, "question_not_found", detail),
        questions::Problem::Unfound { unfound: unfound @ Unfound::Unknown { .. }, .. } => {
            Problem { detail, ..not_found(unfound) }
        }
        _ => Problem::invalid("bad_parameter", detail),
    }
}

fn told(answer: &Answer, next_cursor: Option<String>) -> QuestionAnswer {
    let columns = answer.question.columns;
    let row = |cells: &Vec<questions::Cell>| {
        let named = columns.iter().zip(cells);
        named.map(|(column, cell)| (column.name.to_owned(), serde_json::json!(cell))).collect()
    };
    QuestionAnswer {
        question: answer.question.id.to_owned(),
        asks: answer.question.asks.to_owned(),
        columns: columns.iter().map(QuestionColumn::from).collect(),
        rows: answer.rows.rows.iter().map(row).collect(),
        total: answer.rows.total,
        not_written_down: answer.rows.beyond,
        next_cursor,
    }
}

impl From<&'static Question> for ListedQuestion {
    fn from(question: &'static Question) -> Self {
        let standard = |(id, name): &(&str, &str)| StandardRef { id: (*id).to_owned(), name: (*name).to_owned() };
        Self {
            question: question.id.to_owned(),
            name: question.name.to_owned(),
            asks: question.asks.to_owned(),
            category: question.category.name().to_owned(),
            severity: question.severity,
            standards: question.standards.iter().map(standard).collect(),
            parameters: question.parameters.iter().map(QuestionParameter::from).collect(),
            columns: question.columns.iter().map(QuestionColumn::from).collect(),
        }
    }
}

impl From<&Parameter> for QuestionParameter {
    fn from(parameter: &Parameter) -> Self {
        Self {
            name: parameter.name.to_owned(),
            help: parameter.help.to_owned(),
            required: parameter.is_required(),
            default: parameter.default(),
            example: parameter.example.to_owned(),
        }
    }
}

impl From<&Column> for QuestionColumn {
    fn from(column: &Column) -> Self {
        let kind = match column.kind {
            ColumnKind::Text => CellKind::Text,
            ColumnKind::Number => CellKind::Number,
            ColumnKind::Flag => CellKind::Flag,
            ColumnKind::Texts => CellKind::Texts,
            ColumnKind::Objects => CellKind::Objects,
            ColumnKind::Node => CellKind::Node,
        };
        Self { name: column.name.to_owned(), kind }
    }
}
