//! What a service answered: every question is asked once, however many rules want to know.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue, LOCATION};
use tokio::time::{Instant, timeout_at};
use tracehound_rules::fingerprint::{Known, Method, Request, Response};
use tracehound_rules::limits;

use crate::net::{Answer, NetError, Reading, is_same_origin};

/// Longest body that is looked at.
pub(super) const BODY: usize = limits::RESPONSE_BYTES;
/// Answers that may fail to come before nothing more is asked.
const FAILURES: usize = 3;

/// A conversation with one service.
pub(super) struct Dialogue<'d> {
    reading: &'d Reading,
    until: Instant,
    answers: HashMap<Request, Option<Response>>,
    failures: usize,
    /// What went wrong, and at which paths.
    problems: BTreeMap<String, BTreeSet<String>>,
}

impl<'d> Dialogue<'d> {
    pub(super) fn new(reading: &'d Reading, until: Instant) -> Self {
        Self { reading, until, answers: HashMap::new(), failures: 0, problems: BTreeMap::new() }
    }

    /// Takes an answer that came before the dialogue began.
    pub(super) fn remember(&mut self, request: Request, answer: Answer) {
        let response = self.read(&request, answer);
        self.answers.insert(request, Some(response));
    }

    fn read(&mut self, request: &Request, answer: Answer) -> Response {
        if let Some(problem) = redirected(&answer) {
            self.problem(&request.path, problem);
        }
        let response = response(answer);
        // What does not look like JSON need not be any, but of whatever was cut something was not seen.
        let is_meant = response.is_cut() || response.body().trim_start().starts_with(['{', '[']);
        if let Some(problem) = response.json_problem().filter(|_| is_meant) {
            self.problem(&request.path, problem.to_owned());
        }
        response
    }

    fn problem(&mut self, path: &str, what: String) {
        self.problems.entry(what).or_default().insert(path.to_owned());
    }

    /// What is known of an answer so far.
    pub(super) fn known(&self, request: &Request) -> Option<Known<'_>> {
        match self.answers.get(request) {
            Some(Some(response)) => Some(Known::Answered(response)),
            Some(None) => Some(Known::Failed),
            None if self.failures >= FAILURES => Some(Known::Failed),
            None => None,
        }
    }

    /// Asks, unless that was done.
    pub(super) async fn ask(&mut self, request: &Request) -> Option<&Response> {
        if !self.answers.contains_key(request) {
            let response = self.fetch(request).await;
            self.answers.insert(request.clone(), response);
        }
        self.answers.get(request)?.as_ref()
    }

    async fn fetch(&mut self, request: &Request) -> Option<Response> {
        if self.failures >= FAILURES {
            return None;
        }
        let headers = headers(request);
        let asking = async {
            match request.method {
                // One byte more tells that there is more.
                Method::Get => self.reading.beginning(&request.path, &headers, BODY + 1).await,
                Method::Head => self.reading.head(&request.path, &headers).await,
            }
        };
        match timeout_at(self.until, asking).await {
            Ok(Ok(answer)) => {
                self.failures = 0;
                Some(self.read(request, answer))
            }
            Ok(Err(error)) => {
                // A service that answers too much answers; one that does not answer will not the next time either.
                self.failures += usize::from(!error.is_refusal());
                self.problem(&request.path, error.to_string());
                None
            }
            Err(_) => {
                self.failures = FAILURES;
                self.problem(&request.path, "it took too long in all".to_owned());
                None
            }
        }
    }

    /// How many questions were asked.
    pub(super) fn asked(&self) -> usize {
        self.answers.len()
    }

    /// Everything that went wrong, each thing once however often it did.
    pub(super) fn into_problems(self) -> Vec<String> {
        let told = |(what, paths): (String, BTreeSet<String>)| {
            let first = paths.first().map_or("", String::as_str);
            match paths.len() {
                0 | 1 => format!("{first}: {what}"),
                number => format!("{first} and {} more: {what}", number - 1),
            }
        };
        self.problems.into_iter().map(told).collect()
    }
}

/// Headers of a rule. What is no header is left out; rules are checked for that when they are read.
fn headers(request: &Request) -> HeaderMap {
    let header =
        |(name, value): &(String, String)| Some((name.parse::<HeaderName>().ok()?, HeaderValue::from_str(value).ok()?));
    request.headers.iter().filter_map(header).collect()
}

fn response(answer: Answer) -> Response {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = answer.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Response::new(answer.status, headers, answer.body)
}

/// Where an answer sends whoever asks, if that is another service, which nobody named and which is not asked.
fn redirected(answer: &Answer) -> Option<String> {
    let location = answer.headers.get(LOCATION)?.to_str().ok()?;
    let to = answer.url.join(location).ok()?;
    let is_elsewhere = (300..400).contains(&answer.status) && !is_same_origin(&answer.url, &to);
    is_elsewhere.then(|| {
        format!("it redirects to `{}`, which is another service and was not asked", to.origin().ascii_serialization())
    })
}

/// Whether an error says that the other side speaks, but not this.
pub(super) fn is_other_protocol(error: &NetError) -> bool {
    !matches!(error, NetError::Compressed { .. })
}
