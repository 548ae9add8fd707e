//! The pass over the original: plain ASCII is copied in bulk, everything else goes character by character.

use std::iter::once;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::PartKind;
use super::alphabet::{Alphabet, Letter, fold_case};
use super::characters::{invisible, is_plain, line_breaks};
use super::folded::Folded;
use super::invisible::Run;
use super::markup::{self, Comment, HTML_COMMENT};
use super::word::Word;

/// More marks than any spelling puts on one letter; what follows starts afresh, so that the work stays linear.
const MARKS_ON_A_LETTER: usize = 32;

/// Buffers that outlive a text.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    word: Word,
    alphabet: Alphabet,
    cluster: Vec<char>,
    composed: Vec<char>,
}

/// Folds one text, leaving what is encoded in it alone.
pub(super) fn fold(source: &str, scratch: &mut Scratch) -> Folded {
    let mut folder = Folder {
        source,
        scratch,
        out: Folded { text: String::with_capacity(source.len()), ..Folded::default() },
        gap: None,
        at_line_start: true,
        ends_block: false,
    };
    folder.visible();
    folder.out
}

struct Folder<'s, 'b> {
    source: &'s str,
    scratch: &'b mut Scratch,
    out: Folded,
    /// Whitespace that becomes one space once something follows it.
    gap: Option<Gap>,
    at_line_start: bool,
    /// Whether the end of this line ends a sentence.
    ends_block: bool,
}

#[derive(Debug)]
struct Gap {
    source: Range<usize>,
    line_breaks: usize,
    /// Whether it ends a sentence.
    is_break: bool,
    /// Whether it is one line break and nothing else.
    is_lone: bool,
}

impl Folder<'_, '_> {
    fn visible(&mut self) {
        let source = self.source;
        self.ends_block = markup::is_block_line(source);
        let (mut at, mut part) = (0, 0);
        while at < source.len() {
            match self.comment_at(at) {
                Some(comment) => {
                    at = comment.whole.end;
                    if self.comment(&comment, part) {
                        part = at;
                    }
                }
                None => at = self.step(at, source.len()),
            }
        }
        self.end_word();
        self.out.close_part(PartKind::Visible, part..source.len());
    }

    fn comment_at(&self, at: usize) -> Option<Comment> {
        match self.source.as_bytes().get(at)? {
            b'<' => markup::html_comment(self.source, at),
            b'[' if self.at_line_start => markup::markdown_comment(self.source, at),
            _ => None,
        }
    }

    /// Folds a comment's content in place, as a part of its own. An empty one leaves no trace, as on the screen.
    fn comment(&mut self, comment: &Comment, visible_from: usize) -> bool {
        let Comment { whole, content } = comment;
        if self.source.get(content.clone()).is_none_or(|content| content.trim().is_empty()) {
            return false;
        }
        self.end_word();
        self.out.close_part(PartKind::Visible, visible_from..whole.start);
        self.open_gap(Gap { source: whole.start..content.start, line_breaks: 0, is_break: false, is_lone: false });
        let mut at = content.start;
        while at < content.end {
            at = self.step(at, content.end);
        }
        self.end_word();
        self.out.close_part(PartKind::Comment, whole.clone());
        if content.end < whole.end {
            self.open_gap(Gap { source: content.end..whole.end, line_breaks: 0, is_break: false, is_lone: false });
        }
        true
    }

    /// Folds what stands at `at`, and says where the text goes on.
    fn step(&mut self, at: usize, end: usize) -> usize {
        if self.scratch.word.is_empty()
            && let Some(run) = self.plain_run(at, end)
        {
            self.close_gap();
            self.out.push_plain(self.source.get(at..run).unwrap_or_default(), at);
            self.at_line_start = false;
            return run;
        }
        let Some((c, next)) = item(self.source, at) else { return end };
        let facts = self.scratch.alphabet.facts(c);
        if facts.is_simple && (next >= end || self.continuation(next).is_none()) {
            self.at_line_start = false;
            self.emit(facts.folded, at..next.min(end), next - at == c.len_utf8());
            next.min(end)
        } else if c.is_whitespace() {
            self.whitespace(at, end)
        } else if invisible(c).is_some() {
            self.invisible(at, end)
        } else {
            self.at_line_start = false;
            self.cluster(c, at..next.min(end), end)
        }
    }

    /// Where the plain ASCII that starts at `at` ends, if there is any.
    fn plain_run(&mut self, at: usize, end: usize) -> Option<usize> {
        let source = self.source;
        let bytes = source.as_bytes().get(..end)?;
        let mut run = at;
        while let Some(rest) = bytes.get(run..) {
            run += plain_prefix(rest);
            let opens = match bytes.get(run) {
                Some(b'<') => self.source.get(run..)?.starts_with(HTML_COMMENT),
                Some(b'&') => markup::character_reference(self.source, run).is_some(),
                _ => true,
            };
            if opens {
                break;
            }
            run += 1;
        }
        if (run < end && self.continuation(run).is_some()) || bytes.get(..run)?.last() == Some(&b' ') {
            run = run.saturating_sub(1);
        }
        (run > at && bytes.get(at) != Some(&b' ')).then_some(run)
    }

    /// The character at `at`, if it joins the one before it, and where the next one starts.
    fn continuation(&mut self, at: usize) -> Option<(char, usize)> {
        let byte = self.source.as_bytes().get(at)?;
        if byte.is_ascii() && *byte != b'&' {
            return None;
        }
        item(self.source, at).filter(|&(c, _)| self.scratch.alphabet.facts(c).continues)
    }

