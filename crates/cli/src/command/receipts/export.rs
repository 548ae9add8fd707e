//! `tracehound receipts export`: the chain as it verifies, with what is needed to verify it elsewhere.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context as _;
use reqwest::Method;
use serde_json::Value;
use tracehound_evidence::receipt::Lines;

use crate::args::ExportReceipts;
use crate::gateway_client::Gateway;
use crate::outcome::Outcome;
use crate::output::{Output, note};
use crate::progress;
use crate::settings::Settings;

/// How many receipts are asked for at once.
const PAGE: u64 = 1_000;

pub(super) fn run(arguments: &ExportReceipts, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let gateway = Gateway::open(settings)?;
    let count = if arguments.file == Path::new("-") {
        let mut text = Vec::new();
        let count = write(&gateway, arguments.from, &mut text)?;
        output.bytes(&text)?;
        count
    } else {
        let failed = || format!("cannot write `{}`", arguments.file.display());
        let mut file = BufWriter::new(File::create_new(&arguments.file).with_context(failed)?);
        let count = write(&gateway, arguments.from, &mut file)?;
        file.into_inner().map_err(|error| error.into_error()).and_then(|file| file.sync_all()).with_context(failed)?;
        count
    };
    if let Some(path) = &arguments.checkpoint {
        keep(path, &gateway.bytes(Method::GET, "/v1/receipts/checkpoint", None)?)?;
    }
    if let Some(path) = &arguments.key {
        keep(path, key_file(&gateway.get("/v1/receipts/keys")?).as_bytes())?;
    }
    note(&format!("{count} receipts"));
    Ok(Outcome::Clean)
}

/// Writes every receipt from a place on, a line each; gives how many.
fn write(gateway: &Gateway, from: u64, to: &mut impl Write) -> anyhow::Result<u64> {
    let bar = progress::working("reading receipts");
    let mut next = from;
    loop {
        let page = gateway.bytes(Method::GET, &format!("/v1/receipts?from={next}&limit={PAGE}"), None)?;
        let mut found = 0;
        for receipt in Lines::new(&page[..]) {
            to.write_all(&receipt?)?;
            to.write_all(b"\n")?;
            found += 1;
        }
        next += found;
        bar.set_message(format!("reading receipts: {}", next - from));
        if found < PAGE {
            bar.finish_and_clear();
            return Ok(next - from);
        }
    }
}

fn keep(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("cannot write `{}`", path.display());
    let mut file = File::create_new(path).with_context(failed)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).with_context(failed)
}

/// A key a line, as `receipts verify` reads it.
fn key_file(keys: &Value) -> String {
    let keys = keys.get("keys").and_then(Value::as_array).into_iter().flatten();
    let text = |key: &Value, name: &str| key.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    keys.map(|key| format!("ed25519 {} {}\n", text(key, "key_id"), text(key, "public_key"))).collect()
}
