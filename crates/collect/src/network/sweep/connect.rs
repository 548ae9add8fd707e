//! One connection, tried and closed again.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream as Blocking};
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, Socket, Type};
use tokio::net::TcpStream;

use super::Outcome;
use crate::network::plan::Place;

/// How often a connection is tried for which this machine lacks something, and how long is waited after the first time;
/// twice as long after each further.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(10);

/// What came of beginning a connection.
#[derive(Debug)]
pub(super) enum Begun {
    /// It is decided.
    Done(Outcome),
    /// It is in progress.
    Started(Socket),
    /// This machine has run out of something: files, ports, memory.
    Lacking(ErrorKind),
}

/// Begins a connection without waiting for it.
pub(super) fn begin(place: Place) -> Begun {
    let target = SocketAddr::new(place.address, place.port);
    let socket = match unblocked(Domain::for_address(target)) {
        Ok(socket) => socket,
        Err(error) => return failed(&error),
    };
    match socket.connect(&SockAddr::from(target)) {
        Ok(()) => Begun::Done(connected(&Blocking::from(socket))),
        // A near answer has often come by now, but is not what the call returns.
        Err(error) if is_in_progress(&error) => match socket.take_error() {
            Ok(None) => Begun::Started(socket),
            Ok(Some(error)) | Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    }
}

/// Waits for a connection, and begins it again while this machine lacks something.
pub(super) async fn finish(place: Place, begun: Begun, timeout: Duration) -> Outcome {
    let mut begun = begun;
    for tried in 0..TRIES {
        let lacking = match begun {
            Begun::Done(outcome) => return outcome,
            Begun::Lacking(kind) => kind,
            Begun::Started(socket) => match tokio::time::timeout(timeout, established(socket)).await {
                Err(_) => return Outcome::Silent,
                Ok(Ok(outcome)) => return outcome,
                Ok(Err(error)) => match failed(&error) {
                    Begun::Lacking(kind) => kind,
                    Begun::Done(outcome) => return outcome,
                    Begun::Started(_) => return Outcome::Untried(error.kind()),
                },
            },
        };
        if tried + 1 == TRIES {
            return Outcome::Untried(lacking);
        }
        tokio::time::sleep(PAUSE * 2_u32.pow(tried)).await;
        begun = begin(place);
    }
    Outcome::Untried(ErrorKind::Other)
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn unblocked(domain: Domain) -> io::Result<Socket> {
    Socket::new(domain, Type::STREAM.nonblocking(), Some(Protocol::TCP))
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn unblocked(domain: Domain) -> io::Result<Socket> {
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

async fn established(socket: Socket) -> io::Result<Outcome> {
    let stream = TcpStream::from_std(Blocking::from(socket))?;
    stream.writable().await?;
    match stream.take_error()? {
        Some(error) => Err(error),
        None => Ok(connected(&stream.into_std()?)),
    }
}

/// Somebody listens, unless it is this very connection: a port that nobody listens at can be given to the connection
/// that asks for it, which then meets itself.
fn connected(stream: &Blocking) -> Outcome {
    match (stream.local_addr(), stream.peer_addr()) {
        (Ok(local), Ok(peer)) if local == peer => Outcome::Closed,
        _ => Outcome::Open,
    }
}

fn is_in_progress(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_code = error.raw_os_error() == Some(rustix::io::Errno::INPROGRESS.raw_os_error());
    #[cfg(not(unix))]
    let is_code = false;
    // Windows says that it would block.
    is_code || (cfg!(windows) && error.kind() == ErrorKind::WouldBlock)
}

fn failed(error: &io::Error) -> Begun {
    match error.kind() {
        _ if is_lacking(error) => Begun::Lacking(error.kind()),
        ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
            Begun::Done(Outcome::Closed)
        }
        ErrorKind::TimedOut => Begun::Done(Outcome::Silent),
        kind => Begun::Done(Outcome::Unreachable(kind)),
    }
}

/// Whether this machine has run out of something that others give back.
fn is_lacking(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        const LACKING: [Errno; 6] =
            [Errno::MFILE, Errno::NFILE, Errno::ADDRNOTAVAIL, Errno::NOBUFS, Errno::NOMEM, Errno::AGAIN];
        error.raw_os_error().is_some_and(|code| LACKING.iter().any(|it| it.raw_os_error() == code))
    }
    #[cfg(not(unix))]
    matches!(error.kind(), ErrorKind::AddrNotAvailable | ErrorKind::OutOfMemory)
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    fn check(errno: Errno, expected: &str) {
        let error = io::Error::from_raw_os_error(errno.raw_os_error());
        let text = match failed(&error) {
            Begun::Done(outcome) => format!("{outcome:?}"),
            Begun::Lacking(_) => "lacking".to_owned(),
            Begun::Started(_) => "started".to_owned(),
        };
        assert_eq!(text, expected, "{errno:?}");
    }

    #[test]
    fn a_failure_is_told_for_what_it_is() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::ADDRNOTAVAIL, Errno::NOBUFS, Errno::NOMEM, Errno::AGAIN] {
            check(errno, "lacking");
        }
        check(Errno::CONNREFUSED, "Closed");
        check(Errno::CONNRESET, "Closed");
        check(Errno::TIMEDOUT, "Silent");
        check(Errno::HOSTUNREACH, "Unreachable(HostUnreachable)");
        check(Errno::NETUNREACH, "Unreachable(NetworkUnreachable)");
        check(Errno::ACCESS, "Unreachable(PermissionDenied)");
    }

    #[tokio::test]
    async fn a_connection_is_tried_again_when_this_machine_lacked_something() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let place = Place { address: address.ip(), port: address.port() };
        let lacking = Begun::Lacking(ErrorKind::Other);
        assert_eq!(finish(place, lacking, Duration::from_secs(5)).await, Outcome::Open);
        drop(listener);
        let lacking = Begun::Lacking(ErrorKind::Other);
        assert_eq!(finish(place, lacking, Duration::from_secs(5)).await, Outcome::Closed);
    }

    #[tokio::test]
    async fn a_connection_that_meets_itself_is_not_open() {
        let socket = unblocked(Domain::IPV4).unwrap();
        socket.bind(&SockAddr::from(SocketAddr::from(([127, 0, 0, 1], 0)))).unwrap();
        let own = socket.local_addr().unwrap();
        let begun = match socket.connect(&own) {
            Ok(()) => Begun::Done(connected(&Blocking::from(socket))),
            Err(error) if is_in_progress(&error) => Begun::Started(socket),
            Err(error) => panic!("{error}"),
        };
        let own = own.as_socket().unwrap();
        let place = Place { address: own.ip(), port: own.port() };
        assert_eq!(finish(place, begun, Duration::from_secs(5)).await, Outcome::Closed);
    }
}
