//! Tools that are alike, told apart by the machines that they are on: a tool meets those that can be on a machine with it.

use std::collections::{BTreeMap, BTreeSet};

use tracehound_graph::NodeIx;
use tracehound_model::NodeKind;

use super::crowd::{Crowd, Owner};
use crate::basis::{Basis, On};

/// A set of machines, by number; the first stands for any.
pub(super) type Place = usize;

/// The place that may be any machine.
const ANYWHERE: Place = 0;

/// Where tools are.
#[derive(Debug)]
pub(super) struct Places {
    first_tool: u32,
    of_tool: Vec<Place>,
    machines: Vec<Vec<u32>>,
}

impl Places {
    /// Growth: linear in tools and their machines.
    pub(super) fn new(basis: &Basis<'_>) -> Self {
        let range = basis.view.range_of(NodeKind::McpTool);
        let mut places = Self { first_tool: range.start, of_tool: Vec::new(), machines: vec![Vec::new()] };
        let mut numbers: BTreeMap<Vec<u32>, Place> = BTreeMap::new();
        for tool in range.map(NodeIx) {
            let on: On = basis.tool_on(tool);
            let place = on.map_or(ANYWHERE, |on| {
                let next = places.machines.len();
                *numbers.entry(on).or_insert_with_key(|on| {
                    places.machines.push(on.clone());
                    next
                })
            });
            places.of_tool.push(place);
        }
        places
    }

    pub(super) fn of(&self, tool: NodeIx) -> Place {
        let offset = tool.0.checked_sub(self.first_tool);
        offset.and_then(|offset| self.of_tool.get(offset as usize)).copied().unwrap_or(ANYWHERE)
    }

    fn machines(&self, place: Place) -> &[u32] {
        self.machines.get(place).map_or(&[], Vec::as_slice)
    }
}

/// Tools that are alike.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// Those that may be on any machine.
    anywhere: Crowd,
    /// All, if some may not.
    all: Option<Crowd>,
    /// The others by where they are.
    placed: Vec<Crowd>,
    by_machine: BTreeMap<u32, Vec<usize>>,
}

impl Alike {
    /// Growth: linear but for sorting.
    pub(super) fn new(places: &Places, members: Vec<(NodeIx, Owner)>) -> Self {
        let mut by_place: BTreeMap<Place, Vec<(NodeIx, Owner)>> = BTreeMap::new();
        for member in &members {
            by_place.entry(places.of(member.0)).or_default().push(*member);
        }
        let anywhere = Crowd::new(by_place.remove(&ANYWHERE).unwrap_or_default());
        let mut alike = Self { anywhere, ..Self::default() };
        for (place, members) in by_place {
            for machine in places.machines(place) {
                alike.by_machine.entry(*machine).or_default().push(alike.placed.len());
            }
            alike.placed.push(Crowd::new(members));
        }
        alike.all = (!alike.placed.is_empty()).then(|| Crowd::new(members));
        alike
    }

    /// Those that a tool in a place meets, as crowds that have no member in common.
    pub(super) fn met_at(&self, places: &Places, place: Place) -> impl Iterator<Item = &Crowd> {
        let (common, near) = if place == ANYWHERE {
            (self.all.as_ref().unwrap_or(&self.anywhere), BTreeSet::new())
        } else {
            let near = places.machines(place).iter().filter_map(|machine| self.by_machine.get(machine));
            (&self.anywhere, near.flatten().copied().collect())
        };
        std::iter::once(common).chain(near.into_iter().filter_map(|number| self.placed.get(number)))
    }

    /// Whether a tool is one of them.
    pub(super) fn has(&self, tool: NodeIx) -> bool {
        self.all.as_ref().unwrap_or(&self.anywhere).has(tool)
    }
}
