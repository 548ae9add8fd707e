//! The commands: each takes its arguments as plain values, asks a room, and prints the answer.

mod ask;
mod carriers;
mod chokepoints;
mod demo;
mod differing;
mod estate_view;
mod estate_writer;
mod findings;
mod gateway;
mod graph;
mod ingest;
mod marks;
mod node;
mod path;
mod reach;
mod receipts;
mod rules;
mod scan;
mod scans;
mod summary;
mod walk;
mod what_if;
mod worst;

use tracehound_graph::{Access, Estate};

use crate::args::Command;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::progress;
use crate::settings::Settings;

/// Runs a command.
pub(crate) fn run(command: Command, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match command {
        Command::Demo(arguments) => demo::run(&arguments, settings, output),
        Command::Ingest(arguments) => ingest::run(&arguments, settings, output),
        Command::Scan(arguments) => scan::run(&arguments, settings, output),
        Command::Scans(which) => scans::run(which, settings, output),
        Command::Graph(which) => graph::run(which, settings, output),
        Command::Findings(which) => findings::run(&which, settings, output),
        Command::Ask(arguments) => ask::run(&arguments, settings, output),
        Command::Path(arguments) => path::run(&arguments, settings, output),
        Command::Reach(arguments) => reach::run(&arguments, settings, output),
        Command::Chokepoints(arguments) => chokepoints::run(&arguments, settings, output),
        Command::WhatIf(arguments) => what_if::run(&arguments, settings, output),
        Command::Receipts(which) => receipts::run(&which, settings, output),
        Command::Serve(arguments) => gateway::serve(&arguments, settings, output),
        Command::Agent(which) => gateway::agents(&which, settings, output),
        Command::People(which) => gateway::people(&which, settings, output),
        Command::Tenant(which) => gateway::tenants(&which, settings, output),
        Command::Tool(which) => gateway::tools(&which, settings, output),
        Command::Policy(which) => gateway::policy(&which, settings, output),
        Command::Approvals(which) => gateway::approvals(&which, settings, output),
        Command::Incidents(which) => gateway::incidents(&which, settings, output),
        Command::Mcp(which) => gateway::mcp(&which, settings, output),
        Command::Backup(arguments) => gateway::back_up(&arguments, settings, output),
        Command::Restore(arguments) => gateway::restore(&arguments, settings, output),
        Command::Rules(which) => rules::run(&which, settings, output),
    }
}

/// Opens the estate that the settings name.
fn open(settings: &Settings, access: Access) -> anyhow::Result<Estate> {
    Ok(Estate::open(&settings.data, &settings.tenant, access, settings.limits)?)
}

/// Opens the estate and reads its facts, with a sign of life if that takes long.
fn open_loaded(settings: &Settings, access: Access) -> anyhow::Result<Estate> {
    let mut estate = open(settings, access)?;
    load(&mut estate)?;
    Ok(estate)
}

/// Reads the facts of an estate, with a sign of life if that takes long.
fn load(estate: &mut Estate) -> anyhow::Result<()> {
    let bar = progress::working("reading the estate");
    let result = estate.load(|read, all| bar.set_message(format!("reading the estate: scan {} of {all}", read + 1)));
    bar.finish_and_clear();
    Ok(result?)
}

/// Writes a snapshot if one is due, with a sign of life.
fn snapshot_if_due(estate: &mut Estate) -> anyhow::Result<()> {
    let bar = progress::working("writing a snapshot");
    let result = estate.snapshot_if_due();
    bar.finish_and_clear();
    result?;
    Ok(())
}
