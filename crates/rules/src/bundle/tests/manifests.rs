use super::super::*;
use super::file;

const A: &str = "id: a\n";
const B: &str = "id: b\n";

/// Takes files of a directory by the manifest of `a.yaml` and `b/b.yaml`, changed.
fn open(change: impl FnOnce(String) -> String, files: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let manifest = change(manifest(&[file("b/b.yaml", B), file("a.yaml", A)]).unwrap());
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let trusted = verify(manifest.as_bytes(), &[], Trust::Anybody).unwrap();
    let names = |opened: Opened| opened.files.into_iter().map(|file| file.name).collect();
    trusted.list(files).map(names).map_err(|refusal| refusal.to_string())
}

#[track_caller]
fn check(change: impl FnOnce(String) -> String, files: &[(&str, &str)], expected: Result<&[&str], &str>) {
    let got = open(change, files);
    match (&got, expected) {
        (Ok(names), Ok(expected)) => assert_eq!(names, expected),
        (Err(reason), Err(expected)) => assert_eq!(reason, expected),
        _ => panic!("{got:?}, not {expected:?}"),
    }
}

const BOTH: &[(&str, &str)] = &[("a.yaml", A), ("b/b.yaml", B)];

#[test]
fn a_manifest_is_what_sha256sum_writes() {
    let text = manifest(&[file("b/b.yaml", B), file("a.yaml", A)]).unwrap();
    // printf 'id: a\n' | sha256sum
    let a = "32848b63caee2b356871054d84e60643683ed636c46ba010d11f04e367325f45  a.yaml\n";
    assert!(text.starts_with(a), "{text}");
    assert!(text.ends_with("  b/b.yaml\n") && text.lines().count() == 2, "{text}");
}

#[test]
fn files_as_they_are_listed_are_taken() {
    check(|text| text, BOTH, Ok(&["a.yaml", "b/b.yaml"]));
    check(|text| text, &[("b/b.yaml", B), ("README", "hello"), ("a.yaml", A)], Ok(&["a.yaml", "b/b.yaml"]));
}

#[test]
fn altered_missing_and_unlisted_files_are_named() {
    let altered = "its manifest lists `a.yaml` with another digest: the file was altered";
    check(|text| text, &[("a.yaml", "id: c\n"), ("b/b.yaml", B)], Err(altered));
    check(|text| text, &[("a.yaml", A)], Err("its manifest lists `b/b.yaml`, which is missing"));
    let more = [("a.yaml", A), ("b/b.yaml", B), ("c.yml", A)];
    check(|text| text, &more, Err("its manifest does not list `c.yml`"));
    let all = "its manifest lists `a.yaml` with another digest: the file was altered, lists `b/b.yaml`, which is missing, \
               does not list `c.yml`";
    check(|text| text, &[("a.yaml", B), ("c.yml", A)], Err(all));
    check(
        |text| text,
        &[("a.yaml", A), ("B/b.yaml", B)],
        Err("its manifest lists `b/b.yaml`, which is missing, does not list `B/b.yaml`"),
    );
}

#[test]
fn many_problems_are_counted_and_not_all_told() {
    let names: Vec<String> = (10..40).map(|number| format!("{number}.yaml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), A)).collect();
    files.extend(BOTH);
    let reason = open(|text| text, &files).unwrap_err();
    assert!(reason.contains("`29.yaml`") && !reason.contains("`30.yaml`"), "{reason}");
    assert!(reason.ends_with(", and 10 more problems"), "{reason}");
}

#[test]
fn a_manifest_has_one_form_only() {
    let digest = hash::content(A);
    let line = |path: &str| format!("{digest}  {path}\n");
    for (text, expected) in [
        (String::new(), "does not end with a line break, so something of it may be missing"),
        (line("a.yaml").trim_end().to_owned(), "does not end with a line break, so something of it may be missing"),
        ("\n".to_owned(), "is wrong in line 1: it is not a digest, two spaces and a path"),
        (line("b.yaml") + &line("a.yaml"), "is wrong in line 2: `a.yaml` is there twice or not in order"),
        (line("a.yaml") + &line("a.yaml"), "is wrong in line 2: `a.yaml` is there twice or not in order"),
        (line("a.yaml").to_uppercase(), "is wrong in line 1: it does not begin with a SHA-256 in lower-case hex"),
        (line("a.yaml").replacen(&digest[..1], "", 1), "is wrong in line 1: it does not begin with a SHA-256"),
        (line("a.yaml").replace("  ", " *"), "is wrong in line 1: it is not a digest, two spaces and a path"),
        (line("./a.yaml"), "is wrong in line 1: `./a.yaml` is not the plain path of a rule file"),
        (line("README"), "is wrong in line 1: `README` is not the plain path of a rule file"),
        (line("a.yaml\r"), "has a control character in its path"),
        (line("../a.yaml"), "is wrong in line 1: `../a.yaml` has a path that leads out of the bundle"),
        (line("/a.yaml"), "is wrong in line 1: `/a.yaml` has an absolute path"),
        ("x".repeat(limits::MANIFEST_BYTES + 1), "has more than 4194304 bytes"),
    ] {
        let reason = open(|_| text, BOTH).unwrap_err();
        assert!(reason.contains(expected), "{reason}, not {expected}");
    }
    let trusted = verify(&[0xff, b'\n'], &[], Trust::Anybody).unwrap();
    assert_eq!(trusted.list(Vec::new()).unwrap_err().to_string(), "its manifest is not UTF-8 text");
}

#[test]
fn a_directory_is_held_to_the_same_limits() {
    let big = "x".repeat(crate::limits::FILE_BYTES + 1);
    check(|text| text, &[("a.yaml", &big)], Err("`a.yaml` in it has more than 262144 bytes"));
    let cases = [("a.yaml", A), ("A.yaml", A)];
    check(|text| text, &cases, Err("`A.yaml` in it is there twice, or only its case differs"));
}

#[test]
fn without_a_manifest_the_files_are_taken_as_they_are_if_anybody_is_trusted() {
    let opened = unlisted(vec![("a.yaml".to_owned(), A.into())], Trust::Anybody).unwrap();
    assert_eq!((opened.files, opened.digest, opened.proof), (vec![file("a.yaml", A)], None, Proof::None));
    assert_eq!(unlisted(Vec::new(), Trust::Anybody), Err(Refusal::Empty));
    let binary = unlisted(vec![("a.yaml".to_owned(), vec![0xff])], Trust::Anybody);
    assert_eq!(binary.unwrap_err().to_string(), "`a.yaml` in it is not UTF-8 text");
}
