//! `tracehound receipts`.

mod verify;

use crate::args::Receipts;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(super) fn run(which: &Receipts, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Receipts::Verify(arguments) => verify::run(arguments, settings, output),
    }
}
