//! How long a start takes on an empty store: from nothing to the first answer that says that the server is ready.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use tokio::sync::watch;
use tracehound_evidence::{Evidence, Moment};
use tracehound_server::listen::Listening;
use tracehound_server::{App, AppSettings, Doors, detection, router};

use crate::figure::Figures;

/// Starts, each with a store of its own.
const TIMES: usize = 9;
/// What a start may take, in milliseconds: nobody notices it.
const BOUND: f64 = 100.0;

/// Measures starts and judges the usual one.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let mut times = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        times.push(start()?);
    }
    times.sort_unstable();
    let usual = times.get(TIMES / 2).copied().unwrap_or_default();
    figures.at_most("from an empty directory to the first answer", usual.as_secs_f64() * 1000.0, BOUND, " ms");
    Ok(())
}

/// One start: the store is made, everything is put together, and a caller is told that it is ready.
fn start() -> anyhow::Result<Duration> {
    let directory = tempfile::tempdir()?;
    let begin = Instant::now();
    let (evidence, _) = Evidence::open(directory.path(), Arc::new(Moment::now))?;
    let app = App::new(Arc::new(evidence), None, AppSettings::new(directory.path()));
    let detection = detection::start(&app);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (stop, stopped) = watch::channel(false);
    let listening = runtime.block_on(Listening::on(SocketAddr::from(([127, 0, 0, 1], 0)), None, false))?;
    let address = listening.address()?;
    runtime.spawn(listening.serve(router(&app, Doors::default()), stopped));
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /readyz HTTP/1.0\r\nhost: localhost\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let time = begin.elapsed();
    ensure!(answer.starts_with("HTTP/1.0 200") || answer.starts_with("HTTP/1.1 200"), "it is not ready: {answer}");
    stop.send_replace(true);
    drop(detection);
    runtime.shutdown_timeout(Duration::from_secs(5));
    Ok(time)
}
