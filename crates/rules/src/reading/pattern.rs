//! Patterns: whether one is a regular expression that takes linear time and little memory.

use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_syntax::ast::parse::ParserBuilder as AstParser;
use regex_syntax::ast::{Ast, ErrorKind, Span};
use regex_syntax::hir::translate::TranslatorBuilder as Translator;

use super::problem::Complaint;
use crate::limits;

/// A pattern as a file writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern<'p> {
    /// The field that holds it, for messages.
    pub(crate) field: &'static str,
    pub(crate) text: &'p str,
    pub(crate) is_case_insensitive: bool,
}

impl Pattern<'_> {
    /// The syntax tree of a pattern whose syntax is right.
    pub(crate) fn parse(&self) -> Result<Ast, Complaint> {
        let parsed = AstParser::new().nest_limit(limits::PATTERN_DEPTH).build().parse(self.text);
        parsed.map_err(|error| match error.kind() {
            ErrorKind::UnsupportedLookAround => self.unsupported("look-around", error.span()),
            ErrorKind::UnsupportedBackreference => self.unsupported("a back-reference", error.span()),
            kind => self.broken(error.span(), kind),
        })
    }

    /// The compiled size of a good pattern. A refusal may take as long as the largest good one.
    pub(crate) fn compiled_size(&self, ast: &Ast) -> Result<usize, Complaint> {
        let field = self.field;
        let mut translator = Translator::new();
        let translated = translator.case_insensitive(self.is_case_insensitive).build().translate(self.text, ast);
        let hir = translated.map_err(|error| self.broken(error.span(), error.kind()))?;
        match hir.properties().minimum_len() {
            Some(0) => {
                let help = "use + instead of *, or leave out a part that may be missing";
                return Err(Complaint::with_help(format!("`{field}` matches the empty text, and so every text"), help));
            }
            None => return Err(Complaint::new(format!("`{field}` can never match"))),
            Some(_) => {}
        }
        let config =
            NFA::config().nfa_size_limit(Some(limits::PATTERN_COMPILED_BYTES)).which_captures(WhichCaptures::None);
        match NFA::compiler().configure(config).build_from_hir(&hir) {
            Ok(nfa) => Ok(nfa.memory_usage()),
            Err(error) if error.size_limit().is_some() => {
                let most = limits::PATTERN_COMPILED_BYTES >> 10;
                let message = format!("`{field}` takes more than {most} KiB when compiled");
                Err(Complaint::with_help(message, "repeat less, or use [a-z0-9_] in place of \\w"))
            }
            Err(error) => Err(Complaint::new(format!("`{field}` does not compile: {error}"))),
        }
    }

    /// Which character of the pattern a part of it starts at, from 1.
    fn place(&self, span: &Span) -> usize {
        self.text.get(..span.start.offset).map_or(1, |before| before.chars().count() + 1)
    }

    fn unsupported(&self, what: &str, span: &Span) -> Complaint {
        let message = format!("`{}` uses {what} at character {}", self.field, self.place(span));
        Complaint::with_help(message, "not supported: patterns take linear time")
    }

    fn broken(&self, span: &Span, kind: &dyn std::fmt::Display) -> Complaint {
        Complaint::new(format!("`{}` does not compile at character {}: {kind}", self.field, self.place(span)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, is_case_insensitive: bool) -> Result<usize, Complaint> {
        let pattern = Pattern { field: "pattern", text, is_case_insensitive };
        pattern.compiled_size(&pattern.parse()?)
    }

    #[test]
    fn refusals_say_why_and_where() {
        for (pattern, expected) in [
            ("é(b", "`pattern` does not compile at character 2: unclosed group"),
            (r"a(?=b)", "`pattern` uses look-around at character 2"),
            (r"(?<!a)b", "`pattern` uses look-around at character 1"),
            (r"(a)\1", "`pattern` uses a back-reference at character 4"),
            (r"\pX", "`pattern` does not compile at character 1: Unicode property not found"),
            (r"(?-u)\xff", "`pattern` does not compile at character 6: pattern can match invalid UTF-8"),
            ("a*", "`pattern` matches the empty text, and so every text"),
            (r"\b", "`pattern` matches the empty text, and so every text"),
            ("", "`pattern` matches the empty text, and so every text"),
            ("a[b&&c]", "`pattern` can never match"),
            ("(a{1000}){1000}", "`pattern` takes more than 1024 KiB when compiled"),
            (r"(\w{100}){10}", "`pattern` takes more than 1024 KiB when compiled"),
        ] {
            assert_eq!(check(pattern, false).expect_err(pattern).message, expected, "{pattern}");
        }
        let deep = format!("{}a{}", "(".repeat(60), ")".repeat(60));
        assert!(check(&deep, false).expect_err("too deep").message.contains("nested parentheses"));
    }

    #[test]
    fn usual_patterns_are_well_within_the_limit() {
        for pattern in [
            r"https?://[^\s]+\.(sh|ps1)\b",
            r"gh[pousr]_[A-Za-z0-9]{36,255}",
            r"\w{8}",
            r"(?i)ignore .{0,40} instructions",
        ] {
            for case_insensitive in [false, true] {
                assert!(check(pattern, case_insensitive).expect(pattern) < limits::PATTERN_COMPILED_BYTES / 2);
            }
        }
    }
}
