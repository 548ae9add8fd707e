//! Sets of ports.

use std::fmt;
use std::str::FromStr;

/// A set of ports, kept as ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ports(
    // INVARIANT: in order, neither touching nor overlapping, and without 0.
    Vec<(u16, u16)>,
);

/// A list of ports that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` {what}")]
pub struct BadPorts {
    word: String,
    what: &'static str,
}

impl FromIterator<u16> for Ports {
    fn from_iter<I: IntoIterator<Item = u16>>(ports: I) -> Self {
        Self::merge(ports.into_iter().map(|port| (port, port)).collect())
    }
}

impl FromStr for Ports {
    type Err = BadPorts;

    /// Ports and ranges of them, as in `80,443,8000-8010`.
    fn from_str(text: &str) -> Result<Self, BadPorts> {
        let ranges: Result<Vec<_>, _> = text.split(',').map(|word| range(word.trim())).collect();
        Ok(Self::merge(ranges?))
    }
}

impl Ports {
    fn merge(mut ranges: Vec<(u16, u16)>) -> Self {
        ranges.retain(|(_, last)| *last > 0);
        ranges.sort_unstable();
        let mut merged: Vec<(u16, u16)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => merged.push((first.max(1), last)),
            }
        }
        Self(merged)
    }

    /// The ports, in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| u64::from(last - first) + 1).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a port is among them.
    #[must_use]
    pub fn contains(&self, port: u16) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&port))
    }

    /// The port at a place in the order.
    #[must_use]
    pub fn nth(&self, mut at: u64) -> Option<u16> {
        for (first, last) in &self.0 {
            let count = u64::from(last - first) + 1;
            if at < count {
                return first.checked_add(u16::try_from(at).ok()?);
            }
            at -= count;
        }
        None
    }

    /// These and others.
    #[must_use]
    pub fn and(&self, others: &Self) -> Self {
        Self::merge(self.0.iter().chain(&others.0).copied().collect())
    }

    /// These without others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        self.iter().filter(|port| !others.contains(*port)).collect()
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (first, last)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// A port as people write it: a number from 1, without a sign.
pub(super) fn port(word: &str) -> Option<u16> {
    let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|port| is_plain && *port > 0)
}

fn range(word: &str) -> Result<(u16, u16), BadPorts> {
    let bad = |what| BadPorts { word: word.chars().take(40).collect(), what };
    let number = |word| port(word).ok_or_else(|| bad("is no port: ports are numbers from 1 to 65535"));
    let Some((first, last)) = word.split_once('-') else {
        let one = number(word)?;
        return Ok((one, one));
    };
    let (first, last) = (number(first.trim())?, number(last.trim())?);
    if first > last {
        return Err(bad("ends before it begins"));
    }
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_become_one_set() {
        for (text, expected, count) in [
            ("80", "80", 1),
            ("80,443,8000-8010", "80,443,8000-8010", 13),
            ("8001-8003, 8000 ,8004,80", "80,8000-8004", 6),
            ("1-65535", "1-65535", 65_535),
            ("5-9,7-20,6", "5-20", 16),
        ] {
            let ports: Ports = text.parse().unwrap();
            assert_eq!((ports.to_string().as_str(), ports.count()), (expected, count), "{text}");
            let by_place: Vec<u16> = (0..count).map(|at| ports.nth(at).unwrap()).collect();
            assert!(by_place.iter().copied().eq(ports.iter()), "{text}");
            assert_eq!(ports.nth(count), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_port_is_named() {
        for (text, expected) in [
            ("", "`` is no port: ports are numbers from 1 to 65535"),
            ("80,,90", "`` is no port: ports are numbers from 1 to 65535"),
            ("0", "`0` is no port: ports are numbers from 1 to 65535"),
            ("80,+90", "`+90` is no port: ports are numbers from 1 to 65535"),
            ("65536", "`65536` is no port: ports are numbers from 1 to 65535"),
            ("1-2-3", "`1-2-3` is no port: ports are numbers from 1 to 65535"),
            ("90-80", "`90-80` ends before it begins"),
        ] {
            assert_eq!(text.parse::<Ports>().unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn sets_are_joined_and_taken_from_each_other() {
        let (some, others): (Ports, Ports) = ("1-10,20".parse().unwrap(), "5,11,20-30".parse().unwrap());
        assert_eq!(some.and(&others).to_string(), "1-11,20-30");
        assert_eq!(some.without(&others).to_string(), "1-4,6-10");
        assert!(Ports::from_iter([0]).is_empty());
    }
}
