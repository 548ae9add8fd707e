//! Command lines: words as a shell would see them, and the commands of a small script.

/// The words of a line. Quotes group, a backslash takes the next character as it is; nothing is expanded.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars().peekable();
    let mut quote = None;
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if close == open => quote = None,
            (Some('"') | None, '\\') if is_escape(quote, characters.peek()) => {
                word.get_or_insert_default().extend(characters.next());
            }
            (Some(_), other) => word.get_or_insert_default().push(other),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (None, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

/// Whether a backslash says something of the next character; in a path of Windows it is a character itself.
fn is_escape(quote: Option<char>, next: Option<&char>) -> bool {
    match (quote, next) {
        (Some(_), Some(next)) => matches!(next, '"' | '\\' | '$' | '`'),
        (None, Some(next)) => next.is_whitespace() || matches!(next, '"' | '\'' | '\\' | '$' | '&' | ';' | '|'),
        (_, None) => false,
    }
}

/// The commands of a script, each as its words, without what joins them.
pub(crate) fn commands(script: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    for word in words(script) {
        let joins = matches!(word.as_str(), "&&" | "||" | ";" | "|" | "&" | "then" | "do" | "exec");
        let ends = word.len() > 1 && word.ends_with(';');
        if joins {
            commands.push(Vec::new());
            continue;
        }
        if let Some(command) = commands.last_mut() {
            command.push(word.trim_end_matches(';').to_owned());
        }
        if ends {
            commands.push(Vec::new());
        }
    }
    commands.retain(|command| !command.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        for (line, expected) in [
            ("npx -y pkg", vec!["npx", "-y", "pkg"]),
            ("run 'a b' \"c d\"", vec!["run", "a b", "c d"]),
            (r"a\ b 'it'\''s'", vec!["a b", "it's"]),
            (r"C:\tools\node.exe x", vec![r"C:\tools\node.exe", "x"]),
            ("open 'never closed", vec!["open", "never closed"]),
            ("''", vec![""]),
            ("  ", vec![]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn a_script_is_its_commands() {
        assert_eq!(
            commands("cd /x && exec npx -y p; echo done"),
            [vec!["cd", "/x"], vec!["npx", "-y", "p"], vec!["echo", "done"]]
        );
    }
}
