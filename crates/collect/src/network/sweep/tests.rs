//! Sweeps of this machine's own addresses, and of nothing else.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use super::*;
use crate::network::{Draft, Targets, Wish};

async fn plan(target: &str, ports: &str) -> Arc<Plan> {
    let wish = Wish {
        targets: Targets::read([target], |_| unreachable!()).unwrap(),
        ports: ports.parse().unwrap(),
        ..Wish::default()
    };
    let nobody = async |_: &str| -> io::Result<Vec<IpAddr>> { unreachable!("no test names a name") };
    let plan = Draft::make(&wish, nobody).await.into_plan().unwrap();
    assert!(plan.hosts().all(|host| host.address.is_loopback()));
    Arc::new(plan)
}

struct Swept {
    open: BTreeSet<Place>,
    progress: Arc<Progress>,
    ended: Ended,
}

async fn sweep(plan: &Arc<Plan>, settings: Settings) -> Swept {
    let progress = Arc::new(Progress::default());
    let (send, mut found) = mpsc::channel(4);
    let sweep = Sweep { plan: Arc::clone(plan), settings, progress: Arc::clone(&progress), watch: None };
    let cancel = CancellationToken::new();
    let read = async {
        let mut open = BTreeSet::new();
        while let Some(place) = found.recv().await {
            assert!(open.insert(place), "{place:?} is told twice");
        }
        open
    };
    let (ended, open) = tokio::join!(sweep.run(send, &cancel), read);
    Swept { open, progress, ended }
}

