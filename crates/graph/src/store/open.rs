//! Opening the store: the lock, the schema, and what to say when the file is not what it should be.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{Access, Store};
use crate::Error;

/// The name of the database file within the data directory.
pub(super) const FILE: &str = "estate.db";
/// The name of the file that a writing process locks. It stays; only the lock on it matters.
const LOCK: &str = "estate.lock";
/// Marks our files among all SQLite files ("Thnd").
const APPLICATION: i32 = 0x5468_6e64;
/// Each entry takes the schema from its position to the next.
const MIGRATIONS: &[&str] =
    &[include_str!("schema.sql"), include_str!("triage_expiry.sql"), include_str!("triage_severity.sql")];
/// Each entry shows a reader, who changes nothing, the schema of its position, from one, as the newest one.
const OLDER_SHOWN: &[&str] = &[include_str!("shown_from_1.sql"), include_str!("shown_from_2.sql")];
/// The newest schema.
const KNOWN: i64 = MIGRATIONS.len() as i64;
/// How long a reader waits for the short moments in which a writer is alone.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to write the estates of a data directory, which one process has at a time. Copies share it.
#[derive(Debug, Clone)]
pub struct Owner {
    directory: PathBuf,
    lock: Arc<File>,
}

impl Owner {
    /// Takes the right, and makes the directory if need be.
    ///
    /// # Errors
    ///
    /// When the directory can't be used or another process has the right.
    pub fn of(directory: &Path) -> Result<Self, Error> {
        create_directory(directory)?;
        Ok(Self { directory: directory.to_owned(), lock: Arc::new(lock(directory)?) })
    }
}

impl Store {
    /// Opens the store in a data directory, creating both when it is to be written.
    pub(crate) fn open(directory: &Path, tenant: &str, access: Access) -> Result<Self, Error> {
        let lock = match access {
            Access::Write => return Self::open_owned(&Owner::of(directory)?, tenant),
            Access::Read | Access::Change => {
                let looked = directory.join(FILE).try_exists();
                match looked.map_err(|source| Error::DataDirectory { path: directory.to_owned(), source })? {
                    false => return Err(Error::NoEstate { path: directory.to_owned() }),
                    true if access == Access::Change => Some(Arc::new(lock(directory)?)),
                    true => None,
                }
            }
        };
        Self::open_locked(directory, tenant, access, lock)
    }

    /// Opens the store for writing, with a right that is there already.
    pub(crate) fn open_owned(owner: &Owner, tenant: &str) -> Result<Self, Error> {
        Self::open_locked(&owner.directory, tenant, Access::Write, Some(owner.lock.clone()))
    }

    fn open_locked(directory: &Path, tenant: &str, access: Access, lock: Option<Arc<File>>) -> Result<Self, Error> {
        let path = directory.join(FILE);
        if access == Access::Write {
            create_private(&path)?;
        }
        let failed = |source| explain(&path, "open", source);
        let mut connection = connect(&path, access).map_err(failed)?;
        if access == Access::Read {
            // One moment for everything that is read, the schema included, whatever a writer does meanwhile.
            connection.execute_batch("BEGIN").map_err(failed)?;
        }
        let version = recognise(&connection, &path)?;
        match access {
            Access::Write | Access::Change => prepare(&mut connection, version).map_err(failed)?,
            // A writer made the file and was stopped before it wrote anything.
            Access::Read if version < 1 => return Err(Error::NoEstate { path: directory.to_owned() }),
            Access::Read => {
                let shown = usize::try_from(version - 1).ok().and_then(|older| OLDER_SHOWN.get(older));
                shown.map_or(Ok(()), |shown| connection.execute_batch(shown)).map_err(failed)?;
            }
        }
        Ok(Self { path, connection, tenant: tenant.to_owned(), lock })
    }
}

pub(super) fn create_directory(directory: &Path) -> Result<(), Error> {
    let failed = |source| Error::DataDirectory { path: directory.to_owned(), source };
    if directory.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    // What agents can reach is nobody else's business.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory).map_err(failed)
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

pub(super) fn connect(path: &Path, access: Access) -> rusqlite::Result<Connection> {
    let flags = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Change => OpenFlags::SQLITE_OPEN_READ_WRITE,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    };
    let mut connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    if access == Access::Read && !is_readable(&connection) && !has_log(path) {
        // Where nothing can be written beside it (a backup on a read-only medium), the file can still be read as what
        // it is: nobody is writing it, and there is no log that it would have to be read with.
        let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        connection = Connection::open_with_flags(immutable(path), flags)?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    // What is made for one reader only is nothing for the disk, which may be one that can't be written.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

fn is_readable(connection: &Connection) -> bool {
    let failure = match connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
        Ok(()) => return true,
        Err(failure) => failure,
    };
    !matches!(failure.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Whether a write-ahead log with something in it stands beside the file.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// The address of a file that does not change while it is read.
fn immutable(path: &Path) -> String {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{escaped}?immutable=1")
}

/// Makes the file readable by its owner alone before the database writes the first byte to it.
pub(super) fn create_private(path: &Path) -> Result<(), Error> {
    if path.exists() {
        return Ok(());
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = |source| Error::DataDirectory { path: path.to_owned(), source };
    options.open(path).map(drop).map_err(failed)
}

/// The file's schema version. Refuses files that are not ours, or newer than we are, before anything is written.
pub(super) fn recognise(connection: &Connection, path: &Path) -> Result<i64, Error> {
    let failed = |source| explain(path, "open", source);
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    let count = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(count, [], |row| row.get(0)).map_err(failed)?;
    if tables > 0 && number("application_id")? != i64::from(APPLICATION) {
        return Err(Error::Damaged { path: path.to_owned(), what: "it is another program's database".to_owned() });
    }
    let found = number("user_version")?;
    if found > KNOWN {
        return Err(Error::NewerSchema { path: path.to_owned(), found, known: KNOWN });
    }
    Ok(found)
}

/// Sets how the file is written and brings its schema up to date.
fn prepare(connection: &mut Connection, version: i64) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Deleted scans are overwritten, not just unlinked.
    connection.pragma_update(None, "secure_delete", true)?;
    if version == KNOWN {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", KNOWN)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()
}

/// Turns a database failure into words.
pub(super) fn explain(path: &Path, doing: &'static str, source: rusqlite::Error) -> Error {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            Error::Damaged { path, what: format!("{source}; restore it from a backup or ingest the scans again") }
        }
        Some(ErrorCode::DiskFull) => Error::DiskFull { path },
        _ => Error::Database { doing, path, source },
    }
}

#[cfg(test)]
mod tests;