    fn whitespace(&mut self, start: usize, end: usize) -> usize {
        self.end_word();
        let (mut at, mut breaks) = (start, 0);
        while at < end
            && let Some((c, next)) = item(self.source, at)
            && c.is_whitespace()
        {
            at = next.min(end);
            breaks += line_breaks(c, self.source.as_bytes().get(at).copied());
        }
        let run = self.source.get(start..at).unwrap_or_default();
        let mut is_break = breaks > 1;
        if breaks > 0 {
            let line = self.source.get(at..end).unwrap_or_default();
            is_break |= self.ends_block || self.out.text.ends_with(':') || markup::starts_block(line);
            self.ends_block = markup::is_block_line(line);
            self.at_line_start = true;
        }
        let is_lone = matches!(run, "\n" | "\r\n" | "\r");
        self.open_gap(Gap { source: start..at, line_breaks: breaks, is_break, is_lone });
        at
    }

    fn invisible(&mut self, start: usize, end: usize) -> usize {
        let run = Run::read(self.source, start, end);
        if !run.is_ordinary() {
            run.record(&mut self.out);
        }
        run.end
    }

    /// Folds a character with the marks on it.
    fn cluster(&mut self, first: char, source: Range<usize>, end: usize) -> usize {
        let Range { start, end: mut at } = source;
        let single = at;
        self.scratch.cluster.clear();
        self.scratch.cluster.push(first);
        while at < end
            && self.scratch.cluster.len() <= MARKS_ON_A_LETTER
            && let Some((c, next)) = self.continuation(at)
        {
            self.scratch.cluster.push(c);
            at = next.min(end);
        }
        self.compose();
        let composed = std::mem::take(&mut self.scratch.composed);
        let is_exact = composed.len() == 1 && at == single && at - start == first.len_utf8();
        for &c in &composed {
            fold_case(c).for_each(|lower| self.emit(Letter::new(lower, c), start..at, is_exact));
        }
        self.scratch.composed = composed;
        at
    }

    /// The compatibility composition of the cluster. Marks that no spelling puts on a Latin letter are dropped.
    fn compose(&mut self) {
        let Scratch { cluster, composed, .. } = &mut *self.scratch;
        composed.clear();
        match cluster.as_slice() {
            [c] if is_nfkc_quick(once(*c)) == IsNormalized::Yes => composed.push(*c),
            _ => composed.extend(cluster.iter().copied().nfkc()),
        }
        if let [first, rest @ ..] = composed.as_slice()
            && rest.iter().any(|&c| is_combining_mark(c))
            && let Some(base) = once(*first).nfd().next().filter(char::is_ascii_alphabetic)
        {
            composed.clear();
            composed.push(base);
        }
    }

    fn emit(&mut self, letter: Letter, source: Range<usize>, is_exact: bool) {
        let c = letter.c;
        if c.is_whitespace() {
            self.open_gap(Gap { source, line_breaks: 0, is_break: false, is_lone: false });
            return;
        }
        let is_exact = is_exact && c.len_utf8() == source.len();
        if letter.is_in_word && !(c.is_ascii() && self.scratch.word.is_empty()) {
            self.close_gap();
            self.scratch.word.push(letter, source, is_exact);
            if self.scratch.word.is_full() {
                self.end_word();
            }
            return;
        }
        self.end_word();
        self.close_gap();
        if is_exact { self.out.push_exact(c, source.start) } else { self.out.push(c, source) }
    }

    fn end_word(&mut self) {
        self.scratch.word.end(&mut self.out);
    }

    fn open_gap(&mut self, gap: Gap) {
        self.end_word();
        self.gap = Some(match self.gap.take() {
            None => gap,
            Some(open) => {
                let line_breaks = open.line_breaks + gap.line_breaks;
                Gap {
                    source: open.source.start.min(gap.source.start)..gap.source.end,
                    line_breaks,
                    is_break: open.is_break || gap.is_break || line_breaks > 1,
                    is_lone: false,
                }
            }
        });
    }

    /// Something follows the whitespace: it becomes a space, except at the start of the text.
    fn close_gap(&mut self) {
        let Some(gap) = self.gap.take() else { return };
        let at = self.out.text.len();
        if at == 0 {
            return;
        }
        if gap.is_break {
            self.out.breaks.push(at);
        } else if gap.is_lone {
            self.out.seams.push(at);
        }
        if gap.source.len() == 1 {
            self.out.push_exact(' ', gap.source.start);
        } else {
            self.out.push(' ', gap.source);
        }
    }
}

/// The character at `at`, with a character reference decoded, and where the next one starts.
pub(super) fn item(source: &str, at: usize) -> Option<(char, usize)> {
    let c = source.get(at..)?.chars().next()?;
    match c {
        '&' => markup::character_reference(source, at).or(Some((c, at + 1))),
        _ => Some((c, at + c.len_utf8())),
    }
}

/// How many bytes at the start are plain, with no two spaces side by side.
fn plain_prefix(bytes: &[u8]) -> usize {
    const CHUNK: usize = 16;
    let is_end = |byte: u8, next: u8| !is_plain(byte) | ((byte == b' ') & (next == b' '));
    let mut at = 0;
    while let (Some(chunk), Some(next)) = (bytes.get(at..at + CHUNK), bytes.get(at + 1..at + 1 + CHUNK)) {
        if chunk.iter().zip(next).fold(0, |end, (&byte, &next)| end | u8::from(is_end(byte, next))) != 0 {
            break;
        }
        at += CHUNK;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let next = rest.iter().skip(1).chain(once(&0));
    at + rest.iter().zip(next).position(|(&byte, &next)| is_end(byte, next)).unwrap_or(rest.len())
}
