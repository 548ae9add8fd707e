//! What a secret looks like: whose format it has and how random it is.

use std::ops::Range;

/// Beginnings of values, longest first where one begins another, and who issues such values.
const FORMATS: &[(&str, &str)] = &[
    ("sk-ant-", "anthropic"),
    ("sk-or-", "openrouter"),
    ("sk_live_", "stripe"),
    ("sk_test_", "stripe"),
    ("rk_live_", "stripe"),
    ("sk-", "openai"),
    ("xoxb-", "slack"),
    ("xoxp-", "slack"),
    ("xoxs-", "slack"),
    ("xoxa-", "slack"),
    ("xapp-", "slack"),
    ("ghp_", "github"),
    ("gho_", "github"),
    ("ghs_", "github"),
    ("ghu_", "github"),
    ("ghr_", "github"),
    ("github_pat_", "github"),
    ("glpat-", "gitlab"),
    ("AKIA", "aws"),
    ("ASIA", "aws"),
    ("AIza", "google"),
    ("ya29.", "google"),
    ("GOCSPX-", "google"),
    ("sbp_", "supabase"),
    ("figd_", "figma"),
    ("ntn_", "notion"),
    ("secret_", "notion"),
    ("hf_", "huggingface"),
    ("gsk_", "groq"),
    ("pplx-", "perplexity"),
    ("tvly-", "tavily"),
    ("fc-", "firecrawl"),
    ("apify_api_", "apify"),
    ("lin_api_", "linear"),
    ("npm_", "npm"),
    ("pypi-", "pypi"),
    ("dckr_pat_", "docker"),
    ("SG.", "sendgrid"),
    ("shpat_", "shopify"),
    ("dop_v1_", "digitalocean"),
    ("xai-", "xai"),
    ("ATATT", "atlassian"),
    ("eyJ", "jwt"),
];

/// Who issues values that look like this; `generic` for nobody in particular.
pub(crate) fn format(value: &str) -> &'static str {
    FORMATS.iter().find(|(prefix, _)| value.starts_with(prefix)).map_or("generic", |(_, vendor)| vendor)
}

/// Shortest value whose randomness is judged.
const SHORTEST: usize = 8;

