//! One word of a user that names a target.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host as UrlHost, Url};

use super::Scheme;
use crate::network::ports::port as read_port;
use crate::network::span::Span;

/// Longest name of a host.
const NAME: usize = 253;
/// Longest part of a name between dots.
const LABEL: usize = 63;

/// A target, as one word names it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) host: Host,
    /// Only ever there for a single host.
    pub(super) port: Option<u16>,
    pub(super) scheme: Option<Scheme>,
    /// Whether something was written that a scan of services does not use.
    pub(super) dropped: bool,
}

/// Whom a word names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Host {
    Span(Span),
    Name(String),
}

impl From<Host> for Word {
    fn from(host: Host) -> Self {
        Self { host, port: None, scheme: None, dropped: false }
    }
}

/// Reads one word, or says what is wrong with it.
pub(super) fn read(word: &str) -> Result<Word, String> {
    if word.is_empty() {
        return Err("is empty, and a target is expected".to_owned());
    }
    if word.contains("://") {
        return of_url(word);
    }
    if word.contains('@') {
        return Err("has a user or password in it; a target is only a place".to_owned());
    }
    if let Some((ip, bits)) = word.split_once('/') {
        return network(ip, bits).map(|span| Host::Span(span).into());
    }
    if let Some(rest) = word.strip_prefix('[') {
        return bracketed(rest);
    }
    if let Ok(ip) = word.parse::<IpAddr>() {
        return Ok(Host::Span(Span::one(ip)).into());
    }
    if let Some((first, last)) = word.split_once('-')
        && let Ok(first) = first.trim().parse::<IpAddr>()
    {
        return range(first, last.trim()).map(|span| Host::Span(span).into());
    }
    match word.split_once(':') {
        None => Ok(Host::Name(name(word)?).into()),
        Some((_, rest)) if rest.contains(':') => {
            Err("is no IPv6 address; one with a port is written `[address]:port`".to_owned())
        }
        Some((host, port)) => Ok(Word { port: Some(port_of(port)?), ..single(host)?.into() }),
    }
}

/// A word as it may be shown: short, and without what stands where passwords do.
pub(super) fn shown(word: &str) -> String {
    let (start, rest) = match word.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), word),
    };
    let rest = match rest.rfind('@') {
        Some(at) if at > 0 => format!("…{}", rest.get(at..).unwrap_or_default()),
        _ => rest.to_owned(),
    };
    // Queries hold tokens as well.
    let rest = rest.find(['?', '#']).map_or(rest.as_str(), |end| rest.get(..end).unwrap_or_default());
    let whole = start + rest;
    match whole.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", whole.get(..end).unwrap_or_default()),
        None => whole,
    }
}

fn of_url(word: &str) -> Result<Word, String> {
    let (scheme, rest) = word.split_once("://").unwrap_or((word, ""));
    let scheme = match scheme.to_ascii_lowercase().as_str() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err("is neither http nor https".to_owned()),
    };
    // Browsers see hosts where nobody wrote one and skip over blanks; a scan contacts what can be read.
    if word.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("is no URL: it has blanks in it".to_owned());
    }
    if rest.starts_with(['/', '\\']) {
        return Err("is no URL: there is no host right after its `//`".to_owned());
    }
    let url = Url::parse(word).map_err(|error| format!("is no URL: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("has a user or password in it; a target is only a place".to_owned());
    }
    let host = match url.host() {
        Some(UrlHost::Ipv4(ip)) => Host::Span(Span::one(ip.into())),
        Some(UrlHost::Ipv6(ip)) => Host::Span(Span::one(ip.into())),
        Some(UrlHost::Domain(domain)) => Host::Name(name(domain)?),
        None => return Err("names no host".to_owned()),
    };
    let port = url.port_or_known_default().filter(|port| *port > 0).ok_or_else(no_port)?;
    let dropped = !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some();
    Ok(Word { host, port: Some(port), scheme: Some(scheme), dropped })
}

