//! Arguments turned into values of their declared types.

use cedar_policy_core::ast::{self, Literal};
use serde_json::{Number, Value};

use super::{Member, Object, Shape, Slot};

/// The longest list that policies look at. Longer ones are refused, not cut: a policy must see all of it or none.
const LONGEST_LIST: usize = 10_000;
/// Whole numbers up to here are exact however they are written.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A value that is not of its declared type. The value itself is not told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// Where, from the arguments down, with dots.
    pub(crate) path: String,
    pub(crate) why: &'static str,
}

impl Misfit {
    fn here(why: &'static str) -> Self {
        Self { path: String::new(), why }
    }

    fn below(mut self, name: &str) -> Self {
        self.path = if self.path.is_empty() { name.to_owned() } else { format!("{name}.{}", self.path) };
        self
    }
}

impl Object {
    /// The arguments as a record of this type.
    ///
    /// Linear in the size of the arguments, but for the logarithm that sets need.
    pub(crate) fn convert(&self, arguments: &Value) -> Result<ast::Value, Misfit> {
        match arguments {
            // A call without arguments.
            Value::Null => self.record(&serde_json::Map::new()),
            Value::Object(members) => self.record(members),
            _ => Err(Misfit::here("is not an object")),
        }
    }

    fn record(&self, given: &serde_json::Map<String, Value>) -> Result<ast::Value, Misfit> {
        if self.is_closed && given.keys().any(|name| !self.members.contains_key(name)) {
            return Err(Misfit::here("has a member that is not declared"));
        }
        let mut record = Vec::with_capacity(self.members.len());
        for (name, member) in &self.members {
            let Member::Seen { slot, is_required } = member else { continue };
            let value = match given.get(name) {
                Some(value) => slot.convert(value).map_err(|misfit| misfit.below(name))?,
                None if *is_required => return Err(Misfit::here("is missing").below(name)),
                None => None,
            };
            record.extend(value.map(|value| (name.as_str(), value)));
        }
        Ok(ast::Value::record(record, None))
    }
}

impl Slot {
    /// The value, or nothing for a null that is allowed.
    fn convert(&self, value: &Value) -> Result<Option<ast::Value>, Misfit> {
        if value.is_null() && self.may_be_null { Ok(None) } else { self.shape.convert(value).map(Some) }
    }
}

impl Shape {
    fn convert(&self, value: &Value) -> Result<ast::Value, Misfit> {
        match (self, value) {
            (Self::Text, Value::String(text)) => Ok(literal(text.as_str())),
            (Self::Flag, Value::Bool(flag)) => Ok(literal(*flag)),
            (Self::Whole, Value::Number(number)) => {
                let whole = whole(number).ok_or_else(|| Misfit::here("is not a whole number of 64 bits"))?;
                Ok(literal(whole))
            }
            (Self::List(slot), Value::Array(items)) => list(slot, items),
            (Self::Object(object), Value::Object(members)) => object.record(members),
            _ => Err(Misfit::here("is not of its declared type")),
        }
    }
}

fn literal(value: impl Into<Literal>) -> ast::Value {
    ast::Value::new(value.into(), None)
}

fn list(slot: &Slot, items: &[Value]) -> Result<ast::Value, Misfit> {
    if items.len() > LONGEST_LIST {
        return Err(Misfit::here("is too long a list"));
    }
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        values.extend(slot.convert(item).map_err(|misfit| misfit.below("[]"))?);
    }
    Ok(ast::Value::set(values, None))
}

/// A number without fractions, however it is written.
fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        let is_whole = float.fract() == 0.0 && float.abs() <= LARGEST_EXACT;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
        is_whole.then_some(float as i64)
    })
}
