use std::collections::BTreeMap;

use super::*;

/// Reads words with these files; what comes out, or what is wrong, as lines.
fn read(words: &[&str], files: &[(&str, &str)]) -> Result<Vec<String>, Vec<String>> {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let open = |path: &str| {
        files.get(path).map(|text| text.as_bytes().to_vec()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    };
    match Targets::read(words.iter().copied(), open) {
        Err(bad) => Err(bad.to_string().lines().map(str::to_owned).collect()),
        Ok(targets) => {
            let spans = targets.spans.iter().map(|span| span.to_string());
            let scheme = |scheme: Option<Scheme>| scheme.map_or("", Scheme::name);
            let sites = targets.sites.iter().map(|site| format!("{} {} {}", site.ip, site.port, scheme(site.scheme)));
            let names = targets
                .names
                .iter()
                .map(|named| format!("{} {} {}", named.name, named.port.unwrap_or(0), scheme(named.scheme)));
            Ok(spans.chain(sites).chain(names).map(|line| line.trim_end().to_owned()).collect())
        }
    }
}

fn check(word: &str, expected: &[&str]) {
    assert_eq!(
        read(&[word], &[]).as_deref(),
        Ok(&expected.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..]),
        "{word}"
    );
}

fn check_bad(word: &str, expected: &str) {
    assert_eq!(read(&[word], &[]), Err(vec![expected.to_owned()]), "{word}");
}

