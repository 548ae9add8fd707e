//! Starting a configured command is the user's decision: by flag, by name, or by a yes to exactly what would run.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use anyhow::bail;
use tracehound_collect::mcp::{Target, Way};
use tracehound_collect::net::Trust;
use tracehound_collect::process::Launch;
use tracehound_model::NodeId;

use super::question::{command, question, steering};
use crate::output::{SHOWN, note, safe};

/// Shows a question and gives back what the user typed.
type Ask<'a> = &'a mut dyn FnMut(&str) -> anyhow::Result<String>;

/// The servers of configurations, each once, those that nobody agreed to as not to be started. Without those of `but`.
pub(super) fn agreed(
    start: Option<&[String]>,
    configured: &[Target],
    but: &BTreeSet<NodeId>,
) -> anyhow::Result<Vec<Target>> {
    let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    let mut at_terminal = at_terminal;
    decided(start, configured, but, if can_ask { Some(&mut at_terminal) } else { None })
}

/// Whether the user agreed to a server by flag or by name.
pub(super) fn is_named(start: Option<&[String]>, target: &Target) -> bool {
    start.is_some_and(|names| names.is_empty() || target.name.as_ref().is_some_and(|name| names.contains(name)))
}

fn at_terminal(question: &str) -> anyhow::Result<String> {
    let mut terminal = io::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer)
}

fn decided(
    start: Option<&[String]>,
    configured: &[Target],
    but: &BTreeSet<NodeId>,
    terminal: Option<Ask<'_>>,
) -> anyhow::Result<Vec<Target>> {
    for name in start.unwrap_or_default() {
        check_name(name, configured)?;
    }
    let mut asker = Asker { stands: None, terminal };
    let mut all: Vec<&Target> = configured.iter().filter(|target| !but.contains(&target.id)).collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all.chunk_by(|a, b| a.id == b.id).filter_map(|same| one_of(same, start, &mut asker).transpose()).collect()
}

/// A name stands for one command. Whoever can put a file into a project could otherwise have theirs started under it.
fn check_name(name: &String, configured: &[Target]) -> anyhow::Result<()> {
    let named = || configured.iter().filter(|target| target.name.as_ref() == Some(name));
    if named().next().is_none() {
        bail!("no configuration defines a server `{}`", safe(name));
    }
    let mut different: Vec<(&Target, &Launch)> = Vec::new();
    for (target, launch) in named().filter_map(|target| Some((target, launch(target)?))) {
        if !different.iter().any(|(other, known)| other.id == target.id && is_same(known, launch)) {
            different.push((target, launch));
        }
    }
    if different.len() < 2 {
        return Ok(());
    }
    let line = |(target, launch): &(&Target, &Launch)| {
        let folder = launch.directory.as_ref().map_or_else(String::new, |at| format!(", in {}", at.display()));
        let command = command(target, launch, &launch.program).text;
        safe(&format!("  {}: {command}{folder}", target.file.as_deref().unwrap_or_default()))
    };
    let lines: Vec<String> = different.iter().take(SHOWN).map(line).collect();
    bail!(
        "there are {} different commands of the name `{}`, and nothing was started; `--path FILE` takes one file only\n{}",
        different.len(),
        safe(name),
        lines.join("\n")
    )
}

/// Whether two commands run the same in the same place, whatever else they are given.
fn is_same(one: &Launch, other: &Launch) -> bool {
    let place = |launch: &Launch| (launch.program.clone(), launch.args.clone(), launch.directory.clone());
    place(one) == place(other) && steering(one).eq(steering(other))
}

fn launch(target: &Target) -> Option<&Launch> {
    match &target.way {
        Way::Start(launch) => Some(launch),
        _ => None,
    }
}

/// What is done about one server that may be defined in several places.
fn one_of(same: &[&Target], start: Option<&[String]>, asker: &mut Asker<'_>) -> anyhow::Result<Option<Target>> {
    let is_call = |target: &&&Target| matches!(target.way, Way::Call { .. });
    let is_own = |target: &&Target| matches!(target.way, Way::Call { trust: Trust::Asked, .. });
    if let Some(called) = same.iter().filter(is_call).min_by_key(|target| !is_own(target)) {
        return Ok(Some((*called).clone()));
    }
    let commands: Vec<&Target> = same.iter().copied().filter(|target| target.is_command()).collect();
    let Some(first) = commands.first() else { return Ok(same.first().map(|target| (*target).clone())) };
    let refused = |why: String| Some(Target { way: Way::Not(why), ..(*first).clone() });
    if start.is_some() {
        let named = commands.iter().find(|target| is_named(start, target));
        let why = "its command was not among those to start";
        return Ok(named.map(|target| (*target).clone()).or_else(|| refused(why.to_owned())));
    }
    let mut seen: Vec<&Launch> = Vec::new();
    let mut reason = None;
    for (target, launch) in commands.iter().filter_map(|target| Some((*target, launch(target)?))) {
        if seen.contains(&launch) {
            continue;
        }
        seen.push(launch);
        let alike: Vec<&Target> =
            commands.iter().copied().filter(|other| self::launch(other) == Some(launch)).collect();
        match asker.refusal(&alike, launch)? {
            None => return Ok(Some(target.clone())),
            Some(why) => drop(reason.get_or_insert(why)),
        }
    }
    Ok(reason.and_then(refused))
}

