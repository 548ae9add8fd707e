use super::*;
use crate::config::CLIENTS;
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
