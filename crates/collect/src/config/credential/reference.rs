//! Values that stand for another value: variables, prompts, places in a secret store, files, commands.

/// What a value refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reference {
    /// An environment variable, and what is used where it is not set.
    Variable { name: String, default: Option<String> },
    /// Something that a person is asked for.
    Prompt,
    /// A secret store, a file or a command.
    Elsewhere,
}

/// Names in `${...}` that clients fill in themselves and that are never secrets.
const PLACES: &[&str] = &[
    "workspaceFolder",
    "workspaceFolderBasename",
    "workspaceRoot",
    "userHome",
    "pathSeparator",
    "/",
    "cwd",
    "file",
    "HOME",
    "extensionPath",
    "workspacePath",
    "__dirname",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "PLUGIN_ROOT",
    "CURSOR_PLUGIN_ROOT",
];

/// The reference in a value, if there is one. A text around it, as in `Bearer ${TOKEN}`, does not matter.
pub(crate) fn of(value: &str) -> Option<Reference> {
    find(value).map(|(reference, _)| reference)
}

/// The variable that a value is taken from as it is, with nothing but the name of a scheme before it.
pub(crate) fn variable_of(value: &str) -> Option<String> {
    match find(super::bare(value)) {
        Some((Reference::Variable { name, .. }, true)) => Some(name),
        _ => None,
    }
}

/// The first reference, and whether it is all of the value.
fn find(value: &str) -> Option<(Reference, bool)> {
    let value = value.trim();
    braced(value).or_else(|| whole(value).map(|reference| (reference, true)))
}

/// How references are written, and what each means. The longer of two that begin alike stands first.
type Meaning = fn(&str) -> Option<Reference>;
const BRACES: &[(&str, &str, Meaning)] = &[
    ("${{", "}}", template),
    ("{{", "}}", |_| Some(Reference::Prompt)),
    ("${", "}", dollar),
    ("{env:", "}", |name| Some(variable(name))),
    ("{file:", "}", |_| Some(Reference::Elsewhere)),
    ("$(", ")", |_| Some(Reference::Elsewhere)),
];

/// `${...}`, `${{ ... }}`, `{{...}}`, `{env:...}`, `$(...)`, anywhere in the value. Those that stand for a place on the
/// machine are passed over.
fn braced(value: &str) -> Option<(Reference, bool)> {
    let mut start = 0;
    while let Some(rest) = value.get(start..) {
        let opened = BRACES.iter().filter_map(|brace| Some((rest.find(brace.0)?, brace)));
        let (at, (open, close, meaning)) = opened.min_by_key(|(at, _)| *at)?;
        let inner_at = at + open.len();
        let inner = closed(rest.get(inner_at..)?, close)?;
        if let Some(reference) = meaning(inner.trim()) {
            let end = inner_at + inner.len() + close.len();
            return Some((reference, start + at == 0 && end == value.len()));
        }
        start += inner_at + inner.len();
    }
    None
}

