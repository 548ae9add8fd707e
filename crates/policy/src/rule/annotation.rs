//! What the annotations of a policy ask for. A word that is nearly one of ours is an error: a misspelt `@decision` would
//! make a plain permit of what was meant to need approval.

use cedar_policy::{Effect, Policy};
use tracehound_model::Verdict;

use super::{Origin, Written};
use crate::problem::Problem;

/// The annotations that mean something, and two for remarks.
const KNOWN: &[&str] = &["id", "decision", "approver_group", "reason", "redact_fields", "description", "note"];
/// The longest reason or group, in bytes.
const LONGEST: usize = 512;

/// What a policy asks for.
pub(super) struct Asked {
    pub(super) verdict: Verdict,
    pub(super) approver_group: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) redact_fields: Vec<String>,
    pub(super) warnings: Vec<Problem>,
}

pub(super) fn read(origin: &Origin<'_>, policy: &Policy, written: &Written) -> Result<Asked, Vec<Problem>> {
    let at = |name: &str, message: String| written.problem(origin, &format!("@{name}"), message);
    let mut problems = Vec::new();
    let mut warnings = Vec::new();
    for (name, value) in policy.annotations() {
        if !KNOWN.contains(&name) {
            let near = KNOWN.iter().find(|known| distance(known, name) <= 2);
            let found = at(name, format!("the annotation `@{name}` means nothing here"));
            match near {
                Some(known) => problems.push(found.with_help(format!("did you mean `@{known}`?"))),
                None => warnings.push(found.with_help("use `@description` or `@note` for remarks")),
            }
        } else if value.len() > LONGEST && name != "description" && name != "note" {
            problems.push(at(name, format!("`@{name}` is longer than {LONGEST} bytes")));
        }
    }
    let verdict = verdict(policy).unwrap_or_else(|message| {
        problems.push(at("decision", message));
        Verdict::Deny
    });
    let redact_fields = fields(policy.annotation("redact_fields").unwrap_or_default());
    if verdict == Verdict::Redact && redact_fields.is_empty() {
        problems.push(at("decision", "it asks to redact, but `@redact_fields` names no field".to_owned()));
    }
    if policy.effect() == Effect::Forbid {
        for name in ["approver_group", "redact_fields"].into_iter().filter(|name| policy.annotation(name).is_some()) {
            warnings.push(at(name, format!("`@{name}` has no effect on a forbid, which always denies")));
        }
    } else if verdict != Verdict::RequireApproval && policy.annotation("approver_group").is_some() {
        warnings.push(at("approver_group", "it names approvers but doesn't ask for approval".to_owned()));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let text = |name: &str| policy.annotation(name).filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(Asked { verdict, approver_group: text("approver_group"), reason: text("reason"), redact_fields, warnings })
}

fn verdict(policy: &Policy) -> Result<Verdict, String> {
    let Some(word) = policy.annotation("decision") else {
        return Ok(if policy.effect() == Effect::Permit { Verdict::Allow } else { Verdict::Deny });
    };
    match (policy.effect(), Verdict::from_name(word)) {
        (_, None) => {
            let known: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.name()).collect();
            Err(format!("`{word}` is not a decision; there are: {}", known.join(", ")))
        }
        (Effect::Permit, Some(Verdict::Deny)) => Err("a permit can't deny: write a forbid".to_owned()),
        (Effect::Forbid, Some(other)) if other != Verdict::Deny => {
            Err(format!("a forbid always denies: write a permit with `@decision(\"{}\")`", other.name()))
        }
        (_, Some(verdict)) => Ok(verdict),
    }
}

fn fields(list: &str) -> Vec<String> {
    let mut fields: Vec<String> =
        list.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// How many letters must change to make one word of the other. Quadratic in their lengths, which are cut.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().take(32).collect(), other.chars().take(32).collect());
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut corner = at;
        let mut left = at + 1;
        for (cell, against) in row.iter_mut().skip(1).zip(&other) {
            let least = (corner + usize::from(letter != against)).min(left + 1).min(*cell + 1);
            corner = std::mem::replace(cell, least);
            left = least;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn near_words_are_near() {
        for (one, other, expected) in [
            ("decision", "decision", 0),
            ("decision", "decison", 1),
            ("decision", "desicion", 2),
            ("id", "note", 4),
            ("", "ab", 2),
        ] {
            assert_eq!(super::distance(one, other), expected, "{one} {other}");
            assert_eq!(super::distance(other, one), expected, "{other} {one}");
        }
    }
}
