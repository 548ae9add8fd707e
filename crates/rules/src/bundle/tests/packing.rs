use super::super::*;
use super::file;

#[test]
fn what_is_packed_is_unpacked_the_same_from_the_same_bytes() {
    let (a, b) = (file("a.yaml", "id: a\n"), file("b/b.yml", "id: b\n"));
    let packed = pack(&[b.clone(), a.clone()]).unwrap();
    assert_eq!(packed, pack(&[a.clone(), b.clone()]).unwrap(), "the order does not matter");
    // Method, flags, time and system of the gzip header say nothing of who packed and when.
    assert_eq!(packed[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
    let opened = verify(&packed, &[], Trust::Anybody).unwrap().unpack().unwrap();
    assert_eq!(opened.files, [a, b]);
    assert_eq!(opened.digest, Some(hash::content(&packed)));
    assert!(opened.has_manifest);
}

#[test]
fn what_would_be_refused_is_not_packed() {
    let refused = |files: &[RuleFile]| pack(files).unwrap_err().to_string();
    assert_eq!(refused(&[]), "there is no rule file (*.yaml, *.yml) in it");
    assert_eq!(refused(&[file("../a.yaml", "")]), "`../a.yaml` in it has a path that leads out of the bundle");
    assert_eq!(refused(&[file("README", "")]), "`README` in it is not the plain path of a rule file");
    assert_eq!(refused(&[file("./a.yaml", "")]), "`./a.yaml` in it is not the plain path of a rule file");
    let twice = [file("a.yaml", ""), file("A.yaml", "")];
    assert_eq!(refused(&twice), "`A.yaml` in it is there twice, or only its case differs");
    let name = format!("{}.yaml", "a".repeat(150));
    assert_eq!(refused(&[file(&name, "")]), format!("`{name}` in it has a path that does not fit an archive"));
    let text = "#".repeat(crate::limits::FILE_BYTES);
    let many: Vec<RuleFile> = (0..260).map(|number| file(&format!("{number}.yaml"), &text)).collect();
    assert_eq!(refused(&many), "the archive has more than 67108864 bytes when unpacked");
}

#[test]
fn an_archive_with_a_manifest_that_is_not_true_is_refused() {
    // The manifest speaks of `id: a`; the file behind it says something else.
    let packed = pack(&[file("a.yaml", "id: a\n")]).unwrap();
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut plain).unwrap();
    let at = plain.windows(6).position(|part| part == b"id: a\n").unwrap();
    plain[at + 4] = b'b';
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, &plain).unwrap();
    let altered = encoder.finish().unwrap();
    let refusal = verify(&altered, &[], Trust::Anybody).unwrap().unpack().unwrap_err();
    assert_eq!(refusal.to_string(), "its manifest lists `a.yaml` with another digest: the file was altered");
}
