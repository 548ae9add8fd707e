//! Where sentences end.

use std::ops::Range;

use super::Part;

/// Longer ones are cut at the next space: a window over a sentence must not grow to a whole document.
const LONGEST: usize = 600;

/// Words whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 18] = [
    "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "cf", "al", "approx", "fig", "st", "incl", "resp",
    "eg", "ie",
];

/// Splits each part at the ends of sentences, and where the line structure says so.
pub(super) fn split(text: &str, parts: &[Part], breaks: &[usize]) -> Vec<Range<usize>> {
    let mut splitter = Splitter { text, sentences: Vec::new() };
    let mut breaks = breaks.iter().copied().peekable();
    for part in parts {
        let mut start = part.range.start;
        while let Some(at) = breaks.next_if(|&at| at < part.range.end) {
            if at > start {
                splitter.block(start..at);
                start = at;
            }
        }
        splitter.block(start..part.range.end);
    }
    splitter.sentences
}

struct Splitter<'t> {
    text: &'t str,
    sentences: Vec<Range<usize>>,
}

impl Splitter<'_> {
    /// Splits a stretch in which only punctuation ends sentences.
    fn block(&mut self, range: Range<usize>) {
        let Some(block) = self.text.get(..range.end) else { return };
        let mut start = range.start;
        let mut at = range.start;
        while let Some(found) = block.as_bytes().get(at..).and_then(next_stop) {
            at += found;
            match end_of_sentence(block, start, at) {
                Some(end) => {
                    self.sentence(start..end);
                    start = end;
                    at = end;
                }
                None => at += 1,
            }
        }
        self.sentence(start..range.end);
    }

    /// Adds a sentence without the spaces around it, cut to size.
    fn sentence(&mut self, range: Range<usize>) {
        let Some(whole) = self.text.get(range.clone()) else { return };
        let mut start = range.start + (whole.len() - whole.trim_start().len());
        let end = start + whole.trim().len();
        while end - start > LONGEST {
            let rest = self.text.as_bytes().get(start + LONGEST..end).unwrap_or_default();
            let Some(space) = rest.iter().position(|&byte| byte == b' ') else { break };
            self.sentences.push(start..start + LONGEST + space);
            start += LONGEST + space + 1;
        }
        if start < end {
            self.sentences.push(start..end);
        }
    }
}

/// How far the next byte is that may end a sentence.
fn next_stop(bytes: &[u8]) -> Option<usize> {
    const CHUNK: usize = 16;
    /// The first byte of the ideographic full stop.
    const IDEOGRAPHIC: u8 = 0xe3;
    let is_stop = |byte: u8| (byte == b'.') | (byte == b'!') | (byte == b'?') | (byte == b';') | (byte == IDEOGRAPHIC);
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + CHUNK) {
        if chunk.iter().fold(0, |stop, &byte| stop | u8::from(is_stop(byte))) != 0 {
            break;
        }
        at += CHUNK;
    }
    bytes.get(at..)?.iter().position(|&byte| is_stop(byte)).map(|found| at + found)
}

/// Where the sentence ends that the punctuation at `at` ends, closing quotes and brackets included.
fn end_of_sentence(text: &str, start: usize, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if let Some(after) = rest.strip_prefix('。') {
        return Some(text.len() - after.trim_start_matches(is_closing).len());
    }
    let stop = rest.chars().next().filter(char::is_ascii)?;
    let after = rest.trim_start_matches(['.', '!', '?', ';']).trim_start_matches(is_closing);
    let ends = match after.chars().next() {
        None | Some(' ') => true,
        // Chinese and Japanese put no space after a full-width mark, which folding makes an ASCII one.
        Some(next) => !next.is_ascii() && matches!(stop, '!' | '?'),
    };
    let only_number = || text.get(start..at).is_some_and(|number| number.trim().bytes().all(|b| b.is_ascii_digit()));
    let is_end = ends && !(stop == '.' && (only_number() || is_abbreviated(text.get(start..at)?, after)));
    is_end.then(|| text.len() - after.len())
}

/// Whether the full stop after this text belongs to its last word.
fn is_abbreviated(before: &str, after: &str) -> bool {
    const LONGEST_ABBREVIATION: usize = 8;
    let word = before.bytes().rev().take(LONGEST_ABBREVIATION).take_while(|byte| !b" ([\"'".contains(byte)).count();
    let word = before.get(before.len() - word..).unwrap_or_default();
    let is_number_next = || after.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let is_initial = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    ABBREVIATIONS.contains(&word) || is_initial || (word == "no" && is_number_next())
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '*' | '_' | '`' | '»' | '”' | '’' | '」' | '』')
}
