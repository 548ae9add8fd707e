//! "Did you mean": the known word that is nearest to one that is not known.

/// Words longer than this are not compared: nothing known is that long, and the comparison is quadratic.
const LONGEST: usize = 64;

/// The known word that most likely was meant, if one is near enough.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().filter_map(|candidate| Some((distance_if_near(word, candidate)?, candidate)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// How many letters a known word is away from one that somebody typed, whatever their case; none if that is so far that it
/// was hardly meant.
#[must_use]
pub fn distance_if_near(word: &str, known: &str) -> Option<usize> {
    let letters = |text: &str| text.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (word, known) = (letters(word), letters(known));
    // A third of the letters may differ; beyond that any word is near to any other.
    let furthest = (word.len() / 3).max(1);
    if word.len() > LONGEST || word.len().abs_diff(known.len()) > furthest {
        return None;
    }
    Some(distance(&word, &known)).filter(|distance| *distance <= furthest)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (i, &a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in to.iter().enumerate() {
            let replaced = at(&above, j) + usize::from(a != b);
            let mut best = replaced.min(at(&above, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && from.get(i - 1) == Some(&b) && to.get(j - 1) == Some(&a);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    at(&above, to.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_far_ones_are_not() {
        let known = ["keyword", "prefix", "regex", "entropy"];
        for (word, expected) in [
            ("keywords", Some("keyword")),
            ("REGEX", Some("regex")),
            ("rgeex", Some("regex")),
            ("entrophy", Some("entropy")),
            ("glob", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
        assert_eq!(nearest(&"k".repeat(100_000), known), None);
    }
}
