//! Paths within a bundle: plain, relative, and the same on every system.

use super::limits::{DEPTH, PATH_BYTES};

/// A path within a bundle, without a leading `./`; empty for the bundle itself. The error says what is wrong with it.
pub(super) fn plain(given: &str) -> Result<&str, String> {
    let wrong = |reason: &str| Err(reason.to_owned());
    if given.len() > PATH_BYTES {
        return Err(format!("has a path of more than {PATH_BYTES} bytes"));
    }
    if given.starts_with('/') {
        return wrong("has an absolute path");
    }
    if given.chars().any(char::is_control) {
        return wrong("has a control character in its path");
    }
    // One spelling for one file: no letters that look alike or compose, no separators and drives of other systems.
    if !given.is_ascii() || given.contains(['\\', ':']) {
        return wrong("has a path with other characters than plain ones: ASCII without `\\` and `:`");
    }
    let path = given.strip_prefix("./").unwrap_or(given);
    if path.is_empty() || path == "." {
        return Ok("");
    }
    if path.split('/').any(|part| part == "..") {
        return wrong("has a path that leads out of the bundle");
    }
    if path.split('/').any(|part| part.is_empty() || part == ".") {
        return wrong("has a path with an empty part or a `.` in it");
    }
    if path.matches('/').count() > DEPTH {
        return Err(format!("lies more than {DEPTH} directories deep"));
    }
    Ok(path)
}

/// Whether a path is a rule file's. Names that start with a dot are left out, as in a directory of rules.
pub(super) fn is_rule_file(path: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    !is_hidden && (path.ends_with(".yaml") || path.ends_with(".yml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_pass() {
        for (given, expected) in [
            ("a.yaml", "a.yaml"),
            ("./a.yaml", "a.yaml"),
            ("fingerprints/a-b_c.1.yml", "fingerprints/a-b_c.1.yml"),
            ("./", ""),
            (".", ""),
            ("a/b/c/d/e/f/g/h/i.yaml", "a/b/c/d/e/f/g/h/i.yaml"),
            ("..a/b..yaml", "..a/b..yaml"),
        ] {
            assert_eq!(plain(given), Ok(expected), "{given}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_or_can_be_spelt_otherwise_are_refused() {
        for (given, expected) in [
            ("/etc/passwd", "has an absolute path"),
            ("//host/a.yaml", "has an absolute path"),
            ("../a.yaml", "has a path that leads out of the bundle"),
            ("a/../../b.yaml", "has a path that leads out of the bundle"),
            ("a/..", "has a path that leads out of the bundle"),
            ("./../a.yaml", "has a path that leads out of the bundle"),
            ("a//b.yaml", "has a path with an empty part or a `.` in it"),
            ("a/./b.yaml", "has a path with an empty part or a `.` in it"),
            ("a/", "has a path with an empty part or a `.` in it"),
            ("a\nb.yaml", "has a control character in its path"),
            ("a\0.yaml", "has a control character in its path"),
            ("..\\a.yaml", "has a path with other characters than plain ones: ASCII without `\\` and `:`"),
            ("C:/a.yaml", "has a path with other characters than plain ones: ASCII without `\\` and `:`"),
            ("ä.yaml", "has a path with other characters than plain ones: ASCII without `\\` and `:`"),
            ("a/b/c/d/e/f/g/h/i/j.yaml", "lies more than 8 directories deep"),
        ] {
            assert_eq!(plain(given), Err(expected.to_owned()), "{given:?}");
        }
        assert_eq!(plain(&"a".repeat(256)), Err("has a path of more than 255 bytes".to_owned()));
        assert!(plain(&"a".repeat(255)).is_ok());
    }

    #[test]
    fn rule_files_are_told_by_their_names() {
        assert!(is_rule_file("a.yaml") && is_rule_file("b/a.yml"));
        assert!(!is_rule_file("README") && !is_rule_file(".a.yaml") && !is_rule_file(".git/a.yaml"));
    }
}
