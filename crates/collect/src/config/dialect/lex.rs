//! The tokens of a text, without reading it: enough to count them before a parser makes room for each, and to see which
//! brackets are open.

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Open(u8),
    Close(u8),
    /// A string, a number, a word.
    Word,
    /// What stands between, and the end of a line.
    Mark,
}

/// How comments and strings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Json,
    Toml,
}

/// The tokens of a text, in order.
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    style: Style,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, style: Style) -> Self {
        Self { text: text.as_bytes(), style }
    }

    /// Leaves out everything up to a place.
    fn skip(&mut self, bytes: usize) {
        self.text = self.text.get(bytes..).unwrap_or_default();
    }

    /// Leaves out everything up to the first byte of this sort, and not the byte itself.
    fn skip_to(&mut self, is_end: impl Fn(u8) -> bool) {
        let length = self.text.iter().position(|byte| is_end(*byte)).unwrap_or(self.text.len());
        self.skip(length);
    }

    /// Leaves out a string, whose first quote is read already.
    fn skip_string(&mut self, quote: u8) {
        let is_toml = self.style == Style::Toml;
        let is_long = is_toml && self.text.starts_with(&[quote, quote]);
        let has_escapes = !(is_toml && quote == b'\'');
        let close: &[u8] = if is_long { &[quote; 3] } else { &[quote] };
        self.skip(if is_long { 2 } else { 0 });
        while let Some((byte, rest)) = self.text.split_first() {
            if self.text.starts_with(close) {
                return self.skip(close.len());
            }
            // A parser of TOML goes on behind a string that is never closed.
            if is_toml && !is_long && *byte == b'\n' {
                return;
            }
            self.text = rest;
            if has_escapes && *byte == b'\\' {
                self.skip(1);
            }
        }
    }

    fn skip_comment(&mut self) {
        let end = self.text.windows(2).position(|pair| pair == b"*/");
        self.skip(end.map_or(self.text.len(), |end| end + 2));
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let (byte, rest) = self.text.split_first()?;
            self.text = rest;
            let is_end_of_line = |byte| matches!(byte, b'\n' | b'\r');
            match (*byte, self.style) {
                (b'"' | b'\'', _) => {
                    self.skip_string(*byte);
                    return Some(Token::Word);
                }
                (b'/', Style::Json) if rest.first() == Some(&b'/') => self.skip_to(is_end_of_line),
                (b'/', Style::Json) if rest.first() == Some(&b'*') => {
                    self.skip(1);
                    self.skip_comment();
                }
                (b'#', Style::Toml) => self.skip_to(is_end_of_line),
                (b'{' | b'[', _) => return Some(Token::Open(*byte)),
                (b'}' | b']', _) => return Some(Token::Close(*byte)),
                (b',' | b':' | b'\n', _) | (b'=' | b'.', Style::Toml) => return Some(Token::Mark),
                (byte, _) if byte.is_ascii_whitespace() => {}
                _ => {
                    self.skip_to(|byte| byte.is_ascii_whitespace() || b"\"'/#{[}],:=.".contains(&byte));
                    return Some(Token::Word);
                }
            }
        }
    }
}
