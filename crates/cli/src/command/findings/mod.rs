//! `tracehound findings`.

mod list;
mod past;
mod show;
mod triage;

use anyhow::bail;
use serde_json::{Value, json};
use tracehound_analyze::findings::{Altered, Found, List, Unfound};
use tracehound_analyze::{Analysis, Picture};
use tracehound_graph::Graph;
use tracehound_model::Finding;
use tracehound_rules::rule::Rule;

use crate::args::Findings;
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

pub(super) use past::{Compared, at};

pub(super) fn run(which: &Findings, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Findings::List(arguments) => list::run(arguments, settings, output),
        Findings::Show(arguments) => show::run(arguments, settings, output),
        Findings::Triage(arguments) => triage::run(arguments, settings, output),
    }
}

/// A graph with what follows from it, kept together so that lists can be made of it.
pub(super) struct Analysed {
    pub(super) graph: Graph,
    pub(super) analysis: Analysis,
}

impl Analysed {
    pub(super) fn new(graph: Graph) -> Self {
        let analysis = Analysis::of(&graph);
        Self { graph, analysis }
    }

    pub(super) fn picture(&self) -> Picture<'_> {
        Picture::new(&self.graph, &self.analysis)
    }

    pub(super) fn findings<'a>(&'a self, rules: &'a [Rule]) -> List<'a> {
        List::new(self.picture(), rules)
    }
}

/// A finding that stays and differs, with how.
pub(super) fn changed_json((finding, altered): &(Finding, Altered)) -> Value {
    let mut value = json!(finding);
    if let Some(object) = value.as_object_mut() {
        object.insert("changed".into(), json!(altered));
    }
    value
}

/// The finding that digits mean.
fn find<'l, 'a>(list: &'l List<'a>, digits: &str) -> anyhow::Result<&'l Found<'a>> {
    match list.find(digits) {
        Ok(found) => Ok(found),
        Err(Unfound::Malformed) => {
            bail!("`{}` is no finding: an id has 16 hex digits, of which the first 4 or more are enough", safe(digits))
        }
        Err(Unfound::Unknown) => bail!("there is no finding `{}` at this point", safe(digits)),
        Err(Unfound::Ambiguous(some, count)) => {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            bail!("`{}` begins the ids of {count} findings: {}", safe(digits), some.join(", "))
        }
    }
}
