//! The rules in force, of both sorts: the built-in ones, and those of the user's files in their place or beside them.
//! Whatever its sort, a rule is known by its id.
//!
//! A broken file never changes anything: whoever gets problems gets no library, so that a rule can't vanish because of a
//! slip of the pen. Reading folders is not done here.

use std::collections::BTreeMap;
use std::fmt;

use crate::any_rule::{AnyRule, read_any_rule};
use crate::engine::{CompileError, Engine, Judges};
use crate::fingerprint::Fingerprint;
use crate::limits;
use crate::reading::suggest::nearest;
use crate::rule::{Problem, Rule};
use crate::{BrokenBuiltin, builtin_fingerprint_sources, builtin_fingerprints, builtin_rules, builtin_sources};

/// A rule file, as whoever read it found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    /// What the file is called in messages.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Something wrong with one of several files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileProblem {
    /// The file.
    pub file: String,
    /// What is wrong, and where.
    pub problem: Problem,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.problem)
    }
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the product.
    Builtin,
    /// It is a file of the user's.
    File,
    /// It is a file of the user's and stands in the place of a built-in rule.
    Override,
}

/// A rule, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The rule.
    pub rule: AnyRule,
    /// Whose it is.
    pub origin: Origin,
    /// Its file and text. Of a built-in one, the path within the product and the text without tests.
    pub file: RuleFile,
}

impl Entry {
    /// A problem of this rule, placed where the field stands in its file.
    fn problem(&self, field: &str, message: impl Into<String>, help: Option<String>) -> FileProblem {
        FileProblem { file: self.file.name.clone(), problem: problem_at(&self.file.text, field, message, help) }
    }
}

/// The rules in force, sorted by id.
#[derive(Debug, Clone, PartialEq)]
pub struct Library {
    entries: Vec<Entry>,
}

impl Library {
    /// The built-in rules alone.
    ///
    /// # Errors
    ///
    /// Never in a build that passed its tests.
    pub fn builtin() -> Result<Self, &'static BrokenBuiltin> {
        let entry = |rule: AnyRule, (name, text): &(&str, &str)| Entry {
            rule,
            origin: Origin::Builtin,
            file: RuleFile { name: (*name).to_owned(), text: (*text).to_owned() },
        };
        let detection = builtin_rules()?.iter().map(|rule| AnyRule::Detection(rule.clone()));
        let fingerprints = builtin_fingerprints()?.iter().map(|rule| AnyRule::Fingerprint(rule.clone()));
        let sources = builtin_sources().iter().chain(builtin_fingerprint_sources());
        let mut entries: Vec<Entry> =
            detection.chain(fingerprints).zip(sources).map(|(rule, source)| entry(rule, source)).collect();
        entries.sort_by(|a, b| a.rule.id().cmp(b.rule.id()));
        Ok(Self { entries })
    }

    /// Adds rules of the user's. One with the id of a rule that is there takes its place.
    ///
    /// # Errors
    ///
    /// With each rule that does something else than the one whose place it takes and does not say so by its version, or
    /// that is of another sort.
    pub fn with(self, own: Vec<Entry>) -> Result<Self, Vec<FileProblem>> {
        let mut by_id: BTreeMap<String, Entry> =
            self.entries.into_iter().map(|entry| (entry.rule.id().to_owned(), entry)).collect();
        let mut problems = Vec::new();
        for mut entry in own {
            if let Some(old) = by_id.get(entry.rule.id()) {
                let message = entry.rule.override_problem(&old.rule);
                problems.extend(message.map(|message| entry.problem("version", message, None)));
                // In the place of a file's rule it overrides a built-in one only if that one did.
                entry.origin = if old.origin == Origin::File { Origin::File } else { Origin::Override };
            }
            by_id.insert(entry.rule.id().to_owned(), entry);
        }
        if problems.is_empty() { Ok(Self { entries: by_id.into_values().collect() }) } else { Err(problems) }
    }

    /// All rules, sorted by id.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Copies of all detection rules, sorted by id.
    #[must_use]
    pub fn rules(&self) -> Vec<Rule> {
        self.entries.iter().filter_map(|entry| entry.rule.detection().cloned()).collect()
    }

    /// Copies of the fingerprints that are not switched off, sorted by id.
    #[must_use]
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        let all = self.entries.iter().filter_map(|entry| entry.rule.fingerprint());
        all.filter(|fingerprint| fingerprint.enabled).cloned().collect()
    }

    /// The rule with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.rule.id() == id)
    }

    /// The ids that may be meant by one that is not there, likeliest first.
    #[must_use]
    pub fn similar(&self, id: &str) -> Vec<&str> {
        const MOST: usize = 3;
        let mut found: Vec<&str> = Vec::new();
        let ids = || self.entries.iter().map(|entry| entry.rule.id());
        while found.len() < MOST {
            let Some(near) = nearest(id, ids().filter(|id| !found.contains(id))) else { break };
            found.push(near);
        }
        let contains: Vec<&str> =
            ids().filter(|known| id.len() > 2 && known.contains(id) && !found.contains(known)).collect();
        found.into_iter().chain(contains).take(MOST).collect()
    }

    /// What keeps the rules from being compiled together, each at its file.
    ///
    /// `judges` are the models that rules may name; they are asked for once more for each problem.
    ///
    /// # Errors
    ///
    /// What `judges` says, or a problem that is not one rule's alone.
    pub fn compile_problems<E: From<CompileError>>(
        &self,
        judges: impl Fn() -> Result<Judges, E>,
    ) -> Result<Vec<FileProblem>, E> {
        let mut rules = self.rules();
        let mut problems = Vec::new();
        while let Err(error) = Engine::compile(rules.clone(), judges()?) {
            let Some(entry) = blamed(&error).and_then(|id| self.find(id)) else { return Err(error.into()) };
            rules.retain(|rule| rule.id != entry.rule.id());
            problems.push(entry.problem("matcher", error.to_string(), None));
            if problems.len() == limits::PROBLEMS {
                break;
            }
        }
        Ok(problems)
    }
}

