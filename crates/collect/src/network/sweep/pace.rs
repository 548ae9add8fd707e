//! How fast connections are begun.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Settings;

/// Time that was not used and may be made up for. Timers are late by as much as a millisecond or two, and without this
/// each delay would lower the rate.
const SLACK: Duration = Duration::from_millis(20);

/// Gives each connection its time.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    spares_loopback: bool,
    next: Mutex<Instant>,
}

impl Pace {
    pub(super) fn new(rate: Option<NonZeroU32>) -> Self {
        let per_second = rate.unwrap_or(Settings::RATE);
        let interval = Duration::from_secs(1) / per_second.get();
        Self { interval, spares_loopback: rate.is_none(), next: Mutex::new(Instant::now()) }
    }

    /// When the next connection may be begun, if that is not at once.
    pub(super) fn turn(&self, ip: IpAddr) -> Option<Instant> {
        if self.spares_loopback && ip.is_loopback() {
            return None;
        }
        self.turn_at(Instant::now())
    }

    fn turn_at(&self, now: Instant) -> Option<Instant> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = (*next).max(now.checked_sub(SLACK).unwrap_or(now));
        *next = turn + self.interval;
        (turn > now).then_some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_keep_their_distance_and_little_is_made_up_for() {
        let pace = Pace::new(NonZeroU32::new(100));
        let begin = Instant::now();
        // Whoever comes late by a second gets what little may be made up for, and then waits.
        let now = begin + Duration::from_secs(1);
        let turns: Vec<Option<Duration>> = (0..6).map(|_| pace.turn_at(now).map(|turn| turn - now)).collect();
        let wait = |millis| Some(Duration::from_millis(millis));
        assert_eq!(turns, [None, None, None, wait(10), wait(20), wait(30)]);
    }

    #[test]
    fn this_machine_waits_only_when_a_rate_was_given() {
        let (near, far): (IpAddr, IpAddr) = ([127, 0, 0, 9].into(), [10, 0, 0, 1].into());
        let waits = |pace: &Pace, ip| (0..100).filter(|_| pace.turn(ip).is_some()).count() > 0;
        let usual = Pace::new(None);
        assert_eq!((waits(&usual, near), waits(&usual, far)), (false, true));
        assert!(waits(&Pace::new(NonZeroU32::new(1000)), near));
    }
}
