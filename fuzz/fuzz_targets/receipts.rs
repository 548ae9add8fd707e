//! Any bytes as receipts, as a checkpoint and as a key file: reading them ends, says the same twice, and never says that
//! something is verified that nobody signed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tracehound_evidence::receipt::{Checkpoint, Keys, Lines, Object, PublicKey, Status, verify};

const KEY: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";

fuzz_target!(|bytes: &[u8]| {
    let Ok(key) = KEY.parse::<PublicKey>() else { return };
    // The vectors that the corpus may hold are signed by this key, so it is trusted in one run only.
    let (keys, nobody): (Keys, Keys) = ([key].into_iter().collect(), Keys::default());
    let report = verify(Lines::new(bytes), &keys, None).ok();
    assert_eq!(report, verify(Lines::new(bytes), &keys, None).ok());
    assert!(verify(Lines::new(bytes), &nobody, None).is_ok_and(|report| report.status != Status::Verified));
    if let Ok(object) = Object::parse(bytes) {
        let text = object.canonical_without(&[]);
        assert_eq!(Object::parse(text.as_bytes()).ok(), Some(object));
    }
    let _ = Checkpoint::parse(bytes).map(|checkpoint| assert!(checkpoint.verify(&nobody).is_err()));
    let _ = std::str::from_utf8(bytes).map(Keys::parse);
});
