//! Texts encoded within the text. Decoded once; what decodes to something unreadable is no island.

use std::ops::Range;

use super::PartKind;

/// More islands than texts have; a text of nothing else must not cost many times its size.
pub const MOST_ISLANDS: usize = 64;

/// As much decoded text as a long document has.
pub const MOST_DECODED: usize = 256 * 1024;

/// Shorter base64 decodes to a few words at most, and names, paths and hashes come in that length.
const SHORTEST_BASE64: usize = 24;

/// Fewer are spaces and separators of an address.
const FEWEST_ESCAPES: usize = 3;

/// An encoded text that was decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Island {
    pub(super) kind: PartKind,
    pub(super) source: Range<usize>,
    pub(super) text: String,
}

/// The islands of a text, and how many were left out or cut because of the limits.
pub(super) fn find(source: &str) -> (Vec<Island>, usize) {
    let mut found = Found::default();
    base64_islands(source, &mut found);
    percent_islands(source, &mut found);
    (found.islands, found.left_out)
}

#[derive(Default)]
struct Found {
    islands: Vec<Island>,
    decoded: usize,
    left_out: usize,
}

impl Found {
    fn add(&mut self, kind: PartKind, source: Range<usize>, mut text: String) {
        let room = MOST_DECODED - self.decoded;
        if self.islands.len() == MOST_ISLANDS || room == 0 {
            self.left_out += 1;
            return;
        }
        if text.len() > room {
            self.left_out += 1;
            text.truncate(text.floor_char_boundary(room));
        }
        self.decoded += text.len();
        self.islands.push(Island { kind, source, text });
    }
}

fn base64_islands(source: &str, found: &mut Found) {
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(line) = next_run(bytes, at) {
        let lines = following_lines(bytes, line);
        at = lines.last().map_or(bytes.len(), |line| line.end);
        let whole = lines.first().map_or(at, |line| line.start)..at;
        if let Some(text) = decoded(bytes, &lines) {
            found.add(PartKind::Base64, whole, text);
            continue;
        }
        // Something that only looks like more of it stands beside it: a word on the next line, a path around it.
        let pieces = lines.iter().flat_map(|line| {
            let separate =
                bytes.get(line.clone()).unwrap_or_default().split(|&byte| matches!(byte, b'/' | b'-' | b'_'));
            let mut start = line.start;
            let piece = move |piece: &[u8]| {
                let range = start..start + piece.len();
                start = range.end + 1;
                range
            };
            let alone = (lines.len() > 1).then(|| line.clone());
            alone.into_iter().chain(separate.map(piece).filter(|piece| piece.len() < line.len()))
        });
        let mut upto = 0;
        for piece in pieces.filter(|piece| piece.len() >= SHORTEST_BASE64) {
            if piece.start >= upto
                && let Some(text) = decoded(bytes, std::slice::from_ref(&piece))
            {
                upto = piece.end;
                found.add(PartKind::Base64, piece, text);
            }
        }
    }
}

/// The next run of base64 characters that is long enough, with its padding.
fn next_run(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut start = from;
    loop {
        // From the back: one character of another kind rules out every start before it.
        let window = bytes.get(start..start + SHORTEST_BASE64)?;
        match window.iter().rposition(|&byte| sextet(byte).is_none()) {
            Some(other) => start += other + 1,
            None => return Some(start..run_end(bytes, start)),
        }
    }
}

fn run_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|&byte| sextet(byte).is_none()).unwrap_or(rest.len());
    let padding = rest.iter().skip(length).take(2).take_while(|&&byte| byte == b'=').count();
    start + length + padding
}

/// The run, and the lines after it that hold nothing else, as encoders break long texts.
fn following_lines(bytes: &[u8], first: Range<usize>) -> Vec<Range<usize>> {
    let mut lines = vec![first.clone()];
    let mut end = first.end;
    loop {
        let start = match bytes.get(end..) {
            Some([b'\r', b'\n', ..]) => end + 2,
            Some([b'\n', ..]) => end + 1,
            _ => return lines,
        };
        let was_long = lines.last().is_some_and(|line| line.len() >= SHORTEST_BASE64);
        end = run_end(bytes, start);
        if !was_long || end == start || !matches!(bytes.get(end), None | Some(b'\n' | b'\r')) {
            return lines;
        }
        lines.push(start..end);
    }
}

/// What the lines decode to as one text, if that is readable.
fn decoded(bytes: &[u8], lines: &[Range<usize>]) -> Option<String> {
    let length: usize = lines.iter().map(Range::len).sum();
    let mut decoded = Vec::with_capacity(length / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0);
    for &byte in lines.iter().filter_map(|line| bytes.get(line.clone())).flatten() {
        let Some(sextet) = sextet(byte) else { continue };
        bits = bits << 6 | u32::from(sextet);
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held) as u8);
        }
    }
    readable(decoded)
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The bytes as a text, if that is what they are: mostly printable, with letters in it.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // A text that was cut within its last character is still a text.
            let cut = error.utf8_error();
            let mut bytes = error.into_bytes();
            if cut.error_len().is_some() {
                return None;
            }
            bytes.truncate(cut.valid_up_to());
            String::from_utf8(bytes).ok()?
        }
    };
    let count = |is: fn(char) -> bool| text.chars().filter(|&c| is(c)).count();
    let all = count(|_| true);
    let printable = count(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
    let letters = count(char::is_alphabetic);
    let ascii = count(|c| c.is_ascii());
    let is_text = printable * 10 >= all * 9 && letters * 10 >= all * 3;
    // Chance can spell a few letters of many scripts, but not words of them.
    (is_text && (text.contains(char::is_whitespace) || ascii * 10 >= all * 9)).then_some(text)
}

fn percent_islands(source: &str, found: &mut Found) {
    let bytes = source.as_bytes();
    let mut from = 0;
    while let Some(first) = source.get(from..).and_then(|rest| rest.find('%')).map(|found| from + found) {
        let before = bytes.get(from..first).unwrap_or_default();
        let start = first - before.iter().rev().take_while(|byte| is_in_address(**byte)).count();
        let rest = bytes.get(start..).unwrap_or_default();
        let run =
            rest.iter().position(|&byte| !is_in_address(byte)).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
        from = start + run.len();
        let (text, escapes) = unescape(run);
        if escapes >= FEWEST_ESCAPES
            && let Some(text) = readable(text)
        {
            found.add(PartKind::Percent, start..from, text);
        }
    }
}

fn is_in_address(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`' | b'\\' | b'{' | b'}' | b'|' | b'^')
}

/// The bytes with escapes decoded, and how many there were.
fn unescape(run: &[u8]) -> (Vec<u8>, usize) {
    let hex = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut text = Vec::with_capacity(run.len());
    let (mut escapes, mut rest) = (0, run);
    while let [first, after @ ..] = rest {
        rest = after;
        match after {
            [high, low, after @ ..]
                if *first == b'%'
                    && let (Some(high), Some(low)) = (hex(*high), hex(*low)) =>
            {
                text.push(high << 4 | low);
                escapes += 1;
                rest = after;
            }
            _ => text.push(if *first == b'+' { b' ' } else { *first }),
        }
    }
    (text, escapes)
}
