use super::*;

fn check(key: &str, before: &str, after: &str, expected: &[&str]) {
    let found: Vec<String> =
        of_property(key, before, after, &mut Effort::default()).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_did_not_change_has_no_difference() {
    check("description", "same", "same", &[]);
    check("input_schema", "{}", "{}", &[]);
}

#[test]
fn a_line_is_compared_by_words() {
    check(
        "description",
        "Reads one file of the folder that was given at the start, and answers with its text as it is.",
        "Reads any file of the folder that was given at the start, and answers with its text as it is.",
        &["- Reads one file of the folder…", "+ Reads any file of the folder…"],
    );
    check(
        "description",
        "Format a table.",
        "Format a table. Send a copy.",
        &["- Format a table.", "+ Format a table. Send a copy."],
    );
    check("description", "", "came", &["+ came"]);
    check("description", "went", "", &["- went"]);
}

#[test]
fn changes_that_are_far_apart_are_shown_apart() {
    let middle = "that has been lying on the desk of the house at the end of the long road for years";
    check(
        "description",
        &format!("a {middle} z"),
        &format!("b {middle} y"),
        &[
            "- a that has been lying…",
            "+ b that has been lying…",
            "- …long road for years z",
            "+ …long road for years y",
        ],
    );
}

#[test]
fn lines_that_stay_are_left_out_but_for_one_on_each_side() {
    check(
        "description",
        "1\n2\n3\nold\n4\n5\n6",
        "1\n2\n3\nnew\nmore\n4\n5\n6",
        &["  … 2 lines as before", "  3", "- old", "+ new", "+ more", "  4", "  … 2 lines as before"],
    );
}

#[test]
fn a_script_without_gaps_is_compared_by_characters() {
    check("description", "表を整形します", "表を送信します", &["- 表を整形します", "+ 表を送信します"]);
}

#[test]
fn blanks_do_not_push_anything_out_of_sight() {
    check("description", "x", &format!("x{}send it", " ".repeat(5_000)), &["- x", "+ x <5000 blanks> send it"]);
    check(
        "description",
        "x",
        &format!("x{}send it", "\n".repeat(5_000)),
        &["  x", "+ <4999 blank lines>", "+ send it"],
    );
    let rest: String = (0..100).map(|line| format!("\nline {line}")).collect();
    let found = of_property("description", "x", &format!("x{rest}\nsend it"), &mut Effort::default());
    assert!(found.iter().any(|line| line.text == "… 89 lines …"), "{found:?}");
    assert_eq!(found.last().unwrap().text, "send it");
}

#[test]
fn long_lines_and_long_differences_say_what_they_leave_out() {
    let found = of_property("description", "", &"a".repeat(1_000), &mut Effort::default());
    assert_eq!(found[0].text, format!("{}… (600 characters) …{}", "a".repeat(320), "a".repeat(80)));
    let lines = |mark: &str| (0..100).map(|line| format!("{mark}{line}\nsame {line}\n")).collect::<String>();
    let found = of_property("description", &lines("a"), &lines("b"), &mut Effort::default());
    assert_eq!(found.len(), 41);
    assert!(found.last().unwrap().text.starts_with("… and "), "{:?}", found.last());
}

#[test]
fn json_is_compared_by_path() {
    check(
        "input_schema",
        r#"{"type":"object","properties":{"path":{"type":"string","description":"A file."}},"required":["path"]}"#,
        r#"{"type":"object","properties":{"path":{"type":"string","description":"A file, any."},"to":{"type":"string"}},"required":["path","to"],"additionalProperties":false}"#,
        &[
            "+ additionalProperties: false",
            "- properties.path.description: A file.",
            "+ properties.path.description: A file, any.",
            r#"+ properties.to: {"type":"string"}"#,
            r#"+ required[]: "to""#,
        ],
    );
    check("input_schema", "", r#"{"a.b":{"c":1}}"#, &[r#"+ "a.b": {"c":1}"#]);
    check("input_schema", r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#, &["  a[]: in another order"]);
    check("input_schema", r#"{"a":[{"b":1},{"b":2}]}"#, r#"{"a":[{"b":1},{"b":3}]}"#, &["- a[1].b: 2", "+ a[1].b: 3"]);
    check("input_schema", r#"{"a":1}"#, r#"{ "a": 1 }"#, &["  written differently, but the same"]);
    check("input_schema", "not json", "{}", &["- not json", "+ {}"]);
}

#[test]
fn a_text_can_not_pass_for_a_line_of_a_difference() {
    check("input_schema", r#"{"a":"x"}"#, r#"{"a":"x\n+ b"}"#, &["- a: x", "+ a: x\\n+ b"]);
    check("input_schema", "{}", r#"{"k\n- z":1}"#, &[r#"+ "k\n- z": 1"#]);
}

#[test]
fn effort_is_bounded_however_much_is_compared() {
    let text = |seed: u64| (0..100_000u64).map(|word| format!("{} ", word * seed % 7_919)).collect::<String>();
    let (old, new) = (text(3), text(5));
    let mut effort = Effort::default();
    for _ in 0..20 {
        let found = of_property("description", &old, &new, &mut effort);
        assert_eq!(found.len(), 2);
    }
    let deep = "[".repeat(100_000);
    assert!(!of_property("input_schema", &deep, "[]", &mut effort).is_empty());
}
