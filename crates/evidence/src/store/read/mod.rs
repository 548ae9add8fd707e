//! Reading. Every question is bound to a tenant, and costs what its answer costs: an index leads to it.

pub(crate) mod approvals;
pub(crate) mod decisions;
pub(crate) mod happened;
pub(crate) mod incidents;
pub(crate) mod load;
pub(crate) mod policies;
pub(crate) mod receipts;
pub(crate) mod retention;
pub(crate) mod summary;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Params, Row};

use super::open;
use crate::Error;
use crate::decision::Page;

/// Most entries on a page.
pub const MAX_PAGE: usize = 200;
/// Entries on a page unless somebody asks for another number.
pub const PAGE: usize = 50;

/// Connections that only read, kept for whoever comes next.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), idle: Mutex::new(Vec::new()) }
    }

    /// Looks at one moment of the store.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => open::reader(&self.path)?,
        };
        let answer = {
            let transaction = connection.transaction().map_err(failed)?;
            look(&transaction)
        };
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        answer
    }
}

fn failed(source: rusqlite::Error) -> Error {
    Error::Store { doing: "read", source }
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Error> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let rows = statement.query_map(values, read).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

fn first<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, Error> {
    use rusqlite::OptionalExtension as _;
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.query_row(values, read).optional().map_err(failed)
}

/// Rows by a list of ids, as many at once as a statement takes. `sql` ends with `IN`.
fn in_groups<T>(
    connection: &Connection,
    sql: &str,
    tenant: &str,
    ids: &[String],
    mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Error> {
    // Every group has the same number of places, so that there is one statement to prepare; the last is filled up with an
    // id that it has anyway.
    const GROUP: usize = 50;
    let places = (0..GROUP).map(|place| format!("?{}", place + 2)).collect::<Vec<_>>().join(", ");
    let sql = format!("{sql} ({places})");
    let mut found = Vec::with_capacity(ids.len());
    for group in ids.chunks(GROUP) {
        let filled = group.iter().chain(group.last().into_iter().cycle()).take(GROUP);
        let values = std::iter::once(tenant).chain(filled.map(String::as_str));
        found.extend(all(connection, &sql, rusqlite::params_from_iter(values), &mut read)?);
    }
    Ok(found)
}

/// A column that holds JSON or a word of a closed list, turned into what it stands for.
fn meaning<T>(column: &'static str, found: Option<T>) -> rusqlite::Result<T> {
    found.ok_or_else(|| {
        let what = format!("the column `{column}` holds something that it can't hold");
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, what.into())
    })
}

fn parsed<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: &'static str) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?;
    meaning(column, text.as_str().ok().and_then(|text| serde_json::from_str(text).ok()))
}

/// A page of at most `limit`, made from one more than that.
fn page<T>(mut items: Vec<T>, limit: usize, place: impl Fn(&T) -> i64) -> Page<T> {
    let has_more = items.len() > limit;
    items.truncate(limit);
    let next_cursor = items.last().filter(|_| has_more).map(|last| place(last).to_string());
    Page { items, next_cursor }
}

/// How many rows to ask for: one more than are shown.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit.clamp(1, MAX_PAGE)).unwrap_or(1) + 1
}
