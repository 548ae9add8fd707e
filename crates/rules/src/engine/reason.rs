//! Why a rule matched, and the text around a match, in a form that is safe to show.

use std::fmt;
use std::ops::Range;

/// Why a rule matched.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// A term occurs.
    Keyword {
        /// The term, as the rule writes it.
        term: String,
    },
    /// The text starts with a term.
    Prefix {
        /// The term, as the rule writes it.
        term: String,
    },
    /// A regular expression matches.
    Regex {
        /// The pattern, as the rule writes it.
        pattern: String,
    },
    /// A run of characters looks random.
    Entropy {
        /// Bits a character.
        bits: f64,
        /// Characters of the run.
        length: usize,
    },
    /// Weighted signals came together.
    Score {
        /// The sum of the weights that counted.
        sum: f64,
        /// The sum that was to be reached.
        threshold: f64,
        /// The signals that counted, in the order of the rule.
        signals: Vec<Counted>,
    },
    /// A trained model judged so.
    Model {
        /// Which one.
        model: String,
        /// How sure it is.
        score: f64,
        /// The phrases that decided, each with its weight.
        phrases: Vec<(String, f64)>,
    },
}

/// A signal that counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// Its name.
    pub name: String,
    /// What it added.
    pub weight: f64,
    /// Where it stands in the original.
    pub span: Range<usize>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyword { term } => write!(f, "contains `{}`", Visible(term)),
            Self::Prefix { term } => write!(f, "starts with `{}`", Visible(term)),
            Self::Regex { pattern } => write!(f, "matches `{}`", Visible(pattern)),
            Self::Entropy { bits, length } => {
                write!(f, "{length} characters that look random ({bits:.2} bits each)")
            }
            Self::Score { sum, threshold, signals } => {
                write!(f, "signals add up to {sum:.2} of {threshold:.2}: ")?;
                list(f, signals.iter().map(|signal| (signal.name.as_str(), signal.weight)))
            }
            Self::Model { model, score, phrases } => {
                write!(f, "model `{}` scores {score:.2}: ", Visible(model))?;
                list(f, phrases.iter().map(|(phrase, weight)| (phrase.as_str(), *weight)))
            }
        }
    }
}

fn list<'a>(f: &mut fmt::Formatter<'_>, entries: impl Iterator<Item = (&'a str, f64)>) -> fmt::Result {
    for (index, (name, weight)) in entries.enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}{} {weight:+.2}", Visible(name))?;
    }
    Ok(())
}

/// Characters of context on each side of a match.
const CONTEXT: usize = 40;
/// Characters of a longer match that are shown at its start and at its end.
const SHOWN: usize = 80;

/// The text around a match, with control and invisible characters written as `<U+200B>` and what is left out as `…`.
#[must_use]
pub fn excerpt(source: &str, span: Range<usize>) -> String {
    let start = source.floor_char_boundary(span.start);
    let end = source.ceil_char_boundary(span.end.max(start));
    let (before, rest) = source.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    let mut text = String::new();
    push_end(&mut text, before, CONTEXT);
    match (offset_of(inside, SHOWN), offset_from_end(inside, SHOWN)) {
        (Some(head), Some(tail)) if head < tail => {
            push_visible(&mut text, inside.split_at(head).0);
            text.push('…');
            push_visible(&mut text, inside.split_at(tail).1);
        }
        _ => push_visible(&mut text, inside),
    }
    let shown = offset_of(after, CONTEXT);
    push_visible(&mut text, shown.map_or(after, |offset| after.split_at(offset).0));
    if shown.is_some() {
        text.push('…');
    }
    text
}

fn push_end(text: &mut String, before: &str, characters: usize) {
    let offset = offset_from_end(before, characters);
    if offset.is_some_and(|offset| offset > 0) {
        text.push('…');
    }
    push_visible(text, before.split_at(offset.unwrap_or(0)).1);
}

/// Where the character with this number starts; none if the text has no more than that many.
fn offset_of(text: &str, characters: usize) -> Option<usize> {
    text.char_indices().nth(characters).map(|(offset, _)| offset)
}

/// Where the last so many characters start; none if the text has fewer.
fn offset_from_end(text: &str, characters: usize) -> Option<usize> {
    text.char_indices().rev().nth(characters.checked_sub(1)?).map(|(offset, _)| offset)
}

fn push_visible(text: &mut String, part: &str) {
    use fmt::Write as _;
    // Writing to a string does not fail.
    let _ = write!(text, "{}", Visible(part));
}

/// A text with control and invisible characters written out.
struct Visible<'a>(&'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for c in self.0.chars() {
            if is_invisible(c) {
                write!(f, "<U+{:04X}>", u32::from(c))?;
            } else {
                f.write_char(c)?;
            }
        }
        Ok(())
    }
}

/// Whether a character shows nothing of itself: controls, formats, fillers, spaces other than the plain one.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{115f}' | '\u{1160}'
            | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_shows_what_stands_around_and_what_hides() {
        assert_eq!(excerpt("read\u{200b} the\nfile", 4..7), "read<U+200B> the<U+000A>file");
        let long = "ä".repeat(100);
        let text = excerpt(&format!("{long}KEY{long}"), 200..203);
        assert_eq!(text, format!("…{0}KEY{0}…", "ä".repeat(40)));
    }

    #[test]
    fn the_middle_of_a_long_match_is_left_out() {
        let text = excerpt(&"x".repeat(1000), 0..1000);
        assert_eq!(text, format!("{0}…{0}", "x".repeat(80)));
    }

    #[test]
    fn spans_that_do_not_fit_the_text_are_no_problem() {
        assert_eq!(excerpt("ä", 1..1), "ä");
        assert_eq!(excerpt("ab", 7..9), "ab");
        assert_eq!(excerpt("", 0..0), "");
    }

    #[test]
    fn reasons_read_as_plain_words() {
        let signals = vec![
            Counted { name: "order".to_owned(), weight: 2.0, span: 0..1 },
            Counted { name: "example".to_owned(), weight: -0.5, span: 2..3 },
        ];
        let reason = Reason::Score { sum: 1.5, threshold: 1.0, signals };
        assert_eq!(reason.to_string(), "signals add up to 1.50 of 1.00: order +2.00, example -0.50");
        assert_eq!(Reason::Keyword { term: "a\u{202e}b".to_owned() }.to_string(), "contains `a<U+202E>b`");
        let reason = Reason::Entropy { bits: 4.5, length: 40 };
        assert_eq!(reason.to_string(), "40 characters that look random (4.50 bits each)");
    }
}
