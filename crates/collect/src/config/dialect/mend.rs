//! Mends the slips that people make in JSON by hand: lines that start with `#`, and brackets that are never closed.
//!
//! Lines stay lines, so positions in the mended text are positions in the file.

use super::lex::{Style, Token, Tokens};

/// The text with `#` lines as comments and with the brackets closed that are open at its end.
pub(super) fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        match line.get(start..).and_then(|rest| rest.strip_prefix('#')) {
            Some(rest) => {
                out.push_str(line.get(..start).unwrap_or_default());
                out.push_str("//");
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    let closers = open_brackets(&out);
    out.extend(closers.into_iter().rev());
    out
}

/// The brackets that close what is open at the end of a text.
fn open_brackets(text: &str) -> Vec<char> {
    let mut open = Vec::new();
    for token in Tokens::new(text, Style::Json) {
        match token {
            Token::Open(b'{') => open.push('}'),
            Token::Open(_) => open.push(']'),
            Token::Close(byte) if open.last() == Some(&char::from(byte)) => drop(open.pop()),
            _ => {}
        }
    }
    open
}
