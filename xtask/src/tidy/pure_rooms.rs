//! Pure rooms read no clock, no file and no environment. Clippy holds that, if the room tells it to.

use super::Problem;
use super::tree::Tree;

const PURE: [&str; 4] = ["model", "rules", "analyze", "policy"];

/// What a room's lint settings must speak of.
const SETTINGS: [&str; 2] = ["disallowed-types", "disallowed-methods"];

/// Every pure room that does not forbid the impure.
fn problems(tree: &Tree) -> Vec<Problem> {
    let rooms = PURE.iter().map(|room| format!("crates/{room}")).filter(|room| tree.has(&format!("{room}/Cargo.toml")));
    rooms.flat_map(|room| in_room(&room, tree.text(&format!("{room}/clippy.toml")).ok().as_deref())).collect()
}

fn in_room(room: &str, settings: Option<&str>) -> Vec<Problem> {
    let Some(settings) = settings else {
        return vec![Problem::in_file(room, "a pure room without a `clippy.toml`")];
    };
    let missing = SETTINGS.iter().filter(|key| !settings.lines().any(|line| line.starts_with(**key)));
    missing.map(|key| Problem::in_file(&format!("{room}/clippy.toml"), format!("no `{key}`"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{expect, expect_clean};

    #[test]
    fn a_pure_room_without_settings_is_found() {
        expect(&in_room("crates/policy", None), &["crates/policy: a pure room without a `clippy.toml`"]);
    }

    #[test]
    fn settings_that_forbid_nothing_are_found() {
        let settings = "# disallowed-types = []\ndisallowed-methods = [\"std::env::var\"]\n";
        expect(&in_room("crates/policy", Some(settings)), &["crates/policy/clippy.toml: no `disallowed-types`"]);
    }

    #[test]
    fn the_pure_rooms_of_the_tree_are_held() {
        expect_clean(&problems(&Tree::of_repository().unwrap()));
    }
}
