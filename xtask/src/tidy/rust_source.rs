//! Rust source taken apart into code, string literals and comments, as far as the rules need it.
//!
//! Not a parser: it knows where literals and comments begin and end, and nothing of what the code means.

/// A file's text, taken apart.
pub(super) struct RustSource {
    /// The code, with every comment and the inside of every literal blanked. Lines stay where they are.
    pub(super) code: String,
    /// The string literals as written, without quotes, each with its line.
    pub(super) strings: Vec<(usize, String)>,
}

impl RustSource {
    /// Takes a file's text apart.
    pub(super) fn new(text: &str) -> Self {
        let mut scanner = Scanner { rest: text, line: 1, code: String::with_capacity(text.len()), strings: Vec::new() };
        while !scanner.rest.is_empty() {
            scanner.step();
        }
        Self { code: scanner.code, strings: scanner.strings }
    }

    /// The lines of items that exist only for tests, as ranges from first to last.
    pub(super) fn test_lines(&self) -> Vec<std::ops::RangeInclusive<usize>> {
        let starts = self.code.match_indices("#[cfg(test)]");
        starts.map(|(start, _)| line_of(&self.code, start)..=line_of(&self.code, self.end_of_item(start))).collect()
    }

    /// Where the item ends whose attribute starts here: at its semicolon, or where its braces close.
    fn end_of_item(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (offset, character) in self.code.get(start..).unwrap_or_default().char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth <= 1 => return start + offset,
                '}' => depth -= 1,
                ';' if depth == 0 => return start + offset,
                _ => {}
            }
        }
        self.code.len()
    }
}

/// The line of a position in a text, counted from 1.
pub(super) fn line_of(text: &str, position: usize) -> usize {
    text.get(..position).unwrap_or(text).matches('\n').count() + 1
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    code: String,
    strings: Vec<(usize, String)>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        if self.rest.starts_with("//") {
            self.blank(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.blank(block_comment(self.rest));
        } else if let Some(literal) = string_literal(self.rest) {
            let inside = self.rest.get(literal.open..literal.close).unwrap_or_default();
            self.strings.push((self.line, inside.to_owned()));
            self.keep(literal.open);
            self.blank(literal.close - literal.open);
            self.keep(literal.end - literal.close);
        } else if let Some(length) = char_literal(self.rest) {
            self.blank(length);
        } else {
            self.keep(word(self.rest));
        }
    }

    fn keep(&mut self, length: usize) {
        let (kept, rest) = self.rest.split_at(length);
        self.line += kept.matches('\n').count();
        self.code.push_str(kept);
        self.rest = rest;
    }

    fn blank(&mut self, length: usize) {
        let (blanked, rest) = self.rest.split_at(length);
        self.line += blanked.matches('\n').count();
        self.code.extend(blanked.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
        self.rest = rest;
    }
}

/// A string literal at the start of a text: where its inside begins and ends, and where it ends itself.
struct Literal {
    open: usize,
    close: usize,
    end: usize,
}

/// The plain, byte, C or raw string literal that the text starts with.
fn string_literal(text: &str) -> Option<Literal> {
    let prefix = text.bytes().take_while(|byte| matches!(byte, b'b' | b'c' | b'r')).count();
    let is_raw = text.get(..prefix)?.ends_with('r');
    if !["", "b", "c", "r", "br", "cr"].contains(&text.get(..prefix)?) {
        return None;
    }
    let hashes = text.get(prefix..)?.bytes().take_while(|byte| *byte == b'#').count();
    if hashes > 0 && !is_raw || !text.get(prefix + hashes..)?.starts_with('"') {
        return None;
    }
    let open = prefix + hashes + 1;
    let inside = text.get(open..)?;
    let length = if is_raw { inside.find(&format!("\"{}", "#".repeat(hashes))) } else { closing_quote(inside) };
    let close = open + length.unwrap_or(inside.len());
    Some(Literal { open, close, end: (close + 1 + hashes).min(text.len()) })
}

/// The first quote that no backslash escapes.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// The length of the character literal that the text starts with; a lifetime is none.
fn char_literal(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        // The character after the backslash may be a quote itself.
        let rest = inside.get(1..)?;
        let escaped = rest.chars().next()?.len_utf8();
        return rest.get(escaped..)?.find('\'').map(|end| 2 + escaped + end + 1);
    }
    let length = 1 + first.len_utf8();
    text.get(length..)?.starts_with('\'').then_some(length + 1)
}

/// The length of the block comment, with those inside it, that the text starts with.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut position = 0;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        let (step, change) = match rest {
            rest if rest.starts_with("/*") => (2, 1),
            rest if rest.starts_with("*/") => (2, -1),
            rest => (rest.chars().next().map_or(1, char::len_utf8), 0),
        };
        position += step;
        depth = depth.saturating_add_signed(change);
        if depth == 0 {
            break;
        }
    }
    position.min(text.len())
}

/// The length of the word that the text starts with, else of one character. A word is taken whole, so that the end of
/// a name is not taken for the beginning of a literal.
fn word(text: &str) -> usize {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    match text.find(|character| !is_word(character)) {
        Some(0) => text.chars().next().map_or(0, char::len_utf8),
        Some(end) => end,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str, strings: &[(usize, &str)]) {
        let source = RustSource::new(text);
        assert_eq!(source.code, code);
        let found: Vec<(usize, &str)> = source.strings.iter().map(|(line, text)| (*line, text.as_str())).collect();
        assert_eq!(found, strings);
    }

    #[test]
    fn comments_are_blanked() {
        check("a // \"b\"\nc /* d /* e */ f */ g", "a       \nc                   g", &[]);
    }

    #[test]
    fn strings_are_found_with_their_lines() {
        check("f(\"a\",\n \"b\\\"c\")", "f(\" \",\n \"    \")", &[(1, "a"), (2, "b\\\"c")]);
    }

    #[test]
    fn raw_and_byte_strings_are_strings() {
        check("r#\"a\"b\"# b\"c\" br\"d\"", "r#\"   \"# b\" \" br\" \"", &[(1, "a\"b"), (1, "c"), (1, "d")]);
    }

    #[test]
    fn a_string_over_lines_counts_from_its_first() {
        check("\"a\nb\" \"c\"", "\" \n \" \" \"", &[(1, "a\nb"), (2, "c")]);
    }

    #[test]
    fn quotes_as_characters_begin_no_string() {
        check("['\"', '\\'', 'ä'] \"a\"", "[   ,     ,    ] \" \"", &[(1, "a")]);
    }

    #[test]
    fn lifetimes_are_code() {
        check("fn f<'a>(x: &'a str) {} 'l: loop {}", "fn f<'a>(x: &'a str) {} 'l: loop {}", &[]);
    }

    #[test]
    fn a_name_that_ends_like_a_prefix_is_code() {
        check("number\"a\" r#type", "number\" \" r#type", &[(1, "a")]);
    }

    #[test]
    fn what_is_only_for_tests_ends_with_its_item() {
        let source =
            RustSource::new("#[cfg(test)]\nuse a;\nfn b() {}\n#[cfg(test)]\nmod c {\n fn d() {}\n}\nfn e() {}\n");
        assert_eq!(source.test_lines(), [1..=2, 4..=7]);
    }
}
