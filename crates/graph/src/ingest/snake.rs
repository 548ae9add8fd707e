//! Property keys in snake_case.

/// The snake_case form of a key: an underscore goes before an upper-case letter that follows a lower-case letter or a
/// digit, and before the last letter of an upper-case run that a lower-case letter follows.
pub(super) fn snake_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    let mut previous: Option<char> = None;
    let mut characters = key.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_uppercase() {
            let starts_word = previous.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && characters.peek().is_some_and(|after| after.is_lowercase()))
            });
            if starts_word {
                out.push('_');
            }
            out.extend(character.to_lowercase());
        } else {
            out.push(character);
        }
        previous = Some(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_spelling() {
        for (key, expected) in [
            ("capabilitySurface", "capability_surface"),
            ("scanID", "scan_id"),
            ("HTTPServer", "http_server"),
            ("HTTPSEnabled", "https_enabled"),
            ("isHTTPS", "is_https"),
            ("ID", "id"),
            ("already_snake", "already_snake"),
            ("sha256Sum", "sha256_sum"),
            ("", ""),
        ] {
            assert_eq!(snake_case(key), expected);
        }
    }
}
