//! As many viewers of the live feed as a server has to bear.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::gateway::{Server, ask, prepared, request};
use crate::harness::Place;

/// How many there are.
const WANTED: u64 = 10_000;
/// Open files that everything else needs.
const SPARE: u64 = 1_000;
/// How long somebody else may wait meanwhile. It takes milliseconds; this is for machines that are busy with other things.
const MOST_WAITING: Duration = Duration::from_secs(5);
/// How many open their connections at the same time.
const TOGETHER: usize = 8;

/// A connection that watches.
pub(crate) struct Viewer(TcpStream);

impl Viewer {
    pub(crate) fn open(address: &str, token: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let head = format!(
            "GET /v1/ws/events?token={token} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
        Self(stream)
    }

    /// The next thing that is told; nothing when the connection ends.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let length = match head[1] {
                126 => {
                    let mut length = [0; 2];
                    self.0.read_exact(&mut length).ok()?;
                    usize::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    self.0.read_exact(&mut length).ok()?;
                    usize::try_from(u64::from_be_bytes(length)).unwrap()
                }
                length => usize::from(length),
            };
            let mut content = vec![0; length];
            self.0.read_exact(&mut content).ok()?;
            // Text; everything else is about the connection.
            if head[0] == 0x81 {
                return Some(String::from_utf8(content).unwrap());
            }
        }
    }
}

fn viewers(server: &Server, admin: &str) -> u64 {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {admin}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let line =
        text.lines().find(|line| line.starts_with("tracehound_live_viewers ")).unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn ten_thousand_viewers_are_told_and_hold_up_nobody() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    // Fewer would show something else than the name says.
    let permitted = limit.maximum.unwrap_or(u64::MAX);
    assert!(
        permitted >= WANTED + SPARE,
        "the system permits {permitted} open files, and {} are needed: raise the hard limit (`ulimit -Hn`)",
        WANTED + SPARE
    );
    let place = Place::new();
    let token = prepared(&place);
    let admin = place.json(&["people", "add", "kim", "--role", "admin"])["token"].as_str().unwrap().to_owned();
    let server = Server::start(&place);
    let each = usize::try_from(WANTED).unwrap() / TOGETHER;
    let opening: Vec<_> = (0..TOGETHER)
        .map(|_| {
            let (address, admin) = (server.address.clone(), admin.clone());
            std::thread::spawn(move || (0..each).map(|_| Viewer::open(&address, &admin)).collect::<Vec<_>>())
        })
        .collect();
    let mut all: Vec<Viewer> = opening.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    let expected = u64::try_from(all.len()).unwrap();
    assert_eq!((viewers(&server, &admin), expected), (WANTED, WANTED));
    let asked = Instant::now();
    let (status, answer) = ask(&server.address, "POST", "/v1/authorize", &token, Some(&request("get"))).unwrap();
    assert_eq!(status, 200, "{answer}");
    let waited = asked.elapsed();
    assert!(waited < MOST_WAITING, "an agent waited for {waited:?}");
    let id = answer["decision_id"].as_str().unwrap();
    for viewer in &mut all {
        let told = viewer.next().unwrap();
        assert!(told.contains(id), "{told}");
    }
    drop(all);
    let is_empty = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        viewers(&server, &admin) == 0
    });
    assert!(is_empty, "those who went are still counted");
    server.kill();
}