/// What stands before a closing brace, with the braces that are opened and closed in it.
fn closed<'v>(rest: &'v str, close: &str) -> Option<&'v str> {
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices() {
        if depth == 0 && rest.get(at..).is_some_and(|rest| rest.starts_with(close)) {
            return rest.get(..at);
        }
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The inside of `${{ ... }}`.
fn template(inner: &str) -> Option<Reference> {
    Some(match inner.split_once('.') {
        Some(("env", name)) => variable(name),
        Some(("secrets", _)) => Reference::Elsewhere,
        _ => Reference::Prompt,
    })
}

/// The inside of `${...}`.
fn dollar(inner: &str) -> Option<Reference> {
    if PLACES.contains(&inner) {
        return None;
    }
    let Some((kind, rest)) = inner.split_once(':') else {
        let name = inner.strip_prefix("process.env.").unwrap_or(inner);
        let is_asked = ["user_config.", "input.", "inputs."].iter().any(|start| name.starts_with(start));
        return Some(if is_asked { Reference::Prompt } else { variable(name) });
    };
    Some(match kind {
        "env" => match rest.trim_start_matches("//").split_once(":-") {
            Some((name, default)) => with_default(name, default),
            None => variable(rest.trim_start_matches("//")),
        },
        "input" | "prompt" | "user" => Reference::Prompt,
        "workspaceFolder" => return None,
        "file" | "command" | "cmd" | "vault" | "secret" | "keyring" | "keychain" | "op" | "config" => {
            Reference::Elsewhere
        }
        name => match rest.strip_prefix(['-', '=']) {
            Some(default) => with_default(name, default),
            None => variable(name),
        },
    })
}

/// A reference that is the whole value: `$NAME`, `%NAME%`, `$env:NAME`, `env:NAME`.
fn whole(value: &str) -> Option<Reference> {
    let bare = super::bare(value);
    let percent = bare.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    let name = [bare.strip_prefix("$env:"), bare.strip_prefix("env:"), bare.strip_prefix('$'), percent];
    let name = name.into_iter().flatten().next()?;
    is_name(name).then(|| variable(name))
}

fn variable(name: &str) -> Reference {
    Reference::Variable { name: name.trim().to_owned(), default: None }
}

fn with_default(name: &str, default: &str) -> Reference {
    // One reference that stands in for another leaves no value here.
    let is_value = !default.is_empty() && !default.contains("${") && whole(default).is_none();
    let default = is_value.then(|| default.to_owned());
    Reference::Variable { name: name.trim().to_owned(), default }
}

/// Whether a text can be the name of a variable. Hashes such as `$2b$10$...` can't.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_told_from_texts() {
        let named = |name: &str| Some(variable(name));
        for (value, expected) in [
            ("$TOKEN", named("TOKEN")),
            ("${TOKEN}", named("TOKEN")),
            ("${env:TOKEN}", named("TOKEN")),
            ("${env://TOKEN}", named("TOKEN")),
            ("{env:TOKEN}", named("TOKEN")),
            ("%TOKEN%", named("TOKEN")),
            ("$env:TOKEN", named("TOKEN")),
            ("Bearer ${TOKEN}", named("TOKEN")),
            ("Bearer $TOKEN", named("TOKEN")),
            ("${process.env.TOKEN}", named("TOKEN")),
            ("postgres://app:${PASSWORD}@db/app", named("PASSWORD")),
            ("${TOKEN:-abc}", Some(with_default("TOKEN", "abc"))),
            ("${TOKEN:-}", named("TOKEN")),
            ("${TOKEN:?missing}", named("TOKEN")),
            ("${input:token}", Some(Reference::Prompt)),
            ("{{token}}", Some(Reference::Prompt)),
            ("${{ inputs.TOKEN }}", Some(Reference::Prompt)),
            ("${user_config.key}", Some(Reference::Prompt)),
            ("${{ secrets.TOKEN }}", Some(Reference::Elsewhere)),
            ("{file:~/.token}", Some(Reference::Elsewhere)),
            ("$(op read op://vault/item)", Some(Reference::Elsewhere)),
            ("$2b$10$abcdefghijklmnopqrstuv", None),
            ("pa$word", None),
            ("${workspaceFolder}/x", None),
            ("${workspaceFolder}/x?token=${TOKEN}", named("TOKEN")),
            ("${TOKEN:-${OTHER}}", named("TOKEN")),
            ("${TOKEN", None),
            ("plain", None),
            ("", None),
        ] {
            assert_eq!(of(value), expected, "{value}");
        }
    }
    #[test]
    fn a_value_is_a_variable_only_if_nothing_is_added_to_it() {
        for (value, expected) in [
            ("${TOKEN}", Some("TOKEN")),
            ("Bearer ${env:TOKEN}", Some("TOKEN")),
            ("Bearer $TOKEN", Some("TOKEN")),
            ("prefix-${TOKEN}", None),
            ("${TOKEN}-suffix", None),
            ("${USER}:${TOKEN}", None),
            ("${input:token}", None),
            ("plain", None),
        ] {
            assert_eq!(variable_of(value).as_deref(), expected, "{value}");
        }
    }
}
