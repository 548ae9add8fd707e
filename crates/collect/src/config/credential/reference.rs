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
    let value = value.trim();
    braced(value).or_else(|| whole(value))
}

/// `${...}`, `${{ ... }}`, `{{...}}`, `{env:...}`, `$(...)`, anywhere in the value.
fn braced(value: &str) -> Option<Reference> {
    if let Some(inner) = between(value, "${{", "}}") {
        let inner = inner.trim();
        return Some(match inner.split_once('.') {
            Some(("env", name)) => variable(name),
            Some(("secrets", _)) => Reference::Elsewhere,
            _ => Reference::Prompt,
        });
    }
    if between(value, "{{", "}}").is_some() {
        return Some(Reference::Prompt);
    }
    if let Some(inner) = between(value, "${", "}") {
        return dollar(inner.trim());
    }
    if let Some(name) = between(value, "{env:", "}") {
        return Some(variable(name));
    }
    if between(value, "{file:", "}").is_some() || between(value, "$(", ")").is_some() {
        return Some(Reference::Elsewhere);
    }
    None
}

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
    let default = Some(default.to_owned()).filter(|default| !default.is_empty());
    Reference::Variable { name: name.trim().to_owned(), default }
}

/// Whether a text can be the name of a variable. Hashes such as `$2b$10$...` can't.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

fn between<'v>(value: &'v str, open: &str, close: &str) -> Option<&'v str> {
    let start = value.find(open)? + open.len();
    let rest = value.get(start..)?;
    rest.get(..rest.find(close)?)
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
            ("plain", None),
            ("", None),
        ] {
            assert_eq!(of(value), expected, "{value}");
        }
    }
}
