//! The ledger as a page.

use std::fmt::Write as _;

use super::tally::{Ledger, Section};

/// The ledger as Markdown: one table per section, and one per section rule by rule.
#[must_use]
pub fn markdown(ledger: &Ledger) -> String {
    let mut page = String::new();
    for section in &ledger.sections {
        let _ = writeln!(page, "## {}\n", capitalised(&section.name));
        lines(&mut page, section);
        if !section.rules.is_empty() {
            let _ = writeln!(page, "### {}, rule by rule\n", capitalised(&section.name));
            let _ = writeln!(page, "| rule | found | found by no other rule | false alarms |\n|---|--:|--:|--:|");
            for rule in &section.rules {
                let _ = writeln!(page, "| `{}` | {} | {} | {} |", rule.rule, rule.found, rule.alone, rule.false_alarms);
            }
            page.push('\n');
        }
    }
    page
}

fn lines(page: &mut String, section: &Section) {
    let _ =
        writeln!(page, "| | found | recall | false alarms | rate | precision | F1 |\n|---|--:|--:|--:|--:|--:|--:|");
    for line in &section.lines {
        let score = line.score;
        let part = |part: usize, whole: usize| if whole == 0 { "–".to_owned() } else { format!("{part} / {whole}") };
        let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.3}"));
        let percent =
            |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.2} %", share * 100.0));
        let both = score.among > 0 && score.of > 0;
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            line.name,
            part(score.found, score.of),
            share(score.recall()),
            part(score.false_alarms, score.among),
            percent(score.false_alarm_rate()),
            share(score.precision().filter(|_| both)),
            share(score.f1().filter(|_| both)),
        );
    }
    page.push('\n');
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
