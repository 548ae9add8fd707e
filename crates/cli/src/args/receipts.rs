//! The command line of `tracehound receipts`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Receipts {
    /// Say whether receipts are whole, linked and signed, from the file and the key alone
    #[command(
        after_help = "The file has a receipt a line, or is a JSON list of them, oldest first or newest first. Nobody is contacted, and everything\nthat is wrong is told. Keys that receipts hand over to are followed.\n\nWithout a checkpoint, receipts that are missing at the end don't show.\n\nExit codes: 0 verified, 1 something can't be read, 11 not verified.\n\nExamples:\n  tracehound receipts verify receipts.jsonl --key tracehound.pub\n  tracehound receipts verify receipts.jsonl --key tracehound.pub --checkpoint checkpoint.json\n  zstd -dc receipts.jsonl.zst | tracehound receipts verify - --key tracehound.pub --format json"
    )]
    Verify(VerifyReceipts),
    /// Write out a tenant's whole chain, a receipt a line, as it verifies
    #[command(
        after_help = "Examples:\n  tracehound receipts export receipts.jsonl --checkpoint checkpoint.json --key tracehound.pub\n  tracehound receipts verify receipts.jsonl --key tracehound.pub --checkpoint checkpoint.json"
    )]
    Export(ExportReceipts),
    /// Let another key sign from here on; every chain says so, signed by the old one
    #[command(
        after_help = "Whoever trusts the old key can follow: `receipts verify` does. Example:\n  tracehound receipts rotate-key"
    )]
    RotateKey,
    /// Drop the details of what is old; every receipt stays, so the chain verifies as before
    #[command(
        after_help = "Dropped are who, why and on what of old decisions, the calls that approvals showed, events, alerts, and what closed incidents\nrest on. What waits for a person and what open incidents rest on stays. A receipt of kind `retention` says what was dropped.\n`serve --keep-days` does the same once an hour. Example:\n  tracehound receipts retain --keep-days 90"
    )]
    Retain(RetainReceipts),
}

#[derive(Debug, Args)]
pub(crate) struct RetainReceipts {
    /// The days whose details are kept
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_525))]
    pub(crate) keep_days: u32,
}

#[derive(Debug, Args)]
pub(crate) struct ExportReceipts {
    /// Where to; `-` is standard output
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The first receipt, by its place in the chain
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
    pub(crate) from: u64,
    /// Write a checkpoint of the chain, too; keep it where nobody who could change the chain can change it
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Write the public keys, too
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyReceipts {
    /// The receipts; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A trusted public key: a key file, or the 64 hex digits of the key. May be given several times
    #[arg(long = "key", required = true, value_name = "PUB")]
    pub(crate) keys: Vec<String>,
    /// A checkpoint that was taken of the chain; shows whether its end is missing or was rewritten
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}
