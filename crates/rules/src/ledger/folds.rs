//! Five fixed folds: records of one source are never on both sides of a measurement.

use tracehound_model::hash;

/// How many folds there are.
pub const FOLDS: usize = 5;

/// The fold of everything that belongs to one group.
pub(super) fn of(group: &str) -> usize {
    let digits = hash::content(group);
    let first = digits.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0);
    (first % FOLDS as u64) as usize
}

/// The fold of a tool: by repository and server, or by repository alone where no server is given.
pub(super) fn of_server(source: &str, server: Option<&str>) -> usize {
    match server {
        Some(_) => of(&server_group(source, server)),
        None => of(repository(source)),
    }
}

/// The name of a server within its repository.
pub(super) fn server_group(source: &str, server: Option<&str>) -> String {
    format!("{}#{}", repository(source), server.unwrap_or_default())
}

/// The repository of a `repository@commit:path`.
pub(super) fn repository(source: &str) -> &str {
    source.split('@').next().unwrap_or(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_one_fold_whatever_the_commit() {
        assert_eq!(of_server("a/b@1:x", None), of_server("a/b@2:y", None));
        assert_eq!(repository("a/b@1:x"), "a/b");
    }

    #[test]
    fn folds_are_used_about_equally() {
        let mut counts = [0; FOLDS];
        for number in 0..1000 {
            counts[of(&format!("owner/repository-{number}"))] += 1;
        }
        assert!(counts.iter().all(|count| (150..250).contains(count)), "{counts:?}");
    }
}