/// An address and how many of its bits name the network. Bits behind these say nothing.
fn network(ip: &str, bits: &str) -> Result<Span, String> {
    let ip: IpAddr = ip.parse().map_err(|_| "has something other than an address before its `/`".to_owned())?;
    let most = if ip.is_ipv4() { 32 } else { 128 };
    let is_plain = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
    let bits: u32 = bits
        .parse()
        .ok()
        .filter(|bits| is_plain && *bits <= most)
        .ok_or_else(|| format!("needs a number from 0 to {most} after its `/`"))?;
    let (first, last) = match ip {
        IpAddr::V4(ip) => {
            let hosts = u32::MAX.checked_shr(bits).unwrap_or(0);
            let first = ip.to_bits() & !hosts;
            (IpAddr::V4(Ipv4Addr::from_bits(first)), IpAddr::V4(Ipv4Addr::from_bits(first | hosts)))
        }
        IpAddr::V6(ip) => {
            let hosts = u128::MAX.checked_shr(bits).unwrap_or(0);
            let first = ip.to_bits() & !hosts;
            (IpAddr::V6(Ipv6Addr::from_bits(first)), IpAddr::V6(Ipv6Addr::from_bits(first | hosts)))
        }
    };
    Span::between(first, last).ok_or_else(|| "is no range".to_owned())
}

/// `[address]` and `[address]:port`.
fn bracketed(rest: &str) -> Result<Word, String> {
    let (ip, port) = rest.split_once(']').ok_or("has a `[` without its `]`")?;
    let ip: Ipv6Addr = ip.parse().map_err(|_| not_six(ip))?;
    let host = Host::Span(Span::one(ip.into()));
    match port.strip_prefix(':') {
        Some(port) => Ok(Word { port: Some(port_of(port)?), ..host.into() }),
        None if port.is_empty() => Ok(host.into()),
        None => Err("has something other than a port after its `]`".to_owned()),
    }
}

fn not_six(ip: &str) -> String {
    match ip.contains('%') {
        true => "names a network card, and link-local addresses are not scanned".to_owned(),
        false => "has something other than an IPv6 address in its brackets".to_owned(),
    }
}

/// From an address to another, of which the last part is enough.
fn range(first: IpAddr, last: &str) -> Result<Span, String> {
    let last: IpAddr = match (last.parse(), first) {
        (Ok(last), _) => last,
        (Err(_), IpAddr::V4(first)) => {
            let is_plain = last.bytes().all(|byte| byte.is_ascii_digit());
            let end: Option<u8> = last.parse().ok().filter(|_| is_plain);
            let [one, two, three, _] = first.octets();
            let end = end.ok_or("needs an address, or a number up to 255, after its `-`")?;
            Ipv4Addr::new(one, two, three, end).into()
        }
        (Err(_), IpAddr::V6(first)) => {
            let is_plain = last.bytes().all(|byte| byte.is_ascii_hexdigit());
            let end = u16::from_str_radix(last, 16).ok().filter(|_| is_plain);
            let end = end.ok_or("needs an address, or up to four hexadecimal digits, after its `-`")?;
            Ipv6Addr::from_bits(first.to_bits() & !0xffff | u128::from(end)).into()
        }
    };
    if first.is_ipv4() != last.is_ipv4() {
        return Err("goes from one family of addresses to the other".to_owned());
    }
    Span::between(first, last).ok_or_else(|| "ends before it begins".to_owned())
}

/// A host that may have a port.
fn single(host: &str) -> Result<Host, String> {
    match host.parse::<Ipv4Addr>() {
        Ok(ip) => Ok(Host::Span(Span::one(ip.into()))),
        Err(_) => name(host).map(Host::Name),
    }
}

/// A name as it is resolved: in lower case and in ASCII.
fn name(word: &str) -> Result<String, String> {
    let neither = || "is neither an address nor a name".to_owned();
    if word.contains('%') {
        return Err(neither());
    }
    let name = match UrlHost::parse(word) {
        Ok(UrlHost::Domain(name)) => name,
        // `10.1` and `0x7f000001` mean addresses to some programs and names to others.
        Ok(_) => return Err("is not a whole address; all four of its numbers are needed, in decimal".to_owned()),
        Err(_) => return Err(neither()),
    };
    let name = name.strip_suffix('.').unwrap_or(&name);
    let is_label = |label: &str| {
        let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !label.is_empty() && label.len() <= LABEL && !label.starts_with('-') && label.bytes().all(is_fine)
    };
    if name.len() > NAME || !name.split('.').all(is_label) {
        return Err(neither());
    }
    Ok(name.to_owned())
}

fn port_of(port: &str) -> Result<u16, String> {
    read_port(port).ok_or_else(no_port)
}

fn no_port() -> String {
    "has no port from 1 to 65535 after its `:`".to_owned()
}