/// Listeners at one port of several addresses.
fn listen(addresses: &[Ipv4Addr]) -> (Vec<TcpListener>, u16) {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = first.local_addr().unwrap().port();
    let others = addresses.iter().map(|ip| TcpListener::bind((*ip, port)).unwrap());
    let others: Vec<TcpListener> = others.collect();
    (others.into_iter().chain([first]).collect(), port)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_listens_is_found_and_everything_is_counted() {
    let addresses: Vec<Ipv4Addr> = (1..40).map(|third| Ipv4Addr::new(127, 0, third, 7)).collect();
    let (listeners, port) = listen(&addresses);
    let plan = plan("127.0.0.0/18", &port.to_string()).await;
    let swept = sweep(&plan, Settings::default()).await;
    let expected: BTreeSet<IpAddr> = listeners.iter().map(|it| it.local_addr().unwrap().ip()).collect();
    assert_eq!(swept.open.iter().map(|place| place.address).collect::<BTreeSet<_>>(), expected);
    assert!(swept.open.iter().all(|place| place.port == port));
    assert_eq!(swept.ended, Ended::Whole);
    let progress = &swept.progress;
    assert_eq!((progress.open(), progress.done()), (40, 1 << 14));
    assert_eq!((progress.closed(), progress.silent(), progress.untried()), ((1 << 14) - 40, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_families_are_swept() {
    let Ok(six) = TcpListener::bind("[::1]:0") else { return };
    let address = six.local_addr().unwrap();
    let plan = plan("::1,127.0.0.1", &address.port().to_string()).await;
    let swept = sweep(&plan, Settings::default()).await;
    assert_eq!(swept.open, [Place { address: address.ip(), port: address.port() }].into());
}

#[cfg(target_os = "linux")]
/// A listener whose queue is full, so that further connections get no answer.
fn full() -> (socket2::Socket, Vec<socket2::Socket>, std::net::SocketAddr) {
    let listener = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    listener.bind(&std::net::SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
    listener.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let fill = || {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.set_nonblocking(true).unwrap();
        // In progress, or waiting in the queue.
        let _ = socket.connect(&address);
        socket
    };
    let waiting = (0..8).map(|_| fill()).collect();
    std::thread::sleep(Duration::from_millis(50));
    (listener, waiting, address.as_socket().unwrap())
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_answer_is_silent_after_its_time() {
    let (_listener, _waiting, address) = full();
    let plan = plan(&address.to_string(), "1").await;
    let begin = Instant::now();
    let swept = sweep(&plan, Settings { timeout: Duration::from_millis(300), ..Settings::default() }).await;
    assert_eq!((swept.progress.silent(), swept.progress.done()), (1, 1));
    assert!((Duration::from_millis(300)..Duration::from_secs(5)).contains(&begin.elapsed()));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_ends_a_sweep_and_keeps_what_was_found() {
    let (_listener, _waiting, silent) = full();
    let open = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let place = open.local_addr().unwrap();
    let plan = plan(&format!("{place},{silent}"), "1").await;
    let (send, mut found) = mpsc::channel(4);
    let cancel = CancellationToken::new();
    let settings = Settings { timeout: Duration::from_secs(60), ..Settings::default() };
    let sweep = Sweep { plan, settings, progress: Arc::default(), watch: None };
    let begin = Instant::now();
    let cancelling = async {
        let first = found.recv().await;
        cancel.cancel();
        first
    };
    let (ended, first) = tokio::join!(sweep.run(send, &cancel), cancelling);
    assert_eq!((ended, first.map(|place| place.port)), (Ended::Early, Some(place.port())));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_stops_reading_ends_the_sweep() {
    let (_listeners, port) = listen(&[Ipv4Addr::new(127, 0, 0, 9)]);
    let plan = plan("127.0.0.0/16", &port.to_string()).await;
    let (send, found) = mpsc::channel(1);
    drop(found);
    let progress = Arc::new(Progress::default());
    let sweep = Sweep { plan, settings: Settings::default(), progress: Arc::clone(&progress), watch: None };
    assert_eq!(sweep.run(send, &CancellationToken::new()).await, Ended::Early);
    assert!(progress.done() < 1 << 16);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_that_was_given_is_kept() {
    let plan = plan("127.0.0.0/24", "1").await;
    let begin = Instant::now();
    let swept = sweep(&plan, Settings { rate: NonZeroU32::new(500), ..Settings::default() }).await;
    assert_eq!(swept.progress.done(), 256);
    // Less the little that may be made up for.
    assert!(begin.elapsed() >= Duration::from_millis(256 * 2 - 30), "{:?}", begin.elapsed());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_asked_for_few_ports_at_a_time() {
    // Full queues keep connections in progress until their time is over.
    let full: Vec<_> = (0..6).map(|_| full()).collect();
    let places: Vec<String> = full.iter().map(|(_, _, address)| address.to_string()).collect();
    let plan = plan(&places.join(","), "1").await;
    let round = Duration::from_millis(300);
    for (per_host, rounds) in [(1, 6), (2, 3), (6, 1)] {
        let begin = Instant::now();
        let swept = sweep(&plan, Settings { timeout: round, per_host, ..Settings::default() }).await;
        assert_eq!(swept.progress.silent(), 6);
        assert!(begin.elapsed() >= round * rounds, "{per_host}: {:?}", begin.elapsed());
        assert!(rounds > 1 || begin.elapsed() < round * 5, "one after the other: {:?}", begin.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_place_is_told_to_whoever_watches() {
    let (_listeners, port) = listen(&[]);
    let plan = plan("127.0.0.0/22", &format!("{port},1")).await;
    let (open, closed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (opened, shut) = (Arc::clone(&open), Arc::clone(&closed));
    let watch = move |_: Place, outcome: Outcome| {
        let counter = if outcome == Outcome::Open { &opened } else { &shut };
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let (send, mut found) = mpsc::channel(4);
    let sweep = Sweep { plan, settings: Settings::default(), progress: Arc::default(), watch: Some(Box::new(watch)) };
    let cancel = CancellationToken::new();
    tokio::join!(sweep.run(send, &cancel), async { while found.recv().await.is_some() {} });
    assert_eq!((open.load(Ordering::Relaxed), closed.load(Ordering::Relaxed)), (1, 2047));
}

#[test]
fn the_limit_on_open_files_leaves_room_for_what_is_found() {
    assert_eq!((room(Some(1024)), room(Some(256)), room(None)), (512, 128, usize::MAX));
}
