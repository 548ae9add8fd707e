//! Reading a receipt that is in canonical form already, as all are that we list: in one pass, without making anything of it.
//!
//! Knows nothing but the usual case. Whatever is out of the ordinary (white space, members out of order, rare escapes, a
//! receipt that hands over to another key or speaks of retention, anything that is wrong) it leaves to [`Receipt`](crate::receipt::Receipt), which
//! also finds the words for it. What both can read, both read alike.

use sha2::{Digest as _, Sha256};

use super::facts::Read;
use crate::receipt::hash::{Hash, from_hex};
use crate::receipt::json::{LINE_LIMIT, needs_escape};
use crate::receipt::listed::{SHOWN, Signature};
use crate::receipt::{EventKind, RECEIPT_VERSION, UNHASHED, merkle};

/// How deep lists and objects may be nested.
const DEPTH: usize = 16;
/// How many digits a number may have and still be below 2^53.
const DIGITS: usize = 15;

/// What a receipt says, if it is an ordinary one. Linear in its length.
pub(super) fn read(text: &[u8]) -> Option<Read> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() < LINE_LIMIT)?;
    let mut scanner = Scanner { text, at: 0 };
    let mut wanted = Wanted::default();
    // The hash covers what lies between the members that it does not cover.
    let (mut hash, mut hashed) = (Sha256::new(), 0);
    scanner.object(DEPTH, |key, value, start, end| {
        wanted.take(key, value);
        if UNHASHED.contains(&key) {
            hash.update(text.get(hashed..start)?);
            // With the comma after it. The last member can't be left out like this.
            hashed = end + 1;
            text.as_bytes().get(end).filter(|byte| **byte == b',')?;
        }
        Some(())
    })?;
    if scanner.at != text.len() {
        return None;
    }
    hash.update(text.get(hashed..)?);
    wanted.read(Hash(hash.finalize().into()))
}

/// The members that verification needs, as they are written.
#[derive(Default)]
struct Wanted<'a> {
    version: Option<&'a str>,
    id: Option<&'a str>,
    kind: Option<&'a str>,
    tenant: Option<&'a str>,
    sequence: Option<&'a str>,
    hash: Option<&'a str>,
    previous: Option<&'a str>,
    signature: Option<&'a str>,
    key_id: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    fn take(&mut self, key: &str, value: &'a str) {
        let place = match key {
            "canon_version" => &mut self.version,
            "event_id" => &mut self.id,
            "kind" => &mut self.kind,
            "prev_receipt_hash" => &mut self.previous,
            "receipt_hash" => &mut self.hash,
            "sequence" => &mut self.sequence,
            "signature" => &mut self.signature,
            "signer_key_id" => &mut self.key_id,
            "tenant_id" => &mut self.tenant,
            _ => return,
        };
        *place = Some(value);
    }

    fn read(&self, actual: Hash) -> Option<Read> {
        let kind = plain(self.kind?)?;
        let is_known = plain(self.version?)? == RECEIPT_VERSION;
        let is_ordinary = is_known && kind != EventKind::Key.name() && kind != EventKind::Retention.name();
        let (id, key_id) = (plain(self.id?)?, plain(self.key_id?)?);
        if !is_ordinary || id.len() > SHOWN || key_id.len() > SHOWN {
            return None;
        }
        let previous = match plain(self.previous?)? {
            "" => None,
            digits => Some(digits.parse().ok()?),
        };
        let stated = plain(self.hash?)?.parse().ok()?;
        Some(Read {
            id: id.to_owned(),
            tenant: plain(self.tenant?)?.to_owned(),
            sequence: self.sequence?.parse().ok()?,
            previous,
            stated,
            actual,
            leaf: merkle::leaf(&stated),
            signature: Signature::By { key_id: key_id.to_owned(), bytes: from_hex(plain(self.signature?)?)? },
            next_key: None,
            dropped: 0,
        })
    }
}

/// The text within quotes, if nothing in it is escaped.
fn plain(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"').filter(|text| !text.contains('\\'))
}

