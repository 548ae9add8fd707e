//! Receipts: verifying a file of them against bare signature verification on all cores, and sealing against bare signing.

use std::borrow::Cow;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Write as _};
use std::iter;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::ensure;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use tracehound_evidence::receipt::{
    Chain, Decision, Draft, Keys, Lines, PolicyUsed, Seed, SigningKey, Status, sha256, verify,
};
use tracehound_model::{TrustLevel, Verdict};
use uuid::Uuid;

use crate::figure::{Figures, say};

/// Receipts that are verified.
const RECEIPTS: usize = 200_000;
/// Receipts that are sealed in a round.
const SEALED: usize = 20_000;
/// Rounds of each measurement, in turns; the quickest counts, as noise only ever slows.
const ROUNDS: usize = 3;
/// Signatures that a core verifies before it takes more.
const PORTION: usize = 32;
const SEED: [u8; 32] = [7; 32];

/// Measures verification and sealing.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("receipts.jsonl");
    let key = Arc::new(SigningKey::from_seed(&Seed::from_bytes(SEED))?);
    let bytes = write(&file, &key)?;
    let keys: Keys = [key.public().clone()].into_iter().collect();
    let pair = Ed25519KeyPair::from_seed_unchecked(&SEED).map_err(|_| anyhow::anyhow!("no key"))?;
    let signatures = Signatures::of(&pair);
    let drafts: Vec<Draft> = (0..SEALED).map(draft).collect();
    let (mut ours, mut bare, mut seal, mut sign) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        keep_least(&mut bare, || signatures.verify())?;
        keep_least(&mut ours, || verify_file(&file, &keys))?;
        keep_least(&mut sign, || {
            for number in 0..SEALED {
                black_box(pair.sign(&text(number)));
            }
            Ok(())
        })?;
        keep_least(&mut seal, || {
            let mut chain = Chain::new("default", None, Some(key.clone()));
            for draft in &drafts {
                black_box(chain.seal(draft, Uuid::from_u128(1), jiff::Timestamp::UNIX_EPOCH));
            }
            Ok(())
        })?;
    }
    let rate = |count: usize, seconds: f64| count as f64 / seconds;
    say(&format!(
        "  {RECEIPTS} receipts of {} bytes, {} cores: verified {:.0}/s, bare signatures {:.0}/s; sealed {:.0}/s, bare signing {:.0}/s on one core",
        bytes / RECEIPTS,
        cores(),
        rate(RECEIPTS, ours),
        rate(RECEIPTS, bare),
        rate(SEALED, seal),
        rate(SEALED, sign),
    ));
    figures.at_least("verifying a file against bare signature verification", bare / ours, 0.8, "x");
    figures.at_least("sealing against bare signing", sign / seal, 0.6, "x");
    Ok(())
}

/// A file of receipts; gives its length.
fn write(file: &Path, key: &Arc<SigningKey>) -> anyhow::Result<usize> {
    let mut out = BufWriter::new(File::create(file)?);
    let mut chain = Chain::new("default", None, Some(key.clone()));
    let mut bytes = 0;
    for number in 0..RECEIPTS {
        let id = Uuid::from_u128(number as u128);
        let sealed = chain.seal(&draft(number), id, jiff::Timestamp::from_microsecond(number as i64)?);
        writeln!(out, "{}", sealed.json)?;
        bytes += sealed.json.len() + 1;
    }
    out.flush()?;
    Ok(bytes)
}

fn verify_file(file: &Path, keys: &Keys) -> anyhow::Result<()> {
    let lines = Lines::new(BufReader::with_capacity(1 << 16, File::open(file)?));
    let report = verify(lines, keys, None)?;
    ensure!(report.status == Status::Verified && report.receipts == RECEIPTS as u64, "{:?}", report.problems);
    Ok(())
}

/// Signatures of texts as long as those that receipts sign.
struct Signatures {
    public: Vec<u8>,
    signed: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Signatures {
    fn of(pair: &Ed25519KeyPair) -> Self {
        let signed = |number| (text(number), pair.sign(&text(number)).as_ref().to_vec());
        Self { public: pair.public_key().as_ref().to_vec(), signed: (0..RECEIPTS).map(signed).collect() }
    }

    /// Verifies all on all cores, with nothing else to do.
    fn verify(&self) -> anyhow::Result<()> {
        let key = UnparsedPublicKey::new(&ED25519, &self.public);
        let is_signed = |(text, signature): &(Vec<u8>, Vec<u8>)| key.verify(text, signature).is_ok();
        // Whichever core is free takes the next portion, so that a core that others use does not hold up the rest.
        let portions: Vec<_> = self.signed.chunks(PORTION).collect();
        let next = AtomicUsize::new(0);
        let take_part = || {
            let portions = iter::from_fn(|| portions.get(next.fetch_add(1, Ordering::Relaxed)));
            portions.flat_map(|portion| portion.iter()).all(is_signed)
        };
        let all = thread::scope(|scope| {
            let parts: Vec<_> = (0..cores()).map(|_| scope.spawn(take_part)).collect();
            parts.into_iter().all(|part| part.join().unwrap_or(false))
        });
        ensure!(all, "a signature is wrong");
        Ok(())
    }
}

fn text(number: usize) -> Vec<u8> {
    format!("{number:064}").into_bytes()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// A decision as it is made many times a second.
fn draft(number: usize) -> Draft {
    let id = |kind: u128| Uuid::from_u128(kind << 64 | number as u128).to_string();
    let policy = |name: &str| PolicyUsed { name: name.to_owned(), version: 3, hash: sha256(name).hex() };
    let decision = Decision {
        action: "merge_pull_request".to_owned(),
        action_hash: sha256("action").hex(),
        agent_id: id(1),
        approval_id: None,
        approver: None,
        argument_hash: Some(sha256("arguments").hex()),
        code: Cow::Borrowed("policy_allow"),
        composite_risk_score: 41,
        decision: Verdict::Allow,
        decision_id: id(2),
        mcp_server: Some("mcp:github".to_owned()),
        mutates_state: true,
        parent_run_id: None,
        policies: vec![policy("mutations_need_trust"), policy("tenant_allow_merges")],
        reason: "the tool is permitted to the agent and the cause is trusted".to_owned(),
        resource: Some("shop/api#12".to_owned()),
        risk_score: 40,
        root_trust_level: TrustLevel::TrustedInternalSigned,
        run_id: Some(id(3)),
        source_trust: TrustLevel::TrustedInternalSigned,
        tool: "github".to_owned(),
        trace_id: Some(id(4)),
        user_id: Some("kim".to_owned()),
    };
    decision.into()
}

/// Does the work, and keeps its time if it is the least so far.
fn keep_least(least: &mut f64, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let start = Instant::now();
    work()?;
    *least = least.min(start.elapsed().as_secs_f64());
    Ok(())
}
