//! Arrows between rooms: which crate may depend on which, for building, running or testing.
//!
//! A new arrow is a change of the design, so it is written here and in no manifest alone.

use super::Problem;
use super::workspace::Package;

/// A crate below `crates`, named as its folder, and the rooms that it may use.
struct Room {
    name: &'static str,
    may_use: &'static [&'static str],
}

const ROOMS: &[Room] = &[
    Room { name: "model", may_use: &[] },
    Room { name: "rules", may_use: &["model"] },
    Room { name: "collect", may_use: &["model", "rules"] },
    Room { name: "graph", may_use: &["model"] },
    Room { name: "analyze", may_use: &["model", "rules", "graph"] },
    Room { name: "policy", may_use: &["model"] },
    Room { name: "evidence", may_use: &["model"] },
    Room { name: "server", may_use: &["model", "rules", "graph", "analyze", "policy", "evidence"] },
    Room { name: "cli", may_use: &["model", "rules", "collect", "graph", "analyze", "policy", "evidence", "server"] },
];

/// Every arrow that is not allowed, and every crate that is not a room.
fn problems(packages: &[Package]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in packages {
        let Some(name) = package.folder.strip_prefix("crates/") else { continue };
        let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
            problems.push(Problem::in_file(&package.folder, "not a room of the house"));
            continue;
        };
        if package.name != package_name(room.name) {
            let what = format!("the package is called `{}` instead of `{}`", package.name, package_name(room.name));
            problems.push(Problem::in_file(&package.manifest(), what));
        }
        problems.extend(forbidden(room, package, packages));
    }
    problems
}

/// The dependencies of a room on packages of the workspace that it may not use.
fn forbidden(room: &Room, package: &Package, packages: &[Package]) -> Vec<Problem> {
    let is_ours = |name: &str| packages.iter().any(|package| package.name == name);
    let is_allowed = |name: &str| room.may_use.iter().any(|used| package_name(used) == name);
    let arrows = package.dependencies.iter().filter(|name| is_ours(name) && !is_allowed(name));
    arrows.map(|name| Problem::in_file(&package.manifest(), format!("`{}` may not use `{name}`", room.name))).collect()
}

/// The binary is called like the product; every other package carries the product's name as a prefix.
fn package_name(room: &str) -> String {
    if room == "cli" { "tracehound".to_owned() } else { format!("tracehound-{room}") }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tidy::workspace::packages;
    use crate::tidy::{expect, expect_clean};
    use xtask::repository;

    fn package(name: &str, folder: &str, dependencies: &[&str]) -> Package {
        let dependencies = dependencies.iter().map(|name| (*name).to_owned()).collect();
        Package { name: name.to_owned(), folder: folder.to_owned(), dependencies }
    }

    #[test]
    fn arrows_against_the_order_are_found() {
        let house = [
            package("tracehound-model", "crates/model", &["serde", "tracehound-graph"]),
            package("tracehound-graph", "crates/graph", &["tracehound-model", "xtask"]),
            package("tracehound-collect", "crates/collect", &[]),
            package("tracehound-server", "crates/server", &["tracehound-graph", "tracehound-collect"]),
            package("tracehound", "crates/cli", &["tracehound-server", "tracehound-collect"]),
            package("xtask", "xtask", &["tracehound-model", "tracehound"]),
        ];
        let expected = [
            "crates/model/Cargo.toml: `model` may not use `tracehound-graph`",
            "crates/graph/Cargo.toml: `graph` may not use `xtask`",
            "crates/server/Cargo.toml: `server` may not use `tracehound-collect`",
        ];
        expect(&problems(&house), &expected);
    }

    #[test]
    fn nobody_uses_the_command_line() {
        let house =
            [package("tracehound", "crates/cli", &[]), package("tracehound-server", "crates/server", &["tracehound"])];
        expect(&problems(&house), &["crates/server/Cargo.toml: `server` may not use `tracehound`"]);
    }

    #[test]
    fn unknown_rooms_and_wrong_names_are_found() {
        let house = [package("tracehound-utils", "crates/utils", &[]), package("model", "crates/model", &[])];
        let expected = [
            "crates/utils: not a room of the house",
            "crates/model/Cargo.toml: the package is called `model` instead of `tracehound-model`",
        ];
        expect(&problems(&house), &expected);
    }

    #[test]
    fn the_arrows_of_the_tree_are_allowed() {
        expect_clean(&problems(&packages(&repository::root()).unwrap()));
    }

    /// A folder that is not in the workspace is not in cargo's answer, so it is looked for on disk.
    #[test]
    fn every_folder_of_crates_is_a_room() {
        for entry in fs::read_dir(repository::root().join("crates")).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(ROOMS.iter().any(|room| name == room.name), "{}", name.display());
        }
    }
}
