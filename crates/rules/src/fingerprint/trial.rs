//! The examples inside fingerprint files, run as tests.

use super::matching::{Known, Miss, Recognised, Step};
use super::response::Response;
use super::types::{Fingerprint, FingerprintTest, Matcher, Request};

/// How one example of a fingerprint came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The rule's id.
    pub rule: String,
    /// Which of its tests, from 0.
    pub index: usize,
    /// What the test shows.
    pub description: String,
    /// Whether the rule should match.
    pub expected: bool,
    /// Whether it does.
    pub got: bool,
    /// What is not as it should be: empty when the test passed.
    pub problems: Vec<String>,
}

impl Trial {
    /// Whether the rule did what it should.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Runs each fingerprint on each of its own tests, those that are switched off too.
#[must_use]
pub fn run_trials<'f>(fingerprints: impl IntoIterator<Item = &'f Fingerprint>) -> Vec<Trial> {
    let all = fingerprints.into_iter();
    all.flat_map(|rule| rule.tests.iter().enumerate().map(move |(index, test)| run(rule, index, test))).collect()
}

fn run(rule: &Fingerprint, index: usize, test: &FingerprintTest) -> Trial {
    let found = test.recognised_by(rule);
    let got = found.is_some();
    let problems = match (test.should_match, found) {
        (false, None) => Vec::new(),
        (false, Some(_)) => vec!["should not match and does".to_owned()],
        (true, Some(found)) => different(test, &found),
        (true, None) => {
            let miss = rule.miss(|request| Some(test.known(request)));
            let place = miss.map(|miss| place(rule, test, miss)).unwrap_or_default();
            vec![format!("should match and does not: {place}")]
        }
    };
    let description = test.description.clone();
    Trial { rule: rule.id.clone(), index, description, expected: test.should_match, got, problems }
}

impl FingerprintTest {
    /// What any fingerprint makes of the service that the test describes.
    #[must_use]
    pub fn recognised_by(&self, rule: &Fingerprint) -> Option<Recognised> {
        match rule.step(|request| Some(self.known(request))) {
            Step::Matched(found) => Some(found),
            Step::Missed | Step::Ask(_) => None,
        }
    }

    fn known(&self, request: &Request) -> Known<'_> {
        let same = self.responses.iter().find(|one| (one.method, &one.path) == (request.method, &request.path));
        same.map_or(Known::Failed, |one| Known::Answered(&one.response))
    }
}

/// Where a rule missed, and what was found there.
fn place(rule: &Fingerprint, test: &FingerprintTest, miss: Miss) -> String {
    let Some(probe) = rule.probes.get(miss.probe) else { return String::new() };
    let place = format!("probe {} ({})", miss.probe + 1, probe.request);
    let matcher = miss.matcher.and_then(|matcher| probe.matchers.get(matcher));
    match (matcher, test.known(&probe.request)) {
        (Some(matcher), Known::Answered(response)) => {
            format!("{place}: it does not hold that {matcher}{}", found(matcher, response))
        }
        _ => format!("{place}: the test has no response to it"),
    }
}

fn found(matcher: &Matcher, response: &Response) -> String {
    match matcher {
        Matcher::Status(_) => format!("; it is {}", response.status()),
        Matcher::Json { .. } => {
            response.json_problem().map_or_else(String::new, |problem| format!("; the body is not JSON: {problem}"))
        }
        _ => String::new(),
    }
}

fn different(test: &FingerprintTest, found: &Recognised) -> Vec<String> {
    let expected = test.properties.iter().filter(|(key, value)| found.properties.get(*key) != Some(value));
    expected
        .map(|(key, value)| match found.properties.get(key) {
            Some(other) => format!("`{key}` should be {value} and is {other}"),
            None => format!("`{key}` should be {value} and is missing"),
        })
        .collect()
}