/// The rule that keeps the others from being compiled.
fn blamed(error: &CompileError) -> Option<&str> {
    match error {
        CompileError::DuplicateId { id: rule }
        | CompileError::Syntax { rule, .. }
        | CompileError::Pattern { rule, .. }
        | CompileError::BlankTerm { rule, .. }
        | CompileError::Depth { rule }
        | CompileError::UnknownModel { rule, .. } => Some(rule),
        CompileError::TooManyTerms { .. } => None,
    }
}

/// Reads rule files of both sorts: those that are rules, each with an id of its own, and everything that is wrong with the others.
#[must_use]
pub fn read_files(files: Vec<RuleFile>) -> (Vec<Entry>, Vec<FileProblem>) {
    let mut problems = Vec::new();
    let mut by_id: BTreeMap<String, Entry> = BTreeMap::new();
    for file in files {
        let rule = match read_any_rule(&file.text) {
            Ok(rule) => rule,
            Err(found) => {
                problems.extend(found.into_iter().map(|problem| FileProblem { file: file.name.clone(), problem }));
                continue;
            }
        };
        let entry = Entry { rule, origin: Origin::File, file };
        match by_id.get(entry.rule.id()) {
            Some(first) => {
                let message = format!("`{}` is also the id of `{}`", entry.rule.id(), first.file.name);
                problems.push(entry.problem("id", message, Some("every rule needs an id of its own".to_owned())));
            }
            None => {
                by_id.insert(entry.rule.id().to_owned(), entry);
            }
        }
    }
    (by_id.into_values().collect(), problems)
}

/// What a rule that others are to rely on lacks, beyond being one.
#[must_use]
pub fn strict_problems(entry: &Entry) -> Vec<FileProblem> {
    let has_prose = |text: &str| !text.trim().is_empty();
    let has_remediation = entry.rule.detection().is_none_or(|rule| rule.remediation.as_deref().is_some_and(has_prose));
    let tests = entry.rule.tests();
    let wanted = [
        (has_prose(entry.rule.description()), "description", "there is no `description`"),
        (has_remediation, "remediation", "there is no `remediation`"),
        (tests.contains(&true), "tests", "no test has `should_match: true`"),
        (tests.contains(&false), "tests", "no test has `should_match: false`"),
    ];
    let missing = wanted.into_iter().filter(|(holds, ..)| !holds);
    let mut problems: Vec<FileProblem> =
        missing.map(|(_, field, message)| entry.problem(field, message, None)).collect();
    for name in entry.rule.fingerprint().into_iter().flat_map(Fingerprint::misnamed_captures) {
        problems.push(entry.problem("emit", format!("nothing captures `{name}`, so its placeholder stays"), None));
    }
    problems
}

