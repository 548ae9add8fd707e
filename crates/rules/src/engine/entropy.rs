//! Runs of characters and how random they look.

use std::ops::Range;

use crate::rule::Charset;

/// The maximal runs of a charset. Up to two `=` behind a run of base64 belong to it.
pub(super) fn runs(text: &[u8], charset: Charset) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.iter().position(|byte| is_in(*byte, charset))?;
        let mut end = end_of(text, start, usize::MAX, |byte| is_in(byte, charset));
        if charset == Charset::Base64 {
            end = end_of(text, end, 2, |byte| byte == b'=');
        }
        at = end;
        Some(start..end)
    })
}

/// Shannon entropy in bits a character.
pub(super) fn bits(run: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in run {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = run.len() as f64;
    let part = |count: &u32| {
        let share = f64::from(*count) / total;
        -share * share.log2()
    };
    counts.iter().filter(|count| **count > 0).map(part).sum()
}

fn end_of(text: &[u8], start: usize, most: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().take(most).take_while(|byte| belongs(**byte)).count()
}

const fn is_in(byte: u8, charset: Charset) -> bool {
    match charset {
        Charset::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'),
        Charset::Hex => byte.is_ascii_hexdigit(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_maximal_and_take_their_padding() {
        let found = |text: &str, charset| runs(text.as_bytes(), charset).collect::<Vec<_>>();
        assert_eq!(found("a b+/-_== c===", Charset::Base64), [0..1, 2..9, 10..13]);
        assert_eq!(found("xyz0fFgg12", Charset::Hex), [3..6, 8..10]);
        assert!(found("", Charset::Hex).is_empty());
    }

    #[test]
    fn entropy_is_that_of_shannon() {
        assert!((bits(b"aaaa")).abs() < 1e-12);
        assert!((bits(b"abab") - 1.0).abs() < 1e-12);
        assert!((bits(b"abcdefgh") - 3.0).abs() < 1e-12);
    }
}
