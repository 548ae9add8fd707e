//! What characters are to the normaliser: invisible, continuing the one before, ending a line, part of a word.

use std::iter::once;

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, is_nfkc_quick};

use super::MarkKind;

/// Whether an ASCII byte can be copied in bulk as far as it alone can tell; `<` and `&` may open something.
pub(super) fn is_plain(byte: u8) -> bool {
    // Without branches, so that the compiler can look at many bytes at once.
    (b' '..0x7f).contains(&byte) & (byte != b'<') & (byte != b'&')
}

/// What kind of invisible character this is, if it is one that the folded text leaves out.
pub(super) fn invisible(c: char) -> Option<MarkKind> {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => Some(MarkKind::Bidi),
        '\u{e0001}' | '\u{e0020}'..='\u{e007f}' => Some(MarkKind::Tag),
        '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' => {
            Some(MarkKind::ZeroWidth)
        }
        '\u{206a}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' => {
            Some(MarkKind::ZeroWidth)
        }
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}' => Some(MarkKind::ZeroWidth),
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => Some(MarkKind::ZeroWidth),
        _ if c.is_control() && !c.is_whitespace() => Some(MarkKind::ZeroWidth),
        _ => None,
    }
}

/// The ASCII character that a tag character mirrors.
pub(super) fn mirrored(c: char) -> Option<char> {
    let ascii = u32::from(c).checked_sub(0xe0000).filter(|code| (0x20..0x7f).contains(code));
    ascii.and_then(char::from_u32)
}

/// Chooses the look of the character before it.
pub(super) fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}')
}

/// A character of a script whose spelling uses joiners and variation selectors between letters.
pub(super) fn uses_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{1b00}'..='\u{1b7f}' | '\u{fb50}'..='\u{fdff}')
}

/// A Chinese, Japanese or Korean character, which may have variants of its own.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether the character joins the one before it when texts are composed.
pub(super) fn continues(c: char) -> bool {
    !c.is_ascii()
        && invisible(c).is_none()
        && (canonical_combining_class(c) != 0 || is_combining_mark(c) || is_nfkc_quick(once(c)) == IsNormalized::Maybe)
}

/// How many line breaks the character stands for. A carriage return counts only where no line feed follows.
pub(super) fn line_breaks(c: char, next: Option<u8>) -> usize {
    match c {
        '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' => 1,
        '\r' => usize::from(next != Some(b'\n')),
        '\u{2029}' => 2,
        _ => 0,
    }
}

/// A letter, a digit or a mark on one.
pub(super) fn is_in_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() || is_combining_mark(c) }
}
