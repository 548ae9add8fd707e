use super::super::tree::{Member, Value};
use super::*;

/// A tree in one line, with the place of each key.
fn shown(node: &Node) -> String {
    let member =
        |member: &Member| format!("{}@{}:{}={}", member.key, member.at.line, member.at.column, shown(&member.value));
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Number(text) => text.clone(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
        Value::Object(members) => format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(" ")),
    }
}

fn check(name: &str, text: &str, expected: &str) {
    let reading = read(Path::new(name), text);
    let slips = reading.slips.iter().map(|slip| format!(" !{}:{} {}", slip.at.line, slip.at.column, slip.message));
    let found = reading.root.as_ref().map_or_else(|| "nothing".to_owned(), shown) + &slips.collect::<String>();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn json_and_its_relatives() {
    check("a.json", r#"{"a": [1, true, null, "x"]}"#, r#"{a@1:2=[1 true null "x"]}"#);
    check("a.json", "// c\n{\n  /* d */ \"a\": 1,\n}", "{a@3:11=1}");
    check("a.json5", "{a: 'x', b: +1, c: .5, 'd': \"l1\\\nl2\"}", "{a@1:2=\"x\" b@1:10=+1 c@1:17=.5 d@1:24=\"l1l2\"}");
    check("a.json", "{\"é\": 1, \"b\": 2}", "{é@1:2=1 b@1:10=2}");
    check("a.json", " \n", "nothing");
    check("a", "[{\"a\": 1}]", "[{a@1:3=1}]");
}

#[test]
fn slips_are_told_and_mended() {
    check(
        "a.json",
        "# note\n{\"a\": 1}",
        "{a@2:2=1} !1:1 not JSON: unexpected token; read as if that were put right, but its client may refuse the file",
    );
    check(
        "a.json",
        "{\"a\": {\n\"b\": \"}\"\n}",
        "{a@1:2={b@2:1=\"}\"}} !3:2 not JSON: the bracket of line 1 is never closed; read as if that were put right, but its client may refuse the file",
    );
    check("a.json", "{\"a\": \n  oops.b }", "nothing !2:3 not JSON: unexpected token");
    check("a.json", "{\"a\": 1, \"a\": 2}", "{a@1:2=1 a@1:10=2} !1:10 the key `a` stands twice; clients take the last");
}

#[test]
fn toml() {
    check("a.toml", "[b.c]\nx = 'y'\n[b]\nz = [1, 2]\n", "{b@3:2={c@1:4={x@2:1=\"y\"} z@4:1=[1 2]}}");
    check("a.toml", "a = {\n b = 1,\n}\n", "{a@1:1={b@2:2=1}}");
    check("a.toml", "a = \n", "nothing !1:5 not TOML: string values must be quoted, expected literal string");
}

#[test]
fn yaml() {
    check(
        "a.yaml",
        "a: &x\n  b: 1.5\nc: *x\nd: [yes, ~]\n",
        "{a@1:1={b@2:3=1.5} c@3:1={b@2:3=1.5} d@4:1=[\"yes\" null]}",
    );
    check("a.yml", "a: 1\n---\nb: 2\n", "{a@1:1=1}");
    check("a.md", "---\nmcp-servers:\n  x: y\n---\n# Title\n", "{mcp-servers@2:1={x@3:3=\"y\"}}");
    check("a.md", "# Title\n---\nx: y\n---\n", "null");
}

#[test]
fn aliases_that_explode_are_refused() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let refers = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{refers}]\n"));
    }
    let reading = read(Path::new("a.yaml"), &bomb);
    assert!(reading.slips[0].message.contains("more than 1000000 values"), "{:?}", reading.slips);
}

#[test]
fn depth_is_limited_in_every_dialect() {
    for (name, text) in [
        ("a.json", "[".repeat(100_000)),
        ("a.json", format!("{}{}", "[".repeat(400), "]".repeat(400))),
        ("a.yaml", "[".repeat(100_000)),
        ("a.toml", format!("a = {}", "[".repeat(100_000))),
        ("a.xml", "<a>".repeat(100_000)),
    ] {
        let reading = read(Path::new(name), &text);
        assert!(reading.root.is_none() && !reading.slips.is_empty(), "{name}");
    }
}

