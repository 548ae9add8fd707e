//! What may be said besides a question's name, and what is wrong with it.

use std::collections::BTreeMap;

use tracehound_graph::NodeIx;

use super::answer::Page;
use super::{Context, QUESTIONS, Question};
use crate::naming::{Selection, Suggestions, Unfound, did_you_mean};

/// A parameter of a question.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// What it is for, in a few words.
    pub help: &'static str,
    /// A value that makes sense, for an example.
    pub example: &'static str,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy)]
pub enum ParameterKind {
    /// Nodes: sets, kinds and single nodes. Has to be said if there is no default.
    Nodes(Option<&'static str>),
    /// A whole number.
    Number {
        /// What is taken if nothing is said.
        default: u64,
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
}

impl Parameter {
    /// Whether it has to be said.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        matches!(self.kind, ParameterKind::Nodes(None))
    }

    /// What is taken if nothing is said, in words.
    #[must_use]
    pub fn default(&self) -> Option<String> {
        match self.kind {
            ParameterKind::Nodes(None) => None,
            ParameterKind::Nodes(Some(default)) => Some(default.to_owned()),
            ParameterKind::Number { default, .. } => Some(default.to_string()),
        }
    }
}

/// Why a question can't be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no such question.
    #[error("there is no question `{name}`{}", did_you_mean(suggestions))]
    UnknownQuestion {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        suggestions: Vec<String>,
    },
    /// It takes no such parameter.
    #[error("`{question}` takes no `{name}`, {takes}{}", did_you_mean(suggestions))]
    UnknownParameter {
        /// The question.
        question: &'static str,
        /// What was said.
        name: String,
        /// What may have been meant.
        suggestions: Vec<String>,
        /// What it takes, in words.
        takes: String,
    },
    /// A parameter was said twice.
    #[error("`{name}` is given twice")]
    Repeated {
        /// The parameter.
        name: &'static str,
    },
    /// A parameter is needed and was not said.
    #[error("`{question}` needs `{name}` ({help}), for example: {question} {name}={example}")]
    Missing {
        /// The question.
        question: &'static str,
        /// The parameter.
        name: &'static str,
        /// What it is for.
        help: &'static str,
        /// A value that makes sense.
        example: &'static str,
    },
    /// A number is none, or too small or large.
    #[error("`{name}` has to be a whole number from {min} to {max}, and is `{value}`")]
    BadNumber {
        /// The parameter.
        name: &'static str,
        /// What was said.
        value: String,
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A node was not found.
    #[error("`{name}`: {unfound}")]
    Unfound {
        /// The parameter.
        name: &'static str,
        /// Why.
        unfound: Unfound,
    },
    /// A set was named that nothing is in.
    #[error("`{name}`: there is nothing in `{text}`")]
    Nothing {
        /// The parameter.
        name: &'static str,
        /// What was said.
        text: String,
    },
}

#[derive(Debug, Clone)]
enum Value {
    Nodes(Vec<NodeIx>),
    Number(u64),
}

/// What was said besides a question's name, read and checked.
#[derive(Debug, Clone)]
pub struct Arguments {
    /// The part of the answer that is wanted.
    pub page: Page,
    values: BTreeMap<&'static str, Value>,
}

impl Arguments {
    /// Reads what was said: names of parameters with their values.
    ///
    /// # Errors
    /// When a parameter is unknown, said twice, missing, or has a value that makes no sense.
    pub fn read(
        question: &'static Question,
        context: &Context<'_>,
        given: &[(String, String)],
        page: Page,
    ) -> Result<Self, Problem> {
        let mut said: BTreeMap<&'static str, &str> = BTreeMap::new();
        for (name, value) in given {
            let parameter = question.parameters.iter().find(|parameter| parameter.name == *name);
            let parameter = parameter.ok_or_else(|| unknown(question, name))?;
            if said.insert(parameter.name, value).is_some() {
                return Err(Problem::Repeated { name: parameter.name });
            }
        }
        let mut values = BTreeMap::new();
        for parameter in question.parameters {
            let value = match (said.get(parameter.name), parameter.kind) {
                (Some(text), _) => match read(context, parameter, text)? {
                    Value::Nodes(nodes) if nodes.is_empty() => {
                        return Err(Problem::Nothing { name: parameter.name, text: (*text).to_owned() });
                    }
                    value => value,
                },
                (None, ParameterKind::Number { default, .. }) => Value::Number(default),
                (None, ParameterKind::Nodes(Some(default))) => read(context, parameter, default)?,
                (None, ParameterKind::Nodes(None)) => {
                    let Parameter { name, help, example, .. } = *parameter;
                    return Err(Problem::Missing { question: question.id, name, help, example });
                }
            };
            values.insert(parameter.name, value);
        }
        Ok(Self { page, values })
    }

    /// The nodes that a parameter names.
    pub(super) fn nodes(&self, name: &str) -> &[NodeIx] {
        match self.values.get(name) {
            Some(Value::Nodes(nodes)) => nodes,
            _ => &[],
        }
    }

    /// A number.
    pub(super) fn number(&self, name: &str) -> u64 {
        match self.values.get(name) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }
}

fn read(context: &Context<'_>, parameter: &Parameter, text: &str) -> Result<Value, Problem> {
    let unfound = |unfound| Problem::Unfound { name: parameter.name, unfound };
    match parameter.kind {
        ParameterKind::Number { min, max, .. } => {
            let number = text.trim().parse().ok().filter(|number| (min..=max).contains(number));
            let bad = || Problem::BadNumber { name: parameter.name, value: text.to_owned(), min, max };
            number.map(Value::Number).ok_or_else(bad)
        }
        ParameterKind::Nodes(_) => {
            let nodes = Selection::parse(text).nodes(&context.picture, context.marks);
            nodes.map(Value::Nodes).map_err(unfound)
        }
    }
}

fn unknown(question: &'static Question, name: &str) -> Problem {
    let names: Vec<&str> = question.parameters.iter().map(|parameter| parameter.name).collect();
    let suggestions = Suggestions::among(name, names.iter().copied());
    let takes = if names.is_empty() { "and nothing else".to_owned() } else { format!("only {}", names.join(", ")) };
    Problem::UnknownParameter { question: question.id, name: name.to_owned(), suggestions, takes }
}

/// The question with this id.
///
/// # Errors
/// When there is none.
pub fn question(id: &str) -> Result<&'static Question, Problem> {
    let found = QUESTIONS.iter().copied().flatten().find(|question| question.id.eq_ignore_ascii_case(id.trim()));
    found.ok_or_else(|| {
        let suggestions = Suggestions::among(id, QUESTIONS.iter().copied().flatten().map(|question| question.id));
        Problem::UnknownQuestion { name: id.to_owned(), suggestions }
    })
}
