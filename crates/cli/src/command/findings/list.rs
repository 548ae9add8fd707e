//! `tracehound findings list`.

use std::collections::BTreeMap;

use anyhow::{anyhow, ensure};
use serde_json::{Value, json};
use tracehound_analyze::findings::{self, Altered, Fate, Found, Lifecycle, List};
use tracehound_analyze::naming::did_you_mean;
use tracehound_graph::{Access, Triage};
use tracehound_model::{EdgeKind, Fingerprint, Severity, TriageState};
use tracehound_rules::rule::Rule;

use super::{Compared, at};
use crate::args::{Format, ListFindings};
use crate::clock;
use crate::command::estate_view::counted;
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN, safe, titled};
use crate::settings::Settings;

type Decisions = BTreeMap<Fingerprint, Triage>;

/// A finding of the list: of the point that was asked for, or gone since the other.
struct Row<'l, 'a> {
    list: &'l List<'a>,
    found: &'l Found<'a>,
    fate: Option<Fate>,
    altered: Option<Altered>,
    decision: Option<&'l Triage>,
}

pub(super) fn run(arguments: &ListFindings, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let library = crate::command::rules::in_force(settings)?;
    let rules = library.rules();
    let kind = arguments.kind.as_deref().map(|kind| known_kind(kind, &rules)).transpose()?;
    let mut estate = crate::command::open_loaded(settings, Access::Read)?;
    ensure!(!estate.scans().is_empty(), "tenant `{}` has no scans, so there is nothing to judge", settings.tenant);
    let here = estate.point(&arguments.at.point)?;
    let moment = estate.moment_of(&here)?.min(clock::now());
    let decisions = estate.triage_at(moment)?;
    let now = at(&mut estate, &here)?;
    let since = arguments.since.as_ref().or(arguments.new_since.as_ref());
    let Some(since) = since else {
        let list = now.findings(&rules);
        let rows = rows(&list, None, &decisions);
        return print((arguments, kind.as_deref()), settings, &list, rows, None, output);
    };
    let there = estate.point(since)?;
    let then = at(&mut estate, &there)?;
    let compared = Compared::new(&mut estate, (&then, &there), &now, &rules)?;
    let mut all = rows(&compared.now, Some(&compared.lifecycle), &decisions);
    if arguments.new_since.is_some() {
        all.retain(|row| matches!(row.fate, Some(Fate::New | Fate::Reopened)));
    } else {
        let gone = compared.then.iter().filter(|found| compared.lifecycle.of(&found.fingerprint) == Some(Fate::Fixed));
        all.extend(gone.map(|found| Row {
            list: &compared.then,
            found,
            fate: Some(Fate::Fixed),
            altered: None,
            decision: decisions.get(&found.fingerprint),
        }));
    }
    print((arguments, kind.as_deref()), settings, &compared.now, all, Some(&compared), output)
}

fn rows<'l, 'a>(list: &'l List<'a>, lifecycle: Option<&Lifecycle>, decisions: &'l Decisions) -> Vec<Row<'l, 'a>> {
    let row = |found: &'l Found<'a>| Row {
        list,
        found,
        fate: lifecycle.and_then(|lifecycle| lifecycle.of(&found.fingerprint)),
        altered: lifecycle.and_then(|lifecycle| lifecycle.altered(&found.fingerprint)),
        decision: decisions.get(&found.fingerprint),
    };
    list.iter().map(row).collect()
}

impl Row<'_, '_> {
    fn state(&self) -> TriageState {
        self.decision.map_or(TriageState::New, |decision| decision.state_at(self.found.severity))
    }

    /// How bad it was when somebody let it stay, if it is worse at this point.
    fn outgrown(&self) -> Option<Severity> {
        self.decision.and_then(|decision| decision.outgrown(self.found.severity))
    }

    fn json(&self) -> anyhow::Result<Value> {
        let mut value = serde_json::to_value(self.list.render(self.found))?;
        if let Some(object) = value.as_object_mut() {
            object.insert("state".into(), json!(self.state()));
            if let Some(fate) = self.fate {
                object.insert("fate".into(), json!(fate));
            }
            if let Some(altered) = self.altered {
                object.insert("changed".into(), json!(altered));
            }
            if let Some(decision) = self.decision {
                object.insert("triage".into(), serde_json::to_value(decision)?);
                object.insert("outgrown".into(), json!(self.outgrown().is_some()));
            }
        }
        Ok(value)
    }
}

