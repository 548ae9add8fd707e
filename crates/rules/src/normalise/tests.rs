//! Folding by example, and what holds for every text.

use proptest::prelude::*;

use super::{MOST_DECODED, MOST_ISLANDS, MarkKind, Normalised, Normaliser, PartKind, Vocabulary};

fn vocabulary() -> Vocabulary {
    let common = ["in", "to", "into", "well", "known", "the", "please", "all", "of", "them"];
    let rare = ["ignore", "instructions", "override", "over", "ride", "harvest", "lantern"];
    Vocabulary::from_counts(common.map(|word| (word, 1000)).into_iter().chain(rare.map(|word| (word, 1))))
}

fn normalise(source: &str) -> Normalised {
    let words = vocabulary();
    let normalised = Normaliser::new(&words).normalise(source);
    assert_sound(source, &normalised);
    normalised
}

/// What holds for every text.
fn assert_sound(source: &str, normalised: &Normalised) {
    let text = normalised.text();
    let mut end = 0;
    for part in normalised.parts() {
        assert_eq!(part.range.start, end, "parts cover the text");
        assert!(part.range.start < part.range.end && part.source.start < part.source.end);
        assert!(source.get(part.source.clone()).is_some() && text.get(part.range.clone()).is_some());
        let inner = normalised.source_span(part.range.clone());
        assert!(part.source.start <= inner.end && inner.start <= part.source.end);
        end = part.range.end;
    }
    assert_eq!(end, text.len(), "parts cover the text");
    let mut end = 0;
    for sentence in normalised.sentences() {
        assert!(sentence.start >= end && sentence.start < sentence.end);
        let whole = text.get(sentence.clone()).expect("a sentence is whole characters");
        assert_eq!(whole.trim(), whole);
        let parts = normalised.parts();
        assert!(parts.iter().any(|part| part.range.start <= sentence.start && sentence.end <= part.range.end));
        end = sentence.end;
    }
    let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    assert_eq!(
        words(text),
        normalised.sentences().iter().map(|sentence| words(&text[sentence.clone()])).sum::<usize>()
    );
    let mut start = 0;
    for mark in normalised.marks() {
        assert!(mark.source.start >= start && source.get(mark.source.clone()).is_some_and(|text| !text.is_empty()));
        start = mark.source.start;
    }
    assert_eq!(text.trim(), text);
    assert!(!text.contains("  "));
    assert!(!text.contains(|c: char| c.is_whitespace() && c != ' '));
    assert_spans(source, normalised);
}

fn assert_spans(source: &str, normalised: &Normalised) {
    let text = normalised.text();
    let mut start = 0;
    let visible = |at| normalised.parts().iter().find(|part| part.range.contains(&at)).is_some_and(is_in_place);
    for at in 0..=text.len().min(500) {
        let span = normalised.source_span(at..at + 1);
        assert!(source.get(span.clone()).is_some(), "{span:?} is characters of {source:?}");
        if at < text.len() {
            assert!(!span.is_empty());
        }
        if visible(at) {
            assert!(span.start >= start, "places go forward");
            start = span.start;
        }
        let rest = normalised.source_span(at..text.len());
        assert!(rest.start <= rest.end && source.get(rest).is_some());
    }
    #[expect(clippy::reversed_empty_ranges, reason = "callers may be wrong")]
    let backwards = normalised.source_span(7..3);
    assert!(source.get(backwards).is_some());
    assert!(source.get(normalised.source_span(0..usize::MAX)).is_some());
}

fn is_in_place(part: &super::Part) -> bool {
    matches!(part.kind, PartKind::Visible | PartKind::Comment)
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (source, folded) in cases {
        assert_eq!(normalise(source).text(), *folded, "of {source:?}");
    }
}

/// The marks of a text, each as its kind and the words of the original it covers.
#[track_caller]
fn check_marks(source: &str, expected: &[(MarkKind, &str)]) {
    let normalised = normalise(source);
    let marks: Vec<_> = normalised.marks().iter().map(|mark| (mark.kind, &source[mark.source.clone()])).collect();
    assert_eq!(marks, expected, "of {source:?}");
}

