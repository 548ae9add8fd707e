//! Sentences taken apart into words, names and numbers.

use rustc_hash::FxHashMap;

use super::grammar::{Grammar, MAIL, NAME, NUMBER, PATH, SELF, SPECIAL, URL};

/// At most this many tokens of a sentence count: longer ones are lists or data, and their cost would grow.
const LONGEST_SENTENCE: usize = 60;

/// One word, or what stands for something that is not a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// A special's number, or a word's number in the [`Symbols`].
    pub(super) symbol: u32,
    /// Where it stands in the folded text.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// The words that a model tells apart, numbered, with their concepts.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    numbers: FxHashMap<String, u32>,
    names: Vec<String>,
    concepts: Vec<Vec<u32>>,
}

impl Symbols {
    /// Specials, then the grammar's words and the given ones, sorted.
    pub(super) fn new<'w>(grammar: &Grammar, words: impl Iterator<Item = &'w str>) -> Self {
        let mut names: Vec<String> = grammar.by_word.keys().cloned().chain(words.map(str::to_owned)).collect();
        names.sort_unstable();
        names.dedup();
        let first = SPECIAL.len() as u32 + 1;
        let specials = (1..first).map(|number| vec![number]);
        let of_words = names.iter().map(|word| grammar.by_word.get(word).cloned().unwrap_or_default());
        let concepts = specials.chain(of_words).collect();
        let numbers = (first..).zip(&names).map(|(number, word)| (word.clone(), number)).collect();
        Self { numbers, names, concepts }
    }

    /// The concepts of a symbol.
    pub(super) fn concepts(&self, symbol: u32) -> &[u32] {
        (symbol as usize).checked_sub(1).and_then(|at| self.concepts.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The name of a symbol.
    pub(super) fn name(&self, symbol: u32) -> &str {
        let at = symbol as usize;
        match SPECIAL.get(at.wrapping_sub(1)) {
            Some(special) => special,
            None => self.names.get(at.wrapping_sub(SPECIAL.len() + 1)).map_or("?", String::as_str),
        }
    }

    /// The symbol of a name.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        let special = SPECIAL.iter().position(|special| *special == name).map(|at| at as u32 + 1);
        special.or_else(|| self.numbers.get(name).copied())
    }

    fn of_word(&self, word: &str) -> u32 {
        self.numbers.get(word).copied().unwrap_or(NAME)
    }
}

/// Appends the tokens of one folded sentence, which starts at `offset` of the whole text.
///
/// `own_name` is the name of the thing that the text describes, as [`bare`] gives it.
pub(super) fn tokenise(sentence: &str, offset: usize, own_name: &str, symbols: &Symbols, tokens: &mut Vec<Token>) {
    let full = tokens.len() + LONGEST_SENTENCE;
    each_word(sentence, |kind, start, end| {
        if tokens.len() >= full {
            return;
        }
        let text = sentence.get(start..end).unwrap_or_default();
        let symbol = match kind {
            _ if is_own(text, own_name) => SELF,
            Shape::Special(number) => number,
            Shape::Word => symbols.of_word(text),
        };
        let follows_this = || tokens.last().is_some_and(|last| sentence_at(sentence, offset, last) == "this");
        if kind == Shape::Word && matches!(text, "tool" | "function" | "command" | "skill") && follows_this() {
            if let Some(this) = tokens.last_mut() {
                (this.symbol, this.end) = (SELF, offset + end);
            }
            return;
        }
        tokens.push(Token { symbol, start: offset + start, end: offset + end });
    });
}

fn sentence_at<'s>(sentence: &'s str, offset: usize, token: &Token) -> &'s str {
    token.start.checked_sub(offset).and_then(|start| sentence.get(start..token.end - offset)).unwrap_or_default()
}

/// A name reduced to its letters and digits, so that `get_file`, `getFile` and `get-file` are one.
pub(super) fn bare(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Names of one or two letters are words too often.
fn is_own(text: &str, own_name: &str) -> bool {
    own_name.len() > 2 && text.chars().filter(|letter| letter.is_alphanumeric()).eq(own_name.chars())
}

/// What a piece of text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Letters.
    Word,
    /// Something that a special stands for.
    Special(u32),
}

/// Calls `found` for each word, name, number and address of a sentence.
pub(super) fn each_word(sentence: &str, mut found: impl FnMut(Shape, usize, usize)) {
    let separates = |letter: char| {
        letter.is_whitespace()
            || matches!(
                letter,
                '"' | '`'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | ','
                    | ';'
                    | '!'
                    | '?'
                    | '*'
                    | '|'
                    | '='
                    | '“'
                    | '”'
                    | '‘'
                    | '«'
                    | '»'
                    | '。'
                    | '，'
                    | '、'
                    | '：'
            )
    };
    let mut at = 0;
    for chunk in sentence.split(separates) {
        let start = at;
        at += chunk.len();
        at += sentence.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let edge = |letter: char| matches!(letter, '\'' | '’' | ':' | '-' | '#' | '&' | '+' | '%' | '$' | '^');
        let trimmed_front = chunk.trim_start_matches(edge);
        let start = start + chunk.len() - trimmed_front.len();
        let piece = trimmed_front.trim_end_matches(|letter| edge(letter) || letter == '.');
        if piece.is_empty() {
            continue;
        }
        match shape(piece) {
            Some(number) => found(Shape::Special(number), start, start + piece.len()),
            None => each_part(piece, start, &mut found),
        }
    }
}

/// Plain words out of a chunk such as `read-only` or `and/or`.
fn each_part(piece: &str, start: usize, found: &mut impl FnMut(Shape, usize, usize)) {
    let mut at = start;
    for part in piece.split(['-', '/', ':', '.', '\\', '~', '@', '&', '+', '#', '%', '$', '^']) {
        if part.chars().any(char::is_alphanumeric) {
            let word = part.strip_suffix("'s").or_else(|| part.strip_suffix("’s")).unwrap_or(part);
            found(Shape::Word, at, at + word.len());
        }
        at += part.len() + 1;
    }
}

/// The special that stands for a chunk, unless it is made of words.
fn shape(piece: &str) -> Option<u32> {
    let inner_dot = || piece.trim_start_matches('.').contains('.');
    let is_path = || {
        piece.starts_with('/')
            || piece.starts_with("~/")
            || piece.starts_with("./")
            || piece.starts_with("../")
            || (piece.len() > 2 && piece.starts_with('.'))
            || piece.bytes().filter(|byte| *byte == b'/').count() >= 2
    };
    let is_number = || piece.bytes().all(|byte| byte.is_ascii_digit() || b".,:/-%".contains(&byte));
    if piece.contains("://") || piece.starts_with("www.") {
        Some(URL)
    } else if is_number() {
        Some(NUMBER)
    } else if piece.find('@').is_some_and(|at| at > 0 && at + 1 < piece.len()) {
        Some(MAIL)
    } else if is_path() {
        Some(PATH)
    } else if piece.contains('_')
        || inner_dot()
        || piece.bytes().any(|byte| byte.is_ascii_digit())
        || piece.matches('-').count() >= 2
    {
        Some(NAME)
    } else {
        None
    }
}
