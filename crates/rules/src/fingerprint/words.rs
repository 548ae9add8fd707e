//! Matchers and captures in words.

use std::fmt;

use super::expression::Expression;
use super::types::{Capture, Matcher, StatusRange, Wanted};

impl fmt::Display for StatusRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { write!(f, "{}", self.first) } else { write!(f, "{} to {}", self.first, self.last) }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`{}", self.pattern(), any_case(self.is_case_insensitive()))
    }
}

impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(range) if range.first == range.last => write!(f, "the status is {range}"),
            Self::Status(range) => write!(f, "the status is from {range}"),
            Self::HeaderContains { name, value, case_insensitive } => {
                write!(f, "the header {name} contains `{value}`{}", any_case(*case_insensitive))
            }
            Self::HeaderMatches { name, pattern } => write!(f, "the header {name} matches {pattern}"),
            Self::BodyEquals(value) => write!(f, "the body is `{value}`"),
            Self::BodyContains { value, case_insensitive } => {
                write!(f, "the body contains `{value}`{}", any_case(*case_insensitive))
            }
            Self::BodyMatches(pattern) => write!(f, "the body matches {pattern}"),
            Self::Json { path, wanted: Wanted::There } => write!(f, "{path} is there"),
            Self::Json { path, wanted: Wanted::Absent } => write!(f, "{path} is not there"),
            Self::Json { path, wanted: Wanted::Equal(text) } => write!(f, "{path} is `{text}`"),
            Self::Json { path, wanted: Wanted::Matching(pattern) } => write!(f, "{path} matches {pattern}"),
        }
    }
}

impl fmt::Display for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(path) => write!(f, "{path}"),
            Self::Keys { path, pattern } => write!(f, "the keys of {path} that match {pattern}"),
            Self::Header { name, pattern } => write!(f, "{pattern} in the header {name}"),
            Self::Body(pattern) => write!(f, "{pattern} in the body"),
        }
    }
}

fn any_case(case_insensitive: bool) -> &'static str {
    if case_insensitive { " in any case" } else { "" }
}
