//! Trying ports of a whole network on this machine, where nearly all are closed, against a bare loop of connections.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use socket2::{Domain, Protocol, Socket, Type};
use tokio_util::sync::CancellationToken;
use tracehound_collect::network::{Draft, Ended, Progress, Settings, Sweep, Targets, Wish, resolve};

use crate::child::{Measured, measure};
use crate::figure::{Figures, say};

/// Ports of AI services, and some of ordinary ones.
const PORTS: [u16; 10] = [11434, 8000, 6333, 5000, 4000, 8888, 3000, 80, 443, 8080];
/// 65,536 addresses, and about a tenth of them.
const LARGE: &str = "127.0.0.0/16";
const SMALL: &str = "127.0.0.0-127.0.25.153";
const SMALL_ADDRESSES: f64 = 6554.0;
/// Addresses at which somebody listens.
const OPEN: u8 = 20;
const ROUNDS: usize = 3;
const MB: f64 = 1e6;

/// A network of 65,536 addresses, in turns with the plain form of the same work.
pub(crate) fn run(figures: &mut Figures) -> anyhow::Result<()> {
    let [mut bare, mut ours, mut few] = [Measured::default(); 3];
    for round in 0..ROUNDS {
        let quickest = |kept: &mut Measured, new: Measured| {
            if round == 0 || new.seconds < kept.seconds {
                *kept = new;
            }
        };
        quickest(&mut bare, measure("connect", &[Path::new(LARGE)])?);
        quickest(&mut ours, measure("sweep", &[Path::new(LARGE)])?);
        quickest(&mut few, measure("sweep", &[Path::new(SMALL)])?);
    }
    let rate = |measured: &Measured| f64::from(65_536 * PORTS.len() as u32) / measured.seconds;
    say(&format!(
        "  65,536 addresses x {} ports on loopback, {} of them open: {:.0} connections a second; a bare loop on one thread \
         makes {:.0}",
        PORTS.len(),
        ours.nodes,
        rate(&ours),
        rate(&bare),
    ));
    figures.at_most("a sweep against a bare loop of connections", ours.seconds / bare.seconds, 2.0, "x");
    let times = 65_536.0 / SMALL_ADDRESSES;
    let growth = ours.seconds / few.seconds / times;
    // The smaller sweep takes about a second, in which a busy machine shows more than in ten.
    figures.at_most("ten times the addresses against ten times the time", growth, 1.3, "x");
    figures.at_most("memory at ten times the addresses", ours.peak / few.peak, 1.5, "x");
    figures.at_most("memory at its most", ours.peak / MB, 200.0, " MB");
    Ok(())
}

/// Somebody listens at a few addresses of the network.
fn listen() -> anyhow::Result<(Vec<TcpListener>, Vec<u16>)> {
    let first = TcpListener::bind((Ipv4Addr::new(127, 0, 0, 1), 0))?;
    let port = first.local_addr()?.port();
    let others: Result<Vec<TcpListener>, _> =
        (1..OPEN).map(|third| TcpListener::bind((Ipv4Addr::new(127, 0, third, 1), port))).collect();
    let listeners = others?.into_iter().chain([first]).collect();
    // The last of the ports makes room, so that there are as many.
    let ports = PORTS.iter().copied().take(PORTS.len() - 1).chain([port]).collect();
    Ok((listeners, ports))
}

/// The plain form: a connection to each, begun and let go of, without asking what came of it.
pub(crate) fn connect(network: &str) -> anyhow::Result<Measured> {
    anyhow::ensure!(network == LARGE, "only {LARGE}");
    let (_listeners, ports) = listen()?;
    let begin = Instant::now();
    let mut tried = 0;
    for port in ports {
        for low in 0..=u16::MAX {
            let [third, fourth] = low.to_be_bytes();
            let target = SocketAddr::from((Ipv4Addr::new(127, 0, third, fourth), port));
            let socket = Socket::new(Domain::IPV4, Type::STREAM.nonblocking(), Some(Protocol::TCP))?;
            // What comes of it is the other one's business.
            let _ = socket.connect(&target.into());
            tried += 1;
        }
    }
    Ok(Measured { seconds: begin.elapsed().as_secs_f64(), nodes: tried, ..Measured::default() })
}

/// The product's way.
pub(crate) fn sweep(network: &str) -> anyhow::Result<Measured> {
    let (_listeners, ports) = listen()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let begin = Instant::now();
    let targets = Targets::read([network], |_| Ok(Vec::new()))?;
    let wish = Wish { targets, ports: ports.into_iter().collect(), ..Wish::default() };
    let progress = Arc::new(Progress::default());
    let swept = runtime.block_on(async {
        let plan = Arc::new(Draft::make(&wish, resolve).await.into_plan()?);
        let connections = plan.connections();
        let settings = Settings::default();
        let sweep = Sweep { plan, settings, progress: Arc::clone(&progress), watch: None };
        let (send, mut found) = tokio::sync::mpsc::channel(64);
        let count = async {
            let mut count = 0_usize;
            while found.recv().await.is_some() {
                count += 1;
            }
            count
        };
        let cancel = CancellationToken::new();
        let (ended, count) = tokio::join!(sweep.run(send, &cancel), count);
        let is_whole = ended == Ended::Whole && progress.done() == connections && progress.untried() == 0;
        is_whole.then_some(count).context("not every place was tried")
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    // Somebody else may listen as well.
    anyhow::ensure!(swept >= usize::from(OPEN), "{swept} places are open, and {OPEN} should be");
    Ok(Measured { seconds, nodes: swept, ..Measured::default() })
}
