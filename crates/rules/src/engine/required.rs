//! The literals that a regular expression cannot match without.
//!
//! The answer is a conjunction of groups: of every group at least one literal occurs in each text that matches. A
//! regular expression runs only on texts in which all of its groups occurred, and that is known from the one pass
//! over the text which looks for all literals of all rules.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// A literal, as bytes.
pub(super) type Literal = Vec<u8>;

/// Literals of which at least one must occur.
pub(super) type Group = Vec<Literal>;

/// Literals of this length are telling; shorter ones are used only where there are no others.
const TELLING: usize = 3;
/// Shorter literals occur in nearly every text and would only make the pass slower.
const SHORTEST: usize = 2;
/// Longer literals are cut to this many bytes: more hardly occur less often, and cost memory.
const LONGEST: usize = 12;
/// Literals in one group.
const MOST: usize = 256;
/// Texts that a part of an expression may stand for before it is no longer spelled out.
const SPELLED: usize = 64;
/// Members of a class that is spelled out.
const CLASS_MOST: usize = 10;
/// Groups kept for one expression. A third one hardly refuses what two let through.
const GROUPS: usize = 2;

/// The groups of an expression, the most telling first; none if it has no useful literals.
///
/// ASCII letters are in lower case: the pass over the text takes them in either.
pub(super) fn groups(hir: &Hir) -> Vec<Group> {
    let groups = Required::of(hir).into_groups().into_iter().map(cut);
    let mut groups: Vec<Group> = groups.filter(is_useful).collect();
    groups.sort_by(|a, b| quality(b).cmp(&quality(a)).then_with(|| a.cmp(b)));
    groups.dedup();
    let telling = groups.iter().filter(|group| quality(group).0 >= TELLING).count();
    groups.truncate(telling.clamp(1, GROUPS));
    groups.into_iter().map(shortened).collect()
}

/// Characters beyond ASCII that are the same as an ASCII letter when case is ignored. They are spelled as that letter;
/// in a text that holds one, which is rare, literals tell nothing.
pub(super) const DISGUISED: [(char, char); 2] = [('\u{17f}', 's'), ('\u{212a}', 'k')];

/// Whether every text that matches holds a character beyond ASCII.
pub(super) fn needs_beyond_ascii(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => !literal.0.is_ascii(),
        HirKind::Class(Class::Unicode(class)) => class.ranges().first().is_some_and(|range| !range.start().is_ascii()),
        HirKind::Class(Class::Bytes(class)) => class.ranges().first().is_some_and(|range| !range.start().is_ascii()),
        HirKind::Repetition(repetition) => repetition.min > 0 && needs_beyond_ascii(&repetition.sub),
        HirKind::Capture(capture) => needs_beyond_ascii(&capture.sub),
        HirKind::Concat(parts) => parts.iter().any(needs_beyond_ascii),
        HirKind::Alternation(branches) => branches.iter().all(needs_beyond_ascii),
    }
}

/// What is known of the texts that a part of an expression matches.
struct Required {
    /// All of them, where they are few.
    exact: Option<Group>,
    /// Otherwise what each of them holds.
    groups: Vec<Group>,
}

