//! Finding a program as the command itself would be found: on its own `PATH`, from its own folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::environment::{Environment, variable};
use super::launch::StartError;

/// The file of a program.
pub(super) fn find(program: &str, environment: &Environment, directory: &Path) -> Result<PathBuf, StartError> {
    if Path::new(program).components().count() != 1 || program.contains('/') {
        let file = directory.join(program);
        return match named(&file, environment).find(|file| file.is_file()) {
            Some(file) if is_executable(&file) => Ok(file),
            Some(_) => Err(StartError::NotExecutable(program.to_owned())),
            None if file.exists() => Err(StartError::NotExecutable(program.to_owned())),
            None => Err(StartError::NotFound(program.to_owned())),
        };
    }
    let path = variable(environment, "PATH").unwrap_or_default();
    // An empty part would be the folder that it starts in, where a project could lie in wait with a program.
    let folders = std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty());
    let mut files = folders.flat_map(|folder| named(&directory.join(folder).join(program), environment));
    files.find(|file| file.is_file() && is_executable(file)).ok_or_else(|| StartError::NotFound(program.to_owned()))
}

/// The names that a file may have: on Windows programs may be named without their ending.
fn named(file: &Path, environment: &Environment) -> impl Iterator<Item = PathBuf> + use<> {
    let mut endings = vec![OsString::new()];
    if cfg!(windows) && file.extension().is_none() {
        let usual = variable(environment, "PATHEXT").unwrap_or_else(|| ".COM;.EXE;.BAT;.CMD".as_ref());
        endings = usual.to_string_lossy().split(';').map(OsString::from).collect();
    }
    let file = file.as_os_str().to_owned();
    endings.into_iter().map(move |ending| {
        let mut whole = file.clone();
        whole.push(ending);
        PathBuf::from(whole)
    })
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::{Path, PathBuf};

    use super::super::launch::StartError;
    use super::{Environment, find};

    fn file(path: &Path, mode: u32) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        path.to_owned()
    }

    #[test]
    fn names_are_found_on_the_path_and_paths_from_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let first = file(&at.join("a/tool"), 0o755);
        let second = file(&at.join("b/tool"), 0o755);
        file(&at.join("a/text"), 0o644);
        let runnable = file(&at.join("b/text"), 0o755);
        file(&at.join("here"), 0o755);
        let environment = Environment::from([("PATH".into(), format!(":{}:b", at.join("a").display()).into())]);

        assert_eq!(find("tool", &environment, at).unwrap(), first);
        assert_eq!(find("./b/tool", &environment, at).unwrap(), at.join("./b/tool"));
        assert_eq!(find(second.to_str().unwrap(), &environment, at).unwrap(), second);
        assert_eq!(find("text", &environment, at).unwrap(), runnable, "what can't be executed is passed over");
        // Neither the folder that it starts in nor nowhere.
        assert!(matches!(find("here", &environment, at), Err(StartError::NotFound(_))));
        assert!(matches!(find("./gone", &environment, at), Err(StartError::NotFound(_))));
        assert!(matches!(find("./a/text", &environment, at), Err(StartError::NotExecutable(_))));
        assert!(matches!(find("./a", &environment, at), Err(StartError::NotExecutable(_))));
    }
}
