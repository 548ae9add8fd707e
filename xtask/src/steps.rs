//! Steps of a chore: one after the other until one fails, each with its time, and a table of them at the end.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::output;

/// One named piece of work.
pub(crate) struct Step<'a> {
    name: String,
    action: Box<dyn FnOnce() -> Result<()> + 'a>,
}

impl<'a> Step<'a> {
    /// A step with its name and what it does.
    pub(crate) fn new(name: impl Into<String>, action: impl FnOnce() -> Result<()> + 'a) -> Self {
        Self { name: name.into(), action: Box::new(action) }
    }
}

/// Runs the steps in order, up to and with the first that fails. The table is printed either way.
pub(crate) fn run(steps: Vec<Step<'_>>) -> Result<()> {
    let mut rows = Vec::with_capacity(steps.len());
    let mut result = Ok(());
    for step in steps {
        if result.is_err() {
            rows.push(Row { name: step.name, outcome: Outcome::NotRun });
            continue;
        }
        let (outcome, answer) = timed(step);
        rows.push(outcome);
        result = answer;
    }
    output::line(table(&rows));
    result
}

/// Runs one step and says when it starts and ends.
fn timed(step: Step<'_>) -> (Row, Result<()>) {
    output::line(format_args!("== {}", step.name));
    let start = Instant::now();
    let answer = (step.action)().with_context(|| format!("step `{}` failed", step.name));
    let time = start.elapsed();
    let outcome = if answer.is_ok() { Outcome::Fine(time) } else { Outcome::Failed(time) };
    output::line(format_args!("== {}: {} in {}", step.name, outcome.word(), Seconds(time)));
    (Row { name: step.name, outcome }, answer)
}

/// A line of the table.
struct Row {
    name: String,
    outcome: Outcome,
}

/// How a step ended.
enum Outcome {
    Fine(Duration),
    Failed(Duration),
    NotRun,
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Self::Fine(_) => "ok",
            Self::Failed(_) => "failed",
            Self::NotRun => "not run",
        }
    }

    fn time(&self) -> String {
        match self {
            Self::Fine(time) | Self::Failed(time) => Seconds(*time).to_string(),
            Self::NotRun => String::new(),
        }
    }
}

/// The table of steps, in the order in which they stand.
fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("step".len());
    let mut text = format!("\n{:width$}  {:7}  {:>9}", "step", "result", "time");
    for row in rows {
        let line = format!("{:width$}  {:7}  {:>9}", row.name, row.outcome.word(), row.outcome.time());
        text.push('\n');
        text.push_str(line.trim_end());
    }
    text
}

/// A duration for people.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_first_failure_stops_the_rest() {
        let ran = RefCell::new(Vec::new());
        let step = |name: &'static str, fails: bool| {
            let ran = &ran;
            Step::new(name, move || {
                ran.borrow_mut().push(name);
                anyhow::ensure!(!fails, "it is broken");
                Ok(())
            })
        };
        let error = run(vec![step("first", false), step("second", true), step("third", false)]).unwrap_err();
        assert_eq!(*ran.borrow(), ["first", "second"]);
        assert_eq!(format!("{error:#}"), "step `second` failed: it is broken");
    }

    #[test]
    fn the_table_shows_every_step() {
        let row = |name: &str, outcome| Row { name: name.to_owned(), outcome };
        let rows = [
            row("fmt", Outcome::Fine(Duration::from_millis(840))),
            row("clippy", Outcome::Failed(Duration::from_millis(61_250))),
            row("docs", Outcome::NotRun),
        ];
        let expected = "
step    result        time
fmt     ok           0.8 s
clippy  failed      61.2 s
docs    not run";
        assert_eq!(table(&rows), expected);
    }
}
