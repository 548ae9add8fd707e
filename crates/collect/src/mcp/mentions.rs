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
        let is_inner = |character: char| character.is_alphanumeric() || "_-".contains(character) || is_joint(character);
        let words = text.split(|character: char| !is_inner(character));
        words.map(str::to_lowercase).any(|word| self.is_another(&own, &word))
    }

    /// Whether a word, or a part of it, is the name of another tool: `files:read_file`, `read_file/write_file`.
    fn is_another(&self, own: &str, word: &str) -> bool {
        // A full stop or a colon at the end of a word is the sentence's, not the name's.
        let is_edge = |character: char| character == '-' || is_joint(character);
        let whole = word.trim_matches(is_edge);
        // Who names itself whole does not name the tools that its parts are called like.
        if whole == own {
            return false;
        }
        let parts = whole.split(is_joint).map(|part| part.trim_matches('-'));
        std::iter::once(whole).chain(parts).any(|name| name != own && self.names.contains(name))
    }
}

/// What joins names of tools with each other and with where they come from, and may also be within a name.
fn is_joint(character: char) -> bool {
    ".:/".contains(character)
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

    #[test]
    fn names_are_found_between_joints() {
        let mentions = Mentions::new(["read_file", "write_file", "fs.list", "list", "a/b", "ab"].into_iter());
        let check = |own: &str, text: &str, expected| {
            assert_eq!(mentions.refers_to_another(own, text), expected, "{own}: {text}");
        };
        check("list", "Instead of read_file/write_file", true);
        check("list", "Call fs:read_file first", true);
        check("list", "Use functions.Write_File", true);
        check("list", "Call read_file.Then go on", true);
        check("list", "see tools/-read_file-:now", true);
        check("list", "fs:write_file_fast, functions.xread_file", false);
        check("read_file", "read_file/read_file, fs:read_file", false);
        check("read_file", "read_file/write_file", true);
        // Names with joints of their own.
        check("read_file", "Like a/b.", true);
        check("fs.list", "fs.list: what there is", false);
        check("list", "fs.list knows more", true);
        check("read_file", "x.ab/ab", false);
    }
}
