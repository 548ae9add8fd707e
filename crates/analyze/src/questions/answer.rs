//! What comes back: typed cells in rows.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::Question;

/// A column of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnKind,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// A text.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// Several texts.
    Texts,
    /// Several things, each with a few texts.
    Objects,
    /// The id of a node.
    Node,
}

/// A cell of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Nothing is known.
    Nothing,
    /// A text, or the id of a node.
    Text(String),
    /// How many.
    Count(u64),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Several texts.
    Texts(Vec<String>),
    /// Several things, each with a few texts.
    Objects(Vec<BTreeMap<&'static str, String>>),
}

impl Cell {
    /// Whether a column of this kind may hold it.
    #[must_use]
    pub const fn fits(&self, kind: ColumnKind) -> bool {
        matches!(
            (self, kind),
            (Self::Nothing, _)
                | (Self::Text(_), ColumnKind::Text | ColumnKind::Node)
                | (Self::Count(_) | Self::Number(_), ColumnKind::Number)
                | (Self::Flag(_), ColumnKind::Flag)
                | (Self::Texts(_), ColumnKind::Texts)
                | (Self::Objects(_), ColumnKind::Objects)
        )
    }
}

/// The part of an answer that somebody wants to see.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Page {
    /// How many rows to leave out at the beginning.
    pub offset: u64,
    /// How many rows to show; all if nothing is said.
    pub limit: Option<u64>,
}

impl Page {
    /// The rows of this page, made of what stands for each row, in order. Cells are made for rows that are shown.
    pub fn of<K>(self, keys: &[K], row: impl Fn(&K) -> Vec<Cell>) -> Rows {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let shown = keys.iter().skip(count(self.offset)).take(self.limit.map_or(usize::MAX, count));
        Rows { rows: shown.map(row).collect(), total: keys.len() as u64, beyond: 0 }
    }
}

/// Some rows of an answer, and how many there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// The rows of the page.
    pub rows: Vec<Vec<Cell>>,
    /// How many rows there are on all pages.
    pub total: u64,
    /// How many derived edges of the kind that was asked about are true besides, and counted, but not written down.
    pub beyond: u64,
}

/// A question with its answer.
#[derive(Debug)]
pub struct Answer {
    /// What was asked.
    pub question: &'static Question,
    /// Which part of the answer this is.
    pub page: Page,
    /// The rows.
    pub rows: Rows,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("question", self.question.id)?;
        map.serialize_entry("asks", self.question.asks)?;
        map.serialize_entry("category", self.question.category.name())?;
        map.serialize_entry("severity", self.question.severity.name())?;
        map.serialize_entry("columns", self.question.columns)?;
        map.serialize_entry("total", &self.rows.total)?;
        map.serialize_entry("offset", &self.page.offset)?;
        map.serialize_entry("not_written_down", &self.rows.beyond)?;
        let columns = self.question.columns;
        let rows: Vec<Row<'_>> = self.rows.rows.iter().map(|cells| Row { columns, cells }).collect();
        map.serialize_entry("rows", &rows)?;
        map.end()
    }
}

/// A row as an object: its cells by the names of their columns.
struct Row<'a> {
    columns: &'a [Column],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().map(|column| column.name).zip(self.cells))
    }
}

/// A column of texts.
pub(super) const fn text(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Text }
}

/// A column of numbers.
pub(super) const fn number(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Number }
}

/// A column of truth values.
pub(super) const fn flag(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Flag }
}

/// A column of lists.
pub(super) const fn texts(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Texts }
}

/// A column of ids.
pub(super) const fn node(name: &'static str) -> Column {
    Column { name, kind: ColumnKind::Node }
}
