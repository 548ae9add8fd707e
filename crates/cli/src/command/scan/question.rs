//! What somebody is shown who decides whether a command may be started.

use tracehound_collect::mcp::Target;
use tracehound_collect::process::Launch;
use tracehound_rules::engine::effects::HIDDEN;

use crate::output::safe;

/// Configurations that are named of those that define the same command.
const FILES: usize = 5;

/// Variables that make programs load, find or fetch other code than their names say.
const STEERING: &[&str] = &[
    "ALL_PROXY",
    "BASH_ENV",
    "BUN_OPTIONS",
    "CLASSPATH",
    "DOCKER_HOST",
    "ELECTRON_RUN_AS_NODE",
    "ERL_AFLAGS",
    "ERL_FLAGS",
    "GCONV_PATH",
    "GEM_PATH",
    "GLIBC_TUNABLES",
    "GOFLAGS",
    "GTK_MODULES",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LUA_INIT",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PS4",
    "RUSTC_WRAPPER",
    "R_PROFILE_USER",
    "SHELLOPTS",
    "VIRTUAL_ENV",
    "XDG_CONFIG_HOME",
    "DOTNET_STARTUP_HOOKS",
    "ENV",
    "HOME",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NPM_CONFIG_REGISTRY",
    "PATH",
    "PIP_EXTRA_INDEX_URL",
    "PIP_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_INDEX",
    "UV_INDEX_URL",
    "_JAVA_OPTIONS",
];
/// How the names of others begin.
const STEERING_FAMILIES: &[&str] = &[
    "CORECLR_",
    "COREPACK_",
    "DYLD_",
    "GIT_",
    "LD_",
    "NODE_",
    "NPM_CONFIG_",
    "OPENSSL_",
    "PERL5",
    "PIP_",
    "PYTHON",
    "RUBY",
    "UV_",
    "YARN_",
];

/// Whether a variable changes what runs.
pub(super) fn is_steering(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    STEERING.contains(&name.as_str()) || STEERING_FAMILIES.iter().any(|start| name.starts_with(start))
}

/// The variables that change what runs, of those that a configuration gives its command.
pub(super) fn steering(launch: &Launch) -> impl Iterator<Item = &(String, String)> {
    launch.env.iter().filter(|(name, _)| is_steering(name))
}

/// A text without secrets.
pub(super) struct Shown {
    pub(super) text: String,
    /// How many characters were taken out.
    pub(super) hidden: usize,
}

/// A command as it would run, each word as it would have to be typed.
pub(super) fn command(target: &Target, launch: &Launch, program: &str) -> Shown {
    let program = without_secrets(target, program);
    let mut hidden = program.hidden;
    let mut args = Vec::new();
    for (index, arg) in launch.args.iter().enumerate() {
        // What could not be told apart from a secret is hidden whole.
        let is_secret = target.args.len() == launch.args.len() && target.args.get(index).is_some_and(|it| it == HIDDEN);
        let shown = match is_secret && arg != HIDDEN {
            true => Shown { text: HIDDEN.to_owned(), hidden: arg.chars().count() },
            false => without_secrets(target, arg),
        };
        hidden += shown.hidden;
        args.push(shown.text);
    }
    let whole = Target { endpoint: program.text, args, ..target.clone() };
    Shown { text: whole.shown(), hidden }
}

fn without_secrets(target: &Target, text: &str) -> Shown {
    let shown = target.secrets.text(text);
    let marks = shown.matches(HIDDEN).count().saturating_sub(text.matches(HIDDEN).count());
    let left = shown.chars().count().saturating_sub(marks * HIDDEN.len());
    Shown { hidden: text.chars().count().saturating_sub(left), text: shown }
}