#[test]
fn addresses_networks_and_ranges_become_ranges() {
    check("10.0.0.1", &["10.0.0.1"]);
    check("fd00::1", &["fd00::1"]);
    check("[fd00::1]", &["fd00::1"]);
    check("::ffff:10.0.0.1", &["10.0.0.1"]);
    check("10.0.0.0/30", &["10.0.0.0-10.0.0.3"]);
    check("10.0.0.42/32", &["10.0.0.42"]);
    check("10.1.2.3/8", &["10.0.0.0-10.255.255.255"]);
    check("0.0.0.0/0", &["0.0.0.0-255.255.255.255"]);
    check("fd00::5/126", &["fd00::4-fd00::7"]);
    check("::/0", &["::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]);
    check("::ffff:10.0.0.7/126", &["10.0.0.4-10.0.0.7"]);
    check("10.0.0.1-20", &["10.0.0.1-10.0.0.20"]);
    check("10.0.0.1-10.0.1.5", &["10.0.0.1-10.0.1.5"]);
    check("10.0.0.1 - 10.0.0.2", &["10.0.0.1-10.0.0.2"]);
    check("10.0.0.7-7", &["10.0.0.7"]);
    check("fd00::1-fd00::1:5", &["fd00::1-fd00::1:5"]);
    check("fd00::1-ff", &["fd00::1-fd00::ff"]);
}

#[test]
fn a_port_or_a_url_means_one_service() {
    check("10.0.0.1:8080", &["10.0.0.1 8080"]);
    check("[fd00::1]:8080", &["fd00::1 8080"]);
    check("box.example:8080", &["box.example 8080"]);
    check("http://10.0.0.1", &["10.0.0.1 80 http"]);
    check("https://10.0.0.1/", &["10.0.0.1 443 https"]);
    check("HTTPS://Box.Example:8443", &["box.example 8443 https"]);
    check("http://[fd00::1]:11434/", &["fd00::1 11434 http"]);
    check("http://[::ffff:10.0.0.1]:1/", &["10.0.0.1 1 http"]);
}

#[test]
fn names_are_kept_as_they_are_compared() {
    check("localhost", &["localhost 0"]);
    check("Box.Example.", &["box.example 0"]);
    check("my-box_1", &["my-box_1 0"]);
    check("ip-10-0-0-1.internal", &["ip-10-0-0-1.internal 0"]);
    check("bücher.example", &["xn--bcher-kva.example 0"]);
}

#[test]
fn lists_are_merged_and_nothing_stands_twice() {
    check(
        "10.0.0.1,10.0.0.2, 10.0.0.0/30 ,b.example,a.example:80",
        &["10.0.0.0-10.0.0.3", "a.example 80", "b.example 0"],
    );
    assert_eq!(
        read(&["10.0.0.0/31", "10.0.0.2", "x", "X", "10.0.0.1:80", "10.0.0.1:80"], &[]).unwrap(),
        ["10.0.0.0-10.0.0.2", "10.0.0.1 80", "x 0"]
    );
}

#[test]
fn what_follows_a_host_is_left_out_and_told() {
    let targets = Targets::read(["http://10.0.0.1:8080/v1/models?key=s3cret#x"], |_| Ok(Vec::new())).unwrap();
    assert_eq!(
        targets.notes(),
        ["`http://10.0.0.1:8080/v1/models`: services are scanned, so what follows the host is left out"]
    );
    assert_eq!(targets.sites.len(), 1);
    // Otherwise `b` would be taken for a target.
    check_bad("http://10.0.0.1/a,b", "`http://10.0.0.1/a` has a path, which a list with commas can't hold");
}

#[test]
fn a_word_that_is_no_target_is_told_with_what_is_wrong() {
    for (word, what) in [
        ("", "is empty, and a target is expected"),
        ("10.0.0.0/33", "needs a number from 0 to 32 after its `/`"),
        ("10.0.0.0/", "needs a number from 0 to 32 after its `/`"),
        ("10.0.0.0/+8", "needs a number from 0 to 32 after its `/`"),
        ("10.0.0.0/8:80", "needs a number from 0 to 32 after its `/`"),
        ("fd00::/129", "needs a number from 0 to 128 after its `/`"),
        ("box/24", "has something other than an address before its `/`"),
        ("10.0.0.9-3", "ends before it begins"),
        ("10.0.0.1-256", "needs an address, or a number up to 255, after its `-`"),
        ("10.0.0.1-", "needs an address, or a number up to 255, after its `-`"),
        ("fd00::1-12345", "needs an address, or up to four hexadecimal digits, after its `-`"),
        ("fd00::1-+1", "needs an address, or up to four hexadecimal digits, after its `-`"),
        ("10.0.0.1-fd00::1", "goes from one family of addresses to the other"),
        ("10.0.0.1:0", "has no port from 1 to 65535 after its `:`"),
        ("10.0.0.1:99999", "has no port from 1 to 65535 after its `:`"),
        ("10.0.0.1:", "has no port from 1 to 65535 after its `:`"),
        ("http://10.0.0.1:0/", "has no port from 1 to 65535 after its `:`"),
        ("fd00::zz:1", "is no IPv6 address; one with a port is written `[address]:port`"),
        ("[fd00::1", "has a `[` without its `]`"),
        ("[fd00::1]80", "has something other than a port after its `]`"),
        ("[10.0.0.1]:80", "has something other than an IPv6 address in its brackets"),
        ("[fe80::1%eth0]:80", "names a network card, and link-local addresses are not scanned"),
        ("fe80::1%eth0", "is no IPv6 address; one with a port is written `[address]:port`"),
        ("10.1", "is not a whole address; all four of its numbers are needed, in decimal"),
        ("2130706433", "is not a whole address; all four of its numbers are needed, in decimal"),
        ("0x7f.1", "is not a whole address; all four of its numbers are needed, in decimal"),
        ("10.0.0.256", "is neither an address nor a name"),
        ("a b", "is neither an address nor a name"),
        ("-rf", "is neither an address nor a name"),
        ("a..b", "is neither an address nor a name"),
        ("b\u{1b}[31m", "is neither an address nor a name"),
        ("ftp://10.0.0.1/", "is neither http nor https"),
        ("file:///etc/hosts", "is neither http nor https"),
        ("http:///x", "is no URL: there is no host right after its `//`"),
        ("http://\\x", "is no URL: there is no host right after its `//`"),
        ("http://a\tb", "is no URL: it has blanks in it"),
        ("http://", "is no URL: empty host"),
    ] {
        let found = read(&[word], &[]).unwrap_err();
        assert_eq!(found.len(), 1, "{word}: {found:?}");
        assert!(found[0].ends_with(what), "{word}: {found:?}");
        assert!(found[0].starts_with(&format!("`{word}` ")), "{word}: {found:?}");
    }
    check_bad("10.0.0.1,,10.0.0.2", "`` is empty, and a target is expected");
    check_bad(&"a".repeat(64), &format!("`{}` is neither an address nor a name", "a".repeat(64)));
    let long = format!("{}b", "a.".repeat(127));
    check_bad(&long, &format!("`{}…` is neither an address nor a name", &long[..120]));
}

#[test]
fn passwords_are_refused_and_not_repeated() {
    let what = "has a user or password in it; a target is only a place";
    check_bad("http://me:s3cret@10.0.0.1/", &format!("`http://…@10.0.0.1/` {what}"));
    check_bad("https://s3cret@10.0.0.1/?token=s3cret", &format!("`https://…@10.0.0.1/` {what}"));
    check_bad("me:s3cret@10.0.0.1", &format!("`…@10.0.0.1` {what}"));
    for word in ["http://me:s3/cret@10.0.0.1:x/", "ftp://me:s3cret@h/", "http://h:x/?k=s3cret", "me:s3cret@h,@no"] {
        let text = read(&[word], &[]).unwrap_err().join("\n");
        assert!(!text.contains("s3cret") && !text.contains("s3/cret"), "{text}");
    }
}

#[test]
fn a_file_holds_a_target_a_line() {
    let files = [("hosts", "\u{feff}# ours\r\n10.0.0.0/30\r\n\n  10.0.0.0/30\n10.0.0.1\nbox.example:80, 10.0.0.9\n")];
    let expected = ["10.0.0.0-10.0.0.3", "10.0.0.9", "box.example 80"];
    assert_eq!(read(&["@hosts"], &files).unwrap(), expected);
    assert_eq!(read(&["10.0.0.2,@hosts"], &files).unwrap(), expected);
    // A file whose name has a comma can be named alone.
    assert_eq!(read(&["@a,b"], &[("a,b", "x")]).unwrap(), ["x 0"]);
}

#[test]
fn every_bad_line_of_a_file_is_told_with_its_place() {
    let text = "10.0.0.1\n10.0.0.0/99\n# fine\n@other\nfile:///etc/hosts\n";
    assert_eq!(
        read(&["@list", "@gone", "@empty", "10.0.0.0/40"], &[("list", text), ("empty", "\n# nothing\n")]).unwrap_err(),
        [
            "list:2: `10.0.0.0/99` needs a number from 0 to 32 after its `/`",
            "list:4: `@other` names a file, and files name no further files",
            "list:5: `file:///etc/hosts` is neither http nor https",
            "`@gone` can't be read: entity not found",
            "`@empty` holds no targets",
            "`10.0.0.0/40` needs a number from 0 to 32 after its `/`",
        ]
    );
}

#[test]
fn files_lines_and_lists_have_limits() {
    let long_line = format!("10.0.0.1\n{}\n", "a".repeat(LINE + 1));
    assert_eq!(read(&["@f"], &[("f", &long_line)]).unwrap_err(), ["f:2: the line is longer than 4096 bytes"]);
    let long = "#".repeat(FILE + 1);
    assert_eq!(read(&["@f"], &[("f", &long)]).unwrap_err(), ["`@f` is longer than 16777216 bytes"]);
    let many = "10.0.0.1\n".repeat(TARGETS);
    assert_eq!(read(&["@f"], &[("f", &many)]).unwrap(), ["10.0.0.1"]);
    assert_eq!(
        read(&["@f"], &[("f", &(many + "10.0.0.2\n10.0.0.3"))]).unwrap_err(),
        ["f:262145: `10.0.0.2` comes after 262144 others, and there may be no more"]
    );
    let bad = "?\n".repeat(TOLD + 7);
    let told = read(&["@f"], &[("f", &bad)]).unwrap_err();
    assert_eq!((told.len(), told.last().unwrap().as_str()), (TOLD + 1, "and 7 more"));
    let error = Targets::read(["@f"], |_| Ok(b"10.0.0.1\n\xff\n".to_vec())).unwrap_err();
    assert_eq!(error.to_string(), "f:2: the line is not UTF-8");
}

#[test]
fn a_file_is_read_no_further_than_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    std::fs::write(&path, "10.0.0.1\n").unwrap();
    assert_eq!(read_list(path.to_str().unwrap()).unwrap(), b"10.0.0.1\n");
    File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(read_list(path.to_str().unwrap()).unwrap().len(), FILE + 1);
}
