//! The settings files of JetBrains IDEs: components of MCP servers, turned into what other clients write.

use std::cell::RefCell;

use roxmltree::{Document, Node as Element, ParsingOptions};

use super::super::tree::{Member, Node, Position, Value};
use super::{Cursor, Slip, VALUES};

/// The components that hold servers, of an IDE and of a project.
const COMPONENTS: [&str; 2] = ["McpApplicationServerCommands", "McpProjectServerCommands"];
/// The elements that are servers.
const SERVERS: [&str; 3] = ["McpServerCommand", "McpServerURL", "McpServerConfigurationProperties"];

/// Attributes of one element, and namespaces of a file. The parser compares each with all others.
const ATTRIBUTES: usize = 256;

/// Reads servers as the list `mcpServers`; a file without such components gives none.
pub(super) fn read(text: &str) -> Result<Node, Slip> {
    if let Some(offset) = crowd(text) {
        let message = format!("an element has more than {ATTRIBUTES} attributes, or there are as many namespaces");
        return Err(Slip::new(Cursor::new(text).at(offset), message));
    }
    // A document type declaration is refused: it is where XML's bombs are.
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: u32::try_from(VALUES).unwrap_or(u32::MAX),
        ..Default::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        Slip::new(Position { line: place.row, column: place.col }, format!("not XML: {error}"))
    })?;
    let is_component =
        |element: &Element<'_, '_>| element.attribute("name").is_some_and(|name| COMPONENTS.contains(&name));
    let Some(component) = document.descendants().find(is_component) else {
        return Ok(Node { at: Position::START, value: Value::Object(Vec::new()) });
    };
    // Elements are visited in the order of the text, which keeps finding their places to one pass over it.
    let cursor = RefCell::new(Cursor::new(text));
    let at = |element: &Element<'_, '_>| cursor.borrow_mut().at(element.range().start);
    let start = at(&component);
    let servers = component.descendants().filter(|element| SERVERS.contains(&element.tag_name().name()));
    let servers = servers.map(|server| self::server(&server, &at)).collect();
    let list = Node { at: start, value: Value::List(servers) };
    let member = Member { at: start, key: "mcpServers".to_owned(), value: list };
    Ok(Node { at: Position::START, value: Value::Object(vec![member]) })
}

/// Where there is too much in one place for the parser.
fn crowd(text: &str) -> Option<usize> {
    if let Some((offset, _)) = text.match_indices("xmlns").nth(ATTRIBUTES) {
        return Some(offset);
    }
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let tag = rest.get(start..).unwrap_or_default();
        let offset = text.len() - tag.len();
        // In these, quotes are just letters.
        let mut plain = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].into_iter();
        if let Some((open, close)) = plain.find(|(open, _)| tag.starts_with(open)) {
            let inside = tag.get(open.len()..).unwrap_or_default();
            rest = inside.split_once(close)?.1;
            continue;
        }
        rest = tag.get(1..).unwrap_or_default();
        let mut attributes = 0;
        loop {
            let next = rest.find(['"', '\'', '>'])?;
            let mark = rest.get(next..=next).unwrap_or_default();
            rest = rest.get(next + 1..).unwrap_or_default();
            if mark == ">" {
                break;
            }
            rest = rest.split_once(mark)?.1;
            attributes += 1;
            if attributes > ATTRIBUTES {
                return Some(offset);
            }
        }
    }
    None
}

/// A server: its options under the names that other clients use.
fn server(element: &Element<'_, '_>, at: &impl Fn(&Element<'_, '_>) -> Position) -> Node {
    let start = at(element);
    let mut members = Vec::new();
    for option in element.children().filter(Element::is_element) {
        let here = at(&option);
        let tag = option.tag_name().name();
        let (key, value) = match (tag, option.attribute("name")) {
            ("option", Some(name)) => (key_of(name), option_value(&option, at)),
            ("envs", _) => ("env", pairs(&option, "name", at)),
            _ => continue,
        };
        members.push(Member { at: here, key: key.to_owned(), value: Node { at: here, value } });
    }
    Node { at: start, value: Value::Object(members) }
}

/// What other clients call an option.
fn key_of(name: &str) -> &str {
    match name {
        "programPath" => "command",
        "arguments" => "args",
        "workingDirectory" => "cwd",
        "allowedToolsNames" => "alwaysAllow",
        other => other,
    }
}

fn option_value(option: &Element<'_, '_>, at: &impl Fn(&Element<'_, '_>) -> Position) -> Value {
    if let Some(value) = option.attribute("value") {
        return match value {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            text => Value::Text(text.to_owned()),
        };
    }
    match option.children().find(Element::is_element) {
        Some(map) if map.tag_name().name() == "map" => pairs(&map, "key", at),
        Some(list) => {
            let items = list.children().filter_map(|item| {
                let value = Value::Text(item.attribute("value")?.to_owned());
                Some(Node { at: at(&item), value })
            });
            Value::List(items.collect())
        }
        None => Value::Null,
    }
}

/// The children that have a name and a value.
fn pairs(element: &Element<'_, '_>, key: &str, at: &impl Fn(&Element<'_, '_>) -> Position) -> Value {
    let members = element.children().filter_map(|pair| {
        let (key, value) = (pair.attribute(key)?.to_owned(), pair.attribute("value")?.to_owned());
        let at = at(&pair);
        Some(Member { at, key, value: Node { at, value: Value::Text(value) } })
    });
    Value::Object(members.collect())
}
