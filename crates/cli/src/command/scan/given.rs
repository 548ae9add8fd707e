//! What the user gives on the command line, read and checked before anything is started or anybody contacted.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use reqwest::header::HeaderMap;
use tracehound_collect::mcp::{Target, Way};
use tracehound_collect::net::Trust;
use tracehound_collect::process::Launch;
use tracehound_collect::{Detection, a2a, config};
use tracehound_model::a2a_base_url;
use url::Url;

use super::consent::is_named;
use super::question::is_steering;
use crate::args::Live;
use crate::output::{note, safe, shortened};

/// Largest file of headers or keys.
const GIVEN_BYTES: u64 = 1 << 20;
/// Longest address of an agent.
const ADDRESS: usize = 2_048;
/// How much of what is no address is shown.
const SHOWN_ADDRESS: usize = 120;

/// What was given.
pub(super) struct Given {
    pub(super) headers: HeaderMap,
    pub(super) keys: Option<a2a::GivenKeys>,
    /// Servers, each once.
    pub(super) targets: Vec<Target>,
}

impl Given {
    /// Reads it. `prefix` stands before commands where machines of a fleet are kept apart.
    pub(super) fn read(
        arguments: &Live,
        configured: &[Target],
        detection: &Detection,
        prefix: &str,
    ) -> anyhow::Result<Self> {
        for agent in &arguments.a2a {
            check_agent(agent)?;
        }
        let headers = Arc::new(headers(arguments)?);
        let keys = keys(arguments)?;
        let mut targets: Vec<Target> = Vec::new();
        for url in &arguments.url {
            targets.push(Target::given_url(url, &headers, detection)?);
        }
        for command in &arguments.stdio {
            targets.push(Target::given_command(command, detection, prefix)?);
        }
        let mut seen = BTreeSet::new();
        targets.retain(|target| seen.insert(target.id.clone()));
        let start = arguments.start.as_deref();
        let targets = targets.into_iter().map(|target| as_configured(target, configured, start)).collect();
        Ok(Self { headers: Arc::unwrap_or_clone(headers), keys, targets })
    }
}

/// A given server that is also configured goes by its name there and gets what it gets there.
fn as_configured(given: Target, configured: &[Target], start: Option<&[String]>) -> Target {
    let same = || configured.iter().filter(|target| target.id == given.id);
    match &given.way {
        Way::Call { url, headers, .. } if headers.is_empty() => {
            let known = same().filter_map(|target| match &target.way {
                Way::Call { url: own, trust, headers } if own == url => Some((target, *trust, headers)),
                _ => None,
            });
            // Who typed the address vouches for it; whose headers it gets is still a matter of who wrote them.
            if let Some((target, _, headers)) = known.min_by_key(|(_, trust, _)| !matches!(trust, Trust::Asked)) {
                let way = Way::Call { url: url.clone(), trust: Trust::Asked, headers: Arc::clone(headers) };
                return Target { way, ..target.clone() };
            }
        }
        Way::Start(launch) => {
            let is_it = |own: &Launch| own.program == launch.program && own.args == launch.args;
            let mut known = same().filter_map(|target| match &target.way {
                Way::Start(own) if is_it(own) => Some((target, own)),
                _ => None,
            });
            if let Some((target, own)) = known.next() {
                let env = variables(target, own, is_named(start, target));
                return Target { way: Way::Start(Launch { env, ..launch.clone() }), ..target.clone() };
            }
        }
        _ => {}
    }
    match same().next() {
        Some(known) => Target { name: known.name.clone(), file: known.file.clone(), ..given },
        None => given,
    }
}

/// The variables that a configuration gives a command. Whoever typed the command has not seen those that make another
/// one of it.
fn variables(target: &Target, launch: &Launch, is_agreed: bool) -> Vec<(String, String)> {
    let is_left = |name: &str| !is_agreed && is_steering(name);
    let left: Vec<&str> = launch.env.iter().map(|(name, _)| name.as_str()).filter(|name| is_left(name)).collect();
    if !left.is_empty() {
        let (names, file) = (left.join(", "), target.file.as_deref().unwrap_or_default());
        note(&safe(&format!("note: {names} of {file} would change what runs and is left out; --start agrees to it")));
    }
    launch.env.iter().filter(|(name, _)| !is_left(name)).cloned().collect()
}

/// Refuses what is no address of an agent.
fn check_agent(text: &str) -> anyhow::Result<()> {
    let place = text.trim().split(['?', '#']).next().unwrap_or_default();
    let url = Url::parse(&a2a_base_url(place)).ok().filter(|url| {
        let is_plain = text.len() <= ADDRESS && !text.trim().contains(|it: char| it.is_control() || it.is_whitespace());
        is_plain && matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())
    });
    // Before an `@` there may be a password.
    let (scheme, rest) = place.split_once("://").map_or(("", place), |(scheme, rest)| (scheme, rest));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let shown = if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") };
    let shown = shortened(&shown, SHOWN_ADDRESS);
    match url {
        None => bail!("`{shown}` is no address of an agent; it is a URL of http or https, or a host"),
        Some(url) if !url.username().is_empty() || url.password().is_some() => {
            bail!("the address of the agent `{shown}` has a user or password in it; give credentials as headers")
        }
        Some(_) => Ok(()),
    }
}

