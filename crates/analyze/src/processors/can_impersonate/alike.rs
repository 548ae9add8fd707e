//! Which documents are alike, without comparing all pairs.
//!
//! The words of a document are ordered from common to rare. As long as the common ones together are shorter than the
//! threshold, they alone make nothing alike; so two documents that are alike share one of the rare words that are left in
//! both, and only documents that do are looked at. What rare words add to the product is known by then, and the common ones
//! add at most the product of the lengths that are left; only where that could be enough are two documents compared.
//!
//! Growth: the words of documents, and for each pair that shares such a word the words that it shares. Pairs of documents
//! that are made of few words are many, but to look at one takes a few steps.

use rustc_hash::FxHashMap;

use super::documents::Vector;

/// Above it two documents are alike.
const THRESHOLD: f64 = 0.8;

/// By how much sums of the same numbers may differ.
const TOLERANCE: f64 = 1e-9;

/// For each document those that are like it, with how much; itself is the first, and equal to itself.
pub(super) fn all(vectors: &[Vector]) -> Vec<Vec<(usize, f64)>> {
    let mut alike: Vec<Vec<(usize, f64)>> = (0..vectors.len()).map(|place| vec![(place, 1.0)]).collect();
    let mut by_word: FxHashMap<u32, Vec<(usize, f64)>> = FxHashMap::default();
    let documents: Vec<Document<'_>> = vectors.iter().map(Document::new).collect();
    // How much of the product with each document before comes from rare words of both.
    let mut shared: Vec<f64> = vec![0.0; vectors.len()];
    for (place, document) in documents.iter().enumerate() {
        let mut near: Vec<usize> = Vec::new();
        for (word, weight) in document.rare() {
            let with = by_word.entry(*word).or_default();
            for (other, others) in with.iter() {
                let Some(sum) = shared.get_mut(*other) else { continue };
                if *sum == 0.0 {
                    near.push(*other);
                }
                *sum += weight * others;
            }
            with.push((place, *weight));
        }
        let mut could_be = |other: &usize| {
            let sum = shared.get_mut(*other).map_or(0.0, std::mem::take);
            documents.get(*other).is_some_and(|before| sum + document.rest(before) > THRESHOLD)
        };
        near.retain(&mut could_be);
        near.sort_unstable();
        for other in near {
            let Some(before) = documents.get(other) else { continue };
            let cosine = product(document.vector, before.vector);
            if cosine > THRESHOLD + TOLERANCE {
                alike.get_mut(place).into_iter().for_each(|like| like.push((other, cosine)));
                alike.get_mut(other).into_iter().for_each(|like| like.push((place, cosine)));
            }
        }
    }
    alike
}

/// A document to be compared.
struct Document<'a> {
    vector: &'a Vector,
    /// How long it is without the words from each on.
    lengths: Vec<f64>,
    /// The place of its first rare word: the words before it are together shorter than the threshold.
    first: usize,
    /// That word, and how long the document is before it.
    word: u32,
    length: f64,
}

impl<'a> Document<'a> {
    fn new(vector: &'a Vector) -> Self {
        let mut square = 0.0;
        let before = |(_, weight): &(u32, f64)| {
            let length = f64::sqrt(square);
            square += weight * weight;
            length
        };
        let lengths: Vec<f64> = vector.iter().map(before).collect();
        let is_short = |length: &f64| length * length < THRESHOLD * THRESHOLD;
        let first = lengths.partition_point(is_short).saturating_sub(1);
        let word = vector.get(first).map_or(0, |(word, _)| *word);
        let length = lengths.get(first).copied().unwrap_or(0.0);
        Self { vector, lengths, first, word, length }
    }

    fn rare(&self) -> &'a [(u32, f64)] {
        self.vector.get(self.first..).unwrap_or_default()
    }

    /// How long it is without a word and those that are rarer.
    fn length_before(&self, word: u32) -> f64 {
        let place = self.vector.partition_point(|(other, _)| *other < word);
        self.lengths.get(place).copied().unwrap_or(1.0)
    }

    /// The most that words which are not rare in both can add to the product with another document.
    fn rest(&self, other: &Self) -> f64 {
        let (early, late) = if self.word < other.word { (self, other) } else { (other, self) };
        early.length_before(late.word) * late.length
    }
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
