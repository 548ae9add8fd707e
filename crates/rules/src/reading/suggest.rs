//! "Did you mean": the known word that is nearest to one that is not known.

/// Words longer than this are not compared: nothing known is that long, and the comparison is quadratic.
const LONGEST: usize = 64;

/// The known word that most likely was meant, if one is near enough.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word: Vec<char> = word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    if word.len() > LONGEST {
        return None;
    }
    // A third of the letters may differ; beyond that any word is near to any other.
    let furthest = (word.len() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= furthest)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
fn distance(from: &[char], to: &str) -> usize {
    let to: Vec<char> = to.chars().flat_map(char::to_lowercase).collect();
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
