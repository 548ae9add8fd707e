//! Which documents are alike, without comparing all pairs.
//!
//! The words of a document are ordered from common to rare. As long as the common ones together are shorter than the
//! threshold, they alone make nothing alike; so two documents that are alike share one of the rare words that are left in
//! both, and only documents that do are looked at, from the rarest word on. Where two meet first they share none of the rarer
//! words, so they can be alike by no more than that word and what is commoner in both: most pairs end there. Of the others
//! the sum over rare words is known in the end, and the common ones add at most the product of the lengths that are left;
//! only where that could be enough are two documents compared.
//!
//! Growth: the words of documents, and for each pair that shares such a word a step for each that it shares. Pairs of
//! documents that are made of few words are many, but a step is a few operations on an array that is in the cache.

use super::documents::Vector;

/// Above it two documents are alike.
const THRESHOLD: f64 = 0.8;

/// By how much sums of the same numbers may differ.
const TOLERANCE: f64 = 1e-9;

/// For each document those that are like it, with how much; itself is the first, and equal to itself.
pub(super) fn all(vectors: &[Vector]) -> Vec<Vec<(usize, f64)>> {
    let mut alike: Vec<Vec<(usize, f64)>> = (0..vectors.len()).map(|place| vec![(place, 1.0)]).collect();
    let mut documents: Vec<(usize, Document<'_>)> = vectors.iter().map(Document::new).enumerate().collect();
    // Whoever comes later has the later first rare word, so what both have from there on is rare in both.
    documents.sort_by_key(|(place, document)| (document.word, *place));
    let words = vectors.iter().filter_map(|vector| vector.last()).map(|(word, _)| *word as usize + 1).max();
    let mut before = Before::new(words.unwrap_or(0), documents.len());
    for (turn, (place, document)) in documents.iter().enumerate() {
        for other in before.near(turn as u32, document) {
            let Some((other, earlier)) = documents.get(other as usize) else { continue };
            let cosine = product(document.vector, earlier.vector);
            if cosine > THRESHOLD + TOLERANCE {
                alike.get_mut(*place).into_iter().for_each(|like| like.push((*other, cosine)));
                alike.get_mut(*other).into_iter().for_each(|like| like.push((*place, cosine)));
            }
        }
    }
    alike.iter_mut().filter_map(|like| like.get_mut(1..)).for_each(|like| like.sort_by_key(|(other, _)| *other));
    alike
}

/// Whether two documents are alike.
pub(super) fn both(one: &Vector, other: &Vector) -> bool {
    product(one, other) > THRESHOLD + TOLERANCE
}

/// The documents before one, by their turns.
struct Before<'a> {
    /// By word: who has it among its rare words.
    by_word: Vec<Vec<Holder>>,
    earlier: Vec<Earlier<'a>>,
    /// How much of the product with each comes from rare words of both; nothing when nobody is looked at.
    shared: Vec<f64>,
}

/// A document that has a word among its rare ones.
#[derive(Clone, Copy)]
struct Holder {
    turn: u32,
    /// How much the word weighs there.
    weight: f64,
    /// How long the document is without that word and those that are rarer.
    before: f64,
}

/// A document that others are compared with.
#[derive(Clone, Copy, Default)]
struct Earlier<'a> {
    /// Its words from the first rare word of the latest document on that it was compared with.
    rest: &'a [(u32, f64)],
    /// The square of how long it is without these.
    square: f64,
}

impl<'a> Before<'a> {
    fn new(words: usize, documents: usize) -> Self {
        let shared = Vec::with_capacity(documents);
        Self { by_word: vec![Vec::new(); words], earlier: Vec::with_capacity(documents), shared }
    }

    /// Who before a document could be like it. From here on it is before the others itself.
    fn near(&mut self, turn: u32, document: &Document<'a>) -> Vec<u32> {
        let mut near: Vec<u32> = Vec::new();
        for ((word, weight), before) in document.rare().iter().zip(&document.before).rev() {
            let (weight, before) = (*weight, *before);
            let Some(with) = self.by_word.get_mut(*word as usize) else { continue };
            for other in with.iter() {
                let Some(sum) = self.shared.get_mut(other.turn as usize) else { continue };
                if *sum == 0.0 {
                    if weight * other.weight + before * other.before <= THRESHOLD {
                        continue;
                    }
                    near.push(other.turn);
                }
                *sum += weight * other.weight;
            }
            with.push(Holder { turn, weight, before });
        }
        near.retain(|other| {
            let sum = self.shared.get_mut(*other as usize).map_or(0.0, std::mem::take);
            let earlier = self.earlier.get_mut(*other as usize);
            // The most that words can add which are not rare in both.
            let rest = earlier.map_or(0.0, |earlier| earlier.length_before(document.word) * document.length);
            sum + rest > THRESHOLD
        });
        self.earlier.push(Earlier { rest: document.vector, square: 0.0 });
        self.shared.push(0.0);
        near
    }
}

impl Earlier<'_> {
    /// How long it is without a word and those that are rarer. Asked for words that never get more common.
    fn length_before(&mut self, word: u32) -> f64 {
        while let [(first, weight), rest @ ..] = self.rest
            && *first < word
        {
            self.square += weight * weight;
            self.rest = rest;
        }
        self.square.sqrt()
    }
}

/// A document to be compared.
struct Document<'a> {
    vector: &'a Vector,
    /// The place of its first rare word: the words before it are together shorter than the threshold.
    first: usize,
    /// That word, and how long the document is before it.
    word: u32,
    length: f64,
    /// For each rare word, how long the document is before it.
    before: Vec<f64>,
}

impl<'a> Document<'a> {
    fn new(vector: &'a Vector) -> Self {
        let (mut first, mut square) = (0, 0.0);
        for (place, (_, weight)) in vector.iter().enumerate() {
            let longer = square + weight * weight;
            if longer >= THRESHOLD * THRESHOLD {
                break;
            }
            (first, square) = (place + 1, longer);
        }
        let word = vector.get(first).map_or(0, |(word, _)| *word);
        let length = f64::sqrt(square);
        let lengths = vector.iter().skip(first).map(|(_, weight)| {
            let before = f64::sqrt(square);
            square += weight * weight;
            before
        });
        Self { vector, first, word, length, before: lengths.collect() }
    }

    fn rare(&self) -> &'a [(u32, f64)] {
        self.vector.get(self.first..).unwrap_or_default()
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
