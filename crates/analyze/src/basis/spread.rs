//! What stands at a command on one machine or another: agents that use it, hosts that it runs on.

use std::collections::BTreeMap;

use tracehound_graph::{EdgeIx, NodeIx};

use super::Basis;

/// Things at a command, by the machines on which they are there.
#[derive(Debug)]
pub(crate) struct Spread<T> {
    all: Vec<T>,
    /// Those on whose machines the command may have whatever it has anywhere: nobody asked it there, or it is not known
    /// which they are.
    anyway: Vec<T>,
    by_machine: BTreeMap<u32, Vec<T>>,
}

impl<T: Ord + Copy> Spread<T> {
    /// Given things with their edges at a command. Growth: linear in them and in their machines.
    pub(crate) fn new(basis: &Basis<'_>, server: NodeIx, things: impl Iterator<Item = (T, EdgeIx)>) -> Self {
        let mut spread = Self { all: Vec::new(), anyway: Vec::new(), by_machine: BTreeMap::new() };
        let asked = basis.machines().asked(server);
        for (thing, edge) in things {
            spread.all.push(thing);
            match basis.on(server, edge) {
                Some(on) if on.iter().all(|machine| asked.binary_search(machine).is_ok()) => {
                    on.iter().for_each(|machine| spread.by_machine.entry(*machine).or_default().push(thing));
                }
                _ => spread.anyway.push(thing),
            }
        }
        spread
    }

    /// Those that meet what these machines showed, sorted; all, if it is not known who showed it. Growth: linear in these
    /// machines, but for sorting, and in what is found.
    pub(crate) fn meeting(&self, shown: Option<&[u32]>) -> Vec<T> {
        let mut found = match shown {
            None => self.all.clone(),
            Some(shown) => {
                let own = shown.iter().filter_map(|machine| self.by_machine.get(machine)).flatten();
                own.chain(&self.anyway).copied().collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }
}
