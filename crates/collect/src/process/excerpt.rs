//! What a command wrote to standard error: its beginning and its end, made safe to show.

use std::collections::VecDeque;

use super::last_word::{LONGEST, LastWord, MARK};

/// Bytes that are kept of the beginning, and as many of the end.
const SHOWN: usize = 2048;
/// Bytes of the end that are held, so that the supervisor's last word takes nothing from what is shown.
const HELD: usize = SHOWN + LONGEST;
/// Values of variables that are shorter may be ordinary words.
const SECRET: usize = 6;

/// The beginning and the end of a stream, whatever its length.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    seen: usize,
}

/// What a stream came down to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// Escaped, with a note in the middle where something is left out.
    pub(super) text: String,
    /// What the supervisor said at the end.
    pub(super) last_word: Option<LastWord>,
}

impl Excerpt {
    /// Takes the next bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.seen = self.seen.saturating_add(bytes.len());
        let (head, rest) = bytes.split_at(bytes.len().min(SHOWN - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = rest.get(rest.len().saturating_sub(HELD)..).unwrap_or_default();
        let surplus = (self.tail.len() + rest.len()).saturating_sub(HELD);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    /// What is to be shown. Values of the variables that the command was given are replaced by their names.
    pub(super) fn said(&self, given: &[(String, String)]) -> Said {
        let mut kept = self.head.clone();
        kept.extend(&self.tail);
        let mut seen = self.seen;
        let mut last_word = None;
        if let Some(start) = kept.iter().rposition(|byte| *byte == MARK) {
            last_word = kept.get(start + 1..).and_then(|bytes| serde_json::from_slice(bytes).ok());
            if last_word.is_some() {
                seen -= kept.len() - start;
                kept.truncate(start);
            }
        }
        let (head, tail) = kept.split_at(kept.len().min(SHOWN));
        let tail = tail.get(tail.len().saturating_sub(SHOWN)..).unwrap_or_default();
        Said { text: text(head, tail, seen - head.len() - tail.len(), given), last_word }
    }
}

/// Beginning and end as one text.
fn text(head: &[u8], tail: &[u8], left_out: usize, given: &[(String, String)]) -> String {
    let secrets = secrets(given);
    if left_out == 0 {
        return escaped(&without(&[head, tail].concat(), &secrets));
    }
    // What is cut in the middle of a secret would not be known for one.
    let head = without(without_cut_end(head, &secrets), &secrets);
    let tail = without(without_cut_start(tail, &secrets), &secrets);
    format!("{} [{left_out} bytes left out] {}", escaped(&head), escaped(&tail))
}

/// Values that must not be shown, longest first, so that none is hidden by a part of it.
fn secrets(given: &[(String, String)]) -> Vec<(&str, &[u8])> {
    let long = given.iter().filter(|(_, value)| value.len() >= SECRET);
    let mut secrets: Vec<(&str, &[u8])> = long.map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    secrets.sort_by_key(|(name, value)| (std::cmp::Reverse(value.len()), *name));
    secrets
}

/// The bytes with names in place of secrets.
fn without(bytes: &[u8], secrets: &[(&str, &[u8])]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        let secret = secrets.iter().find_map(|(name, value)| Some((name, rest.strip_prefix(*value)?)));
        if let Some((name, behind)) = secret {
            clean.extend_from_slice(format!("<{name}>").as_bytes());
            rest = behind;
        } else {
            clean.push(*first);
            rest = others;
        }
    }
    clean
}

/// The bytes without the beginning of a secret at their end.
fn without_cut_end<'b>(bytes: &'b [u8], secrets: &[(&str, &[u8])]) -> &'b [u8] {
    let is_cut = |start: &usize| {
        let end = bytes.get(*start..).unwrap_or_default();
        secrets.iter().any(|(_, value)| value.len() > end.len() && value.starts_with(end))
    };
    let start = (0..bytes.len()).find(is_cut).unwrap_or(bytes.len());
    bytes.get(..start).unwrap_or_default()
}

