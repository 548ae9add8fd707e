use serde_json::{Value, json};

use super::super::*;
use super::vectors::*;

/// Checks one signature file over a message with a key.
#[track_caller]
fn check(key: &str, bytes: &str, message: &[u8], expected: Result<Form, &str>) {
    let key = PublicKey::read(key.as_bytes()).expect("it is a key");
    let file = SignatureFile { name: "a.sig".to_owned(), bytes: bytes.as_bytes().to_vec() };
    match (verify(message, &[file], Trust::Key(&key)), expected) {
        (Ok(trusted), Ok(form)) => assert_eq!(trusted.proof, Proof::Signed(vec![("a.sig".to_owned(), form)])),
        (Err(Refusal::Signature { reason, .. }), Err(expected)) => assert!(reason.contains(expected), "{reason}"),
        (got, expected) => panic!("{got:?}, not {expected:?}"),
    }
}

const NOT_MADE: Result<Form, &str> = Err("it was not made by the key");

fn sigstore(signature: &str, algorithm: &str, digest: &str) -> Value {
    json!({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": { "publicKey": { "hint": "" }, "tlogEntries": [{ "logIndex": "7" }] },
        "messageSignature": {
            "messageDigest": { "algorithm": algorithm, "digest": digest },
            "signature": signature
        }
    })
}

/// A sigstore bundle that holds, with a change.
#[track_caller]
fn check_sigstore(change: impl FnOnce(&mut Value), expected: Result<Form, &str>) {
    let mut bundle = sigstore(P256_SIGNATURE, "SHA2_256", SHA256);
    change(&mut bundle);
    check(P256_KEY, &bundle.to_string(), MESSAGE, expected);
}

#[test]
fn a_detached_signature_of_each_sort_of_key_holds_for_its_bytes_only() {
    for (key, signature) in [
        (P256_KEY, P256_SIGNATURE),
        (P384_KEY, P384_SIGNATURE),
        (ED25519_KEY, ED25519_SIGNATURE),
        (RSA_KEY, RSA_SIGNATURE),
    ] {
        check(key, signature, MESSAGE, Ok(Form::Detached));
        check(key, signature, b"a bundle of rules", NOT_MADE);
        check(key, signature, b"", NOT_MADE);
        for other in [P256_SIGNATURE, P384_SIGNATURE, ED25519_SIGNATURE, RSA_SIGNATURE] {
            if other != signature {
                check(key, other, MESSAGE, NOT_MADE);
            }
        }
    }
}

#[test]
fn another_key_of_the_same_sort_has_not_signed() {
    check(OTHER_P256_KEY, OTHER_P256_SIGNATURE, MESSAGE, Ok(Form::Detached));
    check(OTHER_P256_KEY, P256_SIGNATURE, MESSAGE, NOT_MADE);
    check(P256_KEY, OTHER_P256_SIGNATURE, MESSAGE, NOT_MADE);
}

#[test]
fn a_key_goes_with_one_hash_and_one_padding() {
    check(P256_KEY, P256_WITH_SHA384, MESSAGE, NOT_MADE);
    check(P384_KEY, P384_WITH_SHA256, MESSAGE, NOT_MADE);
    check(RSA_KEY, RSA_PSS, MESSAGE, NOT_MADE);
}

#[test]
fn a_detached_signature_may_be_wrapped_but_nothing_else() {
    let (start, end) = P256_SIGNATURE.split_at(40);
    check(P256_KEY, &format!("{start}\n{end}\r\n"), MESSAGE, Ok(Form::Detached));
    check(P256_KEY, "", MESSAGE, Err("it is empty"));
    check(P256_KEY, " \n", MESSAGE, Err("it is empty"));
    check(P256_KEY, "====", MESSAGE, Err("it is not base64"));
    check(P256_KEY, start, MESSAGE, NOT_MADE);
    check(P256_KEY, &format!("{P256_SIGNATURE}{P256_SIGNATURE}"), MESSAGE, Err("it is not base64"));
    check(P256_KEY, "not a signature", MESSAGE, Err("it is not base64"));
    let too_long = "A".repeat(limits::SIGNATURE_BYTES + 1);
    check(P256_KEY, &too_long, MESSAGE, Err("it has more than 262144 bytes"));
    check(P256_KEY, &too_long[1..], MESSAGE, NOT_MADE);
    let binary = SignatureFile { name: "a.sig".to_owned(), bytes: vec![0x30, 0x45, 0xff] };
    let key = PublicKey::read(P256_KEY.as_bytes()).unwrap();
    let refusal = verify(MESSAGE, &[binary], Trust::Key(&key)).unwrap_err();
    assert!(refusal.to_string().contains("`a.sig` does not hold: it is not text"), "{refusal}");
}

