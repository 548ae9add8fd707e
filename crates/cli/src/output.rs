//! Everything that is printed goes through here: results to standard output, the rest to standard error.
//!
//! Text that comes from scanned systems is shown with control characters, bidirectional overrides and invisible
//! characters escaped, so that a name can't move the cursor or read as something else.

use std::io::{self, Write as _};

use serde::Serialize;
use tracehound_graph::Error;

use crate::outcome::Outcome;

/// How many entries of a long list people are shown; programs get all.
pub(crate) const SHOWN: usize = 20;

/// How long a name is in lists and paths for people; programs and those who look at one thing get all of it.
const NAME: usize = 80;

/// The terminal, or whatever stands for it.
#[derive(Debug)]
pub(crate) struct Output {
    out: io::Stdout,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { out: io::stdout() }
    }

    /// Prints a line of a result.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> anyhow::Result<()> {
        // In one piece, so that nobody sees a part of it.
        self.out.write_all(format!("{}\n", text.as_ref()).as_bytes())?;
        // A line that was printed is one that a reader can rely on, also if we are stopped right after.
        self.out.flush()?;
        Ok(())
    }

    /// Prints a result for programs.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        self.line(safe_json(&text))
    }

    /// Prints rows under a heading.
    pub(crate) fn table<const N: usize>(
        &mut self,
        heading: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> anyhow::Result<()> {
        self.rows(heading.map(str::to_owned).to_vec(), rows.into_iter().map(|row| row.to_vec()))
    }

    /// Prints rows of as many cells as the heading has.
    pub(crate) fn rows(
        &mut self,
        heading: Vec<String>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> anyhow::Result<()> {
        let mut table = comfy_table::Table::new();
        table.load_style(comfy_table::presets::NOTHING).set_header(heading);
        for row in rows {
            table.add_row(row);
        }
        for line in table.lines() {
            self.line(line.trim_end())?;
        }
        Ok(())
    }

    /// Says how many entries of a list were not shown, if any.
    pub(crate) fn rest(&mut self, total: usize, indent: &str) -> anyhow::Result<()> {
        let rest = more(total, indent);
        if rest.is_empty() { Ok(()) } else { self.line(rest) }
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()?;
        Ok(())
    }

    /// Says why a command failed.
    pub(crate) fn failed(&mut self, error: &anyhow::Error) -> Outcome {
        note(&format!("error: {}", explain(error)));
        Outcome::of(error)
    }
}

/// Prints a line that is not part of a result.
pub(crate) fn note(text: &str) {
    // Nothing can be done about a standard error that does not take a line.
    let _ = writeln!(io::stderr(), "{text}");
}

/// An error with its causes, and for a refused document with each of its problems.
pub(crate) fn explain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for (depth, cause) in error.chain().enumerate() {
        if let Some(Error::Invalid(problems)) = cause.downcast_ref() {
            let noun = if problems.total == 1 { "error" } else { "errors" };
            text += &format!("validation failed: {} {noun}", problems.total);
            for problem in problems.problems.iter().take(SHOWN) {
                text += &format!("\n  {}: {}", safe(&problem.path), safe(&problem.message));
            }
            if let Some(rest) = problems.total.checked_sub(SHOWN).filter(|rest| *rest > 0) {
                text += &format!("\n  … and {rest} more (--format json lists the first thousand)");
            }
        } else {
            let separator = if depth == 0 { "" } else { ": " };
            // Some causes show an excerpt over several lines; the lines are theirs, what is in them is not.
            let lines: Vec<String> = cause.to_string().trim_end().lines().map(safe).collect();
            text += &format!("{separator}{}", lines.join("\n"));
        }
    }
    text
}

/// What is said of the entries of a list that are not shown; nothing when all are.
pub(crate) fn more(total: usize, before: &str) -> String {
    match total.checked_sub(SHOWN) {
        None | Some(0) => String::new(),
        Some(rest) => format!("{before}… and {rest} more (all with --format json)"),
    }
}

