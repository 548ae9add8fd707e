//! Receipts out of a file or an answer: one a line, as a JSON list, or as `{"receipts": [...]}`.
//!
//! Cuts the text into pieces in bounded memory and looks no further than brackets and quotes; what a piece is worth is
//! seen when it is read.

use std::io::{self, BufRead, Read as _};

use super::json::LINE_LIMIT;

/// The receipts in a text, each as its bytes. One that is longer than [`LINE_LIMIT`] is given up to a byte beyond it, which is
/// enough to be refused.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    form: Form,
    /// What stands after a list and must not.
    rest: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing was read.
    Unknown,
    /// One receipt a line.
    Lines,
    /// Within a list, which is the value of a member of an object or stands alone.
    List { is_member: bool },
    /// Everything was read.
    Done,
}

impl<R: BufRead> Lines<R> {
    /// The receipts in this text.
    pub const fn new(input: R) -> Self {
        Self { input, form: Form::Unknown, rest: None }
    }

    fn next_piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            match self.form {
                Form::Done => return Ok(self.rest.take()),
                Form::Unknown => {
                    if let Some(piece) = self.find_form()? {
                        return Ok(Some(piece));
                    }
                }
                Form::List { is_member } => {
                    if let Some(item) = self.item(is_member)? {
                        return Ok(Some(item));
                    }
                }
                Form::Lines => match self.line(Vec::new())? {
                    Some(line) if line.trim_ascii().is_empty() => {}
                    line => return Ok(line),
                },
            }
        }
    }

    /// Tells the form by how the text begins, and gives the first line if it is lines.
    fn find_form(&mut self) -> io::Result<Option<Vec<u8>>> {
        // Long enough for any white space that somebody may put before the first receipt.
        const BEGINNING: usize = 256;
        let mut beginning = Vec::new();
        for expected in [&b"["[..], b"{", b"\"receipts\"", b":", b"["] {
            let found = self.skip_to_token(&mut beginning, expected, BEGINNING)?;
            match (found, expected) {
                (true, b"[") => {
                    self.form = Form::List { is_member: beginning.trim_ascii().starts_with(b"{") };
                    return Ok(None);
                }
                (false, b"[") if beginning.trim_ascii().is_empty() => {}
                (true, _) => {}
                (false, _) => break,
            }
        }
        self.form = Form::Lines;
        Ok(self.line(beginning)?.filter(|line| !line.trim_ascii().is_empty()))
    }

    /// Reads white space and then this token, if it is there, to the end of what was read.
    fn skip_to_token(&mut self, read: &mut Vec<u8>, token: &[u8], limit: usize) -> io::Result<bool> {
        let mut matched = 0;
        while let Some(byte) = self.peek()? {
            let is_space = matched == 0 && byte.is_ascii_whitespace() && read.len() < limit;
            if !is_space && token.get(matched) != Some(&byte) {
                return Ok(false);
            }
            matched += usize::from(!is_space);
            self.input.consume(1);
            read.push(byte);
            if matched == token.len() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The rest of a line whose beginning was read; none at the end of the text.
    fn line(&mut self, mut line: Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        let room = (LINE_LIMIT + 1).saturating_sub(line.len()) as u64;
        (&mut self.input).take(room).read_until(b'\n', &mut line)?;
        if line.len() > LINE_LIMIT {
            self.input.skip_until(b'\n')?;
        } else if !line.ends_with(b"\n") {
            self.form = Form::Done;
        }
        Ok((!line.is_empty()).then_some(line))
    }

    /// The next item of a list, up to the comma or bracket after it.
    fn item(&mut self, is_member: bool) -> io::Result<Option<Vec<u8>>> {
        let mut item = Vec::new();
        let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
        let is_over = self.take_while(&mut item, |byte| {
            if in_text {
                in_text = is_escaped || byte != b'"';
                is_escaped = !is_escaped && byte == b'\\';
                return true;
            }
            match byte {
                b',' | b']' if depth == 0 => return false,
                b'"' => in_text = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            true
        })?;
        if is_over {
            // A list without an end: what is left is no receipt, and is refused as such.
            self.form = Form::Done;
            return Ok(Some(item));
        }
        let is_last = self.peek()? == Some(b']');
        self.input.consume(1);
        if is_last {
            self.end_list(is_member)?;
        }
        // After the last comma of a list, and in an empty one, there is nothing.
        Ok((!is_last || !item.trim_ascii().is_empty()).then_some(item))
    }

    /// Sees to it that nothing stands after a list but the end of the object around it. An object that goes on could hold
    /// another list that somebody else reads instead.
    fn end_list(&mut self, is_member: bool) -> io::Result<()> {
        self.form = Form::Done;
        let mut rest = Vec::new();
        if is_member && !self.skip_to_token(&mut Vec::new(), b"}", LINE_LIMIT)? {
            rest.extend(b"after the list: ");
        }
        self.take_while(&mut rest, |_| true)?;
        self.rest = Some(rest).filter(|rest| !rest.trim_ascii().is_empty());
        Ok(())
    }

    /// Takes bytes as long as told to, and keeps as many as are kept of a receipt; says whether the input ended first.
    fn take_while(&mut self, piece: &mut Vec<u8>, mut is_taken: impl FnMut(u8) -> bool) -> io::Result<bool> {
        while self.peek()?.is_some() {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|byte| !is_taken(*byte));
            let taken = end.unwrap_or(buffer.len());
            let room = (LINE_LIMIT + 1).saturating_sub(piece.len());
            piece.extend_from_slice(buffer.get(..taken.min(room)).unwrap_or_default());
            self.input.consume(taken);
            if end.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let piece = self.next_piece();
        if piece.is_err() {
            self.form = Form::Done;
        }
        piece.transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// The pieces of a text, whatever the size of the buffer.
    fn check(text: &str, expected: &[&str]) {
        for capacity in [1, 3, 4096] {
            let lines = Lines::new(BufReader::with_capacity(capacity, text.as_bytes()));
            let pieces: Vec<String> =
                lines.map(|line| String::from_utf8(line.unwrap()).unwrap().trim().to_owned()).collect();
            assert_eq!(pieces, expected, "{text} by {capacity}");
        }
    }

    #[test]
    fn every_form_gives_the_same_receipts() {
        let expected = [r#"{"a":[1,"],{"]}"#, r#"{"b":"\\\""}"#];
        let [first, second] = expected;
        check(&format!("{first}\n{second}\n"), &expected);
        check(&format!("\n\n  {first}\r\n\n{second}"), &expected);
        check(&format!("[{first},{second}]"), &expected);
        check(&format!(" [ {first} ,\n {second} ]\n"), &expected);
        check(&format!("{{\"receipts\":[{first},{second}]}}"), &expected);
        check(&format!("{{\n  \"receipts\" : [{first},{second}\n] }}\n"), &expected);
    }

    #[test]
    fn nothing_is_nothing() {
        for text in ["", "\n \n", "[]", " [ ] ", "{\"receipts\":[]}"] {
            check(text, &[]);
        }
    }

    #[test]
    fn what_is_no_list_of_receipts_does_not_pass_for_one() {
        check("{\"receipts\":[{}],\"receipts\":[]}", &["{}", "after the list: ,\"receipts\":[]}"]);
        check("[{}] [{}]", &["{}", "[{}]"]);
        check("[{},", &["{}", ""]);
        check("[{", &["{"]);
        check("[,{}]", &["", "{}"]);
        check("{\"receipts\":{}}", &["{\"receipts\":{}}"]);
        check("{\"rec\":1}\n{}", &["{\"rec\":1}", "{}"]);
        check("no", &["no"]);
    }

    #[test]
    fn what_is_too_long_is_cut_and_the_rest_follows() {
        let long = "x".repeat(LINE_LIMIT + 100);
        for text in [format!("{{}}\n{long}\n{{}}"), format!("[{{}},{long},{{}}]")] {
            let lengths: Vec<usize> =
                Lines::new(text.as_bytes()).map(|line| line.unwrap().trim_ascii().len()).collect();
            assert_eq!(lengths, [2, LINE_LIMIT + 1, 2]);
        }
    }
}
