//! `tracehound scan TARGET... --plan`: everything that would be contacted, or why not.

use serde_json::json;
use tracehound_collect::network::{Host, Plan};

use super::network::{Prepared, probes};
use crate::args::{Format, Scan};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::settings::Settings;

/// Prints the plan. A plan of which a part is refused would contact nobody.
pub(super) fn run(
    prepared: &Prepared,
    arguments: &Scan,
    settings: &Settings,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let probes = probes(&prepared.fingerprints, arguments.live.mcp, arguments.network.inventory);
    let (plan, refused) = (prepared.draft.admitted(), prepared.draft.refused());
    if settings.format == Format::Json {
        print_json(prepared, &probes, output)?;
    } else if !refused.is_empty() {
        // What is admitted is not contacted either, so it is not listed as if it were.
        for part in &refused.parts {
            output.line(safe(&part.to_string()))?;
        }
        if refused.more > 0 {
            output.line(format!("… and {} more that are not contacted", refused.more))?;
        }
        output.line(format!("Nothing would be contacted, because a part is refused; the rest is {}.", extent(plan)))?;
    } else {
        for host in plan.hosts() {
            output.line(line(&host))?;
        }
        output.line("")?;
        output.line("Each open port that answers as HTTP or HTTPS is asked, until it is clear what it is not:")?;
        for (probe, why) in &probes {
            output.line(format!("  {:<44} {}", safe(probe), safe(why)))?;
        }
        output.line("")?;
        output.line(format!("{} would be tried. Nobody was contacted.", extent(plan)))?;
    }
    Ok(if refused.is_empty() { Outcome::Clean } else { Outcome::Failed })
}

fn line(host: &Host<'_>) -> String {
    let names = if host.names.is_empty() { String::new() } else { format!(" ({})", host.names.join(", ")) };
    let schemes: Vec<String> =
        host.schemes.iter().map(|(port, scheme)| format!("{port} as {}", scheme.name())).collect();
    let schemes = if schemes.is_empty() { String::new() } else { format!("; {}", schemes.join(", ")) };
    format!("{}{}: {}, ports {}{schemes}", host.address, safe(&names), host.class, host.ports)
}

fn extent(plan: &Plan) -> String {
    format!("{} addresses, {} connections", plan.addresses(), plan.connections())
}

/// One line a host, so that a plan of millions needs no memory.
fn print_json(prepared: &Prepared, probes: &[(String, String)], output: &mut Output) -> anyhow::Result<()> {
    let (plan, refused) = (prepared.draft.admitted(), prepared.draft.refused());
    let parts: Vec<_> =
        refused.parts.iter().map(|part| json!({ "what": part.what, "why": part.why.to_string() })).collect();
    let asked: Vec<_> = probes.iter().map(|(probe, why)| json!({ "request": probe, "for": why })).collect();
    output.line("{")?;
    output.line(format!("  \"addresses\": {}, \"connections\": {},", plan.addresses(), plan.connections()))?;
    output.line(format!("  \"refused\": {}, \"refused_more\": {},", json!(parts), refused.more))?;
    output.line(format!("  \"probes\": {},", json!(asked)))?;
    output.line("  \"hosts\": [")?;
    let mut hosts = plan.hosts().take_while(|_| refused.is_empty()).peekable();
    while let Some(host) = hosts.next() {
        let schemes: Vec<_> =
            host.schemes.iter().map(|(port, scheme)| json!({ "port": port, "scheme": scheme.name() })).collect();
        let value = json!({
            "address": host.address.to_string(), "class": host.class.to_string(), "names": host.names,
            "ports": host.ports.to_string(), "schemes": schemes,
        });
        output.line(format!("    {value}{}", if hosts.peek().is_some() { "," } else { "" }))?;
    }
    output.line("  ]\n}")
}
