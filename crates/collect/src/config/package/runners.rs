//! The programs that fetch a package and run it, and how each is told which.

use super::spec::{Package, Registry, is_path};

/// How a runner of one registry reads its arguments.
struct Runner {
    /// Options that name the package.
    package: &'static [&'static str],
    /// Options that take a value which is not the package.
    valued: &'static [&'static str],
    /// Reads what names the package.
    spec: fn(&str) -> Option<Package>,
}

const NPM: Runner = Runner {
    package: &["-p", "--package"],
    valued: &[
        "-c",
        "--call",
        "--registry",
        "--cache",
        "--userconfig",
        "--prefix",
        "-w",
        "--workspace",
        "--node-options",
        "--loglevel",
    ],
    spec: Package::npm,
};

const UV_TOOL: Runner = Runner {
    package: &["--from"],
    valued: &[
        "--with",
        "--with-editable",
        "--with-requirements",
        "-p",
        "--python",
        "--index-url",
        "-i",
        "--index",
        "--extra-index-url",
        "--default-index",
        "--directory",
        "--project",
        "--refresh-package",
        "--env-file",
        "--cache-dir",
        "--index-strategy",
        "--prerelease",
        "--resolution",
        "-c",
        "--constraints",
        "--overrides",
        "-w",
        "--link-mode",
        "--reinstall-package",
        "-P",
        "--upgrade-package",
        "--find-links",
        "-f",
        "--exclude-newer",
        "--config-file",
        "--color",
        "--python-platform",
    ],
    spec: Package::pypi,
};

const PIPX: Runner =
    Runner { package: &["--spec"], valued: &["--python", "--pip-args", "--index-url", "-i"], spec: Package::pypi };

const NUGET: Runner = Runner {
    package: &[],
    valued: &["--source", "--add-source", "--version", "--framework", "--verbosity", "--configfile"],
    spec: |spec| Some(Package::at_version(Registry::Nuget, spec)),
};

/// Options of `docker run` and its relatives that take a value.
const CONTAINER_VALUED: &[&str] = &[
    "-e",
    "--env",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--entrypoint",
    "--platform",
    "-h",
    "--hostname",
    "--add-host",
    "--cap-add",
    "--cap-drop",
    "--cpus",
    "-c",
    "--cpu-shares",
    "-m",
    "--memory",
    "--memory-swap",
    "--device",
    "--dns",
    "--gpus",
    "--ip",
    "--ipc",
    "-l",
    "--label",
    "--label-file",
    "--link",
    "--log-driver",
    "--log-opt",
    "--mac-address",
    "--pid",
    "--pids-limit",
    "--pull",
    "--restart",
    "--runtime",
    "--security-opt",
    "--shm-size",
    "--stop-signal",
    "--stop-timeout",
    "--sysctl",
    "--tmpfs",
    "--ulimit",
    "--userns",
    "--uts",
    "--volume-driver",
    "--volumes-from",
    "-a",
    "--attach",
    "--cidfile",
    "--cgroup-parent",
    "--expose",
    "--group-add",
    "--health-cmd",
    "--secret",
    "--cgroupns",
    "--annotation",
    "--blkio-weight",
    "--cpuset-cpus",
    "--cpuset-mems",
    "--isolation",
    "--oom-score-adj",
    "--network-alias",
    "--domainname",
    "--dns-search",
    "--dns-option",
    "--env-host",
    "--arch",
    "--os",
    "--variant",
];

