//! `tracehound findings triage`.

use anyhow::{Context as _, ensure};
use serde_json::json;
use tracehound_graph::{Access, Moment, Point, TriageDecision};
use tracehound_model::{Finding, TriageState};

use super::Analysed;
use crate::args::{Format, TriageFindings};
use crate::command::estate_writer::Writer;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;
use crate::{clock, progress};

pub(super) fn run(arguments: &TriageFindings, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    ensure!(!arguments.reason.trim().is_empty(), "a decision needs a reason");
    ensure!(!arguments.author.trim().is_empty(), "a decision needs somebody who made it");
    let expires = arguments.expires.as_deref().map(moment).transpose()?;
    let library = crate::command::rules::in_force(settings)?;
    let rules = library.rules();
    let mut writer = Writer::open(settings, Access::Change)?;
    let bar = progress::working("deriving what follows");
    let now = Analysed::new(writer.graph(&Point::Now, settings)?);
    bar.finish_and_clear();
    let list = now.findings(&rules);
    let found = arguments.ids.iter().map(|id| super::find(&list, id)).collect::<anyhow::Result<Vec<_>>>()?;
    let findings: Vec<Finding> = found.into_iter().filter_map(|found| list.render(found)).collect();
    let decision = |finding: &Finding| TriageDecision {
        fingerprint: finding.fingerprint,
        state: arguments.state,
        reason: arguments.reason.clone(),
        author: arguments.author.clone(),
        at: clock::now(),
        expires,
        severity: Some(finding.severity),
    };
    let decisions: Vec<TriageDecision> = findings.iter().map(decision).collect();
    writer.triage(&decisions)?;
    if settings.format == Format::Json {
        let ids: Vec<_> = findings.iter().map(|finding| finding.fingerprint).collect();
        output.json(&json!({ "decided": ids, "state": arguments.state, "expires": expires }))?;
        return Ok(Outcome::Clean);
    }
    let until = expires.map_or_else(String::new, |expires| format!(" until {expires}"));
    for finding in &findings {
        output.line(format!(
            "{} is {}{until}: {}",
            finding.fingerprint,
            words(arguments.state),
            safe(&finding.title)
        ))?;
    }
    Ok(Outcome::Clean)
}

const fn words(state: TriageState) -> &'static str {
    match state {
        TriageState::New => "new again",
        TriageState::Triaging => "being looked at",
        TriageState::Confirmed => "confirmed",
        TriageState::AcceptedRisk => "an accepted risk",
        TriageState::FalsePositive => "a false positive",
    }
}

fn moment(text: &str) -> anyhow::Result<Moment> {
    let moment = Moment::parse(text).or_else(|| Moment::end_of_day(text));
    moment.with_context(|| format!("`{}` is no time: give a date such as 2027-03-31 or an RFC 3339 time", safe(text)))
}