#[test]
fn values_are_counted_before_room_is_made_for_them() {
    let many = "1,".repeat(2_100_000);
    for (name, text) in [
        ("a.json", format!("[{many}]")),
        ("a.json", format!("[{}]", "1 ".repeat(2_100_000))),
        ("a.json", format!("{{\"a\": 'it\\'s', // it's\n /* \" */ \"b\": [{many}]}}")),
        ("a.toml", format!("a = [{many}]")),
        ("a.toml", format!("a = \"\"\"\\\"\"\"\"\nb = '''it's''' # it's\nc = [{many}]")),
        ("a.toml", format!("a = \"\nb = [{many}]")),
        ("a.toml", format!("a = 1{}", "\n".repeat(2_100_000))),
        ("a.yaml", format!("{}{}{}", "&a [".repeat(200), "1,".repeat(10_000), "]".repeat(200))),
    ] {
        let reading = read(Path::new(name), &text);
        let told: Vec<&str> = reading.slips.iter().map(|slip| slip.message.as_str()).collect();
        assert_eq!((reading.root, told), (None, vec!["the file has more than 1000000 values"]));
    }
    // Commas in a text are not values.
    assert_eq!(read(Path::new("a.json"), &format!("{{\"a\": \"{many}\"}}")).slips, []);
}

#[test]
fn elements_with_too_many_attributes_are_refused() {
    let attributes: String = (0..300).map(|number| format!(" a{number}=''")).collect();
    let spaces: String = (0..300).map(|number| format!("<b xmlns:n{number}='u:{number}'/>")).collect();
    let told = "an element has more than 256 attributes, or there are as many namespaces";
    check("a.xml", &format!("<a>\n<!-- ' --><?x '?><b{attributes}/></a>"), &format!("nothing !2:18 {told}"));
    check("a.xml", &format!("<a>\n<![CDATA[ \" ]]><b{attributes}/></a>"), &format!("nothing !2:16 {told}"));
    let reading = read(Path::new("a.xml"), &format!("<a>{spaces}</a>"));
    assert_eq!(reading.slips[0].message, told);
    check("a.xml", "<a b='>' c=\"'\"/>", "{}");
    for unfinished in ["<", "<a", "<a b='", "<!--", "<a><", &"<".repeat(1_000_000)] {
        assert_eq!(read(Path::new("a.xml"), unfinished).root, None, "{unfinished}");
    }
}

#[test]
fn places_are_found_in_any_order() {
    let text = format!("é\n{}\nz", "x\u{10348}\n".repeat(5_000));
    let offsets: Vec<usize> = (0..=text.len()).step_by(7).collect();
    let each = |offset: &usize| Cursor::new(&text).at(*offset);
    let mut cursor = Cursor::new(&text);
    for offset in offsets.iter().step_by(97).chain(offsets.iter().rev().step_by(31)).chain(&[text.len(), 0, 9_000]) {
        assert_eq!(cursor.at(*offset), each(offset), "{offset}");
    }
}

#[test]
fn settings_of_an_ide_read_like_those_of_others() {
    let xml = r#"<application>
  <component name="McpApplicationServerCommands">
    <commands>
      <McpServerCommand>
        <option name="enabled" value="true" />
        <option name="name" value="files" />
        <option name="programPath" value="npx" />
        <option name="arguments" value="-y tool" />
        <envs><env name="A_KEY" value="v" /></envs>
      </McpServerCommand>
    </commands>
    <urls>
      <McpServerURL>
        <option name="url" value="https://mcp.example.com" />
        <option name="headers"><map><entry key="X-Key" value="v" /></map></option>
      </McpServerURL>
    </urls>
  </component>
</application>"#;
    check(
        "llm.mcpServers.xml",
        xml,
        "{mcpServers@2:3=[{enabled@5:9=true name@6:9=\"files\" command@7:9=\"npx\" args@8:9=\"-y tool\" \
         env@9:9={A_KEY@9:15=\"v\"}} {url@14:9=\"https://mcp.example.com\" headers@15:9={X-Key@15:37=\"v\"}}]}",
    );
    check("workspace.xml", "<project><component name=\"Other\"/></project>", "{}");
    check("a.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "nothing !1:1 not XML: XML with DTD detected");
}

#[test]
fn texts_of_other_encodings_are_read() {
    let utf16: Vec<u8> = "\u{feff}{\"é\": 1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(decode(utf16).text, "{\"é\": 1}");
    assert_eq!(decode(b"\xef\xbb\xbf{}".to_vec()).text, "{}");
    let broken = decode(b"{\n \"a\": \"\xff\"}".to_vec());
    assert_eq!(broken.text, "{\n \"a\": \"\u{fffd}\"}");
    assert_eq!(broken.slip.unwrap().at, Position { line: 2, column: 8 });
}
