//! `tracehound receipts`.

mod export;
mod verify;

use crate::args::Receipts;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(super) fn run(which: &Receipts, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Receipts::Export(arguments) => export::run(arguments, settings, output),
        Receipts::Verify(arguments) => verify::run(arguments, settings, output),
    }
}
