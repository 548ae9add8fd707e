//! Commands that do more than start a server.

use tracehound_graph::NodeIx;
use tracehound_model::{Finding, NodeKind, Severity};

use super::Check;
use super::ground::{Case, Ground};

/// A command runs what it has just downloaded.
pub(super) const FETCHED_CODE: Check = Check {
    id: "command-runs-fetched-code",
    category: "Supply chain",
    title: "A command runs what it has just downloaded",
    description: "Each start runs whatever is at an address at that moment, with the rights of the user.",
    remediation: "Download the program once, look at it, keep it, and start that.",
    standards: &[
        ("MCP05:2025", "Command Injection & Execution"),
        ("MCP04:2025", "Software Supply Chain Attacks & Dependency Tampering"),
    ],
    find: fetched_code,
};

/// A container can do to the machine what it likes.
pub(super) const OPEN_CONTAINER: Check = Check {
    id: "container-without-walls",
    category: "Weak isolation",
    title: "A container can do to the machine what it likes",
    description: "The container is given the whole machine, so running the server in it protects nothing.",
    remediation: "Leave out `--privileged`, the container engine's socket and mounts of `/` or of the home folder; mount \
                  only the folder that the server works on, read-only if it can be.",
    standards: &[("MCP02:2025", "Privilege Escalation via Scope Creep"), ("ASI05", "Unexpected Code Execution (RCE)")],
    find: open_container,
};

fn fetched_code(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    each_command(ground, check, |line, _| {
        let downloads = ["curl ", "wget ", "Invoke-WebRequest", "iwr "].iter().any(|word| line.contains(word));
        let squeezed: String = line.split_whitespace().collect();
        let runs = ["|sh", "|bash", "|zsh", "|python", "|node", "|iex", "Invoke-Expression"];
        let is_piped =
            runs.iter().any(|pipe| squeezed.contains(pipe)) || line.contains("$(curl") || line.contains("<(curl");
        (downloads && is_piped).then(|| "downloads a script and runs it".to_owned())
    })
}

fn open_container(ground: &Ground<'_>, check: &Check) -> Vec<Finding> {
    each_command(ground, check, |line, args| {
        let is_container = ["docker", "podman", "nerdctl"].iter().any(|program| line.contains(program));
        if !is_container {
            return None;
        }
        let reason = args.iter().find_map(|arg| {
            let mount = arg.rsplit('=').next().unwrap_or(arg);
            match arg.as_str() {
                "--privileged" | "--privileged=true" => Some("runs with `--privileged`".to_owned()),
                arg if arg.contains("docker.sock") => Some("is given the socket of the container engine".to_owned()),
                _ if mount.starts_with("/:/") => Some("is given the whole file system".to_owned()),
                "--pid=host" | "--net=host" | "--network=host" => {
                    Some(format!("shares the machine's own with `{arg}`"))
                }
                _ => None,
            }
        });
        reason.map(|reason| format!("the container {reason}"))
    })
}

/// Asks about the command of each server that has one.
fn each_command(ground: &Ground<'_>, check: &Check, what: impl Fn(&str, &[String]) -> Option<String>) -> Vec<Finding> {
    let ask = |server: NodeIx| {
        let args = ground.texts(server, "args");
        let line = format!("{} {}", ground.text(server, "endpoint"), args.join(" "));
        let reason = what(&line, &args)?;
        let name = ground.name(server);
        let title = format!(
            "The command of `{name}` {}",
            reason.strip_prefix("the container ").map_or(reason.clone(), |it| format!("starts a container that {it}"))
        );
        let place = ground.definition(server);
        let evidence = format!("`{name}` is started by `{line}`: {reason}");
        let case = Case { severity: Severity::High, source: server, target: server, title, evidence, place };
        Some(ground.finding(check, case))
    };
    let servers = ground.nodes(NodeKind::McpServer).filter(|server| ground.text(*server, "transport") == "stdio");
    servers.filter_map(ask).collect()
}