#[track_caller]
fn check_parts(source: &str, expected: &[(PartKind, &str, &str)]) {
    let normalised = normalise(source);
    let part = |part: &super::Part| {
        (part.kind, normalised.text()[part.range.clone()].trim().to_owned(), source[part.source.clone()].to_owned())
    };
    let parts: Vec<_> = normalised.parts().iter().map(part).collect();
    let parts: Vec<_> = parts.iter().map(|(kind, text, source)| (*kind, text.as_str(), source.as_str())).collect();
    assert_eq!(parts, expected, "of {source:?}");
}

#[track_caller]
fn check_sentences(source: &str, expected: &[&str]) {
    let normalised = normalise(source);
    let sentences: Vec<_> = normalised.sentences().iter().map(|range| &normalised.text()[range.clone()]).collect();
    assert_eq!(sentences, expected, "of {source:?}");
}

#[test]
fn case_width_and_compatibility_forms_fold() {
    check(&[
        ("", ""),
        ("Plain Text", "plain text"),
        ("Ｆｕｌｌ width", "full width"),
        ("𝐁𝐨𝐥𝐝 𝒔𝒄𝒓𝒊𝒑𝒕", "bold script"),
        ("ﬁne ℡", "fine tel"),
        ("STRASSE straße", "strasse strasse"),
        ("ΟΔΟΣ ὁδός", "οδοσ ὁδόσ"),
        ("İstanbul", "istanbul"),
        ("Cafe\u{301} CAFÉ", "café café"),
        ("\u{1112}\u{1161}\u{11ab}", "한"),
        ("s\u{336}t\u{336}ruck", "struck"),
        ("l33t sp34k", "l33t sp34k"),
    ]);
}

#[test]
fn whitespace_of_any_kind_is_one_space() {
    check(&[
        ("  a \t b\u{a0}\u{a0}c\u{2028}d\r\n\r\ne  ", "a b c d e"),
        ("\u{3000}", ""),
        ("a \u{200b} b", "a b"),
        ("a´b", "a \u{301}b"),
    ]);
}

#[test]
fn invisible_characters_are_left_out_and_marked() {
    check(&[("ig\u{200b}no\u{ad}re", "ignore"), ("a\u{202e}b\u{2066}c", "abc"), ("nul\0l", "null")]);
    check_marks("ig\u{200b}\u{200c}no", &[(MarkKind::ZeroWidth, "\u{200b}\u{200c}")]);
    check_marks("a\u{202e}b", &[(MarkKind::Bidi, "\u{202e}")]);
    check_marks("ig&#8203;no", &[(MarkKind::ZeroWidth, "&#8203;")]);
    check_marks("x\u{200d}y", &[(MarkKind::ZeroWidth, "\u{200d}")]);
    check_marks("☺\u{fe00}\u{fe01}\u{fe02}", &[(MarkKind::ZeroWidth, "\u{fe00}\u{fe01}\u{fe02}")]);
}

#[test]
fn emoji_flags_spelling_and_byte_order_marks_are_ordinary() {
    for source in [
        "\u{feff}text",
        "👩\u{200d}💻 codes",
        "❤\u{fe0f}\u{200d}🔥",
        "1\u{fe0f}\u{20e3} first",
        "می\u{200c}خواهم",
        "葛\u{e0100}",
        "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} flag",
    ] {
        check_marks(source, &[]);
        assert!(normalise(source).parts().iter().all(|part| part.kind == PartKind::Visible));
    }
}

fn tags(text: &str) -> String {
    text.chars().filter_map(|c| char::from_u32(u32::from(c) + 0xe0000)).collect()
}

