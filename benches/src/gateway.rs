//! The gateway over loopback: authorisations that are durable and signed, against a handler that only authenticates and reads the same
//! body, on the same server; one caller against the disk's own synchronisation; detection behind it; the graph of a run in a small and in a
//! large tenant.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::json;
use tokio::sync::watch;
use tracehound_evidence::decision::{Call, MatchedPolicy, NewDecision, Ruling};
use tracehound_evidence::identity::{AgentProfile, DEFAULT_TENANT, DefaultDecision, Tool, ToolAction};
use tracehound_evidence::reading::Place;
use tracehound_evidence::{Evidence, Moment, TokenHash};
use tracehound_model::{RiskLevel, TrustLevel, Verdict};
use tracehound_policy::AuthorizeRequest;
use tracehound_server::listen::Listening;
use tracehound_server::{App, AppSettings, Doors, detection, guarded, router};

use crate::figure::{Figures, say};

/// Callers at one time.
const CALLERS: usize = 64;
/// Requests of each.
const EACH: usize = 400;
/// Requests of a caller who is alone.
const ALONE: usize = 300;
/// Decisions of the run whose graph is asked for.
const IN_RUN: usize = 20;
/// Sizes of the tenant.
const SIZES: [usize; 2] = [1_000, 1_000_000];

/// Measures the gateway.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    let (evidence, _) = Evidence::open(directory.path(), Arc::new(Moment::now))?;
    let evidence = Arc::new(evidence);
    let token = registered(&evidence)?;
    let app = App::new(evidence.clone(), None, AppSettings::new(directory.path()));
    let detection = detection::start(&app);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (stop, stopped) = watch::channel(false);
    let routes = router(&app, Doors::default()).merge(guarded(no_op(&evidence), Doors::default()));
    let listening = runtime.block_on(Listening::on(SocketAddr::from(([127, 0, 0, 1], 0)), None, false))?;
    let address = listening.address()?;
    runtime.spawn(listening.serve(routes, stopped));
    let caller = Caller { address, token };
    many(figures, &caller)?;
    alone(figures, &caller, directory.path())?;
    lag(figures, &evidence)?;
    stop.send_replace(true);
    drop(detection);
    runtime.shutdown_timeout(Duration::from_secs(5));
    Ok(())
}

/// An agent and a tool; gives the agent's token.
fn registered(evidence: &Evidence) -> anyhow::Result<String> {
    let made = evidence.write(|ledger| {
        let action = |key: &str, mutates_state: bool| ToolAction {
            action_key: key.to_owned(),
            description: None,
            risk: RiskLevel::Low,
            mutates_state,
            data_access: None,
            approval_required: false,
            default_decision: DefaultDecision::Policy,
            input_schema: None,
        };
        let tool = Tool {
            tool_key: "github".to_owned(),
            name: "GitHub".to_owned(),
            sort: None,
            auth_type: None,
            owner_team: None,
            actions: vec![action("get", false), action("merge", true)],
        };
        ledger.put_tool(DEFAULT_TENANT, tool, "bench")?;
        let profile =
            AgentProfile { name: "Bot".to_owned(), environment: "prod".to_owned(), ..AgentProfile::default() };
        ledger.add_agent(DEFAULT_TENANT, "bot", profile, "bench")
    });
    Ok(made?.1.reveal().to_owned())
}

/// A handler that knows who asks and what, and does nothing.
fn no_op(evidence: &Arc<Evidence>) -> Router {
    async fn answer(State(evidence): State<Arc<Evidence>>, headers: HeaderMap, body: Bytes) -> StatusCode {
        let token = headers.get("authorization").and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let is_known = token.is_some_and(|token| evidence.registry().holder(TokenHash::of(token)).is_some());
        let is_read = AuthorizeRequest::parse(&body).is_ok();
        if is_known && is_read { StatusCode::OK } else { StatusCode::BAD_REQUEST }
    }
    Router::new().route("/no-op", post(answer)).with_state(evidence.clone())
}

struct Caller {
    address: SocketAddr,
    token: String,
}

