//! Copies of the store: taken while others write, and put where there is nothing yet.

use std::fs;
use std::path::Path;

use super::Access;
use super::open::{self, FILE};
use crate::Error;

/// Copies the store into a directory that is there. What comes in meanwhile is in the next copy.
///
/// # Errors
/// There is no store, or it can't be copied.
pub fn back_up(directory: &Path, to: &Path) -> Result<(), Error> {
    let (source, target) = (directory.join(FILE), to.join(FILE));
    if !source.exists() {
        return Err(Error::NoEstate { path: directory.to_owned() });
    }
    let failed = |cause| open::explain(&source, "copy", cause);
    let connection = open::connect(&source, Access::Read).map_err(failed)?;
    open::recognise(&connection, &source)?;
    open::create_private(&target)?;
    connection.execute("VACUUM INTO ?1", [target.to_string_lossy()]).map_err(failed)?;
    synchronised(&target)
}

/// Puts a copy into a data directory that has no store.
///
/// # Errors
/// There is a store already, or the copy is none of ours.
pub fn restore(from: &Path, directory: &Path) -> Result<(), Error> {
    let (source, target) = (from.join(FILE), directory.join(FILE));
    let connection = open::connect(&source, Access::Read).map_err(|cause| open::explain(&source, "open", cause))?;
    open::recognise(&connection, &source)?;
    drop(connection);
    open::create_directory(directory)?;
    let failed = |source| Error::DataDirectory { path: directory.to_owned(), source };
    if target.exists() {
        return Err(failed(std::io::Error::other("there is an estate already")));
    }
    open::create_private(&target)?;
    fs::copy(&source, &target).map_err(failed)?;
    synchronised(&target)
}

fn synchronised(path: &Path) -> Result<(), Error> {
    let done = fs::File::open(path).and_then(|file| file.sync_all());
    done.map_err(|source| Error::DataDirectory { path: path.to_owned(), source })
}
