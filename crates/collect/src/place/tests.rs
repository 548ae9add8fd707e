use super::*;
use crate::config::CLIENTS;
use crate::host::tests::Denied;
use crate::host::{Host, Machine};
use crate::instructions::INSTRUCTIONS;

fn layout() -> Layout {
    let home = |path: &str, system, variables: &[(&str, &str)]| Home {
        path: PathBuf::from(path),
        system,
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    };
    Layout {
        homes: vec![
            home("/home/ann", System::Linux, &[("CODEX_HOME", "/srv/codex"), ("XDG_CONFIG_HOME", "relative")]),
            home("/Users/bob", System::Macos, &[]),
            home("/Users/cleo", System::Windows, &[]),
        ],
        systems: vec![System::Linux, System::Macos, System::Windows],
    }
}

fn check(template: &str, expected: &[&str]) {
    let places = Template::parse(template).unwrap().places(&layout());
    let shown: Vec<String> = places.iter().map(|place| format!("{}/{}", path_text(&place.base), place.rest)).collect();
    assert_eq!(shown, expected, "{template}");
}

#[test]
fn templates_mean_what_each_system_means_by_them() {
    check("~/.a/b", &["/home/ann/.a/b", "/Users/bob/.a/b", "/Users/cleo/.a/b"]);
    check(
        "{config}/A/b",
        &["/home/ann/.config/A/b", "/Users/bob/Library/Application Support/A/b", "/Users/cleo/AppData/Roaming/A/b"],
    );
    check("macos:~/x", &["/Users/bob/x"]);
    check("windows:{config}/x", &["/Users/cleo/AppData/Roaming/x"]);
    check("{local}/x", &["/Users/cleo/AppData/Local/x"]);
    check("linux:{CODEX_HOME|~/.codex}/config.toml", &["/home/ann/.codex/config.toml", "/srv/codex/config.toml"]);
    check("linux:/etc/x", &["//etc/x"]);
    check("windows:C:/ProgramData/x", &["//ProgramData/x"]);
    check("./x", &[]);
}

#[test]
fn every_template_of_the_tables_is_understood() {
    let files = CLIENTS.iter().flat_map(|client| client.files).map(|file| file.at);
    for at in files.chain(INSTRUCTIONS.iter().map(|row| row.at)) {
        assert!(Template::parse(at).is_some(), "{at}");
    }
}

#[test]
fn paths_that_are_not_text_are_spelled_out() {
    use std::os::unix::ffi::OsStrExt as _;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"/a/\xff\xfe/b"));
    assert_eq!(path_text(path), "/a/\\xff\\xfe/b");
    assert_eq!(tidy(Path::new("/a/./b/../c")), Path::new("/a/c"));
}

