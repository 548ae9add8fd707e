//! Copies of a store: taken while a server runs, checked before they count, and put where there is nothing yet.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::Serialize;

use crate::receipt::{self, Report, Status};
use crate::store::open;
use crate::store::read::receipts;
use crate::{Error, signing_key};

/// How many receipts are read at once.
const PAGE: i64 = 4_096;

/// What a copy holds.
#[derive(Debug, Clone, Serialize)]
pub struct Copied {
    /// How many receipts of each tenant were verified.
    pub receipts: Vec<(String, u64)>,
}

/// Copies the evidence and its key into a directory that is there. What comes in meanwhile is in the next copy.
///
/// # Errors
/// There is no evidence, it can't be copied, or the copy does not verify.
pub fn back_up(directory: &Path, to: &Path) -> Result<Copied, Error> {
    let source = directory.join(open::FILE);
    let target = to.join(open::FILE);
    open::create_private(&target)?;
    let connection = open::reader(&source)?;
    let failed = |source| Error::Store { doing: "copy", source };
    let place = target.to_string_lossy().into_owned();
    connection.execute("VACUUM INTO ?1", [place]).map_err(failed)?;
    fs::File::open(&target)
        .and_then(|file| file.sync_all())
        .map_err(|source| Error::DataDirectory { path: target.clone(), source })?;
    copy_private(&directory.join(signing_key::FILE), &to.join(signing_key::FILE))?;
    check(to)
}

/// Puts a copy into a data directory that has no evidence.
///
/// # Errors
/// There is evidence already, or the copy does not verify.
pub fn restore(from: &Path, directory: &Path) -> Result<Copied, Error> {
    let copied = check(from)?;
    let target = directory.join(open::FILE);
    if target.exists() {
        let message = format!("there is evidence in `{}` already; nothing was changed", directory.display());
        return Err(Error::Conflict { code: "already_exists", message });
    }
    open::create_directory(directory)?;
    copy_private(&from.join(signing_key::FILE), &directory.join(signing_key::FILE))?;
    copy_private(&from.join(open::FILE), &target)?;
    Ok(copied)
}

/// Verifies the chain of every tenant of a copy with the keys that it names.
fn check(directory: &Path) -> Result<Copied, Error> {
    let connection = open::reader(&directory.join(open::FILE))?;
    let wrong = |what: String| Error::Damaged { what };
    let keys = receipts::keys(&connection)?;
    let keys = keys.iter().map(|key| key.parse()).collect::<Result<receipt::Keys, _>>();
    let keys = keys.map_err(|error: receipt::KeyError| wrong(error.to_string()))?;
    let mut all = Vec::new();
    for tenant in receipts::tenants(&connection)? {
        let mut next = 0;
        let pages = std::iter::from_fn(|| {
            let page = receipts::from(&connection, &tenant, next, PAGE);
            next += PAGE as u64;
            match page {
                Ok(page) if page.is_empty() => None,
                page => Some(page),
            }
        });
        let lines = pages.flat_map(|page| match page {
            Ok(page) => page.into_iter().map(|(_, json)| Ok(json)).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        });
        let report: Report = receipt::verify(lines, &keys, None)?;
        if report.status != Status::Verified {
            let first = report.problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
            return Err(wrong(format!("the receipts of tenant `{tenant}` do not verify: {first}")));
        }
        all.push((tenant, report.receipts));
    }
    Ok(Copied { receipts: all })
}

fn copy_private(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::DataDirectory { path, source }
    };
    let mut source = fs::File::open(from).map_err(failed(from))?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut target = options.open(to).map_err(failed(to))?;
    std::io::copy(&mut source, &mut target).and_then(|_| target.flush()).map_err(failed(to))?;
    target.sync_all().map_err(failed(to))
}