impl Caller {
    fn request(&self, path: &str) -> Vec<u8> {
        let body = json!({
            "agent": { "id": "bot", "environment": "prod" },
            "tool_call": {
                "tool": "github", "action": "get", "resource": "shop/api#12", "mutates_state": false,
                "parameters": { "number": 12, "labels": ["a", "b"], "title": "Say hello" },
            },
            "context": { "source_trust": "trusted_internal_signed", "contains_sensitive_data": false },
            "trace": { "run_id": "run-1", "trace_id": "trace-1" },
        })
        .to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        [head.into_bytes(), body.into_bytes()].concat()
    }

    /// Asks again and again over one connection; gives how long each answer took, in seconds.
    fn ask(&self, path: &str, times: usize) -> anyhow::Result<Vec<f64>> {
        let request = self.request(path);
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_nodelay(true)?;
        let mut answer = vec![0; 16 << 10];
        let mut took = Vec::with_capacity(times);
        for _ in 0..times {
            let start = Instant::now();
            stream.write_all(&request)?;
            read_answer(&mut stream, &mut answer)?;
            took.push(start.elapsed().as_secs_f64());
        }
        Ok(took)
    }

    /// Many callers at one time: requests in a second, and how long each took.
    fn crowd(&self, path: &str) -> anyhow::Result<(f64, Vec<f64>)> {
        let start = Instant::now();
        let took = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..CALLERS).map(|_| scope.spawn(|| self.ask(path, EACH))).collect();
            let mut all = Vec::new();
            for caller in callers {
                let Ok(took) = caller.join() else { bail!("a caller stopped") };
                all.extend(took?);
            }
            Ok(all)
        })?;
        Ok(((CALLERS * EACH) as f64 / start.elapsed().as_secs_f64(), took))
    }
}

fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> anyhow::Result<()> {
    let mut filled = 0;
    loop {
        let room = buffer.get_mut(filled..).context("the answer is too long")?;
        let read = stream.read(room)?;
        if read == 0 {
            bail!("the server closed the connection");
        }
        filled += read;
        let text = buffer.get(..filled).unwrap_or_default();
        let Some(end) = text.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(text.get(..end).unwrap_or_default())?;
        if !head.starts_with("HTTP/1.1 200") {
            bail!("{head}");
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.context("the answer has no length")?.parse()?;
        if filled >= end + 4 + length {
            return Ok(());
        }
    }
}

fn percentile(took: &mut [f64], part: f64) -> f64 {
    took.sort_unstable_by(f64::total_cmp);
    took.get(((took.len() - 1) as f64 * part) as usize).copied().unwrap_or_default()
}

fn many(figures: &mut Figures, caller: &Caller) -> anyhow::Result<()> {
    caller.crowd("/v1/authorize")?;
    let (mut bare, mut ours, mut took) = (0.0_f64, 0.0_f64, Vec::new());
    for _ in 0..3 {
        bare = bare.max(caller.crowd("/no-op")?.0);
        let (rate, all) = caller.crowd("/v1/authorize")?;
        if rate > ours {
            (ours, took) = (rate, all);
        }
    }
    let (half, most) = (percentile(&mut took, 0.5), percentile(&mut took, 0.99));
    say(&format!(
        "  {CALLERS} callers: {ours:.0} authorisations in a second, durable and signed; {bare:.0} answers of a handler that does \
         nothing; p50 {:.2} ms, p99 {:.2} ms",
        half * 1e3,
        most * 1e3
    ));
    figures.at_least("authorisations against answers of a handler that does nothing", ours / bare, 0.25, "x");
    figures.at_most("p99 against p50", most / half, 10.0, "x");
    Ok(())
}

fn alone(figures: &mut Figures, caller: &Caller, directory: &Path) -> anyhow::Result<()> {
    let mut synchronised = Vec::new();
    let mut file = std::fs::File::create(directory.join("synchronised"))?;
    for _ in 0..ALONE {
        let start = Instant::now();
        file.write_all(&[7; 16 << 10])?;
        file.sync_data()?;
        synchronised.push(start.elapsed().as_secs_f64());
    }
    let mut took = caller.ask("/v1/authorize", ALONE)?;
    let (disk, ours) = (percentile(&mut synchronised, 0.5) * 1e3, percentile(&mut took, 0.5) * 1e3);
    say(&format!("  one caller: median {ours:.2} ms; writing 16 KiB and synchronising: {disk:.2} ms"));
    figures.at_most("one caller beyond the disk's synchronisation", ours - disk, 1.0, " ms");
    Ok(())
}

/// How long detection takes to catch up with everything that was asked.
fn lag(figures: &mut Figures, evidence: &Evidence) -> anyhow::Result<()> {
    let start = Instant::now();
    let end: Place = evidence.end()?;
    while evidence.detected()? != end {
        if start.elapsed() > Duration::from_secs(60) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let behind = start.elapsed().as_secs_f64();
    figures.at_most("detection behind the last of all these decisions", behind, 5.0, " s");
    Ok(())
}

/// The graph of a run of 20 decisions, in tenants of both sizes.
pub(crate) fn run_graph(figures: &mut Figures) -> anyhow::Result<()> {
    let directory = tempfile::tempdir()?;
    let (evidence, _) = Evidence::open(directory.path(), Arc::new(Moment::now))?;
    registered(&evidence)?;
    let mut medians = Vec::new();
    let mut there = 0;
    for size in SIZES {
        fill(&evidence, there..size)?;
        there = size;
        let mut took = Vec::new();
        for _ in 0..500 {
            let start = Instant::now();
            let graph = evidence.run_graph(DEFAULT_TENANT, "run-0", None)?.context("the run is there")?;
            took.push(start.elapsed().as_secs_f64());
            if graph.total_decisions != IN_RUN as u64 {
                bail!("{} decisions in the run", graph.total_decisions);
            }
        }
        let median = percentile(&mut took, 0.5);
        say(&format!("  graph of a run of {IN_RUN} decisions among {size}: median {:.3} ms", median * 1e3));
        medians.push(median);
    }
    if let [small, large] = medians.as_slice() {
        figures.at_most("the graph of a run among 1,000,000 decisions against among 1,000", large / small, 1.5, "x");
    }
    Ok(())
}

/// Records decisions, twenty to a run.
fn fill(evidence: &Evidence, numbers: std::ops::Range<usize>) -> anyhow::Result<()> {
    let agent = evidence.registry().agent_called(DEFAULT_TENANT, "bot").context("the agent is there")?;
    let rules_epoch = evidence.registry().rulebook(DEFAULT_TENANT).epoch;
    let mut next = numbers.start;
    while next < numbers.end {
        let (from, to) = (next, (next + 5_000).min(numbers.end));
        let agent = agent.clone();
        evidence.write(move |ledger| {
            for number in from..to {
                ledger.decide(NewDecision {
                    agent: agent.clone(),
                    rules_epoch,
                    request_id: None,
                    request_hash: String::new(),
                    nonce: None,
                    call: call(number),
                    ruling: ruling(),
                    approval: None,
                    received_at: Moment::now(),
                })?;
            }
            Ok(())
        })?;
        next = to;
    }
    Ok(())
}

fn call(number: usize) -> Call {
    Call {
        user_id: None,
        run_id: Some(format!("run-{}", number / IN_RUN)),
        trace_id: Some("trace".to_owned()),
        parent_run_id: None,
        tool: "github".to_owned(),
        action: "get".to_owned(),
        resource: Some(format!("shop/api#{number}")),
        mcp_server: None,
        source_trust: TrustLevel::TrustedInternalSigned,
        root_trust_level: TrustLevel::TrustedInternalSigned,
        mutates_state: false,
        action_hash: "0".repeat(64),
        argument_hash: "0".repeat(64),
    }
}

fn ruling() -> Ruling {
    Ruling {
        verdict: Verdict::Allow,
        code: "allowed".to_owned(),
        reason: "It may happen.".to_owned(),
        explanation: "{}".to_owned(),
        risk_score: 10,
        composite_risk_score: 10,
        policies: vec![MatchedPolicy { name: "permit-reads".to_owned(), version: 0, hash: "0".repeat(64) }],
        redacted_fields: Vec::new(),
    }
}