/// A folder with these files, each empty unless it says something after a colon.
fn tree(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let (path, content) = file.split_once(": ").unwrap_or((file, ""));
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

/// What is found below a folder, and what stood in the way, as paths in it.
fn shown(folder: &Path, files: &[PathBuf], blocked: &[Blocked]) -> Vec<String> {
    let below = |path: &Path| path_text(path.strip_prefix(folder).unwrap());
    let blocked = blocked.iter().map(|blocked| format!("{}: {}", below(&blocked.path), blocked.reason));
    files.iter().map(|path| below(path)).chain(blocked).collect()
}

const WANTED: &[&str] = &[".mcp.json", ".cursor/mcp.json", ".cursor/rules/**/*.mdc", "AGENTS.md", "src/{a,b}/*.txt"];

fn check_walk(host: &dyn Host, folder: &Path, start: &str, expected: &[&str]) {
    let walked = walk(host, &folder.join(start), WANTED, &|_| {}).unwrap();
    assert_eq!(shown(folder, &walked.files, &walked.blocked), expected);
}

#[test]
fn ignored_folders_are_left_out_and_files_of_agents_are_not() {
    let folder = tree(&[
        ".gitignore: build/\n.cursor/\n.mcp.json\n*.log\n!kept.log\nsrc/\n",
        ".mcp.json",
        ".cursor/mcp.json",
        ".cursor/rules/a/b.mdc",
        ".cursor/other/.mcp.json",
        "build/.mcp.json",
        "build/x/.cursor/mcp.json",
        "a.log/.mcp.json",
        "kept.log/.mcp.json",
        "src/a/x.txt",
        "node_modules/x/.mcp.json",
        "one/node_modules/.cursor/mcp.json",
        "one/two/three/AGENTS.md",
        "one/.gitignore: !build\ntwo/three/four\n",
        "one/build/.mcp.json",
        "one/two/three/four/.mcp.json",
    ]);
    let expected = [
        ".cursor/mcp.json",
        ".cursor/other/.mcp.json",
        ".cursor/rules/a/b.mdc",
        ".mcp.json",
        "kept.log/.mcp.json",
        "one/build/.mcp.json",
        "one/two/three/AGENTS.md",
    ];
    check_walk(&Machine, folder.path(), "", &expected);
}

#[test]
fn a_folder_of_an_agent_is_entered_although_all_below_it_is_ignored() {
    let folder =
        tree(&[".gitignore: .cursor/**\n", ".cursor/mcp.json", ".cursor/rules/a/b/c.mdc", ".cursor/x/.mcp.json"]);
    check_walk(&Machine, folder.path(), "", &[".cursor/mcp.json", ".cursor/rules/a/b/c.mdc"]);
}

#[test]
fn a_repository_within_another_is_not_the_others_business() {
    let folder = tree(&[
        ".gitignore: *\n",
        ".git/info/exclude: secret/\n",
        "secret/.mcp.json",
        "code/.git/HEAD",
        "code/app/.mcp.json",
        "cache/.gitignore: *\n",
        "cache/x/.mcp.json",
    ]);
    check_walk(&Machine, folder.path(), "", &["code/app/.mcp.json"]);
    check_walk(&Machine, folder.path(), "code", &["code/app/.mcp.json"]);
}

#[test]
fn what_a_repository_ignores_holds_in_part_of_it_too() {
    let files = [".gitignore: target/\n/one/two/\n", "one/two/.mcp.json", "one/target/.mcp.json", "one/x/.mcp.json"];
    let folder = tree(&files);
    // Without a repository, what stands in a folder above is somebody else's.
    check_walk(&Machine, folder.path(), "one", &["one/target/.mcp.json", "one/two/.mcp.json", "one/x/.mcp.json"]);
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    check_walk(&Machine, folder.path(), "one", &["one/x/.mcp.json"]);
    check_walk(&Machine, folder.path(), "one/two", &["one/two/.mcp.json"]);
}

#[test]
fn patterns_that_cannot_be_heeded_hide_nothing() {
    let brackets = format!(".gitignore: {}{}\nb/\n", "{".repeat(100_000), "}".repeat(100_000));
    let many = format!("c/.gitignore: {}", "d*[a-z]?/\n".repeat(30_000));
    let folder = tree(&[&brackets, &many, "a/.mcp.json", "b/.mcp.json", "c/dxy/.mcp.json"]);
    check_walk(&Machine, folder.path(), "", &["a/.mcp.json", "c/dxy/.mcp.json"]);
}

#[test]
fn folders_that_are_not_ours_are_told_and_the_rest_is_walked() {
    let folder = tree(&["a/.mcp.json", "b/c/.mcp.json", "d/.mcp.json"]);
    let denied = Denied(folder.path().join("b/c"));
    check_walk(&denied, folder.path(), "", &["a/.mcp.json", "d/.mcp.json", "b/c: permission denied"]);
    check_walk(&denied, folder.path(), "b/c", &["b/c: permission denied"]);
}

fn check_find(host: &dyn Host, folder: &Path, pattern: &str, expected: &[&str]) {
    let mut finder = Finder::new(host);
    let files: Vec<PathBuf> = finder.find(folder, pattern).into_iter().flat_map(|found| found.files).collect();
    assert_eq!(shown(folder, &files, &finder.blocked), expected, "{pattern}");
}

#[test]
fn places_are_found_by_their_patterns() {
    let deep = format!("deep/{}x.md", "d/".repeat(13));
    let folder = tree(&["a/one.md", "a/b/two.md", "a/b/c.md/three.txt", "a/node_modules/p/four.md", &deep]);
    check_find(&Machine, folder.path(), "a/one.md", &["a/one.md"]);
    check_find(&Machine, folder.path(), "a/*.md", &["a/one.md"]);
    check_find(&Machine, folder.path(), "a/**/*.md", &["a/b/two.md", "a/one.md"]);
    check_find(&Machine, folder.path(), "*/b/{one,two}.md", &["a/b/two.md"]);
    check_find(&Machine, folder.path(), "a/b", &[]);
    let told = "deep: there are more than 12 folders within each other; the deeper were left out";
    check_find(&Machine, folder.path(), "deep/**/*.md", &[told]);
}

#[test]
fn places_that_are_not_ours_are_told_and_the_rest_is_found() {
    let folder = tree(&["a/one.md", "b/two.md"]);
    let denied = Denied(folder.path().join("b"));
    check_find(&denied, folder.path(), "**/*.md", &["a/one.md", "b: permission denied"]);
    check_find(&denied, folder.path(), "*/{two,three}.md", &["b: permission denied"]);
    check_find(&denied, folder.path(), "b/{two,c/three,c/d/four}.md", &["b: permission denied"]);
    // A single file is told by whoever reads it.
    check_find(&Denied(folder.path().join("b/two.md")), folder.path(), "b/two.md", &["b/two.md"]);
}
