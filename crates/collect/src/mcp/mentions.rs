//! Tools that speak of other tools of the same server.

use std::collections::HashSet;

/// Shortest name that counts. Shorter ones are words of any text.
const SHORTEST: usize = 3;

/// The names of the tools of one server, for finding them as whole words.
///
/// Looking through a text takes time by its length, however many names there are.
#[derive(Debug)]
pub(super) struct Mentions {
    names: HashSet<String>,
}

impl Mentions {
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        Self { names: names.filter(|name| name.len() >= SHORTEST).map(str::to_lowercase).collect() }
    }

    /// Whether a text names a tool other than its own.
    pub(super) fn refers_to_another(&self, own: &str, text: &str) -> bool {
        let own = own.to_lowercase();
        let is_inner = |character: char| character.is_alphanumeric() || "_-./:".contains(character);
        let words = text.split(|character: char| !is_inner(character));
        // A full stop or a colon at the end of a word is the sentence's, not the name's.
        words
            .map(|word| word.trim_matches(['.', ':', '/', '-']).to_lowercase())
            .any(|word| word != own && self.names.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_whole_words() {
        let mentions = Mentions::new(["read_file", "list", "send-mail", "ab", "Fetch"].into_iter());
        let check = |own: &str, text: &str, expected| {
            assert_eq!(mentions.refers_to_another(own, text), expected, "{own}: {text}");
        };
        check("list", "Call read_file first.", true);
        check("list", "Call `read_file`, then `send-mail`: done", true);
        check("list", "Uses FETCH.", true);
        check("read_file", "Like read_file_fast or xread_file", false);
        check("read_file", "Use read_file for small files.", false);
        check("read_file", "A listing of what is enlisted", false);
        check("read_file", "ab is too short to count", false);
    }
}
