//! Mends the slips that people make in JSON by hand: lines that start with `#`, and brackets that are never closed.
//!
//! Lines stay lines, so positions in the mended text are positions in the file.

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
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' | '\'' => {
                while let Some(next) = characters.next() {
                    match next {
                        '\\' => drop(characters.next()),
                        end if end == character => break,
                        _ => {}
                    }
                }
            }
            '/' if characters.peek() == Some(&'/') => {
                characters.by_ref().find(|next| *next == '\n');
            }
            '/' if characters.peek() == Some(&'*') => {
                let mut last = ' ';
                for next in characters.by_ref() {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' if open.last() == Some(&character) => drop(open.pop()),
            _ => {}
        }
    }
    open
}
