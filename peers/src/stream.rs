//! Bytes on their way out: made while they are sent, so that a gigabyte needs no memory, and as slowly as asked for.

use std::io::{self, Read, Write};
use std::thread;
use std::time::Duration;

/// How many bytes go out at a time.
const BUFFER: usize = 1 << 16;

/// Bytes that are made while they are read.
pub(crate) type Stream = Box<dyn Read + Send>;

/// How fast bytes go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As fast as they are taken.
    Full,
    /// One byte, then a pause.
    Drip(Duration),
}

/// A text as a stream.
pub(crate) fn text(text: impl Into<String>) -> Stream {
    Box::new(io::Cursor::new(text.into().into_bytes()))
}

/// `before`, then a text over and over until `size` bytes of it are out, then `after`.
pub(crate) fn filled(before: String, filler: &'static str, size: u64, after: String) -> Stream {
    Box::new(text(before).chain(Repeated::new(filler).take(size)).chain(text(after)))
}

/// A text over and over, without end.
pub(crate) fn endless(filler: &'static str) -> Stream {
    Box::new(Repeated::new(filler))
}

/// Writes a stream at its pace.
pub(crate) fn send(mut from: Stream, to: &mut impl Write, pace: Pace) -> io::Result<()> {
    if let Pace::Drip(pause) = pace {
        let mut byte = [0];
        while from.read(&mut byte)? > 0 {
            to.write_all(&byte)?;
            to.flush()?;
            thread::sleep(pause);
        }
        return Ok(());
    }
    // Not `io::copy`: it may hold back what a stream of events has already said.
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            return to.flush();
        }
        to.write_all(buffer.get(..count).unwrap_or_default())?;
        to.flush()?;
    }
}

/// A text over and over.
struct Repeated {
    /// The text as often as fits a buffer, so that little is copied at a time.
    block: Vec<u8>,
    length: usize,
    position: usize,
}

impl Repeated {
    fn new(filler: &'static str) -> Self {
        Self { block: filler.repeat(BUFFER / filler.len() + 2).into_bytes(), length: filler.len(), position: 0 }
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.block.get(self.position..).unwrap_or_default();
        let count = rest.read(buffer)?;
        self.position = (self.position + count) % self.length;
        Ok(count)
    }
}
