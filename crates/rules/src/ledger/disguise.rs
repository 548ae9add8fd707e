//! Ways to write an attack so that a plain search misses it.

/// One way to disguise a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disguise {
    /// Cyrillic and Greek letters that look Latin.
    LookAlikes,
    /// Zero-width characters inside words.
    ZeroWidth,
    /// All of it inside an HTML comment.
    HtmlComment,
    /// All of it as base64.
    Base64,
    /// Letters in alternating case.
    OtherCase,
    /// Line breaks inside words.
    BrokenWords,
}

impl Disguise {
    /// All disguises.
    pub const ALL: [Self; 6] =
        [Self::LookAlikes, Self::ZeroWidth, Self::HtmlComment, Self::Base64, Self::OtherCase, Self::BrokenWords];

    /// What it is called in the ledger.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LookAlikes => "look-alike letters",
            Self::ZeroWidth => "zero-width characters",
            Self::HtmlComment => "HTML comment",
            Self::Base64 => "base64",
            Self::OtherCase => "other case",
            Self::BrokenWords => "line breaks inside words",
        }
    }

    /// The text in this disguise.
    #[must_use]
    pub fn apply(self, text: &str) -> String {
        match self {
            Self::LookAlikes => text.chars().map(look_alike).collect(),
            Self::ZeroWidth => inside_words(text, 4, '\u{200b}'),
            Self::HtmlComment => format!("<!-- {} -->", text.replace("-->", "")),
            Self::Base64 => base64(text.as_bytes()),
            Self::OtherCase => other_case(text),
            Self::BrokenWords => inside_words(text, 6, '\n'),
        }
    }
}

fn look_alike(letter: char) -> char {
    match letter {
        'a' => 'а',
        'c' => 'с',
        'e' => 'е',
        'i' => 'і',
        'o' => 'о',
        'p' => 'р',
        's' => 'ѕ',
        'x' => 'х',
        'y' => 'у',
        other => other,
    }
}

/// Puts a character into the middle of each word of at least `shortest` letters.
fn inside_words(text: &str, shortest: usize, inserted: char) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut word: Vec<char> = Vec::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_alphabetic() {
            word.push(letter);
            continue;
        }
        let middle = if word.len() >= shortest { word.len() / 2 } else { usize::MAX };
        for (at, letter) in word.drain(..).enumerate() {
            if at == middle {
                out.push(inserted);
            }
            out.push(letter);
        }
        out.push(letter);
    }
    out.pop();
    out
}

fn other_case(text: &str) -> String {
    let mut upper = false;
    let mut turned = |letter: char| {
        if letter.is_alphabetic() {
            upper = !upper;
        }
        if upper {
            letter.to_uppercase().next().unwrap_or(letter)
        } else {
            letter.to_lowercase().next().unwrap_or(letter)
        }
    };
    text.chars().map(&mut turned).collect()
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let sextet = ((word >> (18 - 6 * place)) & 63) as usize;
            let letter = ALPHABET.get(sextet).copied().unwrap_or(b'=');
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguises_look_as_their_names_say() {
        let check = |disguise: Disguise, expected: &str| assert_eq!(disguise.apply("Ignore it all"), expected);
        check(Disguise::LookAlikes, "Ignоrе іt аll");
        check(Disguise::ZeroWidth, "Ign\u{200b}ore it all");
        check(Disguise::HtmlComment, "<!-- Ignore it all -->");
        check(Disguise::Base64, "SWdub3JlIGl0IGFsbA==");
        check(Disguise::OtherCase, "IgNoRe It AlL");
        check(Disguise::BrokenWords, "Ign\nore it all");
    }
}
