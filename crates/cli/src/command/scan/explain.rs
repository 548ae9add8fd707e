//! Everything about one finding of a scan.

use anyhow::bail;
use tracehound_model::Finding;

use super::Scanned;
use crate::args::Format;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) fn run(id: &str, scanned: &Scanned, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let wanted = id.trim_matches(['[', ']']);
    let is_it = |finding: &&Finding| !wanted.is_empty() && finding.fingerprint.as_str().starts_with(wanted);
    let found: Vec<&Finding> = scanned.findings.iter().filter(is_it).collect();
    let finding = match found.as_slice() {
        [finding] => *finding,
        [] => bail!(
            "this scan has no finding with the id `{}`; its {} findings may have changed",
            safe(id),
            scanned.findings.len()
        ),
        several => bail!("`{}` is the start of {} ids; give more of it", safe(id), several.len()),
    };
    if settings.format == Format::Json {
        output.json(finding)?;
    } else {
        print(finding, output)?;
    }
    Ok(Outcome::Clean)
}

fn print(finding: &Finding, output: &mut Output) -> anyhow::Result<()> {
    output.line(format!("{}: {}", finding.severity.name(), safe(&finding.title)))?;
    output.line("")?;
    let place = finding.place.as_ref().map_or_else(
        || "no single place".to_owned(),
        |place| format!("{}:{}:{}", safe(&place.file), place.line, place.column),
    );
    let standards: Vec<String> = finding.standards.iter().map(|it| format!("{} {}", it.id, it.name)).collect();
    let rows = [
        ("where", place),
        ("why", safe(finding.evidence.lines().next().unwrap_or_default())),
        ("means", safe(&finding.description)),
        ("fix", safe(&finding.remediation)),
        ("about", format!("{} `{}` ({})", finding.source.kind, safe(&finding.source.name), finding.source.id)),
        ("and", format!("{} `{}` ({})", finding.target.kind, safe(&finding.target.name), finding.target.id)),
        ("kind", safe(&finding.kind)),
        ("standards", standards.join("; ")),
        ("id", finding.fingerprint.to_string()),
    ];
    let is_single = finding.source == finding.target;
    for (name, value) in rows {
        let is_repeated = is_single && name == "and";
        if !value.is_empty() && !is_repeated {
            output.line(format!("{name:<10} {value}"))?;
        }
        if name == "why" {
            // The lines of a difference are ours; what stands in them is not.
            for line in finding.evidence.lines().skip(1) {
                output.line(format!("{:<10} {}", "", safe(line)))?;
            }
            for (number, step) in finding.path.iter().enumerate() {
                let name = if number == 0 { "path" } else { "" };
                output.line(format!("{name:<10} {}", safe(&step.words)))?;
            }
        }
    }
    Ok(())
}
