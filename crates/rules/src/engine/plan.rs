//! What has to be done for a field: worked out once for every combination of collector, kind and property.

use std::collections::{BTreeMap, HashMap};

use tracehound_model::{Collector, NodeKind};

use super::compile::Compiled;
use super::leaf::{Leaf, Side, Test};
use crate::rule::{Rule, Target};

/// The plans of all fields that some rule reads.
#[derive(Default)]
pub(super) struct Plans {
    /// For each property, the number of the plan by collector and kind.
    by_property: BTreeMap<Box<str>, Vec<Option<u32>>>,
    plans: Vec<Plan>,
}

/// The rules and leaves of a field.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) rules: Bits,
    pub(super) leaves: Bits,
    /// The literals of each side that mean something to one of the leaves.
    pub(super) rows: [Bits; 2],
    /// Whether literals of this side matter.
    pub(super) literals: [bool; 2],
    /// The leaves of this side whose regular expressions require no literal.
    pub(super) always: [Vec<u32>; 2],
    /// The leaves of the raw side whose regular expressions do.
    pub(super) gated_raw: Vec<u32>,
    pub(super) entropy: Vec<u32>,
    pub(super) models: Vec<u32>,
    /// Whether some leaf of this side is asked in which sentence it matched.
    pub(super) is_windowed: [bool; 2],
}

impl Plans {
    /// Works out the plans. Rules that take no part read nothing.
    pub(super) fn new(rules: &[Rule], compiled: &Compiled) -> Self {
        let mut readers: BTreeMap<&str, Vec<Reader<'_>>> = BTreeMap::new();
        for (number, rule) in (0_u32..).zip(rules).filter(|(_, rule)| rule.enabled) {
            for target in &rule.scope.targets {
                readers.entry(&target.property).or_default().push((number, rule.scope.collector, target));
            }
        }
        let mut plans = Self::default();
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        for (property, readers) in readers {
            let mut row = Vec::with_capacity(Collector::ALL.len() * NodeKind::ALL.len());
            for &collector in Collector::ALL {
                for &kind in NodeKind::ALL {
                    let takes = |reader: &&Reader<'_>| reads(reader, collector, kind);
                    let mut selected: Vec<u32> = readers.iter().filter(takes).map(|reader| reader.0).collect();
                    selected.dedup();
                    row.push(plans.number(selected, &mut known, compiled));
                }
            }
            plans.by_property.insert(property.into(), row);
        }
        plans
    }

    /// The plan of a field; none if no rule reads it.
    pub(super) fn find(&self, collector: Collector, kind: NodeKind, property: &str) -> Option<&Plan> {
        let row = self.by_property.get(property)?;
        let number = (*row.get(collector as usize * NodeKind::ALL.len() + kind as usize)?)?;
        self.plans.get(number as usize)
    }

    /// Heap bytes.
    pub(super) fn memory(&self) -> usize {
        let rows: usize = self.by_property.iter().map(|(key, row)| key.len() + row.capacity() * 8).sum();
        rows + self.plans.iter().map(Plan::memory).sum::<usize>()
    }

    fn number(&mut self, selected: Vec<u32>, known: &mut HashMap<Vec<u32>, u32>, compiled: &Compiled) -> Option<u32> {
        if selected.is_empty() {
            return None;
        }
        if let Some(number) = known.get(&selected) {
            return Some(*number);
        }
        let number = u32::try_from(self.plans.len()).ok()?;
        self.plans.push(Plan::new(&selected, compiled));
        known.insert(selected, number);
        Some(number)
    }
}

/// A rule with the collector that it is for and one of its targets.
type Reader<'a> = (u32, Option<Collector>, &'a Target);

fn reads(&(_, only, target): &Reader<'_>, collector: Collector, kind: NodeKind) -> bool {
    let is_kind = target.kind.is_none_or(|wanted| wanted == kind || Some(wanted) == kind.umbrella());
    is_kind && only.is_none_or(|wanted| wanted == collector)
}

impl Plan {
    fn new(selected: &[u32], compiled: &Compiled) -> Self {
        let mut plan = Self::default();
        for &rule in selected {
            plan.rules.insert(rule);
            for &leaf in compiled.leaves_of.get(rule as usize).into_iter().flatten() {
                plan.leaves.insert(leaf);
            }
        }
        for (number, leaf) in (0_u32..).zip(&compiled.leaves) {
            if plan.leaves.has(number) {
                plan.take(number, leaf);
            }
        }
        for (rows, literals) in plan.rows.iter_mut().zip(&compiled.literals) {
            for (number, row) in (0_u32..).zip(&literals.rows) {
                let sinks = literals.sinks.get(row.first..row.end).unwrap_or_default();
                if sinks.iter().any(|sink| plan.leaves.has(sink.leaf)) {
                    rows.insert(number);
                }
            }
        }
        plan
    }

    fn take(&mut self, number: u32, leaf: &Leaf) {
        let side = leaf.test.side();
        let [folded, raw] = &mut self.always;
        let always = if side == Side::Folded { folded } else { raw };
        match &leaf.test {
            Test::Pattern(pattern) if pattern.groups == 0 => always.push(number),
            Test::Terms(_) => set(&mut self.literals, side),
            Test::Pattern(_) => {
                set(&mut self.literals, side);
                if side == Side::Raw {
                    self.gated_raw.push(number);
                }
            }
            Test::Entropy(_) => self.entropy.push(number),
            Test::Model(_) => self.models.push(number),
        }
        if leaf.is_windowed {
            set(&mut self.is_windowed, side);
        }
    }

    fn memory(&self) -> usize {
        let lists = [&self.always[0], &self.always[1], &self.gated_raw, &self.entropy, &self.models];
        let sets = [&self.rules, &self.leaves, &self.rows[0], &self.rows[1]];
        sets.iter().map(|set| set.memory()).sum::<usize>() + lists.iter().map(|list| list.capacity() * 4).sum::<usize>()
    }
}

fn set(flags: &mut [bool; 2], side: Side) {
    let [folded, raw] = flags;
    *(if side == Side::Folded { folded } else { raw }) = true;
}

/// A set of small numbers.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether the number is in it.
    pub(super) fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    fn memory(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}
