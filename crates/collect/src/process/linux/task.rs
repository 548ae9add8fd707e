//! What a supervisor is told: as arguments what anybody may see, as environment the rest.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use rustix::process::Pid;

use super::super::environment::{Environment, unpacked};
use super::super::warden::Order;

/// Stands for the folder of a command that is in no sandbox.
const NO_SANDBOX: &str = "-";

/// What a supervisor has to do.
pub(super) struct Task {
    /// Who started it. When that one is gone, so is the command.
    pub(super) parent: Pid,
    /// The one folder that the command may write to, if it is in a sandbox.
    pub(super) scratch: Option<PathBuf>,
    pub(super) program: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) environment: Environment,
}

/// The arguments for a supervisor of ours.
pub(super) fn arguments(order: &Order<'_>) -> Vec<OsString> {
    let scratch = order.scratch.map_or(OsStr::new(NO_SANDBOX), |scratch| scratch.path().as_os_str());
    let mut arguments = vec![std::process::id().to_string().into(), scratch.into(), order.program.into()];
    arguments.extend(order.args.iter().map(OsString::from));
    arguments
}

impl Task {
    /// Reads the arguments and the environment of a supervisor.
    pub(super) fn read(
        arguments: impl IntoIterator<Item = OsString>,
        variables: impl Iterator<Item = (OsString, OsString)>,
    ) -> Option<Self> {
        let mut arguments = arguments.into_iter();
        let parent = Pid::from_raw(arguments.next()?.to_str()?.parse().ok()?)?;
        let scratch = Some(arguments.next()?).filter(|scratch| scratch != NO_SANDBOX).map(PathBuf::from);
        let program = arguments.next()?;
        Some(Self { parent, scratch, program, args: arguments.collect(), environment: unpacked(variables) })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::super::environment::{Environment, carried};
    use super::super::super::warden::Order;
    use super::{Task, arguments};

    #[test]
    fn what_is_told_arrives_and_no_variable_is_an_argument() {
        let environment = Environment::from([("KEY".into(), "hunter2".into())]);
        let program = PathBuf::from("/bin/sh");
        let args = ["-c".to_owned(), "-".to_owned()];
        let order = Order { program: &program, args: &args, environment: &environment, scratch: None };
        let told = arguments(&order);
        assert!(!told.iter().any(|argument| argument.to_string_lossy().contains("hunter2")), "{told:?}");
        let task = Task::read(told, carried(&environment).into_iter()).unwrap();
        assert_eq!((task.program, task.args), ("/bin/sh".into(), vec!["-c".into(), "-".into()]));
        assert_eq!((task.environment, task.scratch), (environment, None));
        assert_eq!(task.parent, rustix::process::getpid());
    }

    #[test]
    fn too_little_is_no_task() {
        for arguments in [vec![], vec!["1"], vec!["1", "-"], vec!["x", "-", "sh"], vec!["0", "-", "sh"]] {
            let told = arguments.iter().map(std::ffi::OsString::from);
            assert!(Task::read(told, std::iter::empty()).is_none(), "{arguments:?}");
        }
    }
}
