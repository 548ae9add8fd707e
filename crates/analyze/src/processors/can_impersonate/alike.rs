//! Which documents are alike, without comparing all pairs.
//!
//! The words of a document are ordered from common to rare. As long as the common ones together are shorter than the
//! threshold, they alone make nothing alike; so two documents that are alike share one of the rare words that are left in
//! both, and only documents that do are compared.
//!
//! Growth: the words of documents, and for each pair that shares such a word the words of both.

use std::collections::HashMap;

use super::documents::Vector;

/// Above it two documents are alike.
const THRESHOLD: f64 = 0.8;

/// By how much sums of the same numbers may differ.
const TOLERANCE: f64 = 1e-9;

/// For each document those that are like it, with how much; itself is the first, and equal to itself.
pub(super) fn all(vectors: &[Vector]) -> Vec<Vec<(usize, f64)>> {
    let mut alike: Vec<Vec<(usize, f64)>> = (0..vectors.len()).map(|place| vec![(place, 1.0)]).collect();
    let mut by_word: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, vector) in vectors.iter().enumerate() {
        let mut near: Vec<usize> = Vec::new();
        for (word, _) in rare(vector) {
            near.extend(by_word.get(word).into_iter().flatten());
            by_word.entry(*word).or_default().push(place);
        }
        near.sort_unstable();
        near.dedup();
        for other in near {
            let cosine = vectors.get(other).map_or(0.0, |other| product(vector, other));
            if cosine > THRESHOLD + TOLERANCE {
                alike.get_mut(place).into_iter().for_each(|like| like.push((other, cosine)));
                alike.get_mut(other).into_iter().for_each(|like| like.push((place, cosine)));
            }
        }
    }
    alike
}

/// The rare words of a document: without them it is shorter than the threshold.
fn rare(vector: &Vector) -> &[(u32, f64)] {
    let mut square = 0.0;
    let first = vector.iter().position(|(_, weight)| {
        square += weight * weight;
        square >= THRESHOLD * THRESHOLD
    });
    first.and_then(|first| vector.get(first..)).unwrap_or(vector)
}

/// The cosine of two vectors of length one.
fn product(one: &Vector, other: &Vector) -> f64 {
    let mut rest = other.iter().peekable();
    let mut sum = 0.0;
    for (word, weight) in one {
        while rest.next_if(|(other, _)| other < word).is_some() {}
        if let Some((_, other)) = rest.next_if(|(other, _)| other == word) {
            sum += weight * other;
        }
    }
    sum
}
