//! The key that signs receipts, as a file beside the store.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::Error;
use crate::receipt::{Seed, SigningKey};

/// The name of the file within the data directory.
pub(crate) const FILE: &str = "signing.key";

/// The name of the file with the key that takes over, as long as it has not.
const NEXT: &str = "signing.key.next";

/// The key of a data directory. `in_force` is the id of the key that signs according to the store; without one the store has just
/// been made, and so is the key.
pub(crate) fn load(directory: &Path, in_force: Option<&str>) -> Result<Arc<SigningKey>, Error> {
    let path = directory.join(FILE);
    let wrong = |why: &str| Error::SigningKey { path: path.clone(), why: why.to_owned() };
    let Some(in_force) = in_force else {
        return match read(&path)? {
            Some(key) => Ok(key),
            None => make(directory, FILE),
        };
    };
    let found = read(&path)?;
    if let Some(key) = found.clone().filter(|key| key.public().id() == in_force) {
        return Ok(key);
    }
    // The server was stopped between the commit that changed keys and the change of the file.
    if let Some(key) = read(&directory.join(NEXT))?.filter(|key| key.public().id() == in_force) {
        adopt(directory)?;
        return Ok(key);
    }
    match found {
        Some(_) => {
            Err(wrong("the receipts in the store were signed with another key; put that one back from a backup"))
        }
        None => {
            Err(wrong("it is missing, and the receipts in the store were signed with it; put it back from a backup"))
        }
    }
}

/// Makes the key that takes over.
pub(crate) fn make_next(directory: &Path) -> Result<Arc<SigningKey>, Error> {
    make(directory, NEXT)
}

/// Puts the key that took over in the place of the one before.
pub(crate) fn adopt(directory: &Path) -> Result<(), Error> {
    let path = directory.join(FILE);
    let moved = fs::rename(directory.join(NEXT), &path).and_then(|()| fs::File::open(directory)?.sync_all());
    moved.map_err(|error| Error::SigningKey { path, why: error.to_string() })
}

fn read(path: &Path) -> Result<Option<Arc<SigningKey>>, Error> {
    let wrong = |why: String| Error::SigningKey { path: path.to_owned(), why };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    };
    let seed = Seed::from_hex(&text).map_err(|error| wrong(error.to_string()))?;
    SigningKey::from_seed(&seed).map(|key| Some(Arc::new(key))).map_err(|error| wrong(error.to_string()))
}

fn make(directory: &Path, name: &str) -> Result<Arc<SigningKey>, Error> {
    let path = directory.join(name);
    let wrong = |why: String| Error::SigningKey { path: path.clone(), why };
    let seed = Seed::generate().map_err(|error| wrong(error.to_string()))?;
    let key = SigningKey::from_seed(&seed).map_err(|error| wrong(error.to_string()))?;
    write(&path, seed.bytes()).map_err(|error| wrong(error.to_string()))?;
    Ok(Arc::new(key))
}

/// Writes the file beside its place and moves it there, so that there is always a whole one.
fn write(path: &Path, seed: &[u8; 32]) -> std::io::Result<()> {
    let beside = path.with_extension("key.new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    writeln!(file, "{}", crate::token::hex(seed))?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    if let Some(directory) = path.parent() {
        fs::File::open(directory)?.sync_all()?;
    }
    Ok(())
}
