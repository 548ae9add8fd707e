//! `tracehound path`.

use serde_json::json;
use tracehound_analyze::routes::{Allowed, By, Most, Query, Route, Workspace, all_within, best, k_best};

use super::estate_view::{Chosen, EstateView, bounded_words, counted};
use super::walk::{Path, Walk};
use crate::args::{Format, Path as Arguments, PathOrder};
use crate::outcome::Outcome;
use crate::output::{Output, SHOWN};
use crate::settings::Settings;

/// What a search for all paths may cost; there can be exponentially many.
const MOST: Most = Most { routes: 10_000, work: 50_000_000 };

/// Paths, and whether there are no others; none if nobody looked.
struct Found {
    paths: Vec<Path>,
    is_complete: Option<bool>,
}

pub(super) fn run(arguments: &Arguments, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let estate = EstateView::open(&arguments.at.point, settings)?;
    let walk = Walk::new(&estate, &arguments.walking)?;
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
                "paths": found.paths.iter().map(|path| path.json(&picture)).collect::<Vec<_>>(),
                "complete": found.is_complete,
                "bounded": walk.terrain.bounded(),
            }))?;
        }
        Format::Table | Format::Markdown => print(arguments, &estate, &walk, (&from, &to), &found, output)?,
    }
    Ok(Outcome::Clean)
}

fn find(arguments: &Arguments, estate: &EstateView, walk: &Walk, (from, to): (&Chosen, &Chosen)) -> Found {
    let (sources, targets) = (walk.terrain.places(&from.nodes), walk.terrain.places(&to.nodes));
    let permits = |arc: u32| walk.permits(arc);
    let by = match arguments.by {
        PathOrder::Weight => By::Weight,
        PathOrder::Hops => By::Hops,
    };
    let (allowed, max_hops) = (Allowed::Where(&permits), arguments.max_hops);
    let query = Query { sources: &sources, targets: &targets, by, allowed, max_hops };
    let mut space = Workspace::default();
    let (arcs, count) = (walk.terrain.arcs(), arguments.count as usize);
    let (routes, is_complete): (Vec<Route>, _) = if arguments.all {
        let within = all_within(arcs, &query, MOST, &mut space);
        (within.routes, Some(within.is_complete))
    } else {
        let routes = match count {
            1 => best(arcs, &query, &mut space).into_iter().collect(),
            _ => k_best(arcs, &query, count, &mut space),
        };
        let is_complete = (routes.len() < count).then_some(true);
        (routes, is_complete)
    };
    Found { paths: walk.paths(&estate.picture(), &routes), is_complete }
}

fn print(
    arguments: &Arguments,
    estate: &EstateView,
    walk: &Walk,
    (from, to): (&Chosen, &Chosen),
    found: &Found,
    output: &mut Output,
) -> anyhow::Result<()> {
    let picture = estate.picture();
    // Whoever asks for a number of paths gets them; of all paths people are shown the first.
    let shown = if arguments.all { SHOWN } else { found.paths.len() };
    for path in found.paths.iter().take(shown) {
        output.line(path.line(&picture))?;
        if !arguments.brief {
            for reason in path.reasons(&picture) {
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
    if let Some(words) = bounded_words(walk.terrain.bounded()) {
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