impl Required {
    fn of(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::exactly(vec![Vec::new()]),
            HirKind::Literal(literal) => Self::exactly(vec![lowered(&literal.0)]),
            HirKind::Class(class) => members(class).map_or_else(Self::unknown, Self::exactly),
            HirKind::Repetition(repetition) => Self::of_repetition(repetition),
            HirKind::Capture(capture) => Self::of(&capture.sub),
            HirKind::Concat(parts) => Self::of_sequence(parts.iter().map(Self::of)),
            HirKind::Alternation(branches) => Self::of_branches(branches.iter().map(Self::of).collect()),
        }
    }

    fn exactly(texts: Group) -> Self {
        Self { exact: Some(texts), groups: Vec::new() }
    }

    fn unknown() -> Self {
        Self { exact: None, groups: Vec::new() }
    }

    fn of_sequence(parts: impl Iterator<Item = Self>) -> Self {
        let mut groups = Vec::new();
        let mut run = vec![Vec::new()];
        let mut is_whole = true;
        for part in parts {
            let Some(texts) = part.exact else {
                is_whole = false;
                groups.push(std::mem::replace(&mut run, vec![Vec::new()]));
                groups.extend(part.groups);
                continue;
            };
            if let Some(longer) = crossed(&run, &texts) {
                run = longer;
            } else {
                is_whole = false;
                groups.push(std::mem::replace(&mut run, texts));
            }
        }
        if is_whole {
            return Self::exactly(run);
        }
        groups.push(run);
        Self { exact: None, groups }
    }

    fn of_repetition(repetition: &Repetition) -> Self {
        let once = Self::of(&repetition.sub);
        let Some(texts) = once.exact else {
            return Self { exact: None, groups: if repetition.min > 0 { once.groups } else { Vec::new() } };
        };
        if let Some(all) = repetition.max.and_then(|max| repeated(&texts, repetition.min, max)) {
            return Self::exactly(all);
        }
        if repetition.min == 0 {
            return Self::unknown();
        }
        let at_least = repeated(&texts, repetition.min, repetition.min).unwrap_or(texts);
        Self { exact: None, groups: vec![at_least] }
    }

    fn of_branches(branches: Vec<Self>) -> Self {
        let total: usize = branches.iter().map(|branch| branch.exact.as_ref().map_or(SPELLED + 1, Vec::len)).sum();
        if total <= SPELLED {
            return Self::exactly(deduplicated(branches.into_iter().filter_map(|branch| branch.exact).flatten()));
        }
        let mut union = Vec::new();
        for branch in branches {
            let best = branch.into_groups().into_iter().map(cut).max_by(|a, b| quality(a).cmp(&quality(b)));
            let Some(best) = best.filter(is_useful) else {
                return Self::unknown();
            };
            union.extend(best);
        }
        Self { exact: None, groups: vec![deduplicated(union.into_iter())] }
    }

    fn into_groups(self) -> Vec<Group> {
        let mut groups = self.groups;
        groups.extend(self.exact);
        groups
    }
}

/// The members of a small class, each as a literal.
fn members(class: &Class) -> Option<Group> {
    let few = |total: usize| total <= 2 * CLASS_MOST + DISGUISED.len();
    let group = match class {
        Class::Unicode(class) if few(class.ranges().iter().map(|range| range.len()).sum()) => {
            let characters = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            deduplicated(characters.map(|c| lowered(c.to_string().as_bytes())))
        }
        Class::Bytes(class) if few(class.ranges().iter().map(|range| range.len()).sum()) => {
            let bytes = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            deduplicated(bytes.map(|byte| lowered(&[byte])))
        }
        _ => return None,
    };
    (group.len() <= CLASS_MOST).then_some(group)
}

/// A literal as the pass over the text looks for it.
fn lowered(literal: &[u8]) -> Literal {
    match str::from_utf8(literal) {
        Ok(text) if !text.is_ascii() => {
            let plain =
                |c: char| DISGUISED.iter().find(|(disguised, _)| *disguised == c).map_or(c, |(_, plain)| *plain);
            text.chars().map(|c| plain(c).to_ascii_lowercase()).collect::<String>().into_bytes()
        }
        _ => literal.to_ascii_lowercase(),
    }
}

/// Every text of `left` followed by every text of `right`, unless these become too many or too long.
fn crossed(left: &[Literal], right: &[Literal]) -> Option<Group> {
    let longest = |texts: &[Literal]| texts.iter().map(Vec::len).max().unwrap_or(0);
    if left.len() * right.len() > SPELLED || longest(left) + longest(right) > 2 * LONGEST {
        return None;
    }
    Some(deduplicated(left.iter().flat_map(|l| right.iter().map(move |r| [l.as_slice(), r].concat()))))
}

