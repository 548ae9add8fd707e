//! Values that a person is meant to replace.

/// Words that stand in templates where a secret belongs.
const WORDS: &[&str] = &[
    "your",
    "xxx",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "replace",
    "remplace",
    "insert",
    "example",
    "dummy",
    "todo",
    "fixme",
    "sample",
    "fill-in",
    "fill_in",
    "my-api-key",
    "my_api_key",
    "mytoken",
    "my-token",
    "my_token",
    "redacted",
    "goes-here",
    "goes_here",
    "put-",
    "put_",
    "enter-",
    "enter_",
    "votre",
    "deine",
    "ihre",
    "tu-",
    "tu_",
    "sua-",
    "sua_",
    "ваш",
    "你的",
    "您的",
    "***",
    "...",
    "…",
    "paste",
    "not-set",
    "notset",
    "not_set",
    "not-needed",
    "notneeded",
    "unused",
    "fake",
    "test-key",
    "test_key",
    "demo",
    "mock",
    "to_be_",
    "to-be-",
    "secret-here",
    "key-here",
    "key_here",
    "token-here",
    "token_here",
    "_here",
    "-here",
    "optional",
    "set-me",
    "set_me",
    "abc123",
];

/// Values that are words and not secrets, whatever they stand under.
const WHOLE: &[&str] = &[
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "key",
    "none",
    "null",
    "undefined",
    "default",
    "test",
    "empty",
    "na",
    "n/a",
    "tbd",
    "string",
    "value",
    "password",
    "passwd",
    "pass",
    "credentials",
    "access_token",
    "auth",
    "bearer",
    "local",
    "false",
    "true",
];

/// Whether a value under a name stands for one that somebody has yet to put there.
pub(crate) fn is_placeholder(name: &str, value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'', '`']);
    let folded = value.to_lowercase();
    let letters = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).collect::<String>().to_lowercase();
    if folded.is_empty() || WHOLE.contains(&folded.as_str()) || is_one_character(&folded) {
        return true;
    }
    let named = letters(name);
    let spelled = letters(value);
    // `GITHUB_TOKEN=github-token` names itself; so does `API_KEY=NOTION_API_KEY`, as long as it is only words.
    let names_itself =
        spelled == named || (spelled.len() > 5 && (named.ends_with(&spelled) || spelled.ends_with(&named)));
    if names_itself && !named.is_empty() && !has_random_part(value) {
        return true;
    }
    let is_bracketed = |open: char, close: char| {
        folded.find(open).is_some_and(|at| folded.get(at..).is_some_and(|it| it.contains(close)))
    };
    let is_template =
        is_bracketed('<', '>') || is_bracketed('[', ']') || WORDS.iter().any(|word| folded.contains(word));
    is_template && !has_random_part(value)
}

/// Whether a value is made of words and signs alone, so that showing it shows nothing that anybody chose as a secret.
pub(crate) fn is_only_words(value: &str) -> bool {
    value.chars().all(|character| {
        character.is_alphabetic() || character.is_whitespace() || "-_<>[](){}*.…'\"`/:".contains(character)
    })
}

/// Whether a value is the same character again and again.
fn is_one_character(value: &str) -> bool {
    let mut characters = value.chars().filter(|character| character.is_alphanumeric());
    let Some(first) = characters.next() else { return true };
    characters.all(|other| other == first)
}

/// Whether a value has a stretch that no template would have: many digits among letters.
fn has_random_part(value: &str) -> bool {
    let parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    parts.filter(|part| part.len() >= 16).any(|part| {
        let pairs = part.as_bytes().windows(2);
        let changes = pairs.filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit())).count();
        changes >= 4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_secrets() {
        for value in [
            "your-api-key",
            "YOUR_TOKEN_HERE",
            "<token>",
            "xxxxxxxx",
            "***",
            "sk-xxxxxxxxxxxx",
            "changeme",
            "[insert key]",
            "",
            "...",
            "votre-cle-api",
            "github_pat_your_token",
            "replace-with-token",
            "0000000000",
        ] {
            assert!(is_placeholder("API_KEY", value), "{value}");
        }
        assert!(is_placeholder("NOTION_API_KEY", "notion-api-key"));
        for value in [
            "correct horse battery",
            "hunter2",
            "p4ssw0rd!",
            "aX[9kd!Qz<7",
            "sk-Qm7Vt2xBn9Kp4Rz8Wd3Yh6Lc",
            "9f2c1b7d4e6a8035c1f7e2d9b4a68305",
        ] {
            assert!(!is_placeholder("API_KEY", value), "{value}");
        }
    }
}
