//! Expressions rewritten for the text that they are matched against.
//!
//! The folded text holds no capital letters, no compatibility forms and, of all whitespace, only single spaces. What
//! can not occur there is taken out of an expression, which leaves smaller automata and longer literals: `(?i)` makes
//! three characters of a `k`, of which one remains, and `\s+` is one space.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, LookSet, Repetition};
use unicode_normalization::UnicodeNormalization as _;

use super::leaf::Side;
use crate::limits;

/// Classes with more members are left as they are: `\w` would only break into more ranges.
const CLASS_MOST: usize = 64;

/// Which characters word boundaries take for those of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// All, as the syntax says. Automata give up on these at the first character beyond ASCII.
    Unicode,
    /// Those of ASCII, which is the same for texts whose words consist of ASCII alone.
    Ascii,
    /// There are no boundaries: the expression matches wherever it does with them, and elsewhere.
    Ignored,
}

/// Reads a pattern for the text of a side.
pub(super) fn parsed(pattern: &str, side: Side, words: Words) -> Result<Hir, Box<regex_syntax::Error>> {
    let mut parser = regex_syntax::ParserBuilder::new();
    let parser = parser.case_insensitive(side == Side::Folded).nest_limit(limits::PATTERN_DEPTH);
    Ok(rewritten(&parser.build().parse(pattern)?, side, words))
}

/// Whether all words of a text consist of ASCII, so that it does not matter which word boundaries are meant.
pub(super) fn has_ascii_words(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii() || regex_syntax::try_is_word_character(c).is_ok_and(|is_word| !is_word);
    text.is_ascii() || text.chars().all(is_plain)
}

/// An expression that matches the same texts of this side, without capture groups, which nobody asks for.
fn rewritten(hir: &Hir, side: Side, words: Words) -> Hir {
    let inner = |part: &Hir| rewritten(part, side, words);
    match hir.kind() {
        HirKind::Look(look) if words == Words::Ascii => Hir::look(ascii(*look)),
        HirKind::Look(look) if words == Words::Ignored && LookSet::singleton(*look).contains_word() => Hir::empty(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) => hir.clone(),
        HirKind::Class(Class::Unicode(class)) if side == Side::Folded => Hir::class(Class::Unicode(narrowed(class))),
        HirKind::Class(_) => hir.clone(),
        HirKind::Capture(capture) => inner(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(inner).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(inner).collect()),
        HirKind::Repetition(repetition) => {
            let sub = Box::new(inner(&repetition.sub));
            let one_at_most = side == Side::Folded && repetition.min <= 1 && is_space(&sub);
            let max = if one_at_most { repetition.max.map(|max| max.min(1)).or(Some(1)) } else { repetition.max };
            Hir::repetition(Repetition { min: repetition.min, max, greedy: repetition.greedy, sub })
        }
    }
}

/// The part of an expression that can match within ASCII text. Its automata are a fraction of the size: a gap of sixty
/// characters is sixty states, and not sixty times the forms that a character may have in UTF-8.
pub(super) fn within_ascii(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Literal(literal) if !literal.0.is_ascii() => Hir::fail(),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Capture(capture) => within_ascii(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(within_ascii).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(within_ascii).collect()),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(within_ascii(&repetition.sub)), ..repetition.clone() })
        }
    }
}

const fn ascii(look: Look) -> Look {
    match look {
        Look::WordUnicode => Look::WordAscii,
        Look::WordUnicodeNegate => Look::WordAsciiNegate,
        Look::WordStartUnicode => Look::WordStartAscii,
        Look::WordEndUnicode => Look::WordEndAscii,
        Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
        Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
        other => other,
    }
}

/// Whether a character may occur in a folded text.
pub(super) fn is_stable(c: char) -> bool {
    let is_text = !c.is_whitespace() || c == ' ';
    is_text && std::iter::once(c).nfkc().eq([c]) && c.to_lowercase().eq([c])
}

fn is_space(hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Literal(literal) if *literal.0 == *b" ")
}

fn narrowed(class: &ClassUnicode) -> ClassUnicode {
    let total: usize = class.ranges().iter().map(|range| range.len()).sum();
    if total > CLASS_MOST {
        return class.clone();
    }
    let characters = class.ranges().iter().flat_map(|range| range.start()..=range.end());
    ClassUnicode::new(characters.filter(|c| is_stable(*c)).map(|c| ClassUnicodeRange::new(c, c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expected: &str) {
        assert_eq!(
            parsed(pattern, Side::Folded, Words::Unicode).unwrap(),
            regex_syntax::parse(expected).unwrap(),
            "{pattern}"
        );
    }

    #[test]
    fn word_boundaries_of_ascii_serve_texts_whose_words_are_ascii() {
        assert_eq!(
            parsed(r"\bx\B", Side::Raw, Words::Ascii).unwrap(),
            regex_syntax::parse(r"(?-u:\b)x(?-u:\B)").unwrap()
        );
        assert!(has_ascii_words("plain – “text”…"));
        assert!(!has_ascii_words("café"));
    }

    #[test]
    fn only_what_occurs_in_folded_texts_remains() {
        check("Ask\\s+ME", "ask me");
        check("a\\s*b", "a ?b");
        check("(send|post)\\s{1,3}it", "(?:send|post) it");
        check("[A-C0-9]{2,}", "[a-c0-9]{2,}");
    }
}
