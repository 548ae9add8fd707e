//! Bundles of rules as their users meet them: made, signed, verified, used, and refused.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use insta::assert_snapshot;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::harness::{Place, Ran};

/// What stands before the point in the public key of a P-256 key.
const P256: &[u8] =
    b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00";

fn elephant(version: u32, word: &str) -> String {
    format!(
        "id: purple-elephant\nname: A {word} elephant is mentioned\nversion: {version}\nseverity: low\n\
         scope: {{ collector: mcp, targets: [tool.description] }}\nmatcher: {{ type: keyword, keywords: [{word}] }}\n\
         emit: {{ finding_type: zoo_finding }}\n\
         tests: [{{ input: {word}, should_match: true, description: the colour }}]\n"
    )
}

/// Somebody who signs, as cosign does with a key.
struct Signer {
    pair: EcdsaKeyPair,
}

impl Signer {
    fn new() -> Self {
        let random = SystemRandom::new();
        let private = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, private.as_ref(), &random).unwrap();
        Self { pair }
    }

    fn key(&self, place: &Place, name: &str) -> String {
        let encoded = STANDARD.encode([P256, self.pair.public_key().as_ref()].concat());
        let path = place.write(name, format!("-----BEGIN PUBLIC KEY-----\n{encoded}\n-----END PUBLIC KEY-----\n"));
        path.to_str().unwrap().to_owned()
    }

    fn sign(&self, path: &Path) -> String {
        let signature = self.pair.sign(&SystemRandom::new(), &fs::read(path).unwrap()).unwrap();
        STANDARD.encode(signature)
    }
}

/// A place with a directory of rules, an archive of it and its signature.
struct Zoo {
    place: Place,
    signer: Signer,
    key: String,
}

impl Zoo {
    fn new() -> Self {
        let place = Place::new();
        fs::create_dir_all(place.path("zoo/animals")).unwrap();
        fs::write(place.path("zoo/animals/elephant.yaml"), elephant(1, "purple")).unwrap();
        let signer = Signer::new();
        let key = signer.key(&place, "zoo.pub");
        let zoo = Self { place, signer, key };
        assert_eq!(zoo.run(&["bundle", "create", "zoo", "--output", "zoo.tar.gz"]).code, 0);
        zoo.sign("zoo.tar.gz");
        zoo
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path(name)
    }

    fn sign(&self, name: &str) {
        fs::write(self.path(&format!("{name}.sig")), self.signer.sign(&self.path(name))).unwrap();
    }

    fn start(&self, arguments: &[&str]) -> Ran {
        let output = self.place.command(arguments).current_dir(self.path("")).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(self.path("").to_str().unwrap(), "");
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.start(&[&["rules"], arguments].concat())
    }

    fn verify(&self, path: &str) -> Ran {
        self.run(&["bundle", "verify", path, "--rules-key", &self.key])
    }

