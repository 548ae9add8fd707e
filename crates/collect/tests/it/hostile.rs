//! What people, programs and attackers leave on disks: none of it stops a scan, leads it astray or goes untold.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracehound_collect::Report;
use tracehound_collect::local::{Request, Root, scan};
use tracehound_model::{EdgeKind, NodeId};

use crate::support::{detection, edges, looked_at, request, scan_files, scan_root, text, tree};

const ONE: &str = r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-server@1.2.3", "/srv"]}}}"#;
/// A server that no document may name: it stands outside of what is scanned.
const OUTSIDE: &str = r#"{"mcpServers": {"outsider": {"command": "outsider"}}}"#;

/// What the report says was in the way, a line for each.
fn told(report: &Report) -> Vec<String> {
    report.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
}

/// Scans the homes of a file system, and the trees in it.
fn check_with(root: &Path, trees: &[&str], files: &[&str], problems: &[&str]) -> Report {
    let (host, layout) = Root::mounted(root).unwrap();
    let trees = trees.iter().map(PathBuf::from).collect();
    let report = scan(&host, &Request { layout: Some(layout), trees, ..request() }, detection(), &|_| {}).unwrap();
    assert_eq!((looked_at(&report), told(&report)), (owned(files), owned(problems)));
    assert!(!serde_json::to_string(&report.document).unwrap().contains("outsider"));
    report
}

/// The same of homes alone.
fn check(root: &TempDir, files: &[&str], problems: &[&str]) -> Report {
    check_with(root.path(), &[], files, problems)
}

/// The same of a tree of this machine, whose paths are as below the folder.
fn check_here(folder: &Path, files: &[&str], problems: &[&str]) -> Report {
    let trees = vec![folder.to_owned()];
    let report = scan(&Root::machine(), &Request { trees, ..request() }, detection(), &|_| {}).unwrap();
    let start = format!("{}/", folder.to_str().unwrap());
    let below = |lines: Vec<String>| lines.iter().map(|line| line.replace(&start, "")).collect::<Vec<_>>();
    assert_eq!((below(looked_at(&report)), below(told(&report))), (owned(files), owned(problems)));
    report
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn link(folder: &TempDir, path: &str, target: impl AsRef<Path>) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(target, path).unwrap();
}

fn pipe(folder: &TempDir, path: &str) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RUSR).unwrap();
}

/// Whether the document says that it tells all there is of a configuration.
fn is_covered(report: &Report, path: &str) -> bool {
    let covers = report.document.meta.extra.covers.as_ref().unwrap();
    covers.nodes.contains(&NodeId::config_file(path))
}

#[test]
fn links_in_a_circle_are_told() {
    let root = tree(&[("home/ann/.claude.json", ONE)]);
    link(&root, "home/ann/.cursor/mcp.json", "mcp.json");
    link(&root, "home/ann/.codex", ".codex-2");
    link(&root, "home/ann/.codex-2", "/home/ann/.codex");
    link(&root, "home/ann/.claude/rules/a.md", "a.md");
    link(&root, "home/bob", "bob");
    let report = check(
        &root,
        &["/home/ann/.claude.json claude-code 1"],
        &[
            "/home/ann/.claude/rules/a.md: too many links follow each other",
            "/home/ann/.codex: too many links follow each other",
            "/home/ann/.cursor/mcp.json: too many links follow each other",
        ],
    );
    assert!(!is_covered(&report, "/home/ann/.cursor/mcp.json"));
}

#[test]
fn a_link_to_a_folder_above_shows_nothing_twice() {
    let root = tree(&[("home/ann/.claude/rules/one.md", "One.\n"), ("srv/app/.mcp.json", ONE)]);
    for name in ["a", "b", "c"] {
        link(&root, &format!("home/ann/.claude/rules/{name}"), "..");
        link(&root, &format!("srv/app/{name}"), "/srv");
    }
    let files = ["/home/ann/.claude/rules/one.md rule", "/srv/app/.mcp.json claude-code 1"];
    check_with(root.path(), &["/srv"], &files, &[]);
    check_here(&root.path().join("srv"), &["app/.mcp.json claude-code 1"], &[]);
}

