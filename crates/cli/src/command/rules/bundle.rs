//! `tracehound rules bundle`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use tracehound_model::hash;
use tracehound_rules::bundle::{self, MANIFEST, Proof};
use tracehound_rules::library::{Entry, RuleFile};

use super::count;
use super::sources::{Source, of_bundle, usable};
use crate::args::{Bundle, Create, Format};
use crate::bundle_files::{self, Found, Refused, beside};
use crate::outcome::Outcome;
use crate::output::{Output, safe};
use crate::rule_files;
use crate::settings::Settings;

pub(super) fn run(which: &Bundle, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match which {
        Bundle::Create(arguments) => create(arguments, settings, output),
        Bundle::Verify { path } => verify(path, settings, output),
    }
}

/// What can be signed, and was just written.
struct Written {
    path: PathBuf,
    bytes: Vec<u8>,
    /// What `--rules-bundle` takes.
    bundle: PathBuf,
    rules: Counted,
}

fn create(arguments: &Create, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    let files = read(&arguments.source)?;
    let rules = Counted::of(&usable(source(&arguments.source, &files))?);
    let failed = || format!("`{}` can't be made a bundle", arguments.source.display());
    let (path, bytes, bundle) = match &arguments.output {
        Some(path) => (path.clone(), bundle::pack(&files).with_context(failed)?, path.clone()),
        None => {
            let manifest = bundle::manifest(&files).with_context(failed)?.into_bytes();
            (arguments.source.join(MANIFEST), manifest, arguments.source.clone())
        }
    };
    fs::write(&path, &bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    let written = Written { path, bytes, bundle, rules };
    if settings.format == Format::Json {
        output.json(&written.json())?
    } else {
        written.print(output)?
    }
    Ok(Outcome::Clean)
}

/// The rule files of a directory, named by their paths in the bundle.
fn read(directory: &Path) -> anyhow::Result<Vec<RuleFile>> {
    let file = |(name, bytes): (String, Vec<u8>)| match String::from_utf8(bytes) {
        Ok(text) => Ok(RuleFile { name, text }),
        Err(_) => bail!("`{}` is not UTF-8 text", directory.join(name).display()),
    };
    rule_files::read_below(directory)?.into_iter().map(file).collect()
}

/// The same files, named as the user finds them.
fn source(directory: &Path, files: &[RuleFile]) -> Source {
    let place = format!("`{}`", directory.display());
    Source { place, ..of_bundle(directory, files.to_vec()) }
}

impl Written {
    fn json(&self) -> Value {
        json!({
            "bundle": self.bundle.display().to_string(),
            "file": self.path.display().to_string(),
            "bytes": self.bytes.len(),
            "sha256": hash::content(&self.bytes),
            "rules": self.rules.json(),
            "sign": self.commands(),
        })
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let path = safe(&self.path.display().to_string());
        output.line(format!("{path}: {}, {} bytes", self.rules.words(), self.bytes.len()))?;
        output.line(format!("sha256 {}", hash::content(&self.bytes)))?;
        output.line("\nSign it with one of")?;
        self.commands().iter().try_for_each(|command| output.line(format!("  {}", safe(command))))?;
        output.line("and use it with")?;
        let bundle = safe(&quoted(&self.bundle));
        output.line(format!("  tracehound scan --rules-bundle {bundle} --rules-key KEY.pub"))
    }

    /// The commands that sign what was written, in each form that is read again.
    fn commands(&self) -> [String; 2] {
        let (file, bundle, signature) =
            (quoted(&self.path), quoted(&beside(&self.path, ".sigstore.json")), quoted(&beside(&self.path, ".sig")));
        [
            format!("cosign sign-blob --key cosign.key --bundle {bundle} {file}"),
            format!("openssl dgst -sha256 -sign key.pem {file} | openssl base64 -A -out {signature}"),
        ]
    }
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=@%".contains(&byte);
    if text.bytes().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn verify(path: &Path, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    ensure!(!settings.signer.allow_unsigned, "verifying and --allow-unsigned exclude each other");
    let found = match bundle_files::open(path, &settings.signer) {
        Ok(found) => found,
        Err(error) => return refused(path, error, settings, output),
    };
    let rules = Counted::of(&usable(of_bundle(path, found.opened.files.clone()))?);
    if settings.format == Format::Json {
        output.json(&verified_json(path, &found, &rules))?;
    } else {
        print(path, &found, &rules, output)?;
    }
    Ok(Outcome::Clean)
}

/// Programs get the answer where they look for it; people get the error.
fn refused(path: &Path, error: anyhow::Error, settings: &Settings, output: &mut Output) -> anyhow::Result<Outcome> {
    match error.downcast_ref::<Refused>() {
        Some(Refused { refusal, .. }) if settings.format == Format::Json => {
            let reason = refusal.to_string();
            output.json(&json!({ "bundle": path.display().to_string(), "verified": false, "reason": reason }))?;
            Ok(Outcome::NotVerified)
        }
        _ => Err(error),
    }
}

fn verified_json(path: &Path, found: &Found, rules: &Counted) -> Value {
    let Found { opened, key, .. } = found;
    json!({
        "bundle": path.display().to_string(),
        "verified": true,
        "key": key.as_ref().map(|key| json!({ "fingerprint": key.fingerprint(), "algorithm": key.to_string() })),
        "signatures": signatures(&opened.proof).map(|(file, form)| json!({ "file": file, "form": form })).collect::<Vec<_>>(),
        "sha256": opened.digest,
        "has_manifest": opened.has_manifest,
        "rules": rules.json(),
    })
}

fn print(path: &Path, found: &Found, rules: &Counted, output: &mut Output) -> anyhow::Result<()> {
    output.line(format!("`{}` is verified", safe(&path.display().to_string())))?;
    if let Some(key) = &found.key {
        output.line(format!("signed by  {} ({key})", key.fingerprint()))?;
    }
    for (file, form) in signatures(&found.opened.proof) {
        output.line(format!("signature  {} ({form})", safe(file)))?;
    }
    if let Some(digest) = &found.opened.digest {
        output.line(format!("digest     sha256:{digest}"))?;
    }
    output.line(format!("rules      {}", rules.words()))
}

fn signatures(proof: &Proof) -> impl Iterator<Item = (&str, String)> {
    let files = match proof {
        Proof::Signed(files) => files.as_slice(),
        Proof::None => &[],
    };
    files.iter().map(|(file, form)| (file.as_str(), form.to_string()))
}

/// How many rules of each sort there are.
struct Counted {
    detection: usize,
    fingerprints: usize,
}

impl Counted {
    fn of(entries: &[Entry]) -> Self {
        let detection = entries.iter().filter(|entry| entry.rule.detection().is_some()).count();
        Self { detection, fingerprints: entries.len() - detection }
    }

    fn words(&self) -> String {
        format!("{}, {}", count(self.detection, "detection rule"), count(self.fingerprints, "fingerprint"))
    }

    fn json(&self) -> Value {
        json!({ "detection": self.detection, "fingerprints": self.fingerprints })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_a_shell_where_they_need_it() {
        for (path, expected) in [
            ("rules/v1.tar.gz", "rules/v1.tar.gz"),
            ("my rules.tar.gz", "'my rules.tar.gz'"),
            ("it's;rm -rf.tar.gz", r"'it'\''s;rm -rf.tar.gz'"),
            ("$(id)", "'$(id)'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
