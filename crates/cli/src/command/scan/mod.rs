//! `tracehound scan`: reads what agents are given on a machine and, if it is asked to, asks servers and agents.

mod answers;
mod consent;
mod explain;
mod given;
mod live;
mod network;
mod plan;
mod question;
mod report;
mod scope;
mod services;

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};
use tracehound_analyze::findings::{self, rewrites};
use tracehound_analyze::{Analysis, Picture};
use tracehound_collect::local::{Progress, Request, Root, scan};
use tracehound_collect::lockdown::{self, Lockdown};
use tracehound_collect::{Detection, Report, Stamp, join};
use tracehound_graph::{Access, Graph, Point, graph_of};
use tracehound_model::wire::{Covers, Document};
use tracehound_model::{Collector, Finding, NodeId, NodeKind, NodeRole, Severity};
use tracehound_rules::library::{Entry, Library, Origin};
use tracehound_rules::rule::Rule;

use super::estate_writer::{Server, Writer};
use super::{open_loaded, rules};
use crate::args::Scan;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;
use crate::whole_file::WholeFile;
use crate::{clock, progress};
use live::{Asking, Lived};
use network::Prepared;

/// Everything about a scan that is printed.
struct Scanned {
    report: Report,
    /// What servers and agents answered.
    lived: Lived,
    findings: Vec<Finding>,
    /// Whether the kernel keeps a scan of files to files; `None` for one that does more.
    lockdown: Option<Lockdown>,
    /// Whether the estate keeps it.
    is_stored: bool,
}