/// Goes through a text and stops where it is not in canonical form.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match self.peek()? {
            b'"' => self.string(),
            b'{' => self.object(depth, |_, _, _, _| Some(())),
            b'[' => self.list(depth),
            b'n' => self.word("null"),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => self.number(),
        }
    }

    /// An object whose keys are plain ASCII and in order. Each member is told with its value and where it starts and ends.
    fn object(
        &mut self,
        depth: usize,
        mut member: impl FnMut(&'a str, &'a str, usize, usize) -> Option<()>,
    ) -> Option<()> {
        self.expect(b'{')?;
        if self.peek()? == b'}' {
            return self.expect(b'}');
        }
        let mut before: Option<&str> = None;
        loop {
            let start = self.at;
            self.string()?;
            let key = plain(self.text.get(start..self.at)?).filter(|key| key.is_ascii())?;
            if before.is_some_and(|before| before >= key) {
                return None;
            }
            before = Some(key);
            self.expect(b':')?;
            let from = self.at;
            self.value(depth)?;
            member(key, self.text.get(from..self.at)?, start, self.at)?;
            if self.expect(b',').is_none() {
                return self.expect(b'}');
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        self.expect(b'[')?;
        if self.peek()? == b']' {
            return self.expect(b']');
        }
        loop {
            self.value(depth)?;
            if self.expect(b',').is_none() {
                return self.expect(b']');
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.text.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let unsigned = rest.strip_prefix('-').unwrap_or(rest);
        let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
        let is_plain = match unsigned.as_bytes().first()? {
            b'0' => digits == 1 && unsigned.len() == rest.len(),
            _ => (1..=DIGITS).contains(&digits),
        };
        self.at += rest.len() - unsigned.len() + digits;
        is_plain.then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.expect(b'"')?;
        loop {
            self.at += plain_length(self.text.as_bytes().get(self.at..)?);
            match self.peek()? {
                b'"' => return self.expect(b'"'),
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    /// An escape that has no shorter form. Those that are written with digits are left to others.
    fn escape(&mut self) -> Option<()> {
        let escaped = self.text.as_bytes().get(self.at + 1)?;
        b"\"\\bfnrt".contains(escaped).then(|| self.at += 2)
    }
}

/// How many bytes there are before one that ends a text or is escaped in it.
fn plain_length(bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let is_plain = |block: &&[u8; 16]| !block.iter().fold(false, |found, byte| found | needs_escape(*byte));
    let plain = blocks.iter().take_while(is_plain).count();
    let rest = blocks.get(plain).map_or(rest, |block| block.as_slice());
    16 * plain + rest.iter().position(|byte| needs_escape(*byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::receipt::verify::facts::Facts;
    use crate::receipt::{Chain, Event, Json, Object, Seed, SigningKey};

    /// What a receipt says when it is read with care, or nothing if it is refused.
    fn with_care(text: &[u8]) -> Option<String> {
        Facts::read_with_care(0, text).read.ok().map(|read| format!("{read:?}"))
    }

    fn sealed(name: &str, value: Json<'static>) -> String {
        let signer = SigningKey::from_seed(&Seed::from_bytes([3; 32])).unwrap();
        let mut chain = Chain::new("default", None, Some(signer.into()));
        let mut detail = Object::default();
        detail.set(name.to_owned(), value);
        let event = Event::new(EventKind::Mcp).with("inner", detail);
        chain.seal(&event.into(), Uuid::nil(), jiff::Timestamp::UNIX_EPOCH).json
    }

    #[test]
    fn ordinary_receipts_are_read_quickly() {
        let values = [Json::from("é \"quoted\"\n"), Json::from(vec![Some(17), None, Some(0)]), Json::from(true)];
        for value in values {
            let text = sealed("name", value);
            let read = read(text.as_bytes()).unwrap();
            assert_eq!(read.stated, read.actual);
            assert_eq!(Some(format!("{read:?}")), with_care(text.as_bytes()));
        }
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_left_to_others() {
        let text = sealed("name", Json::from("x"));
        for (from, to) in [
            (":", ": "),
            (r#""x""#, r#""\u0078""#),
            (r#""x""#, r#""\/""#),
            (r#""x""#, "01"),
            (r#""x""#, "-0"),
            (r#""x""#, "1.5"),
            (r#""x""#, "1e3"),
            (r#""x""#, "9007199254740993"),
            (r#""x""#, r#""x","name":"y""#),
            (r#""x""#, r#""x","a":"y""#),
            (r#""x""#, "nul"),
            (r#""x""#, ""),
            (r#""mcp""#, r#""key""#),
            (r#""mcp""#, r#""retention""#),
            (r#""sequence":0"#, r#""sequence":-1"#),
            ("tracehound-receipt-1", "tracehound-receipt-2"),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            assert!(read(changed.as_bytes()).is_none(), "{changed}");
        }
        assert!(read(&text.as_bytes()[..text.len() - 1]).is_none());
        assert!(read(format!("{text}{{}}").as_bytes()).is_none());
        assert!(read(format!("{text}\n").as_bytes()).is_some());
        assert!(read(br#"{"receipt_hash":"00"}"#).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_read_quickly_is_read_with_care_alike(
            name in "[a-c\u{e9}]{0,2}",
            value in any::<String>(),
            place in any::<prop::sample::Index>(),
            piece in prop::sample::select(&["", " ", "\"", "\\", "0", ",", "{}", "[]", ":", "e", "}", "\\n", "é"][..]),
            length in 0_usize..3,
        ) {
            let mut text = sealed(&name, Json::from(value)).into_bytes();
            let place = place.index(text.len());
            let end = (place + length).min(text.len());
            text.splice(place..end, piece.bytes());
            if let Some(read) = read(&text) {
                prop_assert_eq!(Some(format!("{:?}", read)), with_care(&text), "{}", String::from_utf8_lossy(&text));
            }
        }
    }
}
