//! `tracehound backup` and `tracehound restore`.

use std::fs::DirBuilder;

use anyhow::{Context as _, bail};
use serde_json::json;
use tracehound_evidence::Copied;

use crate::args::{Backup, Format, Restore};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::progress;
use crate::settings::Settings;

/// The files of a data directory that hold what can't be made again.
const EVIDENCE: &str = "evidence.db";
const ESTATE: &str = "estate.db";

pub(crate) fn back_up(arguments: &Backup, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let has = |name: &str| settings.data.join(name).exists();
    if !has(EVIDENCE) && !has(ESTATE) {
        bail!("there is nothing to copy in `{}`", settings.data.display());
    }
    let mut directory = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directory, 0o700);
    directory.create(&arguments.to).with_context(|| format!("cannot make `{}`", arguments.to.display()))?;
    let bar = progress::working("copying");
    let estate = has(ESTATE).then(|| tracehound_graph::back_up(&settings.data, &arguments.to)).transpose();
    let evidence = has(EVIDENCE).then(|| tracehound_evidence::back_up(&settings.data, &arguments.to)).transpose();
    bar.finish_and_clear();
    told(settings, output, estate?.is_some(), evidence?.as_ref())
}

pub(crate) fn restore(arguments: &Restore, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let has = |name: &str| arguments.from.join(name).exists();
    if !has(EVIDENCE) && !has(ESTATE) {
        bail!("`{}` is not a backup", arguments.from.display());
    }
    for name in [EVIDENCE, ESTATE] {
        if settings.data.join(name).exists() {
            bail!("`{}` is not empty: it has `{name}`; nothing was changed", settings.data.display());
        }
    }
    let bar = progress::working("copying");
    let evidence = has(EVIDENCE).then(|| tracehound_evidence::restore(&arguments.from, &settings.data)).transpose();
    let evidence = evidence?;
    let estate = has(ESTATE).then(|| tracehound_graph::restore(&arguments.from, &settings.data)).transpose();
    bar.finish_and_clear();
    told(settings, output, estate?.is_some(), evidence.as_ref())
}

fn told(
    settings: &Settings,
    output: &mut Output,
    has_estate: bool,
    evidence: Option<&Copied>,
) -> anyhow::Result<Outcome> {
    if settings.format == Format::Json {
        output.json(&json!({ "estate": has_estate, "evidence": evidence }))?;
        return Ok(Outcome::Clean);
    }
    if has_estate {
        output.line("estate copied")?;
    }
    for (tenant, count) in evidence.into_iter().flat_map(|copied| &copied.receipts) {
        output.line(format!("evidence of {} copied, {count} receipts verified", safe(tenant)))?;
    }
    Ok(Outcome::Clean)
}
