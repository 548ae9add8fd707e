//! Benchmarks: what the product must reach, measured on generated estates and real texts, each figure printed beside its bound.
//!
//! Machines are noisy, so bounds are ratios within one run: ours against a plain form of the same work, ours at ten
//! times the size. Each measurement runs in a process of its own, so that memory is that measurement's alone. The exit
//! code is 1 when a bound is missed.

mod analysis;
mod child;
mod clock;
mod decision;
mod figure;
mod flow;
mod gateway;
mod ingest;
mod live;
mod network;
mod other_words;
mod ready;
mod receipts;
mod routes;
mod rules;
mod scan;

use std::process::ExitCode;

use clap::Parser;
use tracehound_collect::process::{SUPERVISE, supervise};

use figure::Figures;

/// Measures something and adds its figures.
type Bench = fn(&mut Figures) -> anyhow::Result<()>;

/// The benchmarks, by name. Whoever asks for `analysis` gets all whose names begin with `analysis-`.
const BENCHES: &[(&str, Bench)] = &[
    ("ingest", ingest::run),
    ("rules", rules::run),
    ("scan", scan::run),
    ("live", live::run),
    ("network", network::run),
    ("routes", routes::run),
    ("flow", flow::run),
    ("analysis-movement", analysis::movement::run),
    ("analysis-whole", analysis::whole::run),
    ("analysis-fan-out", analysis::fan_out::run),
    ("analysis-rescan", analysis::rescan::run),
    ("ready", ready::run),
    ("receipts", receipts::run),
    ("decision", decision::run),
    ("gateway", gateway::run),
    ("run-graph", gateway::run_graph),
];

/// Measures, prints each figure beside its bound and exits 1 when one is missed.
#[derive(Debug, Parser)]
struct Arguments {
    /// What to measure [default: everything]
    names: Vec<String>,
    /// Used by the benchmarks to start themselves in a process of their own
    #[arg(long, num_args = 1.., hide = true, value_name = "TASK")]
    child: Vec<String>,
}

fn main() -> anyhow::Result<ExitCode> {
    // Servers that are asked are kept by this very program.
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|first| first == SUPERVISE) {
        return Ok(supervise(words));
    }
    let arguments = Arguments::parse();
    if arguments.child.first().is_some_and(|task| task == "slow-server") {
        live::serve()?;
        return Ok(ExitCode::SUCCESS);
    }
    if let [task, rest @ ..] = &arguments.child[..] {
        child::perform(task, rest)?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_asked = |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|asked| means(asked, name));
    if let Some(unknown) = arguments.names.iter().find(|asked| BENCHES.iter().all(|(name, _)| !means(asked, name))) {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        anyhow::bail!("there is no benchmark `{unknown}`; there are: {}", known.join(", "));
    }
    let mut figures = Figures::default();
    for (name, bench) in BENCHES {
        if is_asked(name) {
            figure::say(&format!("{name}:"));
            bench(&mut figures)?;
        }
    }
    Ok(if figures.all_met() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether a benchmark is the one that is asked for, or a part of it.
fn means(asked: &str, name: &str) -> bool {
    name.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
