//! Figures and their bounds.

use std::io::Write as _;

/// What was measured so far.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    missed: usize,
}

impl Figures {
    /// A figure that must not exceed its bound.
    pub(crate) fn at_most(&mut self, name: &str, value: f64, bound: f64, unit: &str) {
        self.judge(value <= bound, &format!("{name}: {value:.2}{unit}, bound {bound}{unit}"));
    }

    /// A figure that must reach its bound.
    pub(crate) fn at_least(&mut self, name: &str, value: f64, bound: f64, unit: &str) {
        self.judge(value >= bound, &format!("{name}: {value:.2}{unit}, at least {bound}{unit}"));
    }

    fn judge(&mut self, is_met: bool, figure: &str) {
        self.missed += usize::from(!is_met);
        let verdict = if is_met { "ok" } else { "MISSED" };
        say(&format!("  {figure}: {verdict}"));
    }

    /// Whether no bound was missed.
    pub(crate) const fn all_met(&self) -> bool {
        self.missed == 0
    }
}

/// Prints a line.
pub(crate) fn say(text: &str) {
    // A figure that nobody can read is no reason to stop measuring.
    let _ = writeln!(std::io::stdout(), "{text}");
}
