//! One open place: whether it speaks HTTP, and which services the rules recognise there.
//!
//! Growth: the rules in force times their probes; each request is made once.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tracehound_model::NodeKind;
use tracehound_rules::fingerprint::{self, Fingerprint, Known, Method, Request, Step};

use super::dialogue::{BODY, Dialogue, is_other_protocol};
use crate::net::{Answer, Certificate, NetError, Reader, Reading};
use crate::secrets::Secrets;

/// What to look at, and with what.
pub(super) struct Looking<'l> {
    pub(super) reader: &'l Reader,
    pub(super) fingerprints: &'l [Fingerprint],
    /// How long one place may take in all.
    pub(super) allowed: Duration,
}

/// An open place, as the user named it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Open {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    /// Its name, or its address as it stands in a URL.
    pub(super) host: String,
    /// The scheme, if the user said it.
    pub(super) scheme: Option<&'static str>,
}

impl Open {
    fn base(&self, scheme: &str) -> String {
        format!("{scheme}://{}:{}", self.host, self.port)
    }

    /// The schemes to try, likelier ones first.
    fn schemes(&self) -> &'static [&'static str] {
        match (self.scheme, self.port) {
            (Some("https"), _) => &["https"],
            (Some(_), _) => &["http"],
            (None, 443 | 8443) => &["https", "http"],
            (None, _) => &["http", "https"],
        }
    }
}

/// What was found at a place.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) open: Open,
    /// The way to read from it, if it speaks HTTP.
    pub(super) reading: Option<Reading>,
    /// What is wrong with its certificate.
    pub(super) certificate_problem: Option<String>,
    /// The services, with what the rules say of each and which rules did.
    pub(super) services: Vec<(NodeKind, BTreeMap<String, Value>, Vec<String>)>,
    /// There is a card of an A2A agent.
    pub(super) has_card: bool,
    pub(super) requests: usize,
    pub(super) problems: Vec<String>,
}

impl Looked {
    /// Takes secrets out of whatever the place said.
    pub(super) fn hide(&mut self, secrets: &Secrets) {
        for (_, told, _) in &mut self.services {
            // What is a word of ours is not the service's.
            for (_, value) in told.iter_mut().filter(|(key, _)| *key != "auth_method") {
                secrets.clean(value);
            }
        }
        for problem in &mut self.problems {
            *problem = secrets.text(problem);
        }
    }
}

impl Looking<'_> {
    /// Looks at a place.
    pub(super) async fn look(&self, open: Open, turns: &Arc<Semaphore>) -> Looked {
        let until = Instant::now() + self.allowed;
        let mut looked = Looked {
            open,
            reading: None,
            certificate_problem: None,
            services: Vec::new(),
            has_card: false,
            requests: 0,
            problems: Vec::new(),
        };
        let mut first = None;
        for scheme in looked.open.schemes() {
            match self.speaks(&looked.open.base(scheme), turns).await {
                Ok(spoken) => {
                    looked.certificate_problem = spoken.certificate_problem;
                    looked.reading = Some(spoken.reading);
                    first = spoken.front_page;
                    // What speaks both is asked in the likelier way, unless it says that this is the wrong one.
                    if !spoken.is_wrong_scheme {
                        break;
                    }
                }
                Err(problem) => looked.problems.push(format!("{scheme}: {problem}")),
            }
        }
        let Some(reading) = looked.reading.clone() else { return looked };
        looked.problems.clear();
        let mut dialogue = Dialogue::new(&reading, until);
        if let Some(answer) = first {
            dialogue.remember(front_page(), answer);
        }
        looked.services = recognised(self.fingerprints, &mut dialogue).await;
        looked.has_card = has_card(&mut dialogue).await;
        looked.requests = dialogue.asked();
        looked.problems = dialogue.into_problems();
        looked
    }

    /// Whether a place speaks HTTP in a scheme: by asking for its front page.
    async fn speaks(&self, base: &str, turns: &Arc<Semaphore>) -> Result<Spoken, NetError> {
        let reading = self.reader.open(base, Certificate::Checked, turns)?;
        let (reading, answer, certificate_problem) = match read_front_page(&reading).await {
            Err(error) if error.certificate_problem().is_some() => {
                let reading = self.reader.open(base, Certificate::Ignored, turns)?;
                let answer = read_front_page(&reading).await;
                (reading, answer, error.certificate_problem())
            }
            answer => (reading, answer, None),
        };
        match answer {
            Ok(answer) => {
                // Servers of TLS answer so to those who come without.
                let is_wrong_scheme = answer.status == 400 && base.starts_with("http:");
                Ok(Spoken { reading, certificate_problem, is_wrong_scheme, front_page: Some(answer) })
            }
            Err(error) if is_other_protocol(&error) => Err(error),
            Err(_) => Ok(Spoken { reading, certificate_problem, is_wrong_scheme: false, front_page: None }),
        }
    }
}

struct Spoken {
    reading: Reading,
    certificate_problem: Option<String>,
    is_wrong_scheme: bool,
    front_page: Option<Answer>,
}

fn front_page() -> Request {
    Request { method: Method::Get, path: "/".to_owned(), headers: Vec::new() }
}

async fn read_front_page(reading: &Reading) -> Result<Answer, NetError> {
    reading.beginning("/", &HeaderMap::new(), BODY + 1).await
}

/// The services that the rules recognise.
async fn recognised(
    fingerprints: &[Fingerprint],
    dialogue: &mut Dialogue<'_>,
) -> Vec<(NodeKind, BTreeMap<String, Value>, Vec<String>)> {
    let mut found = Vec::new();
    for fingerprint in fingerprints {
        loop {
            match fingerprint.step(|request| dialogue.known(request)) {
                Step::Ask(request) => drop(dialogue.ask(request).await),
                Step::Missed => break,
                Step::Matched(recognised) => {
                    found.push(recognised);
                    break;
                }
            }
        }
    }
    fingerprint::merge(found)
}

/// Where cards of agents are, newest first.
pub const CARDS: [&str; 2] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/// Whether there is a card of an A2A agent: an object with a name and an address, or ways to reach it.
async fn has_card(dialogue: &mut Dialogue<'_>) -> bool {
    for path in CARDS {
        let accept = ("accept".to_owned(), "application/json".to_owned());
        let request = Request { method: Method::Get, path: path.to_owned(), headers: vec![accept] };
        if matches!(dialogue.known(&request), Some(Known::Failed)) {
            continue;
        }
        let Some(response) = dialogue.ask(&request).await else { continue };
        let Some(card) = response.json().filter(|_| response.status() == 200) else { continue };
        let has_name = card.get("name").and_then(Value::as_str).is_some_and(|name| !name.is_empty());
        let has_way = card.get("url").is_some_and(Value::is_string)
            || card.get("supportedInterfaces").is_some_and(Value::is_array);
        if has_name && has_way {
            return true;
        }
    }
    false
}
