//! Variable-length integers: seven bits a byte, low bits first. Most lengths and key numbers take one byte.

/// Appends a number.
pub(crate) fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        // Truncation is the point: the low seven bits and the mark that more follow.
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a number and moves `bytes` past it. Nothing when the bytes end too early.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Reads a length and that many bytes, and moves `bytes` past them.
pub(crate) fn read_slice<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(read(bytes)?).ok()?;
    take(bytes, length)
}

/// Takes so many bytes off the front.
pub(crate) fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(front)
}

/// Signed to unsigned, small sizes staying small.
pub(crate) const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`zigzag`].
pub(crate) const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            write(&mut out, value);
            let mut rest = out.as_slice();
            assert_eq!((read(&mut rest), rest.len()), (Some(value), 0));
        }
        for value in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
    }

    #[test]
    fn bytes_that_end_too_early_are_no_number() {
        assert_eq!(read(&mut [0x80].as_slice()), None);
        assert_eq!(read_slice(&mut [5, 1, 2].as_slice()), None);
        assert_eq!(read(&mut [0xff; 11].as_slice()), None);
    }
}
