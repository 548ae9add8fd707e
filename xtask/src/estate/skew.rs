//! Power laws: how unevenly things are spread.

use anyhow::{Result, ensure};

/// A power law over ranks: the part of rank `k` is in proportion to `k ^ -exponent`, within limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skew {
    /// 0 is even; 1 is Zipf's law.
    pub(super) exponent: f64,
    /// The smallest part.
    pub(super) least: usize,
    /// The largest part.
    pub(super) most: usize,
}

/// Servers that an agent trusts beyond those that it is home to.
pub(super) const TRUST: Skew = Skew { exponent: 1.0, least: 1, most: 400 };
/// Tools per server.
pub(super) const TOOLS: Skew = Skew { exponent: 0.9, least: 2, most: 250 };
/// Resources per server.
pub(super) const RESOURCES: Skew = Skew { exponent: 0.9, least: 0, most: 150 };
/// Prompts per server.
pub(super) const PROMPTS: Skew = Skew { exponent: 1.0, least: 0, most: 60 };
/// Agents per machine.
pub(super) const AGENTS: Skew = Skew { exponent: 0.3, least: 1, most: 8 };
/// Instruction files per machine.
pub(super) const INSTRUCTION_FILES: Skew = Skew { exponent: 0.3, least: 1, most: 5 };
/// Credentials per authenticated server.
pub(super) const CREDENTIALS: Skew = Skew { exponent: 0.3, least: 1, most: 4 };
/// Skills per A2A agent.
pub(super) const SKILLS: Skew = Skew { exponent: 0.6, least: 1, most: 40 };
/// Agents that an A2A agent delegates to.
pub(super) const DELEGATION: Skew = Skew { exponent: 1.0, least: 0, most: 100 };
/// Models per Ollama instance.
pub(super) const MODELS: Skew = Skew { exponent: 0.6, least: 1, most: 200 };
/// Notebooks per Jupyter server.
pub(super) const NOTEBOOKS: Skew = Skew { exponent: 0.6, least: 1, most: 500 };

/// How much more often popular servers and agents are chosen: the exponent over their ranks.
pub(super) const POPULARITY: f64 = 0.8;
/// How unevenly secrets are reused: the exponent over their ranks.
pub(super) const SECRET_REUSE: f64 = 1.0;

impl Skew {
    /// The same law with a largest part of at most this.
    pub(super) fn at_most(self, most: usize) -> Self {
        Self { most: self.most.min(most), ..self }
    }

    /// Splits a total into parts, largest first, that add up to it exactly.
    pub(super) fn split(self, total: usize, parts: usize) -> Result<Vec<usize>> {
        ensure!(
            (parts * self.least..=parts * self.most).contains(&total),
            "{total} can't be spread over {parts} with {} to {} each",
            self.least,
            self.most
        );
        let weights: Vec<f64> = (1..=parts).map(|rank| (rank as f64).powf(-self.exponent)).collect();
        let part = |scale: f64, weight: f64| ((scale * weight) as usize).clamp(self.least, self.most);
        let sum = |scale: f64| weights.iter().map(|weight| part(scale, *weight)).sum::<usize>();
        // INVARIANT: the parts at `low` add up to no more than the total.
        let (mut low, mut high) = (0.0, self.most as f64 * (parts as f64).powf(self.exponent));
        for _ in 0..64 {
            let middle = f64::midpoint(low, high);
            if sum(middle) <= total {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut split: Vec<usize> = weights.iter().map(|weight| part(low, *weight)).collect();
        let mut left = total - split.iter().sum::<usize>();
        while left > 0 {
            for part in split.iter_mut().filter(|part| **part < self.most).take(left) {
                *part += 1;
                left -= 1;
            }
        }
        Ok(split)
    }
}
