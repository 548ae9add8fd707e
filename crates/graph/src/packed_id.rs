//! Node ids as the store holds them: a hash takes 33 bytes instead of 71.

use std::borrow::Cow;

use tracehound_model::hash;

use crate::bag::unhex;

const FOREIGN: u8 = 0;
const DIGEST: u8 = 1;
const PREFIX: &str = "sha256:";

/// The packed length of an id of the usual form.
pub(crate) const DIGEST_BYTES: usize = 33;

/// Appends an id in packed form; says whether it had the usual form.
pub(crate) fn write(out: &mut Vec<u8>, id: &str) -> bool {
    if let Some(bytes) = id.strip_prefix(PREFIX).and_then(unhex) {
        out.push(DIGEST);
        out.extend_from_slice(&bytes);
        true
    } else {
        out.push(FOREIGN);
        out.extend_from_slice(id.as_bytes());
        false
    }
}

/// An id in packed form.
pub(crate) fn pack(id: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(33);
    write(&mut out, id);
    out
}

/// The id that was packed.
pub(crate) fn text(packed: &[u8]) -> Cow<'_, str> {
    match packed.split_first() {
        Some((&DIGEST, bytes)) => Cow::Owned(format!("{PREFIX}{}", hash::hex(bytes))),
        Some((_, bytes)) => String::from_utf8_lossy(bytes),
        None => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_reads_back_exactly() {
        let usual = format!("sha256:{}", "a1".repeat(32));
        for id in [usual.as_str(), &usual.to_uppercase(), "agent-1", "sha256:short", "é", "e\u{301}"] {
            assert_eq!(text(&pack(id)), id);
        }
        assert_eq!(pack(&usual).len(), 33);
        assert_ne!(pack("é"), pack("e\u{301}"));
    }
}