/// Texts repeated `min` to `max` times, unless these become too many or too long.
fn repeated(texts: &[Literal], min: u32, max: u32) -> Option<Group> {
    // A class of no members has no texts at all, however often it stands there.
    let mut all = Vec::new();
    let mut power = vec![Vec::new()];
    for times in 0..=max {
        if times >= min {
            all.extend(power.iter().cloned());
        }
        if all.len() > SPELLED {
            return None;
        }
        if times < max {
            power = crossed(&power, texts)?;
        }
    }
    Some(deduplicated(all.into_iter()))
}

fn deduplicated(literals: impl Iterator<Item = Literal>) -> Group {
    let mut group: Group = literals.collect();
    group.sort();
    group.dedup();
    group
}

/// The group with its literals cut to the longest useful length.
fn cut(mut group: Group) -> Group {
    group.iter_mut().for_each(|literal| literal.truncate(LONGEST));
    deduplicated(group.into_iter())
}

/// The group without literals that hold another one.
fn shortened(group: Group) -> Group {
    let holds_other = |literal: &Literal| {
        group.iter().any(|other| other.len() < literal.len() && literal.windows(other.len()).any(|part| part == other))
    };
    group.iter().filter(|literal| !holds_other(literal)).cloned().collect()
}

fn is_useful(group: &Group) -> bool {
    // An empty group belongs to an expression that can match nothing; running it is simplest.
    !group.is_empty() && group.len() <= MOST && group.iter().all(|literal| literal.len() >= SHORTEST)
}

/// How telling a group is: the length of its shortest literal first, then how few they are.
fn quality(group: &Group) -> (usize, std::cmp::Reverse<usize>) {
    let shortest = group.iter().map(Vec::len).min().unwrap_or(0);
    (shortest.min(12), std::cmp::Reverse(group.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expected: &[&[&str]]) {
        let hir = regex_syntax::parse(pattern).unwrap();
        let found: Vec<Vec<String>> = groups(&hir)
            .iter()
            .map(|group| group.iter().map(|literal| String::from_utf8_lossy(literal).into_owned()).collect())
            .collect();
        assert_eq!(found, expected, "{pattern}");
    }

    #[test]
    fn a_sequence_of_few_texts_is_spelled_out() {
        check("(send|post) (all )?it", &[&["post all it", "post it", "send all it", "send it"]]);
    }

    #[test]
    fn what_stands_around_a_gap_is_two_groups() {
        check("ignore.{0,20}rules", &[&["ignore"], &["rules"]]);
    }

    #[test]
    fn optional_parts_and_short_literals_are_no_use() {
        check("(secret)?[0-9]+a", &[]);
    }

    #[test]
    fn a_branch_without_literals_spoils_its_alternation() {
        check("(token|[0-9]{40})x", &[]);
        check("cc: [0-9]+ab", &[&["cc: "]]);
        check("[0-9]+ab", &[&["ab"]]);
        check("(token[0-9]+|key[a-z]+)", &[&["key", "token"]]);
    }

    #[test]
    fn counted_repetitions_are_spelled_out() {
        check("(?:ab){2,}[0-9]{9}", &[&["abab"]]);
        check("x[ab]{2}y", &[&["xaay", "xaby", "xbay", "xbby"]]);
    }

    #[test]
    fn literals_are_in_lower_case_whatever_the_expression_says_of_case() {
        check("(?i)Task", &[&["task"]]);
        check("Task|TASK", &[&["task"]]);
    }

    #[test]
    fn expressions_of_characters_beyond_ascii_are_known() {
        let beyond = |pattern: &str| needs_beyond_ascii(&regex_syntax::parse(pattern).unwrap());
        assert!(beyond("a*[\u{200b}-\u{200f}]+"));
        assert!(!beyond("[\u{200b}-\u{200f}]?a"));
        assert!(!beyond("[a\u{200b}]"));
    }
}
