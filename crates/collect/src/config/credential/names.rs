//! Names of secrets, in words of any spelling. Rules know names as people write them; here is what else is joined up.

/// Ends of words that say secret, however the words of a name are joined.
const SECRET_ENDS: &[&str] = &["password", "passwd", "passphrase", "secret", "token", "apikey"];
/// Short words that say it only alone.
const SECRET_WORDS: &[&str] = &["pw", "pwd", "pat"];
/// Words beside them that make it something else: where it is, how much of it, what it is called.
const NO_SECRET: &[&str] = &[
    "id",
    "ids",
    "name",
    "url",
    "uri",
    "path",
    "file",
    "dir",
    "type",
    "limit",
    "count",
    "budget",
    "size",
    "length",
    "ttl",
    "expiry",
    "expires",
    "max",
    "min",
    "num",
    "total",
    "public",
    "header",
    "endpoint",
    "host",
    "port",
    "provider",
    "issuer",
    "timeout",
    "enabled",
    "required",
    "prefix",
    "algorithm",
    "field",
    "env",
    "var",
    "cache",
    "store",
    "backend",
    "model",
];

/// Whether a name such as `PGPASSWORD`, `GITHUB_TOKEN_RO` or `ldapBindPw` is that of a secret.
pub(super) fn has_secret_word(name: &str) -> bool {
    let words = words(name);
    let is_secret =
        |word: &String| SECRET_ENDS.iter().any(|end| word.ends_with(end)) || SECRET_WORDS.contains(&word.as_str());
    words.iter().any(is_secret) && !words.iter().any(|word| NO_SECRET.contains(&word.as_str()))
}

/// The words of a name, in small letters: those between signs, and those that begin with a capital after a small letter.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in name.chars() {
        if !character.is_ascii_alphanumeric() || (was_small && character.is_ascii_uppercase()) {
            words.push(String::new());
        }
        was_small = character.is_ascii_lowercase();
        if character.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(character.to_ascii_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_names_about_them() {
        for name in ["PGPASSWORD", "GHTOKEN", "TOKEN_GITHUB", "GITHUB_TOKEN_RO", "ldapBindPw", "x-access-token"] {
            assert!(has_secret_word(name), "{name}");
        }
        for name in
            ["TOKEN_ENDPOINT", "TOKEN_LIMIT", "maxToken", "SECRET_NAME", "PATH", "PATTERN", "tokenizer", "monkey", ""]
        {
            assert!(!has_secret_word(name), "{name}");
        }
    }
}
