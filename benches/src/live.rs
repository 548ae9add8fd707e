//! Asking many servers: slow ones that must not wait for each other, and what asking costs besides.
//!
//! This program plays the servers, and keeps them as the product does.

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracehound_collect::mcp::{Request, Status, Target, collect};
use tracehound_collect::net::{Guard, Policy};
use tracehound_collect::process::{Supervisor, Warden};
use tracehound_collect::{Detection, Stamp};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

const SERVERS: usize = 200;
const CONCURRENCY: usize = 20;
/// How long a server takes for each request.
const DELAY: Duration = Duration::from_millis(200);
/// What a server of a revision with a handshake is asked: for the newest revision, for the handshake, and four lists.
const REQUESTS: u32 = 6;
const ROUNDS: usize = 3;
const MB: f64 = 1e6;

/// Two hundred slow servers, and a tenth of them.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let best = |count: usize| -> anyhow::Result<Measured> {
        let count = count.to_string();
        let rounds: anyhow::Result<Vec<Measured>> =
            (0..ROUNDS).map(|_| measure("ask-servers", &[Path::new(&count)])).collect();
        rounds?.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).context("there are rounds")
    };
    let (many, few) = (best(SERVERS)?, best(SERVERS / 10)?);
    let ideal = (DELAY * REQUESTS).as_secs_f64() * (SERVERS / CONCURRENCY) as f64;
    say(&format!(
        "  {SERVERS} servers, {CONCURRENCY} at a time, {} ms for each of {REQUESTS} requests: {:.2} s and {} nodes; nothing but \
         waiting is {ideal:.2} s",
        DELAY.as_millis(),
        many.seconds,
        many.nodes,
    ));
    figures.at_most("asking against nothing but waiting", many.seconds / ideal, 1.3, "x");
    figures.at_most("ten times the servers against ten times the time", many.seconds / few.seconds / 10.0, 1.2, "x");
    figures.at_most("memory at ten times the servers", many.peak / few.peak, 1.5, "x");
    figures.at_most("memory at its most", many.peak / MB, 300.0, " MB");
    Ok(())
}

/// Asks so many slow servers.
pub(crate) fn ask(count: &str) -> anyhow::Result<Measured> {
    let rules = tracehound_rules::builtin_rules()?.to_vec();
    let detection = Detection::start_live(rules)?;
    let program = std::env::current_exe()?;
    let target = |number: usize| {
        let line = format!("'{}' --child slow-server {number}", program.display());
        Target::given_command(&line, &detection, "")
    };
    let request = Request {
        stamp: Stamp { scan_id: "bench".into(), timestamp: "2026-01-01T00:00:00Z".into(), origin: "box".into() },
        targets: (0..count.parse()?).map(target).collect::<Result<_, _>>()?,
        concurrency: CONCURRENCY,
        allowed: Duration::from_secs(60),
    };
    let guard = Guard::new(Policy::default())?;
    let warden = Arc::new(Warden::new(Supervisor::current()?, false));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let begin = Instant::now();
    let cancel = CancellationToken::new();
    let asking = collect(request, &guard, &warden, &detection, &cancel, &|_, _, _| {});
    let collected = runtime.block_on(asking)?;
    let seconds = begin.elapsed().as_secs_f64();
    let is_fine = collected.servers.iter().all(|it| it.status == Status::Reachable.name() && it.problems.is_empty());
    anyhow::ensure!(is_fine, "some servers were not read: {:?}", collected.servers.first());
    let graph = &collected.document.graph;
    Ok(Measured { seconds, nodes: graph.nodes.len(), edges: graph.edges.len(), ..Measured::default() })
}

/// A server that takes its time for each request, one after the other.
pub(crate) fn serve() -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else { continue };
        std::thread::sleep(DELAY);
        let answer = match request.get("method").and_then(Value::as_str).and_then(result) {
            Some(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            None => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no such method" } }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn result(method: &str) -> Option<Value> {
    let tool = |number: usize| {
        json!({
            "name": format!("tool_{number}"),
            "description": "Reads a file of the project and returns its contents as text.",
            "inputSchema": { "type": "object", "properties": { "path": { "type": "string" } } },
        })
    };
    Some(match method {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {}, "resources": {}, "prompts": {} },
            "serverInfo": { "name": "slow", "version": "1" },
        }),
        "tools/list" => json!({ "tools": (0..10).map(tool).collect::<Vec<_>>() }),
        "resources/list" => json!({ "resources": [{ "uri": "file:///tmp/x", "name": "x" }] }),
        "resources/templates/list" => json!({ "resourceTemplates": [] }),
        "prompts/list" => json!({ "prompts": [{ "name": "p" }] }),
        _ => return None,
    })
}
