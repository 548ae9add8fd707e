use std::io::Write as _;

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};

use super::super::*;

const FILE: u8 = b'0';
const DIRECTORY: u8 = b'5';

/// A header as it stands, whatever it says.
fn header(name: &[u8], sort: u8, size: u64) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    let field = &mut header.as_old_mut().name;
    assert!(name.len() <= field.len());
    field[..name.len()].copy_from_slice(name);
    header.set_entry_type(tar::EntryType::new(sort));
    header.set_size(size);
    header.set_cksum();
    header
}

/// One entry with its padding.
fn entry(name: impl AsRef<[u8]>, sort: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = header(name.as_ref(), sort, content.len() as u64).as_bytes().to_vec();
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive of these entries, with its end mark.
fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = entries.concat();
    bytes.extend([0; 1024]);
    gzip(&bytes)
}

fn rule() -> Vec<u8> {
    entry("a.yaml", FILE, b"id: a\n")
}

fn open(bytes: &[u8]) -> Result<Vec<String>, String> {
    let opened = verify(bytes, &[], Trust::Anybody).and_then(Trusted::unpack);
    opened.map(|opened| opened.files.into_iter().map(|file| file.name).collect()).map_err(|refusal| refusal.to_string())
}

#[track_caller]
fn check(bytes: &[u8], expected: Result<&[&str], &str>) {
    let got = open(bytes);
    match (&got, expected) {
        (Ok(names), Ok(expected)) => assert_eq!(names, expected),
        (Err(reason), Err(expected)) => assert_eq!(reason, expected),
        _ => panic!("{got:?}, not {expected:?}"),
    }
}

/// An archive with one more entry than a good one.
#[track_caller]
fn check_with(more: Vec<u8>, expected: Result<&[&str], &str>) {
    check(&archive(&[rule(), more]), expected);
}

#[test]
fn files_and_directories_are_unpacked_and_what_is_no_rule_is_left_out() {
    check(&archive(&[rule()]), Ok(&["a.yaml"]));
    check(
        &archive(&[
            entry("./", DIRECTORY, b""),
            entry("./b/", DIRECTORY, b""),
            entry("./b/c.yml", FILE, b"id: c\n"),
            entry("./b/._c.yml", FILE, b"\0\x05\x16\x07"),
            entry("./LICENSE", FILE, b"free"),
            entry("./a.yaml", b'\0', b"id: a\n"),
        ]),
        Ok(&["a.yaml", "b/c.yml"]),
    );
    check(&archive(&[entry("README", FILE, b"hello")]), Err("there is no rule file (*.yaml, *.yml) in it"));
    check(&archive(&[]), Err("there is no rule file (*.yaml, *.yml) in it"));
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    for (name, expected) in [
        ("../b.yaml", "`../b.yaml` in it has a path that leads out of the bundle"),
        ("b/../../b.yaml", "`b/../../b.yaml` in it has a path that leads out of the bundle"),
        ("/etc/b.yaml", "`/etc/b.yaml` in it has an absolute path"),
        (
            "C:\\b.yaml",
            "`C:\\b.yaml` in it has a path with other characters than plain ones: ASCII without `\\` and `:`",
        ),
        ("b.yaml/", "`b.yaml/` in it has a path with an empty part or a `.` in it"),
        ("b\n.yaml", "`b\n.yaml` in it has a control character in its path"),
        (
            "b\u{202e}.yaml",
            "`b\u{202e}.yaml` in it has a path with other characters than plain ones: ASCII without `\\` and `:`",
        ),
        (".", "`.` in it is a file without a name"),
        ("", "`` in it is a file without a name"),
    ] {
        check_with(entry(name, FILE, b"id: b\n"), Err(expected));
    }
    check_with(entry("../", DIRECTORY, b""), Err("`..` in it has a path that leads out of the bundle"));
    check_with(entry(b"b\xff.yaml", FILE, b"id: b\n"), Err("`b\u{fffd}.yaml` in it has a path that is not UTF-8"));
    let mut prefixed = header(b"passwd.yaml", FILE, 0);
    prefixed.as_ustar_mut().unwrap().prefix[..3].copy_from_slice(b"../");
    prefixed.set_cksum();
    let reason = open(&archive(&[rule(), prefixed.as_bytes().to_vec()])).unwrap_err();
    assert!(reason.contains("has a path that leads out of the bundle"), "{reason}");
}

