//! Byte streams in rows of bounded size, so that neither side ever holds a whole snapshot.

use std::io::{self, Read, Write};

use rusqlite::{Connection, Transaction, params};

/// Large enough that rows are few, small enough that one is cheap to hold.
const PART: usize = 1 << 20;

/// Makes an empty stream.
pub(super) fn create(transaction: &Transaction<'_>) -> rusqlite::Result<i64> {
    transaction.execute("INSERT INTO streams DEFAULT VALUES", [])?;
    Ok(transaction.last_insert_rowid())
}

/// Writes bytes as a whole stream.
pub(super) fn write(transaction: &Transaction<'_>, stream: i64, bytes: &[u8]) -> rusqlite::Result<()> {
    fill(transaction, stream, |out| out.write_all(bytes))
}

/// Writes whatever `fill` writes as a whole stream.
pub(super) fn fill(
    transaction: &Transaction<'_>,
    stream: i64,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> rusqlite::Result<()> {
    let mut writer = StreamWriter { transaction, stream, part: 0, buffer: Vec::with_capacity(PART), failure: None };
    let written = fill(&mut writer).and_then(|()| writer.flush());
    match (writer.failure, written) {
        (Some(failure), _) => Err(failure),
        (None, Err(other)) => Err(rusqlite::Error::ToSqlConversionFailure(Box::new(other))),
        (None, Ok(())) => Ok(()),
    }
}

struct StreamWriter<'a> {
    transaction: &'a Transaction<'a>,
    stream: i64,
    part: i64,
    buffer: Vec<u8>,
    /// The database's own reason, which an I/O error can't carry.
    failure: Option<rusqlite::Error>,
}

impl Write for StreamWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PART - self.buffer.len();
        let now = bytes.get(..room).unwrap_or(bytes);
        self.buffer.extend_from_slice(now);
        if self.buffer.len() == PART {
            self.flush()?;
        }
        Ok(now.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO parts (stream, part, data) VALUES (?1, ?2, ?3)";
        let insert = || {
            let mut statement = self.transaction.prepare_cached(sql)?;
            statement.execute(params![self.stream, self.part, self.buffer])
        };
        if let Err(failure) = insert() {
            self.failure = Some(failure);
            return Err(io::Error::other("the database refused a part"));
        }
        self.part += 1;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads a stream part by part.
#[derive(Debug)]
pub(crate) struct StreamReader<'a> {
    connection: &'a Connection,
    stream: i64,
    part: i64,
    data: Vec<u8>,
    position: usize,
}

impl<'a> StreamReader<'a> {
    pub(super) const fn new(connection: &'a Connection, stream: i64) -> Self {
        Self { connection, stream, part: 0, data: Vec::new(), position: 0 }
    }

    fn next_part(&mut self) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare_cached("SELECT data FROM parts WHERE stream = ?1 AND part = ?2")?;
        let mut rows = statement.query(params![self.stream, self.part])?;
        let Some(row) = rows.next()? else { return Ok(false) };
        self.data = row.get(0)?;
        self.part += 1;
        self.position = 0;
        Ok(!self.data.is_empty())
    }
}

impl Read for StreamReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.position == self.data.len() && !self.next_part().map_err(io::Error::other)? {
            return Ok(0);
        }
        let mut rest = self.data.get(self.position..).unwrap_or_default();
        let count = rest.read(out)?;
        self.position += count;
        Ok(count)
    }
}
