//! Services that the product finds on the network: each is bounded and told about, and none hides the healthy one among
//! them.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::place::watch;
use crate::harness::{Place, Server};
use crate::met::{serve, shown};

/// What a scan may take on a busy machine, with services that take all the time that they are given.
const BOUND: Duration = Duration::from_secs(60);

/// Services, and what a scan said of them.
struct Scanned {
    services: Vec<(String, Server)>,
    network: Value,
}

impl Scanned {
    /// Scans services by their URLs, all at once.
    #[track_caller]
    fn of(scenarios: &[&str]) -> Self {
        let scheme = |scenario: &str| if scenario.starts_with("tls") { "https" } else { "http" };
        Self::called(scenarios, |scenario, port| format!("{}://127.0.0.1:{port}", scheme(scenario)))
    }

    #[track_caller]
    fn called(scenarios: &[&str], target: impl Fn(&str, &str) -> String) -> Self {
        let services: Vec<(String, Server)> =
            scenarios.iter().map(|scenario| ((*scenario).to_owned(), serve("service", &[scenario]))).collect();
        let targets = services.iter().map(|(scenario, server)| target(scenario, &server.first));
        let targets: Vec<String> = targets.collect();
        let mut arguments: Vec<&str> = vec!["scan", "--no-store", "--format", "json", "--timeout", "20"];
        arguments.extend(targets.iter().map(String::as_str));
        let place = Place::new();
        let authority = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/authority.pem");
        let start = Instant::now();
        let ran = watch(place.command(&arguments).env("SSL_CERT_FILE", authority).spawn().unwrap());
        assert!(start.elapsed() < BOUND, "it took {:?}: {}", start.elapsed(), ran.out);
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}\n{}", ran.out, ran.err));
        Self { services, network: report["network"].clone() }
    }

    fn port(&self, scenario: &str) -> u64 {
        self.services.iter().find(|(word, _)| word == scenario).unwrap().1.first.parse().unwrap()
    }

    /// What the report has about an open place.
    #[track_caller]
    fn place(&self, scenario: &str) -> &Value {
        let port = self.port(scenario);
        let mut found = self.network["open"].as_array().unwrap().iter().filter(|place| place["port"] == port);
        found.next().unwrap_or_else(|| panic!("{scenario} is not told: {:#}", self.network))
    }

    /// What the report has about a service that was recognised.
    #[track_caller]
    fn service(&self, scenario: &str) -> &Value {
        let end = format!(":{}", self.port(scenario));
        let services = self.network["services"].as_array().unwrap();
        let found = services.iter().find(|service| service["endpoint"].as_str().unwrap().ends_with(&end));
        found.unwrap_or_else(|| panic!("{scenario} is not recognised: {:#}", self.place(scenario)))
    }

    /// It is an Ollama of which everything is known.
    #[track_caller]
    fn expect_healthy(&self, scenario: &str) {
        let service = self.service(scenario);
        assert_eq!(service["kind"], "OllamaInstance");
        assert_eq!((&service["version"], &service["is_anonymous_loot"]), (&"0.12.6".into(), &true.into()));
        assert_eq!(self.place(scenario)["problems"], Value::Array(Vec::new()));
    }

    /// Nothing is recognised there, and the report says why.
    #[track_caller]
    fn expect_nothing(&self, scenario: &str, why: &str) {
        let place = self.place(scenario);
        assert_eq!(place["kinds"], Value::Array(Vec::new()), "{scenario}: {place:#}");
        self.expect_problem(scenario, why);
    }

    /// It is recognised by the rest of what it says, but not by the part that is wrong.
    #[track_caller]
    fn expect_part(&self, scenario: &str, why: &str) {
        let service = self.service(scenario);
        assert_eq!((&service["kind"], &service["version"]), (&"OllamaInstance".into(), &Value::Null), "{service:#}");
        self.expect_problem(scenario, why);
    }

    #[track_caller]
    fn expect_problem(&self, scenario: &str, why: &str) {
        let problems = self.place(scenario)["problems"].to_string();
        assert!(problems.contains(why), "{scenario}: `{why}` is not in {problems}");
        assert!(problems.len() < 4_000, "{scenario}: {problems}");
    }

    /// The requests that a service got.
    fn log(&self, scenario: &str) -> Vec<String> {
        self.services.iter().find(|(word, _)| word == scenario).unwrap().1.log()
    }
}