#[test]
fn files_that_are_too_large_are_told_and_not_read() {
    let root = tree(&[("home/ann/.cursor/mcp.json", ""), ("home/ann/.claude/CLAUDE.md", ""), ("srv/.gitignore", "")]);
    let huge = ["home/ann/.cursor/mcp.json", "home/ann/.claude/CLAUDE.md", "srv/.gitignore"];
    for path in huge {
        // Nothing but a length, so that it takes no room here either.
        File::options().write(true).open(root.path().join(path)).unwrap().set_len(1 << 30).unwrap();
    }
    fs::create_dir(root.path().join("srv/app")).unwrap();
    fs::write(root.path().join("srv/app/.mcp.json"), ONE).unwrap();
    let problems = [
        "/home/ann/.claude/CLAUDE.md: it is larger than 16 MiB",
        "/home/ann/.cursor/mcp.json: it is larger than 64 MiB",
    ];
    let report = check_with(root.path(), &["/srv"], &["/srv/app/.mcp.json claude-code 1"], &problems);
    assert!(!is_covered(&report, "/home/ann/.cursor/mcp.json"));
}

#[test]
fn nobody_waits_at_a_pipe() {
    let env = r#"{"servers": {"a": {"command": "a", "envFile": "/srv/env"}}}"#;
    let root = tree(&[("srv/app/.vscode/mcp.json", env), ("home/ann/.claude.json", ONE)]);
    let pipes = ["etc/passwd", "home/ann/.cursor/mcp.json", "home/ann/.claude/CLAUDE.md", "home/bob", "srv/env"];
    let in_trees = ["srv/.gitignore", "srv/.git/info/exclude", "srv/app/.mcp.json", "srv/app/AGENTS.md"];
    for path in pipes.into_iter().chain(in_trees) {
        pipe(&root, path);
    }
    let is_pipe = |path: &str| format!("{path}: it is a pipe, a socket or a device, not a file");
    let env = "/srv/app/.vscode/mcp.json: the environment file `/srv/env` can't be read: it is a pipe, a socket or a \
               device, not a file";
    check_with(
        root.path(),
        &["/srv", "/srv/env"],
        &["/home/ann/.claude.json claude-code 1", "/srv/app/.vscode/mcp.json vscode 1"],
        &[
            &is_pipe("/home/ann/.claude/CLAUDE.md"),
            &is_pipe("/home/ann/.cursor/mcp.json"),
            &is_pipe("/srv/app/.mcp.json"),
            env,
            &is_pipe("/srv/app/AGENTS.md"),
            "/srv/env: it is not a directory",
        ],
    );
    assert!(Root::mounted(&root.path().join("srv/env")).is_err());
}

#[test]
fn devices_are_not_read() {
    let root = tree(&[("app/.mcp.json", ONE)]);
    for path in [".gitignore", "endless/.mcp.json", "endless/AGENTS.md", "endless/.gitignore"] {
        link(&root, path, "/dev/zero");
    }
    let told = "it is a pipe, a socket or a device, not a file";
    let problems = [format!("endless/.mcp.json: {told}"), format!("endless/AGENTS.md: {told}")];
    check_here(root.path(), &["app/.mcp.json claude-code 1"], &problems.each_ref().map(String::as_str));
    let given = scan_files(vec![root.path().join("endless/.mcp.json"), PathBuf::from("/dev/zero")]);
    assert_eq!(given.problems.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), [told, told]);
}

#[test]
fn names_that_are_not_text_are_spelled_out() {
    let root = tree(&[("home/ann/.claude/rules/plain.md", "One.\n")]);
    for (folder, file, content) in [
        (&b"srv/caf\xe9"[..], &b".mcp.json"[..], ONE),
        (b"srv/\xff/.cursor/rules", b"\xfe.mdc", "Two.\n"),
        (b"home/ann/.claude/rules", b"\xfd.md", "Three.\n"),
        (b"home/b\xf6b/.cursor", b"mcp.json", ONE),
    ] {
        let folder = root.path().join(OsStr::from_bytes(folder));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(OsStr::from_bytes(file)), content).unwrap();
    }
    let files = [
        "/home/ann/.claude/rules/\\xfd.md rule",
        "/home/ann/.claude/rules/plain.md rule",
        "/home/b\\xf6b/.cursor/mcp.json cursor 1",
        "/srv/\\xff/.cursor/rules/\\xfe.mdc rule",
        "/srv/caf\\xe9/.mcp.json claude-code 1",
    ];
    check_with(root.path(), &["/srv"], &files, &[]);
}

