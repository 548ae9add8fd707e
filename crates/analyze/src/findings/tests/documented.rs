//! `docs/findings.md` names everything that can be found.

use tracehound_model::{EdgeKind, TriageState};

use super::*;

#[test]
fn every_kind_fate_and_state_is_documented() {
    let page = include_str!("../../../../../docs/findings.md");
    let kinds = EdgeKind::ALL.iter().filter(|kind| !kind.is_input()).map(|kind| kind.name());
    let checks = CHECKS.iter().map(|check| check.id);
    let fates = Fate::ALL.iter().map(|fate| fate.name());
    let states = TriageState::ALL.iter().map(|state| state.name());
    for name in kinds.chain(checks).chain(fates).chain(states) {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
