//! What a scan prints: what was looked at, what was not, and what is wrong.

use serde_json::{Value, json};
use tracehound_collect::lockdown::Lockdown;
use tracehound_collect::{LookedAt, What};
use tracehound_model::{Finding, NodeKind, Severity};

use super::{Scanned, answers, services};
use crate::args::{Format, Scan};
use crate::output::{self, Output, SHOWN, note, safe, titled};
use crate::settings::Settings;

/// Prints the report, or a line of it beside the document if that has standard output to itself.
pub(super) fn print(
    scanned: &Scanned,
    arguments: &Scan,
    settings: &Settings,
    output: &mut Output,
    is_piped: bool,
) -> anyhow::Result<()> {
    services::tell_unreached(scanned, &arguments.network);
    if is_piped {
        let mut aside = |line: String| {
            note(&line);
            Ok(())
        };
        answers::print_troubles(scanned, &mut aside)?;
        print_problems(scanned, &mut aside)?;
        note(&summary(scanned));
        return Ok(());
    }
    if settings.format == Format::Json {
        return output.json(&as_json(scanned));
    }
    if found_nothing(scanned, arguments) {
        print_where(scanned, output)?;
    }
    print_files(scanned, output)?;
    services::print(scanned, output)?;
    answers::print(scanned, output)?;
    print_problems(scanned, &mut |line| output.line(line))?;
    print_findings(scanned, output)?;
    output.line("")?;
    output.line(summary(scanned))?;
    if scanned.report.places > 0 || scanned.report.walked > 0 || !scanned.report.files.is_empty() {
        output.line(format!("Looked at {}.", extent(scanned)))?;
    }
    output.line(promise(scanned))
}

/// Whether no client was found. In a source tree instruction files are something, too.
pub(super) fn found_nothing(scanned: &Scanned, arguments: &Scan) -> bool {
    let is_config = |file: &LookedAt| matches!(file.what, What::Config { .. });
    let is_tree = !arguments.dir.is_empty() || !arguments.path.is_empty();
    let is_asked =
        !scanned.lived.servers.is_empty() || !scanned.lived.agents.is_empty() || scanned.lived.network.is_some();
    !is_asked && !scanned.report.files.iter().any(|file| is_tree || is_config(file))
}

/// The configurations of which nothing could be understood.
pub(super) fn misread(scanned: &Scanned) -> impl Iterator<Item = &str> {
    let is_lost =
        |file: &&LookedAt| matches!(file.what, What::Config { servers: 0, disabled: 0, is_understood: false, .. });
    scanned.report.files.iter().filter(is_lost).map(|file| file.path.as_str())
}

fn print_where(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let report = &scanned.report;
    if report.homes.is_empty() {
        return output.line("No agent client was found in what was given.");
    }
    output.line("No agent client was found. The homes that were looked into:")?;
    for home in report.homes.iter().take(SHOWN) {
        output.line(format!("  {}", safe(home)))?;
    }
    output.rest(report.homes.len(), "  ")?;
    output.line("`tracehound scan --dir DIR` looks through a source tree, `--path FILE` reads one file.")
}

fn print_files(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let configs: Vec<[String; 3]> = scanned.report.files.iter().filter_map(config_row).collect();
    if !configs.is_empty() {
        let total = configs.len();
        output.table(["CLIENT", "SERVERS", "CONFIGURATION"], configs.into_iter().take(SHOWN))?;
        output.rest(total, "")?;
    }
    let texts: Vec<[String; 3]> = scanned.report.files.iter().filter_map(text_row).collect();
    if !texts.is_empty() {
        let total = texts.len();
        output.line("")?;
        output.table(["TYPE", "", "INSTRUCTIONS"], texts.into_iter().take(SHOWN))?;
        output.rest(total, "")?;
    }
    Ok(())
}

fn config_row(file: &LookedAt) -> Option<[String; 3]> {
    let What::Config { clients, servers, disabled, is_understood } = &file.what else { return None };
    let off = if *disabled == 0 { String::new() } else { format!(" (+{disabled} off)") };
    let doubt = if *is_understood { "" } else { " ?" };
    let servers = format!("{servers}{off}{doubt}");
    let clients = clients.join(", ");
    Some([clients, servers, safe(&file.path)])
}

