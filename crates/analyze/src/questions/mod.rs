//! Questions: what people want to know of an estate, by name, with parameters and typed answers.
//!
//! A question reads a [`crate::Picture`] and nothing else. Its answer is complete: whoever asks says how many rows to show, and
//! is told how many there are. A new question is an entry in the table of its category's file.
//!
//! Growth: what each question says of itself; those that say nothing look at each node and edge of a few kinds once, and sort
//! what they find.

mod agents;
mod answer;
mod arguments;
mod chokepoints;
mod combined;
mod context;
mod critical_paths;
mod exposure;
mod influence;
mod reachability;
mod secrets;
mod standards;
mod supply_chain;
mod vulnerabilities;
mod walk;

#[cfg(test)]
mod tests;

use tracehound_model::Severity;

pub use answer::{Answer, Cell, Column, ColumnKind, Page, Rows};
pub use arguments::{Arguments, Parameter, ParameterKind, Problem, question};
pub use context::Context;
pub use standards::Entry;

/// A question.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// What people type.
    pub id: &'static str,
    /// What people read.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub asks: &'static str,
    /// Where it stands in the list.
    pub category: Category,
    /// How bad it is if there is an answer.
    pub severity: Severity,
    /// The catalogue entries that it falls under.
    pub standards: &'static [Entry],
    /// What may be said besides its name.
    pub parameters: &'static [Parameter],
    /// What its rows hold.
    pub columns: &'static [Column],
    ask: fn(&Context<'_>, &Arguments) -> Rows,
}

/// What questions are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Agents and what they are given.
    Agents,
    /// Things that much depends on.
    Chokepoints,
    /// Several weaknesses at once.
    Combined,
    /// Ways to what matters most.
    CriticalPaths,
    /// Things that anybody reaches.
    Exposure,
    /// Words that steer, and content that flows.
    Influence,
    /// Who gets where.
    Reachability,
    /// Secrets.
    Secrets,
    /// Things that come from others.
    SupplyChain,
    /// Single weaknesses.
    Vulnerabilities,
}

impl Category {
    /// What people read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agents => "Agents",
            Self::Chokepoints => "Chokepoints",
            Self::Combined => "Combined",
            Self::CriticalPaths => "Critical Paths",
            Self::Exposure => "Exposure",
            Self::Influence => "Influence",
            Self::Reachability => "Reachability",
            Self::Secrets => "Secrets",
            Self::SupplyChain => "Supply Chain",
            Self::Vulnerabilities => "Vulnerabilities",
        }
    }
}

/// Every question, by category.
pub const QUESTIONS: &[&[Question]] = &[
    agents::QUESTIONS,
    chokepoints::QUESTIONS,
    combined::QUESTIONS,
    critical_paths::QUESTIONS,
    exposure::QUESTIONS,
    influence::QUESTIONS,
    reachability::QUESTIONS,
    secrets::QUESTIONS,
    supply_chain::QUESTIONS,
    vulnerabilities::QUESTIONS,
];

/// Every question, by category and id.
pub fn all() -> impl Iterator<Item = &'static Question> {
    QUESTIONS.iter().copied().flatten()
}

/// Answers a question.
///
/// # Errors
/// When a parameter is unknown, missing, or has a value that makes no sense.
pub fn ask(
    question: &'static Question,
    context: &Context<'_>,
    given: &[(String, String)],
    page: Page,
) -> Result<Answer, Problem> {
    let arguments = Arguments::read(question, context, given, page)?;
    let rows = (question.ask)(context, &arguments);
    Ok(Answer { question, page, rows })
}