/// The kind that a text means, in whatever case.
fn known_kind(text: &str, rules: &[Rule]) -> anyhow::Result<String> {
    findings::known_kind(text, rules).map(ToOwned::to_owned).map_err(|near| {
        let meant = did_you_mean(&near);
        anyhow!("there is no kind of findings `{}`{}", safe(text), safe(&meant))
    })
}

fn print(
    (arguments, kind): (&ListFindings, Option<&str>),
    settings: &Settings,
    list: &List<'_>,
    rows: Vec<Row<'_, '_>>,
    compared: Option<&Compared<'_>>,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let lifecycle = compared.map(|compared| &compared.lifecycle);
    let unwritten = Unwritten::new((arguments, kind), list, compared);
    let is_meant = |row: &Row<'_, '_>| {
        arguments.severity.is_none_or(|least| row.found.severity >= least)
            && kind.is_none_or(|kind| row.found.kind == kind)
            && arguments.state.is_none_or(|state| row.state() == state)
    };
    let (meant, _): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_meant);
    let shows_all = arguments.all || arguments.state.is_some();
    let (listed, suppressed): (Vec<_>, Vec<_>) =
        meant.into_iter().partition(|row| shows_all || !row.state().is_suppressing());
    let is_program = settings.format == Format::Json;
    let limit = arguments.limit.unwrap_or(if is_program { usize::MAX } else { SHOWN });
    let page = listed.get(arguments.offset.min(listed.len())..).unwrap_or_default();
    let page = page.get(..limit.min(page.len())).unwrap_or(page);
    if is_program {
        let findings = page.iter().map(Row::json).collect::<anyhow::Result<Vec<Value>>>()?;
        output.json(&json!({
            "total": listed.len(), "offset": arguments.offset, "suppressed": suppressed.len(),
            "matching": matching(&listed), "in_all": list.tally(),
            "fates": lifecycle.map(Lifecycle::counts), "changed": lifecycle.map(Lifecycle::altered_count),
            "unwritten_more": unwritten.more(), "findings": findings,
        }))?;
    } else {
        for row in page {
            line(row, output)?;
        }
        let whole = is_filtered(arguments).then(|| in_all(list));
        summary(&listed, (page.len(), arguments.offset), whole, output)?;
        hints(listed.len(), suppressed.len(), output)?;
        unwritten.tell(output)?;
        if let Some(lifecycle) = lifecycle {
            let told: Vec<String> =
                lifecycle.counts().iter().map(|(fate, count)| tell_fate(*fate, *count, lifecycle)).collect();
            let told = if told.is_empty() { "nothing differs".to_owned() } else { told.join(", ") };
            output.line(format!("Between the two points, whatever else was asked for: {told}."))?;
        }
    }
    let open = listed.iter().filter(|row| row.fate != Some(Fate::Fixed) && !row.state().is_suppressing());
    let worst = open.map(|row| row.found.severity).chain(unwritten.worst(arguments)).max();
    let fails = arguments.fail_on.is_some_and(|limit| worst.is_some_and(|worst| worst >= limit));
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

/// How many have a fate; of those that persist also how many differ.
fn tell_fate(fate: Fate, count: usize, lifecycle: &Lifecycle) -> String {
    match lifecycle.altered_count() {
        altered if altered > 0 && fate == Fate::Persisting => format!("{count} persisting, {altered} of them changed"),
        _ => format!("{count} {}", fate.name()),
    }
}

fn line(row: &Row<'_, '_>, output: &mut Output) -> anyhow::Result<()> {
    let Some(finding) = row.list.render(row.found) else { return Ok(()) };
    let fate = row.fate.map_or_else(String::new, |fate| format!("{:<10}  ", fate.name()));
    let state = match (row.state(), row.outgrown(), row.decision) {
        (_, Some(then), Some(decision)) => {
            format!("  ({} at {}, is {} now)", decision.state.name(), then.name(), finding.severity.name())
        }
        (TriageState::New, ..) => String::new(),
        (state, ..) => format!("  ({})", state.name()),
    };
    let altered = row.altered.map_or_else(String::new, |altered| format!("  ({altered})"));
    let id = finding.fingerprint.as_str();
    let id = id.get(..8).unwrap_or(id);
    output.line(format!("{:<8}  {fate}{}  [{id}]{altered}{state}", finding.severity.name(), titled(&finding.title)))?;
    if let Some(place) = &finding.place {
        output.line(format!("          at   {}:{}:{}", safe(&place.file), place.line, place.column))?;
    }
    Ok(())
}

/// Whether not everything was asked for.
const fn is_filtered(arguments: &ListFindings) -> bool {
    arguments.severity.is_some()
        || arguments.kind.is_some()
        || arguments.state.is_some()
        || arguments.new_since.is_some()
}