/// A problem placed at a field at the top of the text, or at the start if it is not there.
fn problem_at(text: &str, field: &str, message: impl Into<String>, help: Option<String>) -> Problem {
    let is_field = |line: &str| line.strip_prefix(field).is_some_and(|rest| rest.trim_start().starts_with(':'));
    let line = (1..).zip(text.lines()).find(|(_, line)| is_field(line)).map_or(1, |(number, _)| number);
    Problem { line, column: 1, message: message.into(), help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: impl Into<String>) -> RuleFile {
        RuleFile { name: name.to_owned(), text: text.into() }
    }

    fn own(id: &str, version: u32, word: &str) -> String {
        format!(
            "id: {id}\nname: A word\nversion: {version}\nseverity: low\nscope: {{ collector: all, targets: [name] }}\n\
             matcher: {{ type: keyword, keywords: [{word}] }}\nemit: {{ finding_type: a_word }}\n"
        )
    }

    fn two() -> Library {
        let (mut entries, problems) =
            read_files(vec![file("b.yaml", own("rule-b", 2, "b")), file("a.yaml", own("rule-a", 1, "a"))]);
        assert!(problems.is_empty());
        entries.iter_mut().for_each(|entry| entry.origin = Origin::Builtin);
        Library { entries }
    }

    /// Adds files to a library of two rules.
    fn check(files: &[(&str, String)], expected: &[&str]) {
        let (entries, mut problems) = read_files(files.iter().map(|(name, text)| file(name, text.as_str())).collect());
        match two().with(entries) {
            Err(more) => problems.extend(more),
            Ok(library) if problems.is_empty() => {
                let shown = |entry: &Entry| format!("{} {:?} {}", entry.rule.id(), entry.origin, entry.file.name);
                assert_eq!(library.entries().iter().map(shown).collect::<Vec<_>>(), expected);
                return;
            }
            Ok(_) => {}
        }
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_rule_of_the_same_id_takes_the_place_and_others_stand_beside() {
        check(
            &[("x/b.yaml", own("rule-b", 2, "b")), ("x/c.yaml", own("rule-c", 1, "c"))],
            &["rule-a Builtin a.yaml", "rule-b Override x/b.yaml", "rule-c File x/c.yaml"],
        );
    }

    #[test]
    fn a_rule_in_the_place_of_another_file_overrides_what_that_one_did() {
        let (first, _) =
            read_files(vec![file("x/b.yaml", own("rule-b", 2, "b")), file("x/c.yaml", own("rule-c", 1, "c"))]);
        let (second, _) =
            read_files(vec![file("y/b.yaml", own("rule-b", 2, "b")), file("y/c.yaml", own("rule-c", 1, "c"))]);
        let library = two().with(first).and_then(|library| library.with(second)).expect("the rules are the same");
        let shown: Vec<_> = library.entries().iter().map(|entry| (entry.origin, entry.file.name.as_str())).collect();
        let expected = [(Origin::Builtin, "a.yaml"), (Origin::Override, "y/b.yaml"), (Origin::File, "y/c.yaml")];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_rule_that_does_something_else_must_say_so() {
        let problem = "b.yaml:3:1: `rule-b` changes the matcher of version 2, so its version must be higher, not 2";
        check(&[("b.yaml", own("rule-b", 2, "other"))], &[problem]);
        check(&[("b.yaml", own("rule-b", 3, "other"))], &["rule-a Builtin a.yaml", "rule-b Override b.yaml"]);
    }

    #[test]
    fn a_rule_can_be_switched_off() {
        let text = own("rule-b", 2, "b") + "enabled: false\n";
        check(&[("b.yaml", text)], &["rule-a Builtin a.yaml", "rule-b Override b.yaml"]);
    }

    #[test]
    fn two_files_with_one_id_are_both_named() {
        check(
            &[("one.yaml", own("rule-c", 1, "c")), ("two.yaml", own("rule-c", 2, "d"))],
            &["two.yaml:1:1: `rule-c` is also the id of `one.yaml` (every rule needs an id of its own)"],
        );
    }

    #[test]
    fn every_problem_of_every_file_is_told() {
        let broken = own("rule-c", 1, "c").replace("low", "awful").replace("all", "none");
        let (_, problems) = read_files(vec![file("one.yaml", broken.clone()), file("two.yaml", broken)]);
        let files: Vec<&str> = problems.iter().map(|problem| problem.file.as_str()).collect();
        assert_eq!(files, ["one.yaml", "one.yaml", "two.yaml", "two.yaml"]);
    }

    #[test]
    fn rules_that_do_not_compile_are_named_with_their_files() {
        let text = own("rule-c", 1, "c").replace("{ type: keyword, keywords: [c] }", "{ type: model, model: nobody }");
        let (entries, problems) = read_files(vec![file("c.yaml", text)]);
        assert!(problems.is_empty());
        let library = two().with(entries).expect("it is a rule");
        let found = library.compile_problems(|| Ok::<_, CompileError>(Judges::new())).expect("it is one rule's");
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["c.yaml:6:1: rule `rule-c` names the model `nobody`, which does not exist"]);
    }

    #[test]
    fn a_strict_eye_wants_prose_and_tests() {
        let (entries, _) = read_files(vec![file("a.yaml", own("rule-a", 1, "a"))]);
        let found: Vec<String> = entries.iter().flat_map(strict_problems).map(|found| found.to_string()).collect();
        assert_eq!(
            found,
            [
                "a.yaml:1:1: there is no `description`",
                "a.yaml:1:1: there is no `remediation`",
                "a.yaml:1:1: no test has `should_match: true`",
                "a.yaml:1:1: no test has `should_match: false`",
            ]
        );
    }

    fn service(id: &str, version: u32, path: &str) -> String {
        format!(
            "id: {id}\nname: A service\nversion: {version}\nservice_kind: ollama\nprobes:\n  - method: GET\n    path: {path}\n    \
             matchers: [{{ type: http_status, status_code: 200 }}]\nemit:\n  node_kinds: [OllamaInstance]\n  \
             properties: {{ note: '{{capture:nothing}}' }}\n"
        )
    }

    #[test]
    fn both_sorts_stand_in_one_library_and_ids_are_unique_over_both() {
        let files = vec![file("s.yaml", service("service-s", 2, "/x")), file("c.yaml", own("rule-c", 1, "c"))];
        let (entries, problems) = read_files(files);
        assert_eq!(problems, []);
        let library = two().with(entries).expect("they are new");
        let ids = |rules: Vec<Rule>| rules.into_iter().map(|rule| rule.id).collect::<Vec<_>>();
        assert_eq!(ids(library.rules()), ["rule-a", "rule-b", "rule-c"]);
        assert_eq!(library.fingerprints().iter().map(|rule| rule.id.as_str()).collect::<Vec<_>>(), ["service-s"]);
        check(
            &[("one.yaml", own("the-same", 1, "c")), ("two.yaml", service("the-same", 2, "/x"))],
            &["two.yaml:1:1: `the-same` is also the id of `one.yaml` (every rule needs an id of its own)"],
        );
        check(
            &[("b.yaml", service("rule-b", 9, "/x"))],
            &["b.yaml:3:1: `rule-b` is a detection rule, whose place a fingerprint can't take"],
        );
    }

    #[test]
    fn a_fingerprint_takes_the_place_of_another_under_a_higher_version_and_can_be_switched_off() {
        let library = |text: String| two().with(read_files(vec![file("s.yaml", text)]).0).expect("it is new");
        let first = library(service("service-s", 2, "/x"));
        let overridden = |text: String| first.clone().with(read_files(vec![file("o.yaml", text)]).0);
        let problems = overridden(service("service-s", 2, "/y")).expect_err("it says nothing of the change");
        assert_eq!(
            problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["o.yaml:3:1: `service-s` changes the probes of version 2, so its version must be higher, not 2"]
        );
        let other = overridden(service("service-s", 3, "/y")).expect("it says so");
        assert_eq!(other.fingerprints()[0].probes[0].request.path, "/y");
        let ports = overridden(service("service-s", 2, "/x") + "ports: [1]\n").expect("ports may change freely");
        assert_eq!(ports.fingerprints()[0].ports, [1]);
        let off = overridden(service("service-s", 2, "/x") + "enabled: false\n").expect("so may this");
        assert!(off.fingerprints().is_empty() && off.find("service-s").is_some());
    }

    #[test]
    fn a_strict_eye_sees_placeholders_that_nothing_fills() {
        let (entries, _) = read_files(vec![file("s.yaml", service("service-s", 2, "/x"))]);
        let found: Vec<String> = entries.iter().flat_map(strict_problems).map(|found| found.to_string()).collect();
        assert_eq!(
            found,
            [
                "s.yaml:1:1: there is no `description`",
                "s.yaml:1:1: no test has `should_match: true`",
                "s.yaml:1:1: no test has `should_match: false`",
                "s.yaml:9:1: nothing captures `nothing`, so its placeholder stays",
            ]
        );
    }

    #[test]
    fn ids_that_may_be_meant_are_found() {
        assert_eq!(two().similar("rule-d"), ["rule-a", "rule-b"]);
        assert_eq!(two().similar("rul"), ["rule-a", "rule-b"]);
        assert!(two().similar("something").is_empty());
        assert_eq!(two().find("rule-b").map(|entry| entry.rule.version()), Some(2));
    }

    #[test]
    fn the_built_in_rules_are_a_library() {
        let library = Library::builtin().expect("they are read");
        assert_eq!(library.entries().len(), builtin_sources().len() + builtin_fingerprint_sources().len());
        assert!(library.entries().iter().all(|entry| entry.file.name.ends_with(&format!("{}.yaml", entry.rule.id()))));
        assert_eq!(library.rules().len(), builtin_sources().len());
        // By id, as everything in a library is.
        let mut fingerprints = builtin_fingerprints().expect("they are read").to_vec();
        fingerprints.sort_by(|a, b| a.id.cmp(&b.id));
        assert!(library.fingerprints() == fingerprints);
    }
}
