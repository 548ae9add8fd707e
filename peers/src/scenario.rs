//! The table of scenarios: a word, what it does, over what, and the function that does it.

use std::io;
use std::net::TcpStream;

use crate::http::{Incoming, Response, Site};
use crate::options::Options;
use crate::peer::{self, Reply, Request};
use crate::scenarios::{cards, content, process, service, site, wire};
use crate::tls::Certificate;

/// What a peer speaks over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Stdio,
    Http,
    A2a,
    Service,
}

impl Channel {
    fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::A2a => "a2a",
            Self::Service => "service",
        }
    }
}

/// One way to misbehave.
pub(crate) struct Scenario {
    pub(crate) word: &'static str,
    about: &'static str,
    over: &'static [Channel],
    pub(crate) play: Play,
    /// Whether the server stays when its input ends, as no server should.
    pub(crate) outlives_input: bool,
}

/// Where a scenario steps in.
pub(crate) enum Play {
    /// It answers requests of MCP otherwise.
    Answer(fn(&Options, &Request) -> Reply),
    /// It does something before an honest server starts.
    Start(fn(&Options) -> io::Result<()>),
    /// It answers requests of HTTP otherwise.
    Site(fn(&Site, &Incoming) -> Response),
    /// It does the same over TLS, with a certificate.
    Tls(Certificate, fn(&Site, &Incoming) -> Response),
    /// It does something with the connection before anything is asked.
    Connection(fn(TcpStream) -> io::Result<()>),
}

impl Scenario {
    const fn new(word: &'static str, over: &'static [Channel], about: &'static str, play: Play) -> Self {
        Self { word, about, over, play, outlives_input: false }
    }

    const fn outliving_input(mut self) -> Self {
        self.outlives_input = true;
        self
    }

    /// What a request of MCP is answered with.
    pub(crate) fn answer(&self, options: &Options, request: &Request) -> Reply {
        let is_asked_for = options.at.as_ref().is_none_or(|method| *method == request.method);
        match self.play {
            Play::Answer(answer) if is_asked_for => answer(options, request),
            _ => peer::honest(options, request),
        }
    }
}

/// The scenario of that word.
pub(crate) fn find(word: &str, channel: Channel) -> io::Result<&'static Scenario> {
    let found = SCENARIOS.iter().find(|scenario| scenario.word == word && scenario.over.contains(&channel));
    found.ok_or_else(|| io::Error::other(format!("no scenario `{word}` over {}", channel.word())))
}

/// The table for people.
pub(crate) fn list() -> String {
    let mut text = "Scenarios:\n".to_owned();
    for scenario in SCENARIOS {
        let over: Vec<&str> = scenario.over.iter().map(|channel| channel.word()).collect();
        text.push_str(&format!("  {:21} {:15} {}\n", scenario.word, over.join(" "), scenario.about));
    }
    text
}

const ALL: &[Channel] = &[Channel::Stdio, Channel::Http];
const STDIO: &[Channel] = &[Channel::Stdio];
const HTTP: &[Channel] = &[Channel::Http];
const WEB: &[Channel] = &[Channel::Http, Channel::A2a];
const ANY_WEB: &[Channel] = &[Channel::Http, Channel::A2a, Channel::Service];
const A2A: &[Channel] = &[Channel::A2a];
const SERVICE: &[Channel] = &[Channel::Service];

use Play::{Answer, Connection, Site as OnSite, Start, Tls};