fn text_row(file: &LookedAt) -> Option<[String; 3]> {
    let What::Instructions { r#type, is_suspicious } = &file.what else { return None };
    let mark = if *is_suspicious { "suspicious" } else { "" };
    Some([(*r#type).to_owned(), mark.to_owned(), safe(&file.path)])
}

fn print_problems(scanned: &Scanned, line: &mut dyn FnMut(String) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let problems = &scanned.report.problems;
    if problems.is_empty() {
        return Ok(());
    }
    line(String::new())?;
    line("Not read, or not understood:".to_owned())?;
    for problem in problems.iter().take(SHOWN) {
        let place = problem.at.map_or_else(String::new, |at| format!(":{}:{}", at.line, at.column));
        line(format!("  {}{place}: {}", safe(&problem.path), safe(&problem.message)))?;
    }
    let rest = output::more(problems.len(), "  ");
    if rest.is_empty() { Ok(()) } else { line(rest) }
}

fn print_findings(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let findings = &scanned.findings;
    if findings.is_empty() {
        return Ok(());
    }
    output.line("")?;
    for finding in findings.iter().take(SHOWN) {
        output.line(format!("{:<8}  {}  [{}]", finding.severity.name(), titled(&finding.title), short_id(finding)))?;
        if let Some(place) = &finding.place {
            output.line(format!("          at   {}:{}:{}", safe(&place.file), place.line, place.column))?;
        }
        print_difference(finding, output)?;
        output.line(format!("          fix  {}", safe(first_sentence(&finding.remediation))))?;
    }
    output.rest(findings.len(), "")?;
    output.line(if scanned.lockdown.is_some() {
        "`tracehound scan --explain ID` tells everything about one of them."
    } else {
        "The same command with `--explain ID` tells everything about one of them."
    })
}

/// Lines of a difference that the list shows.
const DIFFERENCE: usize = 8;

/// What changed, for findings that are about a change: their evidence goes on over several lines.
fn print_difference(finding: &Finding, output: &mut Output) -> anyhow::Result<()> {
    let lines: Vec<&str> = finding.evidence.lines().skip(1).collect();
    for line in lines.iter().take(DIFFERENCE) {
        output.line(format!("               {}", safe(line)))?;
    }
    match lines.len().checked_sub(DIFFERENCE) {
        None | Some(0) => Ok(()),
        Some(rest) => output.line(format!("               … and {rest} lines more")),
    }
}

/// Enough of a finding's id to tell it from others.
fn short_id(finding: &Finding) -> &str {
    let id = finding.fingerprint.as_str();
    id.get(..8).unwrap_or(id)
}

/// The first sentence of a text. A full stop within a name or version does not end one.
fn first_sentence(text: &str) -> &str {
    text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text)
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn summary(scanned: &Scanned) -> String {
    let nodes = &scanned.report.document.graph.nodes;
    let of = |kind: NodeKind| nodes.iter().filter(|node| node.kinds.contains(&kind)).count();
    let severities = Severity::ALL.iter().rev().filter_map(|severity| {
        let number = scanned.findings.iter().filter(|finding| finding.severity == *severity).count();
        (number > 0).then(|| format!("{number} {severity}"))
    });
    let severities: Vec<String> = severities.collect();
    let findings =
        if severities.is_empty() { "no findings".to_owned() } else { format!("findings: {}", severities.join(", ")) };
    let mut parts = vec![
        count(of(NodeKind::AgentInstance), "client"),
        count(of(NodeKind::McpServer), "server"),
        count(of(NodeKind::InstructionFile), "instruction file"),
    ];
    if let Some(found) = &scanned.lived.network {
        // What nobody looked for is not said to be missing.
        let is_there = |kind: NodeKind| of(kind) > 0;
        if ![NodeKind::AgentInstance, NodeKind::McpServer, NodeKind::InstructionFile].into_iter().any(is_there) {
            parts.clear();
        }
        parts.push(count(found.services.len(), "AI service"));
    }
    let asked = [(NodeKind::McpTool, "tool"), (NodeKind::A2aAgent, "agent"), (NodeKind::A2aSkill, "skill")];
    parts.extend(asked.iter().filter(|(kind, _)| of(*kind) > 0).map(|(kind, noun)| count(of(*kind), noun)));
    format!("{}; {findings}", parts.join(", "))
}

/// How much was looked at.
fn extent(scanned: &Scanned) -> String {
    let report = &scanned.report;
    let homes = count(report.homes.len(), "home");
    let mut parts = Vec::new();
    if report.places > 0 {
        parts.push(format!("{} in {homes} and in projects", count(report.places, "place")));
    }
    if report.walked > 0 {
        parts.push(format!("{} files and folders of source trees", report.walked));
    }
    let read = count(report.files.len(), "file");
    parts.push(format!("{read} that {} read", if report.files.len() == 1 { "was" } else { "were" }));
    parts.join(", ")
}

fn promise(scanned: &Scanned) -> String {
    let meta = &scanned.report.document.meta;
    let stored = match scanned.is_stored {
        true => format!("stored as scan {}", safe(&meta.scan_id)),
        false => "nothing was stored".to_owned(),
    };
    let held = match scanned.lockdown {
        Some(Lockdown::Enforced) => "the kernel was asked to see to it",
        Some(Lockdown::Unavailable) => "by construction: this system offers no way to be held to it",
        None => return format!("{}; {stored}.", answers::deeds(scanned)),
    };
    format!("Nothing was started and nobody was contacted ({held}); {stored}.")
}

fn as_json(scanned: &Scanned) -> Value {
    let report = &scanned.report;
    let meta = &report.document.meta;
    json!({
        "scan_id": meta.scan_id,
        "timestamp": meta.timestamp,
        "origin": meta.extra.origin,
        "stored": scanned.is_stored,
        "lockdown": match scanned.lockdown {
            Some(Lockdown::Enforced) => "enforced",
            Some(Lockdown::Unavailable) => "unavailable",
            None => "off",
        },
        "looked_at": { "homes": report.homes, "places": report.places, "walked": report.walked, "files": report.files },
        "asked": answers::as_json(scanned),
        "network": services::as_json(scanned),
        "problems": report.problems,
        "nodes": report.document.graph.nodes.len(),
        "edges": report.document.graph.edges.len(),
        "findings": scanned.findings,
    })
}
