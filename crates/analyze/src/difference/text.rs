//! Texts, by lines.

use std::ops::Range;

use super::effort::{Effort, Stretch};
use super::lines::{Lines, Mark, counted};
use super::words;

/// Of many lines in a row that came or went, this many are shown from the beginning and from the end.
const FIRST: usize = 8;
const LAST: usize = 4;

/// Adds how one text became another.
pub(super) fn compare(before: &str, after: &str, lines: &mut Lines, effort: &mut Effort) {
    let (old, new) = (split(before), split(after));
    let stretches = effort.stretches(&old, &new);
    for (number, stretch) in stretches.iter().enumerate() {
        if stretch.is_alike {
            let ends = Ends { has_before: number > 0, has_after: number + 1 < stretches.len() };
            alike(old.get(stretch.old.clone()).unwrap_or_default(), ends, lines);
        } else {
            different(&old, &new, stretch, lines, effort);
        }
    }
}

/// The lines of a text. An empty text has none.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

/// Whether changes stand before and after a stretch.
#[derive(Clone, Copy)]
struct Ends {
    has_before: bool,
    has_after: bool,
}

/// The line after the change before, the line before the change after, and how many are between.
fn alike(same: &[&str], ends: Ends, lines: &mut Lines) {
    let first = usize::from(ends.has_before).min(same.len());
    let last = usize::from(ends.has_after).min(same.len() - first);
    let between = same.len() - first - last;
    if let Some(line) = same.first().filter(|_| first > 0) {
        words::whole(Mark::Between, line, lines);
    }
    if between > 0 && (ends.has_before || ends.has_after) {
        lines.push(Mark::Between, &format!("… {} as before", counted(between, "line")));
    }
    if let Some(line) = same.last().filter(|_| last > 0) {
        words::whole(Mark::Between, line, lines);
    }
}

/// Lines in the place of others: as many as there are on both sides word by word, the rest whole.
fn different(old: &[&str], new: &[&str], stretch: &Stretch, lines: &mut Lines, effort: &mut Effort) {
    let pairs = stretch.old.len().min(stretch.new.len());
    let cut = |all: &Range<usize>| (all.start..all.start + pairs, all.start + pairs..all.end);
    let ((old_pairs, old_rest), (new_pairs, new_rest)) = (cut(&stretch.old), cut(&stretch.new));
    let (old_pairs, new_pairs) = (old.get(old_pairs).unwrap_or_default(), new.get(new_pairs).unwrap_or_default());
    for (number, (before, after)) in old_pairs.iter().zip(new_pairs).enumerate() {
        if lines.is_full() {
            lines.leave_out(2 * (pairs - number));
            break;
        }
        words::compare(before, after, "", lines, effort);
    }
    one_sided(Mark::Removed, old.get(old_rest).unwrap_or_default(), lines);
    one_sided(Mark::Added, new.get(new_rest).unwrap_or_default(), lines);
}

/// Lines that only came or only went. Blank ones in a row are counted, since they can push the rest out of sight.
fn one_sided(mark: Mark, all: &[&str], lines: &mut Lines) {
    let runs: Vec<&[&str]> = all.chunk_by(|a, b| is_blank(a) && is_blank(b)).collect();
    let left_out = if runs.len() > FIRST + LAST + 1 { FIRST..runs.len() - LAST } else { 0..0 };
    for (number, run) in runs.iter().enumerate() {
        match run {
            _ if left_out.contains(&number) => {
                if number == left_out.start {
                    let count = runs.get(left_out.clone()).unwrap_or_default().iter().map(|run| run.len()).sum();
                    lines.push(mark, &format!("… {} …", counted(count, "line")));
                }
            }
            [line] => words::whole(mark, line, lines),
            several => lines.push(mark, &format!("<{}>", counted(several.len(), "blank line"))),
        }
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}
