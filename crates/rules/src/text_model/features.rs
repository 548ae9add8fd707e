//! What a passage is weighed by: sequences of its words, and sequences of the concepts behind them.

use super::grammar::Grammar;
use super::tokens::{Symbols, Token};

/// A sequence of up to three words or concepts, packed into one number: two bits say which, twenty for each member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Feature(u64);

const MEMBER_BITS: u32 = 20;
const CONCEPTS: u64 = 1 << 62;

impl Feature {
    fn words(members: &[u32]) -> Self {
        Self(pack(members))
    }

    fn concepts(members: &[u32]) -> Self {
        Self(CONCEPTS | pack(members))
    }

    fn members(self) -> impl Iterator<Item = u32> {
        let mask = (1 << MEMBER_BITS) - 1;
        (0..3).rev().map(move |place| ((self.0 >> (place * MEMBER_BITS)) & mask) as u32).filter(|member| *member != 0)
    }

    /// As the model file writes it: `w` or `c`, then the names.
    pub(super) fn write(self, symbols: &Symbols, grammar: &Grammar) -> String {
        let is_concept = self.0 & CONCEPTS != 0;
        let mut text = String::from(if is_concept { "c" } else { "w" });
        for member in self.members() {
            text.push(' ');
            text.push_str(if is_concept { grammar.concept_name(member) } else { symbols.name(member) });
        }
        text
    }

    /// The reverse of [`Feature::write`].
    pub(super) fn read(text: &str, symbols: &Symbols, grammar: &Grammar) -> Option<Self> {
        let (kind, names) = text.split_once(' ')?;
        let mut members = [0; 3];
        let mut count = 0;
        for name in names.split(' ') {
            let number = if kind == "c" { grammar.concept_number(name) } else { symbols.number(name) };
            *members.get_mut(count)? = number?;
            count += 1;
        }
        let members = members.get(..count)?;
        match kind {
            "c" => Some(Self::concepts(members)),
            "w" => Some(Self::words(members)),
            _ => None,
        }
    }
}

fn pack(members: &[u32]) -> u64 {
    members.iter().fold(0, |packed, member| (packed << MEMBER_BITS) | u64::from(*member))
}

/// How far apart, counted in tokens that have a concept, the two of a pair may stand.
const PAIR_REACH: usize = 6;
/// How far the second of a triple may stand from the first, and the third from the second.
const TRIPLE_REACH: (usize, usize) = (3, 2);

/// Calls `found` with each feature of a passage and the first and last token of where it occurs; often more than once
/// for the same feature.
pub(super) fn each_feature(passage: &[Token], symbols: &Symbols, mut found: impl FnMut(Feature, usize, usize)) {
    let symbol = |at: usize| passage.get(at).map(|token| token.symbol);
    for at in 0..passage.len() {
        let (Some(first), second, third) = (symbol(at), symbol(at + 1), symbol(at + 2)) else { continue };
        found(Feature::words(&[first]), at, at);
        let Some(second) = second else { continue };
        found(Feature::words(&[first, second]), at, at + 1);
        let Some(third) = third else { continue };
        found(Feature::words(&[first, second, third]), at, at + 2);
    }
    let meaning: Vec<(usize, &[u32])> = passage
        .iter()
        .enumerate()
        .map(|(at, token)| (at, symbols.concepts(token.symbol)))
        .filter(|(_, concepts)| !concepts.is_empty())
        .collect();
    for (index, (at, concepts)) in meaning.iter().enumerate() {
        for first in *concepts {
            found(Feature::concepts(&[*first]), *at, *at);
            each_pair(&meaning, index, *first, &mut found);
        }
    }
}

fn each_pair(meaning: &[(usize, &[u32])], index: usize, first: u32, found: &mut impl FnMut(Feature, usize, usize)) {
    let Some((start, _)) = meaning.get(index) else { return };
    let later = meaning.iter().enumerate().skip(index + 1).take(PAIR_REACH);
    for (second_index, (at, concepts)) in later {
        for second in *concepts {
            found(Feature::concepts(&[first, *second]), *start, *at);
            if second_index > index + TRIPLE_REACH.0 {
                continue;
            }
            for (third_at, third_concepts) in meaning.iter().skip(second_index + 1).take(TRIPLE_REACH.1) {
                for third in *third_concepts {
                    found(Feature::concepts(&[first, *second, *third]), *start, *third_at);
                }
            }
        }
    }
}