#[test]
fn contents_that_are_not_text_are_told_and_read_around() {
    let root = tree(&[("home/ann/.claude.json", ONE)]);
    let bytes = |content: &[u8], path: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    bytes(
        b"{\"mcpServers\": {\"caf\xe9\": {\"command\": \"a\"}, \"b\": {\"command\": \"b\"}}}",
        "home/ann/.cursor/mcp.json",
    );
    bytes(&[0x80; 5_000], "home/ann/.gemini/settings.json");
    bytes(b"Be brief.\n\xff\xfe\xfd\n", "home/ann/.claude/CLAUDE.md");
    bytes(b"\x7fELF\0\0\0\0", "home/ann/.claude/rules/program.md");
    let replaced = "not UTF-8 text from here on; unreadable bytes were replaced";
    let report = check(
        &root,
        &[
            "/home/ann/.claude.json claude-code 1",
            "/home/ann/.claude/CLAUDE.md claude.md",
            "/home/ann/.cursor/mcp.json cursor 2",
            "/home/ann/.gemini/settings.json gemini-cli 0",
        ],
        &[
            &format!("/home/ann/.cursor/mcp.json: {replaced}"),
            "/home/ann/.gemini/settings.json: not JSON: unexpected token",
            &format!("/home/ann/.gemini/settings.json: {replaced}"),
        ],
    );
    let names: Vec<String> =
        edges(&report, EdgeKind::ConfiguredIn).map(|edge| text(&edge.properties, "server_name")).collect();
    assert!(names.contains(&"caf\u{fffd}".to_owned()), "{names:?}");
}

#[test]
fn names_with_control_characters_are_kept_as_they_are() {
    // Whoever shows a name makes it harmless; a document tells what is there.
    let name = "\u{1b}[2J\u{7}\n\u{202e}evil";
    let server = format!("{{\"mcpServers\": {{{}: {{\"command\": \"a\"}}}}}}", serde_json::to_string(name).unwrap());
    let root = tree(&[(&format!("srv/{name}/.mcp.json"), &server)]);
    let files = [format!("/srv/{name}/.mcp.json claude-code 1")];
    let report = check_with(root.path(), &["/srv"], &files.each_ref().map(String::as_str), &[]);
    assert!(edges(&report, EdgeKind::ConfiguredIn).all(|edge| text(&edge.properties, "server_name") == name));
}

#[test]
fn a_path_with_dots_is_the_file_that_it_leads_to() {
    let folder = tree(&[("one/.mcp.json", ONE), ("one/two/x", ""), ("three/four/x", ""), ("three/.mcp.json", ONE)]);
    link(&folder, "one/link", "../three/four");
    let base = folder.path().canonicalize().unwrap();
    let given = ["one/two/../.mcp.json", "one/./two/../../one/.mcp.json", "one/.mcp.json", "one/link/../.mcp.json"];
    let report = scan_files(given.iter().map(|path| base.join(path)).collect());
    // After a link, two dots are not what they look like, and what is in `one` is not what was meant.
    let paths: Vec<&Path> =
        report.files.iter().map(|file| Path::new(&file.path).strip_prefix(&base).unwrap()).collect();
    assert_eq!(paths, [Path::new("one/.mcp.json"), Path::new("one/link/../.mcp.json")]);
    assert_eq!(report.problems, []);
    let above =
        scan_files(vec![Path::new("/").join("../../../..").join(base.strip_prefix("/").unwrap()).join(given[0])]);
    assert_eq!(above.files, report.files.get(..1).unwrap());
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told() {
    let root = tree(&[
        ("home/ann/.cursor/mcp.json/x", ""),
        ("home/ann/.claude/CLAUDE.md/x", ""),
        ("srv/app/.mcp.json/x", ""),
        ("srv/app/.clinerules/a.md", "One.\n"),
        // The same folder in other words is the same folder.
        ("home/ann/.claude.json", r#"{"projects": {"/srv/app": {}, "/srv/./app/../app/": {}, "/../srv//app": {}}}"#),
    ]);
    let told = "it is a directory, not a file";
    // Rules may be a file or a folder of files.
    check(
        &root,
        &["/home/ann/.claude.json claude-code 0", "/srv/app/.clinerules/a.md rule"],
        &[&format!("/home/ann/.cursor/mcp.json: {told}"), &format!("/srv/app/.mcp.json: {told}")],
    );
    let given = scan_files(vec![root.path().join("srv/app/.mcp.json")]);
    assert_eq!(given.problems.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), [told]);
}

/// Runs something as a user with no rights. One without the right to change users has none to give up.
fn as_nobody<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let run = || {
        // Only this thread and those that it starts are somebody else.
        if rustix::process::geteuid().is_root() {
            let nobody = rustix::process::Uid::from_raw(65534);
            rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
        }
        run()
    };
    std::thread::scope(|scope| scope.spawn(run).join().unwrap())
}