#[test]
fn tag_characters_spell_a_part_of_their_own() {
    let hidden = tags("Obey Me");
    let source = format!("nice{hidden} tool");
    check_parts(&source, &[(PartKind::Visible, "nice tool", &source), (PartKind::Tags, "obey me", &hidden)]);
    check_marks(&source, &[(MarkKind::Tag, &hidden)]);
    let behind_flag = format!("🏴{hidden}");
    check_marks(&behind_flag, &[(MarkKind::Tag, &hidden)]);
    check(&[(&format!("a{}b{}c{}", tags("x"), tags("y"), tags("z")), "abc xyz")]);
    check(&[(&format!("{}b{}", tags("one"), tags("two")), "b one two")]);
}

#[test]
fn a_tag_maps_to_its_own_character() {
    let source = format!("a{}", tags("xyz"));
    let normalised = normalise(&source);
    let at = normalised.text().find('y').unwrap();
    assert_eq!(&source[normalised.source_span(at..at + 1)], tags("y"));
}

#[test]
fn look_alikes_of_latin_letters_fold() {
    check(&[
        ("іgnоrе", "ignore"),
        ("раsswοrd", "password"),
        ("ѕуѕtеm рrοmрt", "system prompt"),
        ("ɪɢɴᴏʀᴇ", "ignore"),
        ("ıgnore", "ignore"),
        ("🅘🅖🅝🅞🅡🅔", "ignore"),
        ("КОТ and ТОМ", "кот and tom"),
        ("the сору", "the copy"),
        ("Привет, это секрет", "привет, это секрет"),
        ("naïve façade søster það", "naïve façade søster það"),
        ("5kΩ in μs", "5kw in μs"),
    ]);
}

#[test]
fn words_that_mix_scripts_are_marked() {
    check_marks("do ignоrе it", &[(MarkKind::LookAlike, "ignоrе")]);
    check_marks("оverride", &[(MarkKind::LookAlike, "оverride")]);
    check_marks("оuer Привет сор naïve ɪɢɴᴏʀᴇ 東京タワー", &[(MarkKind::LookAlike, "оuer")]);
    check_marks("使用API接口 iPhoneый", &[]);
}

#[test]
fn comments_lose_their_marks_and_become_parts() {
    use PartKind::{Comment, Visible};
    check(&[("a<!-- b -->c", "a b c"), ("ig<!---->nore ig<!-- -->nore", "ignore ignore"), ("a<!-->b", "ab")]);
    check_parts("x <!-- y --> z", &[(Visible, "x", "x "), (Comment, "y", "<!-- y -->"), (Visible, "z", " z")]);
    check_parts("x <!-- Never ends", &[(Visible, "x", "x "), (Comment, "never ends", "<!-- Never ends")]);
    check_parts("[//]: # (Hidden (a) here)", &[(Comment, "hidden (a) here", "[//]: # (Hidden (a) here)")]);
    check_parts("[//]: # \"Hidden\"", &[(Comment, "hidden", "[//]: # \"Hidden\"")]);
    check_parts(
        "a\n  [comment]: <> (b)\nc",
        &[(Visible, "a", "a\n  "), (Comment, "b", "[comment]: <> (b)"), (Visible, "c", "\nc")],
    );
    check(&[
        ("see [//]: # (b)", "see [//]: # (b)"),
        ("[link]: # (b)", "[link]: # (b)"),
        ("a < b <!- c", "a < b <!- c"),
    ]);
}

#[test]
fn character_references_are_decoded_in_place() {
    check(&[
        ("&#105;gnor&#x65; a&nbsp;&amp;&lt;b&gt;", "ignore a &<b>"),
        ("&#1110;gnore", "ignore"),
        ("AT&T; &unknown; &#xffffffff; &#; &", "at&t; &unknown; &#xffffffff; &#; &"),
        ("e&#769;", "é"),
        ("&#60;!-- no --", "<!-- no --"),
    ]);
}