#[test]
fn the_healthy_one_is_recognised_among_all_the_others() {
    let scanned = Scanned::of(&[
        "tarpit",
        "closes",
        "no-http",
        "old-http",
        "endless-body",
        "gzip-bomb",
        "slow-headers",
        "ollama",
        "duplicate-keys",
        "deep-json",
        "many-headers",
        "long-header",
        "tls-garbage",
        "wrong-type",
    ]);
    scanned.expect_healthy("ollama");
    // What it is called does not change what it says.
    scanned.expect_healthy("wrong-type");
    scanned.expect_nothing("tarpit", "no answer within");
    scanned.expect_nothing("slow-headers", "no answer within");
    scanned.expect_nothing("closes", "the connection failed");
    scanned.expect_nothing("no-http", "invalid HTTP");
    scanned.expect_nothing("old-http", "invalid HTTP");
    scanned.expect_nothing("endless-body", "longer than");
    scanned.expect_nothing("gzip-bomb", "compressed");
    scanned.expect_nothing("many-headers", "head is too large");
    scanned.expect_nothing("long-header", "head is too large");
    scanned.expect_nothing("tls-garbage", "corrupt message");
    scanned.expect_part("duplicate-keys", "a key stands twice");
    scanned.expect_part("deep-json", "nested deeper than");
    // Whoever does not answer is not asked over and over.
    assert!(scanned.log("slow-headers").len() <= 3, "{:?}", scanned.log("slow-headers"));
    for scenario in ["ollama", "endless-body", "gzip-bomb"] {
        let log = scanned.log(scenario);
        let reads = |line: &String| line.starts_with("GET ") || line.starts_with("HEAD ");
        assert!(!log.is_empty() && log.iter().all(reads), "{scenario}: {log:?}");
    }
}

#[test]
fn a_wrong_certificate_is_noted_and_the_service_recognised() {
    let scanned = Scanned::of(&["tls-good", "tls-expired", "tls-wrong-host", "tls-self-signed"]);
    for (scenario, problem) in [
        ("tls-good", None),
        ("tls-expired", Some("it has expired")),
        ("tls-wrong-host", Some("it is for another name")),
        ("tls-self-signed", Some("nobody that this machine trusts has issued it")),
    ] {
        scanned.expect_healthy(scenario);
        assert_eq!(scanned.service(scenario)["certificate_problem"].as_str(), problem, "{scenario}");
    }
}

#[test]
fn redirects_are_not_followed_to_anybody_else() {
    let scanned = Scanned::of(&["redirect-away", "redirect-metadata", "redirect-loop", "ollama"]);
    scanned.expect_healthy("ollama");
    scanned.expect_nothing("redirect-away", "redirects to `http://localhost:");
    scanned.expect_nothing("redirect-metadata", "redirects to `http://169.254.169.254`");
    assert_eq!(scanned.place("redirect-loop")["kinds"], Value::Array(Vec::new()));
    let log = scanned.log("redirect-away");
    assert!(!log.is_empty() && !log.iter().any(|line| line.contains("localhost")), "{log:?}");
    assert!(!scanned.log("redirect-loop").iter().any(|line| line.contains("/there")));
}

#[test]
fn without_a_scheme_both_are_tried_and_it_still_ends() {
    let scanned = Scanned::called(&["tarpit", "tls-self-signed", "no-http", "closes", "ollama"], |_, port| {
        format!("127.0.0.1:{port}")
    });
    scanned.expect_healthy("ollama");
    scanned.expect_healthy("tls-self-signed");
    for scenario in ["tarpit", "no-http", "closes"] {
        scanned.expect_nothing(scenario, "http: ");
        scanned.expect_nothing(scenario, "https: ");
    }
}

#[test]
fn what_services_say_does_nothing_to_terminals() {
    let (noise, tls) = (serve("service", &["no-http"]), serve("service", &["tls-garbage"]));
    let text = shown(&[&format!("127.0.0.1:{}", noise.first), &format!("127.0.0.1:{}", tls.first)]);
    assert!(text.contains(&noise.first) && text.contains(&tls.first), "{text}");
}
