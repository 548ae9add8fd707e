//! `tracehound receipts`.

mod export;
mod verify;

use crate::args::Receipts;
use crate::gateway_client::Gateway;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::settings::Settings;

pub(super) fn run(which: &Receipts, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Receipts::Export(arguments) => export::run(arguments, settings, output),
        Receipts::RotateKey => {
            let key = Gateway::open(settings)?.post("/v1/receipts/rotate-key", serde_json::json!({}))?;
            output.json(&key)?;
            Ok(Outcome::Clean)
        }
        Receipts::Retain(arguments) => {
            let asked = serde_json::json!({ "keep_days": arguments.keep_days });
            output.json(&Gateway::open(settings)?.post("/v1/receipts/retain", asked)?)?;
            Ok(Outcome::Clean)
        }
        Receipts::Verify(arguments) => verify::run(arguments, settings, output),
    }
}
