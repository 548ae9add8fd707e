//! The one form in which names of tools and actions are compared.
//!
//! Look-ups use it, hashes don't: those are made from what was received.

use unicode_normalization::UnicodeNormalization as _;

/// The longest name, in bytes.
pub const LONGEST: usize = 256;

/// Rounds after which a name that still changes is refused. Two are enough for everything that was ever seen.
const ROUNDS: usize = 4;

/// A name without percent-encoding, in compatibility form, trimmed and in lower case.
///
/// There is none for a name that is encoded twice, has control or invisible characters, is empty or longer than
/// [`LONGEST`] bytes. A name in normal form is its own normal form.
#[must_use]
pub fn normal(name: &str) -> Option<String> {
    if is_plain(name) {
        return Some(name.to_owned());
    }
    // Encoding makes three bytes of one.
    if name.len() > 3 * LONGEST {
        return None;
    }
    let mut current = decoded(name)?;
    for _ in 0..ROUNDS {
        let next = folded(&current);
        if next == current {
            return is_sound(&next).then_some(next);
        }
        current = next;
    }
    None
}

/// Whether the name is one of those that nothing is done to. Most are.
fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.:/".contains(&byte);
    !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_plain)
}

fn folded(name: &str) -> String {
    let lower: String = name.nfkc().flat_map(char::to_lowercase).collect();
    lower.nfkc().collect::<String>().trim().to_owned()
}

fn is_sound(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST && !name.chars().any(is_unseen) && first_escape(name).is_none()
}

/// The name with each `%` and two hexadecimal digits replaced by their byte, once.
fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((at, byte)) = first_escape(rest) {
        bytes.extend_from_slice(rest.get(..at)?.as_bytes());
        bytes.push(byte);
        rest = rest.get(at + 3..)?;
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).ok()
}

/// Where the first escape begins, and its byte.
fn first_escape(name: &str) -> Option<(usize, u8)> {
    let signs = name.match_indices('%');
    signs.filter_map(|(at, _)| Some((at, byte_of(name.as_bytes().get(at + 1..at + 3)?)?))).next()
}

fn byte_of(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(*high)? * 16 + value(*low)?).ok()
}

/// Characters that nobody sees: two names that differ in them only look alike.
const fn is_unseen(letter: char) -> bool {
    matches!(letter,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(normal(name).as_deref(), expected, "{name:?}");
    }

    #[test]
    fn one_tool_has_one_name_however_it_is_written() {
        for name in
            ["github", "GitHub", " github ", "%67ithub", "GIT%48UB", "\u{ff47}ithub", "ｇｉｔｈｕｂ", "gi%74hub%20"]
        {
            check(name, Some("github"));
        }
        check("mcp:Files", Some("mcp:files"));
        check("100%", Some("100%"));
        check("caf%C3%A9", Some("café"));
    }

    #[test]
    fn what_hides_something_is_refused() {
        for name in ["", "  ", "%", "gi\0thub", "git%00hub", "git\u{200b}hub", "git\u{202e}hub", "%ff"] {
            check(name, (name == "%").then_some("%"));
        }
        for twice in ["%2567ithub", "%%36%37ithub", "\u{ff05}67ithub", "%ef%bc%8567ithub"] {
            check(twice, None);
        }
        check(&"a".repeat(LONGEST), Some(&"a".repeat(LONGEST)));
        check(&"a".repeat(LONGEST + 1), None);
        check(&"%61".repeat(LONGEST), Some(&"a".repeat(LONGEST)));
        check(&"ﷺ".repeat(80), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn a_normal_form_is_its_own(name in "(\\PC|[%0-9a-fA-F]|[İΩσςßﬁ％４１́ ]){0,24}") {
            if let Some(once) = normal(&name) {
                prop_assert_eq!(normal(&once), Some(once.clone()), "{:?}", name);
            }
        }
    }
}