    #[track_caller]
    fn check_refused(&self, arguments: &[&str], expected: &str) {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 11, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(expected), "{}, not {expected}", ran.err);
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_bundle_is_made_signed_and_verified() {
    let zoo = Zoo::new();
    let first = fs::read(zoo.path("zoo.tar.gz")).unwrap();
    let made = zoo.run(&["bundle", "create", "zoo", "--output", "zoo.tar.gz"]);
    assert_eq!(fs::read(zoo.path("zoo.tar.gz")).unwrap(), first, "the same rules give the same bytes");
    let digest = made.out.lines().nth(1).unwrap().to_owned();
    assert_eq!(digest.len(), "sha256 ".len() + 64);
    assert_snapshot!(made.out.replace(&digest, "[DIGEST]").replace(&first.len().to_string(), "[SIZE]"), @"
    zoo.tar.gz: 1 detection rule, 0 fingerprints, [SIZE] bytes
    [DIGEST]

    Sign it with one of
      cosign sign-blob --key cosign.key --bundle zoo.tar.gz.sigstore.json zoo.tar.gz
      openssl dgst -sha256 -sign key.pem zoo.tar.gz | openssl base64 -A -out zoo.tar.gz.sig
    and use it with
      tracehound scan --rules-bundle zoo.tar.gz --rules-key KEY.pub
    ");
    let verified = zoo.verify("zoo.tar.gz");
    assert_eq!(verified.code, 0, "{}", verified.err);
    let json = json_of(&zoo.run(&["bundle", "verify", "zoo.tar.gz", "--rules-key", &zoo.key, "--format", "json"]).out);
    let fingerprint = json["key"]["fingerprint"].as_str().unwrap();
    let shown = verified.out.replace(fingerprint, "[KEY]").replace(&digest.replace(' ', ":"), "[DIGEST]");
    assert_snapshot!(shown, @"
    `zoo.tar.gz` is verified
    signed by  [KEY] (ECDSA P-256 with SHA-256)
    signature  zoo.tar.gz.sig (detached signature)
    digest     [DIGEST]
    rules      1 detection rule, 0 fingerprints
    ");
    assert_eq!(json["signatures"], json!([{ "file": "zoo.tar.gz.sig", "form": "detached signature" }]));
    assert_eq!((&json["verified"], &json["rules"]), (&json!(true), &json!({ "detection": 1, "fingerprints": 0 })));
    let made = json_of(&zoo.run(&["bundle", "create", "zoo", "--output", "zoo.tar.gz", "--format", "json"]).out);
    assert_eq!((&made["sha256"], &made["bytes"]), (&json["sha256"], &json!(first.len())));
}

#[test]
fn either_bundle_of_cosign_is_read_beside_the_rules() {
    let zoo = Zoo::new();
    let signature = zoo.signer.sign(&zoo.path("zoo.tar.gz"));
    let sigstore = json!({
        "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
        "verificationMaterial": { "publicKey": { "hint": "" } },
        "messageSignature": { "signature": signature }
    });
    let cosign = json!({ "base64Signature": signature, "rekorBundle": null });
    fs::remove_file(zoo.path("zoo.tar.gz.sig")).unwrap();
    for (ending, bundle, form) in [
        ("sigstore.json", &sigstore, "sigstore bundle"),
        ("bundle", &cosign, "cosign bundle"),
        ("cosign.bundle", &cosign, "cosign bundle"),
    ] {
        let path = zoo.path(&format!("zoo.tar.gz.{ending}"));
        fs::write(&path, bundle.to_string()).unwrap();
        let ran = zoo.verify("zoo.tar.gz");
        assert!(ran.code == 0 && ran.out.contains(form), "{ending}: {}{}", ran.out, ran.err);
        fs::rename(path, zoo.path("elsewhere")).unwrap();
    }
    zoo.check_refused(&["bundle", "verify", "zoo.tar.gz", "--rules-key", &zoo.key], "it is not signed");
    let named = ["bundle", "verify", "zoo.tar.gz", "--rules-key", &zoo.key, "--rules-signature", "elsewhere"];
    assert_eq!(zoo.run(&named).code, 0);
}

#[test]
fn rules_of_a_bundle_are_in_force() {
    let zoo = Zoo::new();
    let list = ["list", "--custom-only", "--rules-bundle", "zoo.tar.gz", "--rules-key", &zoo.key];
    let ran = zoo.run(&list);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("zoo.tar.gz/animals/elephant.yaml"), "{}", ran.out);
    let options = ["--rules-bundle", "zoo.tar.gz", "--rules-key", &zoo.key];
    let with = |command: &[&'static str]| zoo.run(&[command, &options].concat());
    assert!(with(&["show", "purple-elephant"]).out.contains("A purple elephant is mentioned"));
    assert!(with(&["explain", "a purple one"]).out.contains("purple-elephant"));
    assert!(with(&["test"]).out.contains("1 test of 1 rule: 1 passed"));
    assert_eq!(with(&["validate"]).code, 0);
    let scanned = zoo.start(&[&["scan", "--no-store"][..], &options].concat());
    assert!([0, 3].contains(&scanned.code), "{}", scanned.err);
}

#[test]
fn a_bundle_is_named_by_the_environment_and_the_configuration_too() {
    let zoo = Zoo::new();
    zoo.place.write("c.toml", format!("rules_bundle = 'zoo.tar.gz'\nrules_key = '{}'\n", zoo.key));
    let ran = zoo.run(&["list", "--custom-only", "--config", "c.toml"]);
    assert!(ran.code == 0 && ran.out.contains("purple-elephant"), "{}", ran.err);
    let mut command = zoo.place.command(&["rules", "list", "--custom-only"]);
    command.current_dir(zoo.path("")).env("TRACEHOUND_RULES_BUNDLE", "zoo.tar.gz");
    let refused = command.output().unwrap();
    assert_eq!(refused.status.code(), Some(11), "there is no key");
    let accepted = command.env("TRACEHOUND_RULES_KEY", &zoo.key).output().unwrap();
    assert!(String::from_utf8(accepted.stdout).unwrap().contains("purple-elephant"));
}

#[test]
fn built_in_rules_give_way_to_a_bundle_and_a_bundle_to_a_directory() {
    let zoo = Zoo::new();
    let fingerprint = zoo.run(&["show", "ollama", "--yaml"]).out;
    let changed = fingerprint.replacen("name: ", "name: Our ", 1).replace("Ollama is running", "Ollama is here");
    let version = changed.lines().find(|line| line.starts_with("version: ")).unwrap().to_owned();
    fs::write(zoo.path("zoo/ollama.yaml"), changed.replace(&version, "version: 99")).unwrap();
    let detection = zoo.run(&["show", "injection-override", "--yaml"]).out;
    fs::write(zoo.path("zoo/injection.yaml"), format!("{detection}enabled: false\n").replace("enabled: true\n", ""))
        .unwrap();
    assert_eq!(zoo.run(&["bundle", "create", "zoo", "--output", "zoo.tar.gz"]).code, 0);
    zoo.sign("zoo.tar.gz");
    let verified = zoo.verify("zoo.tar.gz");
    assert!(verified.out.contains("2 detection rules, 1 fingerprint"), "{}{}", verified.out, verified.err);
    let bundle = ["--rules-bundle", "zoo.tar.gz", "--rules-key", &zoo.key];
    let shown = zoo.run(&[&["show", "ollama"], &bundle[..]].concat());
    assert!(shown.out.contains("Our ") && shown.out.contains("zoo.tar.gz/ollama.yaml"), "{}", shown.out);
    assert_snapshot!(shown.err, @"
    note: rule `injection-override` of zoo.tar.gz/injection.yaml switches the built-in one off
    note: rule `ollama` of zoo.tar.gz/ollama.yaml overrides the built-in one
    ");
    fs::create_dir(zoo.path("own")).unwrap();
    fs::write(zoo.path("own/e.yaml"), elephant(2, "grey")).unwrap();
    let own = zoo.run(&[&["show", "purple-elephant", "--rules", "own"], &bundle[..]].concat());
    assert!(own.out.contains("A grey elephant"), "{}", own.out);
    let place =
        "note: rule `purple-elephant` of own/e.yaml takes the place of the one of zoo.tar.gz/animals/elephant.yaml\n";
    assert!(own.err.starts_with(place), "{}", own.err);
    assert!(!own.err.contains("`purple-elephant` of own/e.yaml overrides"), "{}", own.err);
    let tested = zoo.run(&[&["test", "--rules", "own"], &bundle[..]].concat());
    assert!(tested.out.contains("1 test of 3 rules"), "{}{}", tested.out, tested.err);
    assert_eq!(zoo.run(&[&["validate", "--rules", "own"], &bundle[..]].concat()).code, 0);
    fs::write(zoo.path("own/e.yaml"), elephant(1, "grey")).unwrap();
    let same = zoo.run(&[&["list", "--rules", "own"], &bundle[..]].concat());
    assert!(same.code == 1 && same.err.contains("its version must be higher"), "{}", same.err);
}

#[test]
fn without_a_signature_that_holds_a_bundle_is_refused() {
    let zoo = Zoo::new();
    let list = ["list", "--rules-bundle", "zoo.tar.gz"];
    let with = |more: &[&'static str]| [&list, more].concat();
    let keyed = [&list[..], &["--rules-key", &zoo.key]].concat();
    zoo.check_refused(
        &list,
        "it is signed, but no key was given to verify that with\n  help: name the signer's public key",
    );
    let stranger = Signer::new().key(&zoo.place, "stranger.pub");
    let other = [&list[..], &["--rules-key", &stranger]].concat();
    zoo.check_refused(&other, "the signature `zoo.tar.gz.sig` does not hold: it was not made by the key sha256:");
    zoo.check_refused(&[&other[..], &["--allow-unsigned"]].concat(), "does not hold");
    let ran = zoo.run(&with(&["--allow-unsigned"]));
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.err,
        "note: nobody checked the signature `zoo.tar.gz.sig` of the rule bundle `zoo.tar.gz`, as no key was given\n"
    );
    fs::write(zoo.path("zoo.tar.gz.sig"), "").unwrap();
    zoo.check_refused(&keyed, "does not hold: it is empty");
    fs::remove_file(zoo.path("zoo.tar.gz.sig")).unwrap();
    zoo.check_refused(&list, "it is not signed\n  help: get it with its signature");
    zoo.check_refused(&keyed, "it is not signed\n  help: put its signature beside it");
    zoo.check_refused(&[&keyed[..], &["--allow-unsigned"]].concat(), "it is not signed");
    let ran = zoo.run(&with(&["--allow-unsigned"]));
    assert_eq!(ran.code, 0);
    assert_eq!(ran.err, "note: the rule bundle `zoo.tar.gz` is not signed, so its rules may be anybody's\n");
    let json = zoo.run(&["bundle", "verify", "zoo.tar.gz", "--rules-key", &zoo.key, "--format", "json"]);
    assert_eq!(json.code, 11);
    assert_eq!(json_of(&json.out), json!({ "bundle": "zoo.tar.gz", "verified": false, "reason": "it is not signed" }));
}

#[test]
fn a_scan_does_not_begin_with_a_bundle_that_is_not_verified() {
    let zoo = Zoo::new();
    fs::write(zoo.path("zoo.tar.gz.sig"), Signer::new().sign(&zoo.path("zoo.tar.gz"))).unwrap();
    let ran = zoo.start(&["scan", "--rules-bundle", "zoo.tar.gz", "--rules-key", &zoo.key]);
    assert_eq!((ran.code, ran.out.as_str()), (11, ""));
    assert!(!zoo.place.data().exists());
}

#[test]
fn a_directory_is_held_to_its_manifest() {
    let zoo = Zoo::new();
    let refused = |expected: &str| zoo.check_refused(&["bundle", "verify", "zoo", "--rules-key", &zoo.key], expected);
    refused("there is no `MANIFEST.sha256` in it, so nothing of it can be signed\n  help: `tracehound rules bundle");
    let unsigned = zoo.run(&["list", "--custom-only", "--rules-bundle", "zoo", "--allow-unsigned"]);
    assert!(unsigned.code == 0 && unsigned.out.contains("zoo/animals/elephant.yaml"), "{}", unsigned.err);
    fs::write(zoo.path("zoo/README"), "hello").unwrap();
    let made = zoo.run(&["bundle", "create", "zoo", "--manifest"]);
    assert!(made.out.contains("zoo/MANIFEST.sha256.sigstore.json"), "{}{}", made.out, made.err);
    assert!(made.out.contains("--rules-bundle zoo --rules-key"), "{}", made.out);
    refused("it is not signed");
    zoo.sign("zoo/MANIFEST.sha256");
    let verified = zoo.verify("zoo");
    assert!(verified.code == 0 && verified.out.contains("zoo/MANIFEST.sha256.sig"), "{}", verified.err);
    fs::write(zoo.path("zoo/more.yaml"), elephant(1, "pink")).unwrap();
    refused("its manifest does not list `more.yaml`");
    fs::rename(zoo.path("zoo/more.yaml"), zoo.path("zoo/animals/elephant.yaml")).unwrap();
    refused("its manifest lists `animals/elephant.yaml` with another digest: the file was altered");
    // Whoever asks for no signature gets none, but still not what the manifest denies.
    zoo.check_refused(&["list", "--rules-bundle", "zoo", "--allow-unsigned"], "the file was altered");
    fs::remove_file(zoo.path("zoo/animals/elephant.yaml")).unwrap();
    refused("its manifest lists `animals/elephant.yaml`, which is missing");
    fs::write(zoo.path("zoo/MANIFEST.sha256"), "").unwrap();
    refused("the signature `zoo/MANIFEST.sha256.sig` does not hold");
}

#[test]
fn a_broken_rule_spoils_the_bundle() {
    let zoo = Zoo::new();
    fs::write(zoo.path("zoo/broken.yaml"), elephant(1, "pink").replace("low", "dire")).unwrap();
    let made = zoo.run(&["bundle", "create", "zoo", "--output", "new.tar.gz"]);
    assert_eq!(made.code, 1);
    assert!(made.err.contains("the rules of `zoo` can't be used: 1 problem\n  zoo/broken.yaml:4:"), "{}", made.err);
    assert!(!zoo.path("new.tar.gz").exists());
    // Somebody else's tools let it pass.
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for name in ["animals/elephant.yaml", "broken.yaml"] {
        let bytes = fs::read(zoo.path("zoo").join(name)).unwrap();
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    fs::write(zoo.path("new.tar.gz"), archive.into_inner().unwrap().finish().unwrap()).unwrap();
    zoo.sign("new.tar.gz");
    for arguments in [&["list", "--rules-bundle", "new.tar.gz"][..], &["bundle", "verify", "new.tar.gz"]] {
        let ran = zoo.run(&[arguments, &["--rules-key", &zoo.key]].concat());
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(ran.err.contains("new.tar.gz/broken.yaml:4:"), "{}", ran.err);
    }
}

#[test]
fn a_hostile_archive_is_refused_even_if_it_is_signed() {
    let zoo = Zoo::new();
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    archive.append_link(&mut header, "a\nerror: b.yaml", "/etc/passwd").unwrap();
    fs::write(zoo.path("zoo.tar.gz"), archive.into_inner().unwrap().finish().unwrap()).unwrap();
    zoo.sign("zoo.tar.gz");
    let ran = zoo.verify("zoo.tar.gz");
    assert_eq!(ran.code, 11);
    let line = "error: the rule bundle `zoo.tar.gz` is refused: `a\\u{a}error: b.yaml` in it is a symbolic link\n";
    assert_eq!(ran.err, line);
}

#[test]
fn what_cannot_be_read_is_an_error_of_another_sort() {
    let zoo = Zoo::new();
    let fails = |arguments: &[&str], expected: &str| {
        let ran = zoo.run(arguments);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(expected), "{}, not {expected}", ran.err);
    };
    fails(&["bundle", "verify", "nowhere.tar.gz", "--rules-key", &zoo.key], "cannot read `nowhere.tar.gz`");
    fails(&["bundle", "verify", "zoo.tar.gz", "--rules-key", "nowhere.pub"], "cannot read `nowhere.pub`");
    let key = "the key `zoo.tar.gz.sig` can't be used: it does not begin with";
    fails(&["bundle", "verify", "zoo.tar.gz", "--rules-key", "zoo.tar.gz.sig"], key);
    let named = ["bundle", "verify", "zoo.tar.gz", "--rules-key", &zoo.key, "--rules-signature", "nowhere.sig"];
    fails(&named, "cannot read `nowhere.sig`");
    fails(&["bundle", "verify", "zoo.tar.gz", "--allow-unsigned"], "exclude each other");
    fails(&["bundle", "create", "nowhere", "--manifest"], "cannot read `nowhere`");
    fails(&["bundle", "create", "zoo", "--output", "nowhere/zoo.tar.gz"], "cannot write `nowhere/zoo.tar.gz`");
    assert_eq!(zoo.run(&["bundle", "create", "zoo"]).code, 2);
    assert_eq!(zoo.run(&["bundle", "create", "zoo", "--manifest", "--output", "zoo.tar.gz"]).code, 2);
}
