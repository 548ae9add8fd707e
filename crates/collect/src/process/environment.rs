//! The environment of a started command: what its configuration gives it, where programs are, whose it is, and the
//! language.
//!
//! Nothing else of ours: no tokens, no agents, no display. Neither `USER` nor `LOGNAME`: programs ask the system for
//! these. `TMPDIR` only in a sandbox, where it is the one folder that can be written to.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variables of a command, by name.
pub(super) type Environment = BTreeMap<OsString, OsString>;

/// Where programs are when nothing says it.
pub(super) const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What every command gets of ours. Locale variables that begin with `LC_` come on top.
#[cfg(not(windows))]
const KEPT: &[&str] = &["PATH", "HOME", "LANG", "LANGUAGE"];
/// Windows programs find their libraries, settings and temporary files only through their environment.
#[cfg(windows)]
const KEPT: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "WINDIR",
];

/// What stands before each name on the way to the supervisor. Otherwise the configuration could give the supervisor
/// itself a library to load, and that before anything is locked.
#[cfg(unix)]
const CARRIED: &str = "TRACEHOUND_GIVEN_";

/// The environment of a command, out of ours, what its configuration gives it, and the folder for temporary files.
pub(super) fn scrubbed(
    ours: impl Iterator<Item = (OsString, OsString)>,
    given: &[(String, String)],
    temporary: Option<&Path>,
) -> Environment {
    let mut environment: Environment = ours.filter(|(name, _)| is_kept(name)).collect();
    if cfg!(unix) {
        environment.entry("PATH".into()).or_insert_with(|| USUAL_PATH.into());
    }
    for (name, value) in given {
        if cfg!(windows) {
            environment.retain(|other, _| !other.eq_ignore_ascii_case(name));
        }
        environment.insert(name.into(), value.into());
    }
    if let Some(temporary) = temporary {
        environment.insert("TMPDIR".into(), temporary.into());
    }
    environment
}

fn is_kept(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let name = if cfg!(windows) { name.to_ascii_uppercase() } else { name.to_owned() };
    KEPT.contains(&name.as_str()) || name.starts_with("LC_")
}

/// A variable of the environment, by whatever case the system allows.
pub(super) fn variable<'e>(environment: &'e Environment, name: &str) -> Option<&'e OsStr> {
    let is_it = |other: &OsStr| if cfg!(windows) { other.eq_ignore_ascii_case(name) } else { other == name };
    environment.iter().find(|(other, _)| is_it(other)).map(|(_, value)| value.as_os_str())
}

/// The user's home as the command knows it.
pub(super) fn home(environment: &Environment) -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    variable(environment, name).map(PathBuf::from)
}

/// The environment under names that mean nothing to any program.
#[cfg(unix)]
pub(super) fn carried(environment: &Environment) -> Environment {
    let with_mark = |(name, value): (&OsString, &OsString)| {
        let mut marked = OsString::from(CARRIED);
        marked.push(name);
        (marked, value.clone())
    };
    environment.iter().map(with_mark).collect()
}

/// The environment that was carried here.
#[cfg(unix)]
pub(super) fn unpacked(ours: impl Iterator<Item = (OsString, OsString)>) -> Environment {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let without_mark = |(name, value): (OsString, OsString)| {
        let name = name.as_bytes().strip_prefix(CARRIED.as_bytes())?.to_vec();
        Some((OsString::from_vec(name), value))
    };
    ours.filter_map(without_mark).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::{Environment, carried, scrubbed, unpacked};

    fn ours(variables: &[(&str, &str)]) -> impl Iterator<Item = (OsString, OsString)> {
        variables.iter().map(|(name, value)| (name.into(), value.into())).collect::<Vec<_>>().into_iter()
    }

    fn text(environment: &Environment) -> Vec<String> {
        environment.iter().map(|(name, value)| format!("{}={}", name.display(), value.display())).collect()
    }

    #[test]
    fn only_path_home_and_locale_are_ours() {
        let ours = ours(&[
            ("PATH", "/bin"),
            ("HOME", "/home/ann"),
            ("LANG", "C"),
            ("LC_ALL", "C.UTF-8"),
            ("LANGUAGE", "de"),
            ("SSH_AUTH_SOCK", "/run/agent"),
            ("DISPLAY", ":0"),
            ("GITHUB_TOKEN", "ghp"),
            ("USER", "ann"),
            ("TMPDIR", "/var/tmp"),
            ("LD_PRELOAD", "/evil.so"),
        ]);
        let environment = scrubbed(ours, &[], None);
        assert_eq!(text(&environment), ["HOME=/home/ann", "LANG=C", "LANGUAGE=de", "LC_ALL=C.UTF-8", "PATH=/bin"]);
    }

    #[test]
    fn the_configuration_wins_except_over_the_folder_of_the_sandbox() {
        let given = [("PATH".to_owned(), "/opt/bin".to_owned()), ("TMPDIR".to_owned(), "/var/tmp".to_owned())];
        let environment = scrubbed(ours(&[("PATH", "/bin")]), &given, None);
        assert_eq!(text(&environment), ["PATH=/opt/bin", "TMPDIR=/var/tmp"]);
        let environment = scrubbed(ours(&[]), &given, Some(Path::new("/private")));
        assert_eq!(text(&environment), ["PATH=/opt/bin", "TMPDIR=/private"]);
    }

    #[test]
    fn programs_are_found_where_nothing_says_where() {
        assert_eq!(text(&scrubbed(ours(&[]), &[], None)), ["PATH=/usr/local/bin:/usr/bin:/bin"]);
    }

    #[test]
    fn on_the_way_no_name_means_anything_and_all_arrive() {
        let given = [("LD_PRELOAD".to_owned(), "/evil.so".to_owned())];
        let environment = scrubbed(ours(&[("PATH", "/bin")]), &given, None);
        let carried = carried(&environment);
        assert!(carried.keys().all(|name| name.as_encoded_bytes().starts_with(b"TRACEHOUND_GIVEN_")), "{carried:?}");
        let noise = ours(&[("PWD", "/")]);
        assert_eq!(unpacked(carried.into_iter().chain(noise)), environment);
    }
}
