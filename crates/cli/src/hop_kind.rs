//! Kinds of hops, as people name them: kinds of edges, and the two sorts of hops that are no edges.

use tracehound_analyze::naming::{Suggestions, did_you_mean};
use tracehound_analyze::terrain::Meaning;
use tracehound_model::{EdgeKind, EdgeRole, Movement};

/// What the hop between two copies of one secret is called.
const SAME_SECRET: &str = "same-secret";
/// What the hop from a tool to a secret that it reads is called.
const READS: &str = "reads";

/// A kind of hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HopKind {
    /// An edge of this kind, whichever way it is walked.
    Edge(EdgeKind),
    /// Between copies of one secret.
    SameSecret,
    /// From a tool to a secret that it reads.
    Reads,
}

/// Reads a kind of hop, whatever the case of its letters. What nobody ever walks is refused.
pub(crate) fn parse(text: &str) -> Result<HopKind, String> {
    if text.eq_ignore_ascii_case(SAME_SECRET) {
        return Ok(HopKind::SameSecret);
    }
    if text.eq_ignore_ascii_case(READS) {
        return Ok(HopKind::Reads);
    }
    let kind = edge_kind(text)?;
    if kind.movement() == Movement::Never {
        return Err(format!("nobody gets anywhere along `{kind}`"));
    }
    Ok(HopKind::Edge(kind))
}

/// Reads a kind of edge, whatever the case of its letters.
pub(crate) fn edge_kind(text: &str) -> Result<EdgeKind, String> {
    let known = EdgeKind::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(text));
    known.ok_or_else(|| {
        let near = Suggestions::among(text, EdgeKind::ALL.iter().map(|kind| kind.name()));
        format!("there is no kind of edge `{text}`{}", did_you_mean(&near))
    })
}

impl HopKind {
    /// What an arc of the terrain is; none for the second half of a hop.
    pub(crate) const fn of(meaning: Meaning) -> Option<Self> {
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
    pub(crate) fn is_shortcut(self) -> bool {
        matches!(self, Self::Edge(kind) if kind.role() == EdgeRole::Shortcut)
    }

    /// What it is called.
    pub(crate) const fn name(self) -> &'static str {
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