/// The bytes without the end of a secret at their beginning.
fn without_cut_start<'b>(bytes: &'b [u8], secrets: &[(&str, &[u8])]) -> &'b [u8] {
    let is_cut = |end: &usize| {
        let start = bytes.get(..*end).unwrap_or_default();
        secrets.iter().any(|(_, value)| value.len() > start.len() && value.ends_with(start))
    };
    let end = (1..=bytes.len()).rev().find(is_cut).unwrap_or(0);
    bytes.get(end..).unwrap_or_default()
}

/// Text that can do nothing to a terminal or a reader, on one line.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' | '\'' => text.push(letter),
                _ => text.extend(letter.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::last_word::LastWord;
    use super::{Excerpt, SHOWN, Said, escaped};

    fn said(pieces: &[&[u8]], given: &[(&str, &str)]) -> Said {
        let mut excerpt = Excerpt::default();
        pieces.iter().for_each(|piece| excerpt.push(piece));
        let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        excerpt.said(&given)
    }

    #[test]
    fn nothing_moves_a_terminal_or_turns_the_text_around() {
        let hostile = b"red \x1b[31m\r\n\x07 \xff\xfe \xe2\x80\xae \xc2\x9b2J \"it's\" \\";
        assert_eq!(escaped(hostile), r#"red \u{1b}[31m\r\n\u{7} \xff\xfe \u{202e} \u{9b}2J "it's" \\"#);
    }

    #[test]
    fn of_a_flood_the_beginning_and_the_end_are_kept() {
        let flood: Vec<u8> = (0..40_000).flat_map(|line| format!("line {line}\n").into_bytes()).collect();
        let pieces: Vec<&[u8]> = flood.chunks(777).collect();
        let Said { text, last_word } = said(&pieces, &[]);
        assert!(text.starts_with(r"line 0\nline 1\n") && text.ends_with(r"line 39999\n"), "{text}");
        assert!(text.contains(&format!(" [{} bytes left out] ", flood.len() - 2 * SHOWN)), "{text}");
        assert_eq!(last_word, None);
        assert_eq!(said(&[&flood], &[]).text, text, "however it is cut into pieces");
    }

    #[test]
    fn the_last_word_is_found_at_any_length_and_never_shown() {
        let word = LastWord { code: Some(0), survivors: 2, ..LastWord::default() };
        for length in [0, 1, SHOWN - 5, SHOWN, SHOWN + 5, 2 * SHOWN, 2 * SHOWN + 1, 10 * SHOWN] {
            let said = said(&[&vec![b'x'; length], &word.bytes()], &[]);
            assert_eq!(said.last_word.as_ref(), Some(&word), "after {length}");
            assert_eq!(said.text.len() > 2 * SHOWN, length > 2 * SHOWN, "after {length}");
            assert_eq!(said.text.bytes().filter(|byte| *byte == b'x').count(), length.min(2 * SHOWN));
        }
        // What only looks like one is text.
        assert_eq!(said(&[b"a\0{}b"], &[]), Said { text: r"a\0{}b".to_owned(), last_word: None });
    }

    #[test]
    fn given_values_are_shown_by_their_names() {
        let given = [("KEY", "abcdefgh"), ("LONGER", "abcdefghij"), ("MODE", "fast")];
        let said = said(&[b"bad key abcdefgh, abcde", b"fghij; fast"], &given);
        assert_eq!(said.text, "bad key <KEY>, <LONGER>; fast");
    }

    #[test]
    fn a_value_that_the_cut_divides_is_not_shown_in_part() {
        let secret = "s3cret-t0ken-value";
        let start = [&vec![b'.'; SHOWN - 7], secret.as_bytes()].concat();
        let end = [secret.as_bytes(), &vec![b','; SHOWN - 7]].concat();
        let said = said(&[&start, &vec![b'.'; 5000], &end], &[("T", secret)]);
        assert!(!said.text.contains("s3c") && !said.text.contains("lue"), "{}", said.text);
    }
}