/// Every scenario. A new one is a row here and a function.
const SCENARIOS: &[Scenario] = &[
    Scenario::new("honest", ALL, "does everything right", Answer(peer::honest)),
    // How bytes go over the wire.
    Scenario::new("silent", ALL, "never answers", Answer(wire::silent)),
    Scenario::new("slow", ALL, "is honest; slow with --delay-ms", Answer(peer::honest)),
    Scenario::new("drip", ALL, "answers a byte every 100 ms", Answer(wire::drip)),
    Scenario::new("flood", ALL, "answers with bytes without newline or end", Answer(wire::flood)),
    Scenario::new("flood-first", STDIO, "writes bytes without newline or end, unasked", Start(process::flood)),
    Scenario::new("huge", ALL, "lists one tool in a message of 1 GB", Answer(wire::huge)),
    Scenario::new("invalid-json", ALL, "answers with half a JSON object", Answer(wire::invalid_json)),
    Scenario::new("not-json-rpc", ALL, "answers with JSON that is no JSON-RPC", Answer(wire::not_json_rpc)),
    Scenario::new("wrong-ids", ALL, "answers with ids that nobody asked with", Answer(wire::wrong_ids)),
    Scenario::new("batch", ALL, "answers with arrays of messages", Answer(wire::batch)),
    Scenario::new("exits-midway", ALL, "ends when asked for its tools", Answer(wire::exits_midway)),
    Scenario::new("server-requests", STDIO, "asks the client before it answers", Answer(wire::server_requests)),
    Scenario::new(
        "only-requests",
        STDIO,
        "asks the client without end instead of answering",
        Answer(wire::only_requests),
    ),
    // What it says of itself.
    Scenario::new("endless-pages", ALL, "has always one more page", Answer(content::endless_pages)),
    Scenario::new("same-cursor", ALL, "leads every page to the same next one", Answer(content::same_cursor)),
    Scenario::new("many-tools", ALL, "has --tools tools, --page on a page", Answer(content::many_tools)),
    Scenario::new("long-description", ALL, "has a tool with a description of 10 MB", Answer(content::long_description)),
    Scenario::new("ref-cycle", ALL, "has schemas that refer to themselves, and a deep one", Answer(content::ref_cycle)),
    Scenario::new("deep", ALL, "has a schema of 100,000 levels", Answer(content::deep)),
    Scenario::new("escapes", ALL, "has escapes, bidi and newlines in all its names", Answer(content::escapes)),
    Scenario::new("duplicate-tools", ALL, "has two tools of one name", Answer(content::duplicate_tools)),
    Scenario::new("changing", ALL, "has a tool described by --text", Answer(peer::honest)),
    Scenario::new("injecting", ALL, "gives orders in a description and its instructions", Answer(content::injecting)),
    Scenario::new("indiscreet", STDIO, "says its PEER_SECRET everywhere", Answer(content::indiscreet)),
    Scenario::new("odd-discover", ALL, "answers the newest revision with nothing", Answer(content::odd_discover)),
    Scenario::new("lost-page", ALL, "denies its list on the second page", Answer(content::lost_page)),
    Scenario::new("no-server-info", ALL, "does not say who it is", Answer(content::no_server_info)),
    Scenario::new("odd-capabilities", ALL, "has a number for its capabilities", Answer(content::odd_capabilities)),
    Scenario::new("odd-version", ALL, "speaks a revision that does not exist", Answer(content::odd_version)),
    Scenario::new("environment", ALL, "has a tool for each of its variables", Answer(content::environment)),
    // What it does as a process.
    Scenario::new("fork", STDIO, "starts children that outlive it", Start(process::fork)),
    Scenario::new("stubborn", STDIO, "ignores SIGTERM and the end of its input", Start(process::stubborn))
        .outliving_input(),
    Scenario::new("prying", STDIO, "writes and connects to the path and address in --text", Answer(process::prying)),
    Scenario::new("noisy-stderr", STDIO, "writes to standard error without end", Start(process::noisy_stderr)),
    Scenario::new("banner", STDIO, "prints a line for people before it speaks", Start(process::banner)),
    Scenario::new("exits-at-once", STDIO, "ends before it is asked", Start(process::exits_at_once)),
    // How it uses HTTP.
    Scenario::new("redirect-metadata", ANY_WEB, "redirects to a metadata address", OnSite(site::redirect_metadata)),
    Scenario::new("redirect-loop", ANY_WEB, "redirects in a circle", OnSite(site::redirect_loop)),
    Scenario::new(
        "redirect-other-site",
        WEB,
        "redirects to itself under another name",
        OnSite(site::redirect_other_site),
    ),
    Scenario::new("gzip-bomb", ANY_WEB, "answers with 1 GB of blanks, compressed, unasked", OnSite(site::gzip_bomb)),
    Scenario::new(
        "slow-headers",
        ANY_WEB,
        "sends headers without end, a byte every 100 ms",
        OnSite(site::slow_headers),
    ),
    Scenario::new("protected", HTTP, "asks for OAuth, and has metadata about it", OnSite(site::protected)),
    Scenario::new("protected-plain", WEB, "asks for a bearer token", OnSite(site::protected_plain)),
    Scenario::new("basic", WEB, "asks for a password", OnSite(site::basic)),
    Scenario::new("forbidden", WEB, "forbids everything", OnSite(site::forbidden)),
    Scenario::new("sse-legacy", HTTP, "speaks HTTP+SSE of 2024-11-05 only", OnSite(site::sse_legacy)),
    Scenario::new(
        "sse-foreign-endpoint",
        HTTP,
        "the same, with an endpoint elsewhere",
        OnSite(site::sse_foreign_endpoint),
    ),
    Scenario::new("session", HTTP, "is honest within a session", OnSite(site::session)),
    // What an agent's card says.
    Scenario::new("card", A2A, "an honest agent", OnSite(cards::honest)),
    Scenario::new("old-card", A2A, "an honest agent at the older path only", OnSite(cards::at_the_older_path)),
    Scenario::new("delegates", A2A, "names 1,000 agents, which name each other", OnSite(cards::delegates)),
    Scenario::new("other-url", A2A, "claims to be somebody else", OnSite(cards::other_url)),
    Scenario::new("jku-loopback", A2A, "is signed with a key that lies on loopback", OnSite(cards::jku_loopback)),
    Scenario::new("huge-card", A2A, "has a card of 1 GB", OnSite(cards::huge)),
    Scenario::new("deep-card", A2A, "has a card of 100,000 levels", OnSite(cards::deep)),
    Scenario::new("many-skills", A2A, "has --tools skills", OnSite(cards::many_skills)),
    Scenario::new("escapes-card", A2A, "has escapes, bidi and newlines in its names", OnSite(cards::escapes)),
    Scenario::new("not-a-card", A2A, "has a web page where the card should be", OnSite(cards::not_a_card)),
    Scenario::new("no-answer", A2A, "never answers", OnSite(cards::no_answer)),
    Scenario::new("drip-card", A2A, "sends its card a byte every 100 ms", OnSite(cards::drip)),
    // What a service does that is found on the network.
    Scenario::new("ollama", SERVICE, "an honest Ollama", OnSite(service::ollama)),
    Scenario::new("tarpit", SERVICE, "accepts connections and says nothing", Connection(service::tarpit)),
    Scenario::new("closes", SERVICE, "closes every connection at once", Connection(service::closes)),
    Scenario::new("no-http", SERVICE, "answers with bytes that are no HTTP", Connection(service::garbage)),
    Scenario::new("old-http", SERVICE, "answers as in HTTP/0.9", OnSite(service::old_http)),
    Scenario::new("endless-body", SERVICE, "is an Ollama whose answers have no end", OnSite(service::endless_body)),
    Scenario::new("redirect-away", SERVICE, "redirects to an Ollama of another name", OnSite(service::redirect_away)),
    Scenario::new("wrong-type", SERVICE, "is an Ollama that calls its answers images", OnSite(service::wrong_type)),
    Scenario::new("duplicate-keys", SERVICE, "is an Ollama of two versions", OnSite(service::duplicate_keys)),
    Scenario::new("deep-json", SERVICE, "is an Ollama with JSON of 10,000 levels", OnSite(service::deep_json)),
    Scenario::new("many-headers", SERVICE, "is an Ollama with 10,000 headers", OnSite(service::many_headers)),
    Scenario::new("long-header", SERVICE, "is an Ollama with a header of 100 MB", OnSite(service::long_header)),
    Scenario::new("tls-good", SERVICE, "is an Ollama over TLS", Tls(Certificate::Good, service::ollama)),
    Scenario::new(
        "tls-self-signed",
        SERVICE,
        "the same, vouched for by nobody",
        Tls(Certificate::SelfSigned, service::ollama),
    ),
    Scenario::new("tls-expired", SERVICE, "the same, some years late", Tls(Certificate::Expired, service::ollama)),
    Scenario::new("tls-wrong-host", SERVICE, "the same, as another", Tls(Certificate::WrongHost, service::ollama)),
    Scenario::new("tls-garbage", SERVICE, "greets as TLS does, then talks nonsense", Connection(service::tls_garbage)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_once() {
        let mut words: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), SCENARIOS.len());
    }

    #[test]
    fn a_word_is_found_only_over_its_channel() {
        assert_eq!(find("fork", Channel::Stdio).unwrap().word, "fork");
        let error = find("fork", Channel::Http).err().unwrap();
        assert_eq!(error.to_string(), "no scenario `fork` over http");
    }
}
