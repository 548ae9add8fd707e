//! What was found on the network, as a scan prints it.

use std::collections::HashSet;

use serde_json::{Value, json};
use tracehound_collect::network::{Counts, Service};
use url::Url;

use super::Scanned;
use super::live::Found;
use crate::args::Network;
use crate::output::{Output, SHOWN, note, safe};

/// Prints a table of the services, and how trying places went.
pub(super) fn print(scanned: &Scanned, output: &mut Output) -> anyhow::Result<()> {
    let Some(found) = &scanned.lived.network else { return Ok(()) };
    if !found.services.is_empty() {
        output.line("")?;
        output
            .table(["SERVICE", "VERSION", "DEMANDS", "HOLDS", "ADDRESS"], found.services.iter().take(SHOWN).map(row))?;
        output.rest(found.services.len(), "")?;
    }
    output.line("")?;
    output.line(extent(scanned, found))
}

fn row(service: &Service) -> [String; 5] {
    let demands = match (&service.auth_method, service.is_anonymous_loot) {
        (Some(method), Some(true)) if method == "none" => "nothing".to_owned(),
        (Some(method), Some(true)) => format!("{method}, but not of all"),
        (Some(method), _) => method.clone(),
        (None, _) => String::new(),
    };
    let mark = if service.cut_short.is_empty() { "" } else { " +" };
    let holds: Vec<String> = service.holds.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    [
        service.kind.to_string(),
        safe(service.version.as_deref().unwrap_or_default()),
        safe(&demands),
        format!("{}{mark}", holds.join(", ")),
        safe(&service.endpoint),
    ]
}

fn extent(scanned: &Scanned, found: &Found) -> String {
    let Counts { addresses, planned, tried, open, closed, silent, unreachable, untried } = found.counts;
    let rest = if tried < planned { format!(" (of {planned} that were planned)") } else { String::new() };
    let untried = if untried > 0 { format!(", {untried} not tried for want of means") } else { String::new() };
    let speaking = found.open.iter().filter(|place| place.endpoint.is_some()).count();
    let servers = scanned.lived.servers.iter().map(|server| server.shown.as_str());
    let agents = scanned.lived.agents.iter().map(|agent| agent.target.as_str());
    let known: HashSet<&str> = servers.chain(agents).map(base_of).collect();
    let nothing = found.open.iter().filter(|place| place.kinds.is_empty());
    let unknown = nothing.filter(|place| place.endpoint.as_deref().is_some_and(|base| !known.contains(base))).count();
    let left = open.saturating_sub(found.open.len() as u64);
    let left = if left > 0 { format!(" {left} open places were not looked at.") } else { String::new() };
    let (tried, addresses) = (counted(tried, "connection", ""), counted(addresses, "address", "es"));
    format!(
        "Tried {tried}{rest} to {addresses}: {open} open, {closed} refused, {silent} silent, {unreachable} out of \
         reach{untried}. {speaking} speak HTTP, {unknown} of them nothing that is known.{left}"
    )
}

/// A number and its noun, whose plural may take more than an `s`.
fn counted(number: u64, noun: &str, more: &str) -> String {
    match (number, more) {
        (1, _) => format!("1 {noun}"),
        (_, "") => format!("{number} {noun}s"),
        (_, more) => format!("{number} {noun}{more}"),
    }
}

/// The scheme, host and port of a URL.
fn base_of(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(start..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| start + at);
    url.get(..end).unwrap_or(url)
}

/// What went wrong with services, and at open places that nobody recognised.
pub(super) fn troubles(scanned: &Scanned) -> Vec<(&str, Vec<String>)> {
    let Some(found) = &scanned.lived.network else { return Vec::new() };
    let cut = |cut: &String| format!("not read to its end: {cut}");
    let certificate = |problem: &String| format!("its certificate: {problem}");
    let services = found.services.iter().map(|service| {
        let own = service.problems.iter().cloned();
        let all =
            own.chain(service.cut_short.iter().map(cut)).chain(service.certificate_problem.iter().map(certificate));
        (service.endpoint.as_str(), all.collect())
    });
    let others = found.open.iter().filter(|place| place.kinds.is_empty());
    let others = others.map(|place| (place.called.as_str(), place.problems.clone()));
    services.chain(others).filter(|(_, problems): &(&str, Vec<String>)| !problems.is_empty()).collect()
}

/// The services that were named by URL and did not answer.
pub(super) fn unreached<'s>(scanned: &'s Scanned, arguments: &'s Network) -> impl Iterator<Item = String> + 's {
    let found = scanned.lived.network.as_ref();
    let is_reached = move |place: &str| {
        found.is_none_or(|found| found.open.iter().any(|open| open.endpoint.is_some() && open.called == place))
    };
    let urls =
        arguments.targets.iter().flat_map(|word| word.split(',')).filter_map(|word| Url::parse(word.trim()).ok());
    let places = urls.filter_map(|url| Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?)));
    places.filter(move |place| !is_reached(place))
}

/// Says which services were named and did not answer.
pub(super) fn tell_unreached(scanned: &Scanned, arguments: &Network) {
    for place in unreached(scanned, arguments) {
        note(&format!("error: {} was named and did not answer", safe(&place)));
    }
}

/// The same for programs.
pub(super) fn as_json(scanned: &Scanned) -> Value {
    match &scanned.lived.network {
        Some(found) => json!({ "counts": found.counts, "services": found.services, "open": found.open }),
        None => Value::Null,
    }
}