/// What was asked for, counted.
fn matching(listed: &[Row<'_, '_>]) -> Value {
    let (mut by_severity, mut by_kind) = (BTreeMap::<Severity, u64>::new(), BTreeMap::<&str, u64>::new());
    for row in listed {
        *by_severity.entry(row.found.severity).or_default() += 1;
        *by_kind.entry(row.found.kind).or_default() += 1;
    }
    json!({ "total": listed.len(), "by_severity": by_severity, "by_kind": by_kind })
}

/// Everything at the point, counted, whatever was asked for.
fn in_all(list: &List<'_>) -> String {
    let tally = list.tally();
    let told = severities(|severity| tally.by_severity.get(&severity).copied().unwrap_or(0));
    let unrated = if tally.unrated > 0 { format!(", {} not rated", tally.unrated) } else { String::new() };
    format!("; in all there are {}: {told}{unrated}", tally.total)
}

/// How many of each severity there are, the worst first; nothing of those that nothing has.
fn severities(count: impl Fn(Severity) -> u64) -> String {
    let counts = Severity::ALL.iter().rev().map(|severity| (count(*severity), severity.name()));
    let told: Vec<String> =
        counts.filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

/// How many there are of which severity, how many in the `whole` that a part was asked of, and how many are not shown.
fn summary(
    listed: &[Row<'_, '_>],
    (shown, offset): (usize, usize),
    whole: Option<String>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let fit = match (&whole, listed.len()) {
        (None, _) => "",
        (Some(_), 1) | (Some(_), 0) => " fits",
        (Some(_), _) => " fit",
    };
    let whole = whole.unwrap_or_default();
    if listed.is_empty() {
        return output.line(format!("No finding{fit}{whole}."));
    }
    let told = severities(|severity| listed.iter().filter(|row| row.found.severity == severity).count() as u64);
    let page = if shown == listed.len() {
        String::new()
    } else {
        format!("; shown: {shown} from {offset} on (--offset, --limit; all with --format json)")
    };
    output.line(format!("\n{}{fit}: {told}{whole}{page}.", counted(listed.len(), "finding")))
}

/// What else there is to see.
fn hints(listed: usize, suppressed: usize, output: &mut Output) -> anyhow::Result<()> {
    if suppressed > 0 {
        output
            .line(format!("{} accepted or called false left out; --all shows them.", counted(suppressed, "finding")))?;
    }
    if listed > 0 {
        output.line("`tracehound findings show ID` tells everything about one of them.")?;
    }
    Ok(())
}

/// Findings of the kinds that are meant, which are counted and not written down.
struct Unwritten {
    all: Vec<(EdgeKind, u64, Severity)>,
    /// How many more there are than at the other point, if only what is new was asked for.
    since: Option<Vec<(EdgeKind, u64, Severity)>>,
}

impl Unwritten {
    fn new((arguments, kind): (&ListFindings, Option<&str>), list: &List<'_>, compared: Option<&Compared<'_>>) -> Self {
        let meant = |mut all: Vec<(EdgeKind, u64, Severity)>| {
            all.retain(|(other, ..)| kind.is_none_or(|kind| kind == other.name()));
            all
        };
        let compared = compared.filter(|_| arguments.new_since.is_some());
        let since = compared.map(|compared| meant(compared.now.unwritten_since(&compared.then)));
        Self { all: meant(list.unwritten()), since }
    }

    /// How many more there are than at the other point, by kind.
    fn more(&self) -> Option<BTreeMap<&'static str, u64>> {
        let more =
            |all: &Vec<(EdgeKind, u64, Severity)>| all.iter().map(|(kind, count, _)| (kind.name(), *count)).collect();
        self.since.as_ref().map(more)
    }

    fn tell(&self, output: &mut Output) -> anyhow::Result<()> {
        for (kind, count, _) in &self.all {
            output
                .line(format!("{count} more of {kind} are counted, not written down, whatever else was asked for."))?;
        }
        for (kind, count, _) in self.since.iter().flatten() {
            output.line(format!("{count} of these of {kind} came since, at sources that have more than before."))?;
        }
        Ok(())
    }

    /// How bad the worst of them can be. They can't be looked at or decided about, so each is taken for as bad as its kind can
    /// be, and for one about which nobody has decided.
    fn worst(&self, arguments: &ListFindings) -> Option<Severity> {
        let is_undecided = arguments.state.is_none_or(|state| state == TriageState::New);
        let meant = self.since.as_ref().unwrap_or(&self.all);
        meant.iter().filter(|_| is_undecided).map(|(.., severity)| *severity).max()
    }
}
