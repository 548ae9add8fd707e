//! What a node is: its primary kind and the set of all labels that it carries, in five bytes before its properties.

use tracehound_model::{NodeKind, NodeRole};

use crate::bag::Bag;

/// The kinds of a node as one document has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labels {
    /// What it is.
    pub(crate) primary: NodeKind,
    /// Everything that it is called, as bits; the umbrella of a service is always among them.
    pub(crate) all: u32,
}

/// The length of the packed form.
const PACKED: usize = 5;

impl Labels {
    /// The labels of a list of kinds; none for an empty list.
    pub(crate) fn of(kinds: impl IntoIterator<Item = NodeKind>) -> Option<Self> {
        let mut labels: Option<Self> = None;
        for kind in kinds {
            let bits = kind.bit() | kind.umbrella().map_or(0, NodeKind::bit);
            labels = Some(match labels {
                None => Self { primary: kind, all: bits },
                Some(before) => before.with(Self { primary: kind, all: bits }),
            });
        }
        labels
    }

    /// Both together. A node stays what it was called first, unless that was only the umbrella.
    pub(crate) fn with(self, later: Self) -> Self {
        let is_vague = self.primary.role() == NodeRole::Umbrella;
        Self { primary: if is_vague { later.primary } else { self.primary }, all: self.all | later.all }
    }

    /// How far below a covered thing it may stand, by whichever of its labels.
    pub(crate) fn rank(self) -> u8 {
        self.kinds().map(NodeKind::rank).max().unwrap_or(0)
    }

    /// Appends the packed form.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        out.push(self.primary as u8);
        out.extend_from_slice(&self.all.to_le_bytes());
    }

    /// Splits a node's bytes into labels and properties.
    pub(crate) fn split(blob: &[u8]) -> Option<(Self, Bag<'_>)> {
        let (head, bag) = blob.split_at_checked(PACKED)?;
        let (primary, all) = head.split_first()?;
        let primary = *NodeKind::ALL.get(usize::from(*primary))?;
        Some((Self { primary, all: u32::from_le_bytes(all.try_into().ok()?) }, Bag(bag)))
    }

    /// The kinds, primary first, then in table order.
    pub(crate) fn kinds(self) -> impl Iterator<Item = NodeKind> {
        let others = NodeKind::ALL.iter().copied();
        std::iter::once(self.primary)
            .chain(others.filter(move |kind| *kind != self.primary && self.all & kind.bit() != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_always_carries_its_umbrella_and_is_never_only_that() {
        let labels = Labels::of([NodeKind::OllamaInstance]).unwrap();
        assert_eq!(labels.kinds().collect::<Vec<_>>(), [NodeKind::OllamaInstance, NodeKind::AiService]);
        let vague = Labels::of([NodeKind::AiService]).unwrap();
        assert_eq!(vague.with(labels), labels);
        assert_eq!(labels.with(vague), labels);
        assert_eq!(Labels::of([]), None);
    }

    #[test]
    fn labels_read_back() {
        let labels = Labels::of([NodeKind::McpServer, NodeKind::Host]).unwrap();
        let mut out = Vec::new();
        labels.write(&mut out);
        out.push(9);
        assert_eq!(Labels::split(&out), Some((labels, Bag(&[9]))));
    }
}
