//! JSON and its relatives: comments, trailing commas, and everything that JSON5 adds.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::super::tree::{Member, Node, Position, Value};
use super::lex::{Style, Token, Tokens};
use super::{Cursor, DEPTH, Reading, Slip, VALUES, mend};

/// Reads a text. One that is not even JSON5 is mended where a slip of the pen is likely, and the slip is told.
pub(super) fn read(text: &str) -> Reading {
    // A parsed value takes up to fifty times the room of its text, so they are counted first. With a key each, there
    // are two words for a value.
    let is_word = |token: &Token| matches!(token, Token::Open(_) | Token::Word);
    if Tokens::new(text, Style::Json).filter(is_word).nth(2 * VALUES).is_some() {
        return Reading::of(Err(Slip::new(Position::START, format!("the file has more than {VALUES} values"))));
    }
    let slip = match parse(text, &strict()) {
        Ok(root) => return Reading { root: Some(root), slips: Vec::new() },
        Err(slip) => slip,
    };
    let mended = mend::mended(text);
    let root = parse(&mended, &ParseOptions::default()).ok();
    let message = match root {
        Some(_) => format!("{}; read as if that were put right, but its client may refuse the file", slip.message),
        None => slip.message,
    };
    Reading { root, slips: vec![Slip::new(slip.at, message)] }
}

/// JSON5: all that the parser offers but leaving out commas, which no client forgives.
fn strict() -> ParseOptions {
    ParseOptions { allow_missing_commas: false, ..ParseOptions::default() }
}

fn parse(text: &str, options: &ParseOptions) -> Result<Node, Slip> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    let parsed = parse_to_ast(text, &collect, options).map_err(|error| {
        let start = Cursor::new(text).at(error.range().start);
        match error.kind() {
            // What is missing is missing at the end.
            ParseErrorKind::UnterminatedObject | ParseErrorKind::UnterminatedArray => {
                let message = format!("not JSON: the bracket of line {} is never closed", start.line);
                Slip::new(Cursor::new(text).at(text.len()), message)
            }
            kind => Slip::new(start, format!("not JSON: {}", lower_first(&kind.to_string()))),
        }
    })?;
    let Some(root) = parsed.value else {
        return Err(Slip::new(Cursor::new(text).at(text.len()), "there is no value in the file"));
    };
    let mut builder = Builder { cursor: Cursor::new(text), values: 0 };
    builder.node(&root, 0)
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

struct Builder<'t> {
    cursor: Cursor<'t>,
    values: usize,
}

impl Builder<'_> {
    fn node(&mut self, value: &ast::Value<'_>, depth: usize) -> Result<Node, Slip> {
        let at = self.cursor.at(value.range().start);
        self.values += 1;
        if self.values > VALUES {
            return Err(Slip::new(at, format!("the file has more than {VALUES} values")));
        }
        if depth > DEPTH {
            return Err(Slip::new(at, format!("the file is nested deeper than {DEPTH} levels")));
        }
        let value = match value {
            ast::Value::StringLit(literal) => Value::Text(literal.value.clone().into_owned()),
            ast::Value::NumberLit(literal) => Value::Number(literal.value.to_owned()),
            ast::Value::BooleanLit(literal) => Value::Boolean(literal.value),
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(|item| self.node(item, depth + 1));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => {
                let members = object.properties.iter().map(|property| self.member(property, depth));
                Value::Object(members.collect::<Result<_, _>>()?)
            }
        };
        Ok(Node { at, value })
    }

    fn member(&mut self, property: &ast::ObjectProp<'_>, depth: usize) -> Result<Member, Slip> {
        let at = self.cursor.at(property.range.start);
        let key = property.name.as_str().to_owned();
        Ok(Member { at, key, value: self.node(&property.value, depth + 1)? })
    }
}
