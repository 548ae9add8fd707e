//! Names, addresses and launch lines: everything that ids are made of, unique within an estate.

use tracehound_model::NodeId;

use super::random::{Random, Stream};
use super::words;

/// How a server is started or reached.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    /// The command or the URL.
    pub(super) endpoint: String,
    /// What a local server is started with; none for a remote one.
    args: Option<Vec<String>>,
    /// Whether the package is held at one version.
    pub(super) is_pinned: bool,
}

impl Launch {
    /// The id of the server.
    pub(super) fn id(&self) -> NodeId {
        match &self.args {
            Some(args) => NodeId::stdio_server(&self.endpoint, args),
            None => NodeId::http_server(&self.endpoint),
        }
    }
}

/// What a server is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) product: &'static str,
    /// The scheme of what it mostly offers.
    pub(super) scheme: &'static str,
    pub(super) team: &'static str,
}

/// What a server is for.
pub(super) fn subject(seed: u64, server: usize) -> Subject {
    let mut random = Random::new(seed, Stream::Server, server);
    let (product, scheme) = random.pick(words::PRODUCTS);
    Subject { product, scheme, team: random.pick(words::TEAMS) }
}

/// Where a server stands: its place in the plan, its home machine, and its place among the remote ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub(super) server: usize,
    pub(super) machine: usize,
    pub(super) remote: Option<usize>,
}

/// The name of a server in configuration files.
pub(super) fn server(seed: u64, server: usize) -> String {
    let Subject { product, team, .. } = subject(seed, server);
    format!("{product}-{team}-{server}")
}

/// How a server is started on its home machine, or reached when it is a remote one.
pub(super) fn launch(seed: u64, standing: Standing) -> Launch {
    let Standing { server, machine, remote } = standing;
    let name = self::server(seed, server);
    if let Some(place) = remote {
        let host = remote_host(place / super::counts::SERVERS_PER_HOST);
        let scheme = if host.starts_with("10.") { "http" } else { "https" };
        return Launch { endpoint: format!("{scheme}://{host}/{name}/mcp"), args: None, is_pinned: true };
    }
    let Subject { product, team, .. } = subject(seed, server);
    let mut random = Random::new(seed, Stream::Launch, server);
    let vendor = random.pick(words::VENDORS);
    let (release, is_pinned) = (format!("{}.{}.0", random.below(4), random.below(20)), random.chance(0.3));
    let (command, args, is_pinned) = match random.below(10) {
        0..5 => {
            let version = if is_pinned { format!("@{release}") } else { String::new() };
            let package = format!("@{vendor}/mcp-{product}{version}");
            ("npx", vec!["-y".to_owned(), package, "--workspace".to_owned(), format!("{team}-{server}")], is_pinned)
        }
        5..8 => {
            let version = if is_pinned { format!("=={release}") } else { String::new() };
            let plugin = format!("{vendor}-{team}-{server}");
            ("uvx", vec!["--with".to_owned(), plugin, format!("mcp-server-{product}{version}")], is_pinned)
        }
        _ => {
            let image = format!("ghcr.io/{vendor}/mcp-{product}:{release}");
            let workspace = format!("WORKSPACE={team}-{server}");
            let args = ["run", "-i", "--rm", "-e", &workspace, &image];
            ("docker", args.map(str::to_owned).to_vec(), true)
        }
    };
    Launch { endpoint: format!("//{}/{command}", self::machine(machine)), args: Some(args), is_pinned }
}

/// The host name of a machine.
pub(super) fn machine(machine: usize) -> String {
    format!("ws-{machine:05}")
}

/// A host of remote servers: one in three is known by name, the others are private addresses.
pub(super) fn remote_host(host: usize) -> String {
    if host.is_multiple_of(3) { format!("mcp-{host}.tools.example") } else { private_address(20, host) }
}

/// The name of an A2A agent.
pub(super) fn a2a_agent(seed: u64, agent: usize) -> String {
    let mut random = Random::new(seed, Stream::A2a, agent);
    format!("{}-{}-agent-{agent}", random.pick(words::TEAMS), random.pick(words::NOUNS))
}

/// A host of A2A agents.
pub(super) fn a2a_host(site: usize) -> String {
    format!("agents-{site}.corp.example")
}

/// The address of an A2A agent.
pub(super) fn a2a_url(site: usize, name: &str) -> String {
    format!("https://{}/{name}", a2a_host(site))
}

/// A host of AI services.
pub(super) fn service_host(host: usize) -> String {
    private_address(120, host)
}

/// The base URL of an AI service.
pub(super) fn service_url(host: usize, port: u16) -> String {
    format!("http://{}:{port}", service_host(host))
}

fn private_address(network: usize, host: usize) -> String {
    format!("10.{}.{}.{}", network + host / 65_536, host / 256 % 256, host % 256)
}

/// The verb, the noun and the round for an item at this place, out of lists of these lengths: different places give
/// different combinations.
pub(super) fn paired(start: usize, place: usize, (verbs, nouns): (usize, usize)) -> (usize, usize, usize) {
    let all = verbs * nouns;
    // INVARIANT: the step is odd and the lists are powers of two long, so every pair comes once before one repeats.
    let pair = (start + place * 10_007) % all;
    (pair / nouns, pair % nouns, place / all)
}