#[test]
fn what_is_not_ours_to_read_is_told() {
    let root = tree(&[
        ("home/ann/.cursor/mcp.json", ONE),
        ("home/ann/.claude/rules/a/one.md", "One.\n"),
        ("home/ann/.claude.json", ONE),
        ("home/bob/.cursor/mcp.json", ONE),
        ("home/cleo/.cursor/mcp.json", ONE),
        ("srv/app/.mcp.json", ONE),
        ("srv/app/.gitignore", "other/\n"),
        ("srv/other/AGENTS.md", "Two.\n"),
    ]);
    let set = |path: &str, mode| fs::set_permissions(root.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    let closed =
        ["home/ann/.cursor/mcp.json", "home/ann/.claude/rules/a", "home/bob", "srv/other", "srv/app/.gitignore"];
    set("", 0o755);
    closed.iter().for_each(|path| set(path, 0o000));
    // It can't be listed, but who knows a name can look at it.
    set("home/cleo", 0o711);
    detection();
    as_nobody(|| {
        let report = check_with(
            root.path(),
            &["/srv"],
            &[
                "/home/ann/.claude.json claude-code 1",
                "/home/cleo/.cursor/mcp.json cursor 1",
                "/srv/app/.mcp.json claude-code 1",
            ],
            &[
                "/home/ann/.claude/rules/a: permission denied",
                "/home/ann/.cursor/mcp.json: permission denied",
                "/home/bob: permission denied: this home was not looked into",
                "/srv/other: permission denied",
            ],
        );
        assert!(!is_covered(&report, "/home/ann/.cursor/mcp.json"));
        assert!(!is_covered(&report, "/home/bob/.cursor/mcp.json"));
    });
    closed.iter().for_each(|path| set(path, 0o755));
}

#[test]
fn servers_without_end_are_cut_off_and_told() {
    let entry = |number: usize| format!("\"s{number}\": {{\"command\": \"npx\", \"args\": [\"-y\", \"p{number}\"]}}");
    let entries: Vec<String> = (0..100_000).map(entry).collect();
    let root = tree(&[
        ("home/ann/.cursor/mcp.json", &format!("{{\"mcpServers\": {{\n{}\n}}}}", entries.join(",\n"))),
        ("home/ann/.claude.json", ONE),
    ]);
    let path = "/home/ann/.cursor/mcp.json";
    let told = format!("{path}: there are more than 10000 servers in the file; those from here on are left out");
    let files = ["/home/ann/.claude.json claude-code 1", "/home/ann/.cursor/mcp.json cursor 10000"];
    let report = check(&root, &files, &[&told]);
    assert_eq!(report.problems[0].at.unwrap().line, 10_002);
    assert!(!is_covered(&report, path) && is_covered(&report, "/home/ann/.claude.json"));
}

#[test]
fn one_broken_file_hides_none_of_the_others() {
    let root = tree(&[
        ("home/ann/.cursor/mcp.json", "{\"mcpServers\": oops }"),
        ("home/ann/.codex/config.toml", "[mcp_servers.a\n"),
        ("home/ann/.config/goose/config.yaml", "extensions: [\n"),
        ("home/ann/.claude.json", ONE),
        ("home/ann/.gemini/settings.json", ONE),
        ("home/bob/.cursor/mcp.json", ONE),
    ]);
    let report = scan_root(root.path());
    assert_eq!(
        looked_at(&report),
        [
            "/home/ann/.claude.json claude-code 1",
            "/home/ann/.codex/config.toml codex 0",
            "/home/ann/.config/goose/config.yaml goose 0",
            "/home/ann/.cursor/mcp.json cursor 0",
            "/home/ann/.gemini/settings.json gemini-cli 1",
            "/home/bob/.cursor/mcp.json cursor 1",
        ]
    );
    let broken: Vec<&str> = report.problems.iter().map(|problem| problem.path.as_str()).collect();
    let names =
        [".codex/config.toml", ".config/goose/config.yaml", ".cursor/mcp.json"].map(|it| format!("/home/ann/{it}"));
    assert_eq!(broken, names);
    assert!(names.iter().all(|path| !is_covered(&report, path)) && is_covered(&report, "/home/bob/.cursor/mcp.json"));
}

#[test]
fn a_line_of_many_values_is_read_to_its_end() {
    let values = "{\"a\": [1, true, null]},".repeat(100_000);
    let line = format!("{{\"history\": [{values}{{}}], \"mcpServers\": {{\"last\": {{\"command\": \"a\"}}}}}}");
    let root = tree(&[("home/ann/.cursor/mcp.json", &line)]);
    let report = check(&root, &["/home/ann/.cursor/mcp.json cursor 1"], &[]);
    let edge = edges(&report, EdgeKind::ConfiguredIn).next().unwrap();
    assert_eq!(text(&edge.properties, "column"), (line.find("\"last\"").unwrap() + 1).to_string());
}

/// A file system with links out of it, each with a configuration at its other end.
fn leaking() -> (TempDir, TempDir) {
    let outside = tree(&[
        ("mcp.json", OUTSIDE),
        ("AGENTS.md", "outsider\n"),
        ("home/.cursor/mcp.json", OUTSIDE),
        ("home/.claude.json", OUTSIDE),
        ("home/.claude/rules/one.md", "outsider\n"),
        ("app/.mcp.json", OUTSIDE),
        ("app/.gitignore", "kept/\n"),
        ("passwd", "out:x:1000:1000::/outsider:/bin/sh\n"),
    ]);
    (tree(&[("home/ann/.claude.json", ONE)]), outside)
}

#[test]
fn links_to_files_never_lead_out_of_a_root() {
    let (root, outside) = leaking();
    let out = outside.path().canonicalize().unwrap();
    let up = Path::new("../../../../../../../../../../..").join(out.strip_prefix("/").unwrap());
    link(&root, "home/ann/.cursor/mcp.json", out.join("mcp.json"));
    link(&root, "home/ann/.gemini/settings.json", up.join("mcp.json"));
    link(&root, "home/ann/.codex/AGENTS.md", "/srv/first");
    link(&root, "srv/first", "second");
    link(&root, "srv/second", "../../../third");
    link(&root, "third", up.join("AGENTS.md"));
    link(&root, "home/ann/.windsurf/mcp.json", "/proc/self/root".to_owned() + out.to_str().unwrap() + "/mcp.json");
    link(&root, "etc/passwd", out.join("passwd"));
    link(&root, "srv/app/.mcp.json", out.join("app/.mcp.json"));
    check_with(root.path(), &["/srv"], &["/home/ann/.claude.json claude-code 1"], &[]);
}

#[test]
fn links_to_folders_never_lead_out_of_a_root() {
    let (root, outside) = leaking();
    let out = outside.path().canonicalize().unwrap();
    let up = Path::new("../../../../../../../../../../..").join(out.strip_prefix("/").unwrap());
    link(&root, "home/bob", out.join("home"));
    link(&root, "home/cleo", up.join("home"));
    link(&root, "home/ann/.cursor", out.join("home/.cursor"));
    link(&root, "home/ann/.claude/rules", up.join("home/.claude/rules"));
    link(&root, "home/ann/.claude/agents/more", &out);
    link(&root, "srv/app", out.join("app"));
    link(&root, "srv/two/.cursor", out.join("home/.cursor"));
    link(&root, "tree", &out);
    link(&root, "Users", &out);
    let missing = ["/tree: there is no such file", "/tree/app: there is no such file"];
    let trees = ["/srv", "/tree", "/tree/app", "/srv/../../.."];
    check_with(root.path(), &trees, &["/home/ann/.claude.json claude-code 1"], &missing);
}

#[test]
fn links_mean_what_they_mean_on_the_machine_that_they_came_from() {
    let root = tree(&[
        ("data/ann/.cursor/mcp.json", ONE),
        ("shared/claude.json", ONE),
        ("shared/rules/one.md", "One.\n"),
        ("srv/app/x", ""),
    ]);
    link(&root, "home/ann", "/data/ann");
    link(&root, "data/ann/.claude.json", "../../../../../shared/claude.json");
    link(&root, "data/ann/.claude/rules", "/shared/rules");
    link(&root, "srv/app/.cursor", "/data/ann/.cursor");
    link(&root, "srv/app/.mcp.json", "/shared/claude.json");
    link(&root, "tree", "/srv");
    let files = [
        "/home/ann/.claude.json claude-code 1",
        "/home/ann/.claude/rules/one.md rule",
        "/home/ann/.cursor/mcp.json cursor 1",
        "/srv/app/.cursor/mcp.json cursor 1",
        "/srv/app/.mcp.json claude-code 1",
    ];
    check_with(root.path(), &["/tree"], &files, &[]);
}

#[test]
fn variables_of_files_outside_of_a_root_are_not_read() {
    let outside = tree(&[(".env", "API_KEY=outsider-1234567890\n")]);
    let env = outside.path().join(".env");
    let server = |name: &str| format!("{{\"servers\": {{\"a\": {{\"command\": \"a\", \"envFile\": \"{name}\"}}}}}}");
    let root = tree(&[
        ("home/ann/.claude.json", r#"{"projects": {"/srv/one": {}, "/srv/two": {}, "/../../..": {}}}"#),
        ("srv/one/.vscode/mcp.json", &server(env.to_str().unwrap())),
        ("srv/two/.vscode/mcp.json", &server("${workspaceFolder}/.env")),
    ]);
    link(&root, "srv/two/.env", &env);
    let report = check(
        &root,
        &[
            "/home/ann/.claude.json claude-code 0",
            "/srv/one/.vscode/mcp.json vscode 1",
            "/srv/two/.vscode/mcp.json vscode 1",
        ],
        &[],
    );
    assert_eq!(edges(&report, EdgeKind::UsesCredential).count(), 0);
}

#[test]
fn a_tree_is_walked_as_its_version_control_sees_it() {
    let folder = tree(&[
        (".git/HEAD", ""),
        (".gitignore", "build/\n.cursor/\n.mcp.json\n"),
        (".mcp.json", ONE),
        (".cursor/mcp.json", ONE),
        ("build/.mcp.json", OUTSIDE),
        ("node_modules/tool/.mcp.json", OUTSIDE),
        ("packages/one/AGENTS.md", "One.\n"),
        ("packages/two/.vscode/mcp.json", &ONE.replace("mcpServers", "servers")),
        ("packages/two/node_modules/AGENTS.md", "outsider\n"),
        ("vendor/three/.git/HEAD", ""),
        ("vendor/three/build/.mcp.json", ONE),
    ]);
    let files = [
        ".cursor/mcp.json cursor 1",
        ".mcp.json claude-code 1",
        "packages/one/AGENTS.md agents.md",
        "packages/two/.vscode/mcp.json vscode 1",
        "vendor/three/build/.mcp.json claude-code 1",
    ];
    check_here(folder.path(), &files, &[]);
}

#[test]
fn deep_and_crowded_folders_are_bounded_and_told() {
    let root = tree(&[("home/ann/.claude.json", ONE), ("home/ann/.claude/rules/one.md", "One.\n")]);
    let deep = root.path().join("home/deep").join("d/".repeat(140));
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join(".mcp.json"), ONE).unwrap();
    for number in 0..50_000 {
        File::create(root.path().join(format!("home/ann/.claude/rules/{number}\n.txt"))).unwrap();
    }
    let end = format!("/home/deep/{}d", "d/".repeat(126));
    let problems = [
        "/home/ann/.claude/rules: there are more than 20000 names in the folder".to_owned(),
        format!("{end}: there are more than 128 folders within each other; the deeper were left out"),
    ];
    // Who walks looks at more than who looks at places.
    let files = ["/home/ann/.claude.json claude-code 1", "/home/ann/.claude/rules/one.md rule"];
    let report = check_with(root.path(), &["/home"], &files, &problems.each_ref().map(String::as_str));
    assert!(report.walked > 50_000);
}
