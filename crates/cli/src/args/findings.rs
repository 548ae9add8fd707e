//! The arguments of `tracehound findings`.

use clap::{Args, Subcommand, builder::PossibleValuesParser, builder::TypedValueParser as _};
use tracehound_model::{Severity, TriageState};

use super::At;

#[derive(Debug, Subcommand)]
pub(crate) enum Findings {
    /// What is wrong, the worst first
    #[command(
        after_help = "Findings that somebody accepted or called false are left out unless --all is given; how many is said.\n\nExit code 10 when a finding at or above --fail-on is there that nobody accepted or called false.\n\nExamples:\n  tracehound findings list\n  tracehound findings list --severity high --kind CAN_REACH\n  tracehound findings list --since 2026-11-01           new, reopened, persisting and fixed\n  tracehound findings list --new-since scan-abc123 --fail-on high\n  tracehound findings list --limit 100 --offset 100 --format json"
    )]
    List(ListFindings),
    /// Everything about one finding: evidence, path, place, fix, standards, what was decided
    #[command(
        after_help = "Examples:\n  tracehound findings show 4412decc\n  tracehound findings show 4412decc --alone      also which findings each edge of the path carries alone"
    )]
    Show(ShowFinding),
    /// Decide about findings: who, why, and until when. Decisions survive re-scans
    #[command(
        after_help = "States: new, triaging, confirmed, accepted-risk, false-positive. The last two take a finding out of the list.\n\nExamples:\n  tracehound findings triage 4412decc --state confirmed --reason \"seen by the platform team\"\n  tracehound findings triage 4412decc 2f840a3e --state accepted-risk --reason \"replaced in March\" --expires 2027-03-31"
    )]
    Triage(TriageFindings),
}

#[derive(Debug, Args)]
pub(crate) struct ListFindings {
    /// Only findings that are this bad or worse
    #[arg(long, value_name = "SEVERITY", value_parser = severities())]
    pub(crate) severity: Option<Severity>,
    /// Only findings of this kind: an edge kind such as CAN_REACH, or the id of a check or rule
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Only findings in this state
    #[arg(long, value_name = "STATE", value_parser = states())]
    pub(crate) state: Option<TriageState>,
    /// Also those that somebody accepted or called false
    #[arg(long)]
    pub(crate) all: bool,
    /// Compare with this point: what is new, reopened, persisting or fixed since
    #[arg(long, value_name = "POINT", conflicts_with = "new_since")]
    pub(crate) since: Option<String>,
    /// Only what is new or reopened since this point
    #[arg(long, value_name = "POINT")]
    pub(crate) new_since: Option<String>,
    /// How many are listed [default: 20; for programs all]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// How many are passed over first
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,
    /// Exit with 10 when one that is meant, on whatever page, and that nobody accepted or called false is this bad or worse
    #[arg(long, value_name = "SEVERITY", value_parser = severities())]
    pub(crate) fail_on: Option<Severity>,
    #[command(flatten)]
    pub(crate) at: At,
}

#[derive(Debug, Args)]
pub(crate) struct ShowFinding {
    /// The finding: the first digits of its id
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Also say which findings would be gone without each edge that the path rests on
    #[arg(long)]
    pub(crate) alone: bool,
    #[command(flatten)]
    pub(crate) at: At,
}

#[derive(Debug, Args)]
pub(crate) struct TriageFindings {
    /// The findings: the first digits of their ids
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// What they are
    #[arg(long, value_name = "STATE", value_parser = states())]
    pub(crate) state: TriageState,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// Who says so [default: the user's name]
    #[arg(long, value_name = "NAME", env = "USER", default_value = "unknown")]
    pub(crate) author: String,
    /// Until when it holds: a date (to its end) or an RFC 3339 time [default: for good]
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
}

fn severities() -> impl clap::builder::TypedValueParser<Value = Severity> {
    let names = Severity::ALL.iter().map(|severity| severity.name());
    PossibleValuesParser::new(names).map(|name| Severity::from_name(&name).unwrap_or(Severity::Low))
}

fn states() -> impl clap::builder::TypedValueParser<Value = TriageState> {
    let names = TriageState::ALL.iter().map(|state| state.name());
    PossibleValuesParser::new(names).map(|name| TriageState::from_name(&name).unwrap_or_default())
}
