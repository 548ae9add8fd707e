//! Kinds of hops, as people name them: kinds of edges, and the two sorts of hops that are no edges.

use std::str::FromStr;

use tracehound_model::{EdgeKind, EdgeRole, Movement};

use crate::naming::{UnknownKind, edge_kind};
use crate::terrain::Meaning;

/// What the hop between two copies of one secret is called.
const SAME_SECRET: &str = "same-secret";
/// What the hop from a tool to a secret that it reads is called.
const READS: &str = "reads";

/// A kind of hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HopKind {
    /// An edge of this kind, whichever way it is walked.
    Edge(EdgeKind),
    /// Between copies of one secret.
    SameSecret,
    /// From a tool to a secret that it reads.
    Reads,
}

/// Why a word is no kind of hop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoHop {
    /// It is no kind of edge.
    #[error(transparent)]
    Unknown(#[from] UnknownKind),
    /// Nobody ever walks it.
    #[error("nobody gets anywhere along `{0}`")]
    NeverWalked(EdgeKind),
}

impl FromStr for HopKind {
    type Err = NoHop;

    /// Reads a kind of hop, whatever the case of its letters. What nobody ever walks is refused.
    fn from_str(text: &str) -> Result<Self, NoHop> {
        if text.eq_ignore_ascii_case(SAME_SECRET) {
            return Ok(Self::SameSecret);
        }
        if text.eq_ignore_ascii_case(READS) {
            return Ok(Self::Reads);
        }
        let kind = edge_kind(text)?;
        if kind.movement() == Movement::Never { Err(NoHop::NeverWalked(kind)) } else { Ok(Self::Edge(kind)) }
    }
}

impl HopKind {
    /// What an arc of the terrain is; none for the second half of a hop.
    #[must_use]
    pub const fn of(meaning: Meaning) -> Option<Self> {
        match meaning {
            Meaning::Along(edge) | Meaning::Against(edge) => Some(Self::Edge(edge.kind)),
            Meaning::Access(_) => Some(Self::Edge(EdgeKind::HasAccessTo)),
            Meaning::Execution(_) => Some(Self::Edge(EdgeKind::CanExecute)),
            Meaning::SameSecret => Some(Self::SameSecret),
            Meaning::Reads(..) => Some(Self::Reads),
            Meaning::Onwards => None,
        }
    }

    /// Whether it stands for whole paths.
    #[must_use]
    pub fn is_shortcut(self) -> bool {
        matches!(self, Self::Edge(kind) if kind.role() == EdgeRole::Shortcut)
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edge(kind) => kind.name(),
            Self::SameSecret => SAME_SECRET,
            Self::Reads => READS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<HopKind, String> {
        text.parse().map_err(|error: NoHop| error.to_string())
    }

    #[test]
    fn kinds_are_read_whatever_their_case_and_every_walked_kind_is_known() {
        for kind in EdgeKind::ALL.iter().copied().filter(|kind| kind.movement() != Movement::Never) {
            assert_eq!(parse(&kind.name().to_lowercase()), Ok(HopKind::Edge(kind)));
        }
        assert_eq!((parse("Reads"), parse("same-secret")), (Ok(HopKind::Reads), Ok(HopKind::SameSecret)));
    }

    #[test]
    fn what_is_unknown_or_never_walked_is_refused() {
        let unknown = parse("TRUST_SERVER").unwrap_err();
        assert_eq!(unknown, "there is no kind of edge `TRUST_SERVER`; did you mean `TRUSTS_SERVER`?");
        let never = parse(EdgeKind::PoisonedDescription.name()).unwrap_err();
        assert!(never.contains("nobody gets anywhere"), "{never}");
    }
}
