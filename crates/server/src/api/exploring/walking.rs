//! What may be walked, and paths as answers.

use tracehound_analyze::Picture;
use tracehound_analyze::terrain::Shortcuts;
use tracehound_analyze::walk::{HopKind, NoHop, Path, Walking};

use super::{MOST_WORDS, check_count, choose};
use crate::api::estate_shape::{FoundPath, Step};
use crate::estate::{At, Said};
use crate::problem::Problem;

/// The most hops that somebody may ask for.
pub(super) const MOST_HOPS: usize = 1_000;

/// Which hops are allowed, as callers say it.
#[derive(Debug, Default)]
pub(super) struct Allowed<'b> {
    pub(super) kinds: &'b [String],
    pub(super) without: &'b [String],
    pub(super) avoid: Option<&'b str>,
    pub(super) shortcuts: bool,
}

impl Allowed<'_> {
    /// Reads what is allowed; what nobody walks is refused.
    pub(super) fn read(&self, at: &At<'_>, said: &Said) -> Result<Walking, Problem> {
        let walking = Walking {
            only: hop_kinds(self.kinds)?,
            without: hop_kinds(self.without)?,
            avoided: self.avoid.map_or_else(|| Ok(Vec::new()), |text| choose(at, said, text))?,
            shortcuts: if self.shortcuts { Shortcuts::Yes } else { Shortcuts::No },
        };
        walking.check().map_err(|needed| {
            let kind = needed.0.name();
            let detail = format!("`{kind}` stands for whole paths and is walked only with `shortcuts`");
            Problem::invalid("bad_kind", detail)
        })?;
        Ok(walking)
    }
}

fn hop_kinds(names: &[String]) -> Result<Vec<HopKind>, Problem> {
    check_count(names.len(), MOST_WORDS, "kinds")?;
    let kind = |name: &String| name.parse().map_err(|error: NoHop| Problem::invalid("bad_kind", error.to_string()));
    names.iter().map(kind).collect()
}

/// A path as an answer.
pub(super) fn found_path(picture: &Picture<'_>, path: &Path) -> FoundPath {
    let steps: Vec<Step> = path.hops.iter().map(|hop| Step::of_hop(picture, hop)).collect();
    FoundPath { weight: path.weight, hops: steps.len(), steps }
}

/// Why a selection has no nodes; none if it has some.
pub(super) fn why_empty(selection: &str, chosen: usize, passable: usize) -> Option<String> {
    match (chosen, passable) {
        (0, _) => Some(format!("`{selection}` has no nodes here")),
        (_, 0) => Some(format!("every node of `{selection}` is to be avoided")),
        _ => None,
    }
}
