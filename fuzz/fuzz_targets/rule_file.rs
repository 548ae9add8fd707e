//! Any text: the reader of rules, detection rules and fingerprints, refuses or accepts it, comes to the same verdict twice, and a problem has a place in
//! the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_rules::any_rule::{AnyRule, read_any_rule};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let first = read_any_rule(&text);
    assert_eq!(first, read_any_rule(&text));
    match first {
        Ok(AnyRule::Detection(rule)) => assert!(!rule.scope.targets.is_empty()),
        Ok(AnyRule::Fingerprint(rule)) => assert!(rule.probes.iter().all(|probe| !probe.matchers.is_empty())),
        Err(problems) => {
            assert!(!problems.is_empty() && problems.is_sorted_by_key(|problem| (problem.line, problem.column)));
            // A file may break its lines with a lone carriage return too; the problem at its end is in the line after.
            let lines = text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count() + 2;
            assert!(
                problems.iter().all(|problem| (1..=lines).contains(&(problem.line as usize)) && problem.column > 0)
            );
        }
    }
});
