//! From bytes to text: UTF-8 with or without a mark, UTF-16 with one, and what is neither.

use super::super::tree::Position;
use super::{Cursor, Slip};

/// A file's text, and where it was not text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// The first place that had to be replaced.
    pub(crate) slip: Option<Slip>,
}

/// Reads bytes as text. What can't be read is replaced by U+FFFD, so that the rest still can be.
pub(crate) fn decode(bytes: Vec<u8>) -> Decoded {
    let utf16 = match bytes.get(..2) {
        // Shells of Windows write this when output is sent to a file.
        Some([0xff, 0xfe]) => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        Some([0xfe, 0xff]) => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    if let Some(join) = utf16 {
        let units = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        let units = units.map(|pair| join([pair.first().copied().unwrap_or(0), pair.get(1).copied().unwrap_or(0)]));
        let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        let is_odd = bytes.len() % 2 == 1;
        let at = text.find(char::REPLACEMENT_CHARACTER).or_else(|| is_odd.then_some(text.len()));
        let slip = at.map(|offset| not_text(&text, offset, "UTF-16"));
        return Decoded { text, slip };
    }
    let has_mark = bytes.starts_with(b"\xef\xbb\xbf");
    match String::from_utf8(bytes) {
        Ok(text) if has_mark => Decoded { text: text.chars().skip(1).collect(), slip: None },
        Ok(text) => Decoded { text, slip: None },
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let slip = not_text(&text, offset, "UTF-8");
            Decoded { text: text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text), slip: Some(slip) }
        }
    }
}

fn not_text(text: &str, offset: usize, encoding: &str) -> Slip {
    let at: Position = Cursor::new(text).at(offset);
    Slip::remark(at, format!("not {encoding} text from here on; unreadable bytes were replaced"))
}
