//! As much of DER as a public key needs: one element after the other, lengths in their only form.

/// The tags that a public key is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    Integer = 0x02,
    BitString = 0x03,
    Sequence = 0x30,
}

/// An element's content, and what follows it.
pub(super) fn element(bytes: &[u8], tag: Tag) -> Option<(&[u8], &[u8])> {
    let (first, rest) = bytes.split_first()?;
    if *first != tag as u8 {
        return None;
    }
    let (length, rest) = length(rest)?;
    rest.split_at_checked(length)
}

/// An element's content, if nothing follows it.
pub(super) fn only(bytes: &[u8], tag: Tag) -> Option<&[u8]> {
    element(bytes, tag).filter(|(_, rest)| rest.is_empty()).map(|(content, _)| content)
}

/// A length: one byte below 128, else a count of one or two bytes and the number, which must need them. A public key
/// never has 64 KiB.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match bytes {
        [short @ 0..=0x7f, rest @ ..] => Some((usize::from(*short), rest)),
        [0x81, long @ 0x80..=0xff, rest @ ..] => Some((usize::from(*long), rest)),
        [0x82, high @ 1..=0xff, low, rest @ ..] => Some((usize::from(*high) << 8 | usize::from(*low), rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_ends_where_its_length_says() {
        assert_eq!(element(&[0x02, 1, 5, 9], Tag::Integer), Some((&[5][..], &[9][..])));
        assert_eq!(element(&[0x02, 1, 5], Tag::Sequence), None);
        assert_eq!(only(&[0x30, 0], Tag::Sequence), Some(&[][..]));
        assert_eq!(only(&[0x30, 0, 0], Tag::Sequence), None, "something follows");
        let long: Vec<u8> = [0x03, 0x82, 1, 0].into_iter().chain([7; 256]).collect();
        assert_eq!(only(&long, Tag::BitString), Some(&[7; 256][..]));
    }

    #[test]
    fn a_length_has_one_form_only() {
        for bytes in [
            &[][..],
            &[0x02],
            &[0x02, 2, 5],
            &[0x02, 0x80, 5],
            &[0x02, 0x81, 1, 5],
            &[0x02, 0x82, 0, 1, 5],
            &[0x02, 0x83, 0, 0, 1, 5],
            &[0x02, 0xff],
        ] {
            assert_eq!(element(bytes, Tag::Integer), None, "{bytes:02x?}");
        }
    }
}
