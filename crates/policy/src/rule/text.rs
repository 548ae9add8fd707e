//! Just enough reading of Cedar's text to find brackets and clauses; strings and comments are stepped over.

/// The longest clause that is shown, in bytes.
const LONGEST_CLAUSE: usize = 2000;
/// Attributes of attributes that count as one.
const FREE_DOTS: usize = 8;

/// Where an expression gets deeper than this: brackets, operators in a row, choices in choices. An estimate from above.
///
/// Checked before parsing. Parsing and evaluating recurse, and how far they get must not depend on how much stack there
/// happens to be. Linear in the text.
pub(super) fn too_deep(body: &str, deepest: usize) -> Option<usize> {
    let (mut before, mut dots) = (b' ', 0usize);
    // What each open bracket holds so far, and their sum.
    let (mut levels, mut depth) = (vec![0usize], 0usize);
    for (offset, byte) in code(body) {
        dots = if byte == b'.' {
            dots + 1
        } else if is_word(byte) {
            dots
        } else {
            0
        };
        let adds = match byte {
            b'(' | b'[' | b'{' => {
                levels.push(0);
                true
            }
            b')' | b']' | b'}' => {
                // The bracket itself counts for what is around it only while it is open.
                depth = depth.saturating_sub(levels.pop().unwrap_or(0));
                false
            }
            b';' => {
                (levels, depth) = (vec![0], 0);
                false
            }
            b'&' | b'|' => before == byte,
            b'!' | b'+' | b'-' | b'*' => true,
            b'.' => dots > FREE_DOTS,
            b'i' if !is_word(before) => {
                let rest = body.as_bytes().get(offset + 1..).unwrap_or_default();
                rest.first() == Some(&b'f') && !rest.get(1).is_some_and(|next| is_word(*next))
            }
            _ => false,
        };
        if adds {
            depth += 1;
            if let Some(level) = levels.last_mut() {
                *level += 1;
            }
        }
        if depth > deepest {
            return Some(offset);
        }
        before = byte;
    }
    None
}

/// The conditions of a policy and where they begin, or its head if it has none.
pub(super) fn clause(source: &str) -> (usize, String) {
    let (mut depth, mut before) = (0usize, b' ');
    let mut start = 0;
    for (offset, byte) in code(source) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !is_word(before) && before != b'@' => {
                let rest = source.get(offset..).unwrap_or_default();
                let begins =
                    |word: &str| rest.strip_prefix(word).is_some_and(|rest| !rest.bytes().next().is_some_and(is_word));
                if begins("when") || begins("unless") {
                    return (offset, shortened(rest));
                }
                if begins("permit") || begins("forbid") {
                    start = offset;
                }
            }
            _ => {}
        }
        before = byte;
    }
    (start, shortened(source.get(start..).unwrap_or_default()))
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn shortened(text: &str) -> String {
    let text = text.trim_end().trim_end_matches(';').trim_end();
    if text.len() <= LONGEST_CLAUSE {
        return text.to_owned();
    }
    let fits = |(offset, letter): &(usize, char)| offset + letter.len_utf8() <= LONGEST_CLAUSE;
    text.char_indices().take_while(fits).map(|(_, letter)| letter).chain(['…']).collect()
}

/// The bytes that are neither in a string nor in a comment, with their offsets.
fn code(text: &str) -> impl Iterator<Item = (usize, u8)> {
    #[derive(Clone, Copy)]
    enum State {
        Code,
        Slash,
        Comment,
        String,
        Escape,
    }
    let step = |state: &mut State, (offset, byte): (usize, u8)| {
        let was = *state;
        *state = match (was, byte) {
            (State::Code | State::Slash, b'"') => State::String,
            (State::Code, b'/') => State::Slash,
            (State::Slash, b'/') => State::Comment,
            (State::Code | State::Slash, _) | (State::Comment, b'\n') | (State::String, b'"') => State::Code,
            (State::String, b'\\') => State::Escape,
            (State::String | State::Escape, _) => State::String,
            (State::Comment, _) => State::Comment,
        };
        let is_code = matches!(was, State::Code | State::Slash) && matches!(*state, State::Code);
        Some(is_code.then_some((offset, byte)))
    };
    text.bytes().enumerate().scan(State::Code, step).flatten()
}