/// What a program would fetch and run. The outer `None`: it is not such a program. The inner: it runs what is there.
pub(super) fn package(program: &str, args: &[String]) -> Option<Option<Package>> {
    let first = args.first().map(String::as_str).unwrap_or_default();
    let rest = args.get(1..).unwrap_or_default();
    let found = match (program, first) {
        ("npx" | "bunx" | "pnpx", _) => NPM.read(args),
        ("npm", "exec" | "x") | ("pnpm", "dlx") | ("yarn", "dlx") | ("bun", "x") => NPM.read(rest),
        ("uvx", _) => UV_TOOL.read(args),
        ("uv", "tool") if rest.first().is_some_and(|word| word == "run") => {
            UV_TOOL.read(rest.get(1..).unwrap_or_default())
        }
        ("uv", "x") => UV_TOOL.read(rest),
        ("uv", _) => uv_run(args),
        ("pipx", "run") => PIPX.read(rest),
        ("dnx", _) => NUGET.read(args),
        ("dotnet", "dnx") => NUGET.read(rest),
        ("deno", _) => deno(args),
        ("go", "run") => go(rest),
        ("docker" | "podman" | "nerdctl" | "finch" | "container", _) => container(args),
        _ => return None,
    };
    Some(found)
}

impl Runner {
    fn read(&self, args: &[String]) -> Option<Package> {
        let mut args = args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            if arg == "--" {
                return args.next().and_then(self.spec);
            }
            if !arg.starts_with('-') {
                return (self.spec)(arg);
            }
            let (option, value) = match arg.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (arg, None),
            };
            if self.package.contains(&option) {
                return value.or_else(|| args.next()).and_then(self.spec);
            }
            if value.is_none() && self.valued.contains(&option) {
                args.next();
            }
        }
        None
    }
}

/// `uv run` runs what is in the project, with the packages that `--with` adds; the first of them is what is meant.
fn uv_run(args: &[String]) -> Option<Package> {
    let run = args.iter().position(|arg| arg == "run")?;
    let mut words = args.get(run + 1..)?.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word == "--with" {
            return words.next().and_then(Package::pypi);
        }
        if let Some(spec) = word.strip_prefix("--with=") {
            return Package::pypi(spec);
        }
        if !word.starts_with('-') {
            return None;
        }
        if UV_TOOL.valued.contains(&word) {
            words.next();
        }
    }
    None
}

/// `deno run npm:package@version`, `jsr:@scope/package@version` or a URL.
fn deno(args: &[String]) -> Option<Package> {
    let run = args.iter().position(|arg| matches!(arg.as_str(), "run" | "x"))?;
    let script = args.get(run + 1..)?.iter().find(|arg| !arg.starts_with('-'))?;
    if let Some(spec) = script.strip_prefix("jsr:") {
        return Some(Package::at_version(Registry::Jsr, spec));
    }
    if script.starts_with("npm:") {
        return Package::npm(script);
    }
    script.contains("://").then(|| Package::url(script))
}

/// `go run module@version`; a path runs what is there.
fn go(args: &[String]) -> Option<Package> {
    let module = args.iter().find(|arg| !arg.starts_with('-'))?;
    let is_module = !is_path(module) && module.contains('/') && module.contains('@');
    is_module.then(|| Package::at_version(Registry::Go, module))
}

/// The image of `run` or `create`; other commands start no image of their own.
fn container(args: &[String]) -> Option<Package> {
    // Options before the command belong to the client.
    let run = args.iter().position(|arg| matches!(arg.as_str(), "run" | "create"))?;
    if args.get(..run)?.iter().any(|arg| matches!(arg.as_str(), "compose" | "mcp" | "model" | "sandbox")) {
        return None;
    }
    let mut words = args.get(run + 1..)?.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if word == "--" {
            return words.next().map(Package::oci);
        }
        if !word.starts_with('-') {
            return Some(Package::oci(word));
        }
        // Short options may be written together, as in `-it`; only the last of them can take a value.
        let last = word.chars().last().map(|last| format!("-{last}")).unwrap_or_default();
        let is_cluster = !word.starts_with("--") && word.len() > 2 && CONTAINER_VALUED.contains(&last.as_str());
        let is_joined = !word.starts_with("--")
            && word.len() > 2
            && CONTAINER_VALUED.iter().any(|option| option.len() == 2 && word.starts_with(option));
        if CONTAINER_VALUED.contains(&word) || (is_cluster && !is_joined) {
            words.next();
        }
    }
    None
}