#[test]
fn everything_but_files_and_directories_is_refused() {
    let renames = "is an extension that renames the next entry; use `--format=ustar` and shorter names";
    let changes = "is an extension that changes other entries; use `--format=ustar`";
    for (sort, expected) in [
        (b'1', "is a hard link"),
        (b'2', "is a symbolic link"),
        (b'3', "is a device"),
        (b'4', "is a device"),
        (b'6', "is a FIFO"),
        (b'7', "is neither a file nor a directory"),
        (b'S', "is a sparse file"),
        (b'L', renames),
        (b'K', renames),
        (b'x', changes),
        (b'g', changes),
        (b'Z', "is neither a file nor a directory"),
    ] {
        check_with(entry("b.yaml", sort, b""), Err(&format!("`b.yaml` in it {expected}")));
    }
}

#[test]
fn extensions_change_neither_sizes_nor_names() {
    let size = entry("PaxHeaders/b.yaml", b'x', b"18 size=1099511627776\n");
    let changed = archive(&[rule(), size, entry("b.yaml", FILE, b"id: b\n")]);
    let refused = "`PaxHeaders/b.yaml` in it is an extension that changes other entries; use `--format=ustar`";
    check(&changed, Err(refused));
    let name = entry("././@LongLink", b'L', b"../../b.yaml\0");
    let reason = open(&archive(&[rule(), name, entry("b.yaml", FILE, b"id: b\n")])).unwrap_err();
    assert!(reason.contains("is an extension that renames the next entry"), "{reason}");
}

#[test]
fn a_path_is_there_once_whatever_its_case() {
    check_with(rule(), Err("`a.yaml` in it is there twice, or only its case differs"));
    check_with(entry("./A.YAML", FILE, b""), Err("`./A.YAML` in it is there twice, or only its case differs"));
    check_with(entry("a.yaml/", DIRECTORY, b""), Err("`a.yaml` in it is there twice, or only its case differs"));
}

#[test]
fn what_is_too_large_or_too_many_is_refused() {
    let most = vec![b'#'; crate::limits::FILE_BYTES];
    check_with(entry("b.yaml", FILE, &most), Ok(&["a.yaml", "b.yaml"]));
    let more = vec![b'#'; crate::limits::FILE_BYTES + 1];
    for name in ["b.yaml", "README"] {
        let expected = format!("`{name}` in it has 262145 bytes, which is more than 262144");
        check_with(entry(name, FILE, &more), Err(&expected));
    }
    check_with(entry("b/", DIRECTORY, b"x"), Err("`b/` in it has 1 bytes, which is more than 0"));
    let many = |count: usize| (0..count).map(|number| entry(format!("{number}.yaml"), FILE, b"")).collect::<Vec<_>>();
    assert_eq!(open(&archive(&many(limits::ENTRIES))).unwrap().len(), limits::ENTRIES);
    check(&archive(&many(limits::ENTRIES + 1)), Err("the archive holds more than 10000 files and directories"));
    let mut huge = archive(&[rule()]);
    huge.resize(limits::ARCHIVE_BYTES + 1, 0);
    check(&huge, Err("the archive has more than 16777216 bytes"));
}

/// A gzip stream of a beginning and then 10 GB of nothing, which takes 10 MB.
fn bomb(start: &[u8]) -> Vec<u8> {
    const CHUNK: usize = 100 << 20;
    // Full flushes end at a byte and refer to nothing before them, so that one chunk can stand there again and again.
    let deflate = |bytes: &[u8]| {
        let mut out = Vec::with_capacity(1 << 20);
        let mut compress = Compress::new(Compression::best(), false);
        compress.compress_vec(bytes, &mut out, FlushCompress::Full).unwrap();
        assert_eq!(compress.total_in(), bytes.len() as u64);
        out
    };
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    bytes.extend(deflate(start));
    bytes.extend(deflate(&vec![0; CHUNK]).repeat((10 << 30) / CHUNK));
    assert!(bytes.len() <= limits::ARCHIVE_BYTES, "{} bytes", bytes.len());
    bytes
}

