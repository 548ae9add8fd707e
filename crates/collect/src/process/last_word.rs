//! What a supervisor says when all is over.
//!
//! It goes to standard error, which the command shares. Nobody can write behind it: when it is written, everything that
//! the command started is gone. It counts only when the supervisor ended as a supervisor does.

use serde::{Deserialize, Serialize};

use super::excerpt::escaped;

/// Stands before the last word.
pub(super) const MARK: u8 = 0;
/// No last word is longer, mark and all.
pub(super) const LONGEST: usize = 1024;
/// Bytes of a reason that are kept.
const REASON: usize = 200;

/// How a command ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LastWord {
    /// Its exit code.
    pub(super) code: Option<i32>,
    /// The signal that ended it.
    pub(super) signal: Option<i32>,
    /// Why it was not started at all.
    pub(super) failure: Option<String>,
    /// How many others outlived it and were ended.
    pub(super) survivors: usize,
    /// How many could not be ended.
    pub(super) left: usize,
}

impl LastWord {
    /// It was not started.
    pub(super) fn failed(why: &str) -> Self {
        let end = why.floor_char_boundary(REASON);
        Self { failure: Some(escaped(why.get(..end).unwrap_or_default().as_bytes())), ..Self::default() }
    }

    /// As bytes, mark and all.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![MARK];
        bytes.extend(serde_json::to_vec(self).unwrap_or_default());
        bytes
    }

    /// The exit in words, where there was one.
    pub(super) fn how(&self) -> Option<String> {
        exit(self.code, self.signal)
    }
}

/// An exit in words.
pub(super) fn exit(code: Option<i32>, signal: Option<i32>) -> Option<String> {
    match (code, signal) {
        (Some(code), _) => Some(format!("exited with code {code}")),
        (None, Some(signal)) => Some(match signal_name(signal) {
            Some(name) => format!("ended by signal {signal} ({name})"),
            None => format!("ended by signal {signal}"),
        }),
        (None, None) => None,
    }
}

/// The signals whose numbers are the same everywhere.
const fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, LastWord, exit};

    #[test]
    fn exits_are_said_in_words() {
        assert_eq!(exit(Some(3), None).unwrap(), "exited with code 3");
        assert_eq!(exit(None, Some(9)).unwrap(), "ended by signal 9 (SIGKILL)");
        assert_eq!(exit(None, Some(64)).unwrap(), "ended by signal 64");
        assert_eq!(exit(None, None), None);
    }

    #[test]
    fn no_reason_makes_it_too_long() {
        for reason in ["\u{0}".repeat(5000), "\u{202e}".repeat(5000), "\"\\".repeat(5000), "\u{ff}".repeat(5000)] {
            let word = LastWord { survivors: usize::MAX, left: usize::MAX, ..LastWord::failed(&reason) };
            assert!(word.bytes().len() <= LONGEST, "{}", word.bytes().len());
            assert_eq!(serde_json::from_slice::<LastWord>(&word.bytes()[1..]).unwrap(), word);
        }
    }
}
