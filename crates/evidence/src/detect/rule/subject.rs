//! An event as conditions look at it: what takes time to find out is found out at most once.

use std::cell::OnceCell;

use super::Field;
use crate::event::Event;

/// An event, and the words of its action.
pub(crate) struct Subject<'e> {
    pub(crate) event: &'e Event,
    words: OnceCell<Vec<String>>,
}

impl<'e> Subject<'e> {
    pub(crate) fn new(event: &'e Event) -> Self {
        Self { event, words: OnceCell::new() }
    }

    /// The words of the action's name, in lower case.
    pub(crate) fn action_words(&self) -> &[String] {
        self.words.get_or_init(|| self.event.action.as_deref().map(words_of).unwrap_or_default())
    }

    /// A part of the event.
    pub(crate) fn field(&self, field: Field) -> Option<&'e str> {
        match field {
            Field::Agent => self.event.agent_id.as_deref(),
            Field::Tool => self.event.tool.as_deref(),
            Field::Action => self.event.action.as_deref(),
            Field::Resource => self.event.resource.as_deref(),
            Field::Run => self.event.run_id.as_deref(),
        }
    }

    /// Several parts as one text in which they can't run into each other; nothing if one is missing.
    ///
    /// Names of tools and actions mean the same in upper and lower case, so they are the same here.
    pub(crate) fn joined(&self, fields: &[Field]) -> Option<String> {
        let mut joined = String::new();
        for field in fields {
            let value = self.field(*field)?;
            joined.push_str(&value.len().to_string());
            joined.push(':');
            match field {
                Field::Tool | Field::Action => joined.extend(value.chars().map(|it| it.to_ascii_lowercase())),
                Field::Agent | Field::Resource | Field::Run => joined.push_str(value),
            }
        }
        Some(joined)
    }
}

/// Splits a name where its author meant a word to end: at everything that is no letter or digit, and in `camelCase` and
/// `HTTPServer` before the capital that starts a word.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(character) = characters.next() {
        let starts_word = character.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || characters.peek().is_some_and(|after| after.is_lowercase())
            });
        if (starts_word || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        before = Some(character);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        assert_eq!(words_of(name).join(" "), expected);
    }

    #[test]
    fn a_name_is_split_where_its_author_meant_words_to_end() {
        check("send_email", "send email");
        check("files.read-all", "files read all");
        check("getUserById", "get user by id");
        check("HTTPPost", "http post");
        check("s3Upload", "s3 upload");
        check("__DUMP__", "dump");
        check("", "");
    }

    #[test]
    fn parts_of_words_are_no_words() {
        check("notification", "notification");
        check("allocate", "allocate");
        check("postpone", "postpone");
    }
}