/// Whether somebody closed the pipe that we print to, which is no failure.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed))
}

/// The beginning of a text, escaped, with a mark where something is left out.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    let shown: String = text.chars().take(characters).collect();
    let mark = if shown.len() < text.len() { "…" } else { "" };
    format!("{}{mark}", safe(&shown))
}

/// A name, escaped, without its middle where it is very long: how it begins and how it ends tells things apart.
pub(crate) fn named(text: &str) -> String {
    let shown = safe(text);
    let count = shown.chars().count();
    if count <= NAME {
        return shown;
    }
    let begin: String = shown.chars().take(NAME / 2).collect();
    let end: String = shown.chars().skip(count - (NAME - NAME / 2 - 1)).collect();
    format!("{begin}…{end}")
}

/// A sentence that names things between backticks, with each name as [`named`] shows it.
pub(crate) fn titled(text: &str) -> String {
    let shown = |(position, part): (usize, &str)| if position % 2 == 1 { named(part) } else { safe(part) };
    text.split('`').enumerate().map(shown).collect::<Vec<_>>().join("`")
}

/// A text with everything escaped that a terminal would not show as itself. Line breaks in it are escaped too.
pub(crate) fn safe(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        if is_deceptive(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
        shown
    })
}

/// JSON text in which such characters are escaped as JSON does it. They stand only within strings, but for line breaks.
fn safe_json(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, character| {
        if character != '\n' && is_deceptive(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                shown += &format!("\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
        shown
    })
}

fn is_deceptive(character: char) -> bool {
    matches!(character,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' // controls, the escape that starts terminal sequences among them
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' // line breaks, overrides, joiners
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}') // tags and selectors: invisible, but read by models
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_play_tricks_on_the_terminal() {
        assert_eq!(safe("plain, naïve 名前 🦊"), "plain, naïve 名前 🦊");
        assert_eq!(safe("\u{1b}[2Jgone"), "\\u{1b}[2Jgone");
        assert_eq!(safe("a\nb\u{202e}c\u{200b}"), "a\\u{a}b\\u{202e}c\\u{200b}");
        assert_eq!(safe("\u{e0041}"), "\\u{e0041}");
        assert_eq!(safe("\u{61c}\u{3164}\u{fe0f}\u{e0100}"), "\\u{61c}\\u{3164}\\u{fe0f}\\u{e0100}");
    }

    #[test]
    fn escaped_json_is_the_same_json() {
        let value = serde_json::json!({ "a\u{9b}": "\u{202e}\u{e0041} naïve 🦊\n" });
        let text = safe_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(!text.contains('\u{9b}') && !text.contains('\u{202e}') && text.contains("naïve 🦊"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_long_text_is_marked_where_it_is_cut() {
        assert_eq!(shortened("naïve", 5), "naïve");
        assert_eq!(shortened("naïve text", 5), "naïve…");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        let long = format!("{}{}", "ä".repeat(70), "b".repeat(70));
        assert_eq!(named(&long), format!("{}…{}", "ä".repeat(40), "b".repeat(39)));
        assert_eq!(named(&"x".repeat(80)), "x".repeat(80));
        assert_eq!(named(&"\u{202e}".repeat(80)).chars().count(), 80, "escapes count as they are shown");
        assert_eq!(titled("`a` reads `b\n`, which is long"), "`a` reads `b\\u{a}`, which is long");
        assert_eq!(titled(&format!("tool `{long}` is poisoned")), format!("tool `{}` is poisoned", named(&long)));
        assert_eq!(titled(&"no name ".repeat(30)), "no name ".repeat(30));
    }

    #[test]
    fn what_is_not_shown_is_said() {
        assert_eq!(more(SHOWN, ""), "");
        assert_eq!(more(SHOWN + 3, "\n"), "\n… and 3 more (all with --format json)");
    }
}