/// Whether a value is too even to be a word: more than 4.5 bits a byte, or 3.0 if it is all hexadecimal digits.
///
/// Dashes, dots and underscores are part of the alphabet, because most vendors' tokens have them.
pub(crate) fn is_high_entropy(value: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_.".contains(&byte);
    if value.len() < SHORTEST || !value.bytes().all(is_token) {
        return false;
    }
    let bits = entropy(value.as_bytes());
    bits > 4.5 || (bits > 3.0 && value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a word of a text is a secret by its looks alone.
fn is_random_token(word: &str) -> bool {
    const SHORTEST: usize = 16;
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"+=-_.".contains(&byte);
    let has = |is_it: fn(&u8) -> bool| word.as_bytes().iter().any(is_it);
    word.len() >= SHORTEST
        && word.bytes().all(is_token)
        && has(u8::is_ascii_digit)
        && (format(word) != "generic" || is_high_entropy(word))
}

/// A text in which every word that looks like a secret is starred out. Nothing else moves, so that places stay what they
/// are.
pub(crate) fn starred(text: &str) -> String {
    let is_joint = |character: char| !(character.is_ascii_alphanumeric() || "+=-_.".contains(character));
    let mut shown = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_joint) {
        let word = piece.trim_end_matches(is_joint);
        if is_random_token(word) {
            shown.extend(std::iter::repeat_n('*', word.len()));
            shown.push_str(piece.get(word.len()..).unwrap_or_default());
        } else {
            shown.push_str(piece);
        }
    }
    star_spans(&shown, named_values(&shown).into_iter().chain(passwords(&shown)))
}

/// Puts stars over parts of a text.
fn star_spans(text: &str, spans: impl Iterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        if let Some(part) = bytes.get_mut(span) {
            part.fill(b'*');
        }
    }
    // INVARIANT: spans begin and end between characters, so what is left is text.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Words after which a value is a secret.
const SECRET_WORDS: &[&str] =
    &["password", "passwd", "pwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key"];

/// The values in `password: value` and its like. Words of a sentence have no digits in them, which tells them apart.
fn named_values(text: &str) -> Vec<Range<usize>> {
    let folded = text.to_ascii_lowercase();
    let mut spans = Vec::new();
    for word in SECRET_WORDS {
        for (start, _) in folded.match_indices(word) {
            let after = start + word.len();
            let Some(rest) = text.get(after..) else { continue };
            let named = rest.trim_start_matches(['"', '\'', '`', '*', ' ']);
            let Some(value) = named.strip_prefix([':', '=']) else { continue };
            let value = value.trim_start_matches(['=', ' ', '\t', '"', '\'', '`']);
            let length = value.find([' ', '\t', '\n', '\r', '"', '\'', '`', ',', ';']).unwrap_or(value.len());
            let begin = text.len() - value.len();
            let is_secret =
                length > 3 && value.get(..length).is_some_and(|it| it.contains(|c: char| c.is_ascii_digit()));
            if is_secret {
                spans.push(begin..begin + length);
            }
        }
    }
    spans
}

/// The passwords in addresses such as `scheme://user:password@host`.
fn passwords(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for (start, mark) in text.match_indices("://") {
        let begin = start + mark.len();
        let Some(rest) = text.get(begin..) else { continue };
        let authority = rest.split(|c: char| c.is_whitespace() || "/?#\"'`<>".contains(c)).next().unwrap_or_default();
        let user = authority.rsplit_once('@').map(|(user, _)| user);
        if let Some((name, password)) = user.and_then(|user| user.split_once(':')) {
            let from = begin + name.len() + 1;
            spans.push(from..from + password.len());
        }
    }
    spans
}

/// Shannon entropy over byte frequencies, in bits a byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total);
    // Negated at the end, and an empty text has none.
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_prose_are_starred_and_nothing_moves() {
        for (text, expected) in [
            ("use postgres://u:Sommer2024@h/d now", "use postgres://u:**********@h/d now"),
            ("password: hunter22, then", "password: ********, then"),
            ("DB_PASSWORD=\"wq8!x\"", "DB_PASSWORD=\"*****\""),
            ("The token: ask the user for it.", "The token: ask the user for it."),
            ("see https://host:8080/x", "see https://host:8080/x"),
        ] {
            assert_eq!(starred(text), expected, "{text}");
        }
    }

    #[test]
    fn formats_are_known_by_how_values_begin() {
        for (value, expected) in [
            ("sk-ant-api03-x", "anthropic"),
            ("sk-proj-x", "openai"),
            ("xoxb-1", "slack"),
            ("ghp_x", "github"),
            ("AKIAIOSFODNN7EXAMPLE", "aws"),
            ("hunter2", "generic"),
        ] {
            assert_eq!(format(value), expected, "{value}");
        }
    }

    #[test]
    fn entropy_is_that_of_the_published_examples() {
        for (value, bits, is_high) in [
            ("aB3dE6gH9jKlMnOpQrStUvWxYz012345", 4.9375, true),
            ("0123456789abcdef", 4.0, true),
            ("5f4dcc3b5aa765d61d8327deb882cf99", 3.8042, true),
            ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", 4.6628, true),
            ("AKIAIOSFODNN7EXAMPLE", 3.6842, false),
            ("deadbeef", 2.1556, false),
        ] {
            assert!((entropy(value.as_bytes()) - bits).abs() < 0.0001, "{value}");
            assert_eq!(is_high_entropy(value), is_high, "{value}");
        }
        assert!(!is_high_entropy("two words are not one token, however long they are"));
        assert!(is_high_entropy("sk-proj-Qm7Vt2xBn9Kp4Rz8Wd3Yh6LcFj5Gs0Ua"));
    }
}
