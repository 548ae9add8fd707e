//! What agents say of themselves, as words that are counted and weighed.
//!
//! A word weighs the more the fewer agents use it, and never nothing: also the only two agents of an estate have words by
//! which they can be compared.

use std::collections::{BTreeMap, HashMap};

use tracehound_graph::NodeIx;

/// Words that say nothing, sorted.
const EMPTY_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do", "does", "for", "from",
    "had", "has", "have", "if", "in", "is", "it", "its", "may", "no", "not", "of", "on", "or", "should", "so", "that",
    "the", "this", "to", "was", "were", "which", "will", "with", "would",
];

/// Shortest word that counts, in bytes.
const SHORTEST: usize = 2;

/// A document as weighed words: the commonest word first, of length one.
pub(super) type Vector = Vec<(u32, f64)>;

/// A document as counted words, by the numbers of words.
type Counted = Vec<(u32, u32)>;

/// Different documents, each with the agents that have it.
#[derive(Debug, Default)]
pub(super) struct Documents {
    words: HashMap<String, u32>,
    places: HashMap<Counted, usize>,
    counted: Vec<Counted>,
    agents: Vec<Vec<NodeIx>>,
}

impl Documents {
    /// Adds what an agent says. Who says nothing is left out.
    pub(super) fn add<T: AsRef<str>>(&mut self, agent: NodeIx, texts: impl Iterator<Item = T>) {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for text in texts {
            let text = text.as_ref().to_lowercase();
            for word in words(&text) {
                *counts.entry(self.number(word)).or_default() += 1;
            }
        }
        if counts.is_empty() {
            return;
        }
        let counted: Counted = counts.into_iter().collect();
        let next = self.counted.len();
        let place = *self.places.entry(counted.clone()).or_insert(next);
        if place == next {
            self.counted.push(counted);
            self.agents.push(Vec::new());
        }
        if let Some(agents) = self.agents.get_mut(place) {
            agents.push(agent);
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.words.get(word) {
            return *number;
        }
        let next = self.words.len() as u32;
        self.words.insert(word.to_owned(), next);
        next
    }

    /// The agents of each document.
    pub(super) fn agents(&self) -> impl Iterator<Item = &[NodeIx]> {
        self.agents.iter().map(Vec::as_slice)
    }

    /// The documents as vectors. Growth: linear in their words but for sorting.
    pub(super) fn vectors(&self) -> Vec<Vector> {
        let mut used: Vec<(u64, u32)> = (0..).zip(&self.words).map(|(number, _)| (0, number)).collect();
        for (counted, agents) in self.counted.iter().zip(&self.agents) {
            for (word, _) in counted {
                if let Some((count, _)) = used.get_mut(*word as usize) {
                    *count += agents.len() as u64;
                }
            }
        }
        let all: u64 = self.agents.iter().map(|agents| agents.len() as u64).sum();
        let rarity: Vec<f64> = used.iter().map(|(count, _)| rarity(all, *count)).collect();
        used.sort_unstable_by_key(|(count, word)| (std::cmp::Reverse(*count), *word));
        let mut ranks = vec![0_u32; used.len()];
        for (rank, (_, word)) in (0..).zip(used) {
            if let Some(place) = ranks.get_mut(word as usize) {
                *place = rank;
            }
        }
        self.counted.iter().map(|counted| weighed(counted, &ranks, &rarity)).collect()
    }
}

/// How much a word tells that so many of all documents have.
fn rarity(all: u64, count: u64) -> f64 {
    ((1.0 + all as f64) / (1.0 + count as f64)).ln() + 1.0
}

fn weighed(counted: &Counted, ranks: &[u32], rarity: &[f64]) -> Vector {
    let weigh = |(word, count): &(u32, u32)| {
        let word = *word as usize;
        Some((*ranks.get(word)?, f64::from(*count) * rarity.get(word)?))
    };
    let mut vector: Vector = counted.iter().filter_map(weigh).collect();
    vector.sort_unstable_by_key(|(rank, _)| *rank);
    let length = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|(_, weight)| *weight /= length);
    vector
}

/// The words of a text in lower case that say something.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let all = text.split(|character: char| !character.is_alphanumeric());
    all.filter(|word| word.len() >= SHORTEST && EMPTY_WORDS.binary_search(word).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_without_those_that_say_nothing() {
        assert!(EMPTY_WORDS.is_sorted() && EMPTY_WORDS.len() == 43);
        let found: Vec<&str> = words("the re-booking of 2 flights, größer x 日").collect();
        assert_eq!(found, ["re", "booking", "flights", "größer", "日"]);
    }

    #[test]
    fn the_order_of_words_makes_no_difference() {
        let mut documents = Documents::default();
        documents.add(NodeIx(1), ["books flights", "and hotels"].iter());
        documents.add(NodeIx(2), ["Hotels, flights: books."].iter());
        documents.add(NodeIx(3), ["", "of the"].iter());
        documents.add(NodeIx(4), ["books flights and flights"].iter());
        let agents: Vec<&[NodeIx]> = documents.agents().collect();
        assert_eq!(agents, [&[NodeIx(1), NodeIx(2)][..], &[NodeIx(4)]]);
    }
}
