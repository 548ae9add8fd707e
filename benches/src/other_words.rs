//! Rules of the same shape about other words: what a rule set is with twice the rules.

use regex_syntax::hir::{Capture, Class, Hir, HirKind, Repetition};
use tracehound_rules::rule::{Matcher, Rule};

/// The rule with every letter of its terms and patterns replaced by the one thirteen places on.
pub(crate) fn in_other_words(rule: &Rule) -> Rule {
    Rule {
        id: format!("{}-2", rule.id.chars().take(60).collect::<String>()),
        matcher: matcher(&rule.matcher),
        ..rule.clone()
    }
}

fn matcher(original: &Matcher) -> Matcher {
    let mut changed = original.clone();
    match &mut changed {
        Matcher::Keyword { keywords: terms, .. } | Matcher::Prefix { prefixes: terms, .. } => {
            for term in terms {
                *term = term.chars().map(turned).collect();
            }
        }
        Matcher::Regex { pattern, .. } => {
            if let Ok(hir) = regex_syntax::parse(pattern) {
                *pattern = turned_hir(&hir).to_string();
            }
        }
        Matcher::Compound { matchers, .. } => {
            for part in matchers {
                *part = matcher(part);
            }
        }
        Matcher::Score { signals, .. } => {
            for signal in signals {
                signal.matcher = matcher(&signal.matcher);
            }
        }
        Matcher::Entropy { .. } | Matcher::Model { .. } => {}
    }
    changed
}

fn turned(letter: char) -> char {
    let turn = |first: u8, letter: char| char::from(first + (letter as u8 - first + 13) % 26);
    match letter {
        'a'..='z' => turn(b'a', letter),
        'A'..='Z' => turn(b'A', letter),
        other => other,
    }
}

fn turned_hir(hir: &Hir) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(turned_hir).collect();
    match hir.kind() {
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0).chars().map(turned).collect::<String>();
            Hir::literal(text.into_bytes())
        }
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(class.clone())),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(turned_hir(&repetition.sub)), ..repetition.clone() })
        }
        HirKind::Capture(capture) => {
            Hir::capture(Capture { sub: Box::new(turned_hir(&capture.sub)), ..capture.clone() })
        }
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
        HirKind::Empty | HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => hir.clone(),
    }
}
