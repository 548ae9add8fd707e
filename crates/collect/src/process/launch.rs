//! What is to be started, and why it was not.

use std::io;
use std::path::PathBuf;

use super::environment::scrubbed;
use super::excerpt::escaped;
use super::{program, warden};

/// A command to start.
#[derive(Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program: a path, or a name that is looked for on the command's own `PATH`.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What its configuration gives it beyond the little that every command gets.
    pub env: Vec<(String, String)>,
    /// Where it starts: the folder of the project whose configuration names it. Otherwise the user's home.
    pub directory: Option<PathBuf>,
}

impl std::fmt::Debug for Launch {
    /// Without the arguments and the values of variables, which may be secrets.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.env.iter().map(|(name, _)| name.as_str()).collect();
        let mut shown = formatter.debug_struct("Launch");
        shown.field("program", &self.program).field("args", &self.args.len());
        shown.field("env", &names).field("directory", &self.directory).finish()
    }
}

/// Why a command was not started. Never says what its arguments or its variables are worth.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program is nowhere to be found.
    #[error("there is no program `{}` on its PATH", escaped(.0.as_bytes()))]
    NotFound(String),
    /// What is there can't be executed.
    #[error("`{}` is not a program that we may execute", escaped(.0.as_bytes()))]
    NotExecutable(String),
    /// No process can be given this.
    #[error("{0} has a character that no process can be given")]
    Unfit(&'static str),
    /// It should start where there is nothing.
    #[error("the folder that it should start in is not there: `{}`", escaped(.0.as_os_str().as_encoded_bytes()))]
    NoDirectory(PathBuf),
    /// The sandbox was asked for, and the system does not have it.
    #[error("the sandbox that was asked for can't be had: {0}")]
    NoSandbox(String),
    /// The sandbox needs a folder that it may write to.
    #[error("the private folder for temporary files can't be made: {0}")]
    Scratch(#[source] io::Error),
    /// The system did not start it.
    #[error("the system did not start it: {0}")]
    Spawn(#[source] io::Error),
}

impl Launch {
    /// The file that would run and the folder that it would start in, for whoever decides whether it may.
    ///
    /// # Errors
    /// When there is nothing to start.
    pub fn resolved(&self) -> Result<(PathBuf, PathBuf), StartError> {
        self.check()?;
        // Where temporary files go, which a sandbox changes, is no part of finding a program.
        let environment = scrubbed(std::env::vars_os(), &self.env, None);
        let directory = warden::directory(self, &environment)?;
        Ok((program::find(&self.program, &environment, &directory)?, directory))
    }

    /// Refuses what would be cut short or mean something else on its way into a process.
    pub(super) fn check(&self) -> Result<(), StartError> {
        let has_nul = |text: &String| text.contains('\0');
        if self.program.is_empty() || has_nul(&self.program) {
            return Err(StartError::Unfit("its program"));
        }
        if self.args.iter().any(has_nul) {
            return Err(StartError::Unfit("one of its arguments"));
        }
        let is_unfit =
            |(name, value): &(String, String)| name.is_empty() || name.contains('=') || has_nul(name) || has_nul(value);
        if self.env.iter().any(is_unfit) {
            return Err(StartError::Unfit("one of its variables"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Launch, StartError};

    fn launch(program: &str, arg: &str, name: &str, value: &str) -> Launch {
        let env = vec![(name.to_owned(), value.to_owned())];
        Launch { program: program.to_owned(), args: vec![arg.to_owned()], env, directory: None }
    }

    #[test]
    fn what_no_process_can_be_given_is_refused() {
        assert!(launch("sh", "-c", "A", "b=c").check().is_ok());
        for (unfit, what) in [
            (launch("", "", "A", ""), "its program"),
            (launch("s\0h", "", "A", ""), "its program"),
            (launch("sh", "\0", "A", ""), "one of its arguments"),
            (launch("sh", "", "", ""), "one of its variables"),
            (launch("sh", "", "A=B", ""), "one of its variables"),
            (launch("sh", "", "A", "\0"), "one of its variables"),
        ] {
            assert!(matches!(unfit.check(), Err(StartError::Unfit(is)) if is == what), "{unfit:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_would_run_is_found_on_the_path_of_its_own() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("sh");
        std::fs::write(&tool, "").unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut own = launch("sh", "", "PATH", folder.path().to_str().unwrap());
        own.directory = Some(folder.path().to_owned());
        assert_eq!(own.resolved().unwrap(), (tool, folder.path().to_owned()));
        own.program = "gone".to_owned();
        assert!(matches!(own.resolved(), Err(StartError::NotFound(_))));
    }

    #[test]
    fn neither_arguments_nor_values_are_shown() {
        let shown = format!("{:?}", launch("sh", "hunter2", "KEY", "hunter3"));
        assert_eq!(shown, r#"Launch { program: "sh", args: 1, env: ["KEY"], directory: None }"#);
    }

    #[test]
    fn programs_are_named_without_their_control_characters() {
        let said = StartError::NotFound("\u{1b}[2Jls".to_owned()).to_string();
        assert_eq!(said, r"there is no program `\u{1b}[2Jls` on its PATH");
    }
}
