//! What a command fetches and runs: the package behind `npx`, `uvx`, `docker run` and their kin, through shells and
//! wrappers, and whether its version is nailed down.

mod runners;
mod spec;

use super::shell;
pub(crate) use spec::{Package, Registry};

/// Wrappers within wrappers that are looked through.
const WRAPPERS: usize = 8;

/// The package that a command line runs. `None`: it runs what is on the machine already.
pub(crate) fn of(command: &str, args: &[&str]) -> Option<Package> {
    let line: Vec<String> = if args.is_empty() && command.contains(char::is_whitespace) {
        // Some clients take the whole line as the command.
        shell::words(command)
    } else {
        std::iter::once(command).chain(args.iter().copied()).map(str::to_owned).collect()
    };
    of_line(&line, WRAPPERS)
}

fn of_line(line: &[String], wrappers: usize) -> Option<Package> {
    let (command, args) = line.split_first()?;
    let program = program(command);
    if let Some(package) = runners::package(&program, args) {
        return package;
    }
    if wrappers == 0 {
        return None;
    }
    match program.as_str() {
        "cmd" => {
            of_line(after(args, |arg| arg.eq_ignore_ascii_case("/c") || arg.eq_ignore_ascii_case("/k"))?, wrappers - 1)
                .or_else(|| script(args.last()?, wrappers))
        }
        "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh" | "fish" | "busybox" => {
            script(after(args, is_command_flag)?.first()?, wrappers)
        }
        "powershell" | "pwsh" => {
            let rest = after(args, |arg| matches!(arg.to_ascii_lowercase().as_str(), "-command" | "-c" | "/c"))?;
            script(&rest.join(" "), wrappers)
        }
        "env" => of_line(skip(args, |arg| arg.contains('=')), wrappers - 1),
        "timeout" | "nice" | "wsl" | "sudo" | "nohup" | "time" | "stdbuf" | "xvfb-run" | "setsid" | "caffeinate" => {
            let rest = after(args, |arg| matches!(arg, "--" | "-e" | "--exec"))
                .unwrap_or_else(|| skip(args, |arg| arg.starts_with(|first: char| first.is_ascii_digit())));
            of_line(rest, wrappers - 1)
        }
        "op" | "doppler" | "infisical" | "dotenv" | "dotenvx" | "mise" | "direnv" | "aws-vault" | "chamber" => {
            of_line(after(args, |arg| arg == "--")?, wrappers - 1)
        }
        _ => None,
    }
}

/// The name of a program without its folder and the endings that Windows adds.
fn program(command: &str) -> String {
    let name = command.trim().rsplit(['/', '\\']).next().unwrap_or(command).to_ascii_lowercase();
    let ending = [".exe", ".cmd", ".bat", ".ps1"].iter().find_map(|ending| name.strip_suffix(ending));
    ending.map(str::to_owned).unwrap_or(name)
}

/// Whether an option of a shell makes the next argument a script: `-c`, also among others as in `-lc`.
fn is_command_flag(arg: &str) -> bool {
    arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('c')
}

/// What stands after the first argument of a sort.
fn after(args: &[String], is_it: impl Fn(&str) -> bool) -> Option<&[String]> {
    let position = args.iter().position(|arg| is_it(arg))?;
    args.get(position + 1..)
}

/// What is left without options, and without what else is to be skipped, at the start.
fn skip(args: &[String], is_skipped: impl Fn(&str) -> bool) -> &[String] {
    let position = args.iter().position(|arg| !arg.starts_with('-') && !is_skipped(arg));
    position.and_then(|position| args.get(position..)).unwrap_or_default()
}

/// The package of the first command of a script that runs one.
fn script(text: &str, wrappers: usize) -> Option<Package> {
    shell::commands(text).iter().find_map(|command| {
        let start = command.iter().position(|word| !is_assignment(word))?;
        of_line(command.get(start..)?, wrappers - 1)
    })
}

/// Whether a word sets a variable for the command after it.
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

#[cfg(test)]
mod tests;