pub(super) fn run(arguments: &Scan, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let is_live = arguments.live.is_any() || arguments.network.is_any();
    let keeps = !arguments.no_store && arguments.explain.is_none();
    // A server that keeps the estate is spoken to by a thread that is there before sockets are given up.
    let server = if keeps { Server::find(settings) } else { None };
    // Before anything else: threads that are there already would not be held.
    let lockdown = if is_live { None } else { Some(lockdown::engage()) };
    let library = rules::in_force(settings)?;
    let prepared = match arguments.network.is_any() {
        true => Some(Prepared::read(&arguments.network, library.fingerprints())?),
        false => None,
    };
    if let Some(prepared) = prepared.as_ref().filter(|_| arguments.network.plan) {
        return plan::run(prepared, arguments, settings, output);
    }
    let detection = if is_live { Detection::start_live(library.rules())? } else { Detection::start(library.rules())? };
    // Before anybody is contacted: what was learnt must have somewhere to go.
    let mut file = arguments.output.as_deref().map(Written::begin).transpose()?;
    let mut estate = if keeps { Some(open(settings, server)?) } else { None };
    let scope = scope::read(arguments, settings)?;
    let mut request = scope.request;
    let before = estate.as_mut().map(|estate| estate.graph(&Point::Now, settings)).transpose()?;
    request.known = before.as_ref().map(|graph| known(graph, &request.stamp.origin));
    let services = before.map(|graph| known_services(&graph, &request.stamp.origin)).unwrap_or_default();
    let mut report = if scope.is_local { files(&scope.root, &request, &detection)? } else { nothing(&request.stamp) };
    let mut lived = Lived::default();
    if is_live {
        let asking = Asking {
            arguments,
            stamp: &request.stamp,
            prefix: if request.is_fleet { format!("//{}/", request.stamp.origin) } else { String::new() },
            configured: std::mem::take(&mut report.targets),
            detection: &detection,
            network: prepared.map(|prepared| prepared.agreed(services)).transpose()?,
        };
        lived = asking.run()?;
        let own = scope.is_local.then(|| std::mem::replace(&mut report.document, empty(&request.stamp)));
        let documents = own.into_iter().chain(std::mem::take(&mut lived.documents)).collect();
        report.document = join(documents, lived.allowed).unwrap_or_else(|| empty(&request.stamp));
    }
    report.document.meta.extra.other.extend(own_rules(&library));
    let document = serde_json::to_vec_pretty(&report.document)?;
    let graph = graph_of(&document, &settings.limits, clock::now()).context("the document of the scan")?;
    let analysis = Analysis::of(&graph);
    let mut findings = findings::all(&Picture::new(&graph, &analysis), &library.rules());
    if let Some(file) = &mut file {
        file.write(&document, output)?;
    }
    let is_stored = match &mut estate {
        Some(estate) if says_something(&report) => {
            estate.ingest(document)?;
            estate.snapshot_if_due()?;
            findings.extend(rewritten(&estate.graph(&Point::Now, settings)?, &report, &library.rules()));
            true
        }
        _ => false,
    };
    if arguments.explain.is_some() && !arguments.no_store {
        // A change can be explained only beside what was there before. Without an estate, nothing was.
        if let Ok(mut known) = open_loaded(settings, Access::Read) {
            findings.extend(rewritten(&known.graph(&Point::Now)?, &report, &library.rules()));
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let scanned = Scanned { report, lived, findings, lockdown, is_stored };
    if let Some(id) = &arguments.explain {
        return explain::run(id, &scanned, settings, output);
    }
    let is_piped = arguments.output.as_deref() == Some(Path::new("-"));
    report::print(&scanned, arguments, settings, output, is_piped)?;
    Ok(outcome(&scanned, arguments))
}

/// Reads files.
fn files(root: &Root, request: &Request, detection: &Detection) -> anyhow::Result<Report> {
    let bar = progress::working("looking for configurations");
    let show = |step: Progress| match step {
        Progress::Walked(entries) => bar.set_message(format!("walked over {entries} files and folders")),
        Progress::Read(done, all) => bar.set_message(format!("read {done} of {all} files")),
    };
    let report = scan(root, request, detection, &show);
    bar.finish_and_clear();
    Ok(report?)
}

/// The report of a scan that reads no files.
fn nothing(stamp: &Stamp) -> Report {
    Report {
        document: empty(stamp),
        targets: Vec::new(),
        files: Vec::new(),
        problems: Vec::new(),
        homes: Vec::new(),
        places: 0,
        walked: 0,
    }
}

fn empty(stamp: &Stamp) -> Document {
    let mut document = Document::new(Collector::Scan, &stamp.scan_id, &stamp.timestamp);
    document.meta.extra.origin = Some(stamp.origin.clone());
    document.meta.extra.covers = Some(Covers::default());
    document
}

/// What rewrote itself since the estate saw it last, of what this scan saw.
fn rewritten(graph: &Graph, report: &Report, rules: &[Rule]) -> Vec<Finding> {
    let seen: HashSet<&NodeId> = report.document.graph.nodes.iter().map(|node| &node.id).collect();
    let found = rewrites(graph, rules);
    found.into_iter().filter(|finding| seen.contains(&finding.source.id) || seen.contains(&finding.target.id)).collect()
}

fn open(settings: &Settings, server: Option<Server>) -> anyhow::Result<Writer> {
    Writer::open_beside(settings, Access::Write, server)
        .context("the estate can't be written; --no-store scans without it")
}

/// Rules that a document names.
const OWN_RULES: usize = 1_000;

/// Which rules besides the built-in ones, or in their place, took part: they decide what is found and what is not.
fn own_rules(library: &Library) -> Option<(String, Value)> {
    let own = library.entries().iter().filter(|entry| entry.origin != Origin::Builtin);
    let named = |entry: &Entry| {
        let place = if entry.origin == Origin::Override { ", in the place of a built-in one" } else { "" };
        format!("{} version {}{place}", entry.rule.id(), entry.rule.version())
    };
    let mut all: Vec<String> = own.map(named).collect();
    if let Some(rest) = all.len().checked_sub(OWN_RULES).filter(|rest| *rest > 0) {
        all.truncate(OWN_RULES);
        all.push(format!("… and {rest} more"));
    }
    (!all.is_empty()).then(|| ("own_rules".to_owned(), json!(all)))
}

/// The files that the estate knows of a machine.
fn known(graph: &Graph, origin: &str) -> Vec<String> {
    let is_file = |kind: NodeKind| matches!(kind, NodeKind::ConfigFile | NodeKind::InstructionFile);
    let files = graph.nodes().filter(|node| is_file(node.kind()));
    let ours = files.filter(|node| node.scans().iter().any(|scan| scan.origin == origin));
    ours.filter_map(|node| node.property("path")?.as_text().map(str::to_owned)).collect()
}

/// The services that the estate knows from scans of a machine.
fn known_services(graph: &Graph, origin: &str) -> Vec<(NodeKind, String)> {
    let services = graph.nodes().filter(|node| node.kind().role() == NodeRole::Service);
    let ours = services.filter(|node| node.scans().iter().any(|scan| scan.origin == origin));
    ours.filter_map(|node| Some((node.kind(), node.property("endpoint")?.as_text()?.to_owned()))).collect()
}

/// A document that shows nothing and covers nothing would only fill the log.
fn says_something(report: &Report) -> bool {
    let covers = report.document.meta.extra.covers.as_ref();
    let covers_any = |covers: &Covers| !covers.nodes.is_empty() || !covers.ports.is_empty();
    !report.document.graph.nodes.is_empty() || covers.is_some_and(covers_any)
}

/// Where the document is written to.
enum Written<'p> {
    Standard,
    File(&'p Path, WholeFile),
}

impl<'p> Written<'p> {
    fn begin(path: &'p Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Standard);
        }
        let out = WholeFile::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(Self::File(path, out))
    }

    fn write(&mut self, document: &[u8], output: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Standard => {
                output.bytes(document)?;
                output.bytes(b"\n")
            }
            Self::File(path, out) => {
                let written = out.write_all(document).and_then(|()| out.flush());
                written.with_context(|| format!("cannot write `{}`", path.display()))
            }
        }
    }
}

/// A given file that can't be read is a failure; then come findings, then that there was nothing.
fn outcome(scanned: &Scanned, arguments: &Scan) -> Outcome {
    let problems = &scanned.report.problems;
    let given = || arguments.path.iter().chain(&arguments.dir).chain(&arguments.home);
    let is_given = |path: &str| given().any(|given| scope::is_same(given, path, arguments.root.is_some()));
    let is_unread = problems.iter().any(|problem| problem.is_unread && is_given(&problem.path));
    // A gate that could not see what it was to look at must not let it pass.
    let is_unasked = scanned.lived.is_interrupted || answers::unreached(scanned).next().is_some();
    let is_unasked = is_unasked || services::unreached(scanned, &arguments.network).next().is_some();
    if is_unread || is_unasked || report::misread(scanned).any(is_given) {
        return Outcome::Failed;
    }
    let worst: Option<Severity> = scanned.findings.iter().map(|finding| finding.severity).max();
    if arguments.fail_on.is_some_and(|limit| worst.is_some_and(|worst| worst >= limit)) {
        return Outcome::Findings;
    }
    if report::found_nothing(scanned, arguments) { Outcome::NothingToScan } else { Outcome::Clean }
}