fn headers(arguments: &Live) -> anyhow::Result<HeaderMap> {
    let mut text = String::new();
    if let Some(file) = &arguments.headers_file {
        text += &String::from_utf8(read_given(file)?).context("the file of headers is no text")?;
    }
    if let Some(variable) = &arguments.headers_env {
        let given = std::env::var(variable);
        text += "\n";
        text += &given.with_context(|| format!("the environment variable `{}` is not set", safe(variable)))?;
    }
    let mut headers = HeaderMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let header = line.split_once(':').and_then(|(name, value)| config::header(name, value));
        // The line itself may be a secret.
        let Some((name, value)) = header else { bail!("line {number} of the headers is not `Name: value`") };
        headers.append(name, value);
    }
    if !headers.is_empty() {
        one_origin(arguments)?;
    }
    Ok(headers)
}

/// Headers may hold secrets, and who is to get which of several can't be told from them.
fn one_origin(arguments: &Live) -> anyhow::Result<()> {
    let urls = arguments.url.iter().cloned().chain(arguments.a2a.iter().map(|url| a2a_base_url(url)));
    let origins: BTreeSet<String> =
        urls.filter_map(|url| Some(Url::parse(&url).ok()?.origin().ascii_serialization())).collect();
    if origins.len() > 1 {
        bail!("headers are sent to one place, and {} are given; scan them one by one", origins.len());
    }
    Ok(())
}

fn keys(arguments: &Live) -> anyhow::Result<Option<a2a::GivenKeys>> {
    let Some(file) = &arguments.jwks else { return Ok(None) };
    let keys = a2a::GivenKeys::read(&read_given(file)?);
    Ok(Some(keys.with_context(|| format!("`{}` holds no keys that can be used", file.display()))?))
}

/// A file that the user gave, no longer than such files are.
pub(super) fn read_given(file: &Path) -> anyhow::Result<Vec<u8>> {
    use std::io::Read as _;
    let failed = || format!("cannot read `{}`", file.display());
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .with_context(failed)?
        .take(GIVEN_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(failed)?;
    if bytes.len() as u64 > GIVEN_BYTES {
        bail!("`{}` is longer than {GIVEN_BYTES} bytes", file.display());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use tracehound_rules::library::Library;

    use super::*;

    #[test]
    fn addresses_of_agents_are_checked_before_they_are_asked() {
        for good in ["example.com", "http://127.0.0.1:9/", "https://example.com/a?b=c", "localhost:8080/x@y"] {
            assert!(check_agent(good).is_ok(), "{good}");
        }
        for bad in
            ["ftp://x", "not a url", "http://", "", "https://ann:hunter2@x/", "ann:hunter2@x", "h://s:hunter2@?hunter2"]
        {
            let error = check_agent(bad).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        }
        assert!(check_agent("ftp://x").unwrap_err().to_string().contains("`ftp://x` is no address of an agent"));
    }

    #[test]
    fn a_given_server_gets_what_its_configuration_gives_it() {
        let detection = Detection::start(Library::builtin().unwrap().rules()).unwrap();
        let mut headers = HeaderMap::new();
        headers.append("x-key", "own".parse().unwrap());
        let url = |headers: &HeaderMap| {
            let headers = Arc::new(headers.clone());
            Target::given_url("http://127.0.0.1:9/mcp", &headers, &detection).unwrap()
        };
        let configured = [Target { name: Some("notes".to_owned()), ..url(&headers) }];
        let sent = |target: &Target| match &target.way {
            Way::Call { headers, .. } => headers.get("x-key").map(|value| value.to_str().unwrap().to_owned()),
            _ => None,
        };
        let bare = as_configured(url(&HeaderMap::new()), &configured, None);
        assert_eq!((bare.name.as_deref(), sent(&bare).as_deref()), (Some("notes"), Some("own")));
        let mut others = HeaderMap::new();
        others.append("x-key", "typed".parse().unwrap());
        let typed = as_configured(url(&others), &configured, None);
        assert_eq!((typed.name.as_deref(), sent(&typed).as_deref()), (Some("notes"), Some("typed")));
    }

    #[test]
    fn a_given_command_gets_the_variables_that_leave_it_what_it_is() {
        let detection = Detection::start(Library::builtin().unwrap().rules()).unwrap();
        let given = || Target::given_command("sh -c x", &detection, "").unwrap();
        let Way::Start(launch) = given().way else { panic!("no command") };
        let env = [("COLOUR", "red"), ("LD_PRELOAD", "/x.so")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        let way = Way::Start(Launch { env: env.to_vec(), directory: None, ..launch.clone() });
        let configured = [Target { name: Some("notes".to_owned()), way, ..given() }];
        let got = |start: Option<&[String]>| match as_configured(given(), &configured, start).way {
            Way::Start(got) => (got.env, got.directory == launch.directory),
            _ => panic!("no command"),
        };
        assert_eq!(got(None), (env[..1].to_vec(), true));
        assert_eq!(got(Some(&[])), (env.to_vec(), true));
    }
}
