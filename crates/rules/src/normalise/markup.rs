//! What HTML and Markdown hide or disguise: comments and character references. Also what starts a line of its own.

use std::ops::Range;

/// A comment with its marks, and what stands between them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    pub(super) whole: Range<usize>,
    pub(super) content: Range<usize>,
}

pub(super) const HTML_COMMENT: &str = "<!--";

/// Reads an HTML comment that starts at `at`. One that never ends runs to the end of the text, as in a browser.
pub(super) fn html_comment(source: &str, at: usize) -> Option<Comment> {
    const END: &str = "-->";
    let rest = source.get(at..)?;
    if !rest.starts_with(HTML_COMMENT) {
        return None;
    }
    let start = at + HTML_COMMENT.len();
    // `<!-->` is a whole comment: the end may share the dashes of the start.
    let overlapping = at + HTML_COMMENT.len() - 2;
    let end = source.get(overlapping..).and_then(|rest| rest.find(END)).map(|found| overlapping + found);
    Some(match end {
        Some(end) => Comment { whole: at..end + END.len(), content: start..end.max(start) },
        None => Comment { whole: at..source.len(), content: start..source.len() },
    })
}

/// Reads a Markdown comment, which is a link definition that nothing refers to, from the start of a line.
pub(super) fn markdown_comment(source: &str, at: usize) -> Option<Comment> {
    const LABELS: [&str; 2] = ["[//]:", "[comment]:"];
    let line = source.get(at..)?.split(['\n', '\r']).next()?;
    let rest = LABELS.iter().find_map(|label| line.strip_prefix(label))?.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix('#').or_else(|| rest.strip_prefix("<>"))?.trim_start_matches([' ', '\t']);
    let close = match rest.chars().next()? {
        '(' => ')',
        quote @ ('"' | '\'') => quote,
        _ => return None,
    };
    let start = at + line.len() - rest.len() + 1;
    let end = rest.get(1..)?.rfind(close).map_or(at + line.len(), |found| start + found);
    Some(Comment { whole: at..at + line.len(), content: start..end })
}

/// Decodes a character reference that starts at `at`: the character, and where the text goes on.
pub(super) fn character_reference(source: &str, at: usize) -> Option<(char, usize)> {
    // The longest is a number with some leading zeros.
    const LONGEST: usize = 12;
    let rest = source.as_bytes().get(at + 1..)?;
    let length = rest.iter().take(LONGEST).position(|&byte| byte == b';')?;
    let name = source.get(at + 1..at + 1 + length)?;
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => numeric(name)?,
    };
    Some((c, at + length + 2))
}

fn numeric(name: &str) -> Option<char> {
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32)
}

/// Whether a line starts something of its own: a list item, a heading, a table row, a quotation, a fence.
pub(super) fn starts_block(line: &str) -> bool {
    let after_marker = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']);
    if is_block_line(line) || line.starts_with('>') {
        return true;
    }
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–', '·']) {
        return after_marker(rest);
    }
    const LONGEST_NUMBER: usize = 3;
    let digits = line.bytes().take(LONGEST_NUMBER + 1).take_while(u8::is_ascii_digit).count();
    let numbered = line.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')'])).is_some_and(after_marker);
    (1..=LONGEST_NUMBER).contains(&digits) && numbered
}

/// Whether nothing goes on after the end of this line: a heading, a table row, a fence.
pub(super) fn is_block_line(line: &str) -> bool {
    line.starts_with(['#', '|']) || line.starts_with("```") || line.starts_with("~~~")
}
