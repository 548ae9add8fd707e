//! Any bytes: as an archive they are refused or give plain, different names; as a manifest, a key or a signature they are
//! read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_rules::bundle::{PublicKey, SignatureFile, Trust, Trusted, limits, pack, verify};

const KEY: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAaL2tYo/uvqGr1GBk/bQLWnNfdm7GY+EUjk5boyUCUbs=
-----END PUBLIC KEY-----
";

fuzz_target!(|bytes: &[u8]| {
    let open = || verify(bytes, &[], Trust::Anybody).and_then(Trusted::unpack);
    let opened = open();
    assert_eq!(opened, open());
    if let Ok(opened) = opened {
        assert!(opened.files.len() <= limits::ENTRIES && opened.files.is_sorted_by(|a, b| a.name < b.name));
        assert!(opened.files.iter().all(|file| !file.name.starts_with('/') && !file.name.contains("../")));
        let again = pack(&opened.files).map(|packed| {
            verify(&packed, &[], Trust::Anybody).and_then(Trusted::unpack).map(|again| again.files)
        });
        // Not every accepted path fits the header that we write; what fits is read again as it was.
        assert!(again.is_err() || again == Ok(Ok(opened.files)));
    }
    let _ = verify(bytes, &[], Trust::Anybody).and_then(|manifest| manifest.list(Vec::new()));
    let _ = PublicKey::read(bytes);
    if let Ok(key) = PublicKey::read(KEY.as_bytes()) {
        let file = SignatureFile { name: "fuzz.sig".to_owned(), bytes: bytes.to_vec() };
        assert!(verify(b"nobody signed this", &[file], Trust::Key(&key)).is_err());
    }
});
