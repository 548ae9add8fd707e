//! The way back: from a place in the folded text to the bytes of the original it was made of.

use std::ops::Range;

/// Steps where the relation between the two texts changes. A copied run, however long, is one step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SpanMap {
    steps: Vec<Step>,
}

/// From `folded` up to the next step.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    folded: usize,
    source: usize,
    /// How many bytes of the original stand behind each place of the step as a whole; none: byte for byte.
    block: usize,
}

impl Step {
    fn source_of(&self, at: usize) -> Range<usize> {
        match self.block {
            0 => {
                let source = self.source + (at - self.folded);
                source..source + 1
            }
            block => self.source..self.source + block,
        }
    }
}

impl SpanMap {
    /// From `folded` on, the texts run byte for byte.
    pub(super) fn run(&mut self, folded: usize, source: usize) {
        let goes_on = self.steps.last().is_some_and(|last| {
            last.block == 0 && source >= last.source && source - last.source == folded - last.folded
        });
        if !goes_on {
            self.steps.push(Step { folded, source, block: 0 });
        }
    }

    /// From `folded` on, everything was made of these bytes as a whole.
    pub(super) fn block(&mut self, folded: usize, source: Range<usize>) {
        let block = source.len();
        let goes_on = self.steps.last().is_some_and(|last| last.block == block && last.source == source.start);
        if !goes_on && block > 0 {
            self.steps.push(Step { folded, source: source.start, block });
        }
    }

    /// Appends another map whose folded text stands at `folded`.
    pub(super) fn append(&mut self, folded: usize, other: &Self) {
        self.steps.extend(other.steps.iter().map(|step| Step { folded: step.folded + folded, ..step.clone() }));
    }

    /// The bytes of the original behind one byte of the folded text.
    pub(super) fn source_of(&self, at: usize) -> Range<usize> {
        let after = self.steps.partition_point(|step| step.folded <= at);
        after.checked_sub(1).and_then(|index| self.steps.get(index)).map_or(0..0, |step| step.source_of(at))
    }

    /// From the first to the last byte of the original behind a range that is not empty. Inverted where the range runs
    /// into a part that stands earlier in the original.
    pub(super) fn source_span(&self, span: Range<usize>) -> Range<usize> {
        self.source_of(span.start).start..self.source_of(span.end.saturating_sub(1)).end
    }

    /// Follows the removal of these ranges, ascending and disjoint, from the folded text.
    pub(super) fn remove(&mut self, ranges: &[Range<usize>]) {
        let mut kept = Self::default();
        let mut ranges = ranges.iter().peekable();
        let mut removed = 0;
        let mut steps = std::mem::take(&mut self.steps).into_iter().peekable();
        while let Some(step) = steps.next() {
            let end = steps.peek().map_or(usize::MAX, |next| next.folded);
            let mut from = step.folded;
            loop {
                let cut = ranges.peek().map_or(usize::MAX, |range| range.start).max(from);
                if from < cut.min(end) {
                    kept.resume(&step, from, removed);
                }
                let Some(range) = ranges.peek().filter(|_| cut < end) else { break };
                let upto = range.end.min(end);
                removed += upto - cut;
                from = upto;
                if range.end > end {
                    break;
                }
                ranges.next();
            }
        }
        *self = kept;
    }

    /// The step once more, from its place `at`, after so many bytes were removed before it.
    fn resume(&mut self, step: &Step, at: usize, removed: usize) {
        match step.block {
            0 => self.run(at - removed, step.source + (at - step.folded)),
            block => self.block(at - removed, step.source..step.source + block),
        }
    }
}
