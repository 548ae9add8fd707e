//! Letters that look like Latin ones.

use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

/// The lower-case ASCII letter that this letter, in its original case, could be taken for.
pub(super) fn latin(c: char) -> Option<u8> {
    if may_look_latin(c) { look_up(c) } else { None }
}

/// Whether the letter is written in the Latin script.
pub(super) fn is_latin(c: char) -> bool {
    matches!(
        c,
        'a'..='z' | 'A'..='Z' | '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{2af}' | '\u{1d00}'..='\u{1dbf}'
            | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' | '\u{a720}'..='\u{a7ff}' | '\u{ab30}'..='\u{ab64}'
            | '\u{1f130}'..='\u{1f189}'
    )
}

/// Whether letters come from scripts that no language writes together.
pub(super) fn mixes_scripts(letters: impl Iterator<Item = char>) -> bool {
    let mut common = AugmentedScriptSet::default();
    for letter in letters {
        common.intersect_with(AugmentedScriptSet::for_char(letter));
    }
    common.is_empty()
}

/// Letters with marks are the spelling of many languages, and large scripts hold no look-alikes.
fn may_look_latin(c: char) -> bool {
    match c {
        '\u{131}' | '\u{237}' => true,
        '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' => false,
        '\u{f900}'..='\u{faff}' | '\u{20000}'.. => false,
        _ => c.is_alphabetic(),
    }
}

fn look_up(c: char) -> Option<u8> {
    let mut lower = c.to_lowercase();
    let small = lower.next().filter(|_| lower.next().is_none()).unwrap_or(c);
    let by_small = || prototype(small);
    if small == c {
        return by_small();
    }
    match prototype(c) {
        // A capital that looks like a bare stroke is an I; its small letter says which.
        Some(b'l') => by_small().or(Some(b'i')),
        Some(latin) => Some(latin),
        None => by_small(),
    }
}

/// The letter's shape, if it is that of a Latin letter.
fn prototype(c: char) -> Option<u8> {
    if let Some(latin) = by_shape(c) {
        return Some(latin);
    }
    let mut buffer = [0; 4];
    let mut shape = skeleton(c.encode_utf8(&mut buffer));
    match (shape.next()?, shape.next(), shape.next()) {
        (first, None, _) if first.is_ascii_alphabetic() => Some(first.to_ascii_lowercase() as u8),
        (first, None, _) => by_shape(first),
        ('r', Some('n'), None) => Some(b'm'),
        _ => None,
    }
}

/// Shapes that the confusables data keeps apart from Latin small letters, but that readers take for them.
fn by_shape(c: char) -> Option<u8> {
    const NEGATIVE: [u32; 2] = [0x1f150, 0x1f170];
    let code = u32::from(c);
    for start in NEGATIVE {
        if let Some(offset) = code.checked_sub(start).filter(|&offset| offset < 26) {
            return u8::try_from(offset).ok().map(|offset| b'a' + offset);
        }
    }
    Some(match c {
        'ᴀ' | 'α' | 'ɑ' => b'a',
        'ʙ' | 'β' => b'b',
        'ᴄ' => b'c',
        'ᴅ' => b'd',
        'ᴇ' | 'ε' | 'є' | 'ɛ' => b'e',
        'ꜰ' => b'f',
        'ɢ' | 'ɡ' => b'g',
        'ʜ' | 'һ' => b'h',
        'ɪ' | 'ı' | 'ɩ' => b'i',
        'ᴊ' | 'ȷ' => b'j',
        'ᴋ' | 'ĸ' | 'к' | 'κ' => b'k',
        'ʟ' => b'l',
        'ᴍ' | 'ʍ' => b'm',
        'ɴ' | 'η' | 'ո' => b'n',
        'ᴏ' => b'o',
        'ᴘ' => b'p',
        'ꞯ' => b'q',
        'ʀ' => b'r',
        'ꜱ' => b's',
        'ᴛ' | 'т' | 'τ' => b't',
        'ᴜ' | 'υ' => b'u',
        'ᴠ' => b'v',
        'ᴡ' | 'ω' => b'w',
        'ʏ' => b'y',
        'ᴢ' => b'z',
        _ => return None,
    })
}