/// Asks at the terminal, if there is one.
struct Asker<'a> {
    /// An answer that holds for the rest.
    stands: Option<bool>,
    terminal: Option<Ask<'a>>,
}

impl Asker<'_> {
    /// Why a command is not started; nothing if it is.
    fn refusal(&mut self, alike: &[&Target], launch: &Launch) -> anyhow::Result<Option<String>> {
        let Some(terminal) = &mut self.terminal else {
            return Ok(Some("its command is started only with --start".to_owned()));
        };
        let is_agreed = match self.stands {
            Some(stands) => stands,
            None => match question(alike, launch) {
                Ok(question) => match terminal(&question)?.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" => true,
                    "a" | "all" => *self.stands.insert(true),
                    "o" | "none" => *self.stands.insert(false),
                    _ => false,
                },
                Err(problem) => {
                    note(&problem);
                    return Ok(Some(problem.trim().to_owned()));
                }
            },
        };
        Ok((!is_agreed).then(|| "you did not agree to start its command".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use tracehound_collect::Detection;
    use tracehound_rules::library::Library;

    use super::*;

    fn targets(all: &[(&str, &str, &str)]) -> Vec<Target> {
        let detection = Detection::start(Library::builtin().unwrap().rules()).unwrap();
        let target = |(name, file, command): &(&str, &str, &str)| Target {
            name: Some((*name).to_owned()),
            file: Some((*file).to_owned()),
            ..Target::given_command(command, &detection, "").unwrap()
        };
        all.iter().map(target).collect()
    }

    fn names(start: &[&str]) -> Vec<String> {
        start.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The names of the servers that are started.
    fn started(targets: &[Target]) -> Vec<&str> {
        targets.iter().filter(|target| target.is_command()).filter_map(|target| target.name.as_deref()).collect()
    }

    #[test]
    fn one_command_under_two_names_is_decided_once() {
        let both = targets(&[("alpha", "/a", "/bin/sh x"), ("beta", "/b", "/bin/sh x")]);
        let decided = |start: &[&str]| decided(Some(&names(start)), &both, &BTreeSet::new(), None).unwrap();
        assert_eq!(started(&decided(&["beta"])), ["beta"]);
        assert_eq!(started(&decided(&["alpha"])), ["alpha"]);
        assert_eq!(started(&decided(&[])), ["alpha"]);
        assert_eq!(decided(&["beta"]).len(), 1);
    }

    #[test]
    fn a_name_of_several_commands_starts_none() {
        let several = targets(&[("files", "/a", "/bin/sh x"), ("files", "/b", "/bin/sh y")]);
        let error = decided(Some(&names(&["files"])), &several, &BTreeSet::new(), None).unwrap_err().to_string();
        assert!(error.contains("/a: /bin/sh x") && error.contains("/b: /bin/sh y"), "{error}");
    }

    #[test]
    fn variables_that_change_what_runs_make_another_command() {
        let mut several = targets(&[("files", "/a", "/bin/sh x"), ("files", "/b", "/bin/sh x")]);
        let give = |target: &mut Target, name: &str| {
            if let Way::Start(launch) = &mut target.way {
                launch.env = vec![(name.to_owned(), "1".to_owned())];
            }
        };
        let start = names(&["files"]);
        give(&mut several[1], "COLOUR");
        assert!(decided(Some(&start), &several, &BTreeSet::new(), None).is_ok());
        give(&mut several[1], "LD_PRELOAD");
        assert!(decided(Some(&start), &several, &BTreeSet::new(), None).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn somebody_at_a_terminal_is_asked_once_about_a_command() {
        let all =
            targets(&[("alpha", "/a", "/bin/sh x"), ("beta", "/b", "/bin/sh x"), ("gone", "/c", "/no/such/file")]);
        let ask = |answer: &str| {
            let mut questions = Vec::new();
            let mut terminal = |question: &str| {
                questions.push(question.to_owned());
                Ok(answer.to_owned())
            };
            let decided = decided(None, &all, &BTreeSet::new(), Some(&mut terminal)).unwrap();
            assert!(
                matches!(questions.as_slice(), [one] if one.contains("`alpha` of /a") && one.contains("`beta` of /b"))
            );
            assert_eq!(decided.len(), 2);
            started(&decided).len()
        };
        assert_eq!((ask("y\n"), ask("\n"), ask("n"), ask("none")), (1, 0, 0, 0));
    }

    #[test]
    fn nobody_is_asked_without_a_terminal() {
        let decided = decided(None, &targets(&[("a", "/a", "/bin/sh x")]), &BTreeSet::new(), None).unwrap();
        assert_eq!(started(&decided), [""; 0]);
    }
}
