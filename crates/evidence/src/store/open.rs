//! Opening the store: the lock, the schema, and what to say when the file is not what it should be.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::Error;

/// The name of the database file within the data directory.
pub(crate) const FILE: &str = "evidence.db";
/// The name of the file that a writing process locks. It stays; only the lock on it matters.
const LOCK: &str = "evidence.lock";
/// Marks our files among all SQLite files ("Thev").
const APPLICATION: i32 = 0x5468_6576;
/// Each entry takes the schema from its position to the next.
const MIGRATIONS: &[&str] = &[include_str!("schema.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];
/// The newest schema.
const KNOWN: i64 = MIGRATIONS.len() as i64;
/// How long a reader waits for the short moments in which the writer is alone.
const PATIENCE: Duration = Duration::from_secs(5);

/// The file, held by this process.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) path: PathBuf,
    /// Released when the process ends, however it ends.
    _lock: File,
}

/// Takes the store in a data directory, creating both if need be, and gives the connection that writes.
pub(crate) fn take(directory: &Path) -> Result<(Held, Connection), Error> {
    create_directory(directory)?;
    let lock = lock(directory)?;
    let path = directory.join(FILE);
    create_private(&path)?;
    let failed = |source| Error::Store { doing: "open", source };
    let mut connection = Connection::open_with_flags(&path, writing()).map_err(failed)?;
    let version = recognise(&connection, &path)?;
    prepare(&mut connection, version).map_err(failed)?;
    Ok((Held { path, _lock: lock }, connection))
}

/// A connection that can only read.
pub(crate) fn reader(path: &Path) -> Result<Connection, Error> {
    let failed = |source| Error::Store { doing: "read", source };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(128);
    keep_plans(&connection).map_err(failed)?;
    connection.pragma_update(None, "temp_store", "MEMORY").map_err(failed)?;
    Ok(connection)
}

/// A statement is planned once, whatever values it is given later; otherwise some would be planned anew with every use.
fn keep_plans(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

fn writing() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

pub(crate) fn create_directory(directory: &Path) -> Result<(), Error> {
    if directory.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory).map_err(|source| Error::DataDirectory { path: directory.to_owned(), source })
}

/// Takes the lock, or says who has it.
fn lock(directory: &Path) -> Result<File, Error> {
    let failed = |source| Error::DataDirectory { path: directory.to_owned(), source };
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(directory.join(LOCK)).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let is_read = (&file).take(20).read_to_string(&mut holder).is_ok();
            let is_number = is_read && !holder.is_empty() && holder.bytes().all(|byte| byte.is_ascii_digit());
            let holder = if is_number { format!(" (process {holder})") } else { String::new() };
            return Err(Error::InUse { path: directory.to_owned(), holder });
        }
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    // The number is a courtesy to whoever finds the lock taken; the lock itself is what counts.
    let note = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
    note.map_err(failed)?;
    Ok(file)
}

/// Makes the file with rights for its owner alone, before SQLite makes it with more.
pub(crate) fn create_private(path: &Path) -> Result<(), Error> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(path).map(drop);
    made.map_err(|source| Error::DataDirectory { path: path.to_owned(), source })
}

/// The schema's version, if the file is ours or empty.
fn recognise(connection: &Connection, path: &Path) -> Result<i64, Error> {
    let foreign = |why: String| Error::Foreign { path: path.to_owned(), why };
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let read = || Ok::<_, rusqlite::Error>((number("application_id")?, number("user_version")?));
    let (application, version) = read().map_err(|error| foreign(error.to_string()))?;
    if version == 0 && application == 0 {
        return Ok(0);
    }
    if application != i64::from(APPLICATION) {
        return Err(foreign("it was made by another program".to_owned()));
    }
    if version > KNOWN {
        return Err(foreign(format!("its schema is version {version}, this program knows {KNOWN}")));
    }
    Ok(version)
}

fn prepare(connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    keep_plans(connection)?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A log that a long reader made large is cut back afterwards.
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.pragma_update(None, "cache_size", -65_536)?;
    // What retention takes out is not to be found in the file afterwards.
    connection.pragma_update(None, "secure_delete", true)?;
    let transaction = connection.transaction()?;
    let missing = MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or_default());
    for migration in missing {
        transaction.execute_batch(migration)?;
    }
    if version < KNOWN {
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", KNOWN)?;
    }
    transaction.commit()
}

#[cfg(test)]
mod tests;
