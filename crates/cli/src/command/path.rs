//! `tracehound path`.

use serde_json::json;
use tracehound_analyze::routes::By;
use tracehound_analyze::terrain::Terrain;
use tracehound_analyze::walk::{Found, PathSearch, Walk, Wanted, bounded_words};

use super::estate_view::{Chosen, EstateView, counted};
use super::walk::{line, path_json, reasons, walking};
use crate::args::{Format, Path as Arguments, PathOrder};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN};
use crate::settings::Settings;

pub(super) fn run(arguments: &Arguments, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let walking = walking(&estate, &arguments.walking)?;
    let terrain = Terrain::new(&estate.picture(), walking.shortcuts);
    let walk = Walk::new(&terrain, walking);
    let from = estate.choose(&arguments.from)?.without(&walk.avoided);
    let to = estate.choose(&arguments.to)?.without(&walk.avoided);
    let found = find(arguments, &estate, &walk, (&from, &to));
    match settings.format {
        Format::Json => {
            let picture = estate.picture();
            output.json(&json!({
                "from": from.json(),
                "to": to.json(),
                "by": if arguments.all { PathOrder::Hops.name() } else { arguments.by.name() },
                "paths": found.paths.iter().map(|path| path_json(path, &picture)).collect::<Vec<_>>(),
                "complete": found.is_complete,
                "bounded": walk.terrain.bounded(),
            }))?;
        }
        Format::Table | Format::Markdown => print(arguments, &estate, &walk, (&from, &to), &found, output)?,
    }
    Ok(Outcome::Clean)
}

fn find(arguments: &Arguments, estate: &EstateView, walk: &Walk<'_>, (from, to): (&Chosen, &Chosen)) -> Found {
    let by = match arguments.by {
        PathOrder::Weight => By::Weight,
        PathOrder::Hops => By::Hops,
    };
    let wanted = if arguments.all { Wanted::All } else { Wanted::Best(arguments.count as usize) };
    let asked = PathSearch { from: &from.nodes, to: &to.nodes, by, max_hops: arguments.max_hops, wanted };
    walk.find(&estate.picture(), &asked)
}

fn print(
    arguments: &Arguments,
    estate: &EstateView,
    walk: &Walk<'_>,
    (from, to): (&Chosen, &Chosen),
    found: &Found,
    output: &mut Output,
) -> anyhow::Result<()> {
    let picture = estate.picture();
    // Whoever asks for a number of paths gets them; of all paths people are shown the first.
    let shown = if arguments.all { SHOWN } else { found.paths.len() };
    for path in found.paths.iter().take(shown) {
        output.line(line(path, &picture))?;
        if !arguments.brief {
            for reason in reasons(path, &picture) {
                output.line(format!("    {reason}"))?;
            }
        }
    }
    if found.paths.is_empty() {
        output.line(none(arguments, from, to, found))?;
    }
    if arguments.all {
        output.rest(found.paths.len(), "")?;
        if found.is_complete == Some(false) && !found.paths.is_empty() {
            output.line(format!("there are more paths; these are the first {}", found.paths.len()))?;
        }
    }
    if let Some(words) = bounded_words(walk.terrain) {
        output.line(words)?;
    }
    Ok(())
}

/// Why there is no path.
fn none(arguments: &Arguments, from: &Chosen, to: &Chosen, found: &Found) -> String {
    if let Some(reason) = from.why_empty().or_else(|| to.why_empty()) {
        return format!("no path: {reason}");
    }
    if arguments.all && found.is_complete == Some(false) {
        return "no path was found before the search was given up; ask for fewer hops".to_owned();
    }
    let within =
        arguments.max_hops.map_or_else(String::new, |hops| format!(" within {}", counted(hops as usize, "hop")));
    format!("no path leads from {} to {}{within}", from.words(), to.words())
}