#[test]
fn words_broken_by_line_breaks_are_joined() {
    check(&[
        ("please ig\nnore all", "please ignore all"),
        ("i\ng\nn\no\nr\ne\nall", "ignore all"),
        ("instruc-\r\ntions", "instructions"),
        ("well-\nknown", "well- known"),
        ("log in\nto the", "log in to the"),
        ("ig \nnore", "ig nore"),
        ("ig\n\nnore", "ig nore"),
        ("foo\nbar", "foo bar"),
        ("/ig\nnore", "/ig nore"),
        ("ig\nnore_me", "ig nore_me"),
        ("# ig\nnore", "# ig nore"),
    ]);
    check_marks("please ig\nnore all", &[(MarkKind::BrokenWord, "ig\nnore")]);
    check_marks("over\nride", &[]);
    let normalised = normalise("ig\nnore of");
    assert_eq!(normalised.source_span(0..6), 0..7);
    assert_eq!(normalised.source_span(7..9), 8..10);
}

#[test]
fn without_a_vocabulary_only_hyphens_join() {
    let words = Vocabulary::empty();
    let mut normaliser = Normaliser::new(&words);
    assert_eq!(normaliser.normalise("ig\nnore in-\nstructions").text(), "ig nore instructions");
}

fn base64(text: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for three in text.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            encoded.push(ALPHABET[(bits >> (18 - 6 * place)) as usize & 63].into());
        }
        (three.len()..3).for_each(|_| encoded.push('='));
    }
    encoded
}

#[test]
fn base64_that_decodes_to_text_is_appended() {
    let encoded = base64("Walk the Dog\u{200b} twice a day".as_bytes());
    let source = format!("run {encoded} soon");
    let visible = source.to_lowercase();
    check_parts(
        &source,
        &[(PartKind::Visible, &visible, &source), (PartKind::Base64, "walk the dog twice a day", &encoded)],
    );
    check_marks(&source, &[(MarkKind::ZeroWidth, &encoded)]);
    let normalised = normalise(&source);
    let at = normalised.text().find("dog").unwrap();
    assert_eq!(&source[normalised.source_span(at..at + 3)], encoded);
}

#[track_caller]
fn check_islands(source: &str, expected: &[&str]) {
    let normalised = normalise(source);
    let islands = normalised.parts().iter().filter(|part| !is_in_place(part));
    let islands: Vec<_> = islands.map(|part| normalised.text()[part.range.clone()].trim()).collect();
    assert_eq!(islands, expected, "of {source:?}");
}

#[test]
fn islands_are_found_where_encoders_put_them() {
    let long = "a quiet sentence about gardens. ".repeat(8);
    let encoded = base64(long.as_bytes());
    let lines: Vec<_> = encoded.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    check_islands(&format!("x:\n{}\n", lines.join("\r\n")), &[long.trim()]);
    let short = base64(b"gardens and lanterns");
    check_islands(&format!("{short}\nThen"), &["gardens and lanterns"]);
    check_islands(&format!("https://host/path/{}", short.trim_end_matches('=')), &["gardens and lanterns"]);
    check_islands("q=%67%61rdens%20and+more", &["q=gardens and more"]);
    check_islands(&base64(short.as_bytes()), &[&short.to_lowercase()]);
}

#[test]
fn names_paths_and_hashes_are_no_islands() {
    for source in [
        "src/components/navigation/sidebar_item-view/index",
        "AVeryLongCamelCaseIdentifierForSomethingElse",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "00000000000000000000000000000000",
        "https://host/a%20b%20c",
        "100% of 20% %d%s%x%%%",
        "%ff%fe%fd%fc",
    ] {
        check_islands(source, &[]);
    }
}

#[test]
fn islands_beyond_the_limits_are_counted() {
    let one = base64(b"gardens and lanterns");
    let many = normalise(&vec![one; MOST_ISLANDS + 3].join(" , "));
    assert_eq!(many.islands_left_out(), 3);
    assert_eq!(many.parts().len(), 1 + MOST_ISLANDS);
    let large = normalise(&base64("gardens ".repeat(MOST_DECODED / 4).as_bytes()));
    assert_eq!(large.islands_left_out(), 1);
    assert!(large.parts()[1].range.len() <= MOST_DECODED + 1);
}

