//! Code spans and links in Markdown, as far as the rules need them: line by line, blocks of code left out.

/// Something in a text, with its line counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) line: usize,
    pub(super) text: String,
}

/// What a Markdown text says in code spans and points to in links.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Markdown {
    pub(super) spans: Vec<Found>,
    pub(super) links: Vec<Found>,
}

/// Takes numbered lines of Markdown apart.
pub(super) fn read<'a>(lines: impl IntoIterator<Item = (usize, &'a str)>) -> Markdown {
    let mut markdown = Markdown::default();
    let mut fence: Option<&str> = None;
    for (line, text) in lines {
        let start = text.trim_start().trim_start_matches("> ");
        if let Some(open) = fence {
            if start.starts_with(open) {
                fence = None;
            }
        } else if let Some(open) = ["```", "~~~"].into_iter().find(|open| start.starts_with(open)) {
            fence = Some(open);
        } else {
            let (spans, prose) = split(text);
            let found = |text: &str| Found { line, text: text.to_owned() };
            markdown.spans.extend(spans.into_iter().map(found));
            markdown.links.extend(links(&prose).into_iter().map(found));
        }
    }
    markdown
}

/// The code spans of a line, and the line without them.
fn split(text: &str) -> (Vec<&str>, String) {
    let mut spans = Vec::new();
    let mut prose = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let (before, from_ticks) = rest.split_at(start);
        prose.push_str(before);
        let inside = from_ticks.trim_start_matches('`');
        let ticks = from_ticks.len() - inside.len();
        let Some(end) = inside.find(&"`".repeat(ticks)) else {
            // Ticks without a partner on the line open no span.
            rest = inside;
            continue;
        };
        let (span, after) = inside.split_at(end);
        spans.push(span.trim());
        prose.push(' ');
        rest = after.get(ticks..).unwrap_or_default();
    }
    prose.push_str(rest);
    (spans, prose)
}

/// The targets of the links in a line: `[text](target)` and `[label]: target`.
fn links(prose: &str) -> Vec<&str> {
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let definition = prose.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, rest)| rest);
    // What follows the target is a title.
    inline.chain(definition).filter_map(|target| target.split_whitespace().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, spans: &[&str], links: &[&str]) {
        let markdown = read(text.lines().enumerate());
        let texts = |found: Vec<Found>| found.into_iter().map(|found| found.text).collect::<Vec<_>>();
        assert_eq!(texts(markdown.spans), spans);
        assert_eq!(texts(markdown.links), links);
    }

    #[test]
    fn spans_are_found_whatever_their_ticks() {
        check("a `b` c ``d`e`` f", &["b", "d`e"], &[]);
    }

    #[test]
    fn a_tick_without_a_partner_opens_no_span() {
        check("a ` b\nc `d` e", &["d"], &[]);
    }

    #[test]
    fn blocks_of_code_are_left_out() {
        check("```rust\nlet a = `b`;\n[c](d)\n```\n`e`", &["e"], &[]);
    }

    #[test]
    fn links_are_found_outside_code() {
        check("[a](b.md) ![c](d.png \"title\") `[e](f)`\n[g]: h.md", &["[e](f)"], &["b.md", "d.png", "h.md"]);
    }
}