/// Asks whether a command may be started, which all of these define. If it can't be, says why instead.
pub(super) fn question(alike: &[&Target], launch: &Launch) -> Result<String, String> {
    let Some(target) = alike.first() else { return Err("nothing is there to be started".to_owned()) };
    let name = target.name.as_deref().unwrap_or_default();
    let (program, folder) = launch
        .resolved()
        .map_err(|error| format!("the command of `{}` can't be started: {}", safe(name), safe(&error.to_string())))?;
    let command = command(target, launch, &program.to_string_lossy());
    let mut hidden = command.hidden;
    let mut text = String::new();
    let mut line = |content: String| text.push_str(&format!("  {}\n", safe(&content)));
    line(command.text);
    line(format!("in {}", folder.display()));
    for (name, value) in steering(launch) {
        let value = without_secrets(target, value);
        hidden += value.hidden;
        line(format!("with {name}={}, which changes what runs", value.text));
    }
    let others: Vec<&str> =
        launch.env.iter().map(|(name, _)| name.as_str()).filter(|name| !is_steering(name)).collect();
    if !others.is_empty() {
        line(format!("with values for {}", others.join(", ")));
    }
    match hidden {
        0 => {}
        1 => line("of this, 1 character is hidden as secret".to_owned()),
        many => line(format!("of this, {many} characters are hidden as secret")),
    }
    for target in alike.iter().take(FILES) {
        let (name, file) = (target.name.as_deref().unwrap_or_default(), target.file.as_deref().unwrap_or_default());
        line(format!("as `{name}` of {file}"));
    }
    if alike.len() > FILES {
        line(format!("and {} more times", alike.len() - FILES));
    }
    Ok(format!("\nThe server `{}` would be started:\n{text}Start it? [y]es, [N]o, [a]ll, n[o]ne: ", safe(name)))
}

#[cfg(test)]
mod tests {
    use tracehound_collect::Detection;
    use tracehound_collect::mcp::Way;
    use tracehound_rules::library::Library;

    use super::*;

    fn target(command: &str) -> (Target, Launch) {
        let detection = Detection::start(Library::builtin().unwrap().rules()).unwrap();
        let mut target = Target::given_command(command, &detection, "").unwrap();
        target.name = Some("fi\u{1b}les".to_owned());
        target.file = Some("/home/ann/.cursor/mcp.json".to_owned());
        let Way::Start(mut launch) = target.way.clone() else { panic!("{command}") };
        launch.directory = Some("/".into());
        (target, launch)
    }

    #[cfg(unix)]
    #[test]
    fn what_is_shown_is_what_would_run() {
        let (target, mut launch) = target("/bin/sh -c 'exec \u{202e}x' --api-key pQ7xLm2RvK9sWd4TzB6n");
        let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        launch.env = vec![variable("LD_PRELOAD", "/x/evil.so"), variable("TOKEN", "pQ7xLm2RvK9sWd4TzB6n")];
        insta::assert_snapshot!(question(&[&target], &launch).unwrap(), @r"

        The server `fi\u{1b}les` would be started:
          /bin/sh -c 'exec \u{202e}x' --api-key <hidden>
          in /
          with LD_PRELOAD=/x/evil.so, which changes what runs
          with values for TOKEN
          of this, 20 characters are hidden as secret
          as `fi\u{1b}les` of /home/ann/.cursor/mcp.json
        Start it? [y]es, [N]o, [a]ll, n[o]ne:
        ");
    }

    #[test]
    fn a_program_that_is_not_there_is_not_asked_for() {
        let (target, launch) = target("no-such-program-at-all x");
        let why = question(&[&target], &launch).unwrap_err();
        assert!(why.contains("there is no program `no-such-program-at-all` on its PATH"), "{why}");
    }

    #[test]
    fn variables_that_change_what_runs_are_known() {
        for name in ["PATH", "Path", "LD_AUDIT", "PYTHONPATH", "npm_config_registry", "ENV", "GIT_SSH_COMMAND"] {
            assert!(is_steering(name), "{name}");
        }
        for name in ["API_KEY", "ENVIRONMENT", "PATHS"] {
            assert!(!is_steering(name), "{name}");
        }
    }
}
