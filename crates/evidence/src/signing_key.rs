//! The key that signs receipts, as a file beside the store.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::Error;
use crate::receipt::{Seed, SigningKey};

/// The name of the file within the data directory.
pub(crate) const FILE: &str = "signing.key";

/// The key of a data directory; made when there is neither a key nor a chain that one would belong to.
pub(crate) fn load_or_make(directory: &Path, is_new: bool) -> Result<Arc<SigningKey>, Error> {
    let path = directory.join(FILE);
    let wrong = |why: String| Error::SigningKey { path: path.clone(), why };
    match fs::read_to_string(&path) {
        Ok(text) => {
            let seed = Seed::from_hex(&text).map_err(|error| wrong(error.to_string()))?;
            SigningKey::from_seed(&seed).map(Arc::new).map_err(|error| wrong(error.to_string()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_new => make(directory),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(wrong(
            "it is missing, and the receipts in the store were signed with it; put it back from a backup".to_owned(),
        )),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// Makes another key and puts it in the place of the one before.
pub(crate) fn make(directory: &Path) -> Result<Arc<SigningKey>, Error> {
    let path = directory.join(FILE);
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
