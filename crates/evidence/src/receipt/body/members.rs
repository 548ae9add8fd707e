//! Writing an object directly in RFC 8785 form, by a caller that names its members in order.
//!
//! It notes where the members belong that the hash does not cover, so that the object as it is listed is made of the bytes
//! that were hashed.

use crate::receipt::UNHASHED;
use crate::receipt::hash::{Hash, sha256_of};
use crate::receipt::json::{Object, SafeInteger, write_integer, write_text};

/// An object being written: every member is followed by a comma.
#[derive(Debug, Default)]
pub(in crate::receipt) struct Members {
    text: String,
    last: &'static str,
    /// Where `receipt_hash` belongs, and where `signature` and `signer_key_id` belong.
    places: [Option<usize>; 2],
}

impl Members {
    pub(in crate::receipt) fn with_capacity(bytes: usize) -> Self {
        let mut text = String::with_capacity(bytes);
        text.push('{');
        Self { text, ..Self::default() }
    }

    /// The hash of the object as it is written so far, closed.
    pub(in crate::receipt) fn hash(&self) -> Hash {
        let open = self.text.strip_suffix(',').unwrap_or(&self.text);
        sha256_of(&[open.as_bytes(), b"}"])
    }

    /// The whole object. The members that are not hashed have no member between the last two of them.
    pub(in crate::receipt) fn whole(self, hash: &Hash, signed: Option<(&str, &str)>) -> String {
        let end = self.text.len();
        let [first, second] = self.places.map(|place| place.unwrap_or(end));
        let piece = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let mut whole = Self { text: String::with_capacity(end + 320), ..Self::default() };
        let [hash_key, signature_key, signer_key] = UNHASHED;
        whole.text.push_str(piece(0, first));
        whole.text(hash_key, &hash.hex());
        whole.text.push_str(piece(first, second));
        whole.optional(signature_key, signed.map(|(signature, _)| signature));
        whole.optional(signer_key, signed.map(|(_, key_id)| key_id));
        whole.text.push_str(piece(second, end));
        whole.closed()
    }

    /// The object as it was written.
    pub(in crate::receipt) fn closed(mut self) -> String {
        close(&mut self.text, '}');
        self.text
    }

    fn key(&mut self, key: &'static str) {
        debug_assert!(self.last < key, "{key} is not in order");
        self.last = key;
        let [hash_key, signature_key, _] = UNHASHED;
        for (place, unhashed) in self.places.iter_mut().zip([hash_key, signature_key]) {
            if place.is_none() && key > unhashed {
                *place = Some(self.text.len());
            }
        }
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
    }

    pub(in crate::receipt) fn text(&mut self, key: &'static str, value: &str) {
        self.key(key);
        write_text(&mut self.text, value);
        self.text.push(',');
    }

    pub(in crate::receipt) fn optional(&mut self, key: &'static str, value: Option<&str>) {
        match value {
            Some(value) => self.text(key, value),
            None => {
                self.key(key);
                self.text.push_str("null,");
            }
        }
    }

    pub(in crate::receipt) fn flag(&mut self, key: &'static str, value: bool) {
        self.key(key);
        self.text.push_str(if value { "true," } else { "false," });
    }

    pub(in crate::receipt) fn integer(&mut self, key: &'static str, value: i64) {
        debug_assert!(SafeInteger::new(value).is_some(), "{value} is too large");
        self.key(key);
        write_integer(&mut self.text, value);
        self.text.push(',');
    }

    /// A count of receipts, which never reaches 2^53: at a million a second that takes three centuries.
    pub(in crate::receipt) fn number(&mut self, key: &'static str, value: u64) {
        self.integer(key, i64::try_from(value).unwrap_or(SafeInteger::MAX));
    }

    pub(in crate::receipt) fn previous(&mut self, hash: Option<Hash>) {
        self.text("prev_receipt_hash", &hash.map(|hash| hash.hex()).unwrap_or_default());
    }

    pub(in crate::receipt) fn object(&mut self, key: &'static str, value: &Object<'static>) {
        self.key(key);
        value.write(&mut self.text, &[]);
        self.text.push(',');
    }

    pub(in crate::receipt) fn list<T>(&mut self, key: &'static str, items: &[T], write: impl Fn(&T, &mut Self)) {
        self.key(key);
        // Members of the items are no members of the object.
        let places = self.places;
        self.text.push('[');
        for item in items {
            self.text.push('{');
            self.last = "";
            write(item, self);
            close(&mut self.text, '}');
            self.text.push(',');
        }
        close(&mut self.text, ']');
        self.text.push(',');
        (self.last, self.places) = (key, places);
    }
}

/// Puts a bracket in place of the comma after the last member or item, if there is one.
fn close(text: &mut String, bracket: char) {
    if text.ends_with(',') {
        text.pop();
    }
    text.push(bracket);
}