#[test]
fn a_sigstore_bundle_of_each_sort_of_key_holds() {
    for (key, signature, algorithm, digest) in [
        (P256_KEY, P256_SIGNATURE, "SHA2_256", SHA256),
        (P384_KEY, P384_SIGNATURE, "SHA2_384", SHA384),
        (RSA_KEY, RSA_SIGNATURE, "SHA2_256", SHA256),
        (ED25519_KEY, ED25519_SIGNATURE, "SHA2_512", SHA512),
    ] {
        let bundle = sigstore(signature, algorithm, digest).to_string();
        check(key, &bundle, MESSAGE, Ok(Form::Sigstore));
        check(key, &bundle, b"other", Err("its digest is of other bytes"));
    }
}

#[test]
fn every_version_of_the_sigstore_bundle_is_read_and_no_other() {
    for known in ["+json;version=0.1", "+json;version=0.2", "+json;version=0.3", ".v0.3+json", ".v0.3.2+json"] {
        let media_type = format!("application/vnd.dev.sigstore.bundle{known}");
        check_sigstore(|bundle| bundle["mediaType"] = json!(media_type), Ok(Form::Sigstore));
    }
    for unknown in ["+json;version=0.4", ".v0.4+json", ".v0.3.+json", ".v0.30+json", ".v0.3.x+json", ""] {
        let media_type = format!("application/vnd.dev.sigstore.bundle{unknown}");
        check_sigstore(|bundle| bundle["mediaType"] = json!(media_type), Err("versions 0.1 to 0.3 are read"));
    }
}

#[test]
fn a_sigstore_bundle_for_something_else_is_refused_with_the_reason() {
    check_sigstore(|_| {}, Ok(Form::Sigstore));
    let digest = |algorithm: &'static str, value: &'static str| {
        move |bundle: &mut Value| {
            bundle["messageSignature"]["messageDigest"] = json!({ "algorithm": algorithm, "digest": value });
        }
    };
    check_sigstore(digest("SHA2_256", SHA384), Err("its digest is of other bytes"));
    check_sigstore(digest("SHA2_256", "?"), Err("its `digest` is not base64"));
    check_sigstore(digest("MD5", SHA256), Err("its digest is by `MD5`"));
    check_sigstore(|bundle| bundle["messageSignature"]["messageDigest"] = Value::Null, Ok(Form::Sigstore));
    check_sigstore(|bundle| bundle["messageSignature"]["signature"] = json!(""), Err("its signature is empty"));
    check_sigstore(|bundle| bundle["messageSignature"]["signature"] = json!("?"), Err("`signature` is not base64"));
    check_sigstore(|bundle| bundle["messageSignature"]["signature"] = json!(OTHER_P256_SIGNATURE), NOT_MADE);
    check_sigstore(|bundle| bundle["messageSignature"] = Value::Null, Err("it has no `messageSignature`"));
    let envelope = json!({ "payload": "e30=", "payloadType": "application/vnd.in-toto+json", "signatures": [] });
    check_sigstore(|bundle| bundle["dsseEnvelope"] = envelope, Err("it holds an attestation"));
    let keyless = "it was signed with a certificate (keyless)";
    for member in ["certificate", "x509CertificateChain"] {
        check_sigstore(|bundle| bundle["verificationMaterial"][member] = json!({}), Err(keyless));
    }
    check_sigstore(|bundle| bundle["verificationMaterial"] = json!({}), Err("names no public key"));
    check_sigstore(|bundle| bundle["verificationMaterial"] = json!(7), Err("it is neither"));
    check_sigstore(|bundle| bundle["base64Signature"] = json!(P256_SIGNATURE), Err("it is neither"));
    check(P256_KEY, "{", MESSAGE, Err("it is neither"));
    check(P256_KEY, "{}", MESSAGE, Err("it is neither"));
    let twice = r#"{ "mediaType": "a", "mediaType": "b" }"#;
    check(P256_KEY, twice, MESSAGE, Err("duplicate field"));
}

