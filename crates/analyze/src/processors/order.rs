//! The order in which processors run: whoever writes something runs before whoever reads it.

use super::{Processor, Reads, Writes};

/// Processors in an order in which each finds what it reads. Among those that could run next, the first in the list does.
///
/// Growth: quadratic in the number of processors, which is a number of lines in a table.
#[must_use]
pub fn in_order(processors: &'static [Processor]) -> Vec<&'static Processor> {
    let mut waiting: Vec<&Processor> = processors.iter().collect();
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let is_ready = |one: &&Processor| !waiting.iter().any(|other| other.name != one.name && feeds(other, one));
        // In a circle nobody is ready. The first goes on then, and a test says that there is no circle.
        let next = waiting.iter().position(is_ready).unwrap_or(0);
        ordered.push(waiting.remove(next));
    }
    ordered
}

/// Whether one writes what the other reads.
pub(crate) fn feeds(one: &Processor, other: &Processor) -> bool {
    one.writes.iter().any(|written| other.reads.iter().any(|read| meets(*written, *read)))
}

fn meets(written: Writes, read: Reads) -> bool {
    match (written, read) {
        (Writes::Edges(kind), Reads::Edges(other, _)) => kind == other,
        (Writes::Nodes(kind), Reads::Nodes(other, _)) => kind == other,
        (Writes::Property(key), Reads::Property(other)) => key == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::PROCESSORS;
    use super::*;

    #[test]
    fn everything_is_written_before_it_is_read() {
        let ordered = in_order(PROCESSORS);
        assert_eq!(ordered.len(), PROCESSORS.len());
        for (position, processor) in ordered.iter().enumerate() {
            let late = ordered.iter().skip(position + 1).find(|later| feeds(later, processor));
            assert!(late.is_none(), "{} reads what {} writes", processor.name, late.map_or("", |late| late.name));
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = PROCESSORS.iter().map(|processor| processor.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