#[test]
fn ten_gigabytes_are_not_unpacked() {
    let too_much = "the archive has more than 67108864 bytes when unpacked";
    let declared = [rule(), header(b"b.yaml", FILE, 10 << 30).as_bytes().to_vec()].concat();
    let cases = [
        (bomb(&rule()), too_much),
        (bomb(&declared), "`b.yaml` in it has 10737418240 bytes, which is more than 262144"),
    ];
    for (bytes, expected) in cases {
        let mut got = Ok(Vec::new());
        let used = allocation_counter::measure(|| got = open(&bytes));
        assert_eq!(got, Err(expected.to_owned()));
        assert!(used.bytes_max < 1 << 20, "{} bytes were held at a time", used.bytes_max);
    }
}

#[test]
fn many_files_that_are_small_alone_are_stopped_as_well() {
    let content = vec![b'#'; crate::limits::FILE_BYTES];
    let many: Vec<Vec<u8>> = (0..260).map(|number| entry(format!("{number}.txt"), FILE, &content)).collect();
    check(&archive(&many), Err("the archive has more than 67108864 bytes when unpacked"));
}

#[test]
fn an_archive_that_is_cut_off_is_refused() {
    let whole = archive(&[rule()]);
    for length in 2..whole.len() {
        let reason = open(&whole[..length]).unwrap_err();
        assert!(
            reason.starts_with("the archive is cut off") || reason.starts_with("the archive is damaged"),
            "{reason}"
        );
    }
    check(&whole[..1], Err("the archive is not a gzip file"));
    check(b"", Err("the archive is not a gzip file"));
    check(&gzip(&rule()), Err("the archive is cut off: its end mark is missing"));
    let half = [rule(), vec![0; 512]].concat();
    check(&gzip(&half), Err("the archive is cut off: its end mark is missing"));
    let mut within = header(b"b.yaml", FILE, 1000).as_bytes().to_vec();
    within.extend([b'#'; 100]);
    check(&gzip(&[rule(), within].concat()), Err("`b.yaml` in it is cut off: the archive ends in it"));
    check(&gzip(&rule()[..300]), Err("the archive is damaged: failed to read entire block"));
}

#[test]
fn an_archive_that_was_tampered_with_is_refused() {
    let mut wrong_sum = rule();
    wrong_sum[0] = b'b';
    check(&archive(&[wrong_sum]), Err("the archive is damaged: archive header checksum mismatch"));
    let mut wrong_crc = archive(&[rule()]);
    let at = wrong_crc.len() - 6;
    wrong_crc[at] ^= 1;
    check(&wrong_crc, Err("the archive is damaged: corrupt gzip stream does not have a matching checksum"));
    check(&rule(), Err("the archive is not a gzip file"));
    check(&gzip(b"hello"), Err("the archive is damaged: failed to read entire block"));
}

#[test]
fn nothing_may_follow_the_end() {
    let good = archive(&[rule()]);
    let padded = gzip(&[rule(), vec![0; 10_240]].concat());
    check(&padded, Ok(&["a.yaml"]));
    let hidden = gzip(&[rule(), vec![0; 1024], entry("b.yaml", FILE, b"id: b\n"), vec![0; 1024]].concat());
    check(&hidden, Err("the archive goes on after its end"));
    let one_block = gzip(&[rule(), vec![0; 512], entry("b.yaml", FILE, b"id: b\n"), vec![0; 1024]].concat());
    check(&one_block, Err("the archive goes on after its end"));
    check(&[good.clone(), b"!".to_vec()].concat(), Err("the archive has 1 bytes after its end"));
    check(&[good.clone(), vec![0; 7]].concat(), Err("the archive has 7 bytes after its end"));
    let members = "the archive holds more than one gzip member; compress it in one go";
    check(&[good.clone(), good].concat(), Err(members));
    let split = [gzip(&rule()), gzip(&[0; 1024])].concat();
    check(&split, Err("the archive is cut off: its end mark is missing"));
}
