//! What is usual for an agent: how many events its hours have.

use std::collections::VecDeque;

use crate::detect::fired::{Hit, Kept};
use crate::detect::limits;
use crate::detect::rule::Rate;

const HOUR_MICROS: i64 = 3_600_000_000;

/// The hours of the past days in which something happened, and the hour that goes on.
///
/// Sums are kept beside the hours, so that one event takes constant time, amortised over the hours.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// Earliest first, all before the current one.
    hours: VecDeque<(i64, u32)>,
    sum: u64,
    squares: u128,
    /// The hour that goes on, and its events.
    current: Option<(i64, u32)>,
    /// The hour for which the rule fired.
    fired: Option<i64>,
}

/// The hour that a moment belongs to.
pub(in crate::detect) fn hour_of(micros: i64) -> i64 {
    micros.div_euclid(HOUR_MICROS)
}

impl Baseline {
    /// Fires once in an hour, when it has more events than is usual.
    pub(super) fn take(&mut self, rate: &Rate, kept: Kept) -> Option<Hit> {
        let hour = hour_of(kept.at);
        let events = self.add(hour)?;
        self.forget_before(hour - i64::from(rate.days) * 24);
        if self.fired == Some(hour) || !self.is_unusual(rate, events) {
            return None;
        }
        self.fired = Some(hour);
        Some(Hit { count: u64::from(events), sources: vec![kept], continues: false })
    }

    /// Sets the events of an hour, in place of what is known about it. Meant for hours in their order, before any event.
    pub(super) fn set(&mut self, hour: i64, count: u32) {
        match self.current {
            Some((current, _)) if hour < current => self.amend(hour, |_| count),
            _ => {
                self.close_current(hour);
                self.current = Some((hour, count));
            }
        }
        self.forget_before(hour - i64::from(limits::RATE_DAYS) * 24);
    }

    /// Counts one event. How many its hour has, unless the hour is over.
    fn add(&mut self, hour: i64) -> Option<u32> {
        match self.current {
            Some((current, _)) if hour + 1 == current => {
                self.amend(hour, |count| count.saturating_add(1));
                return None;
            }
            // The clock was set back: what is known of the time to come is forgotten.
            Some((current, _)) if hour < current => {
                self.current = None;
                while self.hours.back().is_some_and(|(last, _)| *last >= hour) {
                    self.current =
                        self.hours.pop_back().inspect(|(_, count)| self.uncount(*count)).filter(|it| it.0 == hour);
                }
            }
            _ => self.close_current(hour),
        }
        let (_, count) = self.current.get_or_insert((hour, 0));
        *count = count.saturating_add(1);
        Some(*count)
    }

    /// Puts the current hour among the past ones, if it is another than this.
    fn close_current(&mut self, hour: i64) {
        if let Some((past, count)) = self.current.take_if(|(current, _)| *current != hour) {
            self.hours.push_back((past, count));
            self.count(count);
        }
    }

    /// Changes the events of a past hour.
    fn amend(&mut self, hour: i64, change: impl FnOnce(u32) -> u32) {
        let place = self.hours.partition_point(|(other, _)| *other < hour);
        if self.hours.get(place).is_none_or(|(other, _)| *other != hour) {
            self.hours.insert(place, (hour, 0));
        }
        let Some((_, count)) = self.hours.get_mut(place) else { return };
        let (before, after) = (*count, change(*count));
        *count = after;
        self.uncount(before);
        self.count(after);
    }

    fn forget_before(&mut self, hour: i64) {
        while let Some((_, count)) = self.hours.pop_front_if(|(first, _)| *first < hour) {
            self.uncount(count);
        }
    }

    fn count(&mut self, count: u32) {
        self.sum += u64::from(count);
        self.squares += u128::from(count) * u128::from(count);
    }

    fn uncount(&mut self, count: u32) {
        self.sum = self.sum.saturating_sub(u64::from(count));
        self.squares = self.squares.saturating_sub(u128::from(count) * u128::from(count));
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52, and a rate is no exact science")]
    fn is_unusual(&self, rate: &Rate, events: u32) -> bool {
        let hours = self.hours.len();
        if hours < rate.hours as usize {
            return false;
        }
        // n² times the variance, exact: it is zero only if all hours are alike.
        let spread = (self.squares * hours as u128).saturating_sub(u128::from(self.sum) * u128::from(self.sum));
        let (mean, deviation) = (self.sum as f64 / hours as f64, (spread as f64).sqrt() / hours as f64);
        spread > 0 && f64::from(events) > mean + rate.deviations * deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums that are carried along are those of the hours.
    fn check(baseline: &Baseline) {
        assert_eq!(baseline.sum, baseline.hours.iter().map(|(_, count)| u64::from(*count)).sum::<u64>());
        assert_eq!(
            baseline.squares,
            baseline.hours.iter().map(|(_, it)| u128::from(*it) * u128::from(*it)).sum::<u128>()
        );
        assert!(baseline.hours.iter().zip(baseline.hours.iter().skip(1)).all(|((one, _), (next, _))| one < next));
    }

    fn filled() -> Baseline {
        let mut baseline = Baseline::default();
        for hour in 0..30 {
            baseline.set(hour, 10 + u32::try_from(hour % 2).unwrap());
            check(&baseline);
        }
        baseline
    }

    #[test]
    fn an_hour_is_unusual_beyond_three_deviations() {
        let mut baseline = filled();
        baseline.close_current(30);
        check(&baseline);
        // The mean is 10.5 and the deviation 0.5.
        assert!(!baseline.is_unusual(&Rate::default(), 12));
        assert!(baseline.is_unusual(&Rate::default(), 13));
    }

    #[test]
    fn a_late_event_counts_for_its_hour() {
        let mut baseline = filled();
        assert_eq!(baseline.add(30), Some(1));
        assert_eq!(baseline.add(29), None);
        check(&baseline);
        assert_eq!(baseline.hours.back(), Some(&(29, 12)));
    }

    #[test]
    fn a_clock_that_is_set_back_starts_from_there() {
        let mut baseline = filled();
        assert_eq!(baseline.add(30), Some(1));
        assert_eq!(baseline.add(20), Some(11));
        check(&baseline);
        assert_eq!(baseline.hours.len(), 20);
        assert_eq!(baseline.add(5_000), Some(1));
        check(&baseline);
        baseline.forget_before(5_000 - 168);
        check(&baseline);
        assert!(baseline.hours.is_empty());
    }
}
