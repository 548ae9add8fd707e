//! Verification of a list of receipts: the same offline and in the server.
//!
//! Needs the list and the trusted keys, and nothing else. Says everything that is wrong, not only the first thing, and says
//! "verified" only of receipts that are there, whole, linked and signed. What a list can't show by itself, that its end is
//! missing, a checkpoint shows.

mod checker;
mod facts;
mod parallel;
mod quick;
mod report;
mod sequence;
#[cfg(test)]
mod tests;

pub use report::{CheckpointOutcome, Fault, KeyUse, PROBLEMS_KEPT, Problem, Report, Status};

use super::checkpoint::Checkpoint;
use super::keys::Keys;
use checker::Checker;
use facts::Facts;

/// How many receipts are read before they are verified, on all cores.
const CHUNK: usize = 4096;
/// How many bytes of receipts are read before they are verified.
const CHUNK_BYTES: usize = 16 << 20;
/// How many bytes a list may have that has its newest receipt first, as it has to be held to be turned round.
const TURNED_BYTES: usize = 256 << 20;

/// Verifies receipts, oldest first, or newest first if the whole list is. Each line is one receipt as it is listed. Fails only
/// if a line can't be got.
///
/// Linear in the length of the list; memory does not grow with it, but for a list that has to be turned round.
pub fn verify<L, E>(
    lines: impl IntoIterator<Item = Result<L, E>>,
    keys: &Keys,
    checkpoint: Option<&Checkpoint>,
) -> Result<Report, E>
where
    L: AsRef<[u8]> + Sync,
{
    let mut source = Source { lines: lines.into_iter(), index: 0 };
    let mut checker = Checker::new(keys, checkpoint);
    let mut chunk = source.read(CHUNK_BYTES)?;
    let mut facts = read_facts(&chunk);
    if is_newest_first(&facts) {
        let whole = source.read_all(&mut chunk, TURNED_BYTES)?;
        facts = read_facts(&chunk);
        if whole && is_newest_first(&facts) {
            facts.reverse();
            checker.set_newest_first();
        }
    }
    loop {
        let jobs = checker.link(&facts);
        // The next receipts are read while signatures are verified.
        let (signed, next) = parallel::map(&jobs, |job| job.is_signed(), || source.read(CHUNK_BYTES));
        checker.sign(&facts, &jobs, &signed);
        chunk = next?;
        if chunk.is_empty() {
            return Ok(checker.finish());
        }
        facts = read_facts(&chunk);
    }
}

/// Lines and how many of them were read.
struct Source<I> {
    lines: I,
    index: u64,
}

/// A line and its place in the list.
struct Line<L> {
    index: u64,
    text: L,
}

impl<L: AsRef<[u8]>, E, I: Iterator<Item = Result<L, E>>> Source<I> {
    /// The next lines.
    fn read(&mut self, bytes: usize) -> Result<Vec<Line<L>>, E> {
        let (mut chunk, mut read) = (Vec::new(), 0);
        while chunk.len() < CHUNK && read < bytes {
            let Some(text) = self.lines.next().transpose()? else { break };
            read += text.as_ref().len();
            chunk.push(Line { index: self.index, text });
            self.index += 1;
        }
        Ok(chunk)
    }

    /// Adds all lines to those that were read, or as many as there is room for; says whether it was all.
    fn read_all(&mut self, chunk: &mut Vec<Line<L>>, bytes: usize) -> Result<bool, E> {
        let mut room = bytes;
        loop {
            let more = self.read(room)?;
            if more.is_empty() {
                return Ok(room > 0);
            }
            room = more.iter().fold(room, |room, line| room.saturating_sub(line.text.as_ref().len()));
            chunk.extend(more);
        }
    }
}

fn read_facts<L: AsRef<[u8]> + Sync>(chunk: &[Line<L>]) -> Vec<Facts> {
    parallel::map(chunk, |line| Facts::read(line.index, line.text.as_ref()), || ()).0
}

/// Whether there are several receipts, and each comes before the one that it names as the one before it.
fn is_newest_first(facts: &[Facts]) -> bool {
    let sequences: Vec<u64> = facts.iter().filter_map(Facts::sequence).collect();
    sequences.len() > 1 && sequences.is_sorted_by(|newer, older| newer > older)
}