#[test]
fn a_hint_at_another_key_is_told_when_the_signature_does_not_hold() {
    let hint =
        |value: String| move |bundle: &mut Value| bundle["verificationMaterial"]["publicKey"]["hint"] = json!(value);
    let own = PublicKey::read(P256_KEY.as_bytes()).unwrap().hint();
    check_sigstore(hint(own), Ok(Form::Sigstore));
    // A hint is not signed, so it decides nothing.
    check_sigstore(hint("another".to_owned()), Ok(Form::Sigstore));
    let other = PublicKey::read(OTHER_P256_KEY.as_bytes()).unwrap().hint();
    let mut bundle = sigstore(OTHER_P256_SIGNATURE, "SHA2_256", SHA256);
    bundle["verificationMaterial"]["publicKey"]["hint"] = json!(other);
    check(P256_KEY, &bundle.to_string(), MESSAGE, Err("it hints at another key"));
}

#[test]
fn a_prehashed_signature_is_named_as_what_it_may_be() {
    let bundle = sigstore(P256_SIGNATURE, "SHA2_512", SHA512).to_string();
    check(ED25519_KEY, &bundle, MESSAGE, Err("it may be Ed25519ph, which is not verified"));
}

#[test]
fn a_bundle_of_cosigns_own_holds_without_its_log() {
    let own = |signature: &str, cert: &str| {
        let log = json!({ "SignedEntryTimestamp": "AA==", "Payload": { "logIndex": 7 } });
        json!({ "base64Signature": signature, "cert": cert, "rekorBundle": log }).to_string()
    };
    check(P256_KEY, &own(P256_SIGNATURE, ""), MESSAGE, Ok(Form::Cosign));
    check(ED25519_KEY, &own(ED25519_SIGNATURE, ""), MESSAGE, Ok(Form::Cosign));
    check(P256_KEY, &json!({ "base64Signature": P256_SIGNATURE }).to_string(), MESSAGE, Ok(Form::Cosign));
    check(P256_KEY, &own(P256_SIGNATURE, ""), b"other", NOT_MADE);
    check(P256_KEY, &own(OTHER_P256_SIGNATURE, ""), MESSAGE, NOT_MADE);
    check(P256_KEY, &own(P256_SIGNATURE, "LS0tLS1CRUdJTg=="), MESSAGE, Err("it was signed with a certificate"));
    check(P256_KEY, &own("", ""), MESSAGE, Err("its signature is empty"));
    check(P256_KEY, &own("?", ""), MESSAGE, Err("its `base64Signature` is not base64"));
    check(P256_KEY, r#"{ "base64Signature": 7 }"#, MESSAGE, Err("it is neither"));
}

#[test]
fn every_signature_that_is_there_has_to_hold() {
    let key = PublicKey::read(P256_KEY.as_bytes()).unwrap();
    let file = |name: &str, bytes: String| SignatureFile { name: name.to_owned(), bytes: bytes.into_bytes() };
    let good = file("a.sig", P256_SIGNATURE.to_owned());
    let also = file("a.sigstore.json", sigstore(P256_SIGNATURE, "SHA2_256", SHA256).to_string());
    let bad = file("a.bundle", OTHER_P256_SIGNATURE.to_owned());
    let trusted = verify(MESSAGE, &[good.clone(), also], Trust::Key(&key)).unwrap();
    let forms = [("a.sig".to_owned(), Form::Detached), ("a.sigstore.json".to_owned(), Form::Sigstore)];
    assert_eq!(trusted.proof, Proof::Signed(forms.to_vec()));
    let refusal = verify(MESSAGE, &[good, bad], Trust::Key(&key)).unwrap_err();
    assert!(refusal.to_string().starts_with("the signature `a.bundle` does not hold"), "{refusal}");
}

#[test]
fn without_a_signature_or_a_key_nothing_is_trusted_unless_anybody_is() {
    let key = PublicKey::read(P256_KEY.as_bytes()).unwrap();
    let signature = SignatureFile { name: "a.sig".to_owned(), bytes: P256_SIGNATURE.into() };
    assert_eq!(verify(MESSAGE, &[], Trust::Key(&key)).unwrap_err(), Refusal::Unsigned);
    assert_eq!(verify(MESSAGE, &[], Trust::Nobody).unwrap_err(), Refusal::Unsigned);
    assert_eq!(verify(MESSAGE, &[signature], Trust::Nobody).unwrap_err(), Refusal::NoKey);
    assert_eq!(verify(MESSAGE, &[], Trust::Anybody).unwrap().proof, Proof::None);
    assert_eq!(unlisted(Vec::new(), Trust::Key(&key)), Err(Refusal::NoManifest));
    assert_eq!(unlisted(Vec::new(), Trust::Nobody), Err(Refusal::NoManifest));
}

#[test]
fn a_key_is_told_by_its_fingerprint() {
    let key = PublicKey::read(P256_KEY.as_bytes()).unwrap();
    assert_eq!(key.fingerprint(), P256_FINGERPRINT);
    assert_eq!(key.to_string(), "ECDSA P-256 with SHA-256");
    let same = PublicKey::read(format!("\r\n{}\r\n", P256_KEY.replace('\n', "\r\n")).as_bytes()).unwrap();
    assert_eq!(same, key);
}

#[test]
fn what_is_no_key_or_a_weak_one_is_refused_with_the_reason() {
    let two = format!("{P256_KEY}{RSA_KEY}");
    let private = P256_KEY.replace("PUBLIC", "PRIVATE");
    let sealed = P256_KEY.replace("PUBLIC KEY", "ENCRYPTED SIGSTORE PRIVATE KEY");
    let certificate = P256_KEY.replace("PUBLIC KEY", "CERTIFICATE");
    let cut = P256_KEY.replace("\n-----END", "A\n-----END");
    let longer = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAaL2tYo/uvqGr1GBk/bQLWnNfdm7GY+EUjk5boyUCUbsA\n-----END PUBLIC KEY-----";
    let huge = " ".repeat(limits::KEY_BYTES + 1);
    for (pem, expected) in [
        ("", "it does not begin with `-----BEGIN PUBLIC KEY-----`"),
        ("hello", "it does not begin with"),
        (two.as_str(), "it holds more than one block"),
        (private.as_str(), "it holds a private key"),
        (sealed.as_str(), "it holds a private key"),
        (certificate.as_str(), "it is a certificate"),
        (cut.as_str(), "it holds a block that is not base64"),
        (longer, "it holds a block that is no public key"),
        (huge.as_str(), "it has more than 16384 bytes"),
        (P521_KEY, "it is a key of a sort that is not verified"),
        (SECP256K1_KEY, "it is a key of a sort that is not verified"),
        (WEAK_RSA_KEY, "it is a weak RSA key of 1024 bits; 2048 are the least"),
        (COMPRESSED_KEY, "whose point is not written in full"),
        (PKCS1_KEY, "`openssl rsa -RSAPublicKey_in -pubout` writes it as `PUBLIC KEY`"),
    ] {
        let problem = PublicKey::read(pem.as_bytes()).unwrap_err().to_string();
        assert!(problem.contains(expected), "{problem}, not {expected}");
    }
    assert!(PublicKey::read(&[0xff]).unwrap_err().to_string().contains("it is not text"));
}
