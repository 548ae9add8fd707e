//! Starting a configured command is the user's decision: by flag, by name, or by a yes to exactly what would run.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use anyhow::bail;
use tracehound_collect::mcp::{Target, Way};

use crate::args::Live;
use crate::output::safe;

/// The servers of configurations, those that nobody agreed to as not to be started.
pub(super) fn agreed(arguments: &Live, configured: &[Target]) -> anyhow::Result<Vec<Target>> {
    if let Some(names) = arguments.start.as_ref().filter(|names| !names.is_empty()) {
        let is_there = |name: &String| configured.iter().any(|target| target.name.as_ref() == Some(name));
        if let Some(unknown) = names.iter().find(|name| !is_there(name)) {
            bail!("no configuration defines a server `{}`", safe(unknown));
        }
    }
    let mut asker = Asker { stands: None, can_ask: io::stdin().is_terminal() && io::stderr().is_terminal() };
    let mut targets = Vec::new();
    for target in configured {
        let is_command = matches!(target.way, Way::Start(_));
        let is_agreed = match &arguments.start {
            _ if !is_command => true,
            Some(names) => names.is_empty() || target.name.as_ref().is_some_and(|name| names.contains(name)),
            None => asker.ask(target)?,
        };
        let way = if is_agreed { target.way.clone() } else { Way::Not(asker.why(arguments).to_owned()) };
        targets.push(Target { way, ..target.clone() });
    }
    Ok(targets)
}

/// Asks at the terminal, if there is one.
struct Asker {
    /// An answer that holds for the rest.
    stands: Option<bool>,
    can_ask: bool,
}

impl Asker {
    fn why(&self, arguments: &Live) -> &'static str {
        match () {
            () if arguments.start.is_some() => "its command was not among those to start",
            () if self.can_ask => "you did not agree to start its command",
            () => "its command is started only with --start",
        }
    }

    fn ask(&mut self, target: &Target) -> anyhow::Result<bool> {
        if let Some(answer) = self.stands {
            return Ok(answer);
        }
        if !self.can_ask {
            return Ok(false);
        }
        let name = target.name.as_deref().unwrap_or_default();
        let mut terminal = io::stderr();
        writeln!(terminal, "\nThe server `{}` would be started as\n  {}", safe(name), safe(&target.shown()))?;
        if let Way::Start(launch) = &target.way {
            let names: Vec<String> = launch.env.iter().map(|(name, _)| safe(name)).collect();
            if !names.is_empty() {
                writeln!(terminal, "  with {} from its configuration", names.join(", "))?;
            }
            if let Some(folder) = &launch.directory {
                writeln!(terminal, "  in {}", safe(&folder.display().to_string()))?;
            }
        }
        write!(terminal, "Start it? [y]es, [N]o, [a]ll, n[o]ne: ")?;
        terminal.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(match answer.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => true,
            "a" | "all" => *self.stands.insert(true),
            "o" | "none" => *self.stands.insert(false),
            _ => false,
        })
    }
}
