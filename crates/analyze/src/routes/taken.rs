//! Which arcs a path takes, where there are several between two of its nodes.

#![expect(clippy::indexing_slicing, reason = "as many rows as the path has nodes, as many columns as it may have hops")]

use super::length::Length;
use super::ordered::Path;
use super::region::{Link, Region};
use super::route::Route;

/// The route along a path, as it is known outside the region.
pub(super) fn route(region: &Region, path: &Path, max_hops: Option<u32>) -> Route {
    let links = match max_hops {
        None => shortest(region, &path.nodes),
        Some(most) => shortest_of_hops(region, path, most),
    };
    Route {
        nodes: path.nodes.iter().filter_map(|node| region.nodes.get(*node as usize).copied()).collect(),
        arcs: links.iter().map(|link| link.arc).collect(),
        cost: links.iter().map(|link| u64::from(link.cost)).sum(),
        hops: links.iter().map(|link| link.hops).sum(),
    }
}

/// The shortest between each two.
fn shortest(region: &Region, nodes: &[u32]) -> Vec<Link> {
    nodes.windows(2).filter_map(|pair| region.links_between(pair[0], pair[1]).first().copied()).collect()
}

/// Those that give the path its length: a longer arc may be needed because it is no hop. Takes the path's nodes times
/// the hops.
fn shortest_of_hops(region: &Region, path: &Path, max_hops: u32) -> Vec<Link> {
    // More hops than arcs are never needed, however many are allowed.
    let columns = (max_hops as usize).min(path.nodes.len()) + 1;
    // The length from each node to the end, by the hops on the way.
    let mut rest = vec![vec![Length::INFINITE; columns]; path.nodes.len()];
    if let Some(last) = rest.last_mut() {
        last[0] = Length::ZERO;
    }
    let between = |place: usize| region.links_between(path.nodes[place], path.nodes[place + 1]);
    for place in (0..path.nodes.len() - 1).rev() {
        for hops in 0..columns {
            let lengths = between(place).iter().map(|link| with(link, &rest[place + 1], hops));
            rest[place][hops] = lengths.min().unwrap_or(Length::INFINITE);
        }
    }
    let mut hops = rest[0].iter().position(|length| *length == path.length).unwrap_or_default();
    let mut taken = Vec::new();
    for place in 0..path.nodes.len() - 1 {
        let tight = between(place).iter().filter(|link| with(link, &rest[place + 1], hops) == rest[place][hops]);
        if let Some(link) = tight.min_by_key(|link| link.arc) {
            hops -= link.hops as usize;
            taken.push(*link);
        }
    }
    taken
}

/// The length of a link and of the best rest, of so many hops together.
fn with(link: &Link, rest: &[Length], hops: usize) -> Length {
    hops.checked_sub(link.hops as usize).map_or(Length::INFINITE, |hops| link.length.plus(rest[hops]))
}