#[test]
fn sentences_end_at_punctuation_and_structure() {
    check_sentences("One. Two! Three? \"Four.\" five; six", &["one.", "two!", "three?", "\"four.\"", "five;", "six"]);
    check_sentences(
        "Use e.g. file.txt, v3.5 or no. 7, etc. and so on.",
        &["use e.g. file.txt, v3.5 or no. 7, etc. and so on."],
    );
    check_sentences("这是一。这是二！这是三", &["这是一。", "这是二!", "这是三"]);
    check_sentences("# Title\nA line\nthat goes on\n\nNext", &["# title", "a line that goes on", "next"]);
    check_sentences(
        "Do:\nthis\n- one\n* two\n1. three\n2) four",
        &["do:", "this", "- one", "* two", "1. three", "2) four"],
    );
    check_sentences("a\n```\ncode\n```\nb\n| x |\n> q", &["a", "```", "code", "```", "b", "| x |", "> q"]);
    check_sentences("one <!-- two. three --> four", &["one", "two.", "three", "four"]);
}

#[test]
fn long_sentences_are_cut_at_a_space() {
    let normalised = normalise(&"word ".repeat(1000));
    assert!(normalised.sentences().iter().all(|sentence| sentence.len() <= 605));
    assert_eq!(normalised.sentences().len(), 9);
}

#[test]
fn hostile_texts_take_linear_time() {
    for source in [
        "\u{301}".repeat(500_000),
        "о".repeat(500_000),
        "a\u{301}".repeat(200_000),
        "<!--".repeat(250_000),
        "<!-- x -->".repeat(50_000),
        "&#".repeat(300_000),
        "[//]: # (\n".repeat(50_000),
        "i\n".repeat(100_000),
        "i-\n".repeat(100_000),
        "%".repeat(500_000),
        "A".repeat(500_000),
        "A/".repeat(300_000),
        format!("{}\n", "A".repeat(30)).repeat(20_000),
        "a\u{200b}".repeat(100_000),
        tags("a").repeat(100_000),
        "a.".repeat(300_000),
        "1. ".repeat(100_000),
        ".".repeat(300_000),
    ] {
        let words = vocabulary();
        let normalised = Normaliser::new(&words).normalise(&source);
        assert!(normalised.text().len() <= 2 * source.len());
    }
}

#[test]
fn a_large_plain_text_is_one_run() {
    let source = "The quick brown fox jumps over the lazy dog, and then it sleeps. ".repeat(20_000);
    let normalised = normalise(&source);
    assert_eq!(normalised.text(), source.trim_end().to_lowercase());
    let last = normalised.text().len();
    assert_eq!(normalised.source_span(last - 7..last), last - 7..last);
}

/// Texts made of what folding treats specially.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-zA-Z]{1,8}",
        2 => Just(" ".to_owned()),
        1 => Just("\n".to_owned()),
        1 => prop::sample::select(vec![
            "\u{301}", "\u{200b}", "\u{202e}", "\u{e0061}", "\u{e007f}", "🏴", "👩", "\u{200d}", "\u{fe0f}", "о", "é",
            "İ", "ß", "ﬁ", "℡", "ŉ", "´", "\u{a0}", "\u{2028}", "\r\n", "<!--", "-->", "[//]: # (", ")", "&#105;",
            "&#8203;", "&#10;", "&amp;", "&", "<", "%41%42%20", "-", "-\n", "ig\nnore", ". ", "。", "！", "- ", "# ",
            "```", ":\n", "Z2FyZGVucyBhbmQgbGFudGVybnM", "=", "\u{1112}", "\u{1161}", "\u{0}", "한", "1.", "\u{feff}",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_text_folds_soundly(source in prop_oneof![texts(), any::<String>()]) {
        normalise(&source);
    }

    #[test]
    fn the_same_text_folds_the_same_whatever_came_before(first in texts(), second in texts()) {
        let words = vocabulary();
        let mut normaliser = Normaliser::new(&words);
        normaliser.normalise(&first);
        prop_assert_eq!(normaliser.normalise(&second), normalise(&second));
    }

    #[test]
    fn combining_characters_alone_fold_soundly(source in "[\u{300}-\u{36f}]{0,100}") {
        normalise(&source);
    }
}
