//! The product meets one server or agent: what it reports, what it writes, and that nothing is left.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Graph, Mark, Place, Server, bad_peer, texts};

/// What the product gives a server unless a test says otherwise: enough on the busiest machine.
const PATIENT: &[&str] = &["--timeout", "60"];
/// For servers that would take all the time that they are given.
pub(crate) const IMPATIENT: &[&str] = &["--timeout", "3"];
/// What a meeting may take on a busy machine, with a server that takes no time or little.
const BOUND: Duration = Duration::from_secs(40);

/// What became of a meeting.
pub(crate) struct Met {
    pub(crate) code: i32,
    report: Value,
    graph: Graph,
}

/// A server that the product starts.
#[track_caller]
pub(crate) fn started(scenario: &[&str]) -> Met {
    started_with(scenario, &[])
}

/// The same, with more options.
#[track_caller]
pub(crate) fn started_with(scenario: &[&str], options: &[&str]) -> Met {
    let mark = Mark::new();
    let met = met(&[&["--stdio", &command_line(scenario, &mark)], options].concat());
    mark.expect_none();
    met
}

/// The command of a server as somebody would type it.
pub(crate) fn command_line(scenario: &[&str], mark: &Mark) -> String {
    let words = [&[bad_peer().to_str().unwrap(), "stdio"], scenario, &["--mark", mark.word()]].concat();
    // Every word in quotes, because an option's value may have blanks.
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

/// A server that the product is given the address of, and what that server was asked.
#[track_caller]
pub(crate) fn called(scenario: &[&str]) -> (Met, Vec<String>) {
    called_with(scenario, &[])
}

/// The same, with more options.
#[track_caller]
pub(crate) fn called_with(scenario: &[&str], options: &[&str]) -> (Met, Vec<String>) {
    let server = serve("http", scenario);
    let path = if scenario[0].starts_with("sse") { "/sse" } else { "/mcp" };
    let met = met(&[&["--url", &server.url(path)], options].concat());
    (met, server.log())
}

/// An agent, and what it was asked.
#[track_caller]
pub(crate) fn asked(scenario: &[&str]) -> (Met, Vec<String>) {
    asked_with(scenario, &[])
}

/// The same, with more options.
#[track_caller]
pub(crate) fn asked_with(scenario: &[&str], options: &[&str]) -> (Met, Vec<String>) {
    let server = serve("a2a", scenario);
    let met = met(&[&["--a2a", &server.url("")], options].concat());
    (met, server.log())
}

/// Plays a scenario that is reached over HTTP.
pub(crate) fn serve(channel: &str, scenario: &[&str]) -> Server {
    Server::start(std::process::Command::new(bad_peer()).arg(channel).args(scenario))
}

#[track_caller]
fn met(target: &[&str]) -> Met {
    let place = Place::new();
    let document = place.path("document.json");
    let output = ["--no-store", "--format", "json", "--output", document.to_str().unwrap()];
    let start = Instant::now();
    let ran = place.run(&[&["scan"], target, patience(target), &output].concat());
    assert!(start.elapsed() < BOUND, "it took {:?}: {}", start.elapsed(), ran.out);
    let report = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("no report: {}\n{}", ran.out, ran.err));
    let document = std::fs::read(&document).unwrap_or_else(|_| panic!("no document: {report:#}\n{}", ran.err));
    expect_harmless(&ran.err);
    Met { code: ran.code, report, graph: Graph::of(serde_json::from_slice(&document).unwrap()) }
}

fn patience(target: &[&str]) -> &'static [&'static str] {
    if target.contains(&"--timeout") { &[] } else { PATIENT }
}

/// What people are shown of a target; it does nothing to their terminals.
#[track_caller]
pub(crate) fn shown(target: &[&str]) -> String {
    let ran = Place::new().run(&[&["scan"], target, patience(target), &["--no-store"]].concat());
    expect_harmless(&ran.out);
    expect_harmless(&ran.err);
    ran.out + &ran.err
}

/// Nothing in it does anything to a terminal.
#[track_caller]
fn expect_harmless(text: &str) {
    let harmful = |character: char| {
        character.is_control() && character != '\n'
            || ('\u{202a}'..='\u{202e}').contains(&character)
            || ('\u{2066}'..='\u{2069}').contains(&character)
            || character == '\u{200b}'
    };
    let found: Vec<char> = text.chars().filter(|character| harmful(*character)).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("ok: clean")), "a line of the server's own: {text}");
}

impl Met {
    /// The one server.
    #[track_caller]
    pub(crate) fn server(&self) -> &Value {
        &self.graph.only("MCPServer")["properties"]
    }

    /// The one agent.
    #[track_caller]
    pub(crate) fn agent(&self) -> &Value {
        &self.graph.only("A2AAgent")["properties"]
    }

    /// How many nodes of a kind there are.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.graph.nodes(kind).len()
    }

    /// The names of all tools.
    pub(crate) fn tools(&self) -> Vec<&str> {
        texts(&self.graph.nodes("MCPTool"), "name")
    }

    /// The kinds of the findings.
    pub(crate) fn findings(&self) -> Vec<&str> {
        self.report["findings"].as_array().unwrap().iter().filter_map(|finding| finding["kind"].as_str()).collect()
    }

    /// The whole report, for people who look for a word in it.
    pub(crate) fn report(&self) -> String {
        self.report.to_string()
    }

    /// The server gave everything.
    #[track_caller]
    pub(crate) fn expect_whole(&self) {
        assert_eq!(self.server()["status"], "reachable", "{:#}", self.report);
        let tools = self.graph.behind(self.graph.only("MCPServer"), "PROVIDES_TOOL");
        assert_eq!(texts(&tools, "name"), ["add"]);
        assert_eq!((self.count("MCPResource"), self.count("MCPPrompt")), (2, 1));
        assert!(self.server()["cut_short"].as_array().is_none_or(Vec::is_empty), "{:#}", self.server());
    }

    /// The server gave nothing, and the report says why.
    #[track_caller]
    pub(crate) fn expect_unreachable(&self, why: &str) {
        assert_eq!(self.server()["status"], "unreachable", "{:#}", self.report);
        assert_eq!(self.count("MCPTool"), 0);
        self.expect_reason(why);
    }

    /// The server gave everything, and the report says what was wrong with it.
    #[track_caller]
    pub(crate) fn expect_whole_but(&self, why: &str) {
        self.expect_whole();
        self.expect_reason(why);
    }

    /// The server was greeted, but not everything could be had from it, and the report says why.
    #[track_caller]
    pub(crate) fn expect_cut_short(&self, why: &str) {
        assert_eq!(self.server()["status"], "reachable", "{:#}", self.report);
        assert!(self.server()["cut_short"].as_array().is_some_and(|lists| !lists.is_empty()), "{:#}", self.server());
        self.expect_reason(why);
    }

    #[track_caller]
    fn expect_reason(&self, why: &str) {
        // Not the whole report: its command has the name of the scenario in it.
        let asked = &self.report["asked"]["servers"][0];
        let said = format!("{} {} {}", self.server()["error"], asked["cut_short"], asked["problems"]);
        assert!(said.contains(why), "`{why}` is not in {said}");
        assert!(!said.contains("::"), "the inside of the product: {said}");
    }
}
