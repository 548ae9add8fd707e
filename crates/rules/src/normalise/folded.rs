//! A folded text while it grows.

use std::ops::Range;

use super::spans::SpanMap;
use super::{Mark, MarkKind, Part, PartKind};

/// What folding gives: the text, the way back, and what the line structure said about it.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    pub(super) spans: SpanMap,
    pub(super) parts: Vec<Part>,
    /// Where the lines of the original end a sentence, ascending.
    pub(super) breaks: Vec<usize>,
    /// The spaces that stand for one lone line break, ascending.
    pub(super) seams: Vec<usize>,
    pub(super) marks: Vec<Mark>,
    pub(super) tags: Tags,
}

/// What invisible tag characters spell.
#[derive(Debug, Default)]
pub(super) struct Tags {
    text: String,
    spans: SpanMap,
    source: Range<usize>,
    last_run: usize,
}

impl Tags {
    /// Adds one run of tag characters: what they mirror, each with its place.
    pub(super) fn add(&mut self, run: &[(char, Range<usize>)]) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        // Single characters between visible ones spell one word; longer runs are texts of their own.
        if self.text.is_empty() {
            self.source = first.1.start..first.1.start;
        } else if run.len() > 1 || self.last_run > 1 {
            self.spans.block(self.text.len(), first.1.clone());
            self.text.push(' ');
        }
        for (c, source) in run {
            self.spans.block(self.text.len(), source.clone());
            self.text.push(c.to_ascii_lowercase());
        }
        self.source.end = last.1.end;
        self.last_run = run.len();
    }
}

impl Folded {
    /// Appends a character that was made of these bytes of the original.
    pub(super) fn push(&mut self, c: char, source: Range<usize>) {
        self.spans.block(self.text.len(), source);
        self.text.push(c);
    }

    /// Appends a character that is as long as the one of the original at `source` that it stands for.
    pub(super) fn push_exact(&mut self, c: char, source: usize) {
        self.spans.run(self.text.len(), source);
        self.text.push(c);
    }

    /// Appends plain ASCII of the original, in lower case.
    pub(super) fn push_plain(&mut self, plain: &str, source: usize) {
        let start = self.text.len();
        self.spans.run(start, source);
        self.text.push_str(plain);
        if let Some(copied) = self.text.get_mut(start..) {
            copied.make_ascii_lowercase();
        }
    }

    /// Records something hidden; what goes on where the last of its kind ended belongs to that one.
    pub(super) fn mark(&mut self, kind: MarkKind, source: Range<usize>) {
        match self.marks.last_mut() {
            Some(last) if last.kind == kind && last.source.end == source.start => last.source.end = source.end,
            Some(last) if last.kind == kind && last.source == source => {}
            _ => self.marks.push(Mark { kind, source }),
        }
    }

    /// Closes the part that began where the last one ended.
    pub(super) fn close_part(&mut self, kind: PartKind, source: Range<usize>) {
        let start = self.parts.last().map_or(0, |part| part.range.end);
        if start < self.text.len() {
            self.parts.push(Part { range: start..self.text.len(), kind, source });
        }
    }

    /// Appends what the tag characters spell, as a part of its own.
    pub(super) fn append_tags(&mut self) {
        let tags = std::mem::take(&mut self.tags);
        if tags.text.trim().is_empty() {
            return;
        }
        self.separate(tags.source.clone());
        self.spans.append(self.text.len(), &tags.spans);
        self.text.push_str(&tags.text);
        self.close_part(PartKind::Tags, tags.source);
    }

    /// Appends a decoded text, all of which was made of the same bytes of the original.
    pub(super) fn append_island(&mut self, kind: PartKind, source: &Range<usize>, island: &Self) {
        if island.text.is_empty() {
            return;
        }
        self.separate(source.clone());
        let start = self.text.len();
        self.spans.block(start, source.clone());
        self.text.push_str(&island.text);
        self.breaks.extend(island.breaks.iter().map(|at| start + at));
        for mark in &island.marks {
            self.mark(mark.kind, source.clone());
        }
        self.close_part(kind, source.clone());
    }

    /// Takes ranges, ascending and disjoint, out of the text. Seams are used up by then.
    pub(super) fn remove(&mut self, ranges: &[Range<usize>]) {
        let mut text = String::with_capacity(self.text.len());
        let mut from = 0;
        for range in ranges {
            text.push_str(self.text.get(from..range.start).unwrap_or_default());
            from = range.end;
        }
        text.push_str(self.text.get(from..).unwrap_or_default());
        self.text = text;
        self.spans.remove(ranges);
        let mut shift = Shift::over(ranges);
        self.breaks.iter_mut().for_each(|at| *at = shift.apply(*at));
        let mut shift = Shift::over(ranges);
        for part in &mut self.parts {
            part.range.start = shift.apply(part.range.start);
            part.range.end = shift.apply(part.range.end);
        }
    }

    /// One space before an appended part, unless it is the first.
    fn separate(&mut self, source: Range<usize>) {
        if !self.text.is_empty() {
            self.push(' ', source);
        }
    }
}

/// Where places go when ranges before them are removed. Places are asked for in ascending order.
struct Shift<'a> {
    ranges: std::slice::Iter<'a, Range<usize>>,
    next: Option<&'a Range<usize>>,
    removed: usize,
}

impl<'a> Shift<'a> {
    fn over(ranges: &'a [Range<usize>]) -> Self {
        let mut ranges = ranges.iter();
        let next = ranges.next();
        Self { ranges, next, removed: 0 }
    }

    fn apply(&mut self, at: usize) -> usize {
        while let Some(range) = self.next.filter(|range| range.end <= at) {
            self.removed += range.len();
            self.next = self.ranges.next();
        }
        at - self.removed
    }
}
